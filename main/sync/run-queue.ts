import { randomUUID } from 'node:crypto';
import type { AppEvent } from '../../shared/api/app.ts';
import { NO_CHANGES, SyncReport } from '../../shared/api/sync.ts';
import { type AnyRow, rowKey } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { OpState } from '../store/outbox/outbox-types.ts';
import type { Workspace } from '../store/workspace.ts';
import {
  isPaused,
  type RunLeft,
  type RunOptions,
  type RunProblem,
  type StopReason,
  type SyncContext,
} from './context.ts';
import type { Work } from './parallel.ts';
import { mayPass } from './pending-steps.ts';
import { namedChanges } from './plan-preview.ts';
import { watchAccess } from './poll-scheduler.ts';
import type { NoTurn, Outbox, TakeTurn, Turn } from './ports.ts';

/**
 * What a workspace does with the service, so that no two of them merge the same rows: one run at a time, and reads one
 * after the other, none beside a run.
 *
 *   read > read > run > read        a run waits for reads under way; a read asked for during a run is refused by its caller
 *
 * A read that waits for the service gives way to a run, and one that nobody has asked for ends: both can be repeated.
 */
export type RunQueue = Awaited<ReturnType<typeof createRunQueue>>;

/** How a sync ended, and how many changes were not sent; `stop` is null when the user has canceled it. */
export interface Conclusion {
  readonly stop: StopReason | null;
  readonly untouched: number;
}

/**
 * `over` says that nothing more begins, `cut` that an upload in progress is broken off too, `yields` that a read which would
 * wait for the service ends instead, because a run waits for it.
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
  /** Of an account that colleagues share: what is done with the service is done in turns. */
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
  /** The turn of the run under way. */
  let turnOfRun: Turn | null = null;
  let reads: Promise<void> = Promise.resolve();
  /** Aborted when a run waits for the reads that were begun with it. */
  let yielding = new AbortController();
  let last = keptReport(await workspace.getMeta(REPORT_KEY));
  const noteAccess = watchAccess(workspaceId, emit);

  const perform = async (ctx: SyncContext, work: Work): Promise<SyncReport> => {
    const { state } = ctx;
    try {
      await work(ctx);
    } catch (thrown) {
      // Without a record on disk nothing more may be sent.
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
   * So that a window opened after a restart can tell how the last run ended.
   *
   * @returns the report, which also says so when it could not be kept
   */
  const keep = async (report: SyncReport): Promise<SyncReport> => {
    try {
      await workspace.setMeta(REPORT_KEY, JSON.stringify(report));
      return report;
    } catch (thrown) {
      const why = stopReasonFor(thrown);
      // What stopped the run first is what to fix first; but a fault of ours is never passed over.
      const isTold = report.stoppedBy !== null && why.cause !== 'defect';
      return isTold ? report : { ...report, state: 'stopped', stoppedBy: why };
    }
  };

  const tell = (report: SyncReport): SyncReport => {
    last = report;
    emit(finishedEvent(workspaceId, report));
    return report;
  };
  const ended = (report: SyncReport): SyncReport => {
    noteAccess(report.stoppedBy?.cause ?? null);
    running = null;
    turnOfRun = null;
    return tell(report);
  };

  /** Without a team there is no turn, and nothing is waited for. */
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
      // A colleague has just asked, and shares what the service said.
      if (isAsked) await work(ctx);
      stop = ctx.state.stop;
    } finally {
      await turn?.end(isAsked && !over.aborted ? pollAfterMs : null);
    }
    // A read that was cut short says nothing of the access.
    if (!over.aborted) noteAccess(stop?.cause ?? null);
    return stop === null ? ok(null) : err(failureOf(stop));
  };

  /** How work in line ended is told to its caller; the next one only waits for its end. */
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = reads.then(work);
    reads = done.then(
      () => {},
      () => {},
    );
    return done;
  };

  return {
    /** @param before what the run begins with, once the reads under way are through */
    start: async (
      options: RunOptions,
      work: Work,
      before: (cancelled: AbortSignal) => Promise<unknown> = async () => {},
    ): Promise<Result<{ readonly runId: string }, RunProblem>> => {
      if (closing.aborted) return err(CLOSED);
      if (running !== null || starting !== null) return err({ kind: 'sync-running' });
      // Before the turn, which may be waited for: a run that was canceled by then begins as one and sends nothing.
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
      // What a run that was canceled has not read back is read by the next one, whatever that sends.
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
          return keep(report);
        })
        .then(ended);
      return ok({ runId });
    },
    /** @param pollAfterMs of a read that nobody asked for: how long colleagues need not make it; null for the others */
    read: (work: Work, pollAfterMs: number | null = null) => {
      const { signal } = yielding;
      return inLine(() => readNow(work, pollAfterMs, signal));
    },
    /** What is written down of the service beside runs and reads, in the turn of the run under way or in one of its own. */
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
    /** False when nothing runs. */
    cancel: (): boolean => {
      if (running === null && starting === null) return false;
      cancelling.abort();
      return true;
    },
    /** Lets the requests and the upload in progress come to their end, and begins nothing more. False when nothing runs. */
    pause: (): boolean => {
      if (running === null && starting === null) return false;
      pausing.abort();
      return true;
    },
    /** Writes down why a sync is over without a further run: in the report of `runId`, or in a new one. */
    conclude: async ({ stop, untouched }: Conclusion, runId: string | null): Promise<SyncReport> => {
      const base = last?.runId === runId && last !== null ? last : emptyReport(runId ?? randomUUID());
      const { live, inReview } = await outbox.liveAndInReviewCounts();
      const state = stop === null ? 'cancelled' : 'stopped';
      return tell(await keep({ ...base, state, stoppedBy: stop, untouched, live, inReview }));
    },
    /** What the last run has left for one that goes on with it. */
    left: () => left,
    last: () => last,
    /** The report of the run under way once it has ended, or of the last one. */
    idle: async (): Promise<SyncReport | null> => (running === null ? last : running),
    /** Cancels what runs and waits for its end. */
    end: async () => {
      cancelling.abort();
      await starting?.catch(() => {});
      if (running !== null) await running;
      await reads;
    },
  };
}

