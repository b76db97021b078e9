/**
 * Counts row reads in memory that both threads share, so that the writer can delay its checks while the user reads rows.
 * Checks of a large edit use a whole core for seconds, and the window needs it to draw the rows.
 */
export type ReaderActivity = Int32Array<SharedArrayBuffer>;

export const createReaderActivity = (): ReaderActivity =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export const recordRead = (activity: ReaderActivity): void => void Atomics.add(activity, 0, 1);

/** Delay of a slice of checks after a row read: by then the window has its rows and has drawn them. */
const GIVE_WAY_MS = 60;
/** Most delays one after another, so that checks also end while the user keeps scrolling. */
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
