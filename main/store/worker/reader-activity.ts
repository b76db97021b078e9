/**
 * Tells the writer that somebody is looking at rows: each glance adds one to a counter that both sides share. Checks of a
 * large edit take a whole core for seconds, and the window that draws the rows wants it for a moment.
 */
export type ReaderActivity = Int32Array<SharedArrayBuffer>;

export const createReaderActivity = (): ReaderActivity =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export const recordRead = (activity: ReaderActivity): void => void Atomics.add(activity, 0, 1);

/** So long a slice of checks waits after a glance: a window has asked for its rows and drawn them by then. */
const GIVE_WAY_MS = 60;
/** So often in a row; then a slice is worked on, so that somebody who scrolls on and on sees checks end too. */
const IN_A_ROW = 5;

/** How many milliseconds the next slice has to wait, 0 for none. */
export function createCheckDelay(activity: ReaderActivity): () => number {
  let seen = 0;
  let times = 0;
  return () => {
    const now = Atomics.load(activity, 0);
    const isLooking = now !== seen && times < IN_A_ROW;
    seen = now;
    times = isLooking ? times + 1 : 0;
    return isLooking ? GIVE_WAY_MS : 0;
  };
}
