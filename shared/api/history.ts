import { z } from 'zod';
import { COMPARED_KINDS } from '../model/kinds.ts';
import { operation } from './operation.ts';
import { CellSchema, KindSchema, RowIdSchema, RowRefSchema, StepLabel, WindowSchema } from './scalars.ts';

const head = {
  kind: KindSchema,
  id: RowIdSchema,
  /** Label of the row, as it is now or was when it was removed. */
  label: z.string(),
  campaignId: RowIdSchema.nullable(),
  campaignName: z.string(),
};

/** One line of the log: who changed which field, when, and the values before and after. */
export const LogEntry = z.strictObject({
  stepId: z.int(),
  /** Name of the step and its source: `user`, `import`, `media`, `sync`, `suggestion`. */
  step: z.string(),
  source: z.string(),
  /** Author: the member of the team, or else the system's user; empty for a sync, and where none was recorded. */
  who: z.string(),
  /** The member of the team who shared it, and the computer; absent if not shared, and without a team. */
  member: z.int().optional(),
  desk: z.int().optional(),
  at: z.int(),
  undone: z.boolean(),
  /** Why, where a suggestion was accepted. */
  reason: z.string().optional(),
  ...head,
  what: z.enum(['field', 'made', 'removed', 'deleted', 'held']),
  field: z.string().nullable(),
  /** For `deleted` and `held`: 1 for set, 0 for not. */
  before: CellSchema,
  after: CellSchema,
});
export type LogEntry = z.infer<typeof LogEntry>;

/** What to restore: one field, a row, a campaign with all its rows, or everything. */
export const RestoreScope = z.union([
  z.strictObject({ ref: RowRefSchema, field: z.string().max(60).nullable() }),
  z.strictObject({ campaignId: RowIdSchema }),
  z.strictObject({ all: z.literal(true) }),
]);
export type RestoreScope = z.infer<typeof RestoreScope>;

export const historyContract = {
  /** Newest first: of everything, of one step, of one row, of one campaign, or of one member of the team. */
  log: operation({
    runs: 'reader',
    input: {
      ...WindowSchema,
      stepId: z.int().nullable().default(null),
      ref: RowRefSchema.nullable().default(null),
      campaignId: RowIdSchema.nullable().default(null),
      member: z.int().nullable().default(null),
    },
    output: z.strictObject({ total: z.int(), entries: z.array(LogEntry) }),
  }),
  /** Rows of a kind at a past step, read-only; cells follow `fieldNames(kind)`. */
  rowsAt: operation({
    runs: 'reader',
    input: {
      ...WindowSchema,
      step: z.int().min(0),
      kind: z.enum(COMPARED_KINDS),
      campaignId: RowIdSchema.nullable().default(null),
    },
    output: z.strictObject({
      total: z.int(),
      rows: z.array(z.strictObject({ id: RowIdSchema, label: z.string(), cells: z.array(CellSchema) })),
    }),
    errors: ['NO_MOMENT'],
  }),
  /** Restores a past state, as one new step: it can be undone, and is sent to the service like any edit. */
  restore: operation({
    runs: 'writer',
    /** `to`: the state right after the step with this ID; 0 for before the oldest stored step. */
    input: { to: z.int().min(0), scope: RestoreScope, label: StepLabel },
    output: z.strictObject({ revision: z.int(), cells: z.int(), created: z.int(), removed: z.int() }),
    errors: ['NO_MOMENT', 'NO_ROW'],
  }),
};
