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
