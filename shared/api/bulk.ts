import { z } from 'zod';
import { REFUSED_CELLS } from '../bulk/bulk-change.ts';
import { DATE_ORDERS } from '../model/plain-date.ts';
import { SPREAD_MAX } from './limits.ts';
import { operation } from './operation.ts';
import {
  CellSchema,
  KindSchema,
  RowIdSchema,
  RowRefSchema,
  rowsByKind,
  StepLabel,
  WorkspaceIdSchema,
} from './scalars.ts';
import { Impact } from './workspace.ts';

/** Most examples a preview shows at once. */
const PREVIEW_MAX = 500;

const field = z.string().min(1).max(60);
const amount = z.int().min(0);

/**
 * The rows that a tool works on, in the order given here. A view is named by its number, so "all 100,000 filtered
 * rows" costs as little as one.
 */
export const BulkScope = z.union([
  /** Rows of an open view: all of it, or ranges of positions in it. */
  z.strictObject({
    viewId: z.int(),
    ranges: z
      .array(z.strictObject({ from: z.int().min(0), count: z.int().min(1) }))
      .min(1)
      .max(10_000)
      .nullable()
      .default(null),
  }),
  z.strictObject({
    rows: rowsByKind(200_000),
  }),
]);
export type BulkScope = z.infer<typeof BulkScope>;

/** The change of each row. Every tool is one named step of the history. */
export const BulkTool = z.discriminatedUnion('tool', [
  /** The same value in one or several fields (multi-row edit, fill with a value, Ctrl-Enter). */
  z.strictObject({ tool: z.literal('set'), values: z.record(field, CellSchema) }),
  z.strictObject({
    tool: z.literal('replace'),
    field,
    find: z.string().min(1).max(1000),
    /** May contain the tokens of `append`. */
    replace: z.string().max(1000),
    matchCase: z.boolean().default(false),
    wholeCell: z.boolean().default(false),
    /** `find` is a pattern, and `$1` in `replace` stands for its first group. */
    isPattern: z.boolean().optional(),
  }),
  /** Adds text; `[keyword]`, `[item]`, `[brand]` are replaced from the row, `[campaign]` by its campaign's name. */
  z.strictObject({
    tool: z.literal('append'),
    field,
    before: z.string().max(1000).default(''),
    after: z.string().max(1000).default(''),
  }),
  z.strictObject({ tool: z.literal('case'), field, to: z.enum(['lower', 'upper', 'title', 'sentence']) }),
  /** Bid maths: `+10%`, `*1.2`, `-0.05`, `1.50`; then rounded to a multiple of cents, then limited to the bounds. */
  z.strictObject({
    tool: z.literal('amount'),
    field,
    expression: z.string().min(1).max(100),
    min: amount.nullable().default(null),
    max: amount.nullable().default(null),
    roundTo: amount.default(0),
    /** Direction of rounding to a multiple of `roundTo`; nearest by default. */
    rounding: z.enum(['nearest', 'down', 'up']).optional(),
  }),
  /** The first row's values in all that follow it. */
  z.strictObject({ tool: z.literal('fill-down'), fields: z.array(field).min(1).max(40) }),
  /** New drafts beside the originals, with all rows below them. */
  z.strictObject({ tool: z.literal('duplicate') }),
  /** New drafts below another row; `to` is null for campaigns, which belong to the account. */
  z.strictObject({ tool: z.literal('copy'), to: RowRefSchema.nullable() }),
  /** A copy, and the original deleted: the service has no call to move rows. */
  z.strictObject({ tool: z.literal('move'), to: RowRefSchema }),
  z.strictObject({ tool: z.literal('delete') }),
  z.strictObject({ tool: z.literal('hold'), held: z.boolean() }),
  /** Reverts to the service's last values: all fields, or one. */
  z.strictObject({ tool: z.literal('revert'), field: field.nullable().default(null) }),
]);
export type BulkTool = z.infer<typeof BulkTool>;

/** Why a row in the scope is skipped. */
export const RefusalReason = z.enum([...REFUSED_CELLS, 'gone', 'wrong-parent']);
export type RefusalReason = z.infer<typeof RefusalReason>;

const Refusals = z.array(z.strictObject({ why: RefusalReason, rows: z.int() }));

/** One cell before and after, with the label of its row. */
export const BulkPair = z.strictObject({
  kind: KindSchema,
  id: RowIdSchema,
  campaignId: RowIdSchema.nullable(),
  campaignName: z.string(),
  label: z.string(),
  /** Null when the row as a whole is created, deleted or held. */
  field: field.nullable(),
  before: CellSchema,
  value: CellSchema,
  /** Growth of an amount, in cents or hundredths; null for other fields and blank cells. */
  by: z.int().nullable(),
});
export type BulkPair = z.infer<typeof BulkPair>;

