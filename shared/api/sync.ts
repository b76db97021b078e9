import { z } from 'zod';
import { readPolicy } from '../merge/merge.ts';
import { PICKS_MAX, SYNC_SELECTION_MAX } from '../plan/sync-selection.ts';
import { ChangeLimitView } from './accounts.ts';
import { ExportedFile } from './files.ts';
import { RESOLVE_MAX } from './limits.ts';
import { operation } from './operation.ts';
import {
  CellSchema,
  GrantSchema,
  KindSchema,
  NamedRow,
  RowIdSchema,
  RowRefSchema,
  rowsByKind,
  WindowSchema,
} from './scalars.ts';

/** Longest text of a plan: one of a million elements has some 200 MB. */
export const PLAN_TEXT_MAX = 400_000_000;
/** Most lines of a difference that cross at once, and most characters of each. */
export const PLAN_CHANGES_MAX = 500;
export const PLAN_LINE_MAX = 2000;

/**
 * Differences between a saved plan and the plan that would be sent now: `-` for a line only in the saved one, `+` for
 * one only in the new one.
 */
export const PlanChanges = z.strictObject({
  lines: z.array(
    z.strictObject({
      sign: z.enum(['-', '+']),
      /** The line in its plan; shortened when it is very long. */
      line: z.string(),
      /** The row that the line is about, of a request its campaign; `label` is null when the row is no longer here. */
      kind: KindSchema.nullable(),
      id: RowIdSchema.nullable(),
      label: z.string().nullable(),
    }),
  ),
  /** Lines beyond those. */
  more: z.int(),
});
export type PlanChanges = z.infer<typeof PlanChanges>;

/** Age from which read data counts as outdated, in hours; 0 for all. */
const OutdatedAfter = z.int().min(0).max(8760);

/** Number of campaigns that may have changed on the service, and why; one may be counted under several reasons. */
export const OutdatedSummary = z.strictObject({
  campaigns: z.int(),
  /** Campaigns that a full refresh reads. */
  all: z.int(),
  why: z.strictObject({
    /** Not read for that long, or never. */
    old: z.int(),
    /** With unsent changes. */
    touched: z.int(),
    inReview: z.int(),
    /** With a video that the service is still processing. */
    processing: z.int(),
    /** With the label "Keep fresh". */
    keptFresh: z.int(),
  }),
});
export type OutdatedSummary = z.infer<typeof OutdatedSummary>;

/** One request of the plan in readable form; `json` is the exact body (IDs of rows not yet created as `@kind/row`). */
export const BatchView = z.strictObject({
  index: z.int(),
  method: z.string(),
  path: z.string(),
  kind: z.string(),
  verb: z.string(),
  campaign: z.string(),
  elements: z.int(),
  /** Rows that appear in this request first: over all requests they add up to the changes of the plan. */
  changes: z.int(),
  /** The request that must run first, because it creates the parents; null for none. */
  after: z.int().nullable(),
  /** Null if bodies were not requested. */
  json: z.string().nullable(),
});
export type BatchView = z.infer<typeof BatchView>;

/** Campaigns that a plan does not submit for review: how many, and the first few with the row that prevents it and why. */
const UnsubmittedCampaigns = z.strictObject({
  campaigns: z.int(),
  first: z.array(NamedRow.extend({ why: z.string() })),
});

/** Rows that share a reason; `first` are the first few of them by name. */
const RowsBy = z.strictObject({
  reason: z.string(),
  rows: z.int(),
  first: z.array(NamedRow),
});

/**
 * A check box of the sync plan that was set or cleared: of one row, of a kind in a campaign, of a campaign, or (with
 * all null) of everything. The narrowest one applies.
 */
const Pick = z.strictObject({
  campaignId: RowIdSchema.nullable(),
  kind: KindSchema.nullable(),
  id: RowIdSchema.nullable(),
  on: z.boolean(),
});

/**
 * The rows a sync is limited to. With `below`, a campaign or an ad group includes all its rows. Parents that the
 * service does not have are sent too, and the plan shows them.
 */
