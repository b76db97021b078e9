import type { ReportJob, ReportLook, ReportSnapshot, ReportView, ReportWish } from '../../shared/contract/reports.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import type { FigureColumn } from '../../shared/reports/figure-column.ts';
import { type ReportTable, readReport } from '../../shared/reports/report-table.ts';
import type { ReportedKind } from '../../shared/reports/reported-kinds.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { notWritableFrom } from '../workspace/not-writable.ts';
import type { NotWritable } from '../workspace/types.ts';
import type { ReportAnswer, ReportProblem } from './fetch-report.ts';
import { wishKey } from './job-store.ts';
import type { ReceivedReport, ReportRows } from './read-report-file.ts';
import type { ReportJobs } from './report-jobs.ts';
import { viewReport } from './report-view.ts';
import { type FiguresById, figureColumn, figuresById } from './row-figures.ts';
import type { KeptProblem, SnapshotStore } from './snapshot-store.ts';

/** The reports of one account: asked for once a day, kept for good, looked at in many ways. */
export interface ReportService {
  list: SnapshotStore['list'];
  today: ReportDeps['today'];
  /** Types beside those of the document that the deployment knows, or that were asked for with success. */
  types(): Promise<readonly string[]>;
  /**
   * The report, or a job when it is not there within a few seconds. `kept` is true when today's answer to the same wish was
   * there already and nothing was sent; a wish that a job waits for joins it.
   */
  request(wish: ReportWish, again: boolean): Promise<Result<Requested, ReportProblem | NotWritable>>;
  readonly jobs: ReportJobs;
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
  /** The answer of the service to the byte. */
  raw: SnapshotStore['raw'];
  remove(id: string): Promise<boolean>;
}

export type Requested =
  | { readonly is: 'report'; readonly snapshot: ReportSnapshot; readonly kept: boolean }
  | { readonly is: 'job'; readonly job: ReportJob };

export interface RowFigures {
  readonly remoteId: string;
  readonly figures: Record<string, number>;
}

export interface ReportDeps {
  readonly store: SnapshotStore;
  readonly jobs: ReportJobs;
  readonly ask: (wish: ReportWish) => Promise<Result<ReportAnswer, ReportProblem>>;
  readonly nowMs: () => number;
  /** The day at the business; on a practice account the day of its clock. */
  readonly today: () => Promise<PlainDate>;
  readonly profile: Pick<DeploymentProfile, 'report'>;
  readonly types: RememberedTypes;
}

/** Types of report that only the deployment knows, remembered once one of them was understood. */
export interface RememberedTypes {
  read(): Promise<readonly string[]>;
  remember(type: string): Promise<unknown>;
}

/** How long a call waits for a report that the service makes in the background, before the job goes on without it. */
const PATIENCE_MS = 4000;

export function createReportService(deps: ReportDeps): ReportService {
  const { store, jobs, nowMs, today, profile } = deps;
  // The report on screen is asked about again and again; it is read from disk once.
  let open: { readonly id: string; readonly table: ReportTable } | null = null;
  // The grid asks for page after page of the same report.
  let joined: { readonly id: string; readonly kind: ReportedKind; readonly byId: FiguresById } | null = null;
  const underWay = new Map<string, ReturnType<ReportService['request']>>();

  /** What is sent: the user's own word, else that of the deployment settings. */
  const resolved = ({ attributionWindow, format, ...wish }: ReportWish): ReportWish => {
    const own = attributionWindow === undefined ? profile.report.attributionWindow : (attributionWindow ?? '');
    const packed = format === undefined ? profile.report.format : (format ?? '');
    return { ...wish, ...(own === '' ? {} : { attributionWindow: own }), ...(packed === '' ? {} : { format: packed }) };
  };

  const keep = async (wish: ReportWish, report: ReceivedReport, fetchedOn: PlainDate): Promise<ReportSnapshot> => {
    await deps.types.remember(wish.reportType);
    return store.keep(wish, report, { fetchedAt: nowMs(), fetchedOn });
  };

  /** A job that is over by now: whoever asked gets the report, or the reason, and nobody has to look for it in the list. */
  const standing = async (job: ReportJob): Promise<Result<Requested, ReportProblem>> => {
    if (job.state === 'waiting') return ok({ is: 'job', job });
    await jobs.remove(job.snapshotId);
    const snapshot = job.reportId === null ? null : await store.find(job.reportId);
    if (snapshot !== null) return ok({ is: 'report', snapshot, kept: false });
    return err({ kind: 'refused', message: job.detail === '' ? `the report ${job.state}` : job.detail });
  };

  const ask = async (wish: ReportWish, again: boolean): ReturnType<ReportService['request']> => {
    const pending = (await jobs.list()).jobs.find((job) => job.state === 'waiting' && wishKey(job) === wishKey(wish));
    if (pending !== undefined) return standing((await jobs.wait(pending.snapshotId, 0)) ?? pending);
    const fetchedOn = await today();
    if (!again) {
      const { snapshots } = await store.list();
      const kept = snapshots.find((each) => each.fetchedOn === fetchedOn && wishKey(each) === wishKey(wish));
      if (kept !== undefined) return ok({ is: 'report', snapshot: kept, kept: true });
    }
    const answer = await deps.ask(wish);
    if (!answer.ok) return answer;
    if (answer.value.is === 'report') {
      return ok({ is: 'report', snapshot: await keep(wish, answer.value.report, fetchedOn), kept: false });
    }
    await deps.types.remember(wish.reportType);
    const begun = await jobs.begin(wish, answer.value);
    return standing((await jobs.wait(begun.snapshotId, PATIENCE_MS)) ?? begun);
  };

  const asking = async (wish: ReportWish, again: boolean): ReturnType<ReportService['request']> => {
    try {
      return await ask(wish, again);
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
    jobs,
    types: async () => [...new Set([...profile.report.types, ...(await deps.types.read())])],
    // A second click while the answer is on its way waits for the same answer.
    request: (wanted, again) => {
      const wish = resolved(wanted);
      const key = wishKey(wish);
      const asked = underWay.get(key) ?? asking(wish, again).finally(() => underWay.delete(key));
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
    raw: store.raw,
    remove: (id) => {
      if (open?.id === id) open = null;
      if (joined?.id === id) joined = null;
      return store.remove(id);
    },
  };
}
