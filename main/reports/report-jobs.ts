import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Failure } from '../../shared/api/operation.ts';
import { ReportJob, type ReportRequest, type ReportSnapshot } from '../../shared/api/reports.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { makeFolders, nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import { diskWords } from '../app/system.ts';
import { notWritableFrom, notWritableOrThrow } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { type JobAnswer, problemWords, type ReportOptions, type ReportProblem } from './fetch-report.ts';
import type { ReceivedReport } from './read-report-file.ts';

/**
 * Reports that the service makes in the background (wire shapes, section 4, "report"):
 *
 *   begin ──> waiting ──polled at growing intervals──> ready: the report is saved
 *                │                    '──────────────> failed | expired: with the reason, until dismissed or requested again
 *                '── the program ends; the next start continues with the saved jobs
 *
 * A failed poll changes nothing: the next one is due later. A job that only fails ends with the hours of its file.
 */
export type ReportJobs = ReturnType<typeof createReportJobs>;

type LookProblem = ReportProblem | NotWritable | Failure<'NO_REPORT'>;

interface JobDeps {
  readonly store: JobStore;
  readonly ask: (job: ReportJob, signal: AbortSignal) => Promise<Result<JobAnswer, ReportProblem>>;
  /** Saves the report of a job, once. */
  readonly keep: (job: ReportJob, report: ReceivedReport) => Promise<ReportSnapshot>;
  readonly today: () => Promise<PlainDate>;
  readonly clock: Clock;
  readonly profile: Pick<DeploymentSettings, 'snapshot' | 'rate'>;
  readonly sleepState?: SleepState | undefined;
  /** Called after every change of a job, and with whether a caller waits for its result. */
  readonly changed: (job: ReportJob, isWatched: boolean) => Promise<unknown>;
}

