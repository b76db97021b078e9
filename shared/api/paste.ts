import { z } from 'zod';
import { BulkDone, JobIdSchema, LabelSchema, PREVIEW_MAX } from './bulk.ts';
import { operation } from './operation.ts';
import { CellSchema, KindSchema, RowIdSchema, RowRefSchema } from './scalars.ts';

/** A table from the clipboard: rows of texts, with or without a header. */
const PastedTable = z.strictObject({
  /** What its rows are, unless a column says so. */
  kind: KindSchema.exclude(['media']),
  /** Where rows go that name no parent: a campaign or an ad group; null for campaigns. */
  parent: RowRefSchema.nullable().default(null),
  table: z
    .array(z.array(z.string().max(50_000)).max(60))
    .min(1)
    .max(50_000),
  /** The sheet's column for each column of the table, null to pass it over; absent to match them here. */
  columns: z.array(z.string().max(60).nullable()).max(60).optional(),
  /** Whether the first row is a header; absent to find out. */
  header: z.boolean().optional(),
  decimals: z.enum(['point', 'comma']).optional(),
  /** Cells for rows whose own is blank or missing, by column: `{ "Match type": "broad" }`. */
  defaults: z.record(z.string().max(60), z.string().max(1000)).optional(),
});
export type PastedTable = z.infer<typeof PastedTable>;

export const PastePreview = z.strictObject({
  revision: z.int(),
  hasHeader: z.boolean(),
  /** How each column was understood; the user may send others in `columns`. */
  columns: z.array(
    z.strictObject({
      text: z.string(),
      column: z.string().nullable(),
      by: z.enum(['given', 'header', 'content', 'none']),
    }),
  ),
  /** Columns that this kind of row may have, for the choice in the heading. */
  choices: z.array(z.string()),
  add: z.int(),
  update: z.int(),
  unchanged: z.int(),
  error: z.int(),
  /** Numbers such as 1,50 are in the table: ask how decimals are written and send `decimals`. */
  needsDecimals: z.boolean(),
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
  /** What a pasted table would add and update, row by row; shows rows `from` to `from + count`. */
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
      label: LabelSchema,
      jobId: JobIdSchema,
    },
    output: BulkDone,
    errors: ['NO_ROW', 'BAD_VALUE', 'BAD_TOOL', 'CANCELLED'],
  }),
};