export const BulkPreview = z.strictObject({
  revision: z.int(),
  /** Rows the tool was pointed at. */
  rows: z.int(),
  /** Effect of the tool: cells changed; rows created, with all rows below them; rows removed or marked. */
  cells: z.int(),
  created: z.int(),
  removed: z.int(),
  refused: Refusals,
  /** Means of the cells that change from one amount to another, in cents or hundredths; null without any. */
  average: z.strictObject({ before: z.int(), value: z.int() }).nullable(),
  /** How the changed cells would take effect. */
  effects: z.array(z.strictObject({ cost: Impact.shape.cost, rows: z.int() })),
  /** The first pairs of old and new, and the first skipped rows. */
  pairs: z.array(BulkPair),
  refusals: z.array(BulkPair.pick({ kind: true, id: true, label: true }).extend({ why: RefusalReason })),
  /** Fields that copies do not have (`remoteId`, `reviewStatus`, ...), with the number of rows that had them. */
  dropped: z.array(z.strictObject({ field, rows: z.int() })),
});
export type BulkPreview = z.infer<typeof BulkPreview>;

export const BulkDone = z.strictObject({
  revision: z.int(),
  cells: z.int(),
  created: z.int(),
  removed: z.int(),
  refused: Refusals,
  /** The new rows, without the rows below them; the first 500. */
  roots: z.array(RowRefSchema),
});
export type BulkDone = z.infer<typeof BulkDone>;

/** Set by the caller, so that progress and canceling can name a task before its result arrives. */
export const TaskIdSchema = z.string().min(1).max(64);
const bulkErrors = ['NO_VIEW', 'NO_ROW', 'BAD_TOOL'] as const;

/** Null for the first campaigns that have more keywords than their ad groups can have. */
const spreadOf = { campaignIds: z.array(RowIdSchema).min(1).max(SPREAD_MAX).nullable() };

export const bulkContract = {
  /** What `spreadKeywords` would do. */
  previewSpread: operation({
    task: 'prepare',
    input: spreadOf,
    output: z.strictObject({
      /** New campaigns, each with the daily budget of the one beside it, and the sum of these budgets in cents. */
      campaigns: z.int(),
      dailyBudget: z.int(),
      moved: z.int(),
      /** Full campaigns beyond `SPREAD_MAX`, which stay as they are. */
      left: z.int(),
    }),
    errors: ['NO_ROW', 'NOTHING_TO_DO', 'CANCELLED'],
  }),
  /**
   * Creates a second campaign like each of these with half of its keywords, or as many campaigns as it takes to stay
   * within the limit, as one step: of the keywords that move, drafts are removed and those on the service paused.
   * Nothing is sent.
   */
  spreadKeywords: operation({
    access: 'write',
    task: 'change',
    input: spreadOf,
    /** `campaignId` is the first of the new campaigns. Number and budgets are as in `previewSpread`. */
    output: z.strictObject({
      revision: z.int(),
      campaignId: RowIdSchema,
      campaigns: z.int(),
      dailyBudget: z.int(),
      moved: z.int(),
      paused: z.int(),
      /** As above. */
      left: z.int(),
    }),
    errors: ['NO_ROW', 'BAD_VALUE', 'NOTHING_TO_DO'],
  }),
  /**
   * Previews the tool: counts over all rows and the first `count` pairs. Ends with CANCELLED when the call's signal
   * aborts.
   */
  preview: operation({
    runs: 'reader',
    input: {
      scope: BulkScope,
      tool: BulkTool,
      count: z.int().min(0).max(PREVIEW_MAX).default(100),
    },
    output: BulkPreview,
    errors: [...bulkErrors, 'CANCELLED'],
  }),
  /**
   * Applies the tool as one step of the history. Ends with CANCELLED and changes nothing when the call's signal aborts
   * or `tasks.cancel` names the task. `task.progress` reports progress.
   */
  apply: operation({
    task: 'change',
    input: { scope: BulkScope, tool: BulkTool, label: StepLabel, taskId: TaskIdSchema },
    output: BulkDone,
    errors: [...bulkErrors, 'BAD_VALUE', 'CANCELLED'],
  }),
};

/** Most rows copied to another workspace at once, rows below those of the scope included. */
export const COPY_ROWS_MAX = 100_000;

/** Preview of a copy into another workspace. */
export const CopyAcrossPreview = z.strictObject({
  /** Rows that would be created, with all rows below them. */
  created: z.int(),
  byKind: z.array(z.strictObject({ kind: KindSchema, rows: z.int() })),
  refused: BulkPreview.shape.refused,
  /** Fields that copies do not have (`remoteId`, `reviewStatus`, ...), with the number of rows that had them. */
  dropped: BulkPreview.shape.dropped,
  /** Logos, videos and captions that the other library does not have. */
  media: z.strictObject({ files: z.int(), bytes: z.int() }),
});
export type CopyAcrossPreview = z.infer<typeof CopyAcrossPreview>;

