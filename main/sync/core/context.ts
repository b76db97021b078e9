import type { AppEvent } from '../../../shared/contract/app.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { ReadNotes, SyncReport } from '../../../shared/contract/sync.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { KnownKind } from '../../../shared/model/known-id.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RemoteId, RowId, WorkspaceId } from '../../../shared/model/scalars.ts';
import type { PlanLineChange } from '../../../shared/plan/plan-difference.ts';
import type { Capabilities, ChosenRows } from '../../../shared/plan/plan-types.ts';
import type { DeploymentProfile } from '../../../shared/profile/profile.ts';
import type { LogoField } from '../../api/logo.ts';
import type { ReadFailure } from '../../api/outcome.ts';
import { tell, type Work } from './effects.ts';
import type { KeptLimit } from './rate-limit.ts';
import type { Sighting } from './sightings.ts';

export interface Stop {
  readonly cause: NonNullable<SyncReport['stoppedBy']>['cause'];
  readonly detail: string;
  /** Of an answer: its status, what was asked, and the moment it named for another try. */
  readonly status?: number | undefined;
  readonly call?: string | undefined;
  readonly retryAt?: number | null | undefined;
  /** How a plan that was handed in differs from the one that would have been sent. */
  readonly otherPlan?: readonly PlanLineChange[];
}

export interface RefusedRow {
  readonly kind: Kind;
  readonly id: RowId;
  readonly message: string;
}

/** What a round is told once, at its start. */
export interface RoundOptions {
  readonly runId: string;
  readonly workspaceId: WorkspaceId;
  readonly epoch: number;
  readonly profile: DeploymentProfile;
  readonly capabilities: Capabilities;
  readonly advertiserId: RemoteId;
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  readonly chosen?: ChosenRows | null;
  /** Which side counts in conflicts that a read finds (`settle-conflict.ts`); the user decides when it is not said. */
  readonly conflictPolicy?: string | null;
  readonly logoField: LogoField;
  readonly today: () => Promise<string>;
  readonly nowMs: () => number;
  /** A clock that is never set; without one nobody notices that the other was. */
  readonly monotonicMs?: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly newCorrelationId: () => string;
  /** Whether nothing more is to begin: it was canceled or paused. */
  readonly isCancelled: () => boolean;
  /** Whether it was canceled: then a file whose upload is in progress is broken off too. */
  readonly isCut?: () => boolean;
  /** Nothing is sent from this moment on, in milliseconds since 1970. */
  readonly deadline?: number | null;
  /** What earlier parts of this sync have sent and not read back, by campaign. */
  readonly unread?: readonly TouchedCampaign[];
  /** Contents that were approved with a plan of which an earlier part was sent (`approved.ts`); null for no limit. */
  readonly approvedBefore?: ReadonlySet<string> | null;
  /** The text of the plan that was reviewed (`planText`), when nothing else may be sent. */
  readonly reviewedPlan?: string | null;
  /** How many requests may be under way at once, each for another campaign. */
  readonly lanesMax: number;
  /** The limit of the service that was kept last (`rate-limit.ts`). */
  readonly keptLimit?: KeptLimit | null;
}

/** A campaign of which something was sent, and of which kinds. */
export interface TouchedCampaign {
  readonly id: RowId;
  readonly kinds: readonly (Kind | 'review')[];
}

type Phase = Extract<AppEvent, { type: 'sync.progress' }>['phase'];

/** What a round knows and has done so far. One object per round; its lanes share it. */
export interface RoundContext extends RoundOptions {
  /** Less than at the start once a part of it was sent. */
  reviewedPlan?: string | null;
  /** Remote ids by `rowKey`, of rows that were read and of rows created since. */
  readonly ids: Map<string, RemoteId>;
  /** The other way round: which row of a kind has an id, under `kind:remoteId`. */
  readonly owners: Map<string, RowId>;
  readonly rows: Map<string, AnyRow>;
  /** Ad groups and campaigns that this round created: nothing can hang there but what it sent itself. */
  readonly fresh: Set<string>;
  /** Campaigns of which something was refused, skipped or is in doubt: no review is asked for them. */
  readonly troubled: Set<RowId>;
  /** A review said something new since the campaigns were listed. */
  reviewsMoved: boolean;
  readonly touched: Map<RowId, Set<Kind | 'review'>>;
  /** Contents that were approved with a reviewed plan; null while anything may be sent. */
  approved: ReadonlySet<string> | null;
  /** Campaigns and ad groups that a read of this round did not find: nothing is sent below them. */
  readonly absent: RowRef[];
  /** Ids that reads of this round were answered for, until that is written down (`confirmed.ts`). */
  readonly confirmed: Map<string, { readonly kind: KnownKind; readonly id: RemoteId }>;
  /** Groups in which a create of this plan came into doubt (`freeze.ts`). */
  readonly frozen: Set<string>;
  readonly tally: {
    requests: number;
    done: number;
    refused: RefusedRow[];
    untouched: number;
    uploads: number;
    failedUploads: SyncReport['failedUploads'];
    reviews: number;
    batchesDone: number;
    batchesTotal: number;
    inDoubt: number;
  };
  /** What its reads came upon beside values (`read-notes.ts`). */
  readonly notes: ReadNotes;
  /** Whether all that is read is looked through for rows that are gone, those without edits as well. */
  isRefresh: boolean;
  limit: KeptLimit | null;
  /** The campaigns the service had when this round first looked. */
  campaignsSeen: readonly Sighting[] | null;
  /** Ids of finished uploads that the service has, once they were read. */
  mediaSeen: Set<string> | null;
  /** Why the round ends early; lanes look at it before every request. */
  stop: Stop | null;
  phase: Phase;
  /** Earliest time at which something in doubt may be looked at again; null when nothing waits. */
  wakeAt: number | null;
  laneLimit: number;
  /** When a 429 last halved it, or a quiet time raised it. */
  laneLimitAt: number;
  /** Difference of the two clocks when this round last looked; it changes when a machine sleeps or a clock is set. */
  gapMs: number;
  logoSpelling: LogoField;
}

