import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { ViewSpec, WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import type { Edited } from '../app/actions/row-actions.ts';
import type { Sort } from '../app/store/navigation-slice.ts';
import type { Client } from '../app/transport/connection.ts';

/** During a sync changes come in a stream; a view is opened anew this often at most. */
const REOPEN_MS = 200;

/** What the grid asks for: everything of `ViewSpec` except what has a default. */
export type ViewRequest = Readonly<Pick<ViewSpec, 'kind' | 'filter' | 'only'>> & {
  readonly campaignId: number | null;
  readonly sort: Sort;
  /** The kept report whose figures it is sorted by, if it is. */
  readonly report?: string | null;
};

/**
 * The rows of one view, of which only the pages on screen and their neighbours are here.
 *
 *   reopen(): a new view in main -> its first wanted rows -> swapped in at once   (order and length are new)
 *   refresh(): pages marked old -> read again when wanted                          (order stays, values are new)
 *
 * Old rows stay on screen until new ones have arrived, so nothing flickers.
 */
export interface WindowSource {
  readonly request: ViewRequest;
  /** The number main knows the view by; a new one after each reopening. */
  viewId(): number;
  length(): number;
  /** Undefined while the row's page has not arrived. */
  rowAt(index: number): WindowRow | undefined;
  /** Sees to it that these rows arrive. Cheap to call on every scroll event. */
  want(from: number, to: number, hurried?: boolean): void;
  /** The same for rows that are not on screen but told about elsewhere; what is on screen stays what it is. */
  wantBeside(from: number, to: number): void;
  /** The order in main would be different by now; shown so that the user may ask for it. */
  isOutOfOrder(): boolean;
  problem(): unknown;
  ready(): boolean;
  refresh(): void;
  reopen(): Promise<void>;
  /** Shows a value before main has confirmed it. The next read of the page wins. */
  paint(index: number, cell: number, value: Cell): void;
  /** Reads rows outside the cache, for copying and for edits of long ranges. */
  readRows(from: number, to: number): Promise<readonly WindowRow[]>;
  /** Where a row stands, null when it does not. Fails when main is away. */
  indexOf(id: WindowRow['id']): Promise<number | null>;
  version(): number;
  subscribe(listener: () => void): () => void;
  close(): void;
}

export function createWindowSource(client: Client, workspaceId: string, request: ViewRequest): WindowSource {
  const listeners = new Set<() => void>();
  let pages: Pages | null = null;
  let viewId = -1;
  let length = 0;
  let version = 0;
  let outOfOrder = false;
  let problem: unknown = null;
  let wanted = { from: 0, to: PAGE };
  let opening: Promise<void> | null = null;
  let openAgain = false;
  let closed = false;
  let scheduled = false;

  // Many pages may arrive in one turn; listeners hear of them once.
  function changed(): void {
    version += 1;
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      for (const listener of [...listeners]) listener();
    });
  }

  async function read(view: number, from: number, count: number): Promise<readonly WindowRow[]> {
    const answer = await client.workspace.readWindow({ workspaceId, viewId: view, from, count });
    if (view === viewId) {
      if (answer.length !== length) length = answer.length;
      if (answer.stale !== outOfOrder) outOfOrder = answer.stale;
    }
    return answer.rows;
  }

  async function open(): Promise<void> {
    try {
      const { sort, report = null, ...rest } = request;
      const sorted = { ...rest, sort: [...sort], ...(report === null ? {} : { report }) };
      const window = pagesAround(wanted.from, wanted.to);
      const view = await client.workspace.openView({ workspaceId, view: sorted, window });
      const next = createPages(
        (from, count) => read(view.viewId, from, count),
        changed,
        () => void reopen(),
      );
      next.put(window.from, view.rows);
      // What is missing when the view has become shorter than what was looked at.
      await next.load(Math.min(wanted.from, Math.max(0, view.length - 1)), Math.min(wanted.to, view.length));
      const old = viewId;
      pages = next;
      viewId = view.viewId;
      length = view.length;
      outOfOrder = false;
      problem = null;
      if (old >= 0) void client.workspace.closeView({ workspaceId, viewId: old }).catch(() => closeLater());
      if (closed) void client.workspace.closeView({ workspaceId, viewId }).catch(() => closeLater());
    } catch (cause) {
      problem = cause;
    }
    changed();
  }

  function reopen(): Promise<void> {
    if (opening !== null) {
      openAgain = true;
      return opening;
    }
    opening = (async () => {
      do {
        openAgain = false;
        await open();
        if (openAgain) await new Promise((resolve) => setTimeout(resolve, REOPEN_MS));
      } while (openAgain && !closed);
      opening = null;
    })();
    return opening;
  }
  void reopen();

  return {
    request,
    viewId: () => viewId,
    length: () => length,
    rowAt: (index) => pages?.rowAt(index),
    want: (from, to, hurried = false) => {
      wanted = { from, to };
      pages?.want(from, Math.min(to, length), hurried);
    },
    wantBeside: (from, to) => pages?.want(from, Math.min(to, length), false),
    isOutOfOrder: () => outOfOrder,
    problem: () => problem,
    ready: () => pages !== null,
    refresh: () => {
      pages?.markOld();
      pages?.want(wanted.from, Math.min(wanted.to, length), false);
    },
    reopen,
    paint: (index, cell, value) => {
      pages?.paint(index, cell, value);
      changed();
    },
    readRows: async (from, to) => {
      const rows: WindowRow[] = [];
      for (let at = from; at < Math.min(to, length); at += 500) {
        rows.push(...(await read(viewId, at, Math.min(500, to - at))));
      }
      return rows;
    },
    indexOf: async (id) => {
      await opening;
      return (await client.views.place({ workspaceId, viewId, id })).place;
    },
    version: () => version,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      closed = true;
      if (viewId >= 0) void client.workspace.closeView({ workspaceId, viewId }).catch(() => closeLater());
    },
  };
}

/** A view that cannot be closed now is closed by main together with its workspace. */
function closeLater(): void {}

/** A view on screen and the way to edit it in place. */
export interface OpenView {
  readonly source: WindowSource;
  /** Runs an edit of cells after which rows keep their places, although they might sort or match differently now. */
  readonly inPlace: (edit: () => Promise<Pick<Edited, 'revision'> | null>) => Promise<boolean>;
}

/** Rows per page and pages kept, the oldest going first: 8,000 rows bound the memory of any view. */
const PAGE = 100;
const PAGES_MAX = 80;
const HURRIED_MAX = 2;

interface Page {
  rows: readonly WindowRow[];
  old: boolean;
}

/** The pages of one view that are here. */
interface Pages {
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
function pagesAround(from: number, to: number): { readonly from: number; readonly count: number } {
  const first = Math.floor(from / PAGE) * PAGE;
  return { from: first, count: Math.min(WINDOW_MAX, Math.max(PAGE, Math.ceil((to - first) / PAGE) * PAGE)) };
}

function createPages(
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
