/** Work that is done on first use, such as the connection of an account. */
export interface Once<T> {
  readonly get: () => Promise<T>;
  /** The started value; null when nothing was started or the start failed, which its caller was told. */
  readonly started: () => Promise<T | null>;
}

/** Does its work on first use and stores the result; after a failure the next call tries again. */
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
    // A failed start was reported to its caller and left nothing to close.
    started: async () => (kept === null ? null : await kept.catch(() => null)),
  };
}
