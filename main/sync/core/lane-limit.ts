import type { RoundContext } from './context.ts';

/**
 * How many requests a round may have under way at once. A service that is busy gets half as many, and one more again
 * with every two minutes in which it limits nothing.
 *
 *   lanesMax --429--> half --429--> ... 1 --quiet--> 2 --quiet--> ... lanesMax
 */

/** How long nothing may be limited before one more lane is tried. */
const QUIET_MS = 120_000;

/** How many requests may be under way now: a busy service gets half, and one more with every two quiet minutes. */
export function lanesNow(ctx: RoundContext): number {
  const now = ctx.nowMs();
  if (ctx.laneLimit < ctx.lanesMax && now - ctx.laneLimitAt >= QUIET_MS) {
    ctx.laneLimit++;
    ctx.laneLimitAt = now;
  }
  return ctx.laneLimit;
}

/**
 * How many campaigns are worked on at once: more than there are requests at once, so that while one writes down what
 * came of its request, or waits out a limit, another uses the slot.
 */
export const openLanes = (ctx: RoundContext): number => ctx.lanesMax * 2;

export function halveLanes(ctx: RoundContext): void {
  ctx.laneLimit = Math.max(1, Math.floor(ctx.laneLimit / 2));
  ctx.laneLimitAt = ctx.nowMs();
}
