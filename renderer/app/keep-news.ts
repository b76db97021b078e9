import type { DeskStore } from '../store/desk-store.ts';
import type { News } from '../store/news-slice.ts';
import type { Client } from '../transport/connection.ts';

/** Main could not be asked: what happened is on screen all the same, and goes with the window. */
const onlyHere = (): void => {};

/**
 * Keeps the news of an account with main, and brings back what it has kept when the account is opened.
 *
 *   news --> store --> main (once, whatever the number of windows)      account opened --> main --> store
 *
 * What main cannot keep, because the account is away or read-only, stays for as long as the window.
 *
 * @returns what takes an entry, and what ends the watching
 */
export function keepNews(
  client: Client,
  store: DeskStore,
): { readonly note: (entry: Omit<News, 'id'>) => void; readonly stop: () => void } {
  const bringBack = (workspaceId: string | null): void => {
    if (workspaceId === null) return;
    client.news.list({ workspaceId }).then((kept) => store.getState().bringBackNews(workspaceId, kept), onlyHere);
  };
  bringBack(store.getState().workspaceId);
  const stop = store.subscribe((now, before) => {
    if (now.workspaceId !== before.workspaceId) bringBack(now.workspaceId);
    if (now.news.length > 0 || before.news.length === 0) return;
    const accounts = new Set(before.news.flatMap(({ workspaceId }) => workspaceId ?? []));
    for (const workspaceId of accounts) client.news.clear({ workspaceId }).catch(onlyHere);
  });
  return {
    stop,
    note: (entry) => {
      store.getState().noteNews(entry);
      const { workspaceId, at, tone, text, place } = entry;
      if (workspaceId === null) return;
      client.news.note({ workspaceId, entry: { at, tone, text, place } }).catch(onlyHere);
    },
  };
}
