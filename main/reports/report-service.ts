import { join } from 'node:path';
import { z } from 'zod';
import type { AppEvent } from '../../shared/api/app.ts';
import {
  REPORT_TYPES,
  type ReportJob,
  type ReportQuery,
  type ReportSnapshot,
  type ReportView,
} from '../../shared/api/reports.ts';
import { jsonText } from '../../shared/api/scalars.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate, WorkspaceId } from '../../shared/model/scalars.ts';
import type { ReportedKind } from '../../shared/reports/metric.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import {
  figuresOf,
  type Group,
  groupBy,
  groupingsOf,
  type ReportTable,
  readReport,
  sortGroups,
  totalOf,
} from '../../shared/reports/report-table.ts';
import { reportJobText } from '../../shared/reports/report-words.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import type { NotificationLog } from '../core/notification-log.ts';
import { createPersistedList } from '../store/account-settings.ts';
import { notWritableOrThrow } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import type { Workspace } from '../store/workspace.ts';
import {
  askAboutJob,
  askForReport,
  type ReportAnswer,
  type ReportOptions,
  type ReportProblem,
} from './fetch-report.ts';
import type { ReceivedReport, ReportRows } from './read-report-file.ts';
import { createJobStore, createReportJobs, optionsKey, type ReportJobs } from './report-jobs.ts';
import { createSnapshotStore, type ReportReadError, type ReportStore } from './report-store.ts';

/** The reports of one account: requested once a day, saved permanently, shown in different views. */
export type ReportService = ReturnType<typeof createReportService>;

type Answered = Result<Requested, ReportProblem | NotWritable>;
export type Requested =
  | { readonly is: 'report'; readonly snapshot: ReportSnapshot; readonly kept: boolean }
  | { readonly is: 'job'; readonly job: ReportJob };

type RowFigures = {
  readonly remoteId: string;
  readonly figures: Record<string, number>;
};

interface ReportDeps {
  readonly store: ReportStore;
  readonly jobs: ReportJobs;
  readonly ask: (options: ReportOptions) => Promise<Result<ReportAnswer, ReportProblem>>;
  readonly nowMs: () => number;
  /** The business day; for a practice account the day of its clock. */
  readonly today: () => Promise<PlainDate>;
  readonly profile: Pick<DeploymentSettings, 'report'>;
  readonly types: RememberedTypes;
}

/** Report types specific to the deployment, remembered after a successful request. */
type RememberedTypes = ReturnType<typeof rememberedTypes>;

/** How long a call waits for a report in progress before the job continues in the background. */
const PATIENCE_MS = 4000;

