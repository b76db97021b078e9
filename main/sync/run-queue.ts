import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/api/app.ts';
import { NO_CHANGES, NOTES_LISTED, SyncReport } from '../../shared/api/sync.ts';
import { type AnyRow, rowKey } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import { notWritable } from '../store/not-writable.ts';
import type { OpState } from '../store/outbox/outbox-types.ts';
import type { Workspace } from '../store/workspace.ts';
import {
  isPaused,
  type RunLeft,
  type RunOptions,
  type RunProblem,
  type StopReason,
  type SyncContext,
  syncRuns,
} from './context.ts';
import type { Work } from './parallel.ts';
import { mayPass } from './pending-steps.ts';
import { unsubmittedIn } from './plan-lines.ts';
import { namedChanges } from './plan-preview.ts';
import { watchAccess } from './poll-scheduler.ts';
import type { NoTurn, Outbox, TakeTurn, Turn } from './ports.ts';

/**
 * Serializes all work with the service, so that rows are never merged twice at the same time: one run at a time, reads
 * one after the other, and no read during a run.
 *
 *   read > read > run > read        a run waits for reads in progress; the caller refuses a read during a run
 *
 * A read that waits for the service ends in favor of a run, and an automatic read is ended: both can be repeated.
 */
export type RunQueue = Awaited<ReturnType<typeof createRunQueue>>;

/** How a sync ended, and the number of changes not sent; `stop` is null if the user canceled it. */
export interface Conclusion {
  readonly stop: StopReason | null;
  readonly untouched: number;
}

/**
 * `over`: no further step begins. `cut`: an upload in progress is aborted too. `yields`: a read ends instead of waiting
 * for the service, because a run waits for it.
 */
export interface RunSignals {
  readonly over: AbortSignal;
  readonly cut: AbortSignal;
  readonly yields?: AbortSignal;
}

interface RunQueueDeps {
  readonly workspace: Workspace;
  readonly outbox: Outbox;
  readonly workspaceId: WorkspaceId;
  readonly emit: (event: AppEvent) => void;
  readonly contextFor: (
    runId: string,
    options: RunOptions,
    signals: RunSignals,
    turn: Turn | null,
  ) => Promise<SyncContext>;
  /** For a shared account: takes the turn for work with the service. */
  readonly takeTurn: TakeTurn | null;
  readonly closing: AbortSignal;
}

const REPORT_KEY = 'last-sync-report';

