import type { GroupBy } from '../../shared/api/choices.ts';
import { WINDOW_MAX } from '../../shared/api/limits.ts';
import type { MetricsLook } from '../../shared/api/metrics.ts';
import type { RowsPatch, ViewSpec, WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Finding } from '../../shared/rules/rule.ts';
import type { DeskEvent, Events } from '../app/queries.ts';
import type { Sort } from '../app/store/navigation-slice.ts';
import type { Client } from '../app/transport/connection.ts';
import { groupedLines, type Lines, type Outline, plainLines } from './lines.ts';

/** During a sync changes come in a stream; a view is opened anew this often at most. */
const REOPEN_MS = 200;
/** Rows of patches that are remembered for pages on their way: several patches of the largest size. */
const PATCHED_MAX = 4000;

/** What the grid asks for: everything of `ViewSpec` except what has a default. */
export type ViewRequest = Readonly<Pick<ViewSpec, 'kind' | 'filter' | 'only'>> & {
  readonly campaignId: number | null;
  readonly sort: Sort;
  /** The days whose metrics it is sorted and searched by, if it is. */
  readonly look?: MetricsLook | null;
  /** What its rows are put together by. */
  readonly group?: GroupBy | null;
};

/** A value that is shown before main has confirmed it. `cell` is its place in `WindowRow.cells`. */
export interface Painted {
  readonly id: number;
  readonly cell: number;
  readonly value: Cell;
}

/**
 * The rows of one view, of which only the pages on screen and their neighbours are here.
 *
 *   patch():   rows replaced by id, in pages that were read before it              (order stays, nothing is read)
 *   refresh(): pages marked old -> read again when wanted                          (order stays, values are new)
 *   reopen():  a new view in main -> its first wanted rows -> swapped in at once   (order and length are new)
 *
 * Old rows stay on screen until new ones have arrived, so nothing flickers.
 */
export interface WindowSource {
  readonly request: ViewRequest;
  /** The number main knows the view by; a new one after each reopening. */
  viewId(): number;
  length(): number;
  /** Rows and heads of groups, as they stand below each other. */
  lines(): Lines;
  /** Folds or unfolds groups by their place; null for all of them. */
  foldGroups(groups: readonly number[] | null, fold: boolean): void;
  /** The last change that is known to be in rows that were read. */
  revision(): number;
  /** Undefined while the row's page has not arrived. */
  rowAt(index: number): WindowRow | undefined;
  /** The rows from a place up to, but without, another; null while one of them has not arrived. */
  rowsHere(from: number, to: number): readonly WindowRow[] | null;
  /** What is said about a row; undefined while nothing is known, and for a row without a mark. */
  findingsOf(row: WindowRow): readonly Finding[] | undefined;
  /** Sees to it that these rows arrive. Cheap to call on every scroll event. */
  want(from: number, to: number, hurried?: boolean): void;
  /** The same for rows that are not on screen but told about elsewhere; what is on screen stays what it is. */
  wantBeside(from: number, to: number): void;
  /** Sees to it that what is said about these rows arrives. */
  wantFindings(from: number, to: number): Promise<void>;
  /** The order in main would be different by now; shown so that the user may ask for it. */
  isOutOfOrder(): boolean;
  problem(): unknown;
  ready(): boolean;
  /**
   * Takes rows over as they are after an edit. Patches that are known already, or older than what is known, do nothing.
   *
   * @returns whether the view may have other rows, or another order, by now
   */
  patch(patch: Pick<RowsPatch, 'revision' | 'rows'>): boolean;
  /** Reads anew what is older than `revision`. `keepsOrder`: what has changed cannot have moved rows of this view. */
  refresh(revision?: number, keepsOrder?: boolean): void;
  rereadRows(ids: ReadonlySet<number>): void;
  reopen(): Promise<void>;
  /** Shows values until `end`: `confirmed` by a patch, kept until they are `read` anew, or taken `back`. */
  paint(cells: readonly Painted[]): (end: 'confirmed' | 'read' | 'back') => void;
  /** The workspace is another one than before: revisions that were heard of mean nothing any more. */
  forgetRevisions(): void;
  /** Reads rows outside the cache, for copying and for edits of long ranges. */
  readRows(from: number, to: number): Promise<readonly WindowRow[]>;
  /** Where a row stands, null when it does not. Fails when main is away. */
  indexOf(id: WindowRow['id']): Promise<number | null>;
  version(): number;
  subscribe(listener: () => void): () => void;
  /** Another view takes its place, as soon as that has rows. */
  isClosed(): boolean;
  close(): void;
}