export function createReportService(deps: ReportDeps) {
  const { store, jobs, nowMs, today, profile } = deps;
  // Cache of the report on screen, which is read again and again.
  let open: { readonly id: string; readonly table: ReportTable } | null = null;
  // Cache for the grid, which reads page after page of the same report.
  let joined: { readonly id: string; readonly kind: ReportedKind; readonly byId: FiguresById } | null = null;
  const underWay = new Map<string, Promise<Answered>>();
  const requested = new Set<string>();

  /** Options as sent: the user's value, else that of the deployment settings. */
  const resolved = ({ attributionWindow, format, ...options }: ReportOptions): ReportOptions => {
    const own = attributionWindow === undefined ? profile.report.attributionWindow : (attributionWindow ?? '');
    const packed = format === undefined ? profile.report.format : (format ?? '');
    return {
      ...options,
      ...(own === '' ? {} : { attributionWindow: own }),
      ...(packed === '' ? {} : { format: packed }),
    };
  };

  const keep = async (
    options: ReportOptions,
    report: ReceivedReport,
    fetchedOn: PlainDate,
  ): Promise<ReportSnapshot> => {
    await deps.types.remember(options.reportType);
    return store.keep(options, report, { fetchedAt: nowMs(), fetchedOn });
  };

  /** Returns the report or the reason of a job that has just ended, so that the job is not listed. */
  const resultOf = async (job: ReportJob): Promise<Result<Requested, ReportProblem>> => {
    if (job.state === 'waiting') return ok({ is: 'job', job });
    await jobs.remove(job.snapshotId);
    const snapshot = job.reportId === null ? null : await store.find(job.reportId);
    if (snapshot !== null) return ok({ is: 'report', snapshot, kept: false });
    return err({ kind: 'refused', message: job.detail === '' ? `the report ${job.state}` : job.detail });
  };

  const ask = async (options: ReportOptions, again: boolean): Promise<Answered> => {
    const isRead = options.background === undefined;
    const pending = (await jobs.list()).jobs.find(
      (job) => job.state === 'waiting' && optionsKey(job) === optionsKey(options),
    );
    if (pending !== undefined && isRead) await jobs.adopt(pending.snapshotId);
    if (pending !== undefined) return resultOf((await jobs.wait(pending.snapshotId, 0)) ?? pending);
    const fetchedOn = await today();
    if (!again) {
      const { snapshots } = await store.list();
      const kept = snapshots.find((each) => each.fetchedOn === fetchedOn && optionsKey(each) === optionsKey(options));
      const snapshot = kept !== undefined && isRead ? await store.adopt(kept.id) : kept;
      if (snapshot != null) return ok({ is: 'report', snapshot, kept: true });
    }
    const answer = await deps.ask(options);
    if (!answer.ok) return answer;
    if (answer.value.is === 'report') {
      return ok({ is: 'report', snapshot: await keep(options, answer.value.report, fetchedOn), kept: false });
    }
    await deps.types.remember(options.reportType);
    const begun = await jobs.begin(options, answer.value);
    return resultOf((await jobs.wait(begun.snapshotId, PATIENCE_MS)) ?? begun);
  };

  const asking = async (options: ReportOptions, again: boolean): Promise<Answered> => {
    try {
      return await ask(options, again);
    } catch (thrown) {
      return err(notWritableOrThrow(thrown));
    }
  };

  const rows = async (
    id: string,
  ): Promise<Result<{ readonly snapshot: ReportSnapshot; readonly rows: ReportRows }, ReportReadError>> => {
    const snapshot = await store.find(id);
    if (snapshot === null) return fail('NO_REPORT', { id });
    const found = await store.read(id);
    return found.ok ? ok({ snapshot, rows: found.value }) : found;
  };

  const joinedBy = async (id: string, kind: ReportedKind): Promise<Result<FiguresById, ReportReadError>> => {
    if (joined?.id === id && joined.kind === kind) return ok(joined.byId);
    const found = await store.read(id);
    if (!found.ok) return found;
    const byId = figuresById(readReport(found.value), kind);
    joined = { id, kind, byId };
    return ok(byId);
  };

  return {
    store,
    /** Reports of the user, without those fetched only for metrics. */
    list: async (): ReturnType<ReportStore['list']> => {
      const { snapshots, damaged } = await store.list();
      return { snapshots: snapshots.filter(({ background }) => background === undefined), damaged };
    },
    /** All reports, and the paths of their files. */
    listAll: store.list,
    fileOf: store.fileOf,
    /** Reports in progress that the user requested. */
    jobsToRead: async () => {
      const { jobs: all, damaged } = await jobs.list();
      return { jobs: all.filter(({ background }) => background === undefined), damaged };
    },
    today,
    jobs,
    /** Types beyond the document: those of the deployment, and those requested successfully. */
    types: async (): Promise<readonly string[]> => [
      ...new Set([...profile.report.types, ...(await deps.types.read())]),
    ],
    /** Whether these days of a type are requested for the first time since the program started. Records the request. */
    isFirstRequest: (reportType: string, days: DaySpan): boolean => {
      const key = requestKey(reportType, days);
      const isFirst = !requested.has(key);
      requested.add(key);
      return isFirst;
    },
    forgetRequest: (reportType: string, days: DaySpan): void => void requested.delete(requestKey(reportType, days)),
    /**
     * Returns the report, or a job if it is not ready within a few seconds. `kept` is true if a report of today with
     * the same options was saved already and nothing was sent. Equal requests that are still running are joined.
     */
    request: (wanted: ReportOptions, again: boolean): Promise<Result<Requested, ReportProblem | NotWritable>> => {
      const options = resolved(wanted);
      const key = `${optionsKey(options)} ${options.background}`;
      const asked = underWay.get(key) ?? asking(options, again).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return asked;
    },
    view: async (id: string, look: ReportQuery): Promise<Result<ReportView, ReportReadError>> => {
      const snapshot = await store.find(id);
      if (snapshot === null) return fail('NO_REPORT', { id });
      if (open?.id !== id) {
        const found = await store.read(id);
        if (!found.ok) return found;
        open = { id, table: readReport(found.value) };
      }
      return ok(viewReport(snapshot, open.table, look));
    },
    /** Figures of rows by service ID, without rows that the report lacks. */
    ofRows: async (
      id: string,
      kind: ReportedKind,
      remoteIds: readonly string[],
    ): Promise<Result<readonly RowFigures[], ReportReadError>> => {
      const byId = await joinedBy(id, kind);
      if (!byId.ok) return byId;
      const known = remoteIds.flatMap((remoteId) => {
        const figures = byId.value.get(remoteId);
        return figures === undefined ? [] : [{ remoteId, figures }];
      });
      return ok(known);
    },
    rows,
    /** The unchanged answer of the service. */
    raw: store.raw,
    remove: (id: string): Promise<boolean> => {
      if (open?.id === id) open = null;
      if (joined?.id === id) joined = null;
      return store.remove(id);
    },
  };
}

