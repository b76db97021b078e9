import { finalStatus } from '../../../shared/lifecycle/states.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { asRowId, type RemoteId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';
import { asNumber, asNumberOrNull, asText, asTextOrNull, type Db, type DbRow, rowIdOf, rowIdOrNull } from '../db/db.ts';
import { kindAt } from '../schema/tables.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { type LimitAnswer, learnFromAnswer, uncount } from './change-limit.ts';
import type { ElementSettlement, LiveBatch, LiveOp, OpState, Settlement } from './outbox-types.ts';
import { isCurrentOwner } from './save-intent.ts';
import { LIVE } from './schema.ts';
import { baseFields, closeDeleted, leaveIfDeleted } from './sync-queries.ts';

export interface RecordedOutcome {
  readonly done: number;
  readonly rejected: number;
  readonly inDoubt: number;
  /** By position in the batch. */
  readonly states: readonly OpState[];
}

/** Stores the outcome of a batch in one transaction: the states of its ops, their rows, and a receipt. */
export function recordOutcome(
  store: WriterStore,
  args: {
    readonly epoch: number;
    readonly batchId: number;
    readonly class: string;
    readonly settlement: Settlement;
    readonly limit?: LimitAnswer | undefined;
  },
): RecordedOutcome {
  const batch = readBatch(store.db, args.batchId);
  if (batch === null || !isCurrentOwner(store.db, args.epoch)) return { done: 0, rejected: 0, inDoubt: 0, states: [] };
  addReceipt(store, batch.id, args.class, detailOf(args.settlement));
  // The request has ended, so it is no longer on the wire.
  store.db.run('UPDATE outbox_batch SET last_moment_at = ? WHERE id = ?', store.nowMs(), batch.id);
  const states = batch.ops.map((op) =>
    op.state === 'SENT' ? settleOp(store, batch, op, elementOf(args.settlement, op.index)) : op.state,
  );
  const notDone = batch.ops.filter(
    ({ state }, at) => state === 'SENT' && (states[at] === 'RETURNED' || states[at] === 'REJECTED'),
  );
  uncount(store, batch.sentAt, notDone.length);
  learnFromAnswer(store, args.limit ?? {}, batch.ops.length);
  store.bumpRevision(new Set(batch.ops.map((op) => op.kind)));
  const count = (state: OpState): number => states.filter((candidate) => candidate === state).length;
  return { done: count('DONE'), rejected: count('REJECTED'), inDoubt: count('IN_DOUBT'), states };
}

/**
 * Stores the accepted values and the ID of a row.
 *
 * @param seen values of a read in place of the sent ones; they become the base, so that a difference stays a change
 * @returns DONE, or IN_DOUBT if the ID belongs to another row
 */
export function acceptOp(
  store: WriterStore,
  batch: LiveBatch,
  op: LiveOp,
  remoteId: RemoteId | null,
  serviceFields: AnyValues,
  seen: AnyValues | null = null,
): OpState {
  const isReview = batch.verb === 'submit' || batch.verb === 'cancel';
  // A review changes only the service fields of the ad group.
  const sent = isReview ? {} : carried(batch, op, seen ?? op.sent);
  const ref = { kind: op.kind, id: op.rowId };
  const accepted = store.acceptSent(ref, { remoteId: isReview ? null : remoteId, sent, serviceFields });
  if (!accepted.ok && accepted.error.kind === 'remote-id-taken') {
    setState(store, op.id, 'IN_DOUBT', null, `the ID ${remoteId} belongs to another row`);
    return 'IN_DOUBT';
  }
  // A row that is gone was deleted here while its request was in progress; the request is done nevertheless.
  if (accepted.ok) {
    closeFiles(store, batch, op);
    const row = finalStatus(op.kind, sent) === null ? null : store.readRow(ref);
    if (row !== null && isDeleted(row)) closeDeleted(store, op.kind, op.rowId);
  }
  setState(store, op.id, 'DONE', remoteId, null);
  return 'DONE';
}

/** Marks the caption of a video, or the logo of a profile, as sent and available. */
function closeFiles(store: WriterStore, batch: LiveBatch, op: LiveOp): void {
  const file = batch.verb === 'upload' ? op.sent['caption'] : batch.verb === 'logo' ? op.sent['logo'] : null;
  if (typeof file !== 'number') return;
  const ref = { kind: 'media', id: asRowId(file) } as const;
  const row = store.readRow(ref);
  if (row !== null)
    store.acceptSent(ref, { remoteId: null, sent: { ...row.values }, serviceFields: { mediaState: 'available' } });
}

/** Adds the empty fields of a create, such as a profile's logo, which is sent separately. */
function carried(batch: LiveBatch, op: LiveOp, sent: AnyValues): AnyValues {
  if (batch.verb !== 'create') return sent;
  return { ...Object.fromEntries(baseFields(op.kind).map((field) => [field, null])), ...sent };
}

export function setState(
  store: WriterStore,
  opId: number,
  state: OpState,
  remoteId: string | null,
  reason: string | null,
): void {
  store.db.run(
    'UPDATE outbox_op SET state = ?, remote_id = ?, reason = ? WHERE id = ?',
    state,
    remoteId,
    reason?.slice(0, 500) ?? null,
    opId,
  );
}

