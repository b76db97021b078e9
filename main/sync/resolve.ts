import { finalStatus } from '../../shared/lifecycle/states.ts';
import { canonicalClickUrl } from '../../shared/model/click-url.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { rowKey } from '../../shared/model/row.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { textKey } from '../../shared/model/text.ts';
import type { Listed } from '../api/fetch-records.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { compareIds } from '../api/reviews.ts';
import { BETWEEN_READS_MS, type LiveBatch, type LiveOp, SETTLE_MS } from '../store/outbox/outbox-types.ts';
import {
  addRemoteId,
  clockGapOf,
  isOver,
  remoteIdOf,
  rowForRemoteId,
  type SyncContext,
  stopFor,
  touch,
} from './context.ts';
import { serviceFieldsOf } from './expected-response.ts';
import { inParallel } from './parallel.ts';
import { isWhole, type ListedRow, readListedRows } from './remote-rows.ts';

/**
 * Resolves unconfirmed ops. There are two proofs: a read that shows the row (it is adopted), or two reads without it,
 * the second after the settle window, since a request that timed out may still be executed later. If no read can
 * decide, the user is asked.
 *
 *   IN_DOUBT --read--> exists ------> DONE
 *                |---> absent once -> stays, read again later
 *                |---> absent twice > RETURNED (the row is still changed and is planned again)
 *                |---> changed -----> RETURNED (the merge shows the other edit)
 *                '---> several, no read, read refused -> NEEDS_USER
 */
export async function resolveUnconfirmed(ctx: SyncContext): Promise<void> {
  ctx.state.wakeAt = null;
  await noticeJump(ctx);
  const batches = await ctx.ports.outbox.live();
  const open = batches.filter((batch) => batch.ops.some((op) => op.state === 'IN_DOUBT'));
  await inParallel(ctx, open, (part, batch) => resolveBatch(part, batch, batches));
}

/** A larger change of the clock difference means that the computer slept or a clock was set. */
const JUMP_MS = 30_000;

/**
 * Settle windows are measured with the wall clock. If it jumped while a request was unconfirmed, no time may have
 * passed for the service, so all windows restart.
 */
async function noticeJump(ctx: SyncContext): Promise<void> {
  const gap = clockGapOf(ctx.ports);
  if (Math.abs(gap - ctx.state.clockGapMs) <= JUMP_MS) return;
  ctx.state.clockGapMs = gap;
  await ctx.ports.outbox.restartSettleWindows();
}

/** @param live all open batches: two unconfirmed campaigns may match the same row of the service */
export async function resolveBatch(ctx: SyncContext, batch: LiveBatch, live: readonly LiveBatch[]): Promise<void> {
  if (isOver(ctx)) return;
  const ops = batch.ops.filter((op) => op.state === 'IN_DOUBT');
  const seen = await readListedRows(ctx, batch);
  if (seen === 'no-read') return askAll(ctx, ops, 'the service offers no read that shows it');
  if (!seen.ok) return readFailed(ctx, ops, seen.error);
  for (const [op, match] of matchesOf(ctx, batch, ops, live, seen.value)) await act(ctx, batch, op, match);
}

/** Match results of all ops of a batch; a row that two ops match is given to neither. */
function matchesOf(
  ctx: SyncContext,
  batch: LiveBatch,
  ops: readonly LiveOp[],
  live: readonly LiveBatch[],
  listedRows: Listed<ListedRow>,
): readonly (readonly [LiveOp, MatchResult])[] {
  const withMatch = (of: LiveBatch, op: LiveOp) => [op, matchResult(op, factsOf(ctx, of, op, listedRows))] as const;
  const found = ops.map((op) => withMatch(batch, op));
  const rivals = live
    .filter((other) => other.id !== batch.id && isRival(batch, other))
    .flatMap((other) => other.ops.filter((op) => mayClaim(other, op)).map((op) => withMatch(other, op)));
  const claims = new Map<string, number>();
  for (const [, match] of [...found, ...rivals]) {
    if (match.is === 'exists' && match.remoteId !== null) {
      claims.set(match.remoteId, (claims.get(match.remoteId) ?? 0) + 1);
    }
  }
  return found.map(([op, match]) => {
    const isShared = match.is === 'exists' && match.remoteId !== null && (claims.get(match.remoteId) ?? 0) > 1;
    return [op, isShared ? { is: 'several' } : match] as const;
  });
}

/**
 * Whether two batches can match the same row. Below a parent only one create is unconfirmed at a time; campaigns and
 * uploads have no parent.
 */
const isRival = (batch: LiveBatch, other: LiveBatch): boolean =>
  batch.kind === other.kind &&
  batch.verb === other.verb &&
  ((batch.kind === 'campaign' && batch.verb === 'create') || batch.verb === 'upload');

