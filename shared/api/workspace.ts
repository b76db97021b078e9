import { z } from 'zod';
import { CAMPAIGN_STATES } from '../lifecycle/states.ts';
import { SYNC_SELECTION_MAX } from '../plan/sync-selection.ts';
import { CHANGE_STATUSES, GROUPINGS, QUICK_FILTERS } from './choices.ts';
import { CHANGES_MAX, CREATE_MAX, WINDOW_MAX } from './limits.ts';
import { MetricsLook } from './metrics.ts';
import { operation } from './operation.ts';
import {
  CellSchema,
  KindSchema,
  PeriodSchema,
  RowIdSchema,
  RowRefSchema,
  rowsByKind,
  SeveritySchema,
  SnapshotIdSchema,
  StepLabel,
  WindowSchema,
} from './scalars.ts';

const Counts = z.strictObject({ error: z.int(), warning: z.int(), advice: z.int() });

/** The figures that are always on screen. */
export const WorkspaceSummary = z.strictObject({
  revision: z.int(),
  rows: z.record(KindSchema, z.int()),
  /** Videos and logos of the media library: captions and posters belong to a video. */
  files: z.int(),
  changed: z.int(),
  held: z.int(),
  conflicts: z.int(),
  questions: z.int(),
  issues: Counts,
  undo: z.string().nullable(),
  redo: z.string().nullable(),
  lastRefreshAt: z.int().nullable(),
});
export type WorkspaceSummary = z.infer<typeof WorkspaceSummary>;

export const ViewSpec = z.strictObject({
  kind: KindSchema,
  /** Text in the search syntax; empty for everything. */
  filter: z.string().max(2000).default(''),
  /** Columns in order of weight. `path` sorts by campaign name, `metric.clicks` by that metric. */
  sort: z
    .array(z.strictObject({ column: z.string().max(60), descending: z.boolean() }))
    .max(5)
    .default([]),
  campaignId: RowIdSchema.nullable().default(null),
  only: z.enum(QUICK_FILTERS).default('all'),
  /** Groups rows by this value, in the order of its names; `sort` applies within the groups. */
  group: z.enum(GROUPINGS).optional(),
  /** The saved report that views of earlier versions were sorted by; ignored. */
  report: SnapshotIdSchema.optional(),
  period: PeriodSchema.optional(),
  /** The days of the metrics that it is sorted and searched by; without it those of `period`. */
  look: MetricsLook.optional(),
});
export type ViewSpec = z.infer<typeof ViewSpec>;

/** One row of a window. `cells` follow `fieldNames(kind)`. */
export const WindowRow = z.strictObject({
  id: RowIdSchema,
  campaignId: RowIdSchema.nullable(),
  adGroupId: RowIdSchema.nullable(),
  remoteId: z.string().nullable(),
  campaignName: z.string(),
  dirty: z.int(),
  severity: SeveritySchema.nullable(),
  /** Why the row is not in sync with the service, if so. */
  outbox: z.enum(['sent', 'in-doubt', 'question', 'conflict', 'refused']).nullable(),
  cells: z.array(CellSchema),
  /** The displayed status of an item or a keyword, from its own and that of its campaign; absent for other kinds. */
  state: z.enum(CAMPAIGN_STATES).optional(),
  /** ID of the item whose picture is shown for a campaign or profile; absent if there is none. */
  picture: z.string().optional(),
  /** Ids of its labels; absent for none. */
  labels: z.array(z.int()).optional(),
  /** Number of open comments per field, those on the whole row under ''; absent for none. */
  comments: z.record(z.string(), z.int()).optional(),
});
export type WindowRow = z.infer<typeof WindowRow>;

