import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { SYNC_PHASES } from '../lifecycle/states.ts';
import { TIME_OF_DAY } from '../model/plain-date.ts';
import { MENU_PLACES, TEAM_AREAS } from './choices.ts';
import { appOperation, operation, TASK_NAMES } from './operation.ts';
import {
  CellSchema,
  GrantSchema,
  jsonText,
  KindSchema,
  Layout,
  RowIdSchema,
  SeveritySchema,
  WorkspaceIdSchema,
} from './scalars.ts';
import { RowsPatch } from './workspace.ts';

/** Number of stored entries; the oldest are removed first. */
export const NOTIFICATIONS_MAX = 100;

export const NEWS_TEXT_MAX = 1000;

/** An event in an account that the user did not start. */
export const NotificationEntry = z.strictObject({
  /** Milliseconds since 1970. */
  at: z.int().min(0),
  tone: z.enum(['good', 'bad', 'plain']),
  text: z.string().min(1).max(NEWS_TEXT_MAX),
  /** The place that it opens. */
  place: z.enum(['sync', 'reviews', 'changes', 'media', 'backups', 'access', 'reports', 'alerts']).nullable(),
  /** Campaign of the review. */
  campaignId: RowIdSchema.optional(),
});
export type NotificationEntry = z.infer<typeof NotificationEntry>;

/** The JSON text of the notifications in a workspace. */
export const NewsText = jsonText(z.array(NotificationEntry).max(NOTIFICATIONS_MAX));

const kept = z.array(NotificationEntry);

export const notificationsContract = {
  /** Stored entries, newest first. */
  list: operation({ output: kept }),
  clear: operation({ access: 'write', output: kept }),
};

const AppInfo = z.strictObject({
  version: z.string(),
  host: z.enum(['electron', 'web', 'cli']),
  platform: z.string(),
  node: z.string(),
  sqlite: z.string(),
  electron: z.string().nullable(),
});