export function addReceipt(store: WriterStore, batchId: number, className: string, detail: string): void {
  store.db.run(
    'INSERT INTO outbox_receipt(batch_id, at, class, detail) VALUES (?,?,?,?)',
    batchId,
    store.nowMs(),
    className,
    detail.slice(0, 500),
  );
}

function settleOp(store: WriterStore, batch: LiveBatch, op: LiveOp, element: ElementSettlement | 'returned'): OpState {
  if (element === 'returned') {
    setState(store, op.id, 'RETURNED', null, null);
    leaveIfDeleted(store, op);
    return 'RETURNED';
  }
  switch (element.is) {
    case 'done':
      return acceptOp(store, batch, op, element.remoteId, element.serviceFields);
    case 'rejected':
      store.setRefusal({ kind: op.kind, id: op.rowId }, element.message);
      setState(store, op.id, 'REJECTED', null, element.message);
      leaveIfDeleted(store, op);
      return 'REJECTED';
    case 'in-doubt':
      setState(store, op.id, 'IN_DOUBT', null, element.cause);
      return 'IN_DOUBT';
  }
}

function elementOf(settlement: Settlement, index: number): ElementSettlement | 'returned' {
  switch (settlement.is) {
    case 'returned':
      return 'returned';
    case 'rejected':
    case 'in-doubt':
      return settlement;
    case 'elements':
      return settlement.elements[index] ?? { is: 'in-doubt', cause: 'the answer has no result for it' };
  }
}

function detailOf(settlement: Settlement): string {
  switch (settlement.is) {
    case 'returned':
      return settlement.detail;
    case 'rejected':
      return settlement.message;
    case 'in-doubt':
      return settlement.cause;
    case 'elements':
      return settlement.elements.map((element) => element.is).join(' ');
  }
}

/** Reads the outbox tables. Their JSON columns were written only by this folder, so they are trusted. */
const BATCH_COLUMNS =
  'id, kind, verb, campaign_id, ad_group_id, correlation_id, pre_image, body, sent_at, last_moment_at';
const OP_COLUMNS = 'id, idx, kind, row_id, state, sent, base, absent_at';

/** Batches with at least one live op, oldest first, each with its live ops. */
export function readLiveBatches(db: Db): readonly LiveBatch[] {
  const sql = `SELECT ${BATCH_COLUMNS} FROM outbox_batch
    WHERE id IN (SELECT batch_id FROM outbox_op WHERE ${LIVE}) ORDER BY id`;
  return db.all(sql).map((row) => batchOf(row, readOps(db, asNumber(row[0]), true)));
}

function readBatch(db: Db, batchId: number): LiveBatch | null {
  const row = db.get(`SELECT ${BATCH_COLUMNS} FROM outbox_batch WHERE id = ?`, batchId);
  return row === undefined ? null : batchOf(row, readOps(db, batchId, false));
}

function readOps(db: Db, batchId: number, onlyLive: boolean): readonly LiveOp[] {
  const condition = onlyLive ? ` AND ${LIVE}` : '';
  return db.all(`SELECT ${OP_COLUMNS} FROM outbox_op WHERE batch_id = ?${condition} ORDER BY idx`, batchId).map(opOf);
}

/** An op and its batch. */
export function readOp(db: Db, opId: number): { readonly batch: LiveBatch; readonly op: LiveOp } | null {
  const found = db.get('SELECT batch_id FROM outbox_op WHERE id = ?', opId);
  const batch = found === undefined ? null : readBatch(db, asNumber(found[0]));
  const op = batch?.ops.find((candidate) => candidate.id === opId);
  return batch === null || op === undefined ? null : { batch, op };
}

function batchOf(row: DbRow, ops: readonly LiveOp[]): LiveBatch {
  const [id, kind, verb, campaignId, adGroupId, correlationId, preImage, body, sentAt, lastMomentAt] = row;
  return {
    id: asNumber(id),
    kind: asText(kind) as Kind | 'review',
    verb: asText(verb) as Verb,
    campaignId: rowIdOrNull(campaignId),
    adGroupId: rowIdOrNull(adGroupId),
    correlationId: asText(correlationId),
    preImage: listOrNull(asTextOrNull(preImage)),
    body: asText(body),
    sentAt: asNumber(sentAt),
    lastMomentAt: asNumber(lastMomentAt),
    ops,
  };
}

function opOf(row: DbRow): LiveOp {
  const [id, index, kind, rowId, state, sent, base, absentAt] = row;
  return {
    id: asNumber(id),
    index: asNumber(index),
    kind: kindAt(kind),
    rowId: rowIdOf(rowId),
    state: asText(state) as OpState,
    sent: JSON.parse(asText(sent)) as AnyValues,
    base: valuesOrNull(asTextOrNull(base)),
    absentAt: asNumberOrNull(absentAt),
  };
}

const listOrNull = (json: string | null): readonly string[] | null =>
  json === null ? null : (JSON.parse(json) as readonly string[]);
const valuesOrNull = (json: string | null): AnyValues | null =>
  json === null ? null : (JSON.parse(json) as AnyValues);
