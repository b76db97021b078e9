import { oc } from '@orpc/contract';
import { z } from 'zod';
import { inAccount } from './errors.ts';
import { inWorkspace } from './scalars.ts';

export const itemsContract = {
  /** Item search of the service, by text or by ids (document, "POST /api/v1/itemSearch"). */
  search: oc
    .input(
      inWorkspace.extend({
        text: z.string().max(200).nullable(),
        ids: z.array(z.string().max(40)).max(200).nullable(),
      }),
    )
    .output(
      z.array(
        z.strictObject({
          itemId: z.string(),
          name: z.string(),
          suggestedBidCents: z.int().nullable(),
          imageUrl: z.string().nullable(),
          pageUrl: z.string().nullable(),
        }),
      ),
    )
    .errors(inAccount('UNREACHABLE', 'BAD_CREDENTIALS')),
  /**
   * Looks up the new items that no search has confirmed: from sheets, typed, or refused before. What is said of them
   * turns up among the findings; `refused` are the ids that cannot be added. A sync does the same before it sends.
   */
  confirm: oc
    .input(inWorkspace)
    .output(z.strictObject({ asked: z.int(), found: z.int(), refused: z.array(z.string()) }))
    .errors(inAccount('UNREACHABLE', 'BAD_CREDENTIALS')),
};
