const MINUTE_MS = 60_000;
/** How far a poll may lie from its time, so that many clients do not ask at the same moment. */
const JITTER = 0.1;

/**
 * Looks now and then for what the service decides by itself: reviews, and uploads it is working on (document,
 * "Video campaign rules": poll a pending review about every 30 minutes).
 *
 * Plain timers instead of the clock: nothing is ordered or timed out by them, and they never keep a program alive.
 *
 * @returns a function that ends it
 */
export function startPolling(everyMinutes: number, random: () => number, poll: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const next = (): void => {
    if (isOver) return;
    const waitMs = everyMinutes * MINUTE_MS * (1 - JITTER + 2 * JITTER * random());
    timer = setTimeout(() => {
      // A poll that failed is made up for by the next one; runs report failures of their own.
      poll().then(next, next);
    }, waitMs);
    timer.unref();
  };
  next();
  return () => {
    isOver = true;
    if (timer !== null) clearTimeout(timer);
  };
}