/** All events of main, on one stream. A screen refetches what an event names. */
export const AppEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('workspace.changed'),
    workspaceId: WorkspaceIdSchema,
    revision: z.int(),
    kinds: z.array(KindSchema),
    /** Set when rows were checked that had been edited before: issues differ, and neither cells, notes nor history. */
    only: z.literal('issues').optional(),
    /** The rows after an edit, where they are few. */
    patch: RowsPatch.omit({ revision: true }).optional(),
  }),
  z.strictObject({ type: z.literal('accounts.changed') }),
  z.strictObject({ type: z.literal('update.changed') }),
  /** A write besides the rows may have happened: the area of the operation, such as `templates`. */
  z.strictObject({ type: z.literal('settings.changed'), workspaceId: WorkspaceIdSchema, area: z.string() }),
  /** The account's team has changed, or this computer has shared or received changes. */
  z.strictObject({
    type: z.literal('team.changed'),
    workspaceId: WorkspaceIdSchema,
    areas: z.array(z.enum(TEAM_AREAS)),
  }),
  /** A link to a row was opened; a window shows the row, if it exists. */
  z.strictObject({
    type: z.literal('open.row'),
    workspaceId: WorkspaceIdSchema,
    kind: KindSchema,
    id: z.int(),
    field: z.string().optional(),
    /** Identifies the row if the link was made on another computer (`model/deep-link.ts`). */
    advertiserId: z.string().optional(),
    remoteId: z.string().optional(),
    find: z.string().optional(),
  }),
  /** Reviews that the service has decided since the last background poll. */
  z.strictObject({
    type: z.literal('reviews.decided'),
    workspaceId: WorkspaceIdSchema,
    approved: z.int(),
    rejected: z.int(),
  }),
  /** Videos whose processing has finished or failed since the last background poll. */
  z.strictObject({
    type: z.literal('media.finished'),
    workspaceId: WorkspaceIdSchema,
    ready: z.int(),
    failed: z.int(),
  }),
  /** The state of a report that the service makes in the background has changed; `text` describes it. */
  z.strictObject({
    type: z.literal('report.job'),
    workspaceId: WorkspaceIdSchema,
    snapshotId: z.string(),
    state: z.enum(['waiting', 'ready', 'failed', 'expired']),
    at: z.int(),
    text: z.string(),
    /** False when a caller waits for it and gets the result anyway. */
    isNews: z.boolean(),
  }),
  /** The service refuses the token or the signature; emitted once until it has accepted them again. */
  z.strictObject({ type: z.literal('access.refused'), workspaceId: WorkspaceIdSchema }),
  /** A new entry in the notifications of the account; null for one without an account. */
  z.strictObject({
    type: z.literal('notification.added'),
    workspaceId: WorkspaceIdSchema.nullable(),
    entry: NotificationEntry,
  }),
  /** A notification of the system was clicked; a window shows its place. */
  z.strictObject({
    type: z.literal('open.place'),
    workspaceId: WorkspaceIdSchema,
    place: z.enum(['reviews', 'media', 'access', 'reports', 'alerts']),
  }),
  /** A file was opened from outside by a double click; a window shows a preview of the import. */
  z.strictObject({ type: z.literal('open.file'), grant: GrantSchema, fileName: z.string(), bytes: z.int() }),
  /** Start, progress or end of a task that takes longer than a second. */
  z.strictObject({
    type: z.literal('task.progress'),
    workspaceId: WorkspaceIdSchema,
    /** The ID of its call, for `tasks.cancel`. */
    taskId: z.string(),
    task: z.enum(TASK_NAMES),
    canCancel: z.boolean(),
    /** Progress from 0 to 1; null if unknown. */
    share: z.number().min(0).max(1).nullable(),
    /** Progress in rows, for tasks that count them. */
    rows: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
    isOver: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('sync.progress'),
    workspaceId: WorkspaceIdSchema,
    runId: z.string(),
    phase: z.enum(Object.keys(SYNC_PHASES) as (keyof typeof SYNC_PHASES)[]),
    batchesDone: z.int(),
    batchesTotal: z.int(),
    elementsDone: z.int(),
    elementsRefused: z.int(),
    elementsInDoubt: z.int(),
    /** Rows that the run is to send: those that the service has, that failed, and that are unconfirmed. */
    changes: z.strictObject({ total: z.int(), sent: z.int(), failed: z.int(), unresolved: z.int() }).optional(),
    /** Set while waiting for the service: the time of the next retry. */
    retryAt: z.int().nullable(),
    /**
     * Why it waits: the hourly limit that is known, a response that asks for later, one without use, no response, or
     * requests whose outcome can be read later.
     */
    waitsFor: z.enum(['hourly-limit', 'later', 'service', 'unreachable', 'unconfirmed']).optional(),
    /** With phase `done`, why changes may remain: a pause, an unreachable service, the deadline, or a changed plan. */
    ended: z.enum(['paused', 'away', 'deadline', 'plan-changed', 'team']).optional(),
  }),
  /** A sync was paused, is waiting or scheduled, or is no longer any of these. */
  z.strictObject({
    type: z.literal('sync.pending'),
    workspaceId: WorkspaceIdSchema,
    state: z.enum(['none', 'running', 'paused', 'waiting', 'scheduled']),
    /** The time of the next try, in milliseconds since 1970. */
    nextAt: z.int().nullable(),
  }),
  z.strictObject({
    type: z.literal('upload.progress'),
    workspaceId: WorkspaceIdSchema,
    mediaId: z.int(),
    fileName: z.string(),
    sentBytes: z.int(),
    totalBytes: z.int(),
    urlExpiresAt: z.int().nullable(),
  }),
  z.strictObject({
    type: z.literal('notice'),
    workspaceId: WorkspaceIdSchema.nullable(),
    severity: SeveritySchema,
    message: z.string(),
    params: z.record(z.string(), CellSchema),
  }),
]);
export type AppEvent = z.infer<typeof AppEvent>;

const Preferences = z.strictObject({
  colorScheme: z.enum(['system', 'light', 'dark']),
  lastWorkspaceId: z.string().nullable(),
  /** Language tag for numbers and dates (`de-DE`); null for that of the system. */
  locale: z.string().max(40).nullable(),
  /** Hours without system notifications; null for none. */
  quietHours: z.strictObject({ from: z.string().regex(TIME_OF_DAY), to: z.string().regex(TIME_OF_DAY) }).nullable(),
  /** Whether alerts from the metrics make notifications; the suggestions list them anyway. */
  alertNotices: z.boolean(),
  /** Minutes without a key press or click until credentials are locked; null for never. */
  lockAfterMinutes: z.int().min(1).max(480).nullable(),
  /** Stored for the window; opaque to main. */
  layout: Layout,
});
export type Preferences = z.infer<typeof Preferences>;

/** Why an update failed: it can't be downloaded, or is not from the makers of this program. */
const UpdateProblem = z.enum([
  'bad-feed',
  'unreachable',
  'timed-out',
  'no-release',
  'unsigned',
  'wrong-signature',
  'wrong-checksum',
  'unreadable',
  'disk',
]);
export type UpdateProblem = z.infer<typeof UpdateProblem>;

