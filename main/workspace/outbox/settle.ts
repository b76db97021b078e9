import type { AnyValues } from '../../../shared/model/fields.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import type { WriterStore } from '../writer/store.ts';
import { readBatch } from './batch-rows.ts';
import { isCurrentEpoch } from './intend.ts';
import type { ElementSettlement, LiveBatch, LiveOp, OpState, Settlement } from './outbox-types.ts';

export interface Settled {
  readonly done: number;
  readonly rejected: number;
  readonly inDoubt: number;
}

/** Writes down what the answer to a batch came to: the state of its ops, their rows, and a receipt, all or nothing. */
export function settle(
  store: WriterStore,
  args: { readonly epoch: number; readonly batchId: number; readonly class: string; readonly settlement: Settlement },
): Settled {
  const batch = readBatch(store.db, args.batchId);
  if (batch === null || !isCurrentEpoch(store.db, args.epoch)) return { done: 0, rejected: 0, inDoubt: 0 };
  addReceipt(store, batch.id, args.class, detailOf(args.settlement));
  // The request has ended, so nothing of it is on the wire any more.
  store.db.run('UPDATE outbox_batch SET last_moment_at = ? WHERE id = ?', store.nowMs(), batch.id);
  const counts = { done: 0, rejected: 0, inDoubt: 0 };
  for (const op of batch.ops.filter((candidate) => candidate.state === 'SENT')) {
    const state = settleOp(store, batch, op, elementOf(args.settlement, op.index));
    if (state === 'DONE') counts.done++;
    else if (state === 'REJECTED') counts.rejected++;
    else if (state === 'IN_DOUBT') counts.inDoubt++;
  }
  store.bumpRevision(new Set(batch.ops.map((op) => op.kind)));
  return counts;
}

/** Makes a row what the service has of it. @returns DONE, or IN_DOUBT when the id belongs to another row already */
export function acceptOp(
  store: WriterStore,
  batch: LiveBatch,
  op: LiveOp,
  remoteId: RemoteId | null,
  serviceFields: AnyValues,
): OpState {
  const isReview = batch.verb === 'submit' || batch.verb === 'cancel';
  // A review changes nothing of the group but what the service says of it.
  const sent = isReview ? {} : op.sent;
  const ref = { kind: op.kind, id: op.rowId };
  const accepted = store.acceptPushed(ref, { remoteId: isReview ? null : remoteId, sent, serviceFields });
  if (!accepted.ok && accepted.error.kind === 'remote-id-taken') {
    setState(store, op.id, 'IN_DOUBT', null, `the id ${remoteId} belongs to another row`);
    return 'IN_DOUBT';
  }
  // A row that is gone was deleted while its send was under way; the send itself is done all the same.
  if (accepted.ok) store.setRefusal(ref, null);
  setState(store, op.id, 'DONE', remoteId, null);
  return 'DONE';
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
    return 'RETURNED';
  }
  switch (element.is) {
    case 'done':
      return acceptOp(store, batch, op, element.remoteId, element.serviceFields);
    case 'rejected':
      store.setRefusal({ kind: op.kind, id: op.rowId }, element.message);
      setState(store, op.id, 'REJECTED', null, element.message);
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
