import { z } from 'zod';
import { ELEMENT_STATES } from './choices.ts';
import { RESPONSE_LOG_MAX_MB } from './limits.ts';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema, WindowSchema } from './scalars.ts';

/** A request that changed something at the service, or was meant to. Credentials travel in headers, which are not kept. */
export const SentRequest = z.strictObject({
  id: z.int(),
  /** Milliseconds since 1970. */
  sentAt: z.int(),
  method: z.string(),
  path: z.string(),
  kind: z.string(),
  verb: z.string(),
  /** Counts from 1; each attempt is a request of its own. */
  attempt: z.int(),
  campaign: z.string(),
  correlationId: z.string(),
  /** How many elements came to which state. */
  states: z.partialRecord(z.enum(ELEMENT_STATES), z.int()),
});
export type SentRequest = z.infer<typeof SentRequest>;

/** One request: its elements with their results, its body, and what was stored of its response. */
export const RequestDetail = z.strictObject({
  /** The exact text that was sent; what is over `BODY_SHOWN_MAX` characters is cut. */
  body: z.string(),
  bodyLength: z.int(),
  elements: z.array(
    z.strictObject({
      kind: KindSchema,
      id: RowIdSchema,
      label: z.string(),
      state: z.enum(ELEMENT_STATES),
      /** The id the service gave or has for it. */
      remoteId: z.string().nullable(),
      /** The service's own words, or why it is in doubt. */
      reason: z.string().nullable(),
    }),
  ),
  /** In the order in which they were written; `class` is the outcome of the request as a whole. */
  receipts: z.array(z.strictObject({ at: z.int(), class: z.string(), detail: z.string() })),
});
export type RequestDetail = z.infer<typeof RequestDetail>;

export const requestsContract = {
  /** Newest first; with `words`, those whose correlation id, path, kind or campaign holds each of them. */
  list: operation({
    runs: 'reader',
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), requests: z.array(SentRequest) }),
  }),
  /** Null for a request that was never sent. */
  get: operation({ runs: 'reader', input: { id: z.int() }, output: RequestDetail.nullable() }),
};

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
export const responsesContract = {
  /** Newest first; with a whole correlation id those under it, with other `words` those of the newest 20,000 whose path, status or id holds each. */
  list: operation({
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), answers: z.array(ResponseSummary) }),
  }),
  /** All answers under one correlation id, oldest first; empty when they were dropped or none came. */
  ofRequest: operation({
    input: { correlationId: z.string().min(1).max(100) },
    output: z.array(AnswerText),
  }),
  /** When all of a campaign was last read, and the newest answer to a read that named it; null for what is not there. */
  lastRead: operation({
    input: { campaignId: RowIdSchema },
    output: z.strictObject({ at: z.int().nullable(), answer: ResponseSummary.nullable() }),
  }),
  usage: operation({ output: ResponseLogInfo }),
  /** Keeps no more than this from now on; 0 keeps none. */
  setLimit: operation({
    announced: true,
    access: 'write',
    input: { boundMb: z.int().min(0).max(RESPONSE_LOG_MAX_MB) },
    output: ResponseLogInfo,
  }),
};