/**
 * State of an update of the program.
 *
 *   off                      this host has none, or no feed is configured
 *   idle -> checking -> newest
 *                    -> newer        this installation is replaced by its package manager or its user
 *                    -> downloading -> ready
 *                    -> failed
 */
export const UpdateState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('off') }),
  z.strictObject({ state: z.enum(['idle', 'checking', 'newest']) }),
  z.strictObject({ state: z.enum(['newer', 'ready']), version: z.string() }),
  z.strictObject({ state: z.literal('downloading'), version: z.string(), percent: z.int() }),
  z.strictObject({ state: z.literal('failed'), problem: UpdateProblem }),
]);
export type UpdateState = z.infer<typeof UpdateState>;

/** Why the program can't restart now. */
const UpdateRefusal = z.enum(['not-ready', 'sync', 'task', 'windows']);
export type UpdateRefusal = z.infer<typeof UpdateRefusal>;

export const appContract = {
  info: appOperation({ output: AppInfo }),
  /** The diagnostic report: versions and the end of the log, without names, paths or secrets. The user sees it first. */
  support: appOperation({ output: z.strictObject({ fileName: z.string(), text: z.string() }) }),
  /** Texts in this build: licenses of its packages, and the results of its long test runs. */
  about: appOperation({
    output: z.strictObject({ licenses: z.string().nullable(), reliability: z.string().nullable() }),
  }),
  update: {
    get: appOperation({ output: UpdateState }),
    /** Begins a check and the download of an update; `update.changed` reports the progress. */
    check: appOperation({ output: UpdateState }),
    /** Closes everything and replaces the program, unless work is running. */
    restart: appOperation({ output: z.strictObject({ refused: UpdateRefusal.nullable() }) }),
  },
  events: appOperation({ output: eventIterator(AppEvent) }),
  preferences: {
    get: appOperation({ output: Preferences }),
    set: appOperation({ input: Preferences.partial(), output: Preferences, errors: ['NOT_WRITABLE'] }),
  },
};

export const tasksContract = {
  /** Cancels a task: its call fails with CANCELLED unless it was done already. False if it has ended or never began. */
  cancel: appOperation({
    input: z.strictObject({ taskId: z.string().min(1).max(64) }),
    output: z.strictObject({ cancelled: z.boolean() }),
  }),
};

/** The service of a practice account, started inside the app. */
const PracticeState = z.strictObject({
  now: z.string(),
  /** The business time zone of the account, whose days campaigns follow. */
  zone: z.string(),
  openReviews: z.array(z.strictObject({ reviewId: z.string(), campaign: z.string(), status: z.string() })),
});
export type PracticeState = z.infer<typeof PracticeState>;

export const practiceContract = {
  state: operation({
    access: 'write',
    output: PracticeState,
    errors: ['NOT_PRACTICE', 'UNREACHABLE', 'SERVICE_ANSWERED'],
  }),
  /** Advances the practice clock; due events happen in order. `duration` is ISO 8601, such as PT30M or P3D. */
  advance: operation({
    announced: true,
    access: 'write',
    input: { duration: z.string().regex(/^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/) },
    output: PracticeState,
    errors: ['NOT_PRACTICE', 'UNREACHABLE', 'SERVICE_ANSWERED'],
  }),
  decide: operation({
    announced: true,
    access: 'write',
    input: { reviewId: z.string().regex(/^\d{1,19}$/), verdict: z.enum(['approved', 'rejected']) },
    output: PracticeState,
    errors: ['NOT_PRACTICE', 'UNREACHABLE', 'SERVICE_ANSWERED'],
  }),
};

/**
 * Commands of a window for the system's menu, with the user's names and keys. Sent beside the contract, over the
 * desktop's own channel, because it concerns one window and has no result.
 */
const MenuCommand = z.strictObject({
  id: z.string().regex(/^[a-z]+\.[a-z-]{1,40}$/),
  title: z.string().max(200),
  /** As displayed, `Ctrl+Shift+E`; null without keys. */
  keys: z.string().max(40).nullable(),
  enabled: z.boolean(),
});

export const WindowMenu = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        place: z.enum(MENU_PLACES),
        title: z.string().max(60),
        /** Each with a line between it and the next. */
        groups: z.array(z.array(MenuCommand).max(60)).max(20),
      }),
    )
    .max(MENU_PLACES.length),
});
export type WindowMenu = z.infer<typeof WindowMenu>;
