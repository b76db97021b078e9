import type { Layout } from '../../shared/api/scalars.ts';

/** Beside the token of the page, and like it the tab's own: it outlives a reload and nothing else. */
const KEY = 'adslate.layout';

/** Leaves a layout for the next page of this tab, at once: a page that goes has no time to wait for main. */
export function storeForReload(layout: Layout): void {
  window.sessionStorage.setItem(KEY, JSON.stringify(layout));
}

/** Once main has it, nothing is left to hand on. */
export function forgetLeftLayout(): void {
  window.sessionStorage.removeItem(KEY);
}

/**
 * What the page before could not send to main. The reader, and zod with it, comes only where something was left.
 *
 * @returns null where nothing was left, or nothing that main would take: that is thrown away. Null as well when the reader
 *   cannot be fetched; what was left then stays for the next page
 */
export async function layoutBeforeReload(): Promise<Layout | null> {
  const text = window.sessionStorage.getItem(KEY);
  if (text === null) return null;
  const reader = await import('./read-layout.ts').catch((cause: unknown) => {
    // Browsers say so where a module cannot be fetched (HTML, "fetch a single module script").
    if (cause instanceof TypeError) return null;
    throw cause;
  });
  if (reader === null) return null;
  const layout = reader.readLayout(text);
  if (layout === null) forgetLeftLayout();
  return layout;
}
