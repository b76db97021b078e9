import type { GroupBy } from '../../shared/api/choices.ts';
import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { MetricsLook } from '../../shared/api/metrics.ts';
import type { RowsPatch, ViewSpec, WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Issue } from '../../shared/rules/rule.ts';
import type { Events, WindowEvent } from '../app/queries.ts';
import type { Sort } from '../app/store/navigation-slice.ts';
import type { Client } from '../app/transport/connection.ts';
import { groupedLines, type Outline, plainLines } from './lines.ts';

/** Least time between two openings of a view, in milliseconds: a sync sends many change events. */
const REOPEN_MS = 200;
/** Most patched rows kept for pages that are still being read: several patches of the largest size. */
const PATCHED_MAX = 4000;

/** The view that the grid requests: everything of `ViewSpec` except what has a default. */
export type ViewRequest = Readonly<Pick<ViewSpec, 'kind' | 'filter' | 'only'>> & {
  readonly campaignId: number | null;
  readonly sort: Sort;
  /** The period of the metrics that the view is sorted and filtered by; null for none. */
  readonly look?: MetricsLook | null;
  /** What the rows are grouped by. */
  readonly group?: GroupBy | null;
};

/** A value shown before main has confirmed it. `cell` is its index in `WindowRow.cells`. */
export interface Painted {
  readonly id: number;
  readonly cell: number;
  readonly value: Cell;
}

/** The groups among the first rows of a view; the last one is treated as open until the outline has loaded. */
function outlineOfRows(rows: readonly WindowRow[]): Outline {
  const heads = rows.flatMap(({ campaignId }, at) =>
    at === 0 || campaignId !== rows[at - 1]?.campaignId ? [{ at, key: campaignId ?? 0 }] : [],
  );
  return { from: heads.map(({ at }) => at), keys: heads.map(({ key }) => key), isOpen: true };
}

/**
 * The rows of one view, of which only the visible pages and their neighbors are loaded.
 *
 *   patch():   rows replaced by ID, in pages that were read before the patch       (order stays, nothing is read)
 *   refresh(): pages marked old -> read again when wanted                          (order stays, values are new)
 *   reopen():  a new view in main -> its first wanted rows -> swapped in at once   (order and length are new)
 *
 * Old rows stay on screen until new ones have arrived, so nothing flickers.
 */
export type WindowSource = ReturnType<typeof createWindowSource>;

