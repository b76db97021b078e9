import { type QueryFunction, type QueryKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

/** Entries per page. */
const PAGE = 200;
/** How long pages out of view are kept, in milliseconds. It bounds the memory of scrolling through a long list. */
const UNUSED_MS = 30_000;

interface PageQuery<Page> {
  readonly queryKey: QueryKey;
  readonly queryFn: QueryFunction<Page>;
}

/** A long list read from main by pages: the first, and those in view. Old rows stay until new ones arrive. */
export interface Pages<Page, T> {
  /** The newest response, for its total; undefined until the first page was read. */
  readonly newest: Page | undefined;
  /** Why a page could not be read; null otherwise. */
  readonly error: unknown;
  at(index: number): T | undefined;
  want(from: number, to: number): void;
}

/**
 * Reads a long list by the pages in view.
 *
 * @param ask makes the query for `count` entries from an index on
 */
export function usePages<Page, T>(
  ask: (from: number, count: number) => PageQuery<Page>,
  itemsOf: (page: Page) => readonly T[],
): Pages<Page, T> {
  return usePagesOf([''], (_, from, count) => ask(from, count), itemsOf)('');
}

/**
 * Reads several long lists, each by a name.
 *
 * @param count entries per request, where the default is too many
 * @returns the list of a name
 */
export function usePagesOf<Page, T>(
  names: readonly string[],
  ask: (name: string, from: number, count: number) => PageQuery<Page>,
  itemsOf: (page: Page) => readonly T[],
  count = PAGE,
): (name: string) => Pages<Page, T> {
  const client = useQueryClient();
  const [ranges, setRanges] = useState<Readonly<Record<string, { readonly first: number; readonly last: number }>>>({});
  const asked = names.flatMap((name) => {
    const { first, last } = ranges[name] ?? { first: 0, last: 0 };
    const inView = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    return (first === 0 ? inView : [0, ...inView]).map((page) => ({ name, page }));
  });
  const query = (name: string, page: number): PageQuery<Page> => ask(name, page * count, count);
  const answers = useQueries({
    queries: asked.map(({ name, page }) => ({ ...query(name, page), gcTime: UNUSED_MS })),
  });
  /** What each list showed last. With a new filter text, it must stay on screen until the first response. */
  const shown = useRef(
    new Map<string, { readonly newest: Page; readonly queryOf: (page: number) => PageQuery<Page> }>(),
  );
  return (name) => {
    const own = answers.filter((_, at) => asked[at]?.name === name);
    const newest = own.toSorted((one, other) => other.dataUpdatedAt - one.dataUpdatedAt)[0]?.data;
    if (newest !== undefined) shown.current.set(name, { newest, queryOf: (page) => query(name, page) });
    const kept = shown.current.get(name);
    return {
      newest: kept?.newest,
      error: own.find(({ error }) => error !== null)?.error ?? null,
      at: (index) => {
        const page = Math.floor(index / count);
        const known = kept && client.getQueryData<Page>(kept.queryOf(page).queryKey);
        return known && itemsOf(known)[index % count];
      },
      want: (from, to) => {
        const first = Math.floor(Math.max(0, from) / count);
        const last = Math.floor((Math.max(1, to) - 1) / count);
        setRanges((before) =>
          before[name]?.first === first && before[name]?.last === last
            ? before
            : { ...before, [name]: { first, last } },
        );
      },
    };
  };
}

/** The most entries that one response of main holds. */
const WHOLE_PAGE = 500;

/** Reads a whole list page by page, for work on all of its entries or on those that `itemsOf` selects. */
export async function readWhole<Page extends { readonly total: number }, T>(
  read: (from: number, count: number) => Promise<Page>,
  itemsOf: (page: Page) => readonly T[],
  max: number,
  count = WHOLE_PAGE,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let from = 0; found.length < max; from += count) {
    const page = await read(from, count);
    found.push(...itemsOf(page));
    if (from + count >= page.total) break;
  }
  return found.slice(0, max);
}