/** The groups of the rows at the beginning of a view, the last of which seems to go on to its end. */
function outlineOfRows(rows: readonly WindowRow[]): Outline {
  const heads = rows.flatMap(({ campaignId }, at) =>
    at === 0 || campaignId !== rows[at - 1]?.campaignId ? [{ at, key: campaignId ?? 0 }] : [],
  );
  return { from: heads.map(({ at }) => at), keys: heads.map(({ key }) => key), isOpen: true };
}

export function createWindowSource(client: Client, workspaceId: string, request: ViewRequest): WindowSource {
  const { kind, campaignId } = request;
  const listeners = new Set<() => void>();
  /** Rows that patches have brought, the newest last: a page may arrive that was read before them. */
  const patched = new Map<number, { readonly revision: number; readonly row: WindowRow }>();
  const paints = new Set<readonly Painted[]>();
  let paintedById: ReadonlyMap<number, readonly Painted[]> = new Map();
  const findings = createRowFindings(
    async (ids) => (await client.workspace.rowFindings({ workspaceId, kind, ids: [...ids] })).findings,
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
  /** Rows have changed in a way that no patch has told, so that main has to say whether the order is old. */
  let isOrderUnknown = false;
  /** Pages that were read at a lower revision are old as they arrive. */
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
  /** Rows that came or went have moved the groups. */
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

  // Many pages may arrive in one turn; listeners hear of them once.
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
      // The first rows wait for no outline: of a million rows it is known long after them.
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
      // What is missing when the view has become shorter than what was looked at.
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
      findings.outdate();
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

  const wantAgain = (): void => {
    pages?.want(wanted.from, Math.min(wanted.to, length), false);
  };
  /** Whether rows that differ like this may belong elsewhere in the view, or not into it. */
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
    viewId: () => viewId,
    length: () => length,
    lines: () => lines,
    foldGroups: (groups, fold) => {
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
    revision: () => revision,
    rowAt: (index) => pages?.rowAt(index),
    rowsHere: (from, to) => {
      const rows: WindowRow[] = [];
      for (let at = from; at < to; at += 1) {
        const row = pages?.rowAt(at);
        if (row === undefined) return null;
        rows.push(row);
      }
      return rows;
    },
    findingsOf: (row) => (row.severity === null ? undefined : findings.of(row.id)),
    want: (from, to, hurried = false) => {
      wanted = { from, to };
      pages?.want(from, Math.min(to, length), hurried);
    },
    wantBeside: (from, to) => pages?.want(from, Math.min(to, length), false),
    wantFindings: async (from, to) => {
      const marked: WindowRow[] = [];
      for (let at = from; at < Math.min(to, length); at += 1) {
        const row = pages?.rowAt(at);
        if (row !== undefined && row.severity !== null) marked.push(row);
      }
      await findings.want(marked.map(({ id }) => id));
    },
    isOutOfOrder: () => outOfOrder,
    problem: () => problem,
    ready: () => pages !== null,
    patch: ({ revision: made, rows }) => {
      const fresh = (rows ?? []).filter(
        ({ kind: of, row }) => of === kind && (patched.get(row.id)?.revision ?? 0) < made,
      );
      for (const { row, findings: said } of fresh) {
        patched.delete(row.id);
        patched.set(row.id, { revision: made, row });
        findings.tell(row.id, said);
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
    refresh: (below = 0, keepsOrder = false) => {
      oldBelow = Math.max(oldBelow, below);
      isOrderUnknown ||= !keepsOrder;
      findings.outdate();
      pages?.markOld();
      wantAgain();
    },
    rereadRows: (ids) => {
      pages?.markOld(ids);
      wantAgain();
    },
    reopen,
    paint: (cells) => {
      paints.add(cells);
      showPaints();
      return (end) => {
        if (end === 'read') pages?.keepShown(new Set(cells.map(({ id }) => id)));
        paints.delete(cells);
        showPaints();
      };
    },
    forgetRevisions: () => {
      patched.clear();
      oldBelow = 0;
    },
    readRows: async (from, to) => {
      const rows: WindowRow[] = [];
      for (let at = from; at < Math.min(to, length); at += 500) {
        rows.push(...(await read(viewId, at, Math.min(500, to - at))).rows);
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
    isClosed: () => closed,
    close: () => {
      closed = true;
      if (viewId >= 0) void client.workspace.closeView({ workspaceId, viewId }).catch(() => closeLater());
    },
  };
}

/** A view that cannot be closed now is closed by main together with its workspace. */
function closeLater(): void {}

/** What rows are put in order by, as far as it stands in the rows themselves. */
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
  // Figures of a report stand by the id of the service.
  return at < 0 ? (row) => row.remoteId : (row) => row.cells[at] ?? null;
}

/** Rows per page and pages kept, the oldest going first: 8,000 rows bound the memory of any view. */
const PAGE = 100;
const PAGES_MAX = 80;
const HURRIED_MAX = 2;

/** Rows as main has read them, and the last change that is in them. */
interface ReadRows {
  readonly rows: readonly WindowRow[];
  readonly revision: number;
}

interface Page {
  /** As main has them, and as they are shown: with painted values. */
  rows: readonly WindowRow[];
  shown: readonly WindowRow[];
  readonly revision: number;
  old: boolean;
}

interface PagesOptions {
  readonly read: (from: number, count: number) => Promise<ReadRows>;
  /** Rows that were read, with what patches of later revisions have brought. */
  readonly newest: (read: ReadRows) => readonly WindowRow[];
  readonly shown: (rows: readonly WindowRow[]) => readonly WindowRow[];
  readonly isOld: (revision: number) => boolean;
  readonly arrived: () => void;
  readonly lost: () => void;
}

interface Pages {
  rowAt(index: number): WindowRow | undefined;
  /** `hurried`: the rows are passing by, so at most two pages are read at a time. */
  want(from: number, to: number, hurried: boolean): void;
  /** Rows that came with the view, from the beginning of a page. */
  put(from: number, read: ReadRows): void;
  /** Reads what is not here yet of these rows. */
  load(from: number, to: number): Promise<void>;
  /** Keeps showing what is here, and reads it again when it is wanted next; with ids, the pages that hold one of them. */
  markOld(ids?: ReadonlySet<number>): void;
  /** Takes patched rows over into pages that were read before `revision`. Answers with the rows that were there, by id. */
  patch(revision: number): ReadonlyMap<number, WindowRow>;
  show(): void;
  /** Takes what is shown of these rows for what main has, until it is read again. */
  keepShown(ids: ReadonlySet<number>): void;
}

/** The whole pages that hold these rows, as many as are handed out at once. */
function pagesAround(from: number, to: number): { readonly from: number; readonly count: number } {
  const first = Math.floor(from / PAGE) * PAGE;
  return { from: first, count: Math.min(WINDOW_MAX, Math.max(PAGE, Math.ceil((to - first) / PAGE) * PAGE)) };
}

function createPages({ read, newest, shown, isOld, arrived, lost }: PagesOptions): Pages {
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
    rowAt: (index) => pages.get(Math.floor(index / PAGE))?.shown[index % PAGE],
    want: (from, to, hurried) =>
      each(from, to, (number) => {
        if (hurried && underWay.size >= HURRIED_MAX) return;
        const page = pages.get(number);
        if (page === undefined || page.old) void fetchPage(number);
      }),
    put: (from, { rows, revision }) => {
      for (let at = 0; at < rows.length; at += PAGE) {
        put((from + at) / PAGE, { rows: rows.slice(at, at + PAGE), revision });
      }
    },
    load: async (from, to) => {
      const reads: Promise<ReadRows>[] = [];
      const numbers: number[] = [];
      each(from, to, (number) => {
        if (pages.has(number)) return;
        numbers.push(number);
        reads.push(read(number * PAGE, PAGE));
      });
      for (const [i, answer] of (await Promise.all(reads)).entries()) put(numbers[i] ?? 0, answer);
    },
    markOld: (ids) => {
      for (const page of pages.values()) {
        if (ids === undefined || page.rows.some(({ id }) => ids.has(id))) page.old = true;
      }
    },
    patch: (revision) => {
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
    keepShown: (ids) => {
      for (const page of pages.values()) {
        page.rows = page.rows.map((row, at) => (ids.has(row.id) ? (page.shown[at] ?? row) : row));
      }
    },
  };
}

/** Rows whose findings are remembered at most; scrolling on forgets all and begins again. */
const FINDINGS_MAX = 20_000;

/** What is said about rows, as far as somebody has wanted to know or a patch has told. */
interface RowFindings {
  of(id: number): readonly Finding[] | undefined;
  /** Asks for what is not known or outdated. */
  want(ids: readonly WindowRow['id'][]): Promise<void>;
  /** What is said now; null where a check waits, so that it has to be asked for. */
  tell(id: number, findings: readonly Finding[] | null): void;
  /** What is known stays until it has been asked for again. */
  outdate(): void;
}

function createRowFindings(
  ask: (ids: readonly WindowRow['id'][]) => Promise<readonly Finding[]>,
  arrived: () => void,
): RowFindings {
  /** `at` counts what was told and asked for, so that an answer is not taken for newer than what was told meanwhile. */
  const known = new Map<number, { readonly findings: readonly Finding[]; readonly at: number }>();
  const underWay = new Map<number, number>();
  let count = 0;
  let outdatedAt = 0;
  const isKnown = (id: number): boolean => (known.get(id)?.at ?? -1) >= outdatedAt;
  return {
    of: (id) => known.get(id)?.findings,
    want: async (ids) => {
      const missing = ids.filter((id) => !isKnown(id) && (underWay.get(id) ?? -1) < outdatedAt);
      if (missing.length === 0) return;
      if (known.size + missing.length > FINDINGS_MAX) known.clear();
      const at = ++count;
      for (const id of missing) underWay.set(id, at);
      try {
        for (let from = 0; from < missing.length; from += WINDOW_MAX) {
          const part = missing.slice(from, from + WINDOW_MAX);
          const byId = Map.groupBy(await ask(part), ({ id }) => id);
          for (const id of part) {
            if ((known.get(id)?.at ?? -1) < at) known.set(id, { findings: byId.get(id) ?? [], at });
          }
        }
        arrived();
      } catch {
        // Main is away, which the status bar says; with the rows that come when it is back this is asked again.
      } finally {
        for (const id of missing) if (underWay.get(id) === at) underWay.delete(id);
      }
    },
    tell: (id, findings) => {
      const at = ++count;
      if (findings !== null) known.set(id, { findings, at });
      else outdatedAt = at;
    },
    outdate: () => {
      outdatedAt = ++count;
    },
  };
}

/** What came of an edit: with its rows, they need not be read. */
type Made = Pick<RowsPatch, 'revision'> & Partial<Pick<RowsPatch, 'rows'>>;

/** A view on screen and the way to edit it in place. */
export interface OpenView {
  readonly source: WindowSource;
  /**
   * Runs an edit of cells after which rows keep their places, although they might sort or match differently now.
   *
   * @param painted values that are shown at once, until main has confirmed or refused them
   */
  readonly inPlace: (edit: () => Promise<Made | null>, painted?: readonly Painted[]) => Promise<boolean>;
}

type Changed = Extract<DeskEvent, { readonly type: 'workspace.changed' }>;

/**
 * Keeps a view current:
 *
 *   edit in place --painted--> answer with rows ----> patch          its news says nothing new
 *                     |------> answer without rows -> refresh
 *                      `-----> failure -------------> painted rows read again
 *   news with rows -----> patch; where that may move rows, reopen
 *   news without rows --> reopen; refresh while an edit in place is under way
 */
export function createOpenView(
  source: WindowSource,
  workspaceId: string,
): OpenView & { readonly hear: (event: DeskEvent) => void } {
  const { kind } = source.request;
  /** Own edits that were answered before their news came, which then says nothing new. */
  const own = new Set<number>();
  let running = 0;
  let heard = 0;
  /** News without rows that came while an edit was under way: its answer may bring them. */
  let held: Changed[] = [];

  const take = ({ revision, kinds, only, patch }: Changed, isInPlace: boolean): void => {
    if (own.delete(revision)) return;
    if (patch !== undefined && !patch.reread.includes(kind)) {
      if (source.patch({ revision, rows: patch.rows }) && !isInPlace) void source.reopen();
      return;
    }
    // A campaign's name stands in rows of every kind.
    if (!kinds.includes(kind) && !kinds.includes('campaign')) return;
    if (only === 'findings' && !asksForFindings(source.request)) source.refresh(revision, true);
    else if (isInPlace) source.refresh(revision);
    else void source.reopen();
  };
  const answered = ({ revision, rows = null }: Made): 'confirmed' | 'read' => {
    const others = held.filter((event) => event.revision !== revision);
    if (others.length === held.length && revision > Math.max(heard, source.revision())) own.add(revision);
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
      if (event.revision < heard) {
        // A backup was put in its place.
        own.clear();
        source.forgetRevisions();
      }
      heard = event.revision;
      if (running > 0 && event.patch === undefined) held.push(event);
      else take(event, running > 0);
    },
  };
}

/** Whether checks may change which rows a view shows, or their order; a search is not looked into. */
const asksForFindings = ({ filter, only, sort }: Pick<ViewRequest, 'filter' | 'only' | 'sort'>): boolean =>
  filter !== '' || only === 'errors' || only === 'warnings' || sort.some(({ column }) => column === 'severity');

/** A press that was not followed by a click, because the pointer was dragged away, opens nothing. */
const KEPT_MS = 1000;

/**
 * Opens the view of a list while its name is being pressed, so that its rows are mostly here when the button is let go
 * and the list is asked for:
 *
 *   press -> prepare --> view under way --> take -> shown
 *                            \--> closed after a second, or when rows have changed meanwhile
 */
export interface PrefetchedView {
  prepare(workspaceId: string, request: ViewRequest): void;
  /** The view, if this is the one that was prepared; from then on it is the caller's to close. */
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

/** Every row of a kind, in the account or in one campaign, in its own order: what a list shows when it is gone to. */
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
