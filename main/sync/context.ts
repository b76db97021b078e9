import type { AppEvent } from '../../shared/api/app.ts';
import type { NotWritable } from '../../shared/api/errors.ts';
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
import type { LogoField } from '../api/media.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import type { NoTurn, Ports, Stop } from './ports.ts';
import { createRunResults, type RunResults } from './run-results.ts';

export interface StopReason extends Stop {
  /** How a plan that was handed in differs from the one that would have been sent. */
  readonly otherPlan?: readonly PlanLineChange[];
}

interface FailedRow {
  readonly kind: Kind;
  readonly id: RowId;
  readonly message: string;
}

/** What a run is asked to send. */
export interface RunOptions {
  readonly submit: boolean;
  readonly campaignIds: readonly RowId[] | null;
  /** The rows that are sent, with the parents they need; without it everything that is due. */
  readonly chosen?: ChosenRows | null;
  /** Whether the open reviews of `campaignIds` are cancelled first; nothing is cancelled when they are not named. */
  readonly cancelReviews?: boolean;
  /** The text of the reviewed plan (`planText`) that alone may be sent; null for whatever is due. */
  readonly plan?: string | null;
  /** The ID of the plan that the user has looked at: what is edited after that waits for the next sync. */
  readonly seenPlan?: string | null;
  /** For looking only: a plan of what colleagues are asked to sign off. */
  readonly beforeSignOff?: boolean;
  /** Nothing is sent from this moment on, in milliseconds since 1970. */
  readonly deadline?: number | null;
  /** What an earlier run of the same sync has left. */
  readonly goesOn?: RunLeft;
}

/** `not-agreed`: the user was asked before so much is created, and the answer was no. */
export type RunProblem = { readonly kind: 'sync-running' | 'not-agreed' } | NotWritable | NoTurn;

/** What a run leaves for one that goes on with it. */
export interface RunLeft {
  /** What was sent and not read back, by campaign. */
  readonly unread: readonly TouchedCampaign[];
  /** Contents that were approved with a plan of which a part was sent (`checkApproved`); null for no limit. */
  readonly approved: ReadonlySet<string> | null;
  /** How many of its last requests in a row had no usable answer (`stopIfUnanswered`). */
  readonly unanswered?: number;
}

/** What a run is told once, at its start. */
export interface SyncRunOptions extends RunOptions {
  readonly runId: string;
  readonly workspaceId: WorkspaceId;
  readonly profile: DeploymentSettings;
  readonly capabilities: Capabilities;
  readonly advertiserId: RemoteId;
  /** Which side counts in conflicts that a read finds (`resolveByPolicy`); the user decides when it is not said. */
  readonly conflictPolicy?: string | null;
  readonly logoField: LogoField;
  /** Whether nothing more is to begin: it was canceled or paused. */
  readonly isCancelled: () => boolean;
  /** Whether it was canceled: then a file whose upload is in progress is broken off too. */
  readonly isCut?: () => boolean;
  /** Whether a run waits for this read, which then waits for nothing itself. */
  readonly mustYield?: () => boolean;
  /** How many requests may be under way at once, each for another campaign. */
  readonly requestsMax: number;
  /** The limit of the service that was saved last (`retry.ts`). */
  readonly rateLimit?: RateLimit | null;
}

/** A limit of what is sent says nothing of reads, which may go on being answered. */
export interface RateLimit {
  readonly until: number;
  /** When the service said so. */
  readonly at: number;
  readonly of: 'read' | 'write';
}

/** A campaign of which something was sent, and of which kinds. */
export interface TouchedCampaign {
  readonly id: RowId;
  readonly kinds: readonly (Kind | 'review')[];
}

type Phase = Extract<AppEvent, { type: 'sync.progress' }>['phase'];

