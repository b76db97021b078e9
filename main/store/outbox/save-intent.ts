import { createHash } from 'node:crypto';
import { kindCode } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asNumberOrNull, type Db, numberOf } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';
import { type IntendAnswer, type NewBatch, ON_THE_WIRE_MS } from './outbox-types.ts';
import { LIVE } from './schema.ts';

export const isCurrentOwner = (db: Db, epoch: number): boolean =>
  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) === epoch;

/**
 * Writes down that a batch is about to be sent: its exact bytes, its rows, and what the service had before. Only
 * when this has been committed may the first byte leave.
 */
export function saveIntent(
  store: WriterStore,
  args: { readonly epoch: number; readonly batch: NewBatch },
): IntendAnswer {
  const { db } = store;
  const { batch } = args;
  if (!isCurrentOwner(db, args.epoch)) return { kind: 'stale-epoch' };
  const live = batch.ops.filter((op) => isLive(db, kindCode(op.kind), op.rowId, batch.verb)).map((op) => op.rowId);
  if (live.length > 0) return { kind: 'live', rowIds: live };
  const waitMs = spendChanges(store, batch.ops.length);
  if (waitMs > 0) return { kind: 'over-budget', waitMs };
  const nowMs = store.nowMs();
  db.run(
    `INSERT INTO outbox_batch(kind, verb, method, path, campaign_id, ad_group_id, attempt, epoch, correlation_id,
       body, body_sha256, pre_image, sent_at, last_moment_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    batch.kind,
    batch.verb,
    batch.method,
    batch.path,
    batch.campaignId,
    batch.adGroupId,
    batch.attempt,
    args.epoch,
    batch.correlationId,
    batch.body,
    createHash('sha256').update(batch.body, 'utf8').digest('hex'),
    batch.preImage === null ? null : JSON.stringify(batch.preImage),
    nowMs,
    nowMs + ON_THE_WIRE_MS,
  );
  const batchId = numberOf(db, 'SELECT last_insert_rowid()');
  for (const [index, op] of batch.ops.entries()) {
    db.run(
      `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent, base) VALUES (?,?,?,?,?,'SENT',?,?)`,
      batchId,
      index,
      kindCode(op.kind),
      op.rowId,
      batch.verb,
      JSON.stringify(op.sent),
      op.base === null ? null : JSON.stringify(op.base),
    );
  }
  store.bumpRevision(new Set(batch.ops.map((op) => op.kind)));
  return { kind: 'ok', batchId };
}

/**
 * A batch that waited for its turn is sent only now: what is said about when it may have arrived counts from here.
 *
 * @returns false when somebody else writes this workspace by now; then it must not be sent
 */
export function renewTimestamp(
  store: WriterStore,
  args: { readonly epoch: number; readonly batchId: number },
): boolean {
  if (!isCurrentOwner(store.db, args.epoch)) return false;
  const nowMs = store.nowMs();
  store.db.run(
    'UPDATE outbox_batch SET sent_at = ?, last_moment_at = ? WHERE id = ?',
    nowMs,
    nowMs + ON_THE_WIRE_MS,
    args.batchId,
  );
  return true;
}

function isLive(db: Db, kind: number, rowId: RowId, verb: string): boolean {
  const found = db.get(
    `SELECT count(*) FROM outbox_op WHERE kind = ? AND row_id = ? AND verb = ? AND ${LIVE}`,
    kind,
    rowId,
    verb,
  );
  return asNumber(found?.[0]) > 0;
}

const HOUR_MS = 3_600_000;

/**
 * The hourly limit counts changed elements, not calls (wire shapes, section 2, "rate limit"). The bucket lives in
 * the workspace, so that a restart does not refill it. Levels are kept in thousandths of an element.
 */
export function changesLeft(store: WriterStore): number {
  return Math.floor(levelOf(store) / 1000);
}

/** Takes elements out of the bucket. @returns 0, or how long to wait in milliseconds when there are too few */
function spendChanges(store: WriterStore, elements: number): number {
  const perHour = store.profile.rate.opsPerHour;
  const level = levelOf(store);
  const wanted = Math.min(elements, perHour) * 1000;
  if (level < wanted) return Math.ceil(((wanted - level) / 1000 / perHour) * HOUR_MS);
  put(store, 'budget', level - wanted);
  put(store, 'budget-at', store.nowMs());
  return 0;
}

function levelOf(store: WriterStore): number {
  const full = store.profile.rate.opsPerHour * 1000;
  const level = get(store, 'budget');
  const at = get(store, 'budget-at');
  if (level === null || at === null) return full;
  // A clock that went back refills nothing.
  const passedMs = Math.max(0, store.nowMs() - at);
  return Math.min(full, Math.floor(level + (passedMs / HOUR_MS) * full));
}

const get = (store: WriterStore, key: string): number | null =>
  asNumberOrNull(store.db.get('SELECT value FROM outbox_meta WHERE key = ?', key)?.[0]);

function put(store: WriterStore, key: string, value: number): void {
  store.db.run(
    'INSERT INTO outbox_meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
