import { pick } from '../../../shared/plan/bodies/wire.ts';
import type { PlanBatch, PlanElement } from '../../../shared/plan/plan-types.ts';
import { refsOf, renderBatch } from '../../../shared/plan/wire-json.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { NewBatch, Settlement } from '../../workspace/outbox/outbox-types.ts';
import { backoffMs, LATER_MAX, TRIES_MAX, WAIT_MAX_MS, waitAfterLimit } from './backoff.ts';
import { learnId, remoteIdOf, rowKey, valuesOf } from './books.ts';
import { isOver, progress, type RoundContext, touch } from './context.ts';
import { journal, tx, type Work, write } from './effects.ts';
import { namesOf, settlementOf, shapeOf } from './expect.ts';
import { freeze, isFrozen } from './freeze.ts';
import { waitFor } from './intent.ts';
import { halveLanes } from './lane-limit.ts';
import { sendLogo } from './logo.ts';
import { preImageOf } from './pre-image.ts';
import { keepLimit, liftLimit } from './rate-limit.ts';
import { resolveBatch, takenIds } from './resolve.ts';
import { halvesOf, SPLIT, SPLITS_MAX, type Splits } from './split-refused.ts';
import { inTurn } from './turn.ts';

/**
 * Sends one batch and writes down what became of it:
 *
 *   intent on disk > journal line on disk > request > outcome on disk > journal line
 *       ^                                     |
 *       +---- wait <---- NOT_SENT, LATER -----+        every other outcome ends here, but that updates which
 *                                                      are refused whole are sent again in halves
 */
export const sendBatch = (ctx: RoundContext, batch: PlanBatch): Work<void> =>
  sendPart(ctx, batch, { left: SPLITS_MAX });

function* sendPart(ctx: RoundContext, batch: PlanBatch, splits: Splits): Work<void> {
  if (!isReady(ctx, batch) || isFrozen(ctx, createsOf(batch))) return leaveOut(ctx, batch);
  const preImage = yield* preImageOf(ctx, batch);
  if (preImage === 'failed') return leaveOut(ctx, batch);
  const body = renderBatch(batch, (kind, id) => remoteIdOf(ctx, kind, id));
  for (let tries = 1; !isOver(ctx); ) {
    const correlationId = ctx.newCorrelationId();
    const frozen = newBatch(ctx, batch, body, preImage, correlationId, tries);
    const sent = yield* inTurn(ctx, batch, frozen, perform(ctx, batch, body, correlationId));
    if (sent.is === 'never') return leaveOut(ctx, batch);
    if (sent.is === 'over-budget') {
      yield* waitFor(ctx, sent.waitMs);
      continue;
    }
    const halves = halvesOf(batch, sent.outcome, splits);
    yield* record(ctx, batch, sent.batchId, correlationId, sent.outcome, halves.length > 0);
    for (const half of halves) yield* sendPart(ctx, half, splits);
    if (halves.length > 0) return;
    const waitMs = yield* after(ctx, batch, sent.outcome, tries);
    if (waitMs === null) return;
    yield* waitFor(ctx, waitMs);
    tries++;
  }
  leaveOut(ctx, batch);
}

function* perform(ctx: RoundContext, batch: PlanBatch, body: string, correlationId: string): Work<Outcome> {
  ctx.tally.requests++;
  if (batch.verb === 'logo') return yield* sendLogo(ctx, batch, correlationId);
  const [first] = batch.elements;
  const isTaken = first === undefined ? () => false : takenIds(ctx, { kind: first.kind, rowId: first.id });
  // A review has the ad group for its row, whose id its result does not name.
  const names =
    batch.kind === 'review'
      ? []
      : namesOf(
          batch.kind,
          batch.elements.map(({ kind, id, remoteId, sent }) => ({
            remoteId: remoteId ?? remoteIdOf(ctx, kind, id),
            sent,
          })),
        );
  const shape = shapeOf(batch.kind, batch.verb, batch.elements.length, isTaken, names);
  const { method, path } = batch;
  return yield* write(`${method} ${path}`, (ports) => ports.api.send({ method, path, body, correlationId, shape }));
}

