/** Events that count as activity. A moved pointer does not: a shaken table moves it too. */
const ACTIVITY_EVENTS = ['keydown', 'pointerdown', 'wheel'] as const;
/** Milliseconds between two checks of the clock. One timer of several minutes would stop while the computer sleeps. */
const CHECK_MS = 5000;

/**
 * Calls `lock` after `minutes` without a key, a button or the wheel, and again only after new activity.
 *
 * @param lock resolves with false, or fails, if it has to be called again
 * @param nowMs milliseconds since 1970, so that time in which the computer slept counts
 * @returns ends the watching
 */
export function lockWhenIdle(
  page: Window,
  minutes: number,
  lock: () => Promise<boolean>,
  nowMs: () => number = Date.now,
): () => void {
  let activeMs = nowMs();
  let isLocked = false;
  const noteActivity = (): void => {
    activeMs = nowMs();
    isLocked = false;
  };
  for (const event of ACTIVITY_EVENTS) page.addEventListener(event, noteActivity, { capture: true, passive: true });
  const timer = page.setInterval(() => {
    if (isLocked || nowMs() - activeMs < minutes * 60_000) return;
    isLocked = true;
    const end = (isDone: boolean): void => {
      isLocked = isDone && isLocked;
    };
    lock().then(end, () => end(false));
  }, CHECK_MS);
  return () => {
    page.clearInterval(timer);
    for (const event of ACTIVITY_EVENTS) page.removeEventListener(event, noteActivity, { capture: true });
  };
}
