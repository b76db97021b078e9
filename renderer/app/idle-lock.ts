/** What somebody who sits here does. A moved pointer alone may be a shaken table. */
const SIGNS = ['keydown', 'pointerdown', 'wheel'] as const;
/** Between two looks at the clock, in milliseconds; a timer of minutes would stand still while the computer sleeps. */
const LOOK_MS = 5000;

/**
 * Calls `lock` when nobody has pressed a key or a button in this window for so long, and again only after somebody has.
 *
 * @param lock answers false when it has to be asked again
 * @param nowMs milliseconds since 1970, so that time in which the computer slept counts
 * @returns ends the watching
 */
export function lockWhenIdle(
  page: Window,
  minutes: number,
  lock: () => Promise<boolean>,
  nowMs: () => number = Date.now,
): () => void {
  let seenMs = nowMs();
  let isLocked = false;
  const see = (): void => {
    seenMs = nowMs();
    isLocked = false;
  };
  for (const sign of SIGNS) page.addEventListener(sign, see, { capture: true, passive: true });
  const timer = page.setInterval(() => {
    if (isLocked || nowMs() - seenMs < minutes * 60_000) return;
    isLocked = true;
    void lock().then((isDone) => {
      isLocked = isDone && isLocked;
    });
  }, LOOK_MS);
  return () => {
    page.clearInterval(timer);
    for (const sign of SIGNS) page.removeEventListener(sign, see, { capture: true });
  };
}
