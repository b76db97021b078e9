import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { AppEvent } from '../../shared/api/app.ts';
import type { DeepReadonly } from '../../shared/api/operation.ts';
import { RowIdSchema } from '../../shared/api/scalars.ts';
import type { PendingSyncView, SyncReport } from '../../shared/api/sync.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import type { Clock, SleepState } from '../app/clock.ts';
import { diskWords } from '../app/system.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import { type RunOptions, type RunProblem, syncRuns } from './context.ts';
import {
  dueAt,
  type PendingCommand,
  type PendingEvent,
  type PendingState,
  type RestingState,
  reopened,
  SavedState,
  type SyncOptions,
  type SyncRequest,
  stepOf,
} from './pending-steps.ts';
import { changesOf } from './plan-lines.ts';
import type { SyncService } from './service.ts';

type Started = Result<{ readonly runId: string }, RunProblem>;

export interface PendingOptions extends RunOptions {
  /** Whether it waits for an unreachable service, and is kept as paused when Adslate is closed. */
  readonly resumes?: boolean;
  readonly agreed?: SyncOptions['agreed'];
}

type Health = {
  /** No probe before this time, in milliseconds since 1970. */
  readonly after: number;
  /** How long probes have to succeed without interruption, in milliseconds. */
  readonly healthyMs: number;
};

/** A sync service whose syncs can be paused, wait for the service, and be scheduled. At most one of them is pending. */
export type PendingSync = Awaited<ReturnType<typeof createPendingSync>>;

interface PendingDeps {
  readonly workspaceId: WorkspaceId;
  readonly file: string;
  readonly clock: Clock;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  readonly sleepState?: SleepState | undefined;
  readonly emit: (event: AppEvent) => void;
  /** Whether the pending sync of an earlier process continues automatically; not in the command line. */
  readonly takesUp: boolean;
  /** Whether the database is the one the pending sync was saved for; after a restore the sync is paused. */
  readonly isSame: boolean;
  /** Checks whether a run that the user has not just started may begin. */
  readonly mayStart?: (options: RunOptions, agreed: SyncOptions['agreed']) => Promise<RunProblem | null>;
}

/**
 * Owns the pending sync of one account: `pending-steps.ts` decides each step, this executes the steps one at a time. A
 * state is saved to disk before its work begins.
 */
