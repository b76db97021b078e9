import { z } from 'zod';
import { ELEMENT_STATES } from './choices.ts';
import { RESPONSE_LOG_MAX_MB } from './limits.ts';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema, WindowSchema } from './scalars.ts';

/** A request that was to change something at the service. Credentials are only in headers, which are not stored. */
export const SentRequest = z.strictObject({
  id: z.int(),
  /** Milliseconds since 1970. */
  sentAt: z.int(),
  method: z.string(),
  path: z.string(),
  kind: z.string(),
  verb: z.string(),
  /** Counts from 1; each attempt is a separate request. */
  attempt: z.int(),
  campaign: z.string(),
  correlationId: z.string(),
  /** Number of elements by state. */
  states: z.partialRecord(z.enum(ELEMENT_STATES), z.int()),
});
export type SentRequest = z.infer<typeof SentRequest>;

/** One request: its elements with their results, its body, and what was stored of its response. */
export const RequestDetail = z.strictObject({
  /** The exact text that was sent, cut after `BODY_SHOWN_MAX` characters. */
  body: z.string(),
  bodyLength: z.int(),
  elements: z.array(
    z.strictObject({
      kind: KindSchema,
      id: RowIdSchema,
      label: z.string(),
      state: z.enum(ELEMENT_STATES),
      /** The service's ID for it. */
      remoteId: z.string().nullable(),
      /** The service's message, or why it is unconfirmed. */
      reason: z.string().nullable(),
    }),
  ),
  /** In the order in which they were written; `class` is the outcome of the request as a whole. */
  receipts: z.array(z.strictObject({ at: z.int(), class: z.string(), detail: z.string() })),
});
export type RequestDetail = z.infer<typeof RequestDetail>;

export const requestsContract = {
  /** Newest first; with `words`, those with each word in correlation ID, path, kind or campaign. */
  list: operation({
    runs: 'reader',
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), requests: z.array(SentRequest) }),
  }),
  /** Null for a request that was never sent. */
  get: operation({ runs: 'reader', input: { id: z.int() }, output: RequestDetail.nullable() }),
};

/** A response of the service, to a read or a write. */
export const ResponseSummary = z.strictObject({
  id: z.int(),
  /** Milliseconds since 1970. */
  at: z.int(),
  method: z.string(),
  /** Includes the query. */
  path: z.string(),
  status: z.int(),
  correlationId: z.string(),
  /** The service's id of the campaign that the request named; null where it named none. */
  campaignId: z.string().nullable(),
  /** Characters of its body; null without one: it was too long, or ended early. */
  length: z.int().nullable(),
});
export type ResponseSummary = z.infer<typeof ResponseSummary>;

/** A response with its body as received, cut after `BODY_SHOWN_MAX` characters. */
export const AnswerText = ResponseSummary.extend({ body: z.string().nullable() });
export type AnswerText = z.infer<typeof AnswerText>;

export const ResponseLogInfo = z.strictObject({
  answers: z.int(),
  bytes: z.int(),
  boundMb: z.int(),
  oldestAt: z.int().nullable(),
  /** Responses since the account was opened that could not be written. */
  lost: z.int(),
});
export type ResponseLogInfo = z.infer<typeof ResponseLogInfo>;

/** Responses are stored as received, without secrets, up to a limit; the oldest are dropped first. */
export const responsesContract = {
  /**
   * Newest first; for a full correlation ID its responses, for other `words` those of the newest 20,000 with each word
   * in path, status or ID.
   */
  list: operation({
    input: { ...WindowSchema, words: z.string().max(200).default('') },
    output: z.strictObject({ total: z.int(), answers: z.array(ResponseSummary) }),
  }),
  /** All responses under one correlation ID, oldest first; empty when they were dropped or none came. */
  ofRequest: operation({
    input: { correlationId: z.string().min(1).max(100) },
    output: z.array(AnswerText),
  }),
  /** When all of a campaign was last read, and the newest response to a read that named it; null for none. */
  lastRead: operation({
    input: { campaignId: RowIdSchema },
    output: z.strictObject({ at: z.int().nullable(), answer: ResponseSummary.nullable() }),
  }),
  usage: operation({ output: ResponseLogInfo }),
  /** Sets the limit from now on; 0 stores no responses. */
  setLimit: operation({
    announced: true,
    access: 'write',
    input: { boundMb: z.int().min(0).max(RESPONSE_LOG_MAX_MB) },
    output: ResponseLogInfo,
  }),
};
