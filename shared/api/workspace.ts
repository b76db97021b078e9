import { z } from 'zod';
import { CAMPAIGN_STATES } from '../lifecycle/states.ts';
import { CHANGE_STATUSES, GROUPINGS, QUICK_FILTERS } from './choices.ts';
import { CHANGES_MAX, WINDOW_MAX } from './limits.ts';
import { MetricsLook } from './metrics.ts';
import { operation } from './operation.ts';
import {
  CellSchema,
  KindSchema,
  PeriodSchema,
  RowIdSchema,
  RowRefSchema,
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
  findings: Counts,
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
  /** Rows that have this in common stand together, in the order of its names; `sort` counts within them. */
  group: z.enum(GROUPINGS).optional(),
  /** The kept report that views of earlier versions were sorted by; it is passed over. */
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
  /** What stands between the row and the service, if anything. */
  outbox: z.enum(['sent', 'in-doubt', 'question', 'conflict', 'refused']).nullable(),
  cells: z.array(CellSchema),
  /** The status shown for an item or a keyword, of its own and that of its campaign; absent for other kinds. */
  state: z.enum(CAMPAIGN_STATES).optional(),
  /** Id of the item whose picture stands for the campaign of a campaign or profile; absent where there is none. */
  picture: z.string().optional(),
  /** Ids of its labels; absent for none. */
  labels: z.array(z.int()).optional(),
  /** How many open comments it has on each field, those on the row as a whole under ''; absent for none. */
  comments: z.record(z.string(), z.int()).optional(),
});
export type WindowRow = z.infer<typeof WindowRow>;

const FindingSchema = z.strictObject({
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
  /** What a change of this field costs in the present state of the campaign. */
  cost: z.enum(['immediate', 'needs-review', 'needs-pause', 'refused', 'local', 'with-create']),
  /** The service's own message when it would refuse now. */
  message: z.string().nullable(),
});

export const RowDetail = z.strictObject({
  row: WindowRow,
  kind: KindSchema,
  base: z.array(CellSchema).nullable(),
  findings: z.array(FindingSchema),
  /** The service's own words when it refused the row the last time; the id of the request is what its support asks for. */
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
  /** What a person would call the row: a keyword's text, an item's id, a headline. */
  label: z.string(),
  what: z.enum(['new', 'deleted', 'field']),
  field: z.string().nullable(),
  before: CellSchema,
  after: CellSchema,
  held: z.boolean(),
  /** Where it stands on its way to the service. */
  lane: z.enum(CHANGE_STATUSES),
});
export type Change = z.infer<typeof Change>;

/** Rows as they are after a change, with what kinds a window has to read again. */
const patch = {
  /**
   * Every row whose cells, marks or findings changed, and perhaps others, as a window shows them; null above `PATCH_MAX`.
   * `findings` are null where a check of the row waits.
   */
  rows: z
    .array(z.strictObject({ kind: KindSchema, row: WindowRow, findings: z.array(FindingSchema).nullable() }))
    .nullable(),
  /** Kinds of which rows came or went, or show another name of their campaign. */
  reread: z.array(KindSchema),
};

/** The rows after an edit, for a window that shows them. */
export const RowsPatch = z.strictObject({ revision: z.int(), ...patch });
export type RowsPatch = z.infer<typeof RowsPatch>;

/** `touched` are the rows concerned, created ones first; of very many the first 10,000. */
const edited = RowsPatch.extend({ touched: z.array(RowRefSchema) });
/** `stay`: what is left as colleagues of the team changed it since, of so many changes of the step. */
const replayed = edited.extend({
  /** The name of the step. */
  label: z.string(),
  stay: z.strictObject({ cells: z.int(), of: z.int(), by: z.array(z.string()) }).optional(),
});
const editErrors = ['NO_ROW', 'BAD_VALUE'] as const;
const rows = z.array(RowRefSchema).min(1).max(200_000);

const HistoryStep = z.strictObject({
  id: z.int(),
  label: z.string(),
  at: z.int(),
  rows: z.int(),
  undone: z.boolean(),
  source: z.string(),
  /** Name of the system's user who did it; empty for a sync, and where nobody has noted it. */
  who: z.string(),
  /** The step before it, as a moment to go back to; 0 for the oldest. */
  previous: z.int(),
});
export type HistoryStep = z.infer<typeof HistoryStep>;

