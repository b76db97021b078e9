import type { ReportLook, ReportSnapshot, ReportView, ReportWish } from '../../shared/contract/reports.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { FigureColumn } from '../../shared/reports/figure-column.ts';
import { type ReportTable, readReport } from '../../shared/reports/report-table.ts';
import type { ReportedKind } from '../../shared/reports/reported-kinds.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { notWritableFrom } from '../workspace/not-writable.ts';
import type { NotWritable } from '../workspace/port.ts';
import type { ReportProblem, ReportRows } from './fetch-report.ts';
import { viewReport } from './report-view.ts';
import { type FiguresById, figureColumn, figuresById } from './row-figures.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** The reports of one account: asked for once a day, kept for good, looked at in many ways. */
export interface ReportService {
  list: SnapshotStore['list'];
  today: ReportDeps['today'];
  /** `kept` is true when today's answer to the same wish was there already and nothing was sent. */
  request(
    wish: ReportWish,
    again: boolean,
  ): Promise<Result<{ readonly snapshot: ReportSnapshot; readonly kept: boolean }, ReportProblem | NotWritable>>;
  /** @returns null when no such report is kept */
  view(id: string, look: ReportLook): Promise<ReportView | null>;
  /** Figures of rows by the service's ids, without those the report does not know; null when no such report is kept. */
  ofRows(
    id: string,
    kind: ReportedKind,
    remoteIds: readonly string[],
  ): Promise<readonly { readonly remoteId: string; readonly figures: Record<string, number> }[] | null>;
  /** One figure of every row the report knows; null when no such report is kept. */
  column(id: string, kind: ReportedKind, figure: string): Promise<FigureColumn | null>;
  rows(id: string): Promise<{ readonly snapshot: ReportSnapshot; readonly rows: ReportRows } | null>;
  remove(id: string): Promise<boolean>;
}

export interface ReportDeps {
  readonly store: SnapshotStore;
  readonly fetch: (wish: ReportWish) => Promise<Result<ReportRows, ReportProblem>>;
  readonly nowMs: () => number;
  /** The day at the business; on a practice account the day of its clock. */
  readonly today: () => Promise<PlainDate>;
}

export function createReportService({ store, fetch, nowMs, today }: ReportDeps): ReportService {
  // The report on screen is asked about again and again; it is read from disk once.
  let open: { readonly id: string; readonly table: ReportTable } | null = null;
  // The grid asks for page after page of the same report.
  let joined: { readonly id: string; readonly kind: ReportedKind; readonly byId: FiguresById } | null = null;
  const underWay = new Map<string, ReturnType<ReportService['request']>>();

  const ask: ReportService['request'] = async (wish, again) => {
    const fetchedOn = await today();
    if (!again) {
      const { snapshots } = await store.list();
      const kept = snapshots.find((each) => each.fetchedOn === fetchedOn && keyOf(each) === keyOf(wish));
      if (kept !== undefined) return ok({ snapshot: kept, kept: true });
    }
    const fetched = await fetch(wish);
    if (!fetched.ok) return fetched;
    try {
      return ok({ snapshot: await store.keep(wish, fetched.value, { fetchedAt: nowMs(), fetchedOn }), kept: false });
    } catch (thrown) {
      const problem = notWritableFrom(thrown);
      if (problem === null) throw thrown;
      return err(problem);
    }
  };

  const rows: ReportService['rows'] = async (id) => {
    const snapshot = await store.find(id);
    const found = snapshot === null ? null : await store.read(id);
    return snapshot === null || found === null ? null : { snapshot, rows: found };
  };

  const joinedBy = async (id: string, kind: ReportedKind): Promise<FiguresById | null> => {
    if (joined?.id === id && joined.kind === kind) return joined.byId;
    const found = await store.read(id);
    if (found === null) return null;
    const byId = figuresById(readReport(found), kind);
    joined = { id, kind, byId };
    return byId;
  };

  return {
    list: store.list,
    today,
    // A second click while the answer is on its way waits for the same answer.
    request: (wish, again) => {
      const key = keyOf(wish);
      const asked = underWay.get(key) ?? ask(wish, again).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return asked;
    },
    view: async (id, look) => {
      const snapshot = await store.find(id);
      if (snapshot === null) return null;
      if (open?.id !== id) {
        const found = await store.read(id);
        if (found === null) return null;
        open = { id, table: readReport(found) };
      }
      return viewReport(snapshot, open.table, look);
    },
    ofRows: async (id, kind, remoteIds) => {
      const byId = await joinedBy(id, kind);
      return (
        byId &&
        remoteIds.flatMap((remoteId) => {
          const figures = byId.get(remoteId);
          return figures === undefined ? [] : [{ remoteId, figures }];
        })
      );
    },
    column: async (id, kind, figure) => {
      const byId = await joinedBy(id, kind);
      return byId && figureColumn(byId, figure);
    },
    rows,
    remove: (id) => {
      if (open?.id === id) open = null;
      if (joined?.id === id) joined = null;
      return store.remove(id);
    },
  };
}

const keyOf = ({ reportType, startDate, endDate, byDate }: ReportWish): string =>
  JSON.stringify([reportType, startDate, endDate, byDate]);
