import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useAppContext } from '../app/app-context.ts';
import { createPagedList, type ListQuestion, type PagedList } from './paged-list.ts';

/** Opens a long list of main and renders again whenever entries of it arrive. The key names the whole question. */
export function usePagedList<T, Facts>(question: ListQuestion<T, Facts>): PagedList<T, Facts> {
  const { connection, events } = useAppContext();
  const { key } = question;
  // Written while rendering, because a new key opens a new list in this very render.
  const asked = useRef(question);
  asked.current = question;
  const list = useMemo(
    () => createPagedList(connection.client, events, { ...asked.current, key }),
    [connection, events, key],
  );
  useEffect(() => list.open(), [list]);
  useSyncExternalStore(list.subscribe, list.version);
  return list;
}