/** Finished uploads without names all look alike, so an upload about which the user is asked may be any of them. */
const mayClaim = ({ verb }: LiveBatch, { state }: LiveOp): boolean => verb === 'upload' || state !== 'NEEDS_USER';

function factsOf(ctx: SyncContext, batch: LiveBatch, op: LiveOp, listedRows: Listed<ListedRow>): MatchFacts {
  const row = ctx.index.rows.get(rowKey(op.kind, op.rowId));
  const video = op.sent['video'];
  const isTaken = usedRemoteIds(ctx, op);
  const before = new Set(batch.preImage ?? []);
  return {
    batch,
    listedRows,
    isWhole: isWhole(listedRows, (id) => before.has(id) || isTaken(id)),
    own: remoteIdOf(ctx, op.kind, op.rowId),
    group: remoteIdOf(ctx, 'adGroup', row?.adGroupId ?? null),
    mediaId: typeof video === 'number' ? (ctx.index.ids.get(`media:${video}`) ?? null) : null,
    isTaken,
  };
}

/** Whether an ID already belongs to another row of the same kind. */
export function usedRemoteIds(ctx: SyncContext, op: Pick<LiveOp, 'kind' | 'rowId'>): (id: RemoteId) => boolean {
  return (id) => {
    const owner = rowForRemoteId(ctx, op.kind, id);
    return owner !== null && owner !== op.rowId;
  };
}

async function act(ctx: SyncContext, batch: LiveBatch, op: LiveOp, match: MatchResult): Promise<void> {
  switch (match.is) {
    case 'exists':
      return adopt(ctx, batch, op, match.remoteId, match.seen);
    case 'several':
      return askAll(ctx, [op], 'several things on the service fit, or one that cannot be read');
    case 'changed':
      await ctx.ports.outbox.markNotProcessed({ opId: op.id, evidence: 'the service shows something else' });
      ctx.state.results.set(op.kind, op.rowId, 'pending');
      return;
    case 'absent':
      return absent(ctx, batch, op);
  }
}

/** Reason of a question if, in the store but not in the run's index, the ID belongs to another row. */
export const USED_BY_ANOTHER_ROW = 'what fits on the service stands for another row';

async function adopt(
  ctx: SyncContext,
  batch: LiveBatch,
  op: LiveOp,
  remoteId: RemoteId | null,
  seen: AnyValues | null,
): Promise<void> {
  const serviceFields = serviceFieldsOf(batch.kind, batch.verb, remoteId);
  const evidence = `found on the service${remoteId === null ? '' : ` as ${remoteId}`}`;
  const answer = await ctx.ports.outbox.adopt({ opId: op.id, remoteId, serviceFields, seen, evidence });
  if (!answer.adopted) {
    // A parallel task has adopted this row in the meantime, so it is not the result of this op.
    if (remoteId !== null && usedRemoteIds(ctx, op)(remoteId)) return absent(ctx, batch, op);
    return askAll(ctx, [op], `${USED_BY_ANOTHER_ROW}: ${remoteId}`);
  }
  if (remoteId !== null && batch.kind !== 'review') addRemoteId(ctx, op.kind, op.rowId, remoteId);
  ctx.state.tally.done++;
  if (batch.kind !== 'review' && batch.kind !== 'media') {
    ctx.state.results.set(op.kind, op.rowId, 'sent', ctx.ports.clock.nowMs());
  }
  touch(ctx, batch.campaignId, batch.kind);
  const at = ctx.ports.clock.nowMs();
  const rows = [{ kind: op.kind, id: op.rowId }];
  await ctx.ports.journal.append({ t: 'outcome', c: batch.correlationId, at, class: 'ADOPTED', rows, ids: [remoteId] });
}

async function absent(ctx: SyncContext, batch: LiveBatch, op: LiveOp): Promise<void> {
  const nowMs = ctx.ports.clock.nowMs();
  const settled = batch.lastMomentAt + SETTLE_MS;
  if (op.absentAt === null) {
    await ctx.ports.outbox.recordAbsent({ opId: op.id });
    return wake(ctx, Math.max(nowMs + BETWEEN_READS_MS, settled));
  }
  const secondReadAt = Math.max(op.absentAt + BETWEEN_READS_MS, settled);
  if (nowMs < secondReadAt) return wake(ctx, secondReadAt);
  await ctx.ports.outbox.markNotProcessed({ opId: op.id, evidence: `absent at ${op.absentAt} and at ${nowMs}` });
  ctx.state.results.set(op.kind, op.rowId, 'pending');
}