export async function createRunQueue(deps: RunQueueDeps) {
  const { workspace, outbox, workspaceId, emit, contextFor, closing, takeTurn } = deps;
  let cancelling = new AbortController();
  let pausing = new AbortController();
  let left: RunLeft = NOTHING_LEFT;
  let running: Promise<SyncReport> | null = null;
  /** A run that waits for its turn. */
  let starting: Promise<unknown> | null = null;
  /** The turn of the current run. */
  let turnOfRun: Turn | null = null;
  let reads: Promise<void> = Promise.resolve();
  /** Aborted when a run waits for the reads that got its signal. */
  let yielding = new AbortController();
  let last = keptReport(await workspace.getMeta(REPORT_KEY));
  const noteAccess = watchAccess(workspaceId, emit);

  const perform = async (ctx: SyncContext, work: Work): Promise<SyncReport> => {
    const { state } = ctx;
    try {
      await work(ctx);
    } catch (thrown) {
      // Without a record on disk, nothing more may be sent.
      state.stop ??= stopReasonFor(thrown);
    }
    const { approved, unanswered } = state;
    left = { unread: [...state.touched].map(([id, kinds]) => ({ id, kinds: [...kinds] })), approved, unanswered };
    const states = await outbox.countStates();
    const report = buildReport(ctx, states, await outbox.liveAndInReviewCounts(), (row) => rowLabel(row));
    const changed = state.stop?.otherPlan;
    if (changed === undefined || report.stoppedBy === null) return report;
    return { ...report, stoppedBy: { ...report.stoppedBy, changed: await namedChanges(workspace, changed) } };
  };

  /**
   * Saves the report, so that a window opened after a restart shows it.
   *
   * @returns the report; with the failure if it could not be saved
   */
  const saveReport = async (report: SyncReport): Promise<SyncReport> => {
    try {
      await workspace.setMeta(REPORT_KEY, JSON.stringify(report));
      return report;
    } catch (thrown) {
      const why = stopReasonFor(thrown);
      // An earlier stop reason is more useful than a failed write, but a defect is always reported.
      const isTold = report.stoppedBy !== null && why.cause !== 'defect';
      return isTold ? report : { ...report, state: 'stopped', stoppedBy: why };
    }
  };

  const publish = (report: SyncReport): SyncReport => {
    last = report;
    emit(finishedEvent(workspaceId, report));
    return report;
  };
  const ended = (report: SyncReport): SyncReport => {
    noteAccess(report.stoppedBy?.cause ?? null);
    running = null;
    turnOfRun = null;
    return publish(report);
  };

  /** Without a team there is no turn and no wait. */
  const take = async (): Promise<Result<Turn | null, NoTurn>> => (takeTurn === null ? ok(null) : takeTurn());

  const readNow = async (
    work: Work,
    pollAfterMs: number | null,
    yields: AbortSignal,
  ): Promise<Result<null, ReadFailure | NoTurn>> => {
    const isOwn = pollAfterMs !== null;
    const over = isOwn ? AbortSignal.any([closing, yields]) : closing;
    if (isOwn && over.aborted) return ok(null);
    const signals = { over, cut: over, yields };
    const taken = await take();
    if (!taken.ok) return taken;
    const turn = taken.value;
    const isAsked = pollAfterMs === null || turn === null || turn.pollInMs === 0;
    let stop: StopReason | null;
    try {
      const ctx = await contextFor(randomUUID(), { submit: false, campaignIds: null }, signals, turn);
      // A colleague has just polled, and shares the result.
      if (isAsked) await work(ctx);
      stop = ctx.state.stop;
    } finally {
      await turn?.end(isAsked && !over.aborted ? pollAfterMs : null);
    }
    // An interrupted read proves nothing about the credentials.
    if (!over.aborted) noteAccess(stop?.cause ?? null);
    return stop === null ? ok(null) : err(failureOf(stop));
  };

  /** Runs work after all earlier work. Only its caller gets a failure; later work just waits for its end. */
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = reads.then(work);
    reads = done.then(
      () => {},
      () => {},
    );
    return done;
  };

  return {
    /** @param before runs first, after the reads in progress have ended */
    start: async (
      options: RunOptions,
      work: Work,
      before: (cancelled: AbortSignal) => Promise<unknown> = async () => {},
    ): Promise<Result<{ readonly runId: string }, RunProblem>> => {
      if (closing.aborted) return err(CLOSED);
      if (running !== null || starting !== null) return syncRuns(last);
      // Created before the wait for the turn: a run canceled during the wait then ends without sending anything.
      cancelling = new AbortController();
      pausing = new AbortController();
      let turn: Turn | null = null;
      if (takeTurn !== null) {
        const waiting = inLine(take);
        starting = waiting;
        const taken = await waiting.finally(() => (starting = null));
        if (!taken.ok) return taken;
        turn = taken.value;
        if (closing.aborted) {
          await turn?.end(null);
          return err(CLOSED);
        }
      }
      turnOfRun = turn;
      const runId = randomUUID();
      // Rows that a canceled run has not read back are read by the next run, whatever it sends.
      const { approved = null, unread = [] } = options.goesOn ?? {};
      const goesOn: RunLeft = { approved, unread: [...left.unread, ...unread], unanswered: left.unanswered ?? 0 };
      left = goesOn;
      const cut = cancelling.signal;
      const signals = { cut, over: AbortSignal.any([cut, pausing.signal]) };
      last = emptyReport(runId);
      yielding.abort();
      yielding = new AbortController();
      const begin = async (): Promise<SyncReport> => {
        await before(signals.over);
        const ctx = await contextFor(runId, { ...options, goesOn }, signals, turn);
        await outbox.noteRun({ runId });
        return perform(ctx, work);
      };
      running = Promise.race([reads, aborted(signals.over)])
        .then(() => (signals.over.aborted ? endedBefore(runId, cut.aborted) : begin()))
        .catch((thrown: unknown) => ({
          ...emptyReport(runId),
          state: 'stopped' as const,
          stoppedBy: stopReasonFor(thrown),
        }))
        .then(async (report) => {
          await turn?.end(null);
          return saveReport(report);
        })
        .then(ended);
      return ok({ runId });
    },
    /**
     * @param pollAfterMs for an automatic read, how long colleagues need not repeat it, in milliseconds; null for
     * others
     */
    read: (work: Work, pollAfterMs: number | null = null) => {
      const { signal } = yielding;
      return inLine(() => readNow(work, pollAfterMs, signal));
    },
    /** Stores facts about the service outside of runs and reads, with the current run's turn or its own. */
    inTurn: async <T>(work: (outbox: Outbox) => Promise<T>): Promise<Result<T, NoTurn>> => {
      if (takeTurn === null) return ok(await work(outbox));
      if (turnOfRun !== null) return ok(await work(turnOfRun.outbox));
      return inLine(async () => {
        const taken = await takeTurn();
        if (!taken.ok) return taken;
        try {
          return ok(await work(taken.value.outbox));
        } finally {
          await taken.value.end(null);
        }
      });
    },
    isRunning: () => running !== null || starting !== null,
    /** @returns false if nothing is running */
    cancel: (): boolean => {
      if (running === null && starting === null) return false;
      cancelling.abort();
      return true;
    },
    /**
     * Completes the requests and the upload in progress, and begins nothing more. @returns false if nothing is running
     */
    pause: (): boolean => {
      if (running === null && starting === null) return false;
      pausing.abort();
      return true;
    },
    /** Stores why a sync ended without another run: in the report of `runId`, or in a new one. */
    conclude: async ({ stop, untouched }: Conclusion, runId: string | null): Promise<SyncReport> => {
      const base = last?.runId === runId && last !== null ? last : emptyReport(runId ?? randomUUID());
      const { live, inReview } = await outbox.liveAndInReviewCounts();
      const state = stop === null ? 'cancelled' : 'stopped';
      return publish(await saveReport({ ...base, state, stoppedBy: stop, untouched, live, inReview }));
    },
    /** State of the last run for the run that continues its sync. */
    left: () => left,
    last: () => last,
    /** The report of the current run after its end, or of the last one. */
    idle: async (): Promise<SyncReport | null> => (running === null ? last : running),
    /** Cancels the current run and waits for its end. */
    end: async () => {
      cancelling.abort();
      // A failed start is reported to the caller of that start.
      await starting?.catch(() => {});
      if (running !== null) await running;
      await reads;
    },
  };
}

