import { z } from 'zod';
import { REPORT_TYPES } from '../../shared/api/reports.ts';
import { jsonText } from '../../shared/api/scalars.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { addDays, dateInZone, daysBetween } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { type DayRecord, isYesterdayReady, spansToFetch } from '../../shared/reports/metric-calendar.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import type { SleepState } from '../app/clock.ts';
import type { Workspace } from '../store/workspace.ts';
import { problemWords } from './fetch-report.ts';
import { isPassing, unlessAway } from './report-jobs.ts';
import type { ReportService, Requested } from './report-service.ts';
import type { ReportStore } from './report-store.ts';

interface FetchDeps {
  readonly reports: Pick<ReportService, 'request' | 'jobs'>;
  readonly store: Pick<ReportStore, 'list' | 'remove'>;
  readonly workspace: Pick<Workspace, 'getMeta' | 'setMeta'>;
  readonly profile: Pick<DeploymentSettings, 'report' | 'business'>;
  readonly sleepState: SleepState | undefined;
  /** The service's time, in milliseconds since 1970; for a practice account that of its clock. */
  readonly serviceNowMs: () => Promise<number>;
  readonly nowMs: () => number;
  /** The state of the days of a report type. */
  readonly known: (reportType: string) => Promise<ReadonlyMap<PlainDate, DayRecord>>;
  /** Expected rows per day. */
  readonly rowsPerDay: (reportType: string) => Promise<number>;
  /** The first day that can have metrics; null if unknown. */
  readonly since: () => Promise<PlainDate | null>;
  /** Waits until a report is in the cube. @returns why it is not; empty on success */
  readonly takeIn: (reportId: string) => Promise<string>;
  /** Counts one request against the hourly limit. False if a sync runs or needs the rest. */
  readonly mayAsk: () => Promise<boolean>;
}

export interface DueReport {
  readonly reportType: string;
  readonly startDate: PlainDate;
  readonly endDate: PlainDate;
}

export interface FetchedReport extends DueReport {
  readonly state: 'received' | 'waiting' | 'failed' | 'later';
  /** Why there is no report; empty if unknown. */
  readonly detail: string;
}

export interface FetchOptions {
  /** Omitted: all types and all days that are due. */
  readonly types?: readonly string[];
  readonly span?: DaySpan | null;
  /** Also requests what was already requested today. */
  readonly again?: boolean;
  /** Waits for reports that the service makes in the background; otherwise they are fetched when they are ready. */
  readonly waits: boolean;
  readonly heard?: (report: FetchedReport) => void;
}

const FRESH_KEY = 'metricsFresh';
const REFUSED_KEY = 'metricsRefused';
/** By type: the newest refused day, when it was refused, and why. Earlier days count as refused too. */
const Refused = z.record(z.string(), z.strictObject({ until: z.string(), on: z.string(), why: z.string() }));
const RefusedText = jsonText(Refused);

/** Reports that the service makes at the same time. */
const IN_PROGRESS_MAX = 4;
/** Reports with more rows are requested as a compressed file. */
const INLINE_ROWS = 5000;
const EVERY_MS = 10 * 60_000;
const FIRST_MS = 20_000;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;

/**
 * Requests the days whose metrics are missing or may have changed (`shared/reports/metric-calendar.ts`), through the
 * reports of the account:
 *
 *   due days ──> a report each of up to 60 days, newest first ──> rows | file | job ──> ingested by the cube ──> file dropped after a week
 *                  │ a sync runs, the service is away, half of the hourly limit is used: later
 *                  '─ refused: the type is requested again tomorrow, its days beyond a month in a week
 */
