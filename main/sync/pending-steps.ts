import { z } from 'zod';
import type { DeepReadonly } from '../../shared/api/operation.ts';
import { RowIdSchema } from '../../shared/api/scalars.ts';
import { ChosenRows, SyncReport } from '../../shared/api/sync.ts';
import { deadlineStop, type StopReason } from './context.ts';

/** What a pending sync sends, apart from its reviewed plan. */
const SyncOptions = z.strictObject({
  submit: z.boolean(),
  campaignIds: z.array(RowIdSchema).nullable(),
  chosen: ChosenRows.nullable(),
  cancelReviews: z.boolean(),
  /** What the user has confirmed outside the window (`main/app/confirm-large-sync.ts`); null without a confirmation. */
  agreed: z.strictObject({ creates: z.int(), budgetCents: z.int() }).nullable(),
});
export type SyncOptions = DeepReadonly<z.infer<typeof SyncOptions>>;

/** What was requested, independent of its result. Times are milliseconds since 1970. */
const SyncRequest = z.strictObject({
  wish: SyncOptions,
  /** Whether it resumes automatically after an outage, and is kept as paused when Adslate is closed. */
  resumes: z.boolean(),
  deadline: z.number().nullable(),
});
export type SyncRequest = DeepReadonly<z.infer<typeof SyncRequest>>;

/** The saved states, with the names used in files since the first version. */
export const SavedState = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('none') }),
  z.strictObject({ is: z.literal('running'), order: SyncRequest }),
  z.strictObject({
    is: z.literal('paused'),
    order: SyncRequest,
    since: z.number(),
    /** The reason if it was not paused by the user. */
    problem: z.string().nullable(),
  }),
  z.strictObject({
    is: z.literal('waiting'),
    order: SyncRequest,
    since: z.number(),
    attempt: z.int(),
    nextAt: z.number(),
    stop: SyncReport.shape.stoppedBy.unwrap(),
  }),
  z.strictObject({
    is: z.literal('scheduled'),
    order: SyncRequest,
    since: z.number(),
    after: z.number(),
    /** How long probes have to succeed without interruption, in milliseconds. */
    healthyMs: z.number(),
    nextAt: z.number(),
    problem: z.string().nullable(),
  }),
]);
export type SavedState = DeepReadonly<z.infer<typeof SavedState>>;
type Saved<Is extends SavedState['is']> = Extract<SavedState, { readonly is: Is }>;

/**
 * A sync that runs later or is not complete: its request and its state. There is at most one per account; a new one
 * replaces it.
 *
 *               start                 ended                        tick
 *   none -----------------> running ---------> none      waiting --------> probing --ok--> running
 *    | schedule                | pause   `---> waiting      ^                 |
 *    v                         v         `---> paused       '----not yet------'
 *   scheduled --tick--> probing        paused --resume--> running
 *      ^                  |  `--ok without a break for long enough--> running
 *      '-----not yet------'
 *
 * At the deadline paused, waiting and scheduled become none; a run checks the deadline before every request.
 */
export type PendingState = Saved<'none' | 'paused'> | Running | Waiting | Scheduled;

interface Running extends Saved<'running'> {
  /** Since when it waits for the service, and the number of attempts; both 0 if it does not wait. */
  readonly since: number;
  readonly attempt: number;
  readonly isPausing: boolean;
  /** The state before, to return to if the run can't begin. */
  readonly from: Exclude<PendingState, Running>;
  /** Whether it was started by a timer, not by the user. */
  readonly bySelf: boolean;
}
interface Waiting extends Saved<'waiting'> {
  readonly isProbing: boolean;
}
interface Scheduled extends Saved<'scheduled'> {
  /** The first and the last of the latest uninterrupted successful probes. */
  readonly healthySince: number | null;
  readonly probedAt: number | null;
  readonly isProbing: boolean;
}
/** A sync that does not run and has not ended. */
export type RestingState = Exclude<PendingState, { is: 'none' | 'running' }>;

export type PendingEvent =
  | { readonly is: 'start'; readonly order: SyncRequest }
  | { readonly is: 'schedule'; readonly order: SyncRequest; readonly after: number; readonly healthyMs: number }
  | { readonly is: 'pause' | 'resume' | 'cancel' | 'tick' }
  /** `closed`: the run ends because the account is closed. */
  | { readonly is: 'ended'; readonly how: 'finished' | 'canceled' | 'paused' | 'closed' }
  | { readonly is: 'ended'; readonly how: 'stopped'; readonly stop: StopReason; readonly hasSent: boolean }
  /** A run could not begin: another one is running (`busy`), or nothing may be written. */
  | { readonly is: 'refused'; readonly isBusy: boolean; readonly problem: string }
  /** @see StopReason; null if the service responded normally */
  | { readonly is: 'probed'; readonly stop: StopReason | null };

/** Commands to execute after a step, in this order. */
export type PendingCommand =
  | { readonly do: 'run' | 'pause-run' | 'probe' }
  /** The sync ends without another request, with this reason in its report; null for "canceled by the user". */
  | { readonly do: 'conclude'; readonly stop: StopReason | null };

