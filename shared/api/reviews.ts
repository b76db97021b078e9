import { z } from 'zod';
import { CREATIVE_KINDS } from '../model/creative.ts';
import { operation } from './operation.ts';
import { NamedRow, RowIdSchema } from './scalars.ts';

export const Review = z.strictObject({
  campaignId: RowIdSchema,
  adGroupId: RowIdSchema,
  campaign: z.string(),
  reviewId: z.string(),
  status: z.string(),
  components: z.array(
    z.strictObject({
      type: z.string(),
      id: z.string(),
      /** The row by its name; the id where it has none. */
      label: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
    }),
  ),
});
export type Review = z.infer<typeof Review>;

const ofCampaigns = operation({
  access: 'send',
  input: { campaignIds: z.array(RowIdSchema).min(1).max(1000) },
  output: z.strictObject({ runId: z.string() }),
  errors: ['SYNC_RUNNING', 'CANCELLED', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE'],
});

export const reviewContract = {
  list: operation({ output: z.array(Review) }),
  /** Asks the service for the state of open reviews now instead of at the next poll. */
  poll: operation({
    access: 'ask',
    output: z.array(Review),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE'],
  }),
  submit: ofCampaigns,
  cancel: ofCampaigns,
};

/**
 * Edits of one campaign that no review under way covers.
 *
 *   review open ---- `locked`: nothing of them can be sent; they are kept for after this review
 *   review over ---- `free`:   they can be sent and reviewed again, together
 */
export const AfterReview = z.strictObject({
  campaignId: RowIdSchema,
  campaign: z.string(),
  state: z.enum(['locked', 'free']),
  /** What became of the review that is over: approved, rejected, cancelled; null while it is open. */
  outcome: z.string().nullable(),
  /** Rows with such an edit, held ones not counted, and the first few of them by name. */
  rows: z.int(),
  first: z.array(NamedRow),
  /** When the open review was asked for from here, in milliseconds since 1970; null when nobody here knows. */
  askedAt: z.int().nullable(),
  /** Days a review takes on this service, from and to. */
  days: z.strictObject({ min: z.int(), max: z.int() }),
});
export type AfterReview = z.infer<typeof AfterReview>;

export const afterReviewContract = {
  /** Campaigns with such edits, those whose review is over first. */
  list: operation({ output: z.array(AfterReview) }),
};

/** Most rejections one answer holds. */
export const REJECTIONS_MAX = 500;

const text = z.string().nullable();

/** Something a review rejected, with exactly what it saw. */
export const Rejection = z.strictObject({
  /** Counts up with every verdict of the account. */
  number: z.int(),
  kind: z.enum(CREATIVE_KINDS),
  id: RowIdSchema,
  remoteId: text,
  /** The profile is still in the account. */
  isThere: z.boolean(),
  campaignId: RowIdSchema,
  /** The campaign's name at that time. */
  campaign: z.string(),
  /** In the business zone, by the service's calendar. */
  day: z.string(),
  reason: text,
  creative: z.strictObject({
    kind: z.enum(CREATIVE_KINDS),
    brand: text,
    headline: text,
    clickUrl: text,
    sha256: text,
    /** Name of the logo or video here, if there is such a file. */
    fileName: text,
  }),
  /** What was otherwise when the profile was last approved; null when it never was. */
  changes: z
    .array(z.strictObject({ part: z.enum(['headline', 'brand', 'clickUrl', 'file']), before: text, after: text }))
    .nullable(),
});
export type Rejection = z.infer<typeof Rejection>;

export const rejectionsContract = {
  /** What reviews rejected in this account, newest first; with `words`, only what holds each of them. */
  list: operation({
    runs: 'reader',
    input: {
      from: z.int().min(0),
      count: z.int().min(0).max(REJECTIONS_MAX),
      words: z.string().max(200).default(''),
    },
    output: z.strictObject({ total: z.int(), rejections: z.array(Rejection) }),
  }),
};
