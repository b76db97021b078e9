import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
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

/** So many are kept; the oldest go first. */
export const NOTIFICATIONS_MAX = 100;

export const NEWS_TEXT_MAX = 1000;

/** Something that happened in an account by itself. */
export const NotificationEntry = z.strictObject({
  /** Milliseconds since 1970. */
  at: z.int().min(0),
  tone: z.enum(['good', 'bad', 'plain']),
  text: z.string().min(1).max(NEWS_TEXT_MAX),
  /** Where it leads. */
  place: z.enum(['sync', 'reviews', 'changes', 'media', 'backups', 'access', 'reports', 'alerts']).nullable(),
  /** Whose review it tells of. */
  campaignId: RowIdSchema.optional(),
});
export type NotificationEntry = z.infer<typeof NotificationEntry>;

/** The JSON text under which a workspace keeps its news. */
export const NewsText = jsonText(z.array(NotificationEntry).max(NOTIFICATIONS_MAX));

const kept = z.array(NotificationEntry);

export const notificationsContract = {
  /** What is kept, newest first. */
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

/** Everything main announces, on one stream. A screen refetches what an event says has changed. */
export const AppEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('workspace.changed'),
    workspaceId: WorkspaceIdSchema,
    revision: z.int(),
    kinds: z.array(KindSchema),
    /** Set when rows were checked that had been edited before: findings differ, and neither cells, notes nor history. */
    only: z.literal('findings').optional(),
    /** What an edit has made of the rows, where they are few. */
    patch: RowsPatch.omit({ revision: true }).optional(),
  }),
  z.strictObject({ type: z.literal('accounts.changed') }),
  z.strictObject({ type: z.literal('update.changed') }),
  /** Something of an account beside its rows may have been written: the area of the operation, such as `templates`. */
  z.strictObject({ type: z.literal('settings.changed'), workspaceId: WorkspaceIdSchema, area: z.string() }),
  /** Of the account's team something has changed, or this computer has shared or taken something. */
  z.strictObject({
    type: z.literal('team.changed'),
    workspaceId: WorkspaceIdSchema,
    areas: z.array(z.enum(TEAM_AREAS)),
  }),
  /** Somebody followed a link to a row; a window shows it, if it is there. */
  z.strictObject({
    type: z.literal('open.row'),
    workspaceId: WorkspaceIdSchema,
    kind: KindSchema,
    id: z.int(),
    field: z.string().optional(),
    /** What finds the row where the link was not made on this computer (`model/deep-link.ts`). */
    advertiserId: z.string().optional(),
    remoteId: z.string().optional(),
    find: z.string().optional(),
  }),
  /** Reviews that the service has decided since the last look of its own accord. */
  z.strictObject({
    type: z.literal('reviews.decided'),
    workspaceId: WorkspaceIdSchema,
    approved: z.int(),
    rejected: z.int(),
  }),
  /** Videos that the service has got ready or given up since the last look of its own accord. */
  z.strictObject({
    type: z.literal('media.finished'),
    workspaceId: WorkspaceIdSchema,
    ready: z.int(),
    failed: z.int(),
  }),
  /** A report that the service makes in the background stands otherwise than before; `text` says how. */
  z.strictObject({
    type: z.literal('report.job'),
    workspaceId: WorkspaceIdSchema,
    snapshotId: z.string(),
    state: z.enum(['waiting', 'ready', 'failed', 'expired']),
    at: z.int(),
    text: z.string(),
    /** False when somebody waits for it, who is told anyway. */
    isNews: z.boolean(),
  }),
  /** The service no longer takes the token or the signature; told once until it has taken them again. */
  z.strictObject({ type: z.literal('access.refused'), workspaceId: WorkspaceIdSchema }),
  /** Something happened by itself, and stands in the list of the account; null for what belongs to none. */
  z.strictObject({
    type: z.literal('notification.added'),
    workspaceId: WorkspaceIdSchema.nullable(),
    entry: NotificationEntry,
  }),
  /** Somebody followed a note of the system; a window shows what it was about. */
  z.strictObject({
    type: z.literal('open.place'),
    workspaceId: WorkspaceIdSchema,
    place: z.enum(['reviews', 'media', 'access', 'reports', 'alerts']),
  }),
  /** A file was opened from outside, by a double click on it; a window shows what importing it would do. */
  z.strictObject({ type: z.literal('open.file'), grant: GrantSchema, fileName: z.string(), bytes: z.int() }),
  /** Something that takes longer than a second has begun, has come further, or is over. */
  z.strictObject({
    type: z.literal('task.progress'),
    workspaceId: WorkspaceIdSchema,
    /** The ID of its call, by which `tasks.cancel` ends it. */
    taskId: z.string(),
    task: z.enum(TASK_NAMES),
    canCancel: z.boolean(),
    /** How much is done, from 0 to 1; null where nobody knows. */
    share: z.number().min(0).max(1).nullable(),
    /** The same in rows, for what counts them. */
    rows: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
    isOver: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('sync.progress'),
    workspaceId: WorkspaceIdSchema,
    runId: z.string(),
    phase: z.enum([
      'resolving',
      'pulling',
      'planning',
      'uploading',
      'sending',
      'reading-back',
      'submitting',
      'waiting',
      'done',
    ]),
    batchesDone: z.int(),
    batchesTotal: z.int(),
    elementsDone: z.int(),
    elementsRefused: z.int(),
    elementsInDoubt: z.int(),
    /** Rows the run set out to send, and those of them that the service has. */
    changes: z.strictObject({ total: z.int(), sent: z.int() }).optional(),
    /** Set while waiting for the service: when the next try happens. */
    retryAt: z.int().nullable(),
    /** With phase `done`, why changes may be left here: a pause, a service that is away, the deadline, or another plan. */
    ended: z.enum(['paused', 'away', 'deadline', 'plan-changed', 'team']).optional(),
  }),
  /** A sync was paused, waits, is scheduled, or is none of these any more. */
  z.strictObject({
    type: z.literal('sync.pending'),
    workspaceId: WorkspaceIdSchema,
    state: z.enum(['none', 'running', 'paused', 'waiting', 'scheduled']),
    /** When it is looked at next, in milliseconds since 1970. */
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
  /** How numbers and dates are written, as browsers name a language (`de-DE`); null for the one of the system. */
  locale: z.string().max(40).nullable(),
  /** Hours in which the system shows no notes of ours; null for none. */
  quietHours: z.strictObject({ from: z.string().regex(TIME_OF_DAY), to: z.string().regex(TIME_OF_DAY) }).nullable(),
  /** Whether alerts from the metrics are told; they stand in the suggestions anyway. */
  alertNotices: z.boolean(),
  /** Minutes without a key or a click after which credentials are locked; null for never. */
  lockAfterMinutes: z.int().min(1).max(480).nullable(),
  /** As the window stores it; opaque to main. */
  layout: Layout,
});
export type Preferences = z.infer<typeof Preferences>;