export async function createPendingSync(sync: SyncService, deps: PendingDeps) {
  const { workspaceId, clock, emit, random } = deps;
  const file = createPendingFile(deps.file);
  const inTurn = createSerialQueue();
  const found = await file.read();
  let plan: SavedPlan = found.plan;
  let runId = found.saved?.runId ?? null;
  let leftThen = found.saved?.leftThen ?? 0;
  let state: PendingState = reopened(found.saved?.state ?? { is: 'none' }, deps.isSame, clock.nowMs());
  let isActive = deps.takesUp;
  let isClosing = false;
  let isCanceled = false;
  /** Whether a run was requested and has not begun yet. */
  let isBeginning = false;
  /** The plan the user has seen. Only for the first run of a sync: later runs send what is left. */
  let seenPlan: string | null = null;
  const alarm = createAlarm(clock, deps.sleepState);
  let watchers: (() => void)[] = [];

  /** Runs work that is not awaited. Its failure is ignored while the account is being closed. */
  const runDetached = (work: Promise<unknown>): void =>
    void work.catch((thrown: unknown) => {
      if (isClosing || thrown instanceof WorkspaceClosed) return;
      throw thrown;
    });

  const optionsOf = ({ wish, deadline }: SyncRequest): RunOptions => {
    const { agreed: _, ...options } = wish;
    const seen = seenPlan;
    seenPlan = null;
    const approved = plan.approved === null ? null : new Set(plan.approved);
    // A plan that was compared once can't be compared again: part of it was sent.
    return {
      ...options,
      seenPlan: seen,
      plan: approved === null ? plan.plan : null,
      deadline,
      goesOn: { unread: plan.unread, approved },
    };
  };

  const leftOf = async (wish: SyncOptions): Promise<number> => {
    const planned = await sync.planned({ ...wish, plan: null });
    return changesOf(planned.plan).size;
  };

  /** If saving fails, the state in memory applies while Adslate runs; the user is notified. */
  const onDisk = async (write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (thrown) {
      const message = `Can't save the pending sync: ${diskWords(thrown) ?? String(thrown)}. Keep Adslate open until the sync has ended.`;
      emit({ type: 'notice', workspaceId, severity: 'error', message, params: {} });
    }
  };
  const keepPlan = async (next: SavedPlan): Promise<void> => {
    plan = next;
    await onDisk(() => file.writePlan(next));
  };

  const save = async (next: PendingState): Promise<void> => {
    const before = state;
    const isResting = next.is !== 'none' && next.is !== 'running';
    if (isResting && next.is !== before.is) leftThen = await leftOf(next.order.wish);
    // In memory first: even if the write fails, nothing may begin twice.
    state = next;
    await onDisk(() => file.write({ state: next, runId, leftThen }));
    if (next.is === 'none' && plan !== NO_PLAN) await keepPlan(NO_PLAN);
  };

  const emitState = (): void =>
    emit({ type: 'sync.pending', workspaceId, state: state.is, nextAt: 'nextAt' in state ? state.nextAt : null });
  const arm = (): void =>
    alarm.set(isActive && !isClosing ? dueAt(state) : null, () => runDetached(handleEvent({ is: 'tick' })));

  /**
   * @returns how the requested run began; null if none was requested, false if the event has no effect in this state
   */
  const move = async (event: PendingEvent): Promise<Started | null | false> => {
    const before = state;
    const step = stepOf(state, event, { now: clock.nowMs(), random: random() });
    if (step === null) return false;
    if (step.state.is === 'running' && before.is !== 'running') {
      isBeginning = true;
      isCanceled = false;
    }
    await save(step.state);
    // A run may begin late: a backup is made first, and a colleague may have the turn.
    if (isBeginning) emitState();
    let started: Started | null = null;
    for (const command of step.does) started = (await perform(command, before)) ?? started;
    emitState();
    arm();
    for (const look of watchers.splice(0)) look();
    return started;
  };
  const handleEvent = (event: PendingEvent): Promise<Started | null | false> => inTurn(() => move(event));

  const perform = async (command: PendingCommand, before: PendingState): Promise<Started | null> => {
    switch (command.do) {
      case 'run':
        return begin().finally(() => (isBeginning = false));
      case 'pause-run':
        sync.pause();
        return null;
      case 'probe':
        runDetached(sync.probe().then((stop) => (isClosing ? false : handleEvent({ is: 'probed', stop }))));
        return null;
      case 'conclude': {
        const wish = before.is === 'none' ? null : before.order.wish;
        const untouched = wish === null ? 0 : await leftOf(wish);
        await sync.conclude({ stop: command.stop, untouched }, runId);
        return null;
      }
    }
  };

  const begin = async (): Promise<Started> => {
    if (state.is !== 'running') throw new Error('a run without an order');
    const { order, bySelf, from } = state;
    const options = optionsOf(order);
    const isNew = !bySelf && from.is !== 'paused' && from.is !== 'waiting';
    const problem = isNew ? null : ((await deps.mayStart?.(options, order.wish.agreed)) ?? null);
    if (isCanceled) {
      const report = await sync.conclude({ stop: null, untouched: await leftOf(order.wish) }, null);
      runId = report.runId;
      await move({ is: 'ended', how: 'canceled' });
      return ok({ runId });
    }
    const started = problem === null ? await sync.run(options) : err(problem);
    if (!started.ok) {
      await move({ is: 'refused', isBusy: IS_BUSY.has(started.error.code), problem: problemOf(started.error) });
      return started;
    }
    runId = started.value.runId;
    // It was canceled before it began, for example during its backup.
    if (isCanceled) sync.cancel();
    runDetached(sync.idle().then((report) => inTurn(() => ended(report))));
    return started;
  };

  const ended = async (report: SyncReport | null): Promise<unknown> => {
    const { unread, approved } = sync.left();
    const next = { ...plan, unread: [...unread], approved: approved === null ? plan.approved : [...approved] };
    const event = endOf(report, isCanceled ? 'user' : isClosing ? 'closing' : null);
    if (event.how !== 'finished') await keepPlan(next);
    return move(event);
  };

  /** Makes a request; it replaces what is pending, unless a sync is running. */
  const makeRequest = (options: PendingOptions, event: (order: SyncRequest) => PendingEvent) =>
    inTurn(async (): Promise<Started | null> => {
      if (state.is === 'running') return syncRuns(sync.report());
      const before = { plan, runId, isActive };
      const wished = event(orderOf(options));
      seenPlan = wished.is === 'start' ? (options.seenPlan ?? null) : null;
      const text = options.plan ?? null;
      const reviewed = wished.is === 'schedule' ? (text ?? planText((await sync.planned(options)).plan)) : text;
      await keepPlan(reviewed === null ? NO_PLAN : { ...NO_PLAN, plan: reviewed });
      runId = null;
      isActive = true;
      const started = await move(wished);
      if (started !== null && started !== false && !started.ok) {
        await keepPlan(before.plan);
        ({ runId, isActive } = before);
      }
      return started === false ? syncRuns(sync.report()) : started;
    });

  if (state.is !== 'none') await save(state);
  arm();
  const run = async (options: PendingOptions): Promise<Started> => {
    const started = await makeRequest(options, (order) => ({ is: 'start', order }));
    // If the deadline has passed, no run begins; the report has the reason.
    return started ?? ok({ runId: sync.report()?.runId ?? '' });
  };
  return {
    ...sync,
    run,
    reviews: {
      ...sync.reviews,
      submit: (campaignIds: readonly RowId[]) => run({ submit: true, campaignIds, resumes: deps.takesUp }),
    },
    /** Sends the given plan, or the current one, once the service is healthy. */
    schedule: async (options: PendingOptions, { after, healthyMs }: Health): Promise<Result<null, RunProblem>> => {
      const given = await makeRequest(options, (order) => ({ is: 'schedule', order, after, healthyMs }));
      return given?.ok === false ? given : ok(null);
    },
    /** @returns false if nothing is running or waiting */
    pauseSync: async (): Promise<boolean> => (await handleEvent({ is: 'pause' })) !== false,
    /** Resumes what is paused or waiting; null if nothing is. */
    resumeSync: async (): Promise<Started | null> => {
      isActive = true;
      const started = await handleEvent({ is: 'resume' });
      return started === false ? null : (started ?? ok({ runId: sync.report()?.runId ?? '' }));
    },
    /** Activates the pending sync in a process that otherwise does not continue pending syncs. */
    takeUp: () =>
      inTurn(async () => {
        isActive = true;
        arm();
      }),
    cancel: () => {
      if (sync.cancel() || isBeginning) {
        isCanceled = true;
        return true;
      }
      const isPending = state.is !== 'none' && state.is !== 'running';
      if (isPending) runDetached(handleEvent({ is: 'cancel' }));
      return isPending;
    },
    /** The paused, waiting or scheduled sync; null for none. */
    pending: async (): Promise<PendingSyncView | null> => {
      if (state.is === 'none' || state.is === 'running') return null;
      const isReviewed = plan.plan !== null || plan.approved !== null;
      return { ...viewOf(state, leftThen, await leftOf(state.order.wish)), isReviewed };
    },
    idle: async () => {
      const report = await sync.idle();
      await inTurn(async () => undefined);
      return report;
    },
    /** Resolves when nothing runs and nothing is pending. */
    settled: async (): Promise<SyncReport | null> => {
      for (;;) {
        await sync.idle();
        await inTurn(async () => undefined);
        if (state.is === 'none' && !sync.isRunning()) return sync.report();
        if (isClosing) return sync.report();
        await new Promise<void>((look) => watchers.push(look));
      }
    },
    close: async () => {
      isClosing = true;
      alarm.set(null);
      await sync.close();
      await inTurn(async () => undefined);
      for (const look of watchers.splice(0)) look();
      watchers = [];
    },
  };
}