async function readFailed(ctx: SyncContext, ops: readonly LiveOp[], failure: ReadFailure): Promise<void> {
  if (failure.kind === 'refused') return askAll(ctx, ops, `the service refuses the read: ${failure.message}`);
  stopFor(ctx, failure);
}

async function askAll(ctx: SyncContext, ops: readonly LiveOp[], why: string): Promise<void> {
  for (const op of ops) await ctx.ports.outbox.openUnresolved({ opId: op.id, why });
}

function wake(ctx: SyncContext, at: number): void {
  ctx.state.wakeAt = ctx.state.wakeAt === null ? at : Math.min(ctx.state.wakeAt, at);
}

/**
 * What a read proves about one unconfirmed op.
 *
 *   exists   exactly one row matches and belongs to no other: it is ours
 *   absent   nothing matches: it does not exist, or not yet
 *   several  more than one row matches, or an unreadable one may: only the user can decide
 *   changed  the row exists with neither the sent nor the previous values: it was edited on the service
 */
type MatchResult =
  | { readonly is: 'exists'; readonly remoteId: RemoteId | null; readonly seen: AnyValues | null }
  | { readonly is: 'absent' }
  | { readonly is: 'several' }
  | { readonly is: 'changed' };

/** The facts for matching, apart from the op. */
interface MatchFacts {
  readonly batch: Pick<LiveBatch, 'kind' | 'verb' | 'preImage' | 'body'>;
  readonly listedRows: readonly ListedRow[];
  /** Whether a row that the read lacks is absent: false if the list has unreadable rows. */
  readonly isWhole: boolean;
  /** The row's remote ID, if it has one. */
  readonly own: RemoteId | null;
  readonly group: RemoteId | null;
  /** The media ID sent for a video profile. */
  readonly mediaId: RemoteId | null;
  readonly isTaken: (id: RemoteId) => boolean;
}

function matchResult(op: Pick<LiveOp, 'kind' | 'sent' | 'base'>, facts: MatchFacts): MatchResult {
  switch (facts.batch.verb) {
    case 'create':
      return ofCreate(op, facts);
    case 'update':
      return ofUpdate(op, facts);
    case 'logo':
      return ofLogo(op, facts);
    case 'upload':
      return ofUpload(facts);
    case 'submit':
      return ofSubmit(facts);
    case 'cancel':
      return ofCancel(op, facts);
  }
}

function ofCreate(op: Pick<LiveOp, 'kind' | 'sent'>, facts: MatchFacts): MatchResult {
  const known = new Set(facts.batch.preImage ?? []);
  const fitting = facts.listedRows.filter(
    (listedRow) => !known.has(listedRow.remoteId) && !facts.isTaken(listedRow.remoteId) && fits(op, listedRow, facts),
  );
  const [one] = fitting;
  if (one === undefined) return { is: facts.isWhole ? 'absent' : 'several' };
  return fitting.length > 1 ? { is: 'several' } : { is: 'exists', remoteId: one.remoteId, seen: seenOf(op, one) };
}

/** Whether a row of the service can be the created one, by the identifying fields of its kind. */
function fits(
  op: Pick<LiveOp, 'kind' | 'sent'>,
  { values, adGroupId, mediaId }: ListedRow,
  facts: MatchFacts,
): boolean {
  const { sent } = op;
  const inGroup = facts.group === null || adGroupId === null || adGroupId === facts.group;
  switch (op.kind) {
    case 'campaign':
    case 'adGroup':
      return sameText(sent['name'], values['name']);
    case 'adItem':
      return inGroup && values['itemId'] === sent['itemId'];
    case 'keyword':
      return (
        inGroup &&
        textKey(String(values['text'] ?? '')) === textKey(String(sent['text'] ?? '')) &&
        values['matchType'] === sent['matchType']
      );
    case 'sbaProfile':
      return inGroup && ['brand', 'headline', 'clickUrl'].every((field) => sameCell(op.kind, field, sent, values));
    case 'videoProfile':
      // An ad group has one, and the list may omit its media (document, "Video media and video profile").
      return inGroup && (facts.mediaId === null || (mediaId ?? facts.mediaId) === facts.mediaId);
    case 'placementMultiplier':
      return values['placement'] === sent['placement'];
    case 'platformMultiplier':
      return values['platform'] === sent['platform'];
    case 'media':
      return false;
  }
}

