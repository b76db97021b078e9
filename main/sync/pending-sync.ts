import type { SyncReport } from '../../shared/contract/sync.ts';
import { createTurns } from '../../shared/in-turn.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { err, ok } from '../../shared/result.ts';
import { WorkspaceClosed } from '../workspace/worker/calls-under-way.ts';
import { createAlarm } from './alarm.ts';
import type { Order, PendingCommand, PendingEvent, PendingState } from './core/pending-state.ts';
import { dueAt, reopened, stepOf } from './core/pending-steps.ts';
import { createPendingFile, NO_PLAN, type SavedPlan, type Wish } from './pending-file.ts';
import type { PendingDeps, PendingOptions, PendingSync, Started } from './pending-port.ts';
import { endOf, orderOf, problemOf, viewOf } from './pending-view.ts';
import type { RunOptions, SyncService } from './port.ts';

type State = PendingState<Wish>;

/**
 * Owns the pending sync of one account: `core/pending-steps.ts` decides what follows on what, this carries it out, one step
 * after the other, with the state on disk before what it stands for begins.
 */
export async function createPendingSync(sync: SyncService, deps: PendingDeps): Promise<PendingSync> {
  const { workspaceId, clock, emit } = deps;
  const file = createPendingFile(deps.file);
  const random = deps.random ?? Math.random;
  const inTurn = createTurns();
  const found = await file.read();
  let plan: SavedPlan = found.plan;
  let runId = found.saved?.runId ?? null;
  let leftThen = found.saved?.leftThen ?? 0;
  let state: State = reopened(found.saved?.state ?? { is: 'none' }, deps.isSame, clock.nowMs());
  let isActive = deps.takesUp;
  let isClosing = false;
  let isCanceled = false;
  const alarm = createAlarm(clock, deps.rest);
  let watchers: (() => void)[] = [];

  /** Has work go on that nobody waits for. While the account is being closed it may fail, and then it is over. */
  const aside = (work: Promise<unknown>): void =>
    void work.catch((thrown: unknown) => {
      if (isClosing || thrown instanceof WorkspaceClosed) return;
      throw thrown;
    });

  const optionsOf = ({ wish, deadline }: Order<Wish>): RunOptions => {
    const { agreed: _, ...options } = wish;
    const approved = plan.approved === null ? null : new Set(plan.approved);
    // A plan that was compared once can't be compared again: part of it was sent.
    return {
      ...options,
      plan: approved === null ? plan.plan : null,
      deadline,
      goesOn: { unread: plan.unread, approved },
    };
  };

  const leftOf = async (wish: Wish): Promise<number> => {
    const planned = await sync.planned({ ...wish, plan: null });
    return planned.plan.elements + planned.plan.uploads.length;
  };

  /** What can't be saved is not forgotten as long as Adslate runs; the user is told. */
  const onDisk = async (write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      const message = `The pending sync could not be saved (${why}). It is lost when Adslate is closed.`;
      emit({ type: 'notice', workspaceId, severity: 'error', message, params: {} });
    }
  };
  const keepPlan = async (next: SavedPlan): Promise<void> => {
    plan = next;
    await onDisk(() => file.writePlan(next));
  };

  const save = async (next: State): Promise<void> => {
    const before = state;
    const isResting = next.is !== 'none' && next.is !== 'running';
    if (isResting && next.is !== before.is) leftThen = await leftOf(next.order.wish);
    // In the memory first: whatever the disk says, nothing may begin twice.
    state = next;
    await onDisk(() => file.write({ state: next, runId, leftThen }));
    if (next.is === 'none' && plan !== NO_PLAN) await keepPlan(NO_PLAN);
  };

  const arm = (): void => alarm.set(isActive && !isClosing ? dueAt(state) : null, () => aside(happen({ is: 'tick' })));

  /** @returns how the run began that was asked for; null when none was, false when the event means nothing now */
  const move = async (event: PendingEvent<Wish>): Promise<Started | null | false> => {
    const before = state;
    const step = stepOf(state, event, { now: clock.nowMs(), random: random() });
    if (step === null) return false;
    await save(step.state);
    let started: Started | null = null;
    for (const command of step.does) started = (await perform(command, before)) ?? started;
    emit({ type: 'sync.pending', workspaceId, state: state.is, nextAt: 'nextAt' in state ? state.nextAt : null });
    arm();
    for (const look of watchers.splice(0)) look();
    return started;
  };
  const happen = (event: PendingEvent<Wish>): Promise<Started | null | false> => inTurn(() => move(event));

  const perform = async (command: PendingCommand, before: State): Promise<Started | null> => {
    switch (command.do) {
      case 'run':
        return begin();
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
    const started = problem === null ? await sync.run(options) : err(problem);
    if (!started.ok) {
      await move({ is: 'refused', isBusy: started.error.kind === 'sync-running', problem: problemOf(started.error) });
      return started;
    }
    runId = started.value.runId;
    isCanceled = false;
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
  const give = (options: PendingOptions, event: (order: Order<Wish>) => PendingEvent<Wish>) =>
    inTurn(async (): Promise<Started | null> => {
      if (state.is === 'running') return err({ kind: 'sync-running' });
      const before = { plan, runId, isActive };
      const wished = event(orderOf(options));
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
      submit: (campaignIds) => run({ submit: true, campaignIds, resumes: deps.takesUp }),
    },
    schedule: async (options, { after, healthyMs }) => {
      const given = await give(options, (order) => ({ is: 'schedule', order, after, healthyMs }));
      return given?.ok === false ? given : ok(null);
    },
    pauseSync: async () => (await happen({ is: 'pause' })) !== false,
    resumeSync: async () => {
      isActive = true;
      const started = await happen({ is: 'resume' });
      return started === false ? null : (started ?? ok({ runId: sync.report()?.runId ?? '' }));
    },
    takeUp: () =>
      inTurn(async () => {
        isActive = true;
        arm();
      }),
    cancel: () => {
      isCanceled = true;
      if (sync.cancel()) return true;
      const isPending = state.is !== 'none' && state.is !== 'running';
      if (isPending) aside(happen({ is: 'cancel' }));
      return isPending;
    },
    pending: async () => {
      if (state.is === 'none' || state.is === 'running') return null;
      return viewOf(state, leftThen, await leftOf(state.order.wish));
    },
    idle: async () => {
      const report = await sync.idle();
      await inTurn(async () => undefined);
      return report;
    },
    settled: async () => {
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
