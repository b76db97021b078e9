import { z } from 'zod';
import { KindSchema, RowIdSchema } from './scalars.ts';

/** Longest text of a plan: one of a million elements has some 200 MB. */
export const PLAN_TEXT_MAX = 400_000_000;
/** Most lines of a difference that cross at once, and most characters of each. */
export const PLAN_CHANGES_MAX = 500;
export const PLAN_LINE_MAX = 2000;

/**
 * What differs between a plan that was saved and the plan that would be sent now: `-` for a line that only the saved one
 * has, `+` for one that only the new one has.
 */
export const PlanChanges = z.strictObject({
  lines: z.array(
    z.strictObject({
      sign: z.enum(['-', '+']),
      /** As it stands in its plan; shortened when it is very long. */
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