export const ChosenRows = z.strictObject({
  /** Empty for every row, except those excluded by `picks`. */
  rows: rowsByKind(SYNC_SELECTION_MAX, 0),
  below: z.boolean(),
  picks: z.array(Pick).max(PICKS_MAX).optional(),
});
export type ChosenRows = z.infer<typeof ChosenRows>;

/** A plan in numbers. Its requests are read in pages: a large account has hundreds of thousands. */
export const PlanView = z.strictObject({
  planId: z.string(),
  /** Rows that would be sent. With `notIncluded` they are all changed rows of the account. */
  changes: z.int(),
  /** Changed rows that are not sent; `leftOut` has them by reason. */
  notIncluded: z.int(),
  /** Rows that could be sent, whether their check box is set or not. */
  listed: z.int(),
  /** Effects: rows that apply at once, rows that are submitted for review, campaigns that are submitted or start later. */
  effects: z.strictObject({
    immediate: z.int(),
    review: z.int(),
    reviewed: z.array(z.string()),
    /** The first few campaigns that are submitted for review. */
    submitted: z.array(z.string()),
    /**
     * Campaigns with sent rows that need a review and with no submission in this plan: how many, and the first few with
     * the row that prevents it and why: `off` without submissions, `incomplete` without such a row, else its reason.
     */
    unsubmitted: UnsubmittedCampaigns,
    /** New campaigns that start later: how many, from which day on, and the first few of them. */
    scheduled: z.strictObject({
      campaigns: z.int(),
      from: z.string().nullable(),
      first: z.array(z.strictObject({ label: z.string(), startDate: z.string() })),
    }),
  }),
  /**
   * Daily budgets in cents: `before` and `after` of all campaigns of the account that have not ended, with nothing for those
   * that are paused, and the campaigns that the plan changes, the largest difference first, with `more` beyond them.
   */
  budgets: z.strictObject({
    before: z.int(),
    after: z.int(),
    campaigns: z.array(
      z.strictObject({
        id: RowIdSchema,
        label: z.string(),
        /** ID on the service, which tells campaigns of one name apart; null for a new one, whose name is its own. */
        remoteId: z.string().nullable(),
        before: z.int(),
        after: z.int(),
      }),
    ),
    more: z.int(),
  }),
  requests: z.int(),
  uploads: z.array(z.strictObject({ mediaId: RowIdSchema, file: z.string(), bytes: z.int() })),
  /** Rows that are not sent, by reason; the first few of each with labels. */
  leftOut: z.array(RowsBy),
  /** Rows with a warning that are sent all the same, by rule, the most rows first; the first few of each with labels. */
  warnings: z.array(RowsBy),
  /** Rows that were not chosen and go along, by why; the first few of each by name. */
  added: z.array(RowsBy),
  elements: z.int(),
  creates: z.int(),
  updates: z.int(),
  held: z.int(),
  /** Ad groups that would be submitted for review. */
  reviews: z.int(),
  /** Elements that can still be changed in this hour, and full hours that the rest has to wait. */
  budgetLeft: z.int(),
  waitsHours: z.int(),
  changeLimit: ChangeLimitView,
  /** When the last change is sent at the latest rate, in milliseconds since 1970; null when nothing waits for the hourly limit. */
  sentBy: z.int().nullable(),
  /** What can be rolled back after the sync and what can't, with the first rows by label and the reason. */
  rollback: z.strictObject({
    changes: z.int(),
    forGood: z.int(),
    firstForGood: z.array(NamedRow.extend({ why: z.string() })),
  }),
  errors: z.int(),
});
export type PlanView = z.infer<typeof PlanView>;

/** A plan file, and the plan made now with its options. The two are equal when nothing has changed since. */
export const OpenedPlan = z.strictObject({
  fileName: z.string(),
  /** When the drafts of the file were last changed; null if never. */
  draftsOf: z.iso.datetime().nullable(),
  submit: z.boolean(),
  /** How many campaigns or rows the plan is limited to; null without that limit. */
  campaigns: z.int().nullable(),
  rows: z.int().nullable(),
  plan: PlanView,
  changed: PlanChanges,
});
export type OpenedPlan = z.infer<typeof OpenedPlan>;

