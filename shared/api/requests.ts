import { z } from 'zod';
import { operation } from './operation.ts';
import { KindSchema, RowIdSchema, WindowSchema } from './scalars.ts';
import { ELEMENT_STATES } from './sent-elements.ts';

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

/** One request whole: the elements it carried with what was answered to each, its body, and what was written down of its answer. */
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
