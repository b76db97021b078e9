import { z } from 'zod';
import { operation } from './operation.ts';
import { RowIdSchema, WindowSchema } from './scalars.ts';

/** An answer of the service, to a read or to what was sent. */
export const ResponseSummary = z.strictObject({
  id: z.int(),
  /** Milliseconds since 1970. */
  at: z.int(),
  method: z.string(),
  /** With its query. */
  path: z.string(),
  status: z.int(),
  correlationId: z.string(),
  /** The service's id of the campaign that the request named; null where it named none. */
  campaignId: z.string().nullable(),
  /** Characters of its body; null where none was read: it was too long, or ended early. */
  length: z.int().nullable(),
});
export type ResponseSummary = z.infer<typeof ResponseSummary>;

/** An answer with its body as it was received; what is over `BODY_SHOWN_MAX` characters is cut. */
export const AnswerText = ResponseSummary.extend({ body: z.string().nullable() });
export type AnswerText = z.infer<typeof AnswerText>;

/** The most that can be kept, in megabytes (2^20 bytes). */
export const RESPONSE_LOG_MAX_MB = 4096;

export const ResponseLogInfo = z.strictObject({
  answers: z.int(),
  bytes: z.int(),
  boundMb: z.int(),
  oldestAt: z.int().nullable(),
  /** Answers since the account was opened that could not be written. */
  lost: z.int(),
});
export type ResponseLogInfo = z.infer<typeof ResponseLogInfo>;

/** Answers are kept as they were received, without secrets, up to a bound; the oldest are dropped first. */
export const answersContract = {
  /** Newest first; with a whole correlation id those under it, with other `words` those of the newest 20,000 whose path, status or id holds each. */
  list: operation({
    runs: 'main',
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), answers: z.array(ResponseSummary) }),
  }),
  /** All answers under one correlation id, oldest first; empty when they were dropped or none came. */
  of: operation({ runs: 'main', input: { correlationId: z.string().min(1).max(100) }, output: z.array(AnswerText) }),
  /** When all of a campaign was last read, and the newest answer to a read that named it; null for what is not there. */
  lastRead: operation({
    runs: 'main',
    input: { campaignId: RowIdSchema },
    output: z.strictObject({ at: z.int().nullable(), answer: ResponseSummary.nullable() }),
  }),
  kept: operation({ runs: 'main', output: ResponseLogInfo }),
  /** Keeps no more than this from now on; 0 keeps none. */
  keep: operation({
    runs: 'main',
    access: 'write',
    input: { boundMb: z.int().min(0).max(RESPONSE_LOG_MAX_MB) },
    output: ResponseLogInfo,
  }),
};
