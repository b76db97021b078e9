import { err, ok, type Result } from '../../../shared/result.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import { backoffMs, LATER_MAX, READ_WAIT_MAX_MS, WAIT_MAX_MS, waitAfterLimit } from './backoff.ts';
import { isOver, type RoundContext } from './context.ts';
import { inSlot, type Ports, read, type Work } from './effects.ts';
import { waitFor } from './intent.ts';
import { lanesNow } from './lane-limit.ts';
import { keepLimit, liftLimit } from './rate-limit.ts';

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
    if (answer.ok) {
      yield* liftLimit(ctx, 'read');
      return ok(answer.value);
    }
    const failure = answer.error;
    const mayPass = failure.kind === 'unreachable' || failure.kind === 'service' || failure.kind === 'later';
    if (!mayPass) return err(failure);
    const waitMs = waitBefore(ctx, failure, tries);
    if (failure.kind === 'later') yield* keepLimit(ctx, 'read', failure.retryAt, waitMs);
    if (waitMs === null || tries >= READ_TRIES || busy >= LATER_MAX || isOver(ctx)) return err(failure);
    // A service that says when to come back is not one that fails.
    if (failure.kind === 'later') busy++;
    else tries++;
    yield* waitFor(ctx, waitMs);
    if (isOver(ctx)) return err(failure);
  }
}

/** How long to wait before another try; null when the service asks for a wait that nobody should sit out. */
function waitBefore(
  { profile, random }: RoundContext,
  failure: Extract<ReadFailure, { kind: 'unreachable' | 'service' | 'later' }>,
  tries: number,
): number | null {
  if (failure.kind === 'later') {
    const waitMs = waitAfterLimit(failure.retryAfterMs, profile, random);
    return waitMs > WAIT_MAX_MS ? null : waitMs;
  }
  const asked = failure.kind === 'service' ? (failure.retryAfterMs ?? 0) : 0;
  return asked > READ_WAIT_MAX_MS ? null : Math.max(asked, backoffMs(tries, random));
}
