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
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { RunOptions, RunProblem } from './context.ts';
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
  /** Whether it waits for a service that is away, and stays as paused when Adslate is closed. */
  readonly resumes?: boolean;
  readonly agreed?: SyncOptions['agreed'];
}

type Health = {
  /** No probe before this moment, in milliseconds since 1970. */
  readonly after: number;
  /** How long probes have to succeed without a break. */
  readonly healthyMs: number;
};

/** A sync service whose syncs can be paused, wait for the service, and be scheduled. At most one of them is pending. */
export type PendingSync = Awaited<ReturnType<typeof createPendingSync>>;

interface PendingDeps {
  readonly workspaceId: WorkspaceId;
  readonly file: string;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly sleepState?: SleepState | undefined;
  readonly emit: (event: AppEvent) => void;
  /** Whether what a former process left goes on by itself; the command line leaves it alone. */
  readonly takesUp: boolean;
  /** Whether the database is the one that was left; one that was restored brings no sync along. */
  readonly isSame: boolean;
  /** Asked before a run that nobody has just asked for: whether it may begin. */
  readonly mayStart?: (options: RunOptions, agreed: SyncOptions['agreed']) => Promise<RunProblem | null>;
}

/**
 * Owns the pending sync of one account: `pending-steps.ts` decides what follows on what, this carries it out, one step
 * after the other, with the state on disk before what it stands for begins.
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
  /** Whether a run was asked for that does not go yet. */
  let isBeginning = false;
  /** The plan that the user has looked at, for the first run of a sync alone: a later one goes on with what is left. */
  let seenPlan: string | null = null;
  const alarm = createAlarm(clock, deps.sleepState);
  let watchers: (() => void)[] = [];

  /** Has work go on that nobody waits for. While the account is being closed it may fail, and then it is over. */
  const aside = (work: Promise<unknown>): void =>
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

  /** What can't be saved is not forgotten as long as Adslate runs; the user is told. */
  const onDisk = async (write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      const message = `Can't save the pending sync (${why}). It is lost when you close Adslate.`;
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
    // In the memory first: whatever the disk says, nothing may begin twice.
    state = next;
    await onDisk(() => file.write({ state: next, runId, leftThen }));
    if (next.is === 'none' && plan !== NO_PLAN) await keepPlan(NO_PLAN);
  };

  const tell = (): void =>
    emit({ type: 'sync.pending', workspaceId, state: state.is, nextAt: 'nextAt' in state ? state.nextAt : null });
  const arm = (): void => alarm.set(isActive && !isClosing ? dueAt(state) : null, () => aside(happen({ is: 'tick' })));

  /** @returns how the run began that was asked for; null when none was, false when the event means nothing now */
  const move = async (event: PendingEvent): Promise<Started | null | false> => {
    const before = state;
    const step = stepOf(state, event, { now: clock.nowMs(), random: random() });
    if (step === null) return false;
    if (step.state.is === 'running' && before.is !== 'running') {
      isBeginning = true;
      isCanceled = false;
    }
    await save(step.state);
    // A run may take its time to begin: a backup comes first, and a colleague may have the turn.
    if (isBeginning) tell();
    let started: Started | null = null;
    for (const command of step.does) started = (await perform(command, before)) ?? started;
    tell();
    arm();
    for (const look of watchers.splice(0)) look();
    return started;
  };
  const happen = (event: PendingEvent): Promise<Started | null | false> => inTurn(() => move(event));

  const perform = async (command: PendingCommand, before: PendingState): Promise<Started | null> => {
    switch (command.do) {
      case 'run':
        return begin().finally(() => (isBeginning = false));
      case 'pause-run':
        sync.pause();
        return null;
      case 'probe':
        aside(sync.probe().then((stop) => (isClosing ? false : happen({ is: 'probed', stop }))));
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
      await move({ is: 'refused', isBusy: IS_BUSY.has(started.error.kind), problem: problemOf(started.error) });
      return started;
    }
    runId = started.value.runId;
    // It was canceled before it had begun, such as during its backup.
    if (isCanceled) sync.cancel();
    aside(sync.idle().then((report) => inTurn(() => ended(report))));
    return started;
  };

  const ended = async (report: SyncReport | null): Promise<unknown> => {
    const { unread, approved } = sync.left();
    const next = { ...plan, unread: [...unread], approved: approved === null ? plan.approved : [...approved] };
    const event = endOf(report, isCanceled ? 'user' : isClosing ? 'closing' : null);
    if (event.how !== 'finished') await keepPlan(next);
    return move(event);
  };

  /** Gives an order; what is pending is replaced by it, unless it runs. */
  const give = (options: PendingOptions, event: (order: SyncRequest) => PendingEvent) =>
    inTurn(async (): Promise<Started | null> => {
      if (state.is === 'running') return err({ kind: 'sync-running' });
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
      return started === false ? err({ kind: 'sync-running' }) : started;
    });

  if (state.is !== 'none') await save(state);
  arm();
  const run = async (options: PendingOptions): Promise<Started> => {
    const started = await give(options, (order) => ({ is: 'start', order }));
    // A deadline that has passed is no run, and its report says so.
    return started ?? ok({ runId: sync.report()?.runId ?? '' });
  };
  return {
    ...sync,
    run,
    reviews: {
      ...sync.reviews,
      submit: (campaignIds: readonly RowId[]) => run({ submit: true, campaignIds, resumes: deps.takesUp }),
    },
    /** Sends the plan of this moment, or the one that is handed in, once the service is healthy. */
    schedule: async (options: PendingOptions, { after, healthyMs }: Health): Promise<Result<null, RunProblem>> => {
      const given = await give(options, (order) => ({ is: 'schedule', order, after, healthyMs }));
      return given?.ok === false ? given : ok(null);
    },
    /** @returns false when nothing runs or waits */
    pauseSync: async (): Promise<boolean> => (await happen({ is: 'pause' })) !== false,
    /** Goes on now with what is paused or waits. Null when nothing does. */
    resumeSync: async (): Promise<Started | null> => {
      isActive = true;
      const started = await happen({ is: 'resume' });
      return started === false ? null : (started ?? ok({ runId: sync.report()?.runId ?? '' }));
    },
    /** Has a process that leaves pending syncs alone carry on with this one. */
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
      if (isPending) aside(happen({ is: 'cancel' }));
      return isPending;
    },
    /** What is paused, waits or is scheduled; null when nothing is. */
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

