import { z } from 'zod';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema } from './scalars.ts';

/**
 * Edits of one campaign that no review under way covers.
 *
 *   review open ---- `locked`: nothing of them can be sent; they are kept for after this review
 *   review over ---- `free`:   they can be sent and reviewed anew, together
 */
export const AfterReview = z.strictObject({
  campaignId: RowIdSchema,
  campaign: z.string(),
  state: z.enum(['locked', 'free']),
  /** What became of the review that is over: approved, rejected, cancelled; null while it is open. */
  outcome: z.string().nullable(),
  /** Rows with such an edit, held ones not counted, and the first few of them by name. */
  rows: z.int(),
  first: z.array(z.strictObject({ kind: KindSchema, id: RowIdSchema, label: z.string() })),
  /** When the open review was asked for from here, in milliseconds since 1970; null when nobody here knows. */
  askedAt: z.int().nullable(),
  /** Days a review takes on this service, from and to. */
  days: z.strictObject({ min: z.int(), max: z.int() }),
});
export type AfterReview = z.infer<typeof AfterReview>;

export const afterReviewContract = {
  /** Campaigns with such edits, those whose review is over first. */
  list: operation({ runs: 'main', output: z.array(AfterReview) }),
};
