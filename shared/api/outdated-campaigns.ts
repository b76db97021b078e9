import { z } from 'zod';

/** After how long what was read counts as old, in hours; 0 for everything. */
export const OutdatedAfter = z.int().min(0).max(8760);

export const outdatedInput = { hours: OutdatedAfter };

/** How many campaigns the service may have something else of by now, and why; one may be counted under several reasons. */
export const OutdatedSummary = z.strictObject({
  campaigns: z.int(),
  /** Campaigns that a refresh of everything reads. */
  all: z.int(),
  why: z.strictObject({
    /** Not read for so long, or never. */
    old: z.int(),
    /** With changes that are not sent. */
    touched: z.int(),
    inReview: z.int(),
    /** With a video that the service still works on. */
    processing: z.int(),
    /** With the label "Keep fresh". */
    keptFresh: z.int(),
  }),
});
export type OutdatedSummary = z.infer<typeof OutdatedSummary>;
