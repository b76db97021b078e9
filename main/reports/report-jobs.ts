import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReportJob, type ReportRequest, type ReportSnapshot } from '../../shared/api/reports.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { makeFolders, nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import { diskWords } from '../app/system.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { type JobAnswer, problemWords, type ReportOptions, type ReportProblem } from './fetch-report.ts';
import type { ReceivedReport } from './read-report-file.ts';

/**
 * Reports that the service makes in the background (wire shapes, section 4, "report"):
 *
 *   begin ──> waiting ──asked about at a growing pace──> ready: the report is kept
 *                │                    '──────────────> failed | expired: with the reason, until it is given up or asked for again
 *                '── the program ends; the next one goes on with what lies on the disk
 *
 * A question that got no answer changes nothing: the next one is due later.
 */
export type ReportJobs = ReturnType<typeof createReportJobs>;

type LookProblem = ReportProblem | NotWritable | { readonly kind: 'not-kept' };

interface JobDeps {
  readonly store: JobStore;
  readonly ask: (job: ReportJob, signal: AbortSignal) => Promise<Result<JobAnswer, ReportProblem>>;
  /** Keeps the report of a job, once. */
  readonly keep: (job: ReportJob, report: ReceivedReport) => Promise<ReportSnapshot>;
  readonly today: () => Promise<PlainDate>;
  readonly clock: Clock;
  readonly profile: Pick<DeploymentSettings, 'snapshot' | 'rate'>;
  readonly sleepState?: SleepState | undefined;
  /** Called after every change of a job, and with whether a caller waits for its result. */
  readonly changed: (job: ReportJob, isWatched: boolean) => Promise<unknown>;
}

const HOUR_MS = 3_600_000;
/** Timers hold no longer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export function createReportJobs(deps: JobDeps) {
  const { store, clock, profile } = deps;
  const underWay = new Map<string, ReturnType<ReportJobs['look']>>();
  const lastLook = new Map<string, number>();
  /** How many wait for a job just now. */
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
    // Given up while the service was asked: nobody waits for it.
    if ((await store.find(job.snapshotId)) === null) return next;
    await store.put(next);
    await deps.changed(next, (watched.get(job.snapshotId) ?? 0) > 0);
    return next;
  };
  const over = (job: ReportJob, state: 'failed' | 'expired', status: string, detail: string): Promise<ReportJob> =>
    settle(job, { state, status, detail: detail.slice(0, 500), endedAt: clock.nowMs() });

  /** A file stays for so many hours; what is not there by then never comes. */
  const isPast = ({ askedAt }: ReportJob): boolean => clock.nowMs() - askedAt > profile.snapshot.ttlHours * HOUR_MS;

  /** An ended job that is asked for again, or one whose report has been there for long. */
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
    if (job === null) return err({ kind: 'not-kept' });
    if (job.state !== 'waiting') return ok(job);
    const answer = await deps.ask(job, closing.signal);
    lastLook.set(snapshotId, clock.nowMs());
    if (closing.signal.aborted) throw new WorkspaceClosed('the account was closed');
    try {
      if (answer.ok) return ok(await understand(job, answer.value));
      const { error } = answer;
      if (error.kind === 'read') {
        restsUntil = Math.max(restsUntil, clock.nowMs() + restMs(error.failure, profile));
        // The service has forgotten it: after the hours it keeps a file, that is what is meant to happen.
        const isGone = error.failure.kind === 'refused' && [404, 410].includes(error.failure.status);
        if (isGone && isPast(job)) return ok(await over(job, 'expired', job.status, ''));
      }
      return isPassing(error) ? answer : ok(await over(job, 'failed', job.status, problemWords(error)));
    } catch (thrown) {
      const problem = notWritableFrom(thrown);
      if (problem === null) throw thrown;
      return err(problem);
    }
  };

  const look = (snapshotId: string): Promise<Result<ReportJob, LookProblem>> => {
    const asked = underWay.get(snapshotId) ?? lookOnce(snapshotId).finally(() => underWay.delete(snapshotId));
    underWay.set(snapshotId, asked);
    return asked;
  };

  const waiting = async (): Promise<readonly ReportJob[]> =>
    (await store.list()).jobs.filter(({ state }) => state === 'waiting');

  /** One after the other: an account with many jobs asks no faster for it. */
  const lookAround = async (): Promise<void> => {
    for (const job of await waiting()) {
      if (closing.signal.aborted) return;
      // Who does not answer about one job does not answer about the next.
      if (dueAt(job) <= clock.nowMs() && !(await look(job.snapshotId)).ok) return;
    }
  };

  const schedule = async (): Promise<void> => {
    if (!isResumed || closing.signal.aborted) return;
    const jobs = await waiting();
    if (timer !== null) clearTimeout(timer);
    if (jobs.length === 0 || closing.signal.aborted) return;
    const waitMs = Math.max(nextLookMs(0), Math.min(...jobs.map(dueAt)) - clock.nowMs());
    // A plain timer: nothing is ordered by it, and it never keeps a program alive.
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
        if (!looked.ok && looked.error.kind === 'not-writable') return job;
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
    /** A job the service has just named. An ended one that asked for the same makes room for it. */
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
    /** Asks the service now. The problem is one that may pass: the job waits on. */
    look,
    /**
     * Until the job is over, given up, or so long.
     *
     * @param heard hears the job after each question
     * @returns how it stands; null when it was given up
     */
    wait: (snapshotId: string, forMs: number, heard?: (job: ReportJob) => void) =>
      watching(snapshotId, () => waitFor(snapshotId, clock.nowMs() + forMs, heard)),
    /** One that Adslate asked for by itself is read by the user from now on. */
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
    /** Goes on with what lies on the disk, until the jobs are closed. */
    resume: () => {
      isResumed = true;
      void unlessAway(schedule());
    },
    /** Asks about all of them before long, because something has moved on: the clock of a practice account. */
    lookSoon: () => {
      lastLook.clear();
      if (isResumed) void goOn();
    },
    /** Asks nothing more, and ends downloads. */
    stop: () => {
      closing.abort();
      stopWaking?.();
      if (timer !== null) clearTimeout(timer);
    },
    /** Resolves when no question is under way. */
    idle: async () => void (await Promise.allSettled(underWay.values())),
  };
}

