import { WINDOW_MAX } from '../../shared/contract/limits.ts';
import type { WindowRow } from '../../shared/contract/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';

/** Rows per page and pages kept, the oldest going first: 8,000 rows bound the memory of any view. */
export const PAGE = 100;
const PAGES_MAX = 80;
const HURRIED_MAX = 2;

interface Page {
  rows: readonly WindowRow[];
  old: boolean;
}

/** The pages of one view that are here. */
export interface Pages {
  rowAt(index: number): WindowRow | undefined;
  /** `hurried`: the rows are passing by, so at most two pages are read at a time. */
  want(from: number, to: number, hurried: boolean): void;
  /** Rows that came with the view, from the beginning of a page. */
  put(from: number, rows: readonly WindowRow[]): void;
  /** Reads what is not here yet of these rows. */
  load(from: number, to: number): Promise<void>;
  /** Keeps showing what is here, and reads it again when it is wanted next. */
  markOld(): void;
  paint(index: number, cell: number, value: Cell): void;
}

/** The whole pages that hold these rows, as many as are handed out at once. */
export function pagesAround(from: number, to: number): { readonly from: number; readonly count: number } {
  const first = Math.floor(from / PAGE) * PAGE;
  return { from: first, count: Math.min(WINDOW_MAX, Math.max(PAGE, Math.ceil((to - first) / PAGE) * PAGE)) };
}

export function createPages(
  read: (from: number, count: number) => Promise<readonly WindowRow[]>,
  arrived: () => void,
  lost: () => void,
): Pages {
  const pages = new Map<number, Page>();
  const underWay = new Map<number, Promise<void>>();

  function fetchPage(number: number): Promise<void> {
    const running = underWay.get(number);
    if (running !== undefined) return running;
    const before = pages.get(number);
    if (before !== undefined) before.old = false;
    const fetching = read(number * PAGE, PAGE)
      .then((rows) => {
        // A page marked old again while it was read stays old.
        pages.set(number, { rows, old: pages.get(number)?.old ?? false });
        for (const oldest of pages.keys()) {
          if (pages.size <= PAGES_MAX) break;
          pages.delete(oldest);
        }
        arrived();
      })
      .catch(() => {
        // The view is gone (main was restarted) or main is away: a new view will bring the rows.
        lost();
      })
      .finally(() => underWay.delete(number));
    underWay.set(number, fetching);
    return fetching;
  }

  function each(from: number, to: number, visit: (page: number) => void): void {
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) visit(page);
  }

  return {
    rowAt: (index) => pages.get(Math.floor(index / PAGE))?.rows[index % PAGE],
    want: (from, to, hurried) =>
      each(from, to, (number) => {
        if (hurried && underWay.size >= HURRIED_MAX) return;
        const page = pages.get(number);
        if (page === undefined || page.old) void fetchPage(number);
      }),
    put: (from, rows) => {
      for (let at = 0; at < rows.length; at += PAGE) {
        pages.set((from + at) / PAGE, { rows: rows.slice(at, at + PAGE), old: false });
      }
    },
    load: async (from, to) => {
      const reads: Promise<readonly WindowRow[]>[] = [];
      const numbers: number[] = [];
      each(from, to, (number) => {
        if (pages.has(number)) return;
        numbers.push(number);
        reads.push(read(number * PAGE, PAGE));
      });
      const answers = await Promise.all(reads);
      for (const [i, number] of numbers.entries()) pages.set(number, { rows: answers[i] ?? [], old: false });
    },
    markOld: () => {
      for (const page of pages.values()) page.old = true;
    },
    paint: (index, cell, value) => {
      const page = pages.get(Math.floor(index / PAGE));
      const row = page?.rows[index % PAGE];
      if (page === undefined || row === undefined) return;
      const cells = row.cells.with(cell, value);
      page.rows = page.rows.with(index % PAGE, { ...row, cells });
    },
  };
}
