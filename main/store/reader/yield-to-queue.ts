/** Ends a slice of long work: windows that were asked for meanwhile are answered now. */
export const yieldToQueue = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