export const workspaceContract = {
  summary: operation({ runs: 'reader', priority: 'counts', output: WorkspaceSummary }),
  /** How many rows of each of these campaigns differ from the service, the campaign's own row included; campaigns without any are left out. */
  campaignChanges: operation({
    runs: 'reader',
    input: { ids: z.array(RowIdSchema).max(500) },
    output: z.strictObject({ campaigns: z.array(z.strictObject({ id: RowIdSchema, changes: z.int() })) }),
  }),
  /** With `window` its rows come along, so that a list is on screen after one question. */
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
  /** What a change of each of their fields would cost now; rows that are gone are left out. */
  impacts: operation({
    runs: 'reader',
    input: { kind: KindSchema, ids: z.array(RowIdSchema).max(WINDOW_MAX) },
    output: z.strictObject({
      rows: z.array(z.strictObject({ id: RowIdSchema, impacts: z.record(z.string(), Impact) })),
    }),
  }),
  /** What is said about these rows, in no order; rows that are gone are left out. */
  rowFindings: operation({
    runs: 'reader',
    priority: 'counts',
    input: { kind: KindSchema, ids: z.array(RowIdSchema).max(WINDOW_MAX) },
    output: z.strictObject({ findings: z.array(FindingSchema) }),
  }),
  /** Sets fields. All of the list or none of it is written; it is one undo step. */
  edit: operation({
    runs: 'writer',
    input: {
      label: StepLabel,
      changes: z
        .array(z.strictObject({ kind: KindSchema, id: RowIdSchema, field: z.string().max(60), value: CellSchema }))
        .min(1)
        .max(CHANGES_MAX),
    },
    output: edited,
    errors: editErrors,
  }),
  /** Creates rows, parents before children; `parent` is a row id or the position of an earlier entry of this list. */
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
        .max(10_000),
    },
    output: edited,
    errors: editErrors,
  }),
  remove: operation({ runs: 'writer', input: { rows }, output: edited, errors: editErrors }),
  /** Takes rows (or single fields of them) back to what the service last said. */
  revert: operation({
    runs: 'writer',
    input: { rows, field: z.string().max(60).nullable().default(null) },
    output: edited,
    errors: editErrors,
  }),
  /** Holds rows back from every sync, or releases them. */
  hold: operation({ runs: 'writer', input: { rows, held: z.boolean() }, output: edited, errors: editErrors }),
  undo: operation({ runs: 'writer', task: 'undo', output: replayed, errors: ['NOTHING_TO_DO'] }),
  redo: operation({ runs: 'writer', task: 'redo', output: replayed, errors: ['NOTHING_TO_DO'] }),
  /** Steps, newest first; `words` narrows them to those with each of them in their name or whose they are, `member` to those of a member of the team. */
  history: operation({
    runs: 'reader',
    input: { ...WindowSchema, words: z.string().max(200).default(''), member: z.int().nullable().default(null) },
    output: z.strictObject({
      total: z.int(),
      steps: z.array(HistoryStep),
    }),
  }),
  /**
   * Gravest first, campaign by campaign; with `rule` only what that rule finds. `total` is the length of the list, while
   * `counts` and `rules` are those of the account or the campaign, whatever the list is narrowed to.
   */
  findings: operation({
    input: {
      ...WindowSchema,
      campaignId: RowIdSchema.nullable().default(null),
      rule: z.string().max(100).nullable().default(null),
    },
    output: z.strictObject({
      total: z.int(),
      counts: Counts,
      /** Gravest first, in the order in which the rules are documented; the user's own last. */
      rules: z.array(z.strictObject({ rule: z.string(), severity: SeveritySchema, found: z.int(), fixable: z.int() })),
      findings: z.array(FindingSchema.extend({ label: z.string(), campaignName: z.string() })),
    }),
  }),
  /**
   * `words` narrows the list to rows that hold each of them in a text, their id, or the name of their campaign, `lane` to
   * changes that stand there; `lanes` counts rows with the words wherever they stand, `total` the lines.
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
