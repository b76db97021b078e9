import { randomUUID } from 'node:crypto';
import { SyncReport } from '../../shared/contract/sync.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { RoundContext, Stop, TouchedCampaign } from './core/context.ts';
import type { Ports, Work } from './core/effects.ts';
import { drive } from './driver.ts';
import { watchAccess } from './look-around.ts';
import { namedChanges } from './plan-changes.ts';
import type { RunOptions, RunProblem, SyncDeps } from './port.ts';
import { emptyReport, endOf, reportOf } from './reporting.ts';
import { stopBy } from './stop-by.ts';

type WorkOf = (ctx: RoundContext) => Work<void>;

/**
 * What a workspace does with the service, so that no two of them merge the same rows: one run at a time, and reads one
 * after the other, none beside a run.
 *
 *   read > read > run > read        a run waits for reads under way; a read asked for during a run is refused by its caller
 */
export interface Runs {
  /** @param before what the run begins with, once the reads under way are through */
  start(
    options: RunOptions,
    work: WorkOf,
    before?: (cancelled: AbortSignal) => Promise<unknown>,
  ): Promise<Result<{ readonly runId: string }, RunProblem>>;
  read(work: WorkOf): Promise<Result<null, ReadFailure>>;
  isRunning(): boolean;
  /** False when nothing runs. */
  cancel(): boolean;
  /** Lets the requests and the upload in progress come to their end, and begins nothing more. False when nothing runs. */
  pause(): boolean;
  /** Writes down why a sync is over without a further run: in the report of `runId`, or in a new one. */
  conclude(how: Conclusion, runId: string | null): Promise<SyncReport>;
  /** What the last run has left for one that goes on with it. */
  left(): RunLeft;
  last(): SyncReport | null;
  /** The report of the run under way once it has ended, or of the last one. */
  idle(): Promise<SyncReport | null>;
  /** Whether the service answered the last time it was asked; null before that. */
  reached(): boolean | null;
  /** Cancels what runs and waits for its end. */
  end(): Promise<void>;
}

/** How a sync ended, and how many changes were not sent; `stop` is null when the user has canceled it. */
export interface Conclusion {
  readonly stop: Stop | null;
  readonly untouched: number;
}

/** @see RoundOptions `unread` and `approvedBefore` */
export interface RunLeft {
  readonly unread: readonly TouchedCampaign[];
  readonly approved: ReadonlySet<string> | null;
}

/** `over` says that nothing more begins, `cut` that an upload in progress is broken off too. */
export interface RunSignals {
  readonly over: AbortSignal;
  readonly cut: AbortSignal;
}

interface RunsDeps extends Pick<SyncDeps, 'workspace' | 'workspaceId' | 'emit'> {
  readonly contextFor: (runId: string, options: RunOptions, signals: RunSignals) => Promise<RoundContext>;
  readonly portsFor: (signals: RunSignals, deadline: number | null) => Ports;
  readonly closing: AbortSignal;
}

const REPORT_KEY = 'last-sync-report';

