/** The first rows of a usual account are on screen by then. */
const START_MS = 1000;
/** So long work waits for a moment of rest at most. */
const REST_MS = 2000;

/**
 * Runs work that nobody waits for once the window has started and has nothing else to do.
 *
 * @returns takes it back
 */
export function afterFirstPaint(work: () => void): () => void {
  let rest = 0;
  const start = window.setTimeout(() => {
    rest = window.requestIdleCallback(work, { timeout: REST_MS });
  }, START_MS);
  return () => {
    window.clearTimeout(start);
    window.cancelIdleCallback(rest);
  };
}
