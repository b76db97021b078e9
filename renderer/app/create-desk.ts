import { createTurns } from '../../shared/in-turn.ts';
import { createActions } from '../actions/actions.ts';
import type { Notes } from '../actions/doing.ts';
import { listenToMain } from '../data/events.ts';
import { createPreparedView } from '../data/prepared-view.ts';
import { createQueryCache } from '../data/query-cache.ts';
import { createDeskStore } from '../store/desk-store.ts';
import { isSameLayout, toStored } from '../store/layout-slice.ts';
import type { Connection } from '../transport/connection.ts';
import type { Desk } from './desk.ts';
import { keepNews } from './keep-news.ts';
import { watchNews } from './watch-news.ts';

/** Layout changes are remembered when they have rested for this long. */
const REMEMBER_MS = 250;

/** Puts a window together around its line to main. */
export function createDesk(connection: Connection, notes: Notes): Desk & { readonly close: () => void } {
  const store = createDeskStore();
  const events = listenToMain(connection);
  const queries = createQueryCache(connection.client, events);
  const doing = { connection, queries, store, notes, inOrder: createTurns() };
  const actions = createActions(doing);

  events.on((event) => {
    if (event.type === 'sync.progress') store.getState().noteSync(event);
    if (event.type === 'work.progress') store.getState().noteWork(event);
    if (event.type === 'bulk.progress') store.getState().noteJob(event);
    if (event.type === 'upload.progress') store.getState().noteUpload(event);
    if (event.type === 'open.row') {
      const { openWorkspace, reveal, workspaceId } = store.getState();
      if (workspaceId !== event.workspaceId) openWorkspace(event.workspaceId);
      reveal(event.kind, null, event.id, null);
    }
    if (event.type === 'open.place') {
      const { goTo, openLaunch, openWorkspace, show, workspaceId } = store.getState();
      if (workspaceId !== event.workspaceId) openWorkspace(event.workspaceId);
      if (event.place === 'reviews') openLaunch('reviews');
      if (event.place === 'media') goTo({ kind: 'media', campaignId: null });
      if (event.place === 'access') show({ name: 'secrets' });
    }
    if (event.type === 'open.file') {
      const { grant, fileName, bytes } = event;
      store.getState().show({ name: 'sheet', file: { grant, fileName, bytes }, media: [] });
    }
    if (event.type === 'notice' && event.severity === 'error') notes.fail(event.message);
    else if (event.type === 'notice') notes.tell(event.message);
  });

  const kept = keepNews(connection.client, store);
  const stopNews = watchNews(connection.client, events, {
    tell: kept.note,
    openWorkspace: () => store.getState().workspaceId,
    nowMs: () => Date.now(),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  function remember(): void {
    timer = undefined;
    void actions.remember({ layout: toStored(store.getState()) });
  }
  function rememberNow(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    remember();
  }
  const stopRemembering = store.subscribe((now, before) => {
    if (isSameLayout(now, before)) return;
    clearTimeout(timer);
    // Sizes change with every pixel of a drag; keys are chosen, and commands run, once and for all.
    const isOnce = now.keys !== before.keys || now.recentCommands !== before.recentCommands;
    timer = setTimeout(remember, isOnce ? 0 : REMEMBER_MS);
  });
  // A window closed right after a change takes it along.
  window.addEventListener('pagehide', rememberNow);

  return {
    ...doing,
    events,
    preparedView: createPreparedView(connection.client, events),
    actions,
    openView: { current: null },
    openGrid: { current: null },
    close: () => {
      rememberNow();
      window.removeEventListener('pagehide', rememberNow);
      stopRemembering();
      stopNews();
      kept.stop();
      events.close();
    },
  };
}
