/**
 * Who goes first with the thread that reads. It answers one call after another, so that rows somebody has just asked to
 * see would wait for every count that was asked for before them:
 *
 *   rows   -> handed on at once
 *   counts -> one at a time, and only once the rows asked for before them are there
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
        // A window asks for rows and counts in one breath, and not always in this order.
        await new Promise((resolve) => setImmediate(resolve));
        // Those that are here now: who scrolls on and on does not keep the counts waiting for ever.
        await Promise.allSettled(rowsUnderWay);
        return ask();
      });
      lastCount = answer;
      return answer;
    },
    /** Resolves when every count that was asked for so far has been answered. */
    over: async () => void (await settled(lastCount)),
  };
}

/** What became of the one before is its asker's business. */
const settled = (answer: Promise<unknown>): Promise<unknown> => Promise.allSettled([answer]);