export function createMetricsFetch(deps: FetchDeps) {
  const { reports, store, workspace, profile } = deps;
  let running: Promise<readonly FetchedReport[]> | null = null;
  let timers: readonly NodeJS.Timeout[] = [];

  const refused = async () => RefusedText.parse((await workspace.getMeta(REFUSED_KEY)) ?? '{}');
  const today = async (): Promise<PlainDate> => dateInZone(await deps.serviceNowMs(), profile.business.zone);
  const refuse = async ({ reportType, endDate }: DueReport, why: string): Promise<void> => {
    const entry = { until: endDate, on: await today(), why: why.slice(0, 300) };
    await workspace.setMeta(REFUSED_KEY, JSON.stringify({ ...(await refused()), [reportType]: entry }));
  };
  const forgetRefusal = async ({ reportType, startDate }: DueReport): Promise<void> => {
    const { [reportType]: entry, ...others } = await refused();
    if (entry !== undefined && entry.until >= startDate) await workspace.setMeta(REFUSED_KEY, JSON.stringify(others));
  };

  /** Records for the calendar: the days of the cube, those that were refused, and those in progress. */
  const recordsOf = async (reportType: string, on: PlainDate): Promise<ReadonlyMap<PlainDate, DayRecord>> => {
    const records = new Map(await deps.known(reportType));
    const asked = (day: PlainDate, fetchedOn: PlainDate): void => {
      const record = records.get(day) ?? { is: 'gap' as const, fetchedOn };
      records.set(day, record.fetchedOn < fetchedOn ? { ...record, fetchedOn } : record);
    };
    const refusal = (await refused())[reportType];
    for (let age = 1; refusal !== undefined && age <= profile.report.historyDays; age++) {
      const day = addDays(on, -age);
      if (day <= refusal.until) asked(day, refusal.on as PlainDate);
    }
    for (const job of (await reports.jobs.list()).jobs) {
      if (job.state !== 'waiting' || job.reportType !== reportType || !job.byDate) continue;
      for (let day = job.startDate as PlainDate; day <= job.endDate; day = addDays(day, 1)) asked(day, on);
    }
    return records;
  };

  const due = async (types: readonly string[] = REPORT_TYPES): Promise<readonly DueReport[]> => {
    const nowMs = await deps.serviceNowMs();
    const on = dateInZone(nowMs, profile.business.zone);
    const isReady = isYesterdayReady(nowMs, profile.business.zone, profile.report.readyHour);
    const since = await deps.since();
    const found: DueReport[] = [];
    for (const reportType of types) {
      const moment = { today: on, isReady, since, rowsPerDay: await deps.rowsPerDay(reportType) };
      const spans = spansToFetch(await recordsOf(reportType, on), moment, profile.report);
      found.push(...spans.map(({ from, to }) => ({ reportType, startDate: from, endDate: to })));
    }
    return found.toSorted((a, b) => (a.endDate === b.endDate ? 0 : a.endDate < b.endDate ? 1 : -1));
  };

  /** Failed background jobs are recorded as refused, so that they are not requested again at once. */
  const settleEnded = async (): Promise<void> => {
    for (const job of (await reports.jobs.list()).jobs) {
      if (job.background === undefined || job.state === 'waiting') continue;
      const report = { ...job, startDate: job.startDate as PlainDate, endDate: job.endDate as PlainDate };
      if (job.state !== 'ready') await refuse(report, job.detail === '' ? job.state : job.detail);
      await reports.jobs.remove(job.snapshotId);
    }
  };

  const dropOld = async (): Promise<void> => {
    for (const { id, background, fetchedAt } of (await store.list()).snapshots) {
      if (background === true && deps.nowMs() - fetchedAt > KEPT_DAYS * DAY_MS) await store.remove(id);
    }
  };

  const received = async (report: DueReport, reportId: string): Promise<FetchedReport> => {
    const why = await deps.takeIn(reportId);
    await (why === '' ? forgetRefusal(report) : refuse(report, why));
    return { ...report, state: why === '' ? 'received' : 'failed', detail: why };
  };

  const awaited = async (report: DueReport, snapshotId: string): Promise<FetchedReport> => {
    const job = await reports.jobs.wait(snapshotId, Infinity);
    if (job?.state === 'waiting') return { ...report, state: 'waiting', detail: job.status };
    await reports.jobs.remove(snapshotId);
    if (job?.reportId != null) return received(report, job.reportId);
    const why = job === null ? 'it is no longer waited for' : job.detail || job.state;
    await refuse(report, why);
    return { ...report, state: 'failed', detail: why };
  };

  const request = async (report: DueReport, again: boolean): Promise<FetchedReport | Requested> => {
    const rows = (await deps.rowsPerDay(report.reportType)) * (daysBetween(report.startDate, report.endDate) + 1);
    const packed = profile.report.format === '' && rows > INLINE_ROWS ? { format: 'gzip' } : {};
    const asked = await reports.request({ ...report, ...packed, byDate: true, background: true }, again);
    if (asked.ok) return asked.value;
    const { error } = asked;
    if ('code' in error) return { ...report, state: 'later', detail: error.data.detail };
    const detail = problemWords(error);
    if (isPassing(error)) return { ...report, state: 'later', detail };
    await refuse(report, detail);
    return { ...report, state: 'failed', detail };
  };

  const fetchAll = async ({ types, span, again = false, waits, heard }: FetchOptions) => {
    const wanted =
      span == null
        ? await due(types)
        : chunksOf(span, profile.report.daysMax).flatMap(({ from, to }) =>
            (types ?? REPORT_TYPES).map((reportType) => ({ reportType, startDate: from, endDate: to })),
          );
    const done: FetchedReport[] = [];
    const tell = (report: FetchedReport): void => {
      done.push(report);
      heard?.(report);
    };
    const inProgress = (await reports.jobs.list()).jobs
      .filter(({ state, background }) => state === 'waiting' && background === true)
      .map(({ snapshotId, reportType, startDate, endDate }) => ({
        snapshotId,
        report: { reportType, startDate: startDate as PlainDate, endDate: endDate as PlainDate },
      }));
    const waitForOldest = async (): Promise<void> => {
      const oldest = inProgress.shift();
      if (oldest !== undefined) tell(await awaited(oldest.report, oldest.snapshotId));
    };
    for (const report of wanted) {
      // After a refusal of a type, its earlier days are not requested.
      if (done.some(({ reportType, state }) => reportType === report.reportType && state === 'failed')) continue;
      if (inProgress.length >= IN_PROGRESS_MAX && !waits) break;
      if (inProgress.length >= IN_PROGRESS_MAX) await waitForOldest();
      if (!(await deps.mayAsk())) {
        tell({ ...report, state: 'later', detail: 'a sync needs the service' });
        break;
      }
      const answer = await request(report, again);
      if ('state' in answer) {
        tell(answer);
        if (answer.state === 'later') break;
      } else if (answer.is === 'report') tell(await received(report, answer.snapshot.id));
      else {
        inProgress.push({ snapshotId: answer.job.snapshotId, report });
        if (!waits) tell({ ...report, state: 'waiting', detail: answer.job.status });
      }
    }
    while (waits && inProgress.length > 0) await waitForOldest();
    return done;
  };

  /**
   * One fetch at a time, because a second one would request the same. The first one's failure is reported to its own
   * caller.
   */
  const fetchNow = async (options: FetchOptions): Promise<readonly FetchedReport[]> => {
    while (running !== null) await running.catch(() => null);
    // A running fetch still needs the jobs that it waits for.
    running = settleEnded()
      .then(() => fetchAll(options))
      .finally(() => {
        running = null;
      });
    return running;
  };
  const keepsFresh = async (): Promise<boolean> => (await workspace.getMeta(FRESH_KEY)) === 'on';

  /** Requests what is due, without waiting for jobs. Does nothing if the user turned this off. */
  const tick = async (): Promise<void> => {
    if (running !== null || deps.sleepState?.isResting() === true) return;
    await dropOld();
    if (!(await keepsFresh())) return;
    await fetchNow({ waits: false });
  };
  const work = (): void => void unlessAway(tick());

  return {
    due,
    refused,
    keepsFresh,
    setFresh: (isFresh: boolean): Promise<void> => workspace.setMeta(FRESH_KEY, isFresh ? 'on' : 'off'),
    /** Requests metrics for the user. The first time turns on automatic updates, unless the user turned them off. */
    fetch: async (options: FetchOptions): Promise<readonly FetchedReport[]> => {
      if ((await workspace.getMeta(FRESH_KEY)) === null) await workspace.setMeta(FRESH_KEY, 'on');
      return fetchNow(options);
    },
    tick,
    /** Checks for due days at intervals, until stopped. */
    start: (): void => {
      const first = setTimeout(work, FIRST_MS);
      const later = setInterval(work, EVERY_MS);
      timers = [first.unref(), later.unref()];
    },
    /** Checks for due days at once: a report has arrived, the clock has moved, or the user wants fresh metrics. */
    soon: (): void => {
      if (timers.length > 0) work();
    },
    stop: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
    /** Resolves when no request is running, whether or not the last one failed. */
    idle: async (): Promise<void> => void (await running?.catch(() => null)),
  };
}

function chunksOf({ from, to }: DaySpan, daysMax: number): readonly DaySpan[] {
  const chunks: DaySpan[] = [];
  for (let end = to; end >= from; end = addDays(end, -daysMax)) {
    const start = addDays(end, 1 - daysMax);
    chunks.push({ from: start < from ? from : start, to: end });
  }
  return chunks;
}
