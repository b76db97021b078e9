/** Yields between slices of long work so that queued row reads can run. */
export const yieldToQueue = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