export async function createRuns(deps: RunsDeps): Promise<Runs> {
  const { workspace, workspaceId, emit, contextFor, portsFor, closing } = deps;
  const { outbox } = workspace;
  let cancelling = new AbortController();
  let pausing = new AbortController();
  let left: RunLeft = NOTHING_LEFT;
  let running: Promise<SyncReport> | null = null;
  let reads: Promise<void> = Promise.resolve();
  let last = keptReport(await workspace.getMeta(REPORT_KEY));
  let isReached: boolean | null = null;
  const noteAccess = watchAccess(workspaceId, emit);

  const perform = async (ctx: RoundContext, work: Work<void>, signals: RunSignals): Promise<SyncReport> => {
    try {
      await drive(work, portsFor(signals, ctx.deadline ?? null), signals.over);
    } catch (thrown) {
      // Without a record on disk nothing more may be sent.
      ctx.stop ??= stopBy(thrown);
    }
    left = { unread: [...ctx.touched].map(([id, kinds]) => ({ id, kinds: [...kinds] })), approved: ctx.approved };
    const states = await outbox.countStates();
    const report = reportOf(ctx, states, await outbox.standing(), (row) => rowLabel(row));
    const changed = ctx.stop?.otherPlan;
    if (changed === undefined || report.stoppedBy === null) return report;
    return { ...report, stoppedBy: { ...report.stoppedBy, changed: await namedChanges(workspace, changed) } };
  };

  /**
   * So that a window opened after a restart can tell how the last run ended.
   *
   * @returns the report, which also says so when it could not be kept
   */
  const keep = async (report: SyncReport): Promise<SyncReport> => {
    try {
      await workspace.setMeta(REPORT_KEY, JSON.stringify(report));
      return report;
    } catch (thrown) {
      const why = stopBy(thrown);
      // What stopped the run first is what to mend first; but a fault of ours is never passed over.
      const isTold = report.stoppedBy !== null && why.cause !== 'defect';
      return isTold ? report : { ...report, state: 'stopped', stoppedBy: why };
    }
  };

  const tell = (report: SyncReport): SyncReport => {
    last = report;
    emit(endOf(workspaceId, report));
    return report;
  };
  const ended = (report: SyncReport): SyncReport => {
    isReached = report.stoppedBy?.cause !== 'unreachable';
    noteAccess(report.stoppedBy?.cause ?? null);
    running = null;
    return tell(report);
  };

  const readNow = async (work: WorkOf): Promise<Result<null, ReadFailure>> => {
    const signals = { over: closing, cut: closing };
    const ctx = await contextFor(randomUUID(), { submit: false, campaignIds: null }, signals);
    await drive(work(ctx), portsFor(signals, null), closing);
    isReached = ctx.stop?.cause !== 'unreachable';
    noteAccess(ctx.stop?.cause ?? null);
    return ctx.stop === null ? ok(null) : err(failureOf(ctx.stop));
  };

  return {
    start: async (options, work, before = async () => {}) => {
      if (closing.aborted)
        return err({ kind: 'not-writable', why: 'failed', detail: 'the account was closed meanwhile' });
      if (running !== null) return err({ kind: 'sync-running' });
      const runId = randomUUID();
      cancelling = new AbortController();
      pausing = new AbortController();
      left = NOTHING_LEFT;
      const cut = cancelling.signal;
      const signals = { cut, over: AbortSignal.any([cut, pausing.signal]) };
      last = emptyReport(runId);
      running = reads
        .then(() => before(signals.over))
        .then(() => contextFor(runId, options, signals))
        .then(async (ctx) => {
          await outbox.noteRun({ runId });
          return perform(ctx, work(ctx), signals);
        })
        .catch((thrown: unknown) => ({
          ...emptyReport(runId),
          state: 'stopped' as const,
          stoppedBy: stopBy(thrown),
        }))
        .then(keep)
        .then(ended);
      return ok({ runId });
    },
    read: (work) => {
      const done = reads.then(() => readNow(work));
      // How a read ended is told to whoever asked for it; the next one only waits for its end.
      reads = done.then(
        () => {},
        () => {},
      );
      return done;
    },
    isRunning: () => running !== null,
    cancel: () => {
      if (running === null) return false;
      cancelling.abort();
      return true;
    },
    pause: () => {
      if (running === null) return false;
      pausing.abort();
      return true;
    },
    conclude: async ({ stop, untouched }, runId) => {
      const base = last?.runId === runId && last !== null ? last : emptyReport(runId ?? randomUUID());
      const { live, inReview } = await outbox.standing();
      const state = stop === null ? 'cancelled' : 'stopped';
      return tell(await keep({ ...base, state, stoppedBy: stop, untouched, live, inReview }));
    },
    left: () => left,
    last: () => last,
    idle: async () => (running === null ? last : running),
    reached: () => isReached,
    end: async () => {
      cancelling.abort();
      if (running !== null) await running;
      await reads;
    },
  };
}

const NOTHING_LEFT: RunLeft = { unread: [], approved: null };

/** The report a former process left. One that says "running" ended with its process, and what it did is in doubt. */
function keptReport(json: string | null): SyncReport | null {
  const kept = json === null ? null : SyncReport.safeParse(JSON.parse(json));
  return kept?.success === true ? kept.data : null;
}

function failureOf(stop: Stop): ReadFailure {
  switch (stop.cause) {
    case 'credentials':
      return { kind: 'credentials', message: stop.detail };
    case 'security':
      return { kind: 'security', message: stop.detail, ...callOf(stop), ...statusOf(stop) };
    case 'unreachable':
      return { kind: 'unreachable', cause: stop.detail };
    case 'rate-limited': {
      const retryAt = stop.retryAt ?? null;
      return { kind: 'later', message: stop.detail, retryAfterMs: null, retryAt, ...callOf(stop) };
    }
    case 'disk':
    case 'defect':
    case 'service':
    case 'plan-changed':
    case 'deadline':
      return {
        kind: 'service',
        status: 0,
        message: stop.detail,
        retryAt: stop.retryAt ?? null,
        ...callOf(stop),
        ...statusOf(stop),
      };
  }
}

const callOf = ({ call }: Stop) => (call === undefined ? {} : { call });
const statusOf = ({ status }: Stop) => (status === undefined ? {} : { status });
