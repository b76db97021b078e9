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
import type { KeptProblem, SnapshotStore } from './snapshot-store.ts';

/** The reports of one account: asked for once a day, kept for good, looked at in many ways. */
export interface ReportService {
  list: SnapshotStore['list'];
  today: ReportDeps['today'];
  /** `kept` is true when today's answer to the same wish was there already and nothing was sent. */
  request(
    wish: ReportWish,
    again: boolean,
  ): Promise<Result<{ readonly snapshot: ReportSnapshot; readonly kept: boolean }, ReportProblem | NotWritable>>;
  view(id: string, look: ReportLook): Promise<Result<ReportView, KeptProblem>>;
  /** Figures of rows by the service's ids, without those the report does not know. */
  ofRows(
    id: string,
    kind: ReportedKind,
    remoteIds: readonly string[],
  ): Promise<Result<readonly RowFigures[], KeptProblem>>;
  /** One figure of every row the report knows. */
  column(id: string, kind: ReportedKind, figure: string): Promise<Result<FigureColumn, KeptProblem>>;
  rows(id: string): Promise<Result<{ readonly snapshot: ReportSnapshot; readonly rows: ReportRows }, KeptProblem>>;
  remove(id: string): Promise<boolean>;
}

export interface RowFigures {
  readonly remoteId: string;
  readonly figures: Record<string, number>;
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
    if (snapshot === null) return err({ kind: 'not-kept' });
    const found = await store.read(id);
    return found.ok ? ok({ snapshot, rows: found.value }) : found;
  };

  const joinedBy = async (id: string, kind: ReportedKind): Promise<Result<FiguresById, KeptProblem>> => {
    if (joined?.id === id && joined.kind === kind) return ok(joined.byId);
    const found = await store.read(id);
    if (!found.ok) return found;
    const byId = figuresById(readReport(found.value), kind);
    joined = { id, kind, byId };
    return ok(byId);
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
      if (snapshot === null) return err({ kind: 'not-kept' });
      if (open?.id !== id) {
        const found = await store.read(id);
        if (!found.ok) return found;
        open = { id, table: readReport(found.value) };
      }
      return ok(viewReport(snapshot, open.table, look));
    },
    ofRows: async (id, kind, remoteIds) => {
      const byId = await joinedBy(id, kind);
      if (!byId.ok) return byId;
      const known = remoteIds.flatMap((remoteId) => {
        const figures = byId.value.get(remoteId);
        return figures === undefined ? [] : [{ remoteId, figures }];
      });
      return ok(known);
    },
    column: async (id, kind, figure) => {
      const byId = await joinedBy(id, kind);
      return byId.ok ? ok(figureColumn(byId.value, figure)) : byId;
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
