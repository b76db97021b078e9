import { setImmediate as yieldToQueue } from 'node:timers/promises';

/**
 * Orders calls to the reader thread, which answers one call after another:
 *
 *   rows   -> run at once
 *   counts -> run one at a time, after the row reads that are pending
 */
export function createCallPriority() {
  const rowsUnderWay = new Set<Promise<unknown>>();
  let lastCount: Promise<unknown> = Promise.resolve();
  return {
    rows: <T>(ask: () => Promise<T>): Promise<T> => {
      const answer = ask();
      rowsUnderWay.add(answer);
      const over = (): void => void rowsUnderWay.delete(answer);
      answer.then(over, over);
      return answer;
    },
    count: <T>(ask: () => Promise<T>): Promise<T> => {
      const answer = settled(lastCount).then(async () => {
        // A window requests rows and counts in the same turn, in either order.
        await yieldToQueue();
        // Only the reads that are pending now, so that long scrolling does not delay counts without end.
        await Promise.allSettled(rowsUnderWay);
        return ask();
      });
      lastCount = answer;
      return answer;
    },
    /** Resolves when every count requested so far has been answered. */
    over: async () => void (await settled(lastCount)),
  };
}

/** Waits for the previous call; its failure is reported to its own caller. */
const settled = (answer: Promise<unknown>): Promise<unknown> => Promise.allSettled([answer]);