const CLOSED = { kind: 'not-writable', why: 'failed', detail: 'the account was closed' } as const;

const NOTHING_LEFT: RunLeft = { unread: [], approved: null };

/** The report a former process left. One that says "running" ended with its process, and what it did is in doubt. */
function keptReport(json: string | null): SyncReport | null {
  const kept = json === null ? null : SyncReport.safeParse(JSON.parse(json));
  return kept?.success === true ? kept.data : null;
}

function failureOf(stop: StopReason): ReadFailure | NoTurn {
  switch (stop.cause) {
    case 'team':
      return { kind: 'team-away', detail: stop.detail };
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
 * What it means for a run that something threw. The store throws when a write is refused, by an error of SQLite or of the
 * system; nobody should free space because of a fault of ours.
 */
export function stopReasonFor(thrown: unknown): StopReason {
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return { cause: isDefect(thrown) ? 'defect' : 'disk', detail };
}

/** Errors of the language itself are faults of ours. Their names are what remains of an error that came from a thread. */
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
  inDoubt: 0,
  questions: 0,
  untouched: 0,
  uploads: 0,
  failedUploads: [],
  unreadable: [],
  reviews: 0,
  live: 0,
  inReview: 0,
});

/** That of a run which was canceled or paused before it began. */
const endedBefore = (runId: string, isCanceled: boolean): SyncReport => ({
  ...emptyReport(runId),
  state: isCanceled ? 'cancelled' : 'paused',
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The last event of a run. Its listeners find the report finished: it is sent after `report` answers so. */
const finishedEvent = (workspaceId: WorkspaceId, report: SyncReport): AppEvent => ({
  type: 'sync.progress',
  workspaceId,
  runId: report.runId,
  phase: 'done',
  batchesDone: report.requests,
  batchesTotal: report.requests,
  elementsDone: report.done,
  elementsRefused: report.refused.length,
  elementsInDoubt: report.inDoubt,
  changes: { total: report.changes.total, sent: report.changes.sent },
  retryAt: null,
  ...whyOf(report),
});

/** The lines of another plan have no names yet: the code that reads rows adds them. */
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

/** What a run came to. What is in doubt and what is asked are the workspace's figures, not only this run's. */
function buildReport(
  ctx: SyncContext,
  states: Readonly<Record<OpState, number>>,
  campaigns: { readonly live: number; readonly inReview: number },
  labelOf: (row: AnyRow) => string,
): SyncReport {
  const { stop, notes } = ctx.state;
  const { refused, batchesDone: _, batchesTotal: __, ...counts } = ctx.state.tally;
  return {
    ...counts,
    runId: ctx.options.runId,
    state: stateOf(ctx),
    stoppedBy: stoppedBy(stop),
    startedAt: ctx.state.startedAt,
    endedAt: Math.round(ctx.ports.clock.nowMs()),
    changes: ctx.state.results.counts(),
    refused: refused.map(({ kind, id, message }) => {
      const row = ctx.index.rows.get(rowKey(kind, id));
      return { kind, id, label: row === undefined ? `${kind} ${id}` : labelOf(row), message };
    }),
    inDoubt: states.IN_DOUBT,
    questions: states.NEEDS_USER,
    unreadable: notes.unreadable,
    ...campaigns,
  };
}