/** The part of a request that is saved with the state; the reviewed plan is saved separately. */
const orderOf = (options: PendingOptions): SyncRequest => ({
  wish: {
    submit: options.submit,
    campaignIds: options.campaignIds,
    chosen: options.chosen ?? null,
    cancelReviews: options.cancelReviews ?? false,
    agreed: options.agreed ?? null,
  },
  resumes: options.resumes ?? false,
  deadline: options.deadline ?? null,
});

/** @param by who ended it from outside: the user, or the closing of the account */
function endOf(report: SyncReport | null, by: 'user' | 'closing' | null): Extract<PendingEvent, { is: 'ended' }> {
  if (report?.state === 'paused') return { is: 'ended', how: 'paused' };
  // A run ended from outside counts as such even if a request failed because of it.
  const isCut = report?.state === 'cancelled' || (report?.state === 'stopped' && by !== null);
  if (isCut) return { is: 'ended', how: by === 'closing' ? 'closed' : 'canceled' };
  if (report?.state !== 'stopped' || report.stoppedBy === null) return { is: 'ended', how: 'finished' };
  return { is: 'ended', how: 'stopped', stop: report.stoppedBy, hasSent: report.done + report.uploads > 0 };
}

/** Temporary reasons why a run can't begin. */
const IS_BUSY: ReadonlySet<string> = new Set<RunProblem['code']>(['SYNC_RUNNING', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE']);

/** As stored with a paused sync; nothing is stored of a failure that passes (`IS_BUSY`). */
const problemOf = ({ data }: RunProblem): string =>
  'detail' in data ? data.detail : 'There was more to send than before, and it was not confirmed';

/** The view of a paused, waiting or scheduled sync. */
function viewOf(state: RestingState, leftThen: number, left: number): Omit<PendingSyncView, 'isReviewed'> {
  const { since, order } = state;
  const all = { since, deadline: order.deadline, left, leftThen, cause: null, nextAt: null, health: null } as const;
  switch (state.is) {
    case 'paused':
      return { ...all, state: 'paused', problem: state.problem };
    case 'waiting':
      return { ...all, state: 'waiting', nextAt: state.nextAt, cause: state.stop.cause, problem: state.stop.detail };
    case 'scheduled': {
      const health = { since: state.healthySince, minutes: state.healthyMs / 60_000 };
      return { ...all, state: 'scheduled', nextAt: state.nextAt, problem: state.problem, health };
    }
  }
}

/** Long sleeps are split into pieces, since timers stop while the computer sleeps. */
const PIECE_MS = 60_000;

/** Calls back once, at a wall-clock time and never while the computer sleeps. */
function createAlarm(clock: Clock, sleepState: SleepState | undefined) {
  let current = new AbortController();
  const sleepUntil = async (at: number, signal: AbortSignal): Promise<void> => {
    const pieceMs = (): number => Math.min(PIECE_MS, Math.max(0, at - clock.nowMs()));
    while (!signal.aborted && pieceMs() > 0) await clock.sleep(pieceMs(), signal);
    while (!signal.aborted && sleepState?.isResting() === true) await clock.sleep(PIECE_MS, signal);
  };
  return {
    /** Replaces the time set before; null for none. */
    set: (at: number | null, ring?: () => void) => {
      current.abort();
      if (at === null || ring === undefined) return;
      current = new AbortController();
      const { signal } = current;
      void sleepUntil(at, signal).then(() => {
        if (!signal.aborted) ring();
      });
    },
  };
}

const SavedShape = z.strictObject({
  state: SavedState,
  /** The last run of this sync, and the number of changes left when that run ended. */
  runId: z.string().nullable(),
  leftThen: z.int(),
});
type Saved = DeepReadonly<z.infer<typeof SavedShape>>;

const SavedPlanShape = z.strictObject({
  /** The text of the reviewed plan; null for no reviewed plan. */
  plan: z.string().nullable(),
  /** @see RunLeft */
  approved: z.array(z.string()).nullable(),
  unread: z.array(z.strictObject({ id: RowIdSchema, kinds: z.array(z.enum([...KINDS, 'review'])) })),
});
type SavedPlan = DeepReadonly<z.infer<typeof SavedPlanShape>>;
const NO_PLAN: SavedPlan = { plan: null, approved: null, unread: [] };

/** The saved form of a state, without the fields that apply only to this process. */
function savedState(state: PendingState) {
  switch (state.is) {
    case 'none':
    case 'paused':
      return state;
    case 'running':
      return { is: 'running', order: state.order };
    case 'waiting': {
      const { isProbing: _, ...saved } = state;
      return saved;
    }
    case 'scheduled': {
      const { isProbing: _, healthySince: _since, probedAt: _at, ...saved } = state;
      return saved;
    }
  }
}

/**
 * The pending sync of an account on disk, next to its database and in no backup: a restored database must not restart
 * an old sync. The reviewed plan has its own file, since the state is written with every probe.
 *
 * @param path of the state; the plan's path is derived from it
 */
function createPendingFile(path: string) {
  const planPath = path.replace(/\.json$/, '-plan.json');
  const textOf = async (file: string): Promise<unknown> => {
    const text = await readFile(file, 'utf8').catch(nullIfNotFound);
    return text === null ? null : jsonOrNull(text);
  };
  return {
    // An unreadable file counts as nothing to send.
    read: async (): Promise<{ readonly saved: Saved | null; readonly plan: SavedPlan }> => ({
      saved: SavedShape.safeParse(await textOf(path)).data ?? null,
      plan: SavedPlanShape.safeParse(await textOf(planPath)).data ?? NO_PLAN,
    }),
    write: (saved: Saved & { readonly state: PendingState }) =>
      saved.state.is === 'none'
        ? rm(path, { force: true })
        : writeFileAtomic(path, JSON.stringify({ ...saved, state: savedState(saved.state) })),
    writePlan: (plan: SavedPlan) =>
      plan === NO_PLAN ? rm(planPath, { force: true }) : writeFileAtomic(planPath, JSON.stringify(plan)),
  };
}