const CLOSED = notWritable('failed', 'the account was closed');

const NOTHING_LEFT: RunLeft = { unread: [], approved: null };

/**
 * The report of an earlier process. A run that is `running` in it ended with its process; its open requests are
 * unconfirmed.
 */
function keptReport(json: string | null): SyncReport | null {
  const kept = json === null ? null : SyncReport.safeParse(JSON.parse(json));
  if (kept?.success !== true) return null;
  // Earlier versions kept all of them.
  return {
    ...kept.data,
    ...firstUnreadable(kept.data.unreadable, kept.data.unreadableMore),
    refused: kept.data.refused.slice(0, NOTES_LISTED),
    refusedMore: kept.data.refusedMore + countMore(kept.data.refused),
  };
}

const countMore = (all: readonly unknown[]): number => Math.max(0, all.length - NOTES_LISTED);

/** Windows read the report again at each event of a run, so it lists a limited number. */
const firstUnreadable = (
  all: SyncReport['unreadable'],
  more: number,
): Pick<SyncReport, 'unreadable' | 'unreadableMore'> => ({
  unreadable: all.slice(0, NOTES_LISTED),
  unreadableMore: more + countMore(all),
});

function failureOf(stop: StopReason): ReadFailure | NoTurn {
  switch (stop.cause) {
    case 'team':
      return { code: 'TEAM_OFFLINE', data: { since: null, detail: stop.detail } };
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

const callOf = ({ call }: StopReason) => (call === undefined ? {} : { call });
const statusOf = ({ status }: StopReason) => (status === undefined ? {} : { status });

/**
 * The stop reason for a thrown error. The store throws errors of SQLite or of the system when a write fails; a defect
 * of Adslate must not be reported as a full disk.
 */
export function stopReasonFor(thrown: unknown): StopReason {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return { cause: isDefect(thrown) ? 'defect' : 'disk', detail };
}

/**
 * Errors of the language are defects of Adslate. `instanceof` works because structured clone keeps these classes across
 * threads.
 */
export const isDefect = (thrown: unknown): boolean => OF_THE_LANGUAGE.some((kind) => thrown instanceof kind);

const OF_THE_LANGUAGE = [TypeError, RangeError, ReferenceError, SyntaxError] as const;

/** The report of a run that has just begun. */
const emptyReport = (runId: string): SyncReport => ({
  runId,
  state: 'running',
  stoppedBy: null,
  startedAt: null,
  endedAt: null,
  changes: NO_CHANGES,
  requests: 0,
  done: 0,
  refused: [],
  refusedMore: 0,
  inDoubt: 0,
  questions: 0,
  untouched: 0,
  uploads: 0,
  failedUploads: [],
  unreadable: [],
  unreadableMore: 0,
  reviews: 0,
  unsubmitted: { campaigns: 0, first: [] },
  live: 0,
  inReview: 0,
});

/** The report of a run that was canceled or paused before it began. */
const endedBefore = (runId: string, isCanceled: boolean): SyncReport => ({
  ...emptyReport(runId),
  state: isCanceled ? 'cancelled' : 'paused',
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The last event of a run, sent once `report` returns the finished report, so that listeners can read it. */
const finishedEvent = (workspaceId: WorkspaceId, report: SyncReport): AppEvent => ({
  type: 'sync.progress',
  workspaceId,
  runId: report.runId,
  phase: 'done',
  batchesDone: report.requests,
  batchesTotal: report.requests,
  elementsDone: report.done,
  elementsRefused: report.refused.length + report.refusedMore,
  elementsInDoubt: report.inDoubt,
  changes: rowsOf(report.changes),
  retryAt: null,
  ...whyOf(report),
});

const rowsOf = ({ total, sent, failed, unresolved }: SyncReport['changes']) => ({ total, sent, failed, unresolved });

/** Without the lines of the other plan: the code that reads rows adds them with names. */
function stoppedBy(stop: StopReason | null): SyncReport['stoppedBy'] {
  if (stop === null) return null;
  const { otherPlan: _, ...told } = stop;
  return told;
}

function stateOf(ctx: SyncContext): SyncReport['state'] {
  if (ctx.state.stop !== null) return 'stopped';
  if (isPaused(ctx)) return 'paused';
  return ctx.options.isCancelled() ? 'cancelled' : 'finished';
}

function whyOf({ state, stoppedBy }: SyncReport): Pick<Extract<AppEvent, { type: 'sync.progress' }>, 'ended'> {
  if (state === 'paused') return { ended: 'paused' };
  if (stoppedBy === null) return {};
  const { cause } = stoppedBy;
  if (cause === 'deadline' || cause === 'plan-changed' || cause === 'team') return { ended: cause };
  return mayPass(stoppedBy) ? { ended: 'away' } : {};
}

/** Builds the report of a run. Unconfirmed and unresolved requests are counted in the whole workspace. */
function buildReport(
  ctx: SyncContext,
  states: Readonly<Record<OpState, number>>,
  campaigns: { readonly live: number; readonly inReview: number },
  labelOf: (row: AnyRow) => string,
): SyncReport {
  const { stop, notes, planned } = ctx.state;
  const { refused, batchesDone: _, batchesTotal: __, ...counts } = ctx.state.tally;
  return {
    ...counts,
    runId: ctx.options.runId,
    state: stateOf(ctx),
    stoppedBy: stoppedBy(stop),
    startedAt: ctx.state.startedAt,
    endedAt: Math.round(ctx.ports.clock.nowMs()),
    changes: ctx.state.results.counts(),
    refused: refused.slice(0, NOTES_LISTED).map(({ kind, id, message }) => {
      const row = ctx.index.rows.get(rowKey(kind, id));
      return { kind, id, label: row === undefined ? `${kind} ${id}` : labelOf(row), message };
    }),
    refusedMore: countMore(refused),
    inDoubt: states.IN_DOUBT,
    questions: states.NEEDS_USER,
    ...firstUnreadable(notes.unreadable, 0),
    unsubmitted:
      planned === null
        ? { campaigns: 0, first: [] }
        : unsubmittedIn(planned.plan, planned.trees, planned.submitted, ctx.options.submit),
    ...campaigns,
  };
}
