import { err, ok, type Result } from '../../../shared/result.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import { backoffMs, LATER_MAX, waitAfterLimit } from './backoff.ts';
import { isOver, type RoundContext } from './context.ts';
import { inSlot, type Ports, read, type Work } from './effects.ts';
import { waitFor } from './intent.ts';
import { lanesNow } from './lane-limit.ts';

const READ_TRIES = 5;

/** Reads, and tries again after what may pass by itself: no connection, a busy or broken service. */
export function* readAgain<T>(
  ctx: RoundContext,
  label: string,
  run: (ports: Ports) => Promise<Result<T, ReadFailure>>,
): Work<Result<T, ReadFailure>> {
  let busy = 0;
  for (let tries = 1; ; ) {
    ctx.tally.requests++;
    const answer = yield* inSlot('request', () => lanesNow(ctx), read(label, run));
    if (answer.ok) return ok(answer.value);
    const failure = answer.error;
    const mayPass = failure.kind === 'unreachable' || failure.kind === 'service' || failure.kind === 'later';
    if (!mayPass || tries >= READ_TRIES || busy >= LATER_MAX || isOver(ctx)) return err(failure);
    const isBusy = failure.kind === 'later';
    const waitMs = isBusy
      ? waitAfterLimit(failure.retryAfterMs, ctx.profile, ctx.random)
      : backoffMs(tries, ctx.random);
    // A service that says when to come back is not one that fails.
    if (isBusy) busy++;
    else tries++;
    yield* waitFor(ctx, waitMs);
    if (isOver(ctx)) return err(failure);
  }
}