function ofUpdate(op: Pick<LiveOp, 'kind' | 'sent' | 'base'>, facts: MatchFacts): MatchResult {
  const there = facts.listedRows.find((listedRow) => listedRow.remoteId === facts.own);
  const isSwitchedOff = finalStatus(op.kind, op.sent) !== null;
  // The service may or may not list a deleted row (document, "Ad item").
  if (there === undefined) return isSwitchedOff ? { is: 'exists', remoteId: facts.own, seen: null } : { is: 'changed' };
  // An unreadable field proves nothing; sending an update again is harmless.
  if (there.misread?.some(({ field }) => field in op.sent) === true) return { is: 'absent' };
  const fields = Object.keys(op.sent).filter((field) => there.values[field] !== undefined);
  if (fields.every((field) => sameCell(op.kind, field, op.sent, there.values))) {
    return { is: 'exists', remoteId: facts.own, seen: seenOf(op, there) };
  }
  const { base } = op;
  const isAsBefore = base !== null && fields.every((field) => sameCell(op.kind, field, base, there.values));
  return { is: isAsBefore ? 'absent' : 'changed' };
}

/**
 * The list has no hash of the logo, only its URL, which proves the arrival of a first logo. In all other cases the logo
 * is sent again, which is harmless.
 */
function ofLogo(op: Pick<LiveOp, 'base'>, facts: MatchFacts): MatchResult {
  const url = facts.listedRows.find((listedRow) => listedRow.remoteId === facts.own)?.values['logoUrl'] ?? '';
  const isFirst = (op.base?.['logo'] ?? null) === null;
  return isFirst && url !== '' ? { is: 'exists', remoteId: facts.own, seen: null } : { is: 'changed' };
}

/** Matches a finished upload by its unique name; without names, by being the only new upload. */
function ofUpload(facts: MatchFacts): MatchResult {
  const name = uniqueNameIn(facts.batch.body);
  const known = new Set(facts.batch.preImage ?? []);
  const fresh = facts.listedRows.filter(({ remoteId }) => !known.has(remoteId) && !facts.isTaken(remoteId));
  const named = fresh.filter(({ word }) => name !== null && word === name);
  const nameless = fresh.filter(({ word }) => word === null || word === undefined);
  const [one] = named;
  if (one !== undefined) {
    return named.length > 1 ? { is: 'several' } : { is: 'exists', remoteId: one.remoteId, seen: null };
  }
  const [only] = nameless;
  if (only === undefined) return { is: facts.isWhole ? 'absent' : 'several' };
  const provable = nameless.length === 1 && facts.batch.preImage !== null;
  return provable ? { is: 'exists', remoteId: only.remoteId, seen: null } : { is: 'several' };
}

function ofSubmit(facts: MatchFacts): MatchResult {
  const before = (facts.batch.preImage ?? []).toSorted(compareIds).at(-1) ?? '';
  const fresh = facts.listedRows.filter(({ remoteId }) => compareIds(remoteId, before) > 0);
  const newest = fresh.toSorted((a, b) => compareIds(a.remoteId, b.remoteId)).at(-1);
  if (newest === undefined && !facts.isWhole) return { is: 'several' };
  return newest === undefined ? { is: 'absent' } : { is: 'exists', remoteId: newest.remoteId, seen: null };
}

function ofCancel(op: Pick<LiveOp, 'sent'>, facts: MatchFacts): MatchResult {
  const review = facts.listedRows.find(({ remoteId }) => remoteId === op.sent['reviewId']);
  if (review === undefined) return { is: 'changed' };
  return review.word === 'cancelled' ? { is: 'exists', remoteId: review.remoteId, seen: null } : { is: 'absent' };
}

/** The sent fields with their values in the read; values that differ only in notation stay as sent. */
function seenOf(op: Pick<LiveOp, 'kind' | 'sent'>, listedRow: ListedRow): AnyValues {
  const entries = Object.entries(op.sent).map(([field, sent]): [string, Cell] => {
    const seen = listedRow.values[field];
    return [field, seen === undefined || sameCell(op.kind, field, op.sent, listedRow.values) ? sent : seen];
  });
  return Object.fromEntries(entries);
}

function sameCell(kind: Kind, field: string, mine: AnyValues, theirs: Partial<AnyValues>): boolean {
  const a = mine[field] ?? null;
  const b = theirs[field] ?? null;
  if (kind === 'sbaProfile' && field === 'clickUrl') return canonical(a) === canonical(b);
  return a === b || (typeof a === 'string' && sameText(a, b));
}

const canonical = (cell: Cell): string | null => (typeof cell === 'string' ? canonicalClickUrl(cell).url : null);
const sameText = (a: Cell | undefined, b: Cell | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.trim() === b.trim();

/** The media name in the saved `media/complete` body. */
function uniqueNameIn(body: string): string | null {
  const found: unknown = body === '' ? null : JSON.parse(body);
  const name = typeof found === 'object' && found !== null && 'mediaName' in found ? found.mediaName : null;
  return typeof name === 'string' ? name : null;
}