const requestKey = (reportType: string, { from, to }: DaySpan): string => `${reportType} ${from} ${to}`;

/** Number of rows in the chart of the top ones. */
const TOP_MAX = 8;
/** Number of campaigns whose charts are shown side by side. */
const MULTIPLES_MAX = 6;
const CAMPAIGN_COLUMN = 'campaignName';

/** A view of a saved report: grouped and sorted rows, their total, and the days for the charts. */
function viewReport(snapshot: ReportSnapshot, table: ReportTable, look: ReportQuery): ReportView {
  const rows = containing(table, look.contains);
  const groupings = groupingsOf(table).map(({ name }) => name);
  const grouping = groupings.includes(look.groupBy) ? look.groupBy : (groupings[0] ?? '');
  const groups = sortGroups(groupBy(table, grouping, rows), look.sortBy, look.descending);
  const total = totalOf(table, rows);
  return {
    snapshot,
    groupBy: grouping,
    groupings,
    figures: figuresOf(table).map(({ column, metric, window }) => ({
      column,
      metric: metric.name,
      window,
      unit: metric.unit,
      derived: metric.derived,
      known: metric.known,
    })),
    unreadable: table.unreadable,
    groups: groups.length,
    page: groups.slice(look.from, look.from + look.count).map((group) => ({ ...group, figures: plain(group) })),
    total: { rows: total.rows, figures: plain(total) },
    top: sortGroups(groups, look.figure, true)
      .slice(0, TOP_MAX)
      .map((group) => ({ label: group.label, figures: plain(group) })),
    days: daysOf(table, rows).map((group) => ({ day: group.label, figures: plain(group) })),
    multiples: multiplesOf(table, rows, look.figure),
  };
}

const plain = ({ figures }: Group): Record<string, number> => Object.fromEntries(figures);

