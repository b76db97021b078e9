import type { PlanBatch } from '../../../shared/plan/plan-types.ts';
import type { Outcome } from '../../api/outcome.ts';
import { type NewBatch, TURN_MS } from '../../workspace/outbox/outbox-types.ts';
import { isOver, type RoundContext } from './context.ts';
import { inSlot, tx, type Work } from './effects.ts';
import { type Intent, takenOver, tryIntent } from './intent.ts';
import { lanesNow } from './lane-limit.ts';
import { isReadable } from './sightings.ts';

/** What came of a batch when its turn was there. */
export type Sent =
  | { readonly is: 'answered'; readonly batchId: number; readonly outcome: Outcome }
  | Exclude<Intent, { readonly is: 'recorded' }>;

/**
 * How many intents may be written down before there is a request slot for them, so that none stands empty while the
 * disk is waited for. Each is one thing more that is in doubt after a crash, so only what a read can settle then.
 */
const INTENTS_AHEAD = 2;

/**
 * Writes the intent of a batch and performs its request, both as soon as there is a slot. What comes of the answer is
 * written down while others send.
 */
export function* inTurn(ctx: RoundContext, batch: PlanBatch, frozen: NewBatch, request: Work<Outcome>): Work<Sent> {
  const ahead = isReadable(ctx, batch.kind) ? INTENTS_AHEAD : 0;
  return yield* inSlot('intent', () => lanesNow(ctx) + ahead, intendAndSend(ctx, frozen, request));
}

function* intendAndSend(ctx: RoundContext, frozen: NewBatch, request: Work<Outcome>): Work<Sent> {
  if (isOver(ctx)) return { is: 'never' };
  const intent = yield* tryIntent(ctx, frozen);
  if (intent.is !== 'recorded') return intent;
  const { batchId } = intent;
  const work = whenDated(ctx, { batchId, at: ctx.nowMs() }, request);
  return { is: 'answered', batchId, outcome: yield* inSlot('request', () => lanesNow(ctx), work) };
}

/** Performs a request whose intent may have waited for its slot: it was cancelled meanwhile, or has grown old. */
function* whenDated(
  ctx: RoundContext,
  dated: { readonly batchId: number; readonly at: number },
  request: Work<Outcome>,
): Work<Outcome> {
  if (isOver(ctx)) return notSent('the sync ended before its turn came');
  if (ctx.nowMs() - dated.at > TURN_MS) {
    const { epoch } = ctx;
    const isOurs = yield* tx('date anew', (ports) => ports.outbox.dateAnew({ epoch, batchId: dated.batchId }));
    if (!isOurs) {
      ctx.stop = takenOver;
      return notSent(takenOver.detail);
    }
  }
  return yield* request;
}

const notSent = (cause: string): Outcome => ({ class: 'NOT_SENT', cause, security: false });
