import { isLocale, type Locale, localeOf } from './locale.ts';

/**
 * The locale of this window. Every text with a number reads it, so it is one module variable instead of an argument of
 * four hundred functions. A change renders the window again (`app/App.tsx`).
 */
let current: Locale = localeOf('en-GB');
const listeners = new Set<() => void>();

export const locale = (): Locale => current;

/** Sets the locale. A tag that the platform does not support changes nothing. */
export function changeLocale(tag: string): void {
  if (tag === current.tag || !isLocale(tag)) return;
  current = localeOf(tag);
  for (const listener of listeners) listener();
}

export const localeTag = (): string => current.tag;

export function onLocale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
