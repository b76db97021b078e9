import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { asRowId, type RemoteId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, type DbRow } from '../db/db.ts';
import type { WriterStore } from '../writer/store.ts';
import { type LiveBatch, type LiveOp, type OpenQuestion, SETTLE_MS } from './outbox-types.ts';
import { acceptOp, addReceipt, readOp, setState } from './record-outcome.ts';
import { isCurrentOwner } from './save-intent.ts';
import { leaveIfDeleted } from './sync-queries.ts';

/** Questions that only a person can answer, because the service offers no read that could. */
const SELECT = `SELECT q.id, q.op_id, o.kind, o.row_id, q.what, q.asked_at, b.sent_at, b.correlation_id, q.absent_from
  FROM outbox_question q JOIN outbox_op o ON o.id = q.op_id JOIN outbox_batch b ON b.id = o.batch_id
  WHERE q.answered_at IS NULL`;

export const listUnresolved = (store: WriterStore): readonly OpenQuestion[] =>
  store.db.all(`${SELECT} ORDER BY q.id`).map(questionOf);

export function question(store: WriterStore, args: { readonly id: number }): OpenQuestion | null {
  const row = store.db.get(`${SELECT} AND q.id = ?`, args.id);
  return row === undefined ? null : questionOf(row);
}

export function addUnresolved(store: WriterStore, batch: LiveBatch, op: LiveOp): void {
  store.db.run(
    'INSERT INTO outbox_question(op_id, what, asked_at, absent_from) VALUES (?,?,?,?)',
    op.id,
    whatWasSent(store, batch, op),
    store.nowMs(),
    batch.lastMomentAt + SETTLE_MS,
  );
}

export type Answer = { readonly exists: RemoteId | null } | 'absent';
export type AnswerProblem = 'no-question' | 'too-early' | 'id-taken' | 'stale-epoch';

/** Settles a question the way the user said, and keeps the answer. */
export function resolve(
  store: WriterStore,
  args: { readonly epoch: number; readonly questionId: number; readonly answer: Answer },
): { readonly problem: AnswerProblem | null; readonly open: number } {
  const problem = settleAnswer(store, args);
  return { problem, open: listUnresolved(store).length };
}

function settleAnswer(
  store: WriterStore,
  args: { readonly epoch: number; readonly questionId: number; readonly answer: Answer },
): AnswerProblem | null {
  if (!isCurrentOwner(store.db, args.epoch)) return 'stale-epoch';
  const asked = question(store, { id: args.questionId });
  const found = asked === null ? null : readOp(store.db, asked.opId);
  if (asked === null || found === null) return 'no-question';
  const { batch, op } = found;
  if (args.answer === 'absent') {
    if (store.nowMs() < asked.absentFrom) return 'too-early';
    setState(store, op.id, 'RETURNED', null, 'the user did not find it');
    leaveIfDeleted(store, op);
  } else if (acceptOp(store, batch, op, args.answer.exists, {}) !== 'DONE') {
    setState(store, op.id, 'NEEDS_USER', null, 'the id belongs to another row');
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

/** What a marketer would call the thing: kind, name, and where it hangs. */
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
  sbaProfile: 'Brand profile',
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
  const [id, opId, kind, rowId, what, askedAt, sentAt, correlationId, absentFrom] = row;
  return {
    id: asNumber(id),
    opId: asNumber(opId),
    kind: KINDS[asNumber(kind)] ?? 'campaign',
    rowId: asRowId(asNumber(rowId)),
    what: asText(what),
    askedAt: asNumber(askedAt),
    sentAt: asNumber(sentAt),
    correlationId: asText(correlationId),
    absentFrom: asNumber(absentFrom),
  };
}