/** The rows of a run and their ids, filled by what it reads and creates. */
interface RowIndex {
  /** Remote ids by `rowKey`, of rows that were read and of rows created since. */
  readonly ids: Map<string, RemoteId>;
  /** The other way round: which row of a kind has an id, under `kind:remoteId`. */
  readonly owners: Map<string, RowId>;
  readonly rows: Map<string, AnyRow>;
  /** Files of the library that the service has, by their names, which need not be unique. */
  readonly mediaNamed: Map<string, Set<RowId>>;
}

/** What changes while a run goes on. */
export interface SyncState {
  phase: Phase;
  /** Why the run ends early; looked at before every request. */
  stop: StopReason | null;
  readonly tally: Pick<
    SyncReport,
    'requests' | 'done' | 'untouched' | 'uploads' | 'failedUploads' | 'reviews' | 'inDoubt'
  > & { refused: FailedRow[]; batchesDone: number; batchesTotal: number };
  /** What has come of each row. */
  readonly results: RunResults;
  /** The plan with what it was made from, from which its list can be drawn; null before it is made. */
  planned: { readonly plan: Plan; readonly trees: readonly CampaignTree[] } | null;
  readonly startedAt: number;
  /** Values that no field can have, rows that are gone, lists the service refuses: they end no read, and all are told. */
  readonly notes: ReadNotes;
  /** What has been noted already, or found absent: a read may show the same again, and an account has many rows. */
  readonly noted: Set<string>;
  /** What was sent and has to be read back, by campaign. */
  readonly touched: Map<RowId, Set<Kind | 'review'>>;
  /** Campaigns of which something was refused, skipped or is in doubt: no review is asked for them. */
  readonly troubled: Set<RowId>;
  /** Ad groups and campaigns that this run created: nothing can hang there but what it sent itself. */
  readonly fresh: Set<string>;
  /** Campaigns and ad groups that a read of this run did not find: nothing is sent below them. */
  readonly absent: RowRef[];
  /** Rows that left the plan because the service shows something else of them now (`withoutChanged`). */
  readonly changedThere: Set<string>;
  /** When this run last asked for the rows of a kind of a campaign (`listKey`). */
  readonly askedAt: Map<string, Moment>;
  /** Groups in which a create of this plan came into doubt (`blockCreates`). */
  readonly blockedCreates: Set<string>;
  /** Ids that reads of this run were answered for, until that is written down (`saveConfirmation`). */
  readonly confirmed: Map<string, { readonly kind: KnownKind; readonly id: RemoteId }>;
  /** Less than at the start once a part of it was sent. */
  reviewedPlan: string | null;
  /** Contents that were approved with a reviewed plan; null while anything may be sent. */
  approved: ReadonlySet<string> | null;
  /** Digests of what the plan sends of each row, by `rowKey`; empty where nobody has to sign anything off. */
  digests: ReadonlyMap<string, string>;
  /** Whether all that is read is looked through for rows that are gone, those without edits as well. */
  isRefresh: boolean;
  /** A review said something new since the campaigns were listed. */
  reviewsMoved: boolean;
  /** The campaigns the service had when this run last looked before it created one. */
  campaignsSeen: readonly { readonly remoteId: RemoteId; readonly name: string }[] | null;
  campaignsSeenAt: Moment | null;
  /** Earliest time at which something in doubt may be looked at again; null when nothing waits. */
  wakeAt: number | null;
  /** When each wait for the service ends. Others may send while one waits. */
  readonly waits: Set<number>;
  rateLimit: RateLimit | null;
  /** How many requests in a row had no usable answer (`stopIfUnanswered`). */
  unanswered: number;
  requestLimit: number;
  /** When a 429 last halved it, or a quiet time raised it. */
  requestLimitAt: number;
  readonly slots: Readonly<Record<'intent' | 'request', RequestSlots>>;
  /** Difference of the two clocks when this run last looked; it changes when a machine sleeps or a clock is set. */
  clockGapMs: number;
  logoField: LogoField;
}

/** So many requests in a row without a usable answer end a run. */
export const UNANSWERED_MAX = 3;