const HOUR_MS = 3_600_000;
/** Longest delay of a timer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export function createReportJobs(deps: JobDeps) {
  const { store, clock, profile } = deps;
  const underWay = new Map<string, ReturnType<ReportJobs['look']>>();
  const lastLook = new Map<string, number>();
  /** The number of callers that wait for each job. */
  const watched = new Map<string, number>();
  const closing = new AbortController();
  let restsUntil = 0;
  let timer: NodeJS.Timeout | null = null;
  let isResumed = false;

  const dueAt = ({ snapshotId, askedAt }: ReportJob): number => {
    const last = lastLook.get(snapshotId);
    return Math.max(restsUntil, last === undefined ? 0 : last + nextLookMs(last - askedAt));
  };

  const settle = async (job: ReportJob, part: Partial<ReportJob>): Promise<ReportJob> => {
    const next = { ...job, ...part };
    // The job was dismissed during the poll.
    if ((await store.find(job.snapshotId)) === null) return next;
    await store.put(next);
    await deps.changed(next, (watched.get(job.snapshotId) ?? 0) > 0);
    return next;
  };
  const over = (job: ReportJob, state: 'failed' | 'expired', status: string, detail: string): Promise<ReportJob> =>
    settle(job, { state, status, detail: detail.slice(0, 500), endedAt: clock.nowMs() });

  /** The service keeps a file for so many hours; a report that is not ready by then never will be. */
  const isPast = ({ askedAt }: ReportJob): boolean => clock.nowMs() - askedAt > profile.snapshot.ttlHours * HOUR_MS;

  /** An ended job with the same options, or one whose report has been ready for long. */
  const isOutdated = ({ state, endedAt, ...options }: ReportJob, key: string): boolean =>
    state !== 'waiting' &&
    (optionsKey(options) === key ||
      (state === 'ready' && clock.nowMs() - (endedAt ?? 0) > profile.snapshot.ttlHours * HOUR_MS));

  const understand = async (job: ReportJob, answer: JobAnswer): Promise<ReportJob> => {
    const { status } = answer;
    if (answer.is === 'over') return over(job, answer.state, status, answer.detail);
    if (answer.is === 'report') {
      if ((await store.find(job.snapshotId)) === null) return job;
      const { id } = await deps.keep(job, answer.report);
      return settle(job, { state: 'ready', status, reportId: id, endedAt: clock.nowMs() });
    }
    if (isPast(job)) return over(job, 'expired', status, '');
    return status === job.status ? job : settle(job, { status });
  };

  const lookOnce = async (snapshotId: string): Promise<Result<ReportJob, LookProblem>> => {
    const job = await store.find(snapshotId);
    if (job === null) return fail('NO_REPORT', { id: snapshotId });
    if (job.state !== 'waiting') return ok(job);
    const answer = await deps.ask(job, closing.signal);
    lastLook.set(snapshotId, clock.nowMs());
    if (closing.signal.aborted) throw new WorkspaceClosed('the account was closed');
    try {
      if (answer.ok) return ok(await understand(job, answer.value));
      const { error } = answer;
      if (error.kind === 'read') {
        restsUntil = Math.max(restsUntil, clock.nowMs() + restMs(error.failure, profile));
        // The service no longer has the job, as expected after the hours it keeps a file.
        const isGone = error.failure.kind === 'refused' && [404, 410].includes(error.failure.status);
        if (isGone && isPast(job)) return ok(await over(job, 'expired', job.status, ''));
      }
      const isLost = isOfService(error) && isPast(job);
      return isPassing(error) && !isLost ? answer : ok(await over(job, 'failed', job.status, problemWords(error)));
    } catch (thrown) {
      return err(notWritableOrThrow(thrown));
    }
  };

  const look = (snapshotId: string): Promise<Result<ReportJob, LookProblem>> => {
    const asked = underWay.get(snapshotId) ?? lookOnce(snapshotId).finally(() => underWay.delete(snapshotId));
    underWay.set(snapshotId, asked);
    return asked;
  };

  const waiting = async (): Promise<readonly ReportJob[]> =>
    (await store.list()).jobs.filter(({ state }) => state === 'waiting');

  /** One job after the other, so that many jobs don't increase the request rate. */
  const lookAround = async (): Promise<void> => {
    for (const job of await waiting()) {
      if (closing.signal.aborted) return;
      // If the service does not answer about one job, the others are not tried.
      if (dueAt(job) <= clock.nowMs() && !(await look(job.snapshotId)).ok) return;
    }
  };

  const schedule = async (): Promise<void> => {
    if (!isResumed || closing.signal.aborted) return;
    const jobs = await waiting();
    if (timer !== null) clearTimeout(timer);
    if (jobs.length === 0 || closing.signal.aborted) return;
    const waitMs = Math.max(nextLookMs(0), Math.min(...jobs.map(dueAt)) - clock.nowMs());
    // A plain timer that never keeps the program running; nothing depends on its order.
    timer = setTimeout(() => void goOn(), Math.min(waitMs, TIMER_MAX_MS));
    timer.unref();
  };
  const goOn = async (): Promise<void> => {
    if (deps.sleepState?.isResting() !== true) await unlessAway(lookAround());
    await unlessAway(schedule());
  };
  const stopWaking = deps.sleepState?.onWake(() => void goOn());

  const waitFor = async (
    snapshotId: string,
    until: number,
    heard: ((job: ReportJob) => void) | undefined,
  ): Promise<ReportJob | null> => {
    for (;;) {
      const job = await store.find(snapshotId);
      if (job === null || job.state !== 'waiting') return job;
      if (dueAt(job) <= clock.nowMs()) {
        const looked = await look(snapshotId);
        if (!looked.ok && 'code' in looked.error && looked.error.code === 'NOT_WRITABLE') return job;
        heard?.(looked.ok ? looked.value : job);
      } else if (clock.nowMs() >= until) return job;
      else {
        await clock.sleep(Math.max(0, Math.min(until, dueAt(job)) - clock.nowMs()), closing.signal);
        if (closing.signal.aborted) throw new WorkspaceClosed('the account was closed');
      }
    }
  };
  const watching = async <T>(snapshotId: string, work: () => Promise<T>): Promise<T> => {
    watched.set(snapshotId, (watched.get(snapshotId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      watched.set(snapshotId, (watched.get(snapshotId) ?? 1) - 1);
    }
  };

  return {
    list: store.list,
    find: store.find,
    /** Saves a job that the service has just created. An ended one with the same options is deleted. */
    begin: async (
      options: ReportOptions,
      { snapshotId, status }: { readonly snapshotId: string; readonly status: string },
    ): Promise<ReportJob> => {
      const key = optionsKey(options);
      const { jobs } = await store.list();
      for (const job of jobs) if (isOutdated(job, key)) await store.remove(job.snapshotId);
      const job = await store.put({
        ...options,
        snapshotId,
        askedAt: clock.nowMs(),
        askedOn: await deps.today(),
        state: 'waiting',
        status,
        detail: '',
        reportId: null,
        endedAt: null,
      });
      await schedule();
      return job;
    },
    /** Polls the service now. A returned problem is temporary: the job keeps waiting. */
    look,
    /**
     * Waits until the job is over or dismissed, for `forMs` milliseconds at most.
     *
     * @param heard called with the job after each poll
     * @returns the job; null if it was dismissed
     */
    wait: (snapshotId: string, forMs: number, heard?: (job: ReportJob) => void) =>
      watching(snapshotId, () => waitFor(snapshotId, clock.nowMs() + forMs, heard)),
    /** Marks a job that Adslate started for metrics as wanted by the user. */
    adopt: async (snapshotId: string): Promise<void> => {
      const job = await store.find(snapshotId);
      if (job?.background === undefined) return;
      const { background: _, ...own } = job;
      await store.put(own);
    },
    remove: async (snapshotId: string) => {
      lastLook.delete(snapshotId);
      return store.remove(snapshotId);
    },
    /** Continues saved jobs until the service is stopped. */
    resume: () => {
      isResumed = true;
      void unlessAway(schedule());
    },
    /** Polls all jobs soon, because the clock of a practice account has moved. */
    lookSoon: () => {
      lastLook.clear();
      if (isResumed) void goOn();
    },
    /** Stops polling, and cancels downloads. */
    stop: () => {
      closing.abort();
      stopWaking?.();
      if (timer !== null) clearTimeout(timer);
    },
    /** Resolves when no poll is running. */
    idle: async () => void (await Promise.allSettled(underWay.values())),
  };
}

/**
 * Awaits background work and ignores two failures: the account was closed, or its disk failed. The jobs are unchanged
 * then, and are tried again with the next poll, the next start or when the list is opened. Any other failure is a
 * defect.
 */
export async function unlessAway(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof WorkspaceClosed) && diskWords(error) === null && notWritableFrom(error) === null)
      throw error;
  }
}