/** Why an update was not taken: what cannot be had, or what is not from the makers of this program. */
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
 * How far an update of the program is.
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

/** Why the program is not restarted now. */
const UpdateRefusal = z.enum(['not-ready', 'sync', 'task', 'windows']);
export type UpdateRefusal = z.infer<typeof UpdateRefusal>;

export const appContract = {
  info: appOperation({ output: AppInfo }),
  /** A text for somebody who helps: versions and the end of the log, without names, paths or secrets. It is shown first. */
  support: appOperation({ output: z.strictObject({ fileName: z.string(), text: z.string() }) }),
  /** What this build brings along about itself: licenses of what it carries, and what its long runs came to. */
  about: appOperation({
    output: z.strictObject({ licenses: z.string().nullable(), reliability: z.string().nullable() }),
  }),
  update: {
    get: appOperation({ output: UpdateState }),
    /** Begins a check, and the download of what it finds; `update.changed` tells of its progress. */
    check: appOperation({ output: UpdateState }),
    /** Closes everything and replaces the program, unless something is under way. */
    restart: appOperation({ output: z.strictObject({ refused: UpdateRefusal.nullable() }) }),
  },
  events: appOperation({ output: eventIterator(AppEvent) }),
  preferences: {
    get: appOperation({ output: Preferences }),
    set: appOperation({ input: Preferences.partial(), output: Preferences, errors: ['NOT_WRITABLE'] }),
  },
};

export const tasksContract = {
  /** Ends a task: its call answers CANCELLED, unless it was done before it could. False when it is over or was never begun. */
  cancel: appOperation({
    input: z.strictObject({ taskId: z.string().min(1).max(64) }),
    output: z.strictObject({ cancelled: z.boolean() }),
  }),
};

/** The practice account's own service, started inside the app. */
const PracticeState = z.strictObject({
  now: z.string(),
  openReviews: z.array(z.strictObject({ reviewId: z.string(), campaign: z.string(), status: z.string() })),
});
export type PracticeState = z.infer<typeof PracticeState>;

export const practiceContract = {
  state: operation({
    access: 'write',
    output: PracticeState,
    errors: ['NOT_PRACTICE', 'UNREACHABLE', 'SERVICE_ANSWERED'],
  }),
  /** Moves the practice clock; everything that falls due happens in order. `duration` is ISO 8601, such as PT30M or P3D. */
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
 * What a window would like the system's own menu to hold: its commands, with their names and keys as the user has them.
 * It travels beside the contract, on the desktop's own line, because it means one window and no answer.
 */
const MenuCommand = z.strictObject({
  id: z.string().regex(/^[a-z]+\.[a-z-]{1,40}$/),
  title: z.string().max(200),
  /** As shown, `Ctrl+Shift+E`; null when it has none. */
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
