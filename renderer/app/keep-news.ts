import type { Events } from '../data/events.ts';
import type { AppStore } from '../store/desk-store.ts';
import type { Client } from '../transport/connection.ts';

/** Main could not be asked: what happened is on screen all the same, and goes with the window. */
const onlyHere = (): void => {};

/**
 * Lists what main has written down of an account when it is opened, and what it writes from then on. What main cannot
 * keep, because the account is away or read-only, stays for as long as the window.
 *
 * @returns ends the watching
 */
export function saveNotifications(client: Client, events: Events, store: AppStore): () => void {
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
  const stopEvents = events.on((event) => {
    const { noteNews, workspaceId } = store.getState();
    if (event.type === 'notification.added') noteNews({ ...event.entry, workspaceId: event.workspaceId });
    if (event.type === 'reconnected') bringBack(workspaceId);
  });
  return () => {
    stop();
    stopEvents();
  };
}
