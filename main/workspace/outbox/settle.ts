import type { AnyValues } from '../../../shared/model/fields.ts';
import { isDeleted } from '../../../shared/model/row.ts';
import { asRowId, type RemoteId } from '../../../shared/model/scalars.ts';
import type { WriterStore } from '../writer/store.ts';
import { readBatch } from './batch-rows.ts';
import { isCurrentOwner } from './intend.ts';
import type { ElementSettlement, LiveBatch, LiveOp, OpState, Settlement } from './outbox-types.ts';
import { baseFields, closeDeleted, leaveIfDeleted } from './standing.ts';

export interface RecordedOutcome {
  readonly done: number;
  readonly rejected: number;
  readonly inDoubt: number;
  /** By position in the batch. */
  readonly states: readonly OpState[];
}

/** Writes down what the answer to a batch came to: the state of its ops, their rows, and a receipt, all or nothing. */
export function recordOutcome(
  store: WriterStore,
  args: { readonly epoch: number; readonly batchId: number; readonly class: string; readonly settlement: Settlement },
): RecordedOutcome {
  const batch = readBatch(store.db, args.batchId);
  if (batch === null || !isCurrentOwner(store.db, args.epoch)) return { done: 0, rejected: 0, inDoubt: 0, states: [] };
  addReceipt(store, batch.id, args.class, detailOf(args.settlement));
  // The request has ended, so nothing of it is on the wire any more.
  store.db.run('UPDATE outbox_batch SET last_moment_at = ? WHERE id = ?', store.nowMs(), batch.id);
  const states = batch.ops.map((op) =>
    op.state === 'SENT' ? settleOp(store, batch, op, elementOf(args.settlement, op.index)) : op.state,
  );
  store.bumpRevision(new Set(batch.ops.map((op) => op.kind)));
  const count = (state: OpState): number => states.filter((candidate) => candidate === state).length;
  return { done: count('DONE'), rejected: count('REJECTED'), inDoubt: count('IN_DOUBT'), states };
}

/**
 * Makes a row what the service has of it.
 *
 * @param seen what a read showed in place of what was sent; it becomes the base, so that a difference stays a change
 * @returns DONE, or IN_DOUBT when the id belongs to another row already
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
  // A review changes nothing of the group but what the service says of it.
  const sent = isReview ? {} : carried(batch, op, seen ?? op.sent);
  const ref = { kind: op.kind, id: op.rowId };
  const accepted = store.acceptPushed(ref, { remoteId: isReview ? null : remoteId, sent, serviceFields });
  if (!accepted.ok && accepted.error.kind === 'remote-id-taken') {
    setState(store, op.id, 'IN_DOUBT', null, `the id ${remoteId} belongs to another row`);
    return 'IN_DOUBT';
  }
  // A row that is gone was deleted while its send was under way; the send itself is done all the same.
  if (accepted.ok) {
    store.setRefusal(ref, null);
    const row = store.readRow(ref);
    closeFiles(store, batch, op);
    const isOff = sent['status'] === 'deleted' || sent['state'] === 'archived';
    if (row !== null && isDeleted(row) && isOff) closeDeleted(store, op.kind, op.rowId);
  }
  setState(store, op.id, 'DONE', remoteId, null);
  return 'DONE';
}

/** A caption that went up with its video, and a logo with its profile, have nothing left to send. */
function closeFiles(store: WriterStore, batch: LiveBatch, op: LiveOp): void {
  const file = batch.verb === 'upload' ? op.sent['caption'] : batch.verb === 'logo' ? op.sent['logo'] : null;
  if (typeof file !== 'number') return;
  const ref = { kind: 'media', id: asRowId(file) } as const;
  const row = store.readRow(ref);
  if (row !== null) store.acceptPushed(ref, { remoteId: null, sent: { ...row.values } });
}

/** A create leaves every field empty that it did not send, such as a profile's logo, which travels on its own. */
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