/** A value of the service that is not valid for its field; the row keeps its value. */
const Unreadable = z.strictObject({
  kind: KindSchema,
  /** Null for a row that is not here, or can't be identified: then `field` is null as well. */
  id: RowIdSchema.nullable(),
  label: z.string(),
  field: z.string().nullable(),
  /** As received, shortened. */
  value: z.string(),
});
export type Unreadable = z.infer<typeof Unreadable>;

/** A row that the service no longer lists. With `asked` a second read has confirmed it, and it is among the conflicts. */
const GoneRow = NamedRow.extend({ asked: z.boolean() });
export type GoneRow = z.infer<typeof GoneRow>;

/** A read of one campaign or ad group that the service refused; the others were read. */
const NotRead = z.strictObject({ call: z.string(), label: z.string(), status: z.int(), message: z.string() });
export type NotRead = z.infer<typeof NotRead>;

/** The most notes of each sort in an answer or a report: in a large account, every row can have one. */
export const NOTES_LISTED = 100;

/** What a refresh found besides the values that it merged: how many notes of each sort, and the first of them. */
const ReadNotes = z.strictObject({
  counts: z.strictObject({ gone: z.int(), unreadable: z.int(), notRead: z.int() }),
  gone: z.array(GoneRow).max(NOTES_LISTED),
  unreadable: z.array(Unreadable).max(NOTES_LISTED),
  notRead: z.array(NotRead).max(NOTES_LISTED),
});
export type ReadNotes = z.infer<typeof ReadNotes>;

/** Rows that a run was to send, by result; `total` is the sum of the others. */
const ChangeResults = z.strictObject({
  total: z.int(),
  sent: z.int(),
  failed: z.int(),
  unresolved: z.int(),
  notSent: z.int(),
});
export const NO_CHANGES = { total: 0, sent: 0, failed: 0, unresolved: 0, notSent: 0 } as const;

export const SyncReport = z.strictObject({
  runId: z.string(),
  /** Start and end, in milliseconds since 1970; null if an older report lacks them. */
  startedAt: z.int().nullable().default(null),
  endedAt: z.int().nullable().default(null),
  changes: ChangeResults.default(NO_CHANGES),
  state: z.enum(['running', 'finished', 'cancelled', 'paused', 'stopped']),
  /** Why it stopped before its end: the service is away, the credentials fail, the disk is full, ... */
  stoppedBy: z
    .strictObject({
      cause: z.enum([
        'unreachable',
        'credentials',
        'disk',
        'defect',
        'service',
        'rate-limited',
        'security',
        'plan-changed',
        'deadline',
        /** A colleague has started a sync, or the team's database can't be reached. */
        'team',
      ]),
      detail: z.string(),
      /** For a response that stopped it: its status, the request, and the time of a retry that it named. */
      status: z.int().optional(),
      call: z.string().optional(),
      retryAt: z.int().nullable().optional(),
      /** For `plan-changed`: the differences between the reviewed plan and the one that would have been sent. */
      changed: PlanChanges.optional(),
    })
    .nullable(),
  requests: z.int(),
  done: z.int(),
  /** The first `NOTES_LISTED` of them, and how many more there are. Each row keeps its message. */
  refused: z.array(NamedRow.extend({ message: z.string() })),
  refusedMore: z.int().default(0),
  inDoubt: z.int(),
  questions: z.int(),
  untouched: z.int(),
  uploads: z.int(),
  /** Files whose upload failed, each with the full reason. */
  failedUploads: z.array(z.strictObject({ id: RowIdSchema, file: z.string(), reason: z.string() })).default([]),
  /** The first `NOTES_LISTED` of them, and how many more there are. A refresh notes them again. */
  unreadable: z.array(Unreadable).default([]),
  unreadableMore: z.int().default(0),
  reviews: z.int(),
  /** As in the effects of its first plan, without campaigns that a later part of the run submits. */
  unsubmitted: UnsubmittedCampaigns.default({ campaigns: 0, first: [] }),
  live: z.int(),
  inReview: z.int(),
});
export type SyncReport = z.infer<typeof SyncReport>;

