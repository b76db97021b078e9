import type { Layout } from '../../shared/contract/layout.ts';
import { createSerialQueue } from '../../shared/in-turn.ts';
import { createActions } from '../actions/actions.ts';
import type { Toasts } from '../actions/doing.ts';
import { listenToMain } from '../data/events.ts';
import { createPreparedView } from '../data/prepared-view.ts';
import { createQueryCache } from '../data/query-cache.ts';
import { createAppStore } from '../store/desk-store.ts';
import type { Connection } from '../transport/connection.ts';
import type { AppContext } from './desk.ts';
import { saveLayout } from './keep-layout.ts';
import { saveNotifications } from './keep-news.ts';
import { focusNextPane } from './pane-walk.ts';

/**
 * Puts a window together around its line to main.
 *
 * @param left the layout that the page before could not send (`left-layout.ts`)
 */
export function createApp(
  connection: Connection,
  notes: Toasts,
  left: Layout | null = null,
): AppContext & { readonly close: () => void } {
  const store = createAppStore();
  const events = listenToMain(connection);
  const queries = createQueryCache(connection.client, events);
  const doing = { connection, queries, store, notes, inOrder: createSerialQueue() };
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

  const stopNews = saveNotifications(connection.client, events, store);
  const panes = focusNextPane(document);
  const layout = saveLayout({ store, left, send: (wanted) => actions.remember({ layout: wanted }) });

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
