import type { AnyValues } from '../../../shared/model/fields.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import type { Listed } from '../../api/read.ts';
import { BETWEEN_READS_MS, type LiveBatch, type LiveOp, SETTLE_MS } from '../../workspace/outbox/outbox-types.ts';
import { learnId, ownerOf, remoteIdOf, rowKey } from './books.ts';
import { gapOf, isOver, type RoundContext, stopFor, touch } from './context.ts';
import { journal, lanes, tx, type Work } from './effects.ts';
import { serviceFieldsOf } from './expect.ts';
import { openLanes } from './lane-limit.ts';
import { type MatchFacts, type Verdict, verdictOf } from './match.ts';
import { isWhole, type Sighting, sight } from './sightings.ts';

/**
 * Takes ops out of doubt. Only two things do: a read that shows the thing (it is adopted), or two reads without
 * it, the second after the settle window, since a request that timed out may still be carried out a while later.
 * What no read can show becomes a question to the user.
 *
 *   IN_DOUBT --read--> exists ------> DONE
 *                |---> absent once -> stays, looked at again later
 *                |---> absent twice > RETURNED (the row is still changed and is planned again)
 *                |---> changed -----> RETURNED (the merge shows what somebody else wrote)
 *                '---> several, no read, read refused -> NEEDS_USER
 */
export function* resolveAll(ctx: RoundContext): Work<void> {
  ctx.wakeAt = null;
  yield* noticeJump(ctx);
  const batches = yield* tx('live', (ports) => ports.outbox.live());
  const open = batches.filter((batch) => batch.ops.some((op) => op.state === 'IN_DOUBT'));
  yield* lanes(
    open.map((batch) => resolveBatch(ctx, batch, batches)),
    () => openLanes(ctx),
  );
}

/** A difference between the clocks above this is a sleep of the machine or a clock that was set. */
const JUMP_MS = 30_000;

/**
 * The settle window is told by the wall clock. When that jumped while something was in doubt, no time need have
 * passed for the service: every window begins again.
 */
function* noticeJump(ctx: RoundContext): Work<void> {
  const gap = gapOf(ctx);
  if (Math.abs(gap - ctx.gapMs) <= JUMP_MS) return;
  ctx.gapMs = gap;
  const { epoch } = ctx;
  yield* tx('restart windows', (ports) => ports.outbox.restartWindows({ epoch }));
}

/** @param live all unsettled batches: two campaigns in doubt may fit the same thing */
export function* resolveBatch(ctx: RoundContext, batch: LiveBatch, live: readonly LiveBatch[]): Work<void> {
  if (isOver(ctx)) return;
  const ops = batch.ops.filter((op) => op.state === 'IN_DOUBT');
  const seen = yield* sight(ctx, batch);
  if (seen === 'no-read') return yield* askAll(ctx, ops, 'the service offers no read that shows it');
  if (!seen.ok) return yield* readFailed(ctx, ops, seen.error);
  for (const [op, verdict] of verdicts(ctx, batch, ops, live, seen.value)) yield* act(ctx, batch, op, verdict);
}

/** Verdicts of all ops of a batch; a thing that two ops claim is given to neither. */
function verdicts(
  ctx: RoundContext,
  batch: LiveBatch,
  ops: readonly LiveOp[],
  live: readonly LiveBatch[],
  sightings: Listed<Sighting>,
): readonly (readonly [LiveOp, Verdict])[] {
  const judge = (of: LiveBatch, op: LiveOp) => [op, verdictOf(op, factsOf(ctx, of, op, sightings))] as const;
  const found = ops.map((op) => judge(batch, op));
  const rivals = live
    .filter((other) => other.id !== batch.id && isRival(batch, other))
    .flatMap((other) => other.ops.filter(({ state }) => state !== 'NEEDS_USER').map((op) => judge(other, op)));
  const claims = new Map<string, number>();
  for (const [, verdict] of [...found, ...rivals]) {
    if (verdict.is === 'exists' && verdict.remoteId !== null) {
      claims.set(verdict.remoteId, (claims.get(verdict.remoteId) ?? 0) + 1);
    }
  }
  return found.map(([op, verdict]) => {
    const isShared = verdict.is === 'exists' && verdict.remoteId !== null && (claims.get(verdict.remoteId) ?? 0) > 1;
    return [op, isShared ? { is: 'several' } : verdict] as const;
  });
}

/** Below a parent one create is in doubt at a time; campaigns have no parent, so several may be. */
const isRival = (batch: LiveBatch, other: LiveBatch): boolean =>
  batch.kind === 'campaign' && batch.verb === 'create' && other.kind === 'campaign' && other.verb === 'create';

