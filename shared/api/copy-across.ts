import { z } from 'zod';
import { BulkDone, BulkPreview, BulkScope, LabelSchema } from './bulk.ts';
import { operation } from './operation.ts';
import { KindSchema, RowRefSchema, WorkspaceIdSchema } from './scalars.ts';

/** Most rows that go to another workspace at once, those that hang from the rows of the scope included. */
export const COPY_ROWS_MAX = 100_000;

/** What a copy into another workspace would bring there. */
export const CopyAcrossPreview = z.strictObject({
  /** Rows that would be created, with what hangs from them. */
  created: z.int(),
  byKind: z.array(z.strictObject({ kind: KindSchema, rows: z.int() })),
  refused: BulkPreview.shape.refused,
  /** What the copies leave behind, by field (`remoteId`, `reviewStatus`, ...), with the number of rows that had it. */
  dropped: BulkPreview.shape.dropped,
  /** Logos, videos and captions that the other library does not have yet. */
  media: z.strictObject({ files: z.int(), bytes: z.int() }),
});
export type CopyAcrossPreview = z.infer<typeof CopyAcrossPreview>;

export const CopyAcrossDone = z.strictObject({
  /** Of the workspace that was copied into. */
  revision: z.int(),
  created: z.int(),
  refused: BulkDone.shape.refused,
  /** The new rows themselves, without what hangs from them; the first 500. */
  roots: z.array(RowRefSchema),
  /** Files that came into the other library. */
  media: z.int(),
});
export type CopyAcrossDone = z.infer<typeof CopyAcrossDone>;

const across = {
  scope: BulkScope,
  /** The workspace that receives the copies; any other than `workspaceId`. */
  target: WorkspaceIdSchema,
  /** The row of the other workspace below which they go; null for campaigns. */
  to: RowRefSchema.nullable().default(null),
};
const errors = ['NO_VIEW', 'NO_ROW', 'BAD_TOOL', 'BAD_FILE'] as const;

export const copyAcrossContract = {
  preview: operation({ runs: 'main', input: across, output: CopyAcrossPreview, errors }),
  /**
   * Makes new drafts of rows, with all that hangs from them, in another workspace, as one step of its history that can
   * be undone. Files come along into its library. Names that are taken there get another; item ids that its searches
   * have not confirmed stay unconfirmed until `items.confirm` is asked there.
   */
  apply: operation({
    runs: 'main',
    task: 'copy',
    input: { ...across, label: LabelSchema },
    output: CopyAcrossDone,
    errors,
  }),
};