interface Moment {
  readonly now: number;
  /** At least 0 and less than 1. */
  readonly random: number;
}

interface Step {
  readonly state: PendingState;
  readonly does: readonly PendingCommand[];
}

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** The service is probed after one day at the latest, even if it names a later time. */
const RETRY_AT_MAX_MS = 86_400_000;
/** After a week, the sync ends with the reason for which it waits. */
export const WAIT_MAX_MS = 7 * 86_400_000;
/** How often a scheduled sync checks whether the service is healthy. */
export const PROBE_EVERY_MS = 60_000;
/** Delay while another run is running. */
const BUSY_MS = 5000;

/** Whether the reason for the stop is probably temporary. */
export const mayPass = ({ cause, status }: StopReason): boolean =>
  cause === 'unreachable' ||
  cause === 'rate-limited' ||
  cause === 'team' ||
  (cause === 'service' && (status ?? 0) >= 500);

/** @returns the next step; null if the event can't occur in this state, which is then unchanged */
export function stepOf(state: PendingState, event: PendingEvent, at: Moment): Step | null {
  switch (event.is) {
    case 'start':
      return state.is === 'running' ? null : run(event.order, 0, 0, state, false, at);
    case 'schedule': {
      if (state.is === 'running') return null;
      const { order, after, healthyMs } = event;
      const health = { healthySince: null, probedAt: null, problem: null, isProbing: false } as const;
      return rest({
        is: 'scheduled',
        order,
        after,
        healthyMs,
        since: at.now,
        nextAt: Math.max(at.now, after),
        ...health,
      });
    }
    case 'pause':
      if (state.is === 'running') return { state: { ...state, isPausing: true }, does: [{ do: 'pause-run' }] };
      return state.is === 'waiting' ? rest(paused(state.order, at)) : null;
    case 'resume':
      if (state.is === 'paused') return run(state.order, 0, 0, state, false, at);
      return state.is === 'waiting' ? run(state.order, state.since, state.attempt, state, false, at) : null;
    case 'cancel':
      if (state.is === 'paused') return over({ do: 'conclude', stop: null });
      return state.is === 'waiting' || state.is === 'scheduled' ? over() : null;
    case 'ended':
      return state.is === 'running' ? ended(state, event, at) : null;
    case 'refused':
      return state.is === 'running' ? refused(state, event, at) : null;
    case 'tick':
      return tick(state, at);
    case 'probed':
      return probed(state, event.stop, at);
  }
}

/**
 * The state after a restart: a sync that was not meant to resume is dropped, and one of a restored database is paused.
 */
export function reopened(saved: SavedState, isSame: boolean, now: number): PendingState {
  switch (saved.is) {
    case 'running':
      return saved.order.resumes ? paused(saved.order, { now }, 'Adslate was closed while it ran') : NONE;
    case 'waiting':
    case 'scheduled': {
      if (!isSame) return paused(saved.order, { now }, 'the account was restored from a backup');
      if (saved.is === 'waiting') return { ...saved, isProbing: false };
      // Probes from before the restart do not count.
      return { ...saved, healthySince: null, probedAt: null, isProbing: false };
    }
    default:
      return saved;
  }
}

/** When a state has to be checked again; null if only the user can change it. */
export function dueAt(state: PendingState): number | null {
  if (state.is === 'none' || state.is === 'running') return null;
  const { deadline } = state.order;
  // While a probe runs, its result is the next event.
  if (state.is === 'paused' || state.isProbing) return deadline;
  return Math.min(state.nextAt, deadline ?? Number.POSITIVE_INFINITY, startOf(state) + WAIT_MAX_MS);
}

const startOf = (state: { readonly since: number; readonly after?: number }): number =>
  Math.max(state.since, state.after ?? 0);

const NONE = { is: 'none' } as const;
const over = (...does: readonly PendingCommand[]): Step => ({ state: NONE, does });
const rest = (state: PendingState): Step => ({ state, does: [] });
const paused = (order: SyncRequest, { now }: Pick<Moment, 'now'>, problem: string | null = null): Saved<'paused'> => ({
  is: 'paused',
  order,
  since: now,
  problem,
});

const isLate = ({ deadline }: SyncRequest, { now }: Moment): boolean => deadline !== null && now >= deadline;

function run(
  order: SyncRequest,
  since: number,
  attempt: number,
  from: Exclude<PendingState, Running>,
  bySelf: boolean,
  at: Moment,
): Step {
  if (isLate(order, at)) return over({ do: 'conclude', stop: deadlineStop(order.deadline ?? at.now) });
  return { state: { is: 'running', order, since, attempt, isPausing: false, from, bySelf }, does: [{ do: 'run' }] };
}