const IssueSchema = z.strictObject({
  rule: z.string(),
  severity: SeveritySchema,
  kind: KindSchema,
  id: RowIdSchema,
  campaignId: RowIdSchema.nullable(),
  field: z.string().nullable(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  fix: z.strictObject({ field: z.string(), value: CellSchema }).nullable(),
});

export const Impact = z.strictObject({
  /** Cost of a change of this field in the present state of the campaign. */
  cost: z.enum(['immediate', 'needs-review', 'needs-pause', 'refused', 'local', 'with-create']),
  /** The service's own message if it would refuse now. */
  message: z.string().nullable(),
});

export const RowDetail = z.strictObject({
  row: WindowRow,
  kind: KindSchema,
  base: z.array(CellSchema).nullable(),
  issues: z.array(IssueSchema),
  /** The service's message when it last refused the row; its support needs the ID of the request. */
  refusal: z
    .strictObject({ message: z.string(), at: z.int(), correlationId: z.string().nullable(), request: z.string() })
    .nullable(),
  impacts: z.record(z.string(), Impact),
});
export type RowDetail = z.infer<typeof RowDetail>;

export const Change = z.strictObject({
  kind: KindSchema,
  id: RowIdSchema,
  campaignId: RowIdSchema.nullable(),
  campaignName: z.string(),
  /** Label of the row: a keyword's text, an item's ID, a headline. */
  label: z.string(),
  what: z.enum(['new', 'deleted', 'field']),
  field: z.string().nullable(),
  before: CellSchema,
  after: CellSchema,
  held: z.boolean(),
  /** Status of the change. */
  lane: z.enum(CHANGE_STATUSES),
});
export type Change = z.infer<typeof Change>;

/** Rows after a change, and the kinds that a window must read again. */
const patch = {
  /**
   * Every row whose cells, marks or issues changed, and perhaps others, as shown in a window; null above `PATCH_MAX`.
   * `issues` are null for a row whose check is pending.
   */
  rows: z
    .array(z.strictObject({ kind: KindSchema, row: WindowRow, issues: z.array(IssueSchema).nullable() }))
    .nullable(),
  /** Kinds with added or removed rows, or a new name of their campaign. */
  reread: z.array(KindSchema),
};

/** The rows after an edit, for a window that shows them. */
export const RowsPatch = z.strictObject({ revision: z.int(), ...patch });
export type RowsPatch = z.infer<typeof RowsPatch>;

/** `touched` are the rows concerned, created ones first; of very many the first 10,000. */
const edited = RowsPatch.extend({ touched: z.array(RowRefSchema) });
/** `stay`: the cells not restored because colleagues of the team changed them since, out of all changes of the step. */
const replayed = edited.extend({
  /** The name of the step. */
  label: z.string(),
  stay: z.strictObject({ cells: z.int(), of: z.int(), by: z.array(z.string()) }).optional(),
});
const editErrors = ['NO_ROW', 'BAD_VALUE'] as const;
const rows = z.array(RowRefSchema).min(1).max(200_000);
const changes = z
  .array(z.strictObject({ kind: KindSchema, id: RowIdSchema, field: z.string().max(60), value: CellSchema }))
  .max(CHANGES_MAX);

const HistoryStep = z.strictObject({
  id: z.int(),
  label: z.string(),
  at: z.int(),
  rows: z.int(),
  undone: z.boolean(),
  source: z.string(),
  /** Name of the system's user who did it; empty for a sync, and where none was recorded. */
  who: z.string(),
  /** The step before it, as a moment to go back to; 0 for the oldest. */
  previous: z.int(),
});
export type HistoryStep = z.infer<typeof HistoryStep>;

export const workspaceContract = {
  summary: operation({ runs: 'reader', priority: 'counts', output: WorkspaceSummary }),
  /**
   * Number of rows of each of these campaigns that differ from the service, the campaign's own row included; campaigns
   * without any are omitted.
   */
  campaignChanges: operation({
    runs: 'reader',
    input: { ids: z.array(RowIdSchema).max(500) },
    output: z.strictObject({ campaigns: z.array(z.strictObject({ id: RowIdSchema, changes: z.int() })) }),
  }),
  /** With `window` its rows are included, so that a list needs one call. */
  openView: operation({
    input: { view: ViewSpec, window: z.strictObject(WindowSchema).optional() },
    output: z.strictObject({ viewId: z.int(), length: z.int(), revision: z.int(), rows: z.array(WindowRow) }),
    errors: ['BAD_FILTER'],
  }),
  readWindow: operation({
    runs: 'reader',
    priority: 'rows',
    input: { viewId: z.int(), ...WindowSchema },
    output: z.strictObject({ rows: z.array(WindowRow), length: z.int(), revision: z.int(), stale: z.boolean() }),
    errors: ['NO_VIEW'],
  }),
  closeView: operation({ runs: 'reader', input: { viewId: z.int() }, output: z.strictObject({}) }),
  row: operation({ runs: 'reader', input: { ref: RowRefSchema }, output: RowDetail, errors: ['NO_ROW'] }),
  /** Cost of a change of each of their fields now; rows that no longer exist are omitted. */
  impacts: operation({
    runs: 'reader',
    input: { kind: KindSchema, ids: z.array(RowIdSchema).max(WINDOW_MAX) },
    output: z.strictObject({
      rows: z.array(z.strictObject({ id: RowIdSchema, impacts: z.record(z.string(), Impact) })),
    }),
  }),
  /** Issues of these rows, in no order; rows that no longer exist are omitted. */
  rowIssues: operation({
    runs: 'reader',
    priority: 'counts',
    input: { kind: KindSchema, ids: z.array(RowIdSchema).max(WINDOW_MAX) },
    output: z.strictObject({ issues: z.array(IssueSchema) }),
  }),
  /** Sets fields. All of the list or none of it is written; it is one undo step. */
  edit: operation({
    runs: 'writer',
    input: { label: StepLabel, changes: changes.min(1) },
    output: edited,
    errors: editErrors,
  }),
  /**
   * Creates rows, parents before children, and sets fields of others in the same undo step; `parent` is a row id or the
   * position of an earlier entry of this list.
   */
  create: operation({
    runs: 'writer',
    input: {
      label: StepLabel,
      rows: z
        .array(
          z.strictObject({
            kind: KindSchema,
            parent: z.union([z.strictObject({ id: RowIdSchema }), z.strictObject({ at: z.int().min(0) }), z.null()]),
            values: z.record(z.string().max(60), CellSchema),
          }),
        )
        .min(1)
        .max(CREATE_MAX),
      changes: changes.default([]),
    },
    output: edited,
    errors: editErrors,
  }),
  remove: operation({ runs: 'writer', input: { rows }, output: edited, errors: editErrors }),
  /** Reverts rows (or single fields of them) to the service's last values. */
  revert: operation({
    runs: 'writer',
    input: { rows, field: z.string().max(60).nullable().default(null) },
    output: edited,
    errors: editErrors,
  }),
  /** Holds rows, which excludes them from every sync, or releases them. */
  hold: operation({
    runs: 'writer',
    input: {
      /** A sync selection stands for the changed rows in it that are on hold. */
      rows: z.union([rows, z.strictObject({ rows: rowsByKind(SYNC_SELECTION_MAX, 0), below: z.boolean() })]),
      held: z.boolean(),
    },
    output: edited,
    errors: editErrors,
  }),
  undo: operation({ runs: 'writer', task: 'undo', output: replayed, errors: ['NOTHING_TO_DO'] }),
  redo: operation({ runs: 'writer', task: 'redo', output: replayed, errors: ['NOTHING_TO_DO'] }),
  /**
   * Steps, newest first; `words` limits them to those with each word in their name or author, `member` to those of a
   * member of the team.
   */
  history: operation({
    runs: 'reader',
    input: { ...WindowSchema, words: z.string().max(200).default(''), member: z.int().nullable().default(null) },
    output: z.strictObject({
      total: z.int(),
      steps: z.array(HistoryStep),
    }),
  }),
  /**
   * Most severe first, campaign by campaign; with `rule` only the issues of that rule. `total` is the length of the
   * list, while `counts` and `rules` are those of the account or the campaign, whatever the filter.
   */
  issues: operation({
    input: {
      ...WindowSchema,
      campaignId: RowIdSchema.nullable().default(null),
      rule: z.string().max(100).nullable().default(null),
    },
    output: z.strictObject({
      total: z.int(),
      counts: Counts,
      /** Most severe first, in the order of the documentation; the user's rules last. */
      rules: z.array(z.strictObject({ rule: z.string(), severity: SeveritySchema, found: z.int(), fixable: z.int() })),
      issues: z.array(IssueSchema.extend({ label: z.string(), campaignName: z.string() })),
    }),
  }),
  /**
   * `words` limits the list to rows with each word in a text, their ID, or the name of their campaign, `lane` to
   * changes of that status; `lanes` counts rows with the words in each status, `total` the lines.
   */
  changes: operation({
    runs: 'reader',
    input: {
      ...WindowSchema,
      words: z.string().max(200).default(''),
      lane: z.enum(CHANGE_STATUSES).nullable().default(null),
    },
    output: z.strictObject({
      total: z.int(),
      lanes: z.record(z.enum(CHANGE_STATUSES), z.int()),
      changes: z.array(Change),
    }),
  }),
};