/** A sync that is paused, waits for the service, or is scheduled. Moments are milliseconds since 1970. */
export const PendingSyncView = z.strictObject({
  state: z.enum(['paused', 'waiting', 'scheduled']),
  since: z.int(),
  /** Time of the next request; null for a paused one. */
  nextAt: z.int().nullable(),
  /** Nothing is sent from this moment on. */
  deadline: z.int().nullable(),
  /** Why it waits, and the message of the service or Adslate; null without one. */
  cause: SyncReport.shape.stoppedBy.unwrap().shape.cause.nullable(),
  problem: z.string().nullable(),
  /** Changes and files left to send, now and at the time of the pause: later edits are included. */
  left: z.int(),
  leftThen: z.int(),
  /** Whether a reviewed plan alone may be sent: after other edits nothing is. */
  isReviewed: z.boolean(),
  /** For a scheduled sync: since when probes succeed, and for how many minutes they must. */
  health: z.strictObject({ since: z.int().nullable(), minutes: z.number() }).nullable(),
});
export type PendingSyncView = z.infer<typeof PendingSyncView>;

export const Question = z.strictObject({
  id: z.int(),
  kind: KindSchema,
  rowId: RowIdSchema,
  /** The row being created: name and parent, in the user's words. */
  what: z.string(),
  sentAt: z.int(),
  correlationId: z.string(),
  /** Earliest time at which "absent" can be answered. */
  absentFrom: z.int(),
  answers: z.array(z.enum(['exists', 'absent', 'later'])),
});
export type Question = z.infer<typeof Question>;

export const Conflict = z.strictObject({
  ref: RowRefSchema,
  label: z.string(),
  /** The name of the campaign that has the row; empty for a campaign and for a file. */
  campaign: z.string(),
  /** Set when the other value is that of the colleague `by`, not that of the service. */
  against: z.literal('team').optional(),
  by: z.string().optional(),
  /** When the other value was read, in milliseconds since 1970. */
  at: z.int(),
  /**
   * Null when the row itself is missing on the service: `mine` creates it again, `theirs` deletes it here as well.
   * With a colleague one of both values is null: that side has deleted the row.
   */
  field: z.string().nullable(),
  base: z.union([z.string(), z.number(), z.null()]),
  mine: z.union([z.string(), z.number(), z.null()]),
  theirs: z.union([z.string(), z.number(), z.null()]),
});
export type Conflict = z.infer<typeof Conflict>;

/** The side to keep, for one field or, with `field` null, for the row itself. */
export const ConflictChoice = z.strictObject({
  ref: RowRefSchema,
  field: z.string().nullable(),
  against: z.literal('team').optional(),
  take: z.enum(['mine', 'theirs']),
});
export type ConflictChoice = z.infer<typeof ConflictChoice>;

/** The options of what to send. */
const wish = {
  submit: z.boolean().default(true),
  campaignIds: z.array(RowIdSchema).nullable().default(null),
  chosen: ChosenRows.nullable().default(null),
  /** Whether the open reviews of the named campaigns are canceled first, so that changes waiting for their end are sent now. */
  cancelReviews: z.boolean().default(false),
};

const timed = {
  /** The plan that the user has reviewed: PLAN_CHANGED when other changes would be sent now. */
  shownPlan: z.string().max(64).nullable().default(null),
  /** Nothing is sent from this moment on, in milliseconds since 1970. */
  deadline: z.int().min(0).nullable().default(null),
  /** Whether it waits automatically for an unreachable service, and stays as paused when Adslate is closed. */
  resumes: z.boolean().default(false),
};

/** The lines of a plan to list. */
const PLAN_FILTERS = ['all', 'immediate', 'review', 'budgets'] as const;

/** Result of a row in the run that sends it. */
const RowResult = z.strictObject({
  is: z.enum(['pending', 'sending', 'sent', 'failed', 'unresolved']),
  at: z.int().nullable(),
  message: z.string().nullable(),
});

const LineField = z.strictObject({ field: z.string(), before: CellSchema, after: CellSchema });

