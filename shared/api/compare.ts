import { z } from 'zod';
import { COMPARED_KINDS } from '../model/kinds.ts';
import { operation } from './operation.ts';
import { CellSchema, GrantSchema, RowIdSchema, WindowSchema, WorkspaceIdSchema } from './scalars.ts';

const Kind = z.enum(COMPARED_KINDS);
const campaignId = RowIdSchema.nullable();

/** One side of a comparison; without a campaign, the whole account. */
export const CompareSide = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('now'), campaignId }),
  /** The service's last values. */
  z.strictObject({ is: z.literal('service'), campaignId }),
  /** Right after this step of the history; 0 for before the oldest. */
  z.strictObject({ is: z.literal('moment'), step: z.int().min(0), campaignId }),
  z.strictObject({ is: z.literal('account'), account: WorkspaceIdSchema, campaignId }),
  /** An archive or a share file, or the one campaign of this name in it. */
  z.strictObject({ is: z.literal('archive'), grant: GrantSchema, campaign: z.string().max(400).nullable() }),
  /** The rows and fields that a sync has sent; only these are compared. */
  z.strictObject({ is: z.literal('sync'), runId: z.string().min(1).max(64) }),
  /** Rows of a campaign that does not exist yet, as from a template; its own row first. */
  z.strictObject({
    is: z.literal('rows'),
    rows: z
      .array(z.strictObject({ kind: Kind, values: z.record(z.string().max(60), CellSchema) }))
      .min(1)
      .max(10_000),
  }),
]);
export type CompareSide = z.infer<typeof CompareSide>;

const What = z.enum(['field', 'left', 'right']);

export const ComparedDifference = z.strictObject({
  /** Its index in the whole comparison. */
  at: z.int(),
  kind: Kind,
  campaign: z.string(),
  label: z.string(),
  /** A field that differs, or a row that only one side has. */
  what: What,
  field: z.string().nullable(),
  left: CellSchema,
  right: CellSchema,
  leftId: RowIdSchema.nullable(),
  campaignId: RowIdSchema.nullable(),
  /** It can be copied to the left side. */
  canUse: z.boolean(),
});
export type ComparedDifference = z.infer<typeof ComparedDifference>;

const comparisonId = z.int();

/** An open comparison: how many differences there are, by what they are and by kind of row. */
export const OpenedComparison = z.strictObject({
  comparisonId,
  total: z.int(),
  same: z.int(),
  counts: z.record(What, z.int()),
  kinds: z.array(z.strictObject({ kind: Kind, differences: z.int() })),
});
export type OpenedComparison = z.infer<typeof OpenedComparison>;

export const compareContract = {
  /** Compares two sides. The differences are stored for a while and read with `page`. */
  open: operation({
    input: { left: CompareSide, right: CompareSide },
    output: OpenedComparison,
    errors: ['NO_ROW', 'NO_MOMENT', 'NO_GRANT', 'BAD_FILE', 'NO_SYNC'],
  }),
  page: operation({
    input: {
      comparisonId,
      kind: Kind.nullable().default(null),
      what: What.nullable().default(null),
      words: z.string().max(200).default(''),
      ...WindowSchema,
    },
    output: z.strictObject({ total: z.int(), differences: z.array(ComparedDifference) }),
    errors: ['NO_VIEW'],
  }),
  /** Copies values of the right side to the rows of this account, as one step: all possible ones, or these indexes. */
  use: operation({
    access: 'write',
    input: { comparisonId, places: z.array(z.int().min(0)).max(10_000).nullable() },
    output: z.strictObject({ revision: z.int(), changed: z.int(), created: z.int(), deleted: z.int() }),
    errors: ['NO_VIEW', 'NO_ROW', 'BAD_VALUE', 'NOTHING_TO_DO'],
  }),
};
