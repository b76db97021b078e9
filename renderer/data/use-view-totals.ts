import { useEffect, useState } from 'react';
import type { ViewTotal } from '../../shared/api/views.ts';
import { useAppContext } from '../app/app-context.ts';
import { edited } from './invalidation.ts';
import type { WindowSource } from './window-source.ts';

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
    const isEdit = edited(workspaceId);
    const stop = events.on((event) => {
      if (isEdit(event) && event.type === 'workspace.changed' && event.kinds.includes(kind)) readSoon();
    });
    return () => {
      gone = true;
      clearTimeout(timer);
      stop();
    };
  }, [connection, events, workspaceId, source, viewId, kind, wanted]);
  return known?.source === source ? known.totals : NONE;
}
