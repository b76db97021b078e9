import type { Client } from '../app/transport/connection.ts';
import type { DeskEvent, Events } from './events.ts';

/** Entries per page, and pages kept; the ones longest unused go first. */
const PAGE = 200;
const PAGES_MAX = 30;
/** During a sync changes come in a stream; the list is read again this often at most. */
const REREAD_MS = 150;

export interface ListPage<T, Facts> {
  readonly items: readonly T[];
  readonly total: number;
  /** What the answer says beside its entries, such as counts by severity. */
  readonly facts: Facts;
}

export interface ListQuestion<T, Facts> {
  readonly key: string;
  /** Entries asked for at once, where the usual number is too many. */
  readonly page?: number;
  readonly read: (client: Client, from: number, count: number) => Promise<ListPage<T, Facts>>;
  readonly outdatedBy: (event: DeskEvent) => boolean;
}

/**
 * A long list of main of which only the pages in view are here. When an event outdates it, the pages in view are
 * read again; what is on screen stays until they have arrived.
 */
export interface PagedList<T, Facts> {
  /** Undefined until the first page is there. */
  newest(): ListPage<T, Facts> | undefined;
  at(index: number): T | undefined;
  want(from: number, to: number): void;
  problem(): unknown;
  version(): number;
  subscribe(listener: () => void): () => void;
  /** Begins to read and to follow events; the answer ends it. */
  open(): () => void;
}

export function createPagedList<T, Facts>(
  client: Client,
  events: Events,
  question: ListQuestion<T, Facts>,
): PagedList<T, Facts> {
  const listeners = new Set<() => void>();
  const pages = new Map<number, { readonly items: readonly T[]; readonly round: number }>();
  const underWay = new Set<number>();
  let round = 0;
  let version = 0;
  let wanted = { from: 0, to: 1 };
  let newest: ListPage<T, Facts> | undefined;
  let problem: unknown = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = true;
  const size = question.page ?? PAGE;

  function changed(): void {
    version += 1;
    for (const listener of [...listeners]) listener();
  }

  async function fetchPage(number: number): Promise<void> {
    if (underWay.has(number)) return;
    underWay.add(number);
    const asked = round;
    try {
      const page = await question.read(client, number * size, size);
      pages.delete(number);
      pages.set(number, { items: page.items, round: asked });
      for (const oldest of pages.keys()) {
        if (pages.size <= PAGES_MAX) break;
        pages.delete(oldest);
      }
      newest = page;
      problem = null;
    } catch (cause) {
      problem = cause;
    }
    underWay.delete(number);
    if (closed) return;
    changed();
    if (asked !== round) want();
  }

  function want(): void {
    for (let number = Math.floor(wanted.from / size); number * size < wanted.to; number += 1) {
      if (pages.get(number)?.round !== round) void fetchPage(number);
    }
  }

  function reread(): void {
    timer = undefined;
    round += 1;
    want();
  }

  return {
    newest: () => newest,
    at: (index) => pages.get(Math.floor(index / size))?.items[index % size],
    want: (from, to) => {
      wanted = { from: Math.max(0, from), to: Math.max(1, to) };
      want();
    },
    problem: () => problem,
    version: () => version,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open: () => {
      closed = false;
      const stop = events.on((event) => {
        if (event.type !== 'reconnected' && !question.outdatedBy(event)) return;
        timer ??= setTimeout(reread, REREAD_MS);
      });
      want();
      return () => {
        closed = true;
        clearTimeout(timer);
        timer = undefined;
        stop();
      };
    },
  };
}

/** Reads a whole list, page by page, for what works on all of its entries. */
export async function readWhole<T, Facts>(
  client: Client,
  question: ListQuestion<T, Facts>,
  keep: (item: T) => boolean,
  max: number,
): Promise<readonly T[]> {
  const found: T[] = [];
  const size = question.page ?? WHOLE_PAGE;
  for (let from = 0; found.length < max; from += size) {
    const page = await question.read(client, from, size);
    found.push(...page.items.filter(keep));
    if (page.items.length === 0 || from + page.items.length >= page.total) break;
  }
  return found.slice(0, max);
}

/** As many entries as one answer of main holds. */
const WHOLE_PAGE = 500;