export function createContext(options: RoundOptions): RoundContext {
  return {
    ...options,
    ids: new Map(),
    owners: new Map(),
    rows: new Map(),
    fresh: new Set(),
    troubled: new Set(),
    reviewsMoved: false,
    touched: new Map(options.unread?.map(({ id, kinds }) => [id, new Set(kinds)])),
    approved: options.approvedBefore ?? null,
    absent: [],
    confirmed: new Map(),
    frozen: new Set(),
    tally: {
      requests: 0,
      done: 0,
      refused: [],
      untouched: 0,
      uploads: 0,
      failedUploads: [],
      reviews: 0,
      batchesDone: 0,
      batchesTotal: 0,
      inDoubt: 0,
    },
    notes: { gone: [], unreadable: [], notRead: [] },
    isRefresh: false,
    limit: options.keptLimit ?? null,
    campaignsSeen: null,
    mediaSeen: null,
    stop: null,
    phase: 'resolving',
    wakeAt: null,
    laneLimit: options.lanesMax,
    laneLimitAt: options.nowMs(),
    gapMs: gapOf(options),
    logoSpelling: options.logoField,
  };
}

export const gapOf = ({ nowMs, monotonicMs }: Pick<RoundOptions, 'nowMs' | 'monotonicMs'>): number =>
  monotonicMs === undefined ? 0 : nowMs() - monotonicMs();

/** Whether nothing more is to begin. A deadline that has passed becomes the reason. */
export const isOver = (ctx: RoundContext): boolean => isBrokenOff(ctx) || ctx.isCancelled();

/** The same for a file whose upload is in progress: a pause lets it come to its end. */
export function isBrokenOff(ctx: RoundContext): boolean {
  const deadline = ctx.deadline ?? null;
  if (deadline !== null && ctx.nowMs() >= deadline) ctx.stop ??= deadlineStop(deadline);
  return ctx.stop !== null || ctx.isCut?.() === true;
}

/** Whether it was paused: it goes on later, and reads then what it has touched. */
export const isPaused = (ctx: RoundContext): boolean => ctx.isCut?.() === false && ctx.isCancelled();

export const deadlineStop = (deadline: number): Stop => ({
  cause: 'deadline',
  detail: `nothing is sent after ${new Date(deadline).toISOString().slice(0, 16)}Z`,
});

export function touch(ctx: RoundContext, campaignId: RowId | null, kind: Kind | 'review'): void {
  if (campaignId === null) return;
  const kinds = ctx.touched.get(campaignId) ?? new Set();
  kinds.add(kind);
  ctx.touched.set(campaignId, kinds);
}

/** Ends the round because of a read that failed for good. A refused read concerns one thing and ends nothing. */
export function stopFor(ctx: RoundContext, failure: ReadFailure): void {
  if (ctx.stop !== null) return;
  switch (failure.kind) {
    case 'unreachable':
      ctx.stop = { cause: 'unreachable', detail: failure.cause };
      break;
    case 'credentials':
      ctx.stop = { cause: 'credentials', detail: failure.message };
      break;
    case 'security':
      ctx.stop = { cause: 'security', detail: failure.message, ...answered(failure, failure.status) };
      break;
    case 'later':
      ctx.stop = { cause: 'rate-limited', detail: failure.message, ...answered(failure, 429) };
      break;
    case 'service':
      ctx.stop = { cause: 'service', detail: failure.message, ...answered(failure, failure.status) };
      break;
    case 'refused':
      break;
  }
}

const answered = (
  { call, ...failure }: ReadFailure,
  status: number | undefined,
): Pick<Stop, 'status' | 'call' | 'retryAt'> => ({
  ...(status === undefined ? {} : { status }),
  ...(call === undefined ? {} : { call }),
  ...('retryAt' in failure ? { retryAt: failure.retryAt ?? null } : {}),
});

export function* progress(ctx: RoundContext, retryAt: number | null = null): Work<void> {
  yield* tell({
    type: 'sync.progress',
    workspaceId: ctx.workspaceId,
    runId: ctx.runId,
    phase: ctx.phase,
    batchesDone: ctx.tally.batchesDone,
    batchesTotal: ctx.tally.batchesTotal,
    elementsDone: ctx.tally.done,
    elementsRefused: ctx.tally.refused.length,
    elementsInDoubt: ctx.tally.inDoubt,
    retryAt,
  });
}
