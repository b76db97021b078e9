import type { Layout } from '../../shared/contract/layout.ts';
import { createTurns } from '../../shared/in-turn.ts';
import { createActions } from '../actions/actions.ts';
import type { Notes } from '../actions/doing.ts';
import { listenToMain } from '../data/events.ts';
import { createPreparedView } from '../data/prepared-view.ts';
import { createQueryCache } from '../data/query-cache.ts';
import { createDeskStore } from '../store/desk-store.ts';
import type { Connection } from '../transport/connection.ts';
import type { Desk } from './desk.ts';
import { keepLayout } from './keep-layout.ts';
import { keepNews } from './keep-news.ts';
import { walkPanes } from './pane-walk.ts';

/**
 * Puts a window together around its line to main.
 *
 * @param left the layout that the page before could not send (`left-layout.ts`)
 */
export function createDesk(
  connection: Connection,
  notes: Notes,
  left: Layout | null = null,
): Desk & { readonly close: () => void } {
  const store = createDeskStore();
  const events = listenToMain(connection);
  const queries = createQueryCache(connection.client, events);
  const doing = { connection, queries, store, notes, inOrder: createTurns() };
  const actions = createActions(doing);

  events.on((event) => {
    if (event.type === 'sync.progress') store.getState().noteSync(event);
    if (event.type === 'task.progress') store.getState().noteTask(event);
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
      if (event.place === 'reports') store.getState().openReports();
      if (event.place === 'access') show({ name: 'secrets' });
    }
    if (event.type === 'open.file') {
      const { grant, fileName, bytes } = event;
      store.getState().show({ name: 'sheet', file: { grant, fileName, bytes }, media: [] });
    }
    if (event.type === 'notice' && event.severity === 'error') notes.fail(event.message);
    else if (event.type === 'notice') notes.tell(event.message);
  });

  const stopNews = keepNews(connection.client, events, store);
  const panes = walkPanes(document);
  const layout = keepLayout({ store, left, send: (wanted) => actions.remember({ layout: wanted }) });

  return {
    ...doing,
    events,
    preparedView: createPreparedView(connection.client, events),
    actions,
    layout,
    panes,
    openView: { current: null },
    openGrid: { current: null },
    close: () => {
      layout.close();
      panes.close();
      stopNews();
      events.close();
    },
  };
}
