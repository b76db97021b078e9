import { z } from 'zod';
import { CREATIVE_KINDS } from '../model/creative.ts';
import { SYNC_SELECTION_MAX } from '../plan/sync-selection.ts';
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
  input: { campaignIds: z.array(RowIdSchema).min(1).max(SYNC_SELECTION_MAX) },
  output: z.strictObject({ runId: z.string() }),
  errors: ['SYNC_RUNNING', 'CANCELLED', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE'],
});

export const reviewContract = {
  list: operation({ output: z.array(Review) }),
  /** Polls the state of open reviews now. */
  poll: operation({
    access: 'ask',
    output: z.array(Review),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS', 'COLLEAGUE_SYNCS', 'TEAM_OFFLINE'],
  }),
  submit: ofCampaigns,
  cancel: ofCampaigns,
};

/**
 * Edits of one campaign that no open review covers.
 *
 *   review open ---- `locked`: none of them can be sent; they wait for the end of this review
 *   review over ---- `free`:   they can be sent and reviewed again, together, except those that an error blocks
 */
export const AfterReview = z.strictObject({
  campaignId: RowIdSchema,
  campaign: z.string(),
  state: z.enum(['locked', 'free']),
  /** Outcome of a review that is over: approved, rejected, cancelled; null while it is open. */
  outcome: z.string().nullable(),
  /** Number of rows with such an edit, without held ones, and the labels of the first few, blocked ones last. */
  rows: z.int(),
  first: z.array(NamedRow),
  /** How many of these rows have an error, and are not sent before it is fixed; 0 while the review is open. */
  blocked: z.int(),
  /** When the open review was submitted from here, in milliseconds since 1970; null if unknown. */
  askedAt: z.int().nullable(),
  /** Duration of a review on this service in days, minimum and maximum. */
  days: z.strictObject({ min: z.int(), max: z.int() }),
});
export type AfterReview = z.infer<typeof AfterReview>;

export const afterReviewContract = {
  /** Campaigns with such edits, those whose review is over first. */
  list: operation({ output: z.array(AfterReview) }),
};

/** Most rejections in one result. */
export const REJECTIONS_MAX = 500;

const text = z.string().nullable();

/** A rejection, with exactly the content that was reviewed. */
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
  /** Date in the business time zone. */
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
  /** Differences to the profile when it was last approved; null if it never was. */
  changes: z
    .array(z.strictObject({ part: z.enum(['headline', 'brand', 'clickUrl', 'file']), before: text, after: text }))
    .nullable(),
});
export type Rejection = z.infer<typeof Rejection>;

export const rejectionsContract = {
  /** Rejections by reviews in this account, newest first; with `words`, only those with each word. */
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