export function createWindowSource(client: Client, workspaceId: string, request: ViewRequest) {
  const { kind, campaignId } = request;
  const listeners = new Set<() => void>();
  /** Rows of patches, the newest last: a page may arrive that main read before them. */
  const patched = new Map<number, { readonly revision: number; readonly row: WindowRow }>();
  const paints = new Set<readonly Painted[]>();
  const longReads = new Set<Promise<unknown>>();
  let paintedById: ReadonlyMap<number, readonly Painted[]> = new Map();
  const issues = createRowIssues(
    async (ids) => (await client.workspace.rowIssues({ workspaceId, kind, ids: [...ids] })).issues,
    changed,
  );
  let pages: Pages | null = null;
  let viewId = -1;
  let length = 0;
  let outline: Outline | null = null;
  let folded: ReadonlySet<number> = new Set();
  let lines = plainLines(0);
  let revision = 0;
  let version = 0;
  let outOfOrder = false;
  /** Rows changed without a patch, so that only main can tell whether the order is outdated. */
  let isOrderUnknown = false;
  /** Pages that main read at a lower revision are old on arrival. */
  let oldBelow = 0;
  let problem: unknown = null;
  let wanted = { from: 0, to: PAGE };
  let opening: Promise<void> | null = null;
  let openAgain = false;
  let closed = false;
  let scheduled = false;

  function layOut(): void {
    lines = outline === null ? plainLines(length) : groupedLines(outline, length, folded);
  }
  /** Reads the groups again after rows were added or removed. */
  async function readOutline(): Promise<void> {
    const asked = viewId;
    try {
      const answer = await client.views.outline({ workspaceId, viewId: asked });
      if (asked !== viewId) return;
      outline = answer;
      layOut();
      changed();
    } catch {
      void reopen();
    }
  }

  // Notifies listeners once for all pages that arrive in the same turn of the event loop.
  function changed(): void {
    version += 1;
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      for (const listener of Array.from(listeners)) listener();
    });
  }

  async function read(view: number, from: number, count: number): Promise<ReadRows> {
    const answer = await client.workspace.readWindow({ workspaceId, viewId: view, from, count });
    revision = Math.max(revision, answer.revision);
    if (view === viewId) {
      if (answer.length !== length) {
        length = answer.length;
        layOut();
        if (outline !== null) void readOutline();
      }
      if (answer.stale && isOrderUnknown) outOfOrder = true;
    }
    return answer;
  }

  const newest = ({ rows, revision }: ReadRows): readonly WindowRow[] =>
    rows.map((row) => {
      const known = patched.get(row.id);
      return known !== undefined && known.revision > revision ? known.row : row;
    });
  const shown = (rows: readonly WindowRow[]): readonly WindowRow[] => {
    if (paintedById.size === 0) return rows;
    return rows.map((row) => {
      const cells = paintedById.get(row.id)?.reduce((cells, { cell, value }) => cells.with(cell, value), row.cells);
      return cells === undefined ? row : { ...row, cells };
    });
  };
  const showPaints = (): void => {
    paintedById = Map.groupBy([...paints].flat(), ({ id }) => id);
    pages?.show();
    changed();
  };

  /**
   * Reads rows of the view that is open now. Parts of two views, which may have other orders, would miss rows and
   * repeat others.
   */
  async function readAll(from: number, to: number): Promise<readonly WindowRow[]> {
    const view = viewId;
    const end = Math.min(to, length);
    const rows: WindowRow[] = [];
    for (let at = from; at < end; at += WINDOW_MAX)
      rows.push(...(await read(view, at, Math.min(WINDOW_MAX, end - at))).rows);
    return rows;
  }
  /** Closes a view once no long read needs it. */
  const closeView = (view: number): void =>
    void Promise.allSettled(longReads)
      .then(() => client.workspace.closeView({ workspaceId, viewId: view }))
      .catch(() => closeLater());

  async function open(): Promise<void> {
    try {
      const { sort, look = null, group = null, ...rest } = request;
      const sorted = {
        ...rest,
        sort: [...sort],
        ...(look === null ? {} : { look }),
        ...(group === null ? {} : { group }),
      };
      const window = pagesAround(wanted.from, wanted.to);
      const view = await client.workspace.openView({ workspaceId, view: sorted, window });
      // The first rows are shown before the outline has loaded: for a million rows it takes much longer.
      const first = group === 'campaign' && pages === null && window.from === 0 ? outlineOfRows(view.rows) : null;
      const groups =
        group === null ? null : (first ?? (await client.views.outline({ workspaceId, viewId: view.viewId })));
      const next = createPages({
        read: (from, count) => read(view.viewId, from, count),
        newest,
        shown,
        isOld: (revision) => revision < oldBelow,
        arrived: changed,
        lost: () => void reopen(),
      });
      next.put(window.from, view);
      // Loads the wanted rows that `window` did not cover, in case the view has become shorter.
      await next.load(Math.min(wanted.from, Math.max(0, view.length - 1)), Math.min(wanted.to, view.length));
      const old = viewId;
      pages = next;
      viewId = view.viewId;
      length = view.length;
      outline = groups;
      layOut();
      revision = view.revision;
      outOfOrder = false;
      isOrderUnknown = false;
      problem = null;
      if (first !== null) void readOutline();
      issues.outdate();
      if (old >= 0) closeView(old);
      if (closed) closeView(viewId);
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

  const wantAgain = (): void => {
    pages?.want(wanted.from, Math.min(wanted.to, length), false);
  };
  /** Whether changed rows may now have another position in the view, or not be part of it. */
  const isMoved = (rows: readonly WindowRow[], before: ReadonlyMap<number, WindowRow>): boolean => {
    const own = rows.filter((row) => campaignId === null || row.campaignId === campaignId);
    if (request.filter !== '' || request.only !== 'all') return own.length > 0;
    return request.sort.some(({ column }) => {
      const placeOf = sortValue(kind, column);
      return own.some((row) => {
        const known = before.get(row.id);
        return known === undefined || placeOf(known) !== placeOf(row);
      });
    });
  };

  return {
    request,
    /** ID of the view in main; each reopening gives a new one. */
    viewId: () => viewId,
    length: () => length,
    /** Rows and group headers in the order of their lines. */
    lines: () => lines,
    /** Folds or unfolds groups by index; null for all groups. */
    foldGroups: (groups: readonly number[] | null, fold: boolean) => {
      const keys = groups ?? outline?.from.map((_, group) => group) ?? [];
      const next = new Set(folded);
      for (const group of keys) {
        const key = outline?.keys[group] ?? -1;
        if (fold) next.add(key);
        else next.delete(key);
      }
      folded = next;
      layOut();
      changed();
    },
    /** The newest revision that the loaded rows include. */
    revision: () => revision,
    /** Undefined until the row's page has loaded. */
    rowAt: (index: number) => pages?.rowAt(index),
    /** The rows from `from` up to, but without, `to`; null if one of them has not loaded. */
    rowsHere: (from: number, to: number): readonly WindowRow[] | null => {
      const rows: WindowRow[] = [];
      for (let at = from; at < to; at += 1) {
        const row = pages?.rowAt(at);
        if (row === undefined) return null;
        rows.push(row);
      }
      return rows;
    },
    /** Issues of a row; undefined while none have loaded, and for a row without an error, warning or suggestion. */
    issuesOf: (row: WindowRow): readonly Issue[] | undefined => (row.severity === null ? undefined : issues.of(row.id)),
    /** Loads the pages of these rows. Cheap enough for every scroll event. */
    want: (from: number, to: number, hurried = false) => {
      wanted = { from, to };
      pages?.want(from, Math.min(to, length), hurried);
    },
    /** Loads rows shown elsewhere, such as in the details, without changing the range on screen. */
    wantBeside: (from: number, to: number) => pages?.want(from, Math.min(to, length), false),
    /** Loads the issues of these rows. */
    wantIssues: async (from: number, to: number) => {
      const marked: WindowRow[] = [];
      for (let at = from; at < Math.min(to, length); at += 1) {
        const row = pages?.rowAt(at);
        if (row !== undefined && row.severity !== null) marked.push(row);
      }
      await issues.want(marked.map(({ id }) => id));
    },
    /** True when main would sort the rows differently by now; shown so that the user can sort again. */
    isOutOfOrder: () => outOfOrder,
    problem: () => problem,
    ready: () => pages !== null,
    /**
     * Replaces rows by their state after an edit. Patches that are already applied or outdated are ignored.
     *
     * @returns whether the view may contain other rows, or another order, by now
     */
    patch: ({ revision: made, rows }: Pick<RowsPatch, 'revision' | 'rows'>) => {
      const fresh = (rows ?? []).filter(
        ({ kind: of, row }) => of === kind && (patched.get(row.id)?.revision ?? 0) < made,
      );
      for (const { row, issues: said } of fresh) {
        patched.delete(row.id);
        patched.set(row.id, { revision: made, row });
        issues.tell(row.id, said);
      }
      for (const id of patched.keys()) {
        if (patched.size <= PATCHED_MAX) break;
        patched.delete(id);
      }
      if (fresh.length === 0) return false;
      const before = pages?.patch(made) ?? new Map<number, WindowRow>();
      const moved = isMoved(
        fresh.map(({ row }) => row),
        before,
      );
      if (moved) outOfOrder = true;
      changed();
      return moved;
    },
    /** Reads all pages again, and those that arrive at a lower revision. `keepsOrder`: the change moved no rows. */
    refresh: (below = 0, keepsOrder = false) => {
      oldBelow = Math.max(oldBelow, below);
      isOrderUnknown ||= !keepsOrder;
      issues.outdate();
      pages?.markOld();
      wantAgain();
    },
    rereadRows: (ids: ReadonlySet<number>) => {
      pages?.markOld(ids);
      wantAgain();
    },
    reopen,
    /**
     * Shows values until the returned function is called: `confirmed` by a patch, shown until the rows are `read` again,
     * or taken `back`.
     */
    paint: (cells: readonly Painted[]) => {
      paints.add(cells);
      showPaints();
      return (end: 'confirmed' | 'read' | 'back') => {
        if (end === 'read') pages?.keepShown(new Set(cells.map(({ id }) => id)));
        paints.delete(cells);
        showPaints();
      };
    },
    /** Forgets all revisions: a restored backup begins with lower ones. */
    forgetRevisions: () => {
      patched.clear();
      oldBelow = 0;
    },
    /** Reads rows without the page cache, for copying and for edits of long ranges. */
    readRows: (from: number, to: number): Promise<readonly WindowRow[]> => {
      const reading = readAll(from, to);
      longReads.add(reading);
      return reading.finally(() => longReads.delete(reading));
    },
    /** Index of a row in the view; null if the view does not contain it. Rejects without a connection to main. */
    indexOf: async (id: WindowRow['id']) => {
      await opening;
      return (await client.views.place({ workspaceId, viewId, id })).place;
    },
    version: () => version,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** True once another view is to replace this one, which happens as soon as that view has rows. */
    isClosed: () => closed,
    close: () => {
      closed = true;
      if (viewId >= 0) closeView(viewId);
    },
  };
}

/** A view that cannot be closed now is closed by main together with its workspace. */
function closeLater(): void {}

/** The value of a row that the view is sorted by, if the row contains it. */
function sortValue(kind: ViewRequest['kind'], column: string): (row: WindowRow) => Cell {
  switch (column) {
    case 'path':
    case 'campaignName':
      return (row) => row.campaignName;
    case 'remoteId':
      return (row) => row.remoteId;
    case 'dirty':
      return (row) => (row.dirty === 0 ? 0 : 1);
    case 'severity':
      return (row) => row.severity;
  }
  const at = fieldNames(kind).indexOf(column);
  // Metrics are in no cell: a row counts as moved only when its ID on the service changes.
  return at < 0 ? (row) => row.remoteId : (row) => row.cells[at] ?? null;
}

/** Rows per page, and pages kept, the oldest deleted first: 8,000 rows limit the memory of any view. */
const PAGE = 100;
const PAGES_MAX = 80;
const HURRIED_MAX = 2;

/** Rows as main read them, and the newest revision that they include. */
interface ReadRows {
  readonly rows: readonly WindowRow[];
  readonly revision: number;
}

interface Page {
  /** `rows` are as main has them; `shown` adds painted values. */
  rows: readonly WindowRow[];
  shown: readonly WindowRow[];
  readonly revision: number;
  old: boolean;
}

interface PagesOptions {
  readonly read: (from: number, count: number) => Promise<ReadRows>;
  /** Merges rows that were read with patches of later revisions. */
  readonly newest: (read: ReadRows) => readonly WindowRow[];
  readonly shown: (rows: readonly WindowRow[]) => readonly WindowRow[];
  readonly isOld: (revision: number) => boolean;
  readonly arrived: () => void;
  readonly lost: () => void;
}

/** The complete pages that contain these rows, limited to one read (`WINDOW_MAX`). */
function pagesAround(from: number, to: number): { readonly from: number; readonly count: number } {
  const first = Math.floor(from / PAGE) * PAGE;
  return { from: first, count: Math.min(WINDOW_MAX, Math.max(PAGE, Math.ceil((to - first) / PAGE) * PAGE)) };
}

type Pages = ReturnType<typeof createPages>;

function createPages({ read, newest, shown, isOld, arrived, lost }: PagesOptions) {
  const pages = new Map<number, Page>();
  const underWay = new Map<number, Promise<void>>();

  const put = (number: number, answer: ReadRows, old = false): void => {
    const rows = newest(answer);
    const { revision } = answer;
    pages.set(number, { rows, shown: shown(rows), revision, old: old || isOld(revision) });
  };

  function fetchPage(number: number): Promise<void> {
    const running = underWay.get(number);
    if (running !== undefined) return running;
    const before = pages.get(number);
    if (before !== undefined) before.old = false;
    const fetching = read(number * PAGE, PAGE)
      .then((answer) => {
        // A page marked old again while it was read stays old.
        put(number, answer, pages.get(number)?.old ?? false);
        for (const oldest of pages.keys()) {
          if (pages.size <= PAGES_MAX) break;
          pages.delete(oldest);
        }
        arrived();
      })
      .catch(() => {
        // The view no longer exists (main restarted) or the connection is lost: a new view loads the rows.
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
    rowAt: (index: number) => pages.get(Math.floor(index / PAGE))?.shown[index % PAGE],
    /** `hurried`: the user is scrolling fast, so at most two pages are read at a time. */
    want: (from: number, to: number, hurried: boolean) =>
      each(from, to, (number) => {
        if (hurried && underWay.size >= HURRIED_MAX) return;
        const page = pages.get(number);
        if (page === undefined || page.old) void fetchPage(number);
      }),
    /** Stores rows that came with the view; `from` is the first row of a page. */
    put: (from: number, { rows, revision }: ReadRows) => {
      for (let at = 0; at < rows.length; at += PAGE) {
        put((from + at) / PAGE, { rows: rows.slice(at, at + PAGE), revision });
      }
    },
    /** Reads the pages of these rows that have not loaded. */
    load: async (from: number, to: number) => {
      const reads: Promise<ReadRows>[] = [];
      const numbers: number[] = [];
      each(from, to, (number) => {
        if (pages.has(number)) return;
        numbers.push(number);
        reads.push(read(number * PAGE, PAGE));
      });
      for (const [i, answer] of (await Promise.all(reads)).entries()) put(numbers[i] ?? 0, answer);
    },
    /**
     * Marks pages to be read again when they are next wanted, still shown until then; with IDs, only the pages that
     * contain one of them.
     */
    markOld: (ids?: ReadonlySet<number>) => {
      for (const page of pages.values()) {
        if (ids === undefined || page.rows.some(({ id }) => ids.has(id))) page.old = true;
      }
    },
    /** Applies patched rows to pages that were read before `revision`. Returns the replaced rows by ID. */
    patch: (revision: number): ReadonlyMap<number, WindowRow> => {
      const before = new Map<number, WindowRow>();
      for (const page of pages.values()) {
        if (page.revision >= revision) continue;
        const rows = newest(page);
        for (const [at, row] of rows.entries()) {
          const known = page.rows[at];
          if (known !== undefined && known !== row) before.set(row.id, known);
        }
        page.rows = rows;
        page.shown = shown(rows);
      }
      return before;
    },
    show: () => {
      for (const page of pages.values()) page.shown = shown(page.rows);
    },
    /** Keeps the painted values of these rows as if main had them, until the rows are read again. */
    keepShown: (ids: ReadonlySet<number>) => {
      for (const page of pages.values()) {
        page.rows = page.rows.map((row, at) => (ids.has(row.id) ? (page.shown[at] ?? row) : row));
      }
    },
  };
}

/** Most rows whose issues are kept in memory; beyond it the cache is cleared. */
const ISSUES_MAX = 20_000;

/** Issues of rows, loaded on request or from patches. */
function createRowIssues(ask: (ids: readonly WindowRow['id'][]) => Promise<readonly Issue[]>, arrived: () => void) {
  /** `at` orders patches and requests, so that a response never replaces issues from a later patch. */
  const known = new Map<number, { readonly issues: readonly Issue[]; readonly at: number }>();
  const underWay = new Map<number, number>();
  let count = 0;
  let outdatedAt = 0;
  const isKnown = (id: number): boolean => (known.get(id)?.at ?? -1) >= outdatedAt;
  return {
    of: (id: number) => known.get(id)?.issues,
    /** Loads issues that are missing or outdated. */
    want: async (ids: readonly WindowRow['id'][]) => {
      const missing = ids.filter((id) => !isKnown(id) && (underWay.get(id) ?? -1) < outdatedAt);
      if (missing.length === 0) return;
      if (known.size + missing.length > ISSUES_MAX) known.clear();
      const at = ++count;
      for (const id of missing) underWay.set(id, at);
      try {
        for (let from = 0; from < missing.length; from += WINDOW_MAX) {
          const part = missing.slice(from, from + WINDOW_MAX);
          const byId = Map.groupBy(await ask(part), ({ id }) => id);
          for (const id of part) {
            if ((known.get(id)?.at ?? -1) < at) known.set(id, { issues: byId.get(id) ?? [], at });
          }
        }
        arrived();
      } catch {
        // No connection to main, which the status bar shows; issues are requested again with the rows after
        // reconnecting.
      } finally {
        for (const id of missing) if (underWay.get(id) === at) underWay.delete(id);
      }
    },
    /** Stores the issues from a patch; null if a check is pending, so that they are requested again. */
    tell: (id: number, issues: readonly Issue[] | null) => {
      const at = ++count;
      if (issues !== null) known.set(id, { issues, at });
      else outdatedAt = at;
    },
    /** Marks all issues outdated; they stay visible until they are loaded again. */
    outdate: () => {
      outdatedAt = ++count;
    },
  };
}

/** The result of an edit; the rows, if included, need not be read. */
type Made = Pick<RowsPatch, 'revision'> & Partial<Pick<RowsPatch, 'rows'>>;

/** A view on screen and the way to edit it in place. */
export interface OpenView {
  readonly source: WindowSource;
  /**
   * Runs an edit of cells. Rows keep their positions, although they might sort or match differently now.
   *
   * @param painted values shown at once, until main has confirmed or rejected them
   */
  readonly inPlace: (edit: () => Promise<Made | null>, painted?: readonly Painted[]) => Promise<boolean>;
}

type Changed = Extract<WindowEvent, { readonly type: 'workspace.changed' }>;

/**
 * Keeps a view current:
 *
 *   edit in place --painted--> result with rows ----> patch          its change event is ignored
 *                     |------> result without rows -> refresh
 *                      `-----> failure -------------> painted rows read again
 *   change event with rows -----> patch; reopen if that may move rows
 *   change event without rows --> reopen; refresh while an edit in place is running
 */
export function createOpenView(
  source: WindowSource,
  workspaceId: string,
): OpenView & { readonly hear: (event: WindowEvent) => void } {
  const { kind } = source.request;
  /** Revisions of edits whose result arrived before their change event, which is then ignored. */
  const own = new Set<number>();
  let running = 0;
  let lastRevision = 0;
  /** Change events without rows that arrived during an edit: its result may contain the rows. */
  let held: Changed[] = [];

  const take = ({ revision, kinds, only, patch }: Changed, isInPlace: boolean): void => {
    if (own.delete(revision)) return;
    if (patch !== undefined && !patch.reread.includes(kind)) {
      if (source.patch({ revision, rows: patch.rows }) && !isInPlace) void source.reopen();
      return;
    }
    // Rows of every kind contain the name of their campaign.
    if (!kinds.includes(kind) && !kinds.includes('campaign')) return;
    if (only === 'issues' && !asksForIssues(source.request)) source.refresh(revision, true);
    else if (isInPlace) source.refresh(revision);
    else void source.reopen();
  };
  const answered = ({ revision, rows = null }: Made): 'confirmed' | 'read' => {
    const others = held.filter((event) => event.revision !== revision);
    if (others.length === held.length && revision > Math.max(lastRevision, source.revision())) own.add(revision);
    held = others;
    if (rows === null) source.refresh(revision);
    else source.patch({ revision, rows });
    return rows === null ? 'read' : 'confirmed';
  };
  return {
    source,
    inPlace: async (edit, painted = []) => {
      const end = source.paint(painted);
      running += 1;
      const made = await edit();
      running -= 1;
      end(made === null ? 'back' : answered(made));
      if (made === null) source.rereadRows(new Set(painted.map(({ id }) => id)));
      if (running === 0) {
        const waiting = held;
        held = [];
        for (const event of waiting) take(event, true);
      }
      return made !== null;
    },
    hear: (event) => {
      if (event.type === 'reconnected') void source.reopen();
      if (event.type !== 'workspace.changed' || event.workspaceId !== workspaceId) return;
      if (event.revision < lastRevision) {
        // The workspace was restored from a backup.
        own.clear();
        source.forgetRevisions();
      }
      lastRevision = event.revision;
      if (running > 0 && event.patch === undefined) held.push(event);
      else take(event, running > 0);
    },
  };
}

/** Whether checks may change the rows of a view or their order. Filters are not parsed: each one counts. */
const asksForIssues = ({ filter, only, sort }: Pick<ViewRequest, 'filter' | 'only' | 'sort'>): boolean =>
  filter !== '' || only === 'errors' || only === 'warnings' || sort.some(({ column }) => column === 'severity');

/** A prefetched view is closed after this time, in milliseconds: a press that became a drag opens no list. */
const KEPT_MS = 1000;

/**
 * Opens the view of a list while the user presses the list's name, so that most rows have loaded when the click opens
 * the list:
 *
 *   press -> prepare --> view is loading --> take -> shown
 *                            \--> closed after a second, or when rows change before that
 */
export interface PrefetchedView {
  prepare(workspaceId: string, request: ViewRequest): void;
  /** The view, if `prepare` was called with this request; the caller then has to close it. */
  take(workspaceId: string, request: ViewRequest): WindowSource | null;
}

export function createPrefetchedView(client: Client, events: Events): PrefetchedView {
  let held: { readonly key: string; readonly source: WindowSource } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    held?.source.close();
    held = null;
  };
  events.on((event) => {
    if (event.type === 'workspace.changed' || event.type === 'reconnected') drop();
  });
  return {
    prepare: (workspaceId, request) => {
      drop();
      held = { key: keyOf(workspaceId, request), source: createWindowSource(client, workspaceId, request) };
      timer = setTimeout(drop, KEPT_MS);
    },
    take: (workspaceId, request) => {
      if (held?.key !== keyOf(workspaceId, request)) return null;
      const { source } = held;
      clearTimeout(timer);
      held = null;
      return source;
    },
  };
}

const keyOf = (workspaceId: string, { kind, campaignId, filter, only, sort, ...more }: ViewRequest): string =>
  JSON.stringify([workspaceId, kind, campaignId, filter, only, sort, more.look ?? null, more.group ?? null]);

/** All rows of a kind, in the account or in one campaign, in default order: the view of a newly opened list. */
export const wholeList = (
  kind: ViewRequest['kind'],
  campaignId: number | null,
  group: GroupBy | null = null,
): ViewRequest => ({
  group,
  kind,
  campaignId,
  filter: '',
  only: 'all',
  sort: [],
});