function* record(
  ctx: RoundContext,
  batch: PlanBatch,
  batchId: number,
  correlationId: string,
  outcome: Outcome,
  isSplit: boolean,
): Work<void> {
  const { epoch } = ctx;
  const settlement = isSplit ? SPLIT : notYet(ctx, batch, settlementOfOutcome(ctx, batch, outcome));
  const settled = yield* tx('settle', (ports) =>
    ports.outbox.settle({ epoch, batchId, class: outcome.class, settlement }),
  );
  const ids = batch.elements.map((element, at) => {
    const result = settlement.is === 'elements' ? settlement.elements[at] : undefined;
    const remoteId = result?.is === 'done' ? result.remoteId : null;
    if (settled.states[at] === 'DONE') learn(ctx, batch, element, remoteId);
    if (settled.states[at] === 'RETURNED' && isTooEarly(ctx, batch)) ctx.tally.untouched++;
    if (settled.states[at] === 'REJECTED') {
      const message =
        result?.is === 'rejected' ? result.message : settlement.is === 'rejected' ? settlement.message : '';
      ctx.tally.refused.push({ kind: element.kind, id: element.id, message });
    }
    return remoteId;
  });
  ctx.tally.done += settled.done;
  if (batch.verb === 'submit') ctx.tally.reviews += settled.done;
  const isGood = settled.states.length > 0 && settled.states.every((state) => state === 'DONE' || state === 'RETURNED');
  if (!isGood && batch.campaignId !== null) ctx.troubled.add(batch.campaignId);
  if (settled.done > 0 || settled.inDoubt > 0) touch(ctx, batch.campaignId, batch.kind);
  const at = ctx.nowMs();
  yield* journal('outcome', (ports) =>
    ports.journal.append({ t: 'outcome', c: correlationId, at, class: outcome.class, ids }),
  );
  if (settled.inDoubt > 0) {
    yield* lookAtOnce(ctx, batchId);
    const live = yield* tx('live', (ports) => ports.outbox.live());
    if (live.some(({ id }) => id === batchId)) freeze(ctx, createsOf(batch));
  }
}

const createsOf = ({ verb, elements }: PlanBatch) => ({ verb, rows: elements });

/**
 * A review asked for in the run that created its campaign may come before the service has made it a proposal.
 * Where that cannot be read beforehand the refusal means "not yet", and the next sync asks again.
 */
const isTooEarly = (ctx: RoundContext, { verb, campaignId }: PlanBatch): boolean =>
  verb === 'submit' && campaignId !== null && ctx.fresh.has(rowKey('campaign', campaignId));

function notYet(ctx: RoundContext, batch: PlanBatch, settlement: Settlement): Settlement {
  if (!isTooEarly(ctx, batch)) return settlement;
  if (settlement.is === 'rejected') return { is: 'returned', detail: settlement.message };
  const [only] = settlement.is === 'elements' ? settlement.elements : [];
  return only?.is === 'rejected' ? { is: 'returned', detail: only.message } : settlement;
}

function learn(ctx: RoundContext, batch: PlanBatch, element: PlanElement, remoteId: PlanElement['remoteId']): void {
  if (batch.kind === 'review' || remoteId === null) return;
  learnId(ctx, element.kind, element.id, remoteId);
  const isParent = batch.kind === 'campaign' || batch.kind === 'adGroup';
  if (batch.verb === 'create' && isParent) ctx.fresh.add(rowKey(element.kind, element.id));
}

/** Most requests in doubt were carried out, and one read shows it. */
function* lookAtOnce(ctx: RoundContext, batchId: number): Work<void> {
  const live = yield* tx('live', (ports) => ports.outbox.live());
  const batch = live.find((candidate) => candidate.id === batchId);
  if (batch !== undefined) yield* resolveBatch(ctx, batch, live);
}