function factsOf(ctx: RoundContext, batch: LiveBatch, op: LiveOp, sightings: Listed<Sighting>): MatchFacts {
  const row = ctx.rows.get(rowKey(op.kind, op.rowId));
  const video = op.sent['video'];
  const isTaken = takenIds(ctx, op);
  const before = new Set(batch.preImage ?? []);
  return {
    batch,
    sightings,
    isWhole: isWhole(sightings, (id) => before.has(id) || isTaken(id)),
    own: remoteIdOf(ctx, op.kind, op.rowId),
    group: remoteIdOf(ctx, 'adGroup', row?.adGroupId ?? null),
    mediaId: typeof video === 'number' ? (ctx.ids.get(`media:${video}`) ?? null) : null,
    isTaken,
  };
}

/** Whether another row of the same kind has an id already. */
export function takenIds(ctx: RoundContext, op: Pick<LiveOp, 'kind' | 'rowId'>): (id: RemoteId) => boolean {
  return (id) => {
    const owner = ownerOf(ctx, op.kind, id);
    return owner !== null && owner !== op.rowId;
  };
}

function* act(ctx: RoundContext, batch: LiveBatch, op: LiveOp, verdict: Verdict): Work<void> {
  const { epoch } = ctx;
  switch (verdict.is) {
    case 'exists':
      return yield* adopt(ctx, batch, op, verdict.remoteId, verdict.seen);
    case 'several':
      return yield* askAll(ctx, [op], 'several things on the service fit, or one that cannot be read');
    case 'changed':
      yield* tx('release', (ports) =>
        ports.outbox.release({ epoch, opId: op.id, evidence: 'the service shows something else' }),
      );
      return;
    case 'absent':
      return yield* absent(ctx, batch, op);
  }
}

/** Why a question is asked when the store knows better than the books of the round whose an id is. */
export const OF_ANOTHER_ROW = 'what fits on the service stands for another row';

function* adopt(
  ctx: RoundContext,
  batch: LiveBatch,
  op: LiveOp,
  remoteId: RemoteId | null,
  seen: AnyValues | null,
): Work<void> {
  const serviceFields = serviceFieldsOf(batch.kind, batch.verb, remoteId);
  const { epoch } = ctx;
  const evidence = `found on the service${remoteId === null ? '' : ` as ${remoteId}`}`;
  const answer = yield* tx('adopt', (ports) =>
    ports.outbox.adopt({ epoch, opId: op.id, remoteId, serviceFields, seen, evidence }),
  );
  if (!answer.adopted) {
    // Another lane has just been told that this thing is its own: what the read showed was not ours.
    if (remoteId !== null && takenIds(ctx, op)(remoteId)) return yield* absent(ctx, batch, op);
    return yield* askAll(ctx, [op], `${OF_ANOTHER_ROW}: ${remoteId}`);
  }
  if (remoteId !== null && batch.kind !== 'review') learnId(ctx, op.kind, op.rowId, remoteId);
  ctx.tally.done++;
  touch(ctx, batch.campaignId, batch.kind);
  const at = ctx.nowMs();
  yield* journal('adopted', (ports) =>
    ports.journal.append({ t: 'outcome', c: batch.correlationId, at, class: 'ADOPTED', ids: [remoteId] }),
  );
}

function* absent(ctx: RoundContext, batch: LiveBatch, op: LiveOp): Work<void> {
  const nowMs = ctx.nowMs();
  const settled = batch.lastMomentAt + SETTLE_MS;
  if (op.absentAt === null) {
    yield* tx('note absent', (ports) => ports.outbox.noteAbsent({ epoch: ctx.epoch, opId: op.id }));
    return wake(ctx, Math.max(nowMs + BETWEEN_READS_MS, settled));
  }
  const secondReadAt = Math.max(op.absentAt + BETWEEN_READS_MS, settled);
  if (nowMs < secondReadAt) return wake(ctx, secondReadAt);
  const { epoch } = ctx;
  yield* tx('release', (ports) =>
    ports.outbox.release({ epoch, opId: op.id, evidence: `absent at ${op.absentAt} and at ${nowMs}` }),
  );
}

function* readFailed(ctx: RoundContext, ops: readonly LiveOp[], failure: ReadFailure): Work<void> {
  if (failure.kind === 'refused') return yield* askAll(ctx, ops, `the service refuses the read: ${failure.message}`);
  stopFor(ctx, failure);
}

function* askAll(ctx: RoundContext, ops: readonly LiveOp[], why: string): Work<void> {
  const { epoch } = ctx;
  for (const op of ops) yield* tx('ask', (ports) => ports.outbox.ask({ epoch, opId: op.id, why }));
}

function wake(ctx: RoundContext, at: number): void {
  ctx.wakeAt = ctx.wakeAt === null ? at : Math.min(ctx.wakeAt, at);
}
