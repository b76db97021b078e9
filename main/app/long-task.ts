import { setImmediate as yieldToQueue } from 'node:timers/promises';

/** Progress and cancellation of long work, for its caller. */
export interface LongTask {
  /** Called with the progress, from 0 to 1. */
  readonly tellShare: (done: number) => void;
  /** Aborts when the work is to end: it then rejects with the signal's reason, or has been done before it could. */
  readonly signal: AbortSignal;
}

/** A task without progress and cancellation. */
export const NO_OBSERVER: LongTask = { tellShare: () => undefined, signal: new AbortController().signal };

/** A subtask whose progress counts from `from` to `to` of the task. */
export const subtaskOf = ({ tellShare, signal }: LongTask, from: number, to: number): LongTask => ({
  tellShare: (done) => tellShare(from + (to - from) * done),
  signal,
});

/**
 * Runs `work` when one of a few slots is free, in the order of calls. A task that is canceled while queued leaves
 * the queue.
 */
export type InPlace = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** @param count how many pieces of work run at once; the others wait in the order of calls */
export function createPlaces(count: number): InPlace {
  let free = count;
  const waiting: (() => void)[] = [];
  const arrive = (signal: AbortSignal): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      waiting.push(go);
    });
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async (signal, work) => {
    signal.throwIfAborted();
    await arrive(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/** How long a thread with waiting calls works without a break, in milliseconds: half of what a frame may take. */
const TURN_MS = 8;

/**
 * Runs long work in slices, and yields between them so that the thread can answer windows.
 *
 * @param work yields where it can be interrupted; between two yields it should take a millisecond at most
 */
export async function runInSlices<T>(work: Generator<void, T>): Promise<T> {
  let endsAt = performance.now() + TURN_MS;
  for (let part = work.next(); ; part = work.next()) {
    if (part.done === true) return part.value;
    if (performance.now() < endsAt) continue;
    await yieldToQueue();
    endsAt = performance.now() + TURN_MS;
  }
}