/**
 * Work that nobody waits for. The account may be closed meanwhile, or its disk refuse something: the jobs lie there as they
 * were, and the next question, the next start or whoever opens the list meets them again. Any other failure is a defect.
 */
export async function unlessAway(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof WorkspaceClosed) && diskWords(error) === null) throw error;
  }
}

const FIRST_MS = 2000;
const LAST_MS = 5 * 60_000;
/** Of the time that has passed since it was asked for: a report that took a minute so far is worth a look every 15 seconds. */
const SHARE = 4;

/** How long until the service is asked about a job again: at first every two seconds, in the end every five minutes. */
const nextLookMs = (ageMs: number): number => Math.min(LAST_MS, Math.max(FIRST_MS, ageMs / SHARE));

/**
 * Whether a question about a job is worth repeating: nobody answered, the service was busy or ill, or it wants other
 * credentials first. Everything else would be answered in the same way the next time.
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

/** How long the service wants to be left alone, in milliseconds; 0 where it says nothing of the kind. */
function restMs(failure: ReadFailure, { rate }: Pick<DeploymentSettings, 'rate'>): number {
  const wait = 'retryAfterMs' in failure ? (failure.retryAfterMs ?? null) : null;
  return wait ?? (failure.kind === 'later' ? rate.defaultWaitSeconds * 1000 : 0);
}

/**
 * Reports that the service is still making, one file each in a folder beside the reports, so that they outlive a restart. The
 * service names them, so its ids become no names of files.
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
    /** Newest first. A job whose file cannot be read is counted, not hidden. */
    list: async (): Promise<{ readonly jobs: readonly ReportJob[]; readonly damaged: number }> => {
      const names = (await readdir(folder).catch(nullIfNotFound)) ?? [];
      const found = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => read(join(folder, name))),
      );
      const jobs = found.filter((job) => job !== null && job !== 'damaged');
      const damaged = found.filter((job) => job === 'damaged').length;
      return { jobs: jobs.toSorted((a, b) => b.askedAt - a.askedAt), damaged };
    },
    /** @throws what the disk says when it cannot be written */
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

/** The same options are the same text. What is not sent and what was never said are one. */
export const optionsKey = ({
  reportType,
  startDate,
  endDate,
  byDate,
  attributionWindow,
  format,
}: ReportRequest): string =>
  JSON.stringify([reportType, startDate, endDate, byDate, attributionWindow ?? null, format ?? null]);
