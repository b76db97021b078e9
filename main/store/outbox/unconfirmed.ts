import type { RowRef } from '../../../shared/api/scalars.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import type { Verb } from '../../../shared/plan/plan-types.ts';
import { asNumber, asText, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { kindAt } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';
import type { WriterStore } from '../writer/writer-store.ts';
import { clearMissing } from './missing-rows.ts';
import { type LiveBatch, type LiveOp, type OpenQuestion, SETTLE_MS } from './outbox-types.ts';
import { acceptOp, addReceipt, readLiveBatches, readOp, setState } from './record-outcome.ts';
import { isCurrentOwner, isLive } from './save-intent.ts';
import { leaveIfDeleted } from './sync-queries.ts';

/**
 * Takes the outbox over: earlier owners can no longer write, and requests that were in progress become unconfirmed;
 * they are never sent again automatically.
 */
export function takeOwnership(store: WriterStore): { readonly epoch: number; readonly recovered: number } {
  store.db.run(`UPDATE outbox_meta SET value = value + 1 WHERE key = 'epoch'`);
  return { epoch: numberOf(store.db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`), recovered: recover(store) };
}

/** Marks every op without a recorded outcome as unconfirmed. Called while no request is in progress. */
export function recover(store: WriterStore): number {
  const cause = 'the program ended before the answer was written down';
  const batches = store.db.all(`SELECT DISTINCT batch_id FROM outbox_op WHERE state = 'SENT'`);
  for (const [batchId] of batches) addReceipt(store, asNumber(batchId), 'IN_DOUBT', cause);
  return store.db.run(`UPDATE outbox_op SET state = 'IN_DOUBT', reason = ? WHERE state = 'SENT'`, cause);
}

export const live = (store: WriterStore): readonly LiveBatch[] => readLiveBatches(store.db);

/** The service has the row: stores its ID and the sent values. */
export function adopt(
  store: WriterStore,
  args: {
    readonly epoch: number;
    readonly opId: number;
    readonly remoteId: RemoteId | null;
    readonly serviceFields: AnyValues;
    /** Values of a read for the sent fields; null without such a read. */
    readonly seen: AnyValues | null;
    readonly evidence: string;
  },
): { readonly adopted: boolean } {
  const found = readOpenOp(store, args);
  if (found === null) return { adopted: false };
  addReceipt(store, found.batch.id, 'ADOPTED', args.evidence);
  const state = acceptOp(store, found.batch, found.op, args.remoteId, args.serviceFields, args.seen);
  store.bumpRevision([found.op.kind]);
  return { adopted: state === 'DONE' };
}

/** Records the time of the first read that lacks the row; a single read proves nothing. */
export function recordAbsent(store: WriterStore, args: { readonly epoch: number; readonly opId: number }): void {
  if (!isCurrentOwner(store.db, args.epoch)) return;
  store.db.run('UPDATE outbox_op SET absent_at = coalesce(absent_at, ?) WHERE id = ?', store.nowMs(), args.opId);
}

/** Records the proof that the request was not executed: the row stays changed and may be sent again. */
export function markNotProcessed(
  store: WriterStore,
  args: { readonly epoch: number; readonly opId: number; readonly evidence: string },
): void {
  const found = readOpenOp(store, args);
  if (found === null) return;
  addReceipt(store, found.batch.id, 'ABSENT', args.evidence);
  setState(store, args.opId, 'RETURNED', null, args.evidence);
  leaveIfDeleted(store, found.op);
  store.bumpRevision([found.op.kind]);
}

/** Opens a question to the user, because no read can prove the outcome. */
export function openUnresolved(
  store: WriterStore,
  args: { readonly epoch: number; readonly opId: number; readonly why: string },
): void {
  const found = readOpenOp(store, args);
  if (found?.op.state !== 'IN_DOUBT') return;
  addReceipt(store, found.batch.id, 'ASKED', args.why);
  setState(store, args.opId, 'NEEDS_USER', null, args.why);
  addUnresolved(store, found.batch, found.op);
  store.bumpRevision([found.op.kind]);
}

/** The op and its batch while its outcome is open; null if another process has taken over. */
function readOpenOp({ db }: WriterStore, args: { readonly epoch: number; readonly opId: number }) {
  const found = readOp(db, args.opId);
  if (found === null || !isCurrentOwner(db, args.epoch)) return null;
  return found.op.state === 'IN_DOUBT' || found.op.state === 'NEEDS_USER' ? found : null;
}

/**
 * Gives a row that was never sent, but exists on the service under its own identity (an item in its ad group, a
 * multiplier's type), its ID there; the service values become its base.
 */
export function adoptRow(
  store: WriterStore,
  args: { readonly epoch: number; readonly ref: RowRef; readonly remoteId: RemoteId; readonly seen: AnyValues },
): { readonly adopted: boolean } {
  if (!isCurrentOwner(store.db, args.epoch)) return { adopted: false };
  const accepted = store.acceptSent(args.ref, { remoteId: args.remoteId, sent: args.seen });
  return { adopted: accepted.ok };
}

/**
 * Merges rows that a run has read. Reads of a process that lost its ownership are ignored: they may be old and would
 * undo what was sent since.
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

/** Restarts every settle window, because the clock that measured it was set or had stopped. */
export function restartSettleWindows(store: WriterStore, args: { readonly epoch: number }): void {
  if (!isCurrentOwner(store.db, args.epoch)) return;
  store.db.run(
    `UPDATE outbox_batch SET last_moment_at = ? WHERE id IN (SELECT batch_id FROM outbox_op WHERE state = 'IN_DOUBT')`,
    store.nowMs(),
  );
  store.db.run(`UPDATE outbox_op SET absent_at = NULL WHERE state = 'IN_DOUBT'`);
}

/** Open questions to the user, for requests whose outcome no read can prove. */
const SELECT = `SELECT q.id, q.op_id, o.kind, o.row_id, q.what, q.asked_at, b.sent_at, b.correlation_id, q.absent_from,
    b.kind, b.verb
  FROM outbox_question q JOIN outbox_op o ON o.id = q.op_id JOIN outbox_batch b ON b.id = o.batch_id
  WHERE q.answered_at IS NULL`;

export const listUnresolved = (store: WriterStore): readonly OpenQuestion[] =>
  store.db.all(`${SELECT} ORDER BY q.id`).map(questionOf);

export function question(store: WriterStore, args: { readonly id: number }): OpenQuestion | null {
  const row = store.db.get(`${SELECT} AND q.id = ?`, args.id);
  return row === undefined ? null : questionOf(row);
}

function addUnresolved(store: WriterStore, batch: LiveBatch, op: LiveOp): void {
  store.db.run(
    'INSERT INTO outbox_question(op_id, what, asked_at, absent_from) VALUES (?,?,?,?)',
    op.id,
    whatWasSent(store, batch, op),
    store.nowMs(),
    batch.lastMomentAt + SETTLE_MS,
  );
}

type Answer = { readonly exists: RemoteId | null } | 'absent';
type AnswerProblem = 'no-question' | 'too-early' | 'parent-open' | 'id-taken' | 'stale-epoch';

interface AnsweredQuestion {
  readonly epoch: number;
  readonly questionId: number;
  readonly answer: Answer;
  /** Service-only fields of a row that the user found. */
  readonly serviceFields?: AnyValues;
}

/** Settles a question with the user's answer, and stores the answer. */
export function resolve(
  store: WriterStore,
  args: AnsweredQuestion,
): { readonly problem: AnswerProblem | null; readonly open: number } {
  const problem = settleAnswer(store, args);
  return { problem, open: listUnresolved(store).length };
}

/** Requests that give their row its ID. Any other row has one, which an answer does not replace. */
const GIVES_ID: ReadonlySet<Verb> = new Set<Verb>(['create', 'upload']);

function settleAnswer(store: WriterStore, args: AnsweredQuestion): AnswerProblem | null {
  if (!isCurrentOwner(store.db, args.epoch)) return 'stale-epoch';
  const asked = question(store, { id: args.questionId });
  const found = asked === null ? null : readOp(store.db, asked.opId);
  if (asked === null || found === null) return 'no-question';
  const { batch, op } = found;
  if (args.answer === 'absent') {
    if (store.nowMs() < asked.absentFrom) return 'too-early';
    if (isBelowUnconfirmed(store, batch, op)) return 'parent-open';
    setState(store, op.id, 'RETURNED', null, 'the user did not find it');
    leaveIfDeleted(store, op);
  } else if (acceptOp(store, batch, op, idOfAnswer(batch, args.answer), args.serviceFields ?? {}) !== 'DONE') {
    setState(store, op.id, 'NEEDS_USER', null, 'the ID belongs to another row');
    return 'id-taken';
  }
  const said = args.answer === 'absent' ? 'absent' : `exists ${args.answer.exists ?? ''}`.trim();
  addReceipt(store, batch.id, 'ANSWERED', said);
  store.db.run(
    'UPDATE outbox_question SET answer = ?, answered_at = ? WHERE id = ?',
    said,
    store.nowMs(),
    args.questionId,
  );
  store.bumpRevision([op.kind]);
  return null;
}

const idOfAnswer = ({ verb }: LiveBatch, { exists }: Exclude<Answer, 'absent'>): RemoteId | null =>
  GIVES_ID.has(verb) ? exists : null;

/**
 * Whether the row is below a row whose create is unconfirmed. The parent must exist on the service, since otherwise
 * nothing could have been sent below it; until its ID is known, the user can't look there.
 */
function isBelowUnconfirmed(store: WriterStore, { verb }: LiveBatch, op: LiveOp): boolean {
  const row = verb === 'create' ? store.readRow({ kind: op.kind, id: op.rowId }) : null;
  if (row === null) return false;
  const isOpen = (kind: Kind, id: number | null): boolean =>
    id !== null && id !== row.id && isLive(store.db, kind, id, verb);
  return isOpen('campaign', row.campaignId) || isOpen('adGroup', row.adGroupId);
}

/** The text for the question: kind, name, and campaign. */
function whatWasSent(store: WriterStore, batch: LiveBatch, op: LiveOp): string {
  const parentId = op.kind === 'campaign' ? null : batch.campaignId;
  const parent = parentId === null ? null : store.readRow({ kind: 'campaign', id: parentId });
  const parentName = parent === null ? '' : ` of campaign "${String((parent.values as AnyValues)['name'] ?? '')}"`;
  if (batch.verb === 'submit' || batch.verb === 'cancel') return `Review${parentName}`;
  const name = nameIn(op.kind, op.sent);
  return `${KIND_WORDS[op.kind]}${name === '' ? '' : ` "${name}"`}${parentName}`;
}

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  campaign: 'Campaign',
  adGroup: 'Ad group',
  adItem: 'Ad item',
  keyword: 'Keyword',
  sbaProfile: 'SBA profile',
  videoProfile: 'Video profile',
  placementMultiplier: 'Placement multiplier',
  platformMultiplier: 'Platform multiplier',
  media: 'Video',
};

function nameIn(kind: Kind, sent: AnyValues): string {
  if (kind === 'keyword') return `${sent['text'] ?? ''}, ${sent['matchType'] ?? ''}`;
  const fields = ['name', 'itemId', 'headline', 'placement', 'platform', 'mediaName'];
  const found = fields.map((field) => sent[field]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

function questionOf(row: DbRow): OpenQuestion {
  const [id, opId, kind, rowId, what, askedAt, sentAt, correlationId, absentFrom, of, verb] = row;
  return {
    id: asNumber(id),
    opId: asNumber(opId),
    kind: kindAt(kind),
    rowId: rowIdOf(rowId),
    what: asText(what),
    askedAt: asNumber(askedAt),
    sentAt: asNumber(sentAt),
    correlationId: asText(correlationId),
    absentFrom: asNumber(absentFrom),
    of: asText(of) as Kind | 'review',
    verb: asText(verb) as Verb,
  };
}