function ended(state: Running, event: Extract<PendingEvent, { is: 'ended' }>, at: Moment): Step {
  const { order } = state;
  if (event.how === 'finished' || event.how === 'canceled') return over();
  if (event.how === 'closed')
    return order.resumes ? rest(paused(order, at, 'Adslate was closed while it ran')) : over();
  if (event.how !== 'stopped') return pausedOrLate(order, at);
  const { stop, hasSent } = event;
  if (!mayPass(stop)) return over();
  if (state.isPausing) return pausedOrLate(order, at);
  if (!order.resumes) return over();
  // A sync that makes progress starts again with the shortest wait.
  const since = hasSent || state.since === 0 ? at.now : state.since;
  return wait(
    { is: 'waiting', order, since, attempt: hasSent ? 0 : state.attempt, nextAt: 0, stop, isProbing: false },
    at,
  );
}

const pausedOrLate = (order: SyncRequest, at: Moment): Step =>
  isLate(order, at) ? over({ do: 'conclude', stop: deadlineStop(order.deadline ?? at.now) }) : rest(paused(order, at));

function wait(state: Waiting, at: Moment): Step {
  const late = tooLate(state, at);
  if (late !== null) return late;
  const distance = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** state.attempt) * (0.8 + 0.4 * at.random);
  const named = Math.min(state.stop.retryAt ?? 0, at.now + RETRY_AT_MAX_MS);
  const nextAt = Math.round(Math.max(named, at.now + distance));
  return rest({ ...state, attempt: state.attempt + 1, nextAt, isProbing: false });
}

/** The end of waiting: at the deadline, or after a week. */
function tooLate(state: RestingState, at: Moment): Step | null {
  if (isLate(state.order, at)) {
    const { cause, detail } = deadlineStop(state.order.deadline ?? at.now);
    const why = reasonOf(state);
    return over({ do: 'conclude', stop: { cause, detail: why === null ? detail : `${detail}; ${why}` } });
  }
  if (state.is === 'paused' || at.now < startOf(state) + WAIT_MAX_MS) return null;
  const stop: StopReason =
    state.is === 'waiting' ? state.stop : { cause: 'unreachable', detail: reasonOf(state) ?? '' };
  return over({ do: 'conclude', stop });
}

/** Why nothing was sent until the deadline. */
function reasonOf(state: RestingState): string | null {
  if (state.is === 'paused') return 'the sync was paused';
  if (state.is === 'waiting') return state.stop.detail;
  if (state.problem !== null) return `the service was not healthy: ${state.problem}`;
  return state.healthySince === null
    ? 'the service was not probed yet'
    : `the service was healthy for less than ${Math.round(state.healthyMs / 60_000)} minutes`;
}

function refused(
  { order, from, bySelf }: Running,
  { isBusy, problem }: Extract<PendingEvent, { is: 'refused' }>,
  at: Moment,
): Step {
  // The result of a probe that ended in the meantime was dropped, so another one is needed.
  if (!bySelf) return rest('isProbing' in from ? { ...from, isProbing: false } : from);
  if (isBusy && (from.is === 'waiting' || from.is === 'scheduled')) {
    return rest({ ...from, isProbing: false, nextAt: at.now + BUSY_MS });
  }
  return rest(paused(order, at, problem));
}

function tick(state: PendingState, at: Moment): Step | null {
  if (state.is === 'none' || state.is === 'running') return null;
  const late = tooLate(state, at);
  if (late !== null) return late;
  if (state.is === 'paused' || state.isProbing || at.now < state.nextAt) return null;
  return { state: { ...state, isProbing: true }, does: [{ do: 'probe' }] };
}

function probed(state: PendingState, stop: StopReason | null, at: Moment): Step | null {
  if ((state.is !== 'waiting' && state.is !== 'scheduled') || !state.isProbing) return null;
  const late = tooLate(state, at);
  if (late !== null) return late;
  // A wrong key or address is not fixed by waiting.
  if (stop?.cause === 'credentials' || stop?.cause === 'security') return over({ do: 'conclude', stop });
  if (state.is === 'waiting') {
    if (stop !== null) return wait({ ...state, stop }, at);
    return run(state.order, state.since, state.attempt, state, true, at);
  }
  const next = { ...state, isProbing: false, probedAt: at.now };
  if (stop !== null) {
    const named = Math.min(stop.retryAt ?? 0, at.now + RETRY_AT_MAX_MS);
    const nextAt = Math.max(named, at.now + PROBE_EVERY_MS);
    return rest({ ...next, healthySince: null, problem: stop.detail, nextAt });
  }
  // A long gap between probes, such as a sleeping computer, breaks the sequence.
  const isUnbroken = state.probedAt !== null && at.now - state.probedAt <= 2 * PROBE_EVERY_MS;
  const healthySince = isUnbroken && state.healthySince !== null ? state.healthySince : at.now;
  const healthy = { ...next, healthySince, problem: null };
  if (at.now - healthySince >= state.healthyMs) return run(state.order, 0, 0, healthy, true, at);
  return rest({
    ...healthy,
    nextAt: Math.min(at.now + PROBE_EVERY_MS, Math.max(at.now, healthySince + state.healthyMs)),
  });
}
