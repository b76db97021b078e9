import { z } from 'zod';
import { DROP_REASONS, EFFECTS, SUGGESTION_KINDS } from '../suggestions/suggestion.ts';
import { BulkPreview, BulkScope, TaskIdSchema } from './bulk.ts';
import { ExportedFile } from './files.ts';
import { CHANGES_MAX, SUGGESTED_MAX } from './limits.ts';
import { operation } from './operation.ts';
import { CellSchema, RowIdSchema, WindowSchema } from './scalars.ts';
import { RowsPatch } from './workspace.ts';

/**
 * Target of bids: ROAS in hundredths, or a fixed spend in cents per day (null: the mean of the last 28 days, stored as
 * an amount when set).
 */
const GoalSchema = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('roas'), target: z.int().min(10).max(100_000) }),
  z.strictObject({ is: z.literal('hold'), perDay: z.int().min(1).nullable().default(null) }),
  z.strictObject({ is: z.literal('none') }),
]);

/** Scope of a goal or a plan: a campaign's own one comes before those of its labels, and these before the account's. */
const GoalScopeSchema = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('account') }),
  z.strictObject({ of: z.literal('label'), label: z.string().min(1).max(100) }),
  z.strictObject({ of: z.literal('campaign'), campaignId: RowIdSchema }),
]);
export const ScopedGoalSchema = z.strictObject({ scope: GoalScopeSchema, goal: GoalSchema });

/** Planned spend of a calendar month, in cents. */
export const MonthPlanSchema = z.strictObject({ scope: GoalScopeSchema, plan: z.int().min(1) });
export type MonthPlan = z.infer<typeof MonthPlanSchema>;

const Numbers = z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]));

export const ListedSuggestion = z.strictObject({
  /** Stable as long as the suggestion is about the same thing. */
  key: z.string(),
  kind: z.enum(SUGGESTION_KINDS),
  type: z.enum(['campaign', 'adGroup', 'adItem', 'keyword', 'platformMultiplier', 'placementMultiplier']),
  /** The row; null for the account, and for texts in several rows. */
  id: RowIdSchema.nullable(),
  campaignId: RowIdSchema.nullable(),
  campaign: z.string(),
  label: z.string(),
  /** The field that accepting changes; null for advice, and for a keyword that accepting adds. */
  field: z.string().nullable(),
  current: CellSchema,
  suggested: CellSchema,
  evidence: z.enum(['none', 'fair', 'firm']),
  /** The 80% interval of the suggested value. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** `not-possible` is an instruction for the retailer's console, and `advice` changes nothing. */
  effect: z.enum(EFFECTS),
  /** A few sentences. */
  reason: z.string(),
  /** The numbers behind it; amounts in currency units, for scripts. */
  numbers: Numbers,
});
export type ListedSuggestion = z.infer<typeof ListedSuggestion>;

const Kinds = z.array(z.enum(SUGGESTION_KINDS)).max(SUGGESTION_KINDS.length);
const Dropped = z.array(z.strictObject({ reason: z.enum(DROP_REASONS), count: z.int() }));
const keys = { keys: z.array(z.string().max(500)).min(1).max(CHANGES_MAX) };

const WhatIf = z.strictObject({
  rows: z.int(),
  /** Per week: today, and with the suggested bids. */
  spend: z.number(),
  newSpend: z.number(),
  sales: z.number(),
  newSales: z.number(),
  low: z.number(),
  high: z.number(),
});

const Pace = z.strictObject({
  scope: GoalScopeSchema,
  label: z.string(),
  plan: z.int(),
  spent: z.int(),
  /** Planned spend up to now, and the projected end of the month with its 80% interval. */
  due: z.number(),
  projected: z.number(),
  low: z.number(),
  high: z.number(),
  daysLeft: z.int(),
  /** Spend of a mean day that lands the plan. */
  wantedBudget: z.number(),
  dailyBudget: z.int().nullable(),
  suggested: z.int().nullable(),
  reason: z.string(),
});
export type PlanPace = z.infer<typeof Pace>;

const Accepted = RowsPatch.extend({ accepted: z.int(), dropped: Dropped });

/**
 * Suggestions from the metrics of an account, with their calculation. Nothing is changed or sent automatically.
 * Amounts are in cents, ROAS in hundredths, multipliers in hundredths of a percent.
 */
