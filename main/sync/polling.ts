import type { Rest } from '../rest.ts';

const MINUTE_MS = 60_000;
/** How far a poll may lie from its time, so that many clients do not ask at the same moment. */
const JITTER = 0.1;

export interface Polling {
  /** When the next look is due, by the clock that was handed in; null while one is under way. */
  nextAt(): number | null;
  stop(): void;
}

/**
 * Looks now and then for what the service decides by itself: reviews, and uploads it is working on (document,
 * "Video campaign rules": poll a pending review about every 30 minutes).
 *
 * Plain timers instead of the clock: nothing is ordered or timed out by them, and they never keep a program alive. Timers
 * stand still while the machine sleeps, so what fell due meanwhile is made up for when it wakes.
 *
 * @param everyMinutes between two looks, unless `poll` answers how long the next one may wait
 */
export function startPolling(
  everyMinutes: number,
  deps: { readonly random: () => number; readonly nowMs: () => number; readonly rest?: Rest | undefined },
  poll: () => Promise<number | undefined>,
): Polling {
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  let dueAt: number | null = null;
  const next = (minutes = everyMinutes): void => {
    if (isOver) return;
    const waitMs = minutes * MINUTE_MS * (1 - JITTER + 2 * JITTER * deps.random());
    dueAt = Math.round(deps.nowMs() + waitMs);
    timer = setTimeout(() => {
      if (deps.rest?.isResting() !== true) look();
    }, waitMs);
    timer.unref();
  };
  const look = (): void => {
    if (timer !== null) clearTimeout(timer);
    dueAt = null;
    // A poll that failed is made up for by the next one; runs report failures of their own.
    poll().then(next, () => next());
  };
  const stopWaking = deps.rest?.onWake(() => {
    if (!isOver && dueAt !== null && deps.nowMs() >= dueAt) look();
  });
  next();
  return {
    nextAt: () => dueAt,
    stop: () => {
      isOver = true;
      stopWaking?.();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
