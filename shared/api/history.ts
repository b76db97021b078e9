import { z } from 'zod';
import { COMPARED_KINDS } from '../model/kinds.ts';
import { operation } from './operation.ts';
import { CellSchema, KindSchema, RowIdSchema, RowRefSchema, StepLabel, WindowSchema } from './scalars.ts';

const head = {
  kind: KindSchema,
  id: RowIdSchema,
  /** What a person would call the row, as it is now or was when it left. */
  label: z.string(),
  campaignId: RowIdSchema.nullable(),
  campaignName: z.string(),
};

/** One line of the log: who did what to which field, when, and what it held before and after. */
export const LogEntry = z.strictObject({
  stepId: z.int(),
  /** Name of the step and where it came from: `user`, `import`, `media`, `sync`, `suggestion`. */
  step: z.string(),
  source: z.string(),
  /** Who did it: the member of the team, or else the system's user; empty for a sync, and where nobody has noted it. */
  who: z.string(),
  /** Which member of the team shared it, from which computer; absent while it is not shared, and without a team. */
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
  /** Rows of a kind as they were at a moment, read-only; cells follow `fieldNames(kind)`. */
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
  /** Brings back what was there at a moment, as one new step: it can be undone, and goes to the service like any edit. */
  restore: operation({
    runs: 'writer',
    /** `to`: the moment right after the step with this id; 0 for before the oldest step that is kept. */
    input: { to: z.int().min(0), scope: RestoreScope, label: StepLabel },
    output: z.strictObject({ revision: z.int(), cells: z.int(), created: z.int(), removed: z.int() }),
    errors: ['NO_MOMENT', 'NO_ROW'],
  }),
};