export const suggestionsContract = {
  /** A page of the list, with the excluded rows and why. `goal` replaces all stored goals for this call. */
  list: operation({
    input: {
      ...WindowSchema,
      kinds: Kinds.default([...SUGGESTION_KINDS]),
      campaignId: RowIdSchema.nullable().default(null),
      goal: GoalSchema.nullable().default(null),
    },
    output: z.strictObject({
      /** Changes when the result may change. */
      version: z.string(),
      total: z.int(),
      kinds: z.array(z.strictObject({ kind: z.enum(SUGGESTION_KINDS), count: z.int() })),
      suggestions: z.array(ListedSuggestion),
      dropped: Dropped,
      /** Combined effect of all suggested bids; null without any. */
      whatIf: WhatIf.nullable(),
      /** Whether any goal is set. */
      hasGoal: z.boolean(),
      /** The last day within the range that is stored only as a month; null without any. */
      reducedTo: z.string().nullable(),
    }),
  }),
  /** How a suggestion was computed, line by line, with its numbers; null for one that no longer applies. */
  explain: operation({
    input: { key: z.string().max(500) },
    output: z.strictObject({
      suggestion: ListedSuggestion.nullable(),
      steps: z.array(z.strictObject({ name: z.string(), formula: z.string(), result: z.string() })),
    }),
  }),
  /** Bids suggested for rows, for a column of the grid: each row with its suggestion, or why there is none. */
  ofRows: operation({
    input: { kind: z.enum(['adItem', 'keyword']), ids: z.array(RowIdSchema).max(SUGGESTED_MAX) },
    output: z.strictObject({
      version: z.string(),
      rows: z.array(
        z.strictObject({
          id: RowIdSchema,
          /** False without a target for the bid: "Set a target". */
          hasGoal: z.boolean(),
          suggestion: ListedSuggestion.nullable(),
        }),
      ),
    }),
  }),
  /**
   * Applies suggestions to the rows as one edit that can be undone. Those that are no edit or no longer apply are
   * skipped and counted; so are those that would change the week's spend by more than a fifth, unless `lifted`. `goal`
   * as in `list`.
   */
  accept: operation({
    access: 'write',
    input: { ...keys, lifted: z.boolean().default(false), goal: GoalSchema.nullable().default(null) },
    output: Accepted,
    errors: ['NO_ROW', 'BAD_VALUE'],
  }),
  /** Counts the bids that `acceptBids` would write for these rows. */
  countBids: operation({
    input: { scope: BulkScope },
    output: z.strictObject({
      rows: z.int(),
      bids: z.int(),
      average: BulkPreview.shape.average,
      effects: BulkPreview.shape.effects,
      /** False without a target for any of the rows. */
      hasGoal: z.boolean(),
    }),
    errors: ['NO_VIEW'],
  }),
  /**
   * Writes the suggested bids of these rows as one edit, up to `CHANGES_MAX`; otherwise like `accept`. Ends with
   * CANCELLED and changes nothing when the call's signal aborts or `tasks.cancel` names the task.
   */
  acceptBids: operation({
    access: 'write',
    task: 'change',
    input: { scope: BulkScope, taskId: TaskIdSchema },
    output: Accepted,
    errors: ['NO_VIEW', 'NO_ROW', 'BAD_VALUE', 'BAD_TOOL', 'CANCELLED'],
  }),
  /** Hides suggestions until their evidence has changed by a quarter, or for 30 days; `undo` lists them again. */
  dismiss: operation({
    announced: true,
    access: 'write',
    input: { ...keys, undo: z.boolean().default(false) },
    /** `forgotten`: the oldest dismissals beyond the limit, whose suggestions are listed again. */
    output: z.strictObject({ dismissed: z.int(), forgotten: z.int() }),
  }),
  /** Suggestions without a request of the service, to be done in the retailer's console. */
  csv: operation({ output: ExportedFile }),
  goals: operation({
    output: z.strictObject({ goals: z.array(ScopedGoalSchema), plans: z.array(MonthPlanSchema) }),
  }),
  /** Sets the goal or the month's plan of a scope; null removes it, absent leaves it unchanged. */
  setGoal: operation({
    announced: true,
    access: 'write',
    input: {
      scope: GoalScopeSchema,
      goal: GoalSchema.nullable().optional(),
      plan: z.int().min(1).nullable().optional(),
    },
    output: z.strictObject({}),
    errors: ['BAD_TOOL'],
  }),
  /** Projected end of the month's plans, if spend continues as in the last days. */
  pace: operation({
    output: z.strictObject({ today: z.string(), plans: z.array(Pace) }),
  }),
};
