import { z } from 'zod';
import { CREATIVE_KINDS } from '../model/creative.ts';
import { operation } from './operation.ts';
import { RowIdSchema } from './scalars.ts';

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
  rejections: operation({
    runs: 'reader',
    input: {
      from: z.int().min(0),
      count: z.int().min(0).max(REJECTIONS_MAX),
      words: z.string().max(200).default(''),
    },
    output: z.strictObject({ total: z.int(), rejections: z.array(Rejection) }),
  }),
};
