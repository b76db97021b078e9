/** How somebody who waits for long work hears how far it is, and ends it. */
export interface LongTask {
  /** Hears how much is done, from 0 to 1. */
  readonly tellShare: (done: number) => void;
  /** Aborts when the work is to end: it then rejects with the signal's reason, or has been done before it could. */
  readonly signal: AbortSignal;
}

/** Work that nobody watches and nobody ends. */
export const NO_OBSERVER: LongTask = { tellShare: () => undefined, signal: new AbortController().signal };

/** A part of the work, which goes from one share of the whole to another. */
export const subtaskOf = ({ tellShare, signal }: LongTask, from: number, to: number): LongTask => ({
  tellShare: (done) => tellShare(from + (to - from) * done),
  signal,
});

/** How long a thread that others wait for works on without a break, in milliseconds: half of what a frame may take. */
const TURN_MS = 8;

/**
 * Carries out long work of the thread that answers windows, in turns between which it answers them.
 *
 * @param work yields where it can be left off; between two yields it should take a millisecond at most
 */
export async function runInSlices<T>(work: Generator<void, T>): Promise<T> {
  let endsAt = performance.now() + TURN_MS;
  for (let part = work.next(); ; part = work.next()) {
    if (part.done === true) return part.value;
    if (performance.now() < endsAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    endsAt = performance.now() + TURN_MS;
  }
}