/** @returns how long to wait before the batch is sent again, or null when it is not */
function* after(ctx: RoundContext, batch: PlanBatch, outcome: Outcome, tries: number): Work<number | null> {
  switch (outcome.class) {
    case 'ELEMENTS':
    case 'REFUSED':
      yield* liftLimit(ctx, 'write');
      ctx.tally.batchesDone++;
      yield* progress(ctx);
      return null;
    case 'IN_DOUBT':
      ctx.tally.batchesDone++;
      if (outcome.security) ctx.stop ??= { cause: 'security', detail: outcome.cause };
      yield* progress(ctx);
      return null;
    case 'AUTH':
      ctx.stop ??= { cause: 'credentials', detail: outcome.message };
      return yield* giveUp(ctx, batch);
    case 'LATER':
      halveLanes(ctx);
      return (yield* waitOutLimit(ctx, outcome, `${batch.method} ${batch.path}`, tries)) ?? (yield* giveUp(ctx, batch));
    case 'NOT_SENT':
      if (outcome.security) ctx.stop ??= { cause: 'security', detail: outcome.cause };
      else if (isOver(ctx)) return yield* giveUp(ctx, batch);
      else if (tries >= TRIES_MAX) ctx.stop ??= { cause: 'unreachable', detail: outcome.cause };
      return ctx.stop === null ? backoffMs(tries, ctx.random) : yield* giveUp(ctx, batch);
  }
}

/** @returns how long to wait out a limit; null when it is longer than a run sits out, or was met too often: the run ends */
export function* waitOutLimit(
  ctx: RoundContext,
  { retryAfterMs, message }: Extract<Outcome, { class: 'LATER' }>,
  call: string,
  tries: number,
): Work<number | null> {
  const waitMs = waitAfterLimit(retryAfterMs, ctx.profile, ctx.random);
  const until = Math.round(ctx.nowMs() + waitMs);
  yield* keepLimit(ctx, 'write', until, waitMs);
  if (tries < LATER_MAX && waitMs <= WAIT_MAX_MS) return waitMs;
  // Several lanes meet it at once; the moment that was kept is the one that is told.
  const retryAt = ctx.limit?.until ?? until;
  ctx.stop ??= { cause: 'rate-limited', detail: message, status: 429, call, retryAt };
  return null;
}

// biome-ignore lint/correctness/useYield: it stands where other branches of a generator do.
function* giveUp(ctx: RoundContext, batch: PlanBatch): Work<null> {
  leaveOut(ctx, batch);
  return null;
}

function settlementOfOutcome(ctx: RoundContext, batch: PlanBatch, outcome: Outcome): Settlement {
  switch (outcome.class) {
    case 'NOT_SENT':
      return { is: 'returned', detail: outcome.cause };
    case 'LATER':
    case 'AUTH':
      return { is: 'returned', detail: outcome.message };
    case 'REFUSED':
      return { is: 'rejected', message: outcome.message };
    case 'IN_DOUBT':
      return { is: 'in-doubt', cause: outcome.cause };
    case 'ELEMENTS': {
      const campaignId = remoteIdOf(ctx, 'campaign', batch.campaignId);
      const elements = batch.elements.map((element, at) => {
        const result = outcome.elements[at] ?? { is: 'in-doubt', cause: 'the answer has no result for it' };
        const remoteId = element.remoteId ?? remoteIdOf(ctx, element.kind, element.id);
        return settlementOf(result, { ...element, remoteId }, batch, campaignId);
      });
      return { is: 'elements', elements };
    }
  }
}

function newBatch(
  ctx: RoundContext,
  batch: PlanBatch,
  body: string,
  preImage: readonly string[] | null,
  correlationId: string,
  attempt: number,
): NewBatch {
  const { kind, verb, method, path, campaignId, adGroupId } = batch;
  const ops = batch.elements.map((element) => {
    const base = ctx.rows.get(rowKey(element.kind, element.id))?.base ?? null;
    const before = base === null ? null : pick(valuesOf({ values: base }), Object.keys(element.sent));
    return { kind: element.kind, rowId: element.id, sent: element.sent, base: before };
  });
  return { kind, verb, method, path, campaignId, adGroupId, attempt, correlationId, body, preImage, ops };
}

/** Whether everything the bodies refer to has an id by now. */
const isReady = (ctx: RoundContext, batch: PlanBatch): boolean =>
  refsOf(batch).every(({ kind, id }) => remoteIdOf(ctx, kind, id) !== null);

export function leaveOut(ctx: RoundContext, batch: PlanBatch): void {
  ctx.tally.untouched += batch.elements.length;
  if (batch.campaignId !== null) ctx.troubled.add(batch.campaignId);
}
