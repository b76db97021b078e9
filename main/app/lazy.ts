/** Work that is done on first use, such as the connection of an account. */
export interface Once<T> {
  readonly get: () => Promise<T>;
  /** What was started so far, waited for; null when nothing was, or it failed, as was told to who asked for it. */
  readonly started: () => Promise<T | null>;
}

/** Does its work on first use and keeps the answer; a failure is tried again. */
export function lazy<T>(work: () => Promise<T>): Once<T> {
  let kept: Promise<T> | null = null;
  return {
    get: () => {
      kept ??= work().catch((error: unknown) => {
        kept = null;
        throw error;
      });
      return kept;
    },
    // A start that failed has told its caller, and left nothing to close.
    started: async () => (kept === null ? null : await kept.catch(() => null)),
  };
}
