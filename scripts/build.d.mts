/** Brings the named programs (all of them unless told otherwise) up to date. */
export function ensureBuilt(modes?: readonly ('main' | 'preload' | 'sandbox' | 'renderer')[]): void;
