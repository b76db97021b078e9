import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useAppContext } from '../app/app-context.ts';
import { createWindowSource, type OpenView, type ViewRequest, type WindowSource } from './window-source.ts';

/**
 * Opens a view, keeps it current, and swaps it for the next one only when that has its first rows.
 *
 * @returns null until the first view is there
 */
export function useWindowSource(workspaceId: string, request: ViewRequest): OpenView | null {
  const { connection, events, preparedView } = useAppContext();
  const [shown, setShown] = useState<OpenView | null>(null);
  const { kind, campaignId, filter, only, report = null } = request;
  const sortKey = JSON.stringify(request.sort);

  useEffect(() => {
    const sort: ViewRequest['sort'] = JSON.parse(sortKey);
    const asked = { kind, campaignId, filter, only, sort, report };
    const source = preparedView.take(workspaceId, asked) ?? createWindowSource(connection.client, workspaceId, asked);
    const quiet = { running: 0, upTo: 0 };
    const inPlace: OpenView['inPlace'] = async (edit) => {
      quiet.running += 1;
      const edited = await edit();
      quiet.running -= 1;
      if (edited === null) source.refresh();
      else quiet.upTo = Math.max(quiet.upTo, edited.revision);
      return edited !== null;
    };
    const view: OpenView = { source, inPlace };
    const showOnceReady = (): void => {
      if (!source.ready() && source.problem() === null) return;
      stopWaiting();
      setShown(view);
    };
    const stopWaiting = source.subscribe(showOnceReady);
    showOnceReady();
    const stopListening = events.on((event) => {
      if (event.type === 'reconnected') void source.reopen();
      if (event.type !== 'workspace.changed' || event.workspaceId !== workspaceId) return;
      // A campaign's name stands in rows of every kind.
      if (!event.kinds.includes(kind) && !event.kinds.includes('campaign')) return;
      const isInPlace = event.only === 'findings' && !asksForFindings({ filter, only, sort });
      if (isInPlace || quiet.running > 0 || event.revision <= quiet.upTo) source.refresh();
      else void source.reopen();
    });
    return () => {
      stopWaiting();
      stopListening();
      source.close();
    };
  }, [connection, events, preparedView, workspaceId, kind, campaignId, filter, only, sortKey, report]);

  return shown;
}

/** Whether checks may change which rows a view shows, or their order; a search is not looked into. */
const asksForFindings = ({ filter, only, sort }: Pick<ViewRequest, 'filter' | 'only' | 'sort'>): boolean =>
  filter !== '' || only === 'errors' || only === 'warnings' || sort.some(({ column }) => column === 'severity');

/** Re-renders whenever rows of the source arrive or change. */
export function useSourceVersion(source: WindowSource): number {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  return useSyncExternalStore(subscribe, source.version);
}