function containing(table: ReportTable, text: string): ReportTable['rows'] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return table.rows;
  const words = table.columns.flatMap((column, at) => (column.is === 'words' ? [at] : []));
  return table.rows.filter((row) =>
    words.some((at) =>
      String(row[at] ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  );
}

function daysOf(table: ReportTable, rows: ReportTable['rows']): readonly Group[] {
  const day = table.columns.find(({ is }) => is === 'day');
  return day === undefined ? [] : groupBy(table, day.name, rows).toSorted((a, b) => (a.label < b.label ? -1 : 1));
}

function multiplesOf(table: ReportTable, rows: ReportTable['rows'], figure: string): ReportView['multiples'] {
  const at = table.columns.findIndex(({ name }) => name === CAMPAIGN_COLUMN);
  const days = daysOf(table, rows).map(({ label }) => label);
  if (at < 0 || days.length === 0) return [];
  const biggest = sortGroups(groupBy(table, CAMPAIGN_COLUMN, rows), figure, true).slice(0, MULTIPLES_MAX);
  return biggest.map(({ label }) => {
    const own = rows.filter((row) => String(row[at] ?? '') === label);
    const byDay = new Map(daysOf(table, own).map((group) => [group.label, group.figures.get(figure) ?? null]));
    return { label, days: days.map((day) => ({ day, value: byDay.get(day) ?? null })) };
  });
}

/** Figures by service ID, in the smallest step of their unit. */
type FiguresById = ReadonlyMap<string, Record<string, number>>;

/**
 * Groups a report by the ID of one kind of row, so that its figures can be shown beside the rows. Sums are added up
 * over days and all other columns; rates are calculated again from them.
 *
 * @returns an empty map for a report without IDs of such rows
 */
function figuresById(table: ReportTable, kind: ReportedKind): FiguresById {
  const wanted = `${kind}Id`.toLowerCase();
  const column = table.columns.find(({ is, name }) => is === 'words' && name.toLowerCase() === wanted);
  if (column === undefined) return new Map();
  const groups = groupBy(table, column.name).filter(({ label }) => label !== '');
  return new Map(groups.map(({ label, figures }) => [label, Object.fromEntries(figures)]));
}

interface ReportsOfAccount {
  /** Contains the reports, and the jobs in a subfolder. */
  readonly folder: string;
  readonly workspaceId: WorkspaceId;
  readonly workspace: Pick<Workspace, 'getMeta' | 'setMeta'>;
  readonly profile: DeploymentSettings;
  readonly clock: Clock;
  readonly sleepState: SleepState | undefined;
  readonly api: () => Promise<PartnerApi>;
  readonly today: () => Promise<PlainDate>;
  readonly notifications: Pick<NotificationLog, 'add'>;
  readonly emit: (event: AppEvent) => void;
  /** @throws WorkspaceClosed for an answer that was cut off because the account closes */
  readonly unlessClosed: <R extends { readonly ok: boolean }>(answer: Promise<R>) => Promise<R>;
  /** Called when a report that was requested in the background has arrived or failed. */
  readonly backgroundEnded?: () => void;
  /** Called with every saved report and its path, before the request is answered. */
  readonly kept?: (snapshot: ReportSnapshot, path: string) => Promise<void>;
}

/** The reports of an open account, connected to its service, notifications and windows. */
export function openReports(account: ReportsOfAccount) {
  const { folder, workspaceId, profile, clock, api, today, notifications, emit } = account;
  const files = createSnapshotStore(folder);
  const store: ReportStore = {
    ...files,
    keep: async (...report) => {
      const snapshot = await files.keep(...report);
      await account.kept?.(snapshot, files.fileOf(snapshot));
      return snapshot;
    },
  };
  const { hosts } = profile.upload;
  const types = rememberedTypes(account.workspace);
  const jobs = createReportJobs({
    store: createJobStore(join(folder, 'jobs')),
    ask: async (job, signal) => askAboutJob({ api: await api(), hosts, signal }, job),
    keep: async (
      { snapshotId, askedOn, reportType, startDate, endDate, byDate, attributionWindow, format, background },
      report,
    ) => {
      // If the program ended after it had saved the report but before the job, the report exists already.
      const known = (await store.list()).snapshots.find((each) => each.snapshotId === snapshotId);
      if (known !== undefined) return known;
      const options = { reportType, startDate, endDate, byDate, attributionWindow, format, background };
      const fetchedOn = plainDate(askedOn) ?? (await today());
      return store.keep(options, report, { fetchedAt: clock.nowMs(), fetchedOn, snapshotId });
    },
    today,
    clock,
    profile,
    sleepState: account.sleepState,
    changed: async (job, isWatched) => {
      const { snapshotId, state } = job;
      const text = reportJobText(job);
      const at = clock.nowMs();
      const isNews = state !== 'waiting' && !isWatched && job.background === undefined;
      // The notification is stored first, so that windows find it when they receive the event.
      if (isNews) await notifications.add({ at, tone: state === 'ready' ? 'good' : 'bad', text, place: 'reports' });
      emit({ type: 'report.job', workspaceId, snapshotId, state, at, text, isNews });
      if (state !== 'waiting' && job.background === true) account.backgroundEnded?.();
    },
  });
  return createReportService({
    store,
    jobs,
    ask: async (options) => account.unlessClosed(askForReport({ api: await api(), hosts }, options)),
    nowMs: () => clock.nowMs(),
    today,
    profile,
    types,
  });
}

const TYPES_KEY = 'reportTypes';
const TYPES_MAX = 50;
const TypesText = jsonText(z.array(z.string()));

function rememberedTypes(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>) {
  const kept = createPersistedList(workspace, TYPES_KEY, (text) => TypesText.parse(text ?? '[]'));
  const isDocumented = (type: string): boolean => REPORT_TYPES.some((known) => known === type);
  return {
    read: kept.read,
    remember: async (type: string): Promise<unknown> => {
      if (isDocumented(type) || (await kept.read()).includes(type)) return;
      await kept.change((known) => [type, ...known.filter((each) => each !== type)].slice(0, TYPES_MAX));
    },
  };
}
