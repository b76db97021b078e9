import type { AppEvent } from '../../shared/api/app.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { ReadNotes, SyncReport } from '../../shared/api/sync.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import type { Kind, KnownKind } from '../../shared/model/kinds.ts';
import { type AnyRow, type Row, rowKey } from '../../shared/model/row.ts';
import type { RemoteId, RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import type { PlanLineChange } from '../../shared/plan/plan-difference.ts';
import type { Capabilities, ChosenRows, Plan } from '../../shared/plan/plan-types.ts';
import { fail } from '../../shared/result.ts';
import type { LogoField } from '../api/media.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { NoTurn, Ports, Stop } from './ports.ts';
import { createRunResults, type RunResults } from './run-results.ts';

export interface StopReason extends Stop {
  /** The differences between the plan to send and the plan made now. */
  readonly otherPlan?: readonly PlanLineChange[];
}

interface FailedRow {
  readonly kind: Kind;
  readonly id: RowId;
  readonly message: string;
}

/** What a run sends. */
export interface RunOptions {
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  /** The rows to send, with the parents they need; without it all rows of the plan. */
  readonly chosen?: ChosenRows | null;
  /** Whether the open reviews of `campaignIds` are canceled first; without `campaignIds` none is canceled. */
  readonly cancelReviews?: boolean;
  /** The text of the reviewed plan (`planText`), which alone may be sent; null for no limit. */
  readonly plan?: string | null;
  /** The ID of the plan that the user has seen: later edits are left for the next sync. */
  readonly seenPlan?: string | null;
  /** Only for display: makes the plan that colleagues are asked to sign off. */
  readonly beforeSignOff?: boolean;
  /** Nothing is sent from this time on, in milliseconds since 1970. */
  readonly deadline?: number | null;
  /** Left by an earlier run of the same sync. */
  readonly goesOn?: RunLeft;
}

/** Why a run does not start. `CANCELLED`: the user declined the confirmation of a large sync. */
export type RunProblem = Failure<'SYNC_RUNNING' | 'CANCELLED' | 'NOT_WRITABLE'> | NoTurn;

/** @param report of the sync in progress */
export const syncRuns = (report: SyncReport | null) => fail('SYNC_RUNNING', { runId: report?.runId ?? '' });

/** State that a run leaves for the run that continues the same sync. */
export interface RunLeft {
  /** Rows that were sent and not read back, by campaign. */
  readonly unread: readonly TouchedCampaign[];
  /** Contents that were approved with a plan that was partly sent (`checkApproved`); null for no limit. */
  readonly approved: ReadonlySet<string> | null;
  /** How many of the last requests in a row had no usable response (`stopIfUnanswered`). */
  readonly unanswered?: number;
}

/** The options of a run, fixed from its start. */
export interface SyncRunOptions extends RunOptions {
  readonly runId: string;
  readonly workspaceId: WorkspaceId;
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: RemoteId;
  /** The policy for conflicts that a read finds (`resolveByPolicy`); without it the user decides. */
  readonly conflictPolicy?: string | null;
  readonly logoField: LogoField;
  /** Whether no further step may begin: the run was canceled or paused. */
  readonly isCancelled: () => boolean;
  /** Whether the run was canceled: an upload in progress is then aborted too. */
  readonly isCut?: () => boolean;
  /** Whether a run waits for this read to end; the read then ends instead of waiting itself. */
  readonly mustYield?: () => boolean;
  /** The maximum number of requests in progress at once, each for another campaign. */
  readonly requestsMax: number;
  /** The last saved rate limit (`retry.ts`). */
  readonly rateLimit?: RateLimit | null;
}

/** A rate limit; one for writes does not apply to reads, which the service may still accept. */
export interface RateLimit {
  readonly until: number;
  /** When the service reported it. */
  readonly at: number;
  readonly of: 'read' | 'write';
}

/** A campaign to which the run sent something, with the kinds sent. */
export interface TouchedCampaign {
  readonly id: RowId;
  readonly kinds: readonly (Kind | 'review')[];
}

type Phase = Extract<AppEvent, { type: 'sync.progress' }>['phase'];

/** The rows of a run and their IDs, filled by its reads and creates. */
interface RowIndex {
  /** Remote IDs by `rowKey`, of rows that were read or created. */
  readonly ids: Map<string, RemoteId>;
  /** The reverse: row IDs by `kind:remoteId`. */
  readonly owners: Map<string, RowId>;
  readonly rows: Map<string, AnyRow>;
  /** Media rows that the service has, by name; names need not be unique. */
  readonly mediaNamed: Map<string, Set<RowId>>;
}

/** Unreadable values, missing rows and refused lists. They end no read; all are reported. */
export type RunNotes = Omit<ReadNotes, 'counts'>;

/** The changing state of a run. */
export interface SyncState {
  phase: Phase;
  /** Why the run ends early; checked before every request. */
  stop: StopReason | null;
  readonly tally: Pick<
    SyncReport,
    'requests' | 'done' | 'untouched' | 'uploads' | 'failedUploads' | 'reviews' | 'inDoubt'
  > & { refused: FailedRow[]; batchesDone: number; batchesTotal: number };
  /** The result of each row. */
  readonly results: RunResults;
  /** The first plan with the trees it was made from, for its list on screen; null before it is made. */
  planned: {
    readonly plan: Plan;
    readonly trees: readonly CampaignTree[];
    /** Campaigns that this plan or a later one of the run submits for review. */
    readonly submitted: Set<RowId | null>;
  } | null;
  readonly startedAt: number;
  readonly notes: RunNotes;
  /** Keys of notes already made: a later read may find the same, and an account has many rows. */
  readonly noted: Set<string>;
  /** What was sent and has to be read back, by campaign. */
  readonly touched: Map<RowId, Set<Kind | 'review'>>;
  /** Campaigns with a failed, skipped or unconfirmed change: no review is submitted for them. */
  readonly troubled: Set<RowId>;
  /** Ad groups and campaigns that this run created: only rows that it sent can be below them. */
  readonly fresh: Set<string>;
  /** Campaigns and ad groups that a read of this run did not find: nothing is sent below them. */
  readonly absent: RowRef[];
  /** Rows removed from the plan because their service values have changed (`withoutChanged`). */
  readonly changedThere: Set<string>;
  /** When this run last read the rows of a kind of a campaign (`listKey`). */
  readonly askedAt: Map<string, Moment>;
  /** Groups in which a create of this plan became unconfirmed (`blockCreates`). */
  readonly blockedCreates: Set<string>;
  /** IDs for which a read of this run got a response, until they are stored (`saveConfirmation`). */
  readonly confirmed: Map<string, { readonly kind: KnownKind; readonly id: RemoteId }>;
  /** Shrinks when a part of the plan was sent. */
  reviewedPlan: string | null;
  /** Contents that were approved with a reviewed plan; null for no limit. */
  approved: ReadonlySet<string> | null;
  /** Digests of what the plan sends of each row, by `rowKey`; empty if no sign-off is required. */
  digests: ReadonlyMap<string, string>;
  /** Whether all rows read are checked for missing ones, including rows without edits. */
  isRefresh: boolean;
  /** A review result has changed since the campaigns were listed. */
  reviewsMoved: boolean;
  /** The campaigns on the service when this run last read them before a create. */
  campaignsSeen: readonly { readonly remoteId: RemoteId; readonly name: string }[] | null;
  campaignsSeenAt: Moment | null;
  /** Earliest time at which an unconfirmed request may be read again; null for none. */
  wakeAt: number | null;
  /** When each wait for the service ends. Other tasks may send while one waits. */
  readonly waits: Map<number, WaitReason>;
  rateLimit: RateLimit | null;
  /** How many requests in a row had no usable response (`stopIfUnanswered`). */
  unanswered: number;
  requestLimit: number;
  /** When a 429 last halved the limit, or a period without limits raised it. */
  requestLimitAt: number;
  readonly slots: Readonly<Record<'intent' | 'request', RequestSlots>>;
  /** Difference of the two clocks at the last check; it changes when the computer sleeps or a clock is set. */
  clockGapMs: number;
  logoField: LogoField;
}

/** A run ends after this many requests in a row without a usable response. */
export const UNANSWERED_MAX = 3;

/**
 * The context passed to every function of a run. Parallel tasks share all of it except their `order` (`parallel.ts`).
 */
export interface SyncContext {
  readonly options: SyncRunOptions;
  readonly ports: Ports;
  readonly index: RowIndex;
  readonly state: SyncState;
  /** The task with the lowest order gets the next request slot. */
  readonly order: number;
}

export function createContext(options: SyncRunOptions, ports: Ports): SyncContext {
  const index: RowIndex = { ids: new Map(), owners: new Map(), rows: new Map(), mediaNamed: new Map() };
  const state: SyncState = {
    phase: 'resolving',
    stop: null,
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
    results: createRunResults(),
    planned: null,
    startedAt: Math.round(ports.clock.nowMs()),
    notes: { gone: [], unreadable: [], notRead: [] },
    noted: new Set(),
    touched: touchedBefore(options.goesOn?.unread ?? []),
    troubled: new Set(),
    fresh: new Set(),
    absent: [],
    changedThere: new Set(),
    askedAt: new Map(),
    blockedCreates: new Set(),
    confirmed: new Map(),
    reviewedPlan: options.plan ?? null,
    approved: options.goesOn?.approved ?? null,
    digests: new Map(),
    isRefresh: false,
    reviewsMoved: false,
    campaignsSeen: null,
    campaignsSeenAt: null,
    wakeAt: null,
    waits: new Map(),
    rateLimit: options.rateLimit ?? null,
    unanswered: Math.min(options.goesOn?.unanswered ?? 0, UNANSWERED_MAX - 1),
    requestLimit: options.requestsMax,
    requestLimitAt: ports.clock.nowMs(),
    slots: { intent: createRequestSlots(), request: createRequestSlots() },
    clockGapMs: clockGapOf(ports),
    logoField: options.logoField,
  };
  return { options, ports, index, state, order: 0 };
}

/** A campaign may occur more than once. */
const touchedBefore = (unread: readonly TouchedCampaign[]): SyncState['touched'] =>
  new Map(
    [...Map.groupBy(unread, ({ id }) => id)].map(([id, parts]) => [id, new Set(parts.flatMap(({ kinds }) => kinds))]),
  );

/** A moment on both clocks: the monotonic one stops while the computer sleeps, the other can be set. */
export interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

export const momentOf = ({ ports: { clock } }: SyncContext): Moment => ({
  nowMs: clock.nowMs(),
  monotonicMs: clock.monotonicMs(),
});

export const ageOf = ({ ports: { clock } }: SyncContext, { nowMs, monotonicMs }: Moment): number =>
  Math.max(Math.abs(clock.nowMs() - nowMs), clock.monotonicMs() - monotonicMs);

export const clockGapOf = ({ clock }: Pick<Ports, 'clock'>): number => clock.nowMs() - clock.monotonicMs();

/** Whether no further step may begin. A deadline that has passed becomes the stop reason. */
export const isOver = (ctx: SyncContext): boolean => isBrokenOff(ctx) || ctx.options.isCancelled();

/** Whether an upload in progress has to be aborted: unlike `isOver`, not for a pause. */
export function isBrokenOff(ctx: SyncContext): boolean {
  ctx.state.stop ??= ctx.ports.lost?.() ?? null;
  const deadline = ctx.options.deadline ?? null;
  if (deadline !== null && ctx.ports.clock.nowMs() >= deadline) ctx.state.stop ??= deadlineStop(deadline);
  return ctx.state.stop !== null || ctx.options.isCut?.() === true;
}

/** Whether the run was paused: it resumes later and then reads back what it has sent. */
export const isPaused = (ctx: SyncContext): boolean => ctx.options.isCut?.() === false && ctx.options.isCancelled();

export const deadlineStop = (deadline: number): StopReason => ({
  cause: 'deadline',
  detail: `nothing is sent after ${new Date(deadline).toISOString().slice(0, 16)}Z`,
});

export function touch(ctx: SyncContext, campaignId: RowId | null, kind: Kind | 'review'): void {
  if (campaignId === null) return;
  const kinds = ctx.state.touched.get(campaignId) ?? new Set();
  kinds.add(kind);
  ctx.state.touched.set(campaignId, kinds);
}

/** Stores in memory that a read of this ID got a response, until `saveConfirmation` writes it. */
export function confirm(ctx: SyncContext, kind: KnownKind, id: RemoteId | null): void {
  if (id !== null) ctx.state.confirmed.set(`${kind}:${id}`, { kind, id });
}

/** Ends the run if a read failed permanently. A refused read concerns one object and does not end the run. */
export function stopFor({ state }: SyncContext, failure: ReadFailure): void {
  switch (failure.kind) {
    case 'unreachable':
      state.stop ??= { cause: 'unreachable', detail: failure.cause };
      break;
    case 'credentials':
      state.stop ??= { cause: 'credentials', detail: failure.message };
      break;
    case 'security':
    case 'service':
      state.stop ??= { cause: failure.kind, detail: failure.message, ...answered(failure, failure.status) };
      break;
    case 'later':
      state.stop ??= { cause: 'rate-limited', detail: failure.message, ...answered(failure, 429) };
      break;
    case 'refused':
      break;
  }
}

const answered = (
  { call, ...failure }: ReadFailure,
  status: number | undefined,
): Pick<StopReason, 'status' | 'call' | 'retryAt'> => ({
  ...(status === undefined ? {} : { status }),
  ...(call === undefined ? {} : { call }),
  ...('retryAt' in failure ? { retryAt: failure.retryAt ?? null } : {}),
});

type WaitReason = NonNullable<Extract<AppEvent, { type: 'sync.progress' }>['waitsFor']>;

export function progress({ options, ports, state }: SyncContext, wakeAt: number | null = null): void {
  const { phase, tally, waits } = state;
  const retryAt = wakeAt ?? (waits.size === 0 ? null : Math.min(...waits.keys()));
  const waitsFor = wakeAt === null ? waits.get(retryAt ?? 0) : 'unconfirmed';
  ports.emit({
    type: 'sync.progress',
    workspaceId: options.workspaceId,
    runId: options.runId,
    phase,
    batchesDone: tally.batchesDone,
    batchesTotal: tally.batchesTotal,
    elementsDone: tally.done,
    elementsRefused: tally.refused.length,
    elementsInDoubt: tally.inDoubt,
    changes: state.results.progress(),
    retryAt,
    ...(waitsFor === undefined ? {} : { waitsFor }),
  });
}

/** Notifies the user of something that is in no row and no report. */
export function notify(
  { options, ports }: SyncContext,
  severity: 'advice' | 'warning' | 'error',
  message: string,
  params: Extract<AppEvent, { type: 'notice' }>['params'] = {},
): void {
  ports.emit({ type: 'notice', workspaceId: options.workspaceId, severity, message, params });
}

/** Waits, and reports until when and what for. */
export async function waitFor(ctx: SyncContext, waitMs: number, reason: WaitReason): Promise<void> {
  const until = ctx.ports.clock.nowMs() + waitMs;
  ctx.state.waits.set(until, reason);
  progress(ctx);
  await ctx.ports.clock.sleep(waitMs);
  ctx.state.waits.delete(until);
}

/**
 * The limited slots for requests. Waiting tasks get one by their order, not by arrival: tasks begun first end first,
 * and later ones use free slots.
 */
type RequestSlots = ReturnType<typeof createRequestSlots>;

interface Waiting {
  readonly order: number;
  readonly limit: () => number;
  readonly begin: () => void;
}

export function createRequestSlots() {
  let busy = 0;
  const line: Waiting[] = [];
  const admit = (): void => {
    for (let first = line[0]; first !== undefined && busy < Math.max(1, first.limit()); first = line[0]) {
      line.shift();
      busy++;
      first.begin();
    }
  };
  return {
    /**
     * Runs the work as soon as fewer than `limit()` others run; one is always allowed.
     *
     * @param order position of the task; lower ones run first
     */
    run: async <T>(order: number, limit: () => number, work: () => Promise<T>): Promise<T> => {
      await new Promise<void>((begin) => {
        const behind = line.findIndex((other) => other.order > order);
        line.splice(behind < 0 ? line.length : behind, 0, { order, limit, begin });
        admit();
      });
      try {
        return await work();
      } finally {
        busy--;
        admit();
      }
    },
  };
}

/** Placeholder for a row that a merge has just added and whose ID the run does not need. */
export const UNKNOWN_ROW = 0 as RowId;

export function remoteIdOf(ctx: SyncContext, kind: Kind, id: RowId | null): RemoteId | null {
  return id === null ? null : (ctx.index.ids.get(rowKey(kind, id)) ?? null);
}

export function addRemoteId(ctx: SyncContext, kind: Kind, id: RowId, remoteId: RemoteId): void {
  ctx.index.ids.set(rowKey(kind, id), remoteId);
  ctx.index.owners.set(`${kind}:${remoteId}`, id);
}

/** The local row with this remote ID, or null. */
export const rowForRemoteId = (ctx: SyncContext, kind: Kind, remoteId: RemoteId): RowId | null =>
  ctx.index.owners.get(`${kind}:${remoteId}`) ?? null;

/** Adds the rows of trees to the index of the run. */
export function indexTrees(ctx: SyncContext, trees: readonly CampaignTree[]): void {
  for (const tree of trees) {
    indexRows(ctx, [tree.campaign, ...tree.adGroups, ...tree.adItems, ...tree.keywords, ...tree.sbaProfiles]);
    indexRows(ctx, [...tree.videoProfiles, ...tree.placementMultipliers, ...tree.platformMultipliers, ...tree.media]);
  }
}

export function indexRows(ctx: SyncContext, rows: readonly AnyRow[]): void {
  for (const row of rows) {
    const key = rowKey(row.kind, row.id);
    if (row.kind === 'media') indexName(ctx, row);
    ctx.index.rows.set(key, row);
    if (row.remoteId !== null) addRemoteId(ctx, row.kind, row.id, row.remoteId);
  }
}

function indexName({ index }: SyncContext, row: Row<'media'>): void {
  const before = index.rows.get(rowKey('media', row.id));
  if (before?.kind === 'media') index.mediaNamed.get(before.values.mediaName ?? '')?.delete(row.id);
  const { mediaName } = row.values;
  if (row.remoteId === null || mediaName === null) return;
  const named = index.mediaNamed.get(mediaName) ?? new Set();
  index.mediaNamed.set(mediaName, named.add(row.id));
}

export function mediaRow(ctx: SyncContext, id: RowId): Row<'media'> | null {
  const row = ctx.index.rows.get(rowKey('media', id));
  return row?.kind === 'media' ? row : null;
}

export const valuesOf = (row: { readonly values: object }): AnyValues => row.values as AnyValues;