/** What is kept of what was asked for; the reviewed plan is kept apart. */
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

/** @param by who ended it, apart from itself: the user, or the account that closes */
function endOf(report: SyncReport | null, by: 'user' | 'closing' | null): Extract<PendingEvent, { is: 'ended' }> {
  if (report?.state === 'paused') return { is: 'ended', how: 'paused' };
  // A request that failed because of it is not why.
  const isCut = report?.state === 'cancelled' || (report?.state === 'stopped' && by !== null);
  if (isCut) return { is: 'ended', how: by === 'closing' ? 'closed' : 'canceled' };
  if (report?.state !== 'stopped' || report.stoppedBy === null) return { is: 'ended', how: 'finished' };
  return { is: 'ended', how: 'stopped', stop: report.stoppedBy, hasSent: report.done + report.uploads > 0 };
}

/** Why a run could not begin: these pass by themselves. */
const IS_BUSY: ReadonlySet<string> = new Set<RunProblem['kind']>(['sync-running', 'colleague-syncs', 'team-away']);

const problemOf = (problem: RunProblem): string => ('detail' in problem ? problem.detail : problem.kind);

/** What is told of a sync that is paused, waits or is scheduled. */
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

/** Long sleeps are taken in pieces, since timers stand still while a machine sleeps. */
const PIECE_MS = 60_000;

/** Rings once, at a moment of the wall clock and never while the machine sleeps. */
function createAlarm(clock: Clock, sleepState: SleepState | undefined) {
  let current = new AbortController();
  const sleepUntil = async (at: number, signal: AbortSignal): Promise<void> => {
    const pieceMs = (): number => Math.min(PIECE_MS, Math.max(0, at - clock.nowMs()));
    while (!signal.aborted && pieceMs() > 0) await clock.sleep(pieceMs(), signal);
    while (!signal.aborted && sleepState?.isResting() === true) await clock.sleep(PIECE_MS, signal);
  };
  return {
    /** Replaces the moment that was set before; null for none. */
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
  /** The last run of this sync, and how many changes were left when it stopped going. */
  runId: z.string().nullable(),
  leftThen: z.int(),
});
type Saved = DeepReadonly<z.infer<typeof SavedShape>>;

const SavedPlanShape = z.strictObject({
  /** The text of the reviewed plan; null when whatever is due is sent. */
  plan: z.string().nullable(),
  /** @see RunLeft */
  approved: z.array(z.string()).nullable(),
  unread: z.array(z.strictObject({ id: RowIdSchema, kinds: z.array(z.enum([...KINDS, 'review'])) })),
});
type SavedPlan = DeepReadonly<z.infer<typeof SavedPlanShape>>;
const NO_PLAN: SavedPlan = { plan: null, approved: null, unread: [] };

/** As it is written: what belongs to this process alone is left out. */
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
 * The pending sync of an account on disk, beside its database and in no backup: a database that is restored must not bring
 * an old sync along. The reviewed plan lies in a file of its own, since the state is written with every probe.
 *
 * @param path of the state; that of the plan is made from it
 */
function createPendingFile(path: string) {
  const planPath = path.replace(/\.json$/, '-plan.json');
  const textOf = async (file: string): Promise<unknown> => {
    const text = await readFile(file, 'utf8').catch(nullIfNotFound);
    return text === null ? null : jsonOrNull(text);
  };
  return {
    // A file that can't be read holds nothing that may be sent.
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
