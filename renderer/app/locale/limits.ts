import { DOCUMENT_LIMITS, type ShownLimits } from '../../../shared/deployment/limits.ts';

/**
 * The limits of the account that is open, as its deployment settings have them; before one is open, those of the document.
 * Counters, lists of choices and what is typed ask for them, so they are one value of the window, as the locale is.
 */
let current: ShownLimits = DOCUMENT_LIMITS;
const listeners = new Set<() => void>();

export const limits = (): ShownLimits => current;

export function changeLimits(next: ShownLimits): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

export function onLimits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
