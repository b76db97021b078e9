import { z } from 'zod';
import { SWAP_STEPS } from '../lifecycle/swap.ts';
import { jsonText } from './json-text.ts';
import { operation } from './operation.ts';
import { RowIdSchema } from './scalars.ts';

/** Swaps under way in one workspace at most; the oldest is forgotten first. */
export const SWAPS_MAX = 200;

const KeptSwap = z.strictObject({
  campaignId: RowIdSchema,
  from: RowIdSchema,
  to: RowIdSchema,
  began: z.string(),
  asItIs: z.boolean(),
});

/** The JSON text under which a workspace keeps its swaps. */
export const SwapsText = jsonText(z.array(KeptSwap).max(SWAPS_MAX));

const Move = z.discriminatedUnion('way', [
  z.strictObject({ way: z.literal('edit'), id: RowIdSchema, canStay: z.boolean() }),
  z.strictObject({ way: z.literal('write'), id: RowIdSchema, status: z.enum(['enabled', 'disabled']) }),
  z.strictObject({ way: z.literal('sync') }),
  z.strictObject({ way: z.literal('submit') }),
  z.strictObject({ way: z.literal('look'), at: z.enum(['reviews', 'rows']) }),
]);
export type SwapMoveView = z.infer<typeof Move>;

const Shown = z.strictObject({ id: RowIdSchema, label: z.string() });

/** Two profiles of a campaign that change, or could change, places. */
export const SwapView = z.strictObject({
  /** Shown now; takes its place. */
  from: Shown,
  to: Shown,
  /** Null until it was begun. */
  under: z
    .strictObject({
      step: z.enum([...SWAP_STEPS, 'done']),
      move: Move.nullable(),
      rejected: z.strictObject({ reason: z.string().nullable() }).nullable(),
    })
    .nullable(),
});
export type SwapView = z.infer<typeof SwapView>;

const inCampaign = { campaignId: RowIdSchema };
const answer = SwapView.nullable();

/** Each answers how it stands now; null for a campaign without two profiles of which one is shown. */
export const swapsContract = {
  state: operation({ runs: 'main', input: inCampaign, output: answer }),
  /** Begins one, or goes on with the one under way. */
  begin: operation({ runs: 'main', access: 'write', input: inCampaign, output: answer }),
  /** The other profile is wanted as it is, without an edit. */
  keep: operation({ runs: 'main', access: 'write', input: inCampaign, output: answer }),
  /** Forgets the swap; rows stay as they are. */
  end: operation({ runs: 'main', access: 'write', input: inCampaign, output: answer }),
};
