import { z } from 'zod';
import { operation } from '../api/operation.ts';

export const itemsContract = {
  /** Item search of the service, by text or by ids (document, "POST /api/v1/itemSearch"). */
  search: operation({
    runs: 'main',
    access: 'ask',
    input: {
      text: z.string().max(200).nullable(),
      ids: z.array(z.string().max(40)).max(200).nullable(),
    },
    output: z.array(
      z.strictObject({
        itemId: z.string(),
        name: z.string(),
        suggestedBidCents: z.int().nullable(),
        imageUrl: z.string().nullable(),
        pageUrl: z.string().nullable(),
        /** Sizes, colors and the like, each an item of its own that can be added. */
        variants: z.array(z.strictObject({ itemId: z.string(), name: z.string(), imageUrl: z.string().nullable() })),
      }),
    ),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
  /**
   * What the catalog says of one item: from the last search that showed it, else asked now. Null when it says nothing, or
   * cannot be asked.
   */
  about: operation({
    runs: 'main',
    input: { itemId: z.string().min(1).max(40) },
    output: z.strictObject({ itemId: z.string(), name: z.string(), pageUrl: z.string().nullable() }).nullable(),
  }),
  /**
   * Looks up the new items that no search has confirmed: from sheets, typed, or refused before. What is said of them
   * turns up among the findings; `refused` are the ids that cannot be added. A sync does the same before it sends.
   */
  confirm: operation({
    runs: 'main',
    access: 'ask',
    output: z.strictObject({ asked: z.int(), found: z.int(), refused: z.array(z.string()) }),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
};