/** One line of a plan: a campaign, a kind in it, a changed row, a further field of it, or the number of hidden rows of a kind. */
export const PlanLine = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('campaign'),
    campaignId: RowIdSchema,
    label: z.string(),
    /** An item of it, for its picture. */
    itemId: z.string().nullable(),
    state: z.string().nullable(),
    isNew: z.boolean(),
    startDate: z.string().nullable(),
    changes: z.int(),
    picked: z.int(),
    /** Change of its daily budget, in cents. */
    perDay: z.int(),
    isOpen: z.boolean(),
    sent: z.int(),
    isSending: z.boolean(),
    /** Whether a row of it has no result yet and is not being sent. */
    isPending: z.boolean(),
  }),
  z.strictObject({
    is: z.literal('kind'),
    campaignId: RowIdSchema,
    kind: KindSchema,
    rows: z.int(),
    picked: z.int(),
    /** Mean bid of its changed bids in cents, before and after; null where none changed. */
    bids: z.tuple([z.int(), z.int()]).nullable(),
  }),
  z.strictObject({
    is: z.literal('row'),
    campaignId: RowIdSchema,
    kind: KindSchema,
    id: RowIdSchema,
    label: z.string(),
    /** The match type of a keyword. */
    detail: z.string().nullable(),
    itemId: z.string().nullable(),
    what: z.enum(['new', 'deleted', 'changed']),
    /** The field shown on this line. */
    field: LineField.nullable(),
    effect: z.enum(['immediate', 'review']),
    isPicked: z.boolean(),
    /** Whether it is not sent because its parent is not checked. */
    isBelowUnpicked: z.boolean(),
    result: RowResult,
  }),
  z.strictObject({ is: z.literal('field'), kind: KindSchema, id: RowIdSchema, field: LineField }),
  z.strictObject({ is: z.literal('more'), campaignId: RowIdSchema, kind: KindSchema, rows: z.int() }),
]);
export type PlanLine = z.infer<typeof PlanLine>;

const PLAN_LINE_SIZES = ['campaign', 'line', 'text'] as const;

/** Display options of the lines of a plan. */
const LineView = {
  filter: z.enum(PLAN_FILTERS).default('all'),
  words: z.string().max(200).default(''),
  /** Only campaigns of which the run has sent something. */
  sentOnly: z.boolean().default(false),
  /** Whether campaigns begin closed, however few changes there are. */
  closed: z.boolean().default(false),
  /** Campaigns that are open where they would be closed, or closed where they would be open. */
  turned: z.array(RowIdSchema).max(20_000).default([]),
  /** Kinds of campaigns that show all of their rows, as `campaign:kind`. */
  whole: z.array(z.string().max(60)).max(20_000).default([]),
};

