import type { RowRef } from '../../../shared/api/scalars.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import { asNumber, numberOf } from '../db/db.ts';
import type { RemoteRow } from '../types.ts';
import type { WriterStore } from '../writer/store.ts';
import { clearMissing } from './missing-rows.ts';
import type { LiveBatch } from './outbox-types.ts';
import { acceptOp, addReceipt, readLiveBatches, readOp, setState } from './record-outcome.ts';
import { isCurrentOwner } from './save-intent.ts';
import { leaveIfDeleted } from './sync-queries.ts';
import { addUnresolved } from './unresolved-requests.ts';

/**
 * Takes the outbox over: every earlier holder loses the right to write, and what was being sent when the last one
 * ended is in doubt, never sent again by itself.
 */
export function takeOwnership(store: WriterStore): { readonly epoch: number; readonly recovered: number } {
  store.db.run(`UPDATE outbox_meta SET value = value + 1 WHERE key = 'epoch'`);
  return { epoch: numberOf(store.db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`), recovered: recover(store) };
}

/** Puts every op whose answer was never written down in doubt. Called while no request is under way. */
export function recover(store: WriterStore): number {
  const cause = 'the program ended before the answer was written down';
  const batches = store.db.all(`SELECT DISTINCT batch_id FROM outbox_op WHERE state = 'SENT'`);
  for (const [batchId] of batches) addReceipt(store, asNumber(batchId), 'IN_DOUBT', cause);
  return store.db.run(`UPDATE outbox_op SET state = 'IN_DOUBT', reason = ? WHERE state = 'SENT'`, cause);
}

export const live = (store: WriterStore): readonly LiveBatch[] => readLiveBatches(store.db);

/** The service has it: the row takes over its id and what was sent. */
export function adopt(
  store: WriterStore,
  args: {
    readonly epoch: number;
    readonly opId: number;
    readonly remoteId: RemoteId | null;
    readonly serviceFields: AnyValues;
    /** What a read showed of the fields that were sent; null when no read showed any. */
    readonly seen: AnyValues | null;
    readonly evidence: string;
  },
): { readonly adopted: boolean } {
  const found = readOp(store.db, args.opId);
  if (found === null || !isCurrentOwner(store.db, args.epoch) || !isOpenDoubt(found.op.state))
    return { adopted: false };
  addReceipt(store, found.batch.id, 'ADOPTED', args.evidence);
  const state = acceptOp(store, found.batch, found.op, args.remoteId, args.serviceFields, args.seen);
  store.bumpRevision([found.op.kind]);
  return { adopted: state === 'DONE' };
}

/** A read lacked it. The first such read is remembered; it proves nothing yet. */
export function recordAbsent(store: WriterStore, args: { readonly epoch: number; readonly opId: number }): void {
  if (!isCurrentOwner(store.db, args.epoch)) return;
  store.db.run('UPDATE outbox_op SET absent_at = coalesce(absent_at, ?) WHERE id = ?', store.nowMs(), args.opId);
}

/** Proof that it was not carried out: the row is changed as before and may be sent again. */
export function markNotProcessed(
  store: WriterStore,
  args: { readonly epoch: number; readonly opId: number; readonly evidence: string },
): void {
  const found = readOp(store.db, args.opId);
  if (found === null || !isCurrentOwner(store.db, args.epoch) || !isOpenDoubt(found.op.state)) return;
  addReceipt(store, found.batch.id, 'ABSENT', args.evidence);
  setState(store, args.opId, 'RETURNED', null, args.evidence);
  leaveIfDeleted(store, found.op);
  store.bumpRevision([found.op.kind]);
}

/** Nothing can prove it either way: a person has to look. */
export function openUnresolved(
  store: WriterStore,
  args: { readonly epoch: number; readonly opId: number; readonly why: string },
): void {
  const found = readOp(store.db, args.opId);
  if (found === null || !isCurrentOwner(store.db, args.epoch) || found.op.state !== 'IN_DOUBT') return;
  addReceipt(store, found.batch.id, 'ASKED', args.why);
  setState(store, args.opId, 'NEEDS_USER', null, args.why);
  addUnresolved(store, found.batch, found.op);
  store.bumpRevision([found.op.kind]);
}

const isOpenDoubt = (state: string): boolean => state === 'IN_DOUBT' || state === 'NEEDS_USER';

/**
 * A row that was never sent turns out to be on the service already, known by an identity of its own (an item in its
 * group, a multiplier's type): it takes over the id, and what the service shows becomes its base.
 */
export function adoptRow(
  store: WriterStore,
  args: { readonly epoch: number; readonly ref: RowRef; readonly remoteId: RemoteId; readonly seen: AnyValues },
): { readonly adopted: boolean } {
  if (!isCurrentOwner(store.db, args.epoch)) return { adopted: false };
  const accepted = store.acceptPushed(args.ref, { remoteId: args.remoteId, sent: args.seen });
  return { adopted: accepted.ok };
}

/**
 * Merges what a round has read. A process that was taken over may have read it long ago, so its reads count for
 * nothing: they would undo what has been sent since.
 */
export function merge(
  store: WriterStore,
  args: { readonly epoch: number; readonly rows: readonly RemoteRow[] },
): { readonly merged: boolean } {
  if (!isCurrentOwner(store.db, args.epoch)) return { merged: false };
  clearMissing(store, args.rows);
  store.mergeRemoteRows(args.rows);
  return { merged: true };
}

/** Lets every settle window begin anew: the clock that told them was set, or stood still. */
export function restartSettleWindows(store: WriterStore, args: { readonly epoch: number }): void {
  if (!isCurrentOwner(store.db, args.epoch)) return;
  store.db.run(
    `UPDATE outbox_batch SET last_moment_at = ? WHERE id IN (SELECT batch_id FROM outbox_op WHERE state = 'IN_DOUBT')`,
    store.nowMs(),
  );
  store.db.run(`UPDATE outbox_op SET absent_at = NULL WHERE state = 'IN_DOUBT'`);
}
