import { useEffect, useState } from 'react';
import type { ViewTotal } from '../../shared/api/views.ts';
import { useAppContext } from '../app/app-context.ts';
import { createOpenView, createWindowSource, type OpenView, type ViewRequest, type WindowSource } from './window.ts';

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
    const view = createOpenView(source, workspaceId);
    const showOnceReady = (): void => {
      if (!source.ready() && source.problem() === null) return;
      stopWaiting();
      setShown(view);
    };
    const stopWaiting = source.subscribe(showOnceReady);
    showOnceReady();
    const stopListening = events.on(view.hear);
    return () => {
      stopWaiting();
      stopListening();
      source.close();
    };
  }, [connection, events, preparedView, workspaceId, kind, campaignId, filter, only, sortKey, report]);

  return shown;
}

/** Reading starts when scrolling has paused for this long, so that a fling asks for nothing. */
const PAUSE_MS = 60;

/** Reads what the rules say about the rows on screen, so that the very cells can be marked. */
export function useRowFindings(
  source: WindowSource,
  version: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the source has other rows.
  useEffect(() => {
    const timer = setTimeout(() => void source.wantFindings(from, to), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, version, from, to]);
}

/** Rows come first: totals are asked for once a view has been there, or an edit has rested, for this long. */
const REST_MS = 150;
const NONE: readonly ViewTotal[] = [];

/**
 * What the columns of a view come to. Those of before stay while they are added up anew.
 *
 * @param wanted false asks main nothing
 */
export function useViewTotals(workspaceId: string, source: WindowSource, wanted: boolean): readonly ViewTotal[] {
  const { connection, events } = useAppContext();
  const [known, setKnown] = useState<{ readonly source: WindowSource; readonly totals: readonly ViewTotal[] }>();
  const viewId = source.viewId();
  const { kind } = source.request;
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      try {
        const { totals } = await connection.client.views.totals({ workspaceId, viewId });
        if (!gone) setKnown({ source, totals });
      } catch {
        // The view is being opened anew, or main is away and a view is opened when it is back: then they are asked for
        // again. Until then nothing stands there, since what stood there may be wrong.
        if (!gone) setKnown(undefined);
      }
    };
    const readSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void read(), REST_MS);
    };
    readSoon();
    const stop = events.on((event) => {
      if (event.type !== 'workspace.changed' || event.workspaceId !== workspaceId) return;
      if (event.only === undefined && event.kinds.includes(kind)) readSoon();
    });
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
    };
  }, [connection, events, workspaceId, source, viewId, kind, wanted]);
  return known?.source === source ? known.totals : NONE;
}