export const syncContract = {
  plan: operation({
    task: 'plan',
    input: {
      ...wish,
      /** Plans rows that are not signed off as well: for members who sign off or request it. */
      beforeSignOff: z.boolean().default(false),
    },
    output: PlanView,
  }),
  /** Requests of the plan shown last or sent last, in the order of sending. */
  planBatches: operation({
    input: { planId: z.string().max(64), bodies: z.boolean().default(false), ...WindowSchema },
    output: z.strictObject({ batches: z.array(BatchView) }),
    errors: ['NO_PLAN'],
  }),
  /**
   * Lines of the last plan, or of the run with this ID. `shape` has the size of every line of the list, in order, as
   * runs of equal ones.
   */
  planLines: operation({
    input: { planId: z.string().max(64), ...LineView, ...WindowSchema },
    output: z.strictObject({
      counts: z.record(z.enum(PLAN_FILTERS), z.int()),
      shape: z.array(z.tuple([z.enum(PLAN_LINE_SIZES), z.int()])),
      lines: z.array(PlanLine),
    }),
    errors: ['NO_PLAN'],
  }),
  /** Saves the last plan as a file, to be reviewed and run later (`plan-file.ts`). */
  savePlan: operation({
    input: { planId: z.string().max(64) },
    output: ExportedFile,
    errors: ['NO_PLAN'],
  }),
  /** Reads a plan file and plans with its options, as `plan` does; `run` with the new plan's ID sends it. */
  openPlan: operation({
    input: { grant: GrantSchema },
    output: OpenedPlan,
    errors: ['NO_GRANT', 'BAD_FILE'],
  }),
  /**
   * Starts a run in the background and returns at once; events report progress. CANCELLED: the host asked the user to
   * confirm a large sync, and the user declined.
   */
  run: operation({
    access: 'send',
    input: {
      ...wish,
      /**
       * The text of a reviewed plan, without the first line of its file: the run sends nothing unless its own plan is
       * the same, line by line.
       */
      plan: z.string().max(PLAN_TEXT_MAX).nullable().default(null),
      /** A reviewed plan, instead of the text and all options: NO_PLAN when it is not the last one. */
      planId: z.string().max(64).nullable().default(null),
      ...timed,
    },
    output: z.strictObject({ runId: z.string() }),
    errors: [
      'SYNC_RUNNING',
      'CANCELLED',
      'NO_PLAN',
      'PLAN_CHANGED',
      'COLLEAGUE_SYNCS',
      'TEAM_OFFLINE',
      'NOT_ALLOWED',
      'NEEDS_SIGN_OFF',
    ],
  }),
  /**
   * Sends exactly the last plan, once probes have succeeded for some minutes without a failure. Replaces a pending
   * sync.
   */
  schedule: operation({
    access: 'send',
    input: {
      ...wish,
      /** The text of the reviewed plan; null for the plan of this moment. */
      plan: z.string().max(PLAN_TEXT_MAX).nullable().default(null),
      ...timed,
      /** No probe before this moment, in milliseconds since 1970. */
      after: z.int().min(0).default(0),
      healthyMinutes: z.int().min(1).max(1440).default(5),
    },
    output: z.strictObject({}),
    errors: ['SYNC_RUNNING', 'CANCELLED', 'PLAN_CHANGED', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE', 'NOT_ALLOWED'],
  }),
  /** Pauses after the current requests and upload. NO_SYNC: no sync runs or waits. */
  pause: operation({ output: z.strictObject({}), errors: ['NO_SYNC'] }),
  /** Resumes a paused or waiting sync now. */
  resume: operation({
    output: z.strictObject({ runId: z.string() }),
    errors: [
      'NO_SYNC',
      'SYNC_RUNNING',
      'CANCELLED',
      'COLLEAGUE_SYNCS',
      'TEAM_OFFLINE',
      'NOT_ALLOWED',
      'NEEDS_SIGN_OFF',
    ],
  }),
  /** The paused, waiting or scheduled sync; null without one. */
  pending: operation({ output: PendingSyncView.nullable() }),
  /** Stops a running sync after its current requests, or drops a pending one. */
  cancel: operation({ output: z.strictObject({}), errors: ['NO_SYNC'] }),
  /** The report of the running or the last sync; null before the first. */
  report: operation({ output: SyncReport.nullable() }),
  /** Counts what `refresh` with the same hours would read; no request is sent. */
  outdated: operation({ input: { hours: OutdatedAfter }, output: OutdatedSummary }),
  /**
   * Reads everything readable from the service, or these campaigns, or with `outdatedAfterHours` those that may have
   * changed there, and merges it; local edits stay.
   */
  refresh: operation({
    access: 'write',
    input: {
      campaignIds: z.array(RowIdSchema).min(1).max(1000).nullable().default(null),
      outdatedAfterHours: OutdatedAfter.nullable().default(null),
    },
    output: ReadNotes.extend({ revision: z.int() }),
    errors: [
      'SYNC_RUNNING',
      'UNREACHABLE',
      'SERVICE_ANSWERED',
      'BAD_CREDENTIALS',
      'COLLEAGUE_SYNCS',
      'TEAM_OFFLINE',
      'NOT_ALLOWED',
    ],
  }),
  questions: operation({ output: z.array(Question) }),
  answer: operation({
    access: 'write',
    input: {
      questionId: z.int(),
      answer: z.union([
        z.strictObject({ exists: z.string().regex(/^\d{1,19}$/) }),
        z.literal('absent'),
        z.literal('later'),
      ]),
    },
    output: z.strictObject({ open: z.int() }),
    errors: ['NO_QUESTION', 'BAD_ANSWER', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE'],
  }),
  conflicts: operation({ output: z.array(Conflict) }),
  /** Settles those that are still open. NO_ROW: none of them is. */
  resolve: operation({
    access: 'write',
    input: { choices: z.array(ConflictChoice).min(1).max(RESOLVE_MAX) },
    output: z.strictObject({ revision: z.int(), settled: z.int() }),
    errors: ['NO_ROW'],
  }),
};

const PolicyText = z
  .string()
  .max(2000)
  .refine((text) => readPolicy(text).ok, 'not a policy');

const policy = z.strictObject({ text: z.string() });

/** The side to keep in conflicts of this account (`shared/merge/merge.ts`); an empty text asks each time. */
export const conflictPolicyContract = {
  get: operation({ output: policy }),
  /** Applies from the next read of the service; open conflicts are not resolved. */
  set: operation({ announced: true, access: 'write', input: { text: PolicyText }, output: policy }),
};

/** Why something is not on the service or not live, although it should be. */
const PENDING_REASONS = [
  // Continues without the user.
  'video-processing',
  'video-overdue',
  'review-going-on',
  'scheduled',
  'sync-waiting',
  'sync-scheduled',
  'rate-limited',
  // Continues with the next sync.
  'changed',
  'budget',
  'in-doubt',
  'waits-for-media',
  'review-open',
  'parent-left-out',
  // Waits for the user.
  'sync-paused',
  'upload-host',
  'question',
  'conflict',
  'has-errors',
  'held',
  'not-offered',
  'needs-sign-off',
  'changed-since-sign-off',
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

/** Elements that wait for one reason. */
export const PendingGroup = z.strictObject({
  reason: z.enum(PENDING_REASONS),
  /** The condition to continue: time passes, a sync is started, or the user acts. */
  until: z.enum(['time', 'sync', 'user']),
  elements: z.int(),
  /** The first few of them by name. */
  first: z.array(NamedRow),
  /** Next time of a poll or of a possible continuation, in milliseconds since 1970; null if unknown. */
  nextAt: z.int().nullable(),
});
export type PendingGroup = z.infer<typeof PendingGroup>;

export const pendingContract = {
  /** Everything that is pending now, by reason; reasons that the user can resolve come last. */
  list: operation({ output: z.array(PendingGroup) }),
};

/** A sync that changed something on the service. */
export const SentRunView = z.strictObject({ runId: z.string(), at: z.int(), elements: z.int() });
export type SentRunView = z.infer<typeof SentRunView>;

const RowOfCampaign = NamedRow.extend({ campaign: z.string() });

/** The rollback of a sync. The lists are cut; the counts are complete. */
export const Rollback = z.strictObject({
  run: SentRunView,
  changes: z.int(),
  firstChanges: z.array(RowOfCampaign.extend({ field: z.string(), now: CellSchema, back: CellSchema })),
  /** Changes that can't be rolled back, and why; see `shared/plan/rollback-plan.ts`. */
  forGood: z.int(),
  firstForGood: z.array(RowOfCampaign.extend({ why: z.string() })),
  /** Fields that were changed again since, here or on the service; they are not rolled back. */
  changedSince: z.int(),
  firstChangedSince: z.array(RowOfCampaign.extend({ field: z.string(), sent: CellSchema, now: CellSchema })),
});
export type Rollback = z.infer<typeof Rollback>;

const ofRun = { runId: z.string().min(1).max(64) };

export const rollbackContract = {
  /** Syncs that can be viewed, newest first. */
  runs: operation({ output: z.array(SentRunView) }),
  preview: operation({ input: ofRun, output: Rollback, errors: ['NO_SYNC'] }),
  /** Applies the earlier values to the drafts as one step. Nothing is sent: the next sync shows and sends them like any edit. */
  stage: operation({
    access: 'write',
    input: ofRun,
    output: z.strictObject({ revision: z.int(), cells: z.int() }),
    errors: ['NO_SYNC', 'NO_ROW', 'BAD_VALUE', 'NOTHING_TO_DO', 'SYNC_RUNNING'],
  }),
};