export const CopyAcrossDone = z.strictObject({
  /** Revision of the target workspace. */
  revision: z.int(),
  created: z.int(),
  refused: BulkDone.shape.refused,
  /** The new rows, without the rows below them; the first 500. */
  roots: z.array(RowRefSchema),
  /** Number of files added to the other library. */
  media: z.int(),
});
export type CopyAcrossDone = z.infer<typeof CopyAcrossDone>;

const across = {
  scope: BulkScope,
  /** The workspace that receives the copies; any other than `workspaceId`. */
  target: WorkspaceIdSchema,
  /** Parent of the copies in the other workspace; null for campaigns. */
  to: RowRefSchema.nullable().default(null),
};
const errors = ['NO_VIEW', 'NO_ROW', 'BAD_TOOL', 'BAD_FILE'] as const;

export const copyToAccountContract = {
  preview: operation({ input: across, output: CopyAcrossPreview, errors }),
  /**
   * Copies rows as new drafts, with all rows below them, into another workspace, as one step of its history that can
   * be undone. Files are copied into its library. Names that exist there are changed; item IDs that its searches have
   * not confirmed stay unconfirmed until `items.confirm` is called there.
   */
  apply: operation({
    task: 'copy',
    input: { ...across, label: StepLabel },
    output: CopyAcrossDone,
    errors,
  }),
};

/** A table from the clipboard: rows of texts, with or without a header. */
const PastedTable = z.strictObject({
  /** Row type of the table, unless a column has it. */
  kind: KindSchema.exclude(['media']),
  /** Parent of rows that name none: a campaign or an ad group; null for campaigns. */
  parent: RowRefSchema.nullable().default(null),
  table: z
    .array(z.array(z.string().max(50_000)).max(60))
    .min(1)
    .max(50_000),
  /** The spreadsheet column for each column of the table, null to skip it; absent to match them here. */
  columns: z.array(z.string().max(60).nullable()).max(60).optional(),
  /** Whether the first row is a header; absent to detect it. */
  header: z.boolean().optional(),
  decimals: z.enum(['point', 'comma']).optional(),
  dates: z.enum(DATE_ORDERS).optional(),
  /** Default values for blank or missing cells, by column: `{ "Match type": "broad" }`. */
  defaults: z.record(z.string().max(60), z.string().max(1000)).optional(),
});
export type PastedTable = z.infer<typeof PastedTable>;

export const PastePreview = z.strictObject({
  revision: z.int(),
  hasHeader: z.boolean(),
  /** How each column was interpreted; the user may set others in `columns`. */
  columns: z.array(
    z.strictObject({
      text: z.string(),
      column: z.string().nullable(),
      by: z.enum(['given', 'header', 'content', 'none']),
    }),
  ),
  /** Columns available for this row type, for the selection in the heading. */
  choices: z.array(z.string()),
  add: z.int(),
  update: z.int(),
  unchanged: z.int(),
  error: z.int(),
  /** The table has numbers such as 1,50: ask for the decimal separator and send `decimals`. */
  needsDecimals: z.boolean(),
  /** The table has dates such as 4/5/2026, or in different orders: ask for the order and send `dates`. */
  needsDates: z.boolean(),
  rows: z.array(
    z.strictObject({
      /** Position in the table, the header included. */
      at: z.int(),
      outcome: z.enum(['add', 'update', 'unchanged', 'error']),
      kind: KindSchema,
      id: RowIdSchema.nullable(),
      label: z.string(),
      cells: z.array(z.strictObject({ field: z.string(), before: CellSchema, value: CellSchema })),
      problems: z.array(z.strictObject({ column: z.string(), message: z.string() })),
    }),
  ),
});
export type PastePreview = z.infer<typeof PastePreview>;

export const pasteContract = {
  /** Previews the rows that a pasted table would add and update; returns rows `from` to `from + count`. */
  preview: operation({
    runs: 'reader',
    input: {
      paste: PastedTable,
      from: z.int().min(0).default(0),
      count: z.int().min(0).max(PREVIEW_MAX).default(100),
    },
    output: PastePreview,
    errors: ['NO_ROW'],
  }),
  /** Applies the rows that are without error and not in `skip` (positions in the table), as one step. */
  apply: operation({
    runs: 'writer',
    task: 'change',
    input: {
      paste: PastedTable,
      skip: z.array(z.int().min(0)).max(50_000).default([]),
      label: StepLabel,
      taskId: TaskIdSchema,
    },
    output: BulkDone,
    errors: ['NO_ROW', 'BAD_VALUE', 'BAD_TOOL', 'CANCELLED'],
  }),
};
