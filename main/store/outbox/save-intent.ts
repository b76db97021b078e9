import { createHash } from 'node:crypto';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import { asNumber, type Db, numberOf } from '../db/db.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { changesAtOnce, countAt, spendChanges, uncount } from './change-limit.ts';
import { type IntendAnswer, type NewBatch, type NewOp, ON_THE_WIRE_MS, type OpState } from './outbox-types.ts';
import { LIVE } from './schema.ts';

export const isCurrentOwner = (db: Db, epoch: number): boolean =>
  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) === epoch;

/**
 * Stores the intent of a batch: its exact bytes, its rows, and the IDs on the service before. The first byte may be
 * sent only after this transaction was committed.
 */
export function saveIntent(
  store: WriterStore,
  args: { readonly epoch: number; readonly batch: NewBatch },
): IntendAnswer {
  const { db } = store;
  const { batch } = args;
  if (!isCurrentOwner(db, args.epoch)) return { kind: 'stale-epoch' };
  const live = batch.ops.filter((op) => isLive(db, op.kind, op.rowId, batch.verb)).map((op) => op.rowId);
  if (live.length > 0) return { kind: 'live', rowIds: live };
  const perHour = changesAtOnce(store);
  if (batch.ops.length > perHour) return { kind: 'too-many', perHour };
  const waitMs = spendChanges(store, batch.ops.length);
  if (waitMs > 0) return { kind: 'over-budget', waitMs };
  const nowMs = store.nowMs();
  const batchId = insertBatch(db, args.epoch, batch, nowMs, nowMs + ON_THE_WIRE_MS);
  for (const [index, op] of batch.ops.entries()) insertOp(db, batchId, index, batch.verb, op, 'SENT', null);
  store.bumpRevision(new Set(batch.ops.map((op) => op.kind)));
  return { kind: 'ok', batchId };
}

/** A batch without its rows; its kind, verb and IDs may come from a journal. */
interface BatchHead extends Omit<NewBatch, 'kind' | 'verb' | 'campaignId' | 'adGroupId' | 'ops'> {
  readonly kind: string;
  readonly verb: string;
  readonly campaignId: number | null;
  readonly adGroupId: number | null;
}

/** @returns the ID of the batch */
export function insertBatch(db: Db, epoch: number, batch: BatchHead, sentAt: number, lastMomentAt: number): number {
  const { kind, verb, method, path, campaignId, adGroupId, attempt, correlationId, body, preImage } = batch;
  const sha256 = createHash('sha256').update(body, 'utf8').digest('hex');
  const before = preImage === null ? null : JSON.stringify(preImage);
  return numberOf(
    db,
    `INSERT INTO outbox_batch(kind, verb, method, path, campaign_id, ad_group_id, attempt, epoch, correlation_id,
       body, body_sha256, pre_image, sent_at, last_moment_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id`,
    kind,
    verb,
    method,
    path,
    campaignId,
    adGroupId,
    attempt,
    epoch,
    correlationId,
    body,
    sha256,
    before,
    sentAt,
    lastMomentAt,
  );
}

/** @returns the ID of the op */
export function insertOp(
  db: Db,
  batchId: number,
  index: number,
  verb: string,
  { kind, rowId, sent, base }: NewOp,
  state: OpState,
  reason: string | null,
): number {
  const before = base === null ? null : JSON.stringify(base);
  return numberOf(
    db,
    `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent, base, reason)
     VALUES (?,?,?,?,?,?,?,?,?) RETURNING id`,
    batchId,
    index,
    kindCode(kind),
    rowId,
    verb,
    state,
    JSON.stringify(sent),
    before,
    reason,
  );
}

/**
 * Renews the times of a batch that waited for its slot: its settle window counts from now.
 *
 * @returns false if another process has taken the workspace over: the batch must then not be sent
 */
export function renewTimestamp(
  store: WriterStore,
  args: { readonly epoch: number; readonly batchId: number },
): boolean {
  if (!isCurrentOwner(store.db, args.epoch)) return false;
  const nowMs = store.nowMs();
  const [sentAt, changes] =
    store.db.get(
      'SELECT sent_at, (SELECT count(*) FROM outbox_op o WHERE o.batch_id = b.id) FROM outbox_batch b WHERE b.id = ?',
      args.batchId,
    ) ?? [];
  uncount(store, asNumber(sentAt), asNumber(changes));
  countAt(store, nowMs, asNumber(changes));
  store.db.run(
    'UPDATE outbox_batch SET sent_at = ?, last_moment_at = ? WHERE id = ?',
    nowMs,
    nowMs + ON_THE_WIRE_MS,
    args.batchId,
  );
  return true;
}

/** Whether this row has an open op with this verb. */
export function isLive(db: Db, kind: Kind, rowId: number, verb: string): boolean {
  const sql = `SELECT count(*) FROM outbox_op WHERE kind = ? AND row_id = ? AND verb = ? AND ${LIVE}`;
  return numberOf(db, sql, kindCode(kind), rowId, verb) > 0;
}