const FIRST_MS = 2000;
const LAST_MS = 5 * 60_000;
/** Share of the time since the request until the next poll: after one minute, every 15 seconds. */
const SHARE = 4;

/** Milliseconds until the next poll of a job: at first every two seconds, in the end every five minutes. */
const nextLookMs = (ageMs: number): number => Math.min(LAST_MS, Math.max(FIRST_MS, ageMs / SHARE));

/**
 * Whether polling a job again makes sense: there was no response, the service was busy or failing, or it needs other
 * credentials first. Any other problem would be the same the next time.
 */
export function isPassing(problem: ReportProblem): boolean {
  if (problem.kind === 'read') {
    const { kind } = problem.failure;
    return kind === 'unreachable' || kind === 'later' || kind === 'service' || kind === 'credentials';
  }
  if (problem.kind !== 'download') return false;
  const file = problem.problem;
  return file.kind === 'connection' || (file.kind === 'status' && file.status >= 500);
}

/** Whether the service or its file failed, and not the line or the credentials of this computer. */
const isOfService = (problem: ReportProblem): boolean => problem.kind !== 'read' || problem.failure.kind === 'service';

/** How long the service asks to wait, in milliseconds; 0 if it doesn't. */
function restMs(failure: ReadFailure, { rate }: Pick<DeploymentSettings, 'rate'>): number {
  const wait = 'retryAfterMs' in failure ? (failure.retryAfterMs ?? null) : null;
  return wait ?? (failure.kind === 'later' ? rate.defaultWaitSeconds * 1000 : 0);
}

/**
 * Reports in progress, one file each in a folder beside the reports, so that they survive a restart. File names are
 * hashes, because the service chooses the IDs.
 */
type JobStore = ReturnType<typeof createJobStore>;

export function createJobStore(folder: string) {
  const fileOf = (snapshotId: string): string =>
    join(folder, `${createHash('sha256').update(snapshotId).digest('hex').slice(0, 32)}.json`);
  const read = async (path: string): Promise<ReportJob | 'damaged' | null> => {
    const text = await readFile(path, 'utf8').catch(nullIfNotFound);
    if (text === null) return null;
    const parsed = ReportJob.safeParse(jsonOrNull(text));
    return parsed.success ? parsed.data : 'damaged';
  };
  const find = async (snapshotId: string): Promise<ReportJob | null> => {
    const job = await read(fileOf(snapshotId));
    return job === 'damaged' ? null : job;
  };
  return {
    find,
    /** Newest first. Jobs with an unreadable file are only counted. */
    list: async (): Promise<{ readonly jobs: readonly ReportJob[]; readonly damaged: number }> => {
      const names = (await readdir(folder).catch(nullIfNotFound)) ?? [];
      const found = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => read(join(folder, name))),
      );
      const jobs = found.filter((job) => job !== null && job !== 'damaged');
      const damaged = found.filter((job) => job === 'damaged').length;
      return { jobs: jobs.toSorted((a, b) => b.askedAt - a.askedAt), damaged };
    },
    /** @throws the error of the disk if it can't be written */
    put: async (job: ReportJob): Promise<ReportJob> => {
      await makeFolders(dirname(folder), folder);
      await writeFileAtomic(fileOf(job.snapshotId), JSON.stringify(job));
      return job;
    },
    remove: async (snapshotId: string): Promise<boolean> => {
      if ((await find(snapshotId)) === null) return false;
      await rm(fileOf(snapshotId), { force: true });
      return true;
    },
  };
}

/** Equal options give equal texts. An empty option equals a missing one. */
export const optionsKey = ({
  reportType,
  startDate,
  endDate,
  byDate,
  attributionWindow,
  format,
}: ReportRequest): string =>
  JSON.stringify([reportType, startDate, endDate, byDate, attributionWindow ?? null, format ?? null]);