/** What every function of a run is handed. Works side by side share all of it but their `order` (`parallel.ts`). */
export interface SyncContext {
  readonly options: SyncRunOptions;
  readonly ports: Ports;
  readonly index: RowIndex;
  readonly state: SyncState;
  /** Which of the works side by side gets the next request slot: the lowest. */
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
    waits: new Set(),
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

/** A campaign may be named more than once. */
const touchedBefore = (unread: readonly TouchedCampaign[]): SyncState['touched'] =>
  new Map(
    [...Map.groupBy(unread, ({ id }) => id)].map(([id, parts]) => [id, new Set(parts.flatMap(({ kinds }) => kinds))]),
  );

/** A moment on both clocks: one of them stands still while the machine sleeps, the other may be set. */
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

/** Whether nothing more is to begin. A deadline that has passed becomes the reason. */
export const isOver = (ctx: SyncContext): boolean => isBrokenOff(ctx) || ctx.options.isCancelled();

/** The same for a file whose upload is in progress: a pause lets it come to its end. */
export function isBrokenOff(ctx: SyncContext): boolean {
  ctx.state.stop ??= ctx.ports.lost?.() ?? null;
  const deadline = ctx.options.deadline ?? null;
  if (deadline !== null && ctx.ports.clock.nowMs() >= deadline) ctx.state.stop ??= deadlineStop(deadline);
  return ctx.state.stop !== null || ctx.options.isCut?.() === true;
}

/** Whether it was paused: it goes on later, and reads then what it has touched. */
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

/** Remembers that reads by these ids were answered, until `saveConfirmation` writes it down. */
export function confirm(ctx: SyncContext, kind: KnownKind, id: RemoteId | null): void {
  if (id !== null) ctx.state.confirmed.set(`${kind}:${id}`, { kind, id });
}

/** Ends the run because of a read that failed permanently. A refused read concerns one thing and ends nothing. */
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

export function progress({ options, ports, state }: SyncContext, wakeAt: number | null = null): void {
  const { phase, tally, waits } = state;
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
    retryAt: wakeAt ?? (waits.size === 0 ? null : Math.min(...waits)),
  });
}

/** Tells the user of something that no row and no report says. */
export function notify(
  { options, ports }: SyncContext,
  severity: 'advice' | 'warning' | 'error',
  message: string,
  params: Extract<AppEvent, { type: 'notice' }>['params'] = {},
): void {
  ports.emit({ type: 'notice', workspaceId: options.workspaceId, severity, message, params });
}

/** Waits, and says so. */
export async function waitFor(ctx: SyncContext, waitMs: number): Promise<void> {
  const until = ctx.ports.clock.nowMs() + waitMs;
  ctx.state.waits.add(until);
  progress(ctx);
  await ctx.ports.clock.sleep(waitMs);
  ctx.state.waits.delete(until);
}

/**
 * The few places from which requests are made. Who waits for one gets it in the order of their works, not of arrival:
 * what was begun first is finished first, and later works fill the gaps.
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
     * Does the work as soon as fewer than `limit()` others are at theirs; one is always allowed.
     *
     * @param order position of the work; lower ones go first
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

/** Stands for a row that a merge has just added and whose number the run does not need. */
export const UNKNOWN_ROW = 0 as RowId;

export function remoteIdOf(ctx: SyncContext, kind: Kind, id: RowId | null): RemoteId | null {
  return id === null ? null : (ctx.index.ids.get(rowKey(kind, id)) ?? null);
}

export function addRemoteId(ctx: SyncContext, kind: Kind, id: RowId, remoteId: RemoteId): void {
  ctx.index.ids.set(rowKey(kind, id), remoteId);
  ctx.index.owners.set(`${kind}:${remoteId}`, id);
}

/** The row of this kind that stands for an id of the service. */
export const rowForRemoteId = (ctx: SyncContext, kind: Kind, remoteId: RemoteId): RowId | null =>
  ctx.index.owners.get(`${kind}:${remoteId}`) ?? null;

/** Takes the rows of trees into the index of the run. */
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
