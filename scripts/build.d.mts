/** Builds the given programs, or all of them, where they are outdated. */
export function ensureBuilt(modes?: readonly ('main' | 'preload' | 'sandbox' | 'renderer')[]): void;
