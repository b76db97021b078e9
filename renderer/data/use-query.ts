import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useAppContext } from '../app/app-context.ts';
import type { QueryDefinition, QueryState } from './query-cache.ts';

const NOTHING: QueryState<never> = { data: undefined, error: null, loading: false };

/**
 * Reads one answer of main and keeps it current. Components that ask with the same key share one read.
 *
 * @param question null asks nothing; the key must name everything the read depends on
 */
export function useQuery<T>(question: QueryDefinition<T> | null): QueryState<T> {
  const { queries } = useAppContext();
  const latest = useRef(question);
  useLayoutEffect(() => {
    latest.current = question;
  });
  const key = question?.key ?? null;
  const subscribe = useCallback(
    (listener: () => void) => {
      const asked = latest.current;
      return key === null || asked === null ? () => {} : queries.watch(asked, listener);
    },
    [queries, key],
  );
  const state = useSyncExternalStore(subscribe, () => (key === null ? NOTHING : queries.peek(key)));
  // The key names the question, and a question has one answer type.
  return state as QueryState<T>;
}
