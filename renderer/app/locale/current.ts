import { isLocale, type Locale, localeOf } from './locale.ts';

/**
 * The locale of this window. Every text with a number in it asks for it, so it is one value of the module and no
 * argument of four hundred functions; what is on screen is drawn again when it changes (`app/App.tsx`).
 */
let current: Locale = localeOf('en-GB');
const listeners = new Set<() => void>();

export const locale = (): Locale => current;

/** Uses a locale from here on; one that the platform does not know changes nothing. */
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
