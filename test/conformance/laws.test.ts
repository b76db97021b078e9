import fc from 'fast-check';
import { expect } from 'vitest';
import { conform } from './case.ts';
import { fieldOf } from './client.ts';
import { documentMoves } from './document-moves.ts';
import { type CampaignIds, createWorld } from './world.ts';

const world = createWorld({ operationsPerHour: null });
const names = ['C-sba', 'C-sba-live', 'C-sba-paused', 'C-sba-review', 'C-vid', 'C-vid-live', 'C-man'] as const;

/** One thing a partner, a reviewer, a person in the console or time may do to a campaign. */
type Step =
  | { readonly do: 'advance'; readonly hours: number }
  | { readonly do: 'status'; readonly status: string }
  | { readonly do: 'submit' }
  | { readonly do: 'cancel' }
  | { readonly do: 'decide'; readonly outcome: string }
  | { readonly do: 'end-in'; readonly days: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 100 }) }),
  fc.record({
    do: fc.constant('status' as const),
    status: fc.constantFrom('enabled', 'paused', 'completed', 'extend'),
  }),
  fc.record({ do: fc.constant('submit' as const) }),
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({ do: fc.constant('decide' as const), outcome: fc.constantFrom('approved', 'rejected') }),
  fc.record({ do: fc.constant('end-in' as const), days: fc.integer({ min: 1, max: 20 }) }),
);

/** @returns the HTTP status of the step */
async function take({ campaignId, adGroupId }: CampaignIds, one: Step): Promise<number> {
  const owner = world.as('owner');
  if (one.do === 'advance') return (await world.control('POST', '/clock', { advance: `PT${one.hours}H` })).status;
  if (one.do === 'submit') return (await owner.post('/api/v1/review', [{ campaignId, adGroupId }])).status;
  if (one.do === 'cancel') return (await owner.put('/api/v1/review', [{ campaignId, adGroupId }])).status;
  if (one.do === 'status') return (await owner.put('/api/v1/campaigns', [{ campaignId, status: one.status }])).status;
  if (one.do === 'end-in') {
    const today = Date.parse((await world.state()).now);
    const endDate = new Date(today + one.days * 86_400_000).toISOString().slice(0, 10);
    return (await owner.put('/api/v1/campaigns', [{ campaignId, endDate }])).status;
  }
  const reviews = await owner.get(`/api/v1/review?adGroupId=${adGroupId}`);
  const count = Array.isArray(reviews.body) ? reviews.body.length : 0;
  const reviewId = fieldOf(reviews, 'reviewId', count - 1);
  return (await world.control('POST', `/reviews/${String(reviewId)}/decide`, { all: one.outcome })).status;
}

async function movesOf(campaignId: number): Promise<readonly string[]> {
  const answer = await world.control('GET', `/campaigns/${campaignId}/moves`);
  const moves = fieldOf(answer, 'moves') as { from: string; to: string }[];
  return moves.map((move) => `${move.from} > ${move.to}`);
}

/** The arrows of the document. */
const arrows = new Set(
  documentMoves
    .filter(({ machine, from }) => machine === 'campaign' && from !== '(new)')
    .map(({ from, to }) => `${from} > ${to}`),
);

conform('Campaign status', 'whatever happens, a campaign only moves along the arrows', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (name, steps) => {
        await world.control('POST', '/reset', {});
        const ids = await world.campaign(name);
        for (const one of steps) expect(await take(ids, one)).toBeLessThan(500);
        const moves = await movesOf(ids.campaignId);
        for (const move of moves) {
          expect(arrows).toContain(move);
          seen.add(move);
        }
      },
    ),
    { numRuns: 60, seed: 20260505 },
  );
  // The runs must have been somewhere, or the law says nothing.
  expect(seen.size).toBeGreaterThan(7);
});

conform('Campaign status', 'moving the clock in one step or in many ends in the same state', async () => {
  const after = async (durations: readonly string[]) => {
    await world.control('POST', '/reset', { scenario: 'demo' });
    for (const duration of durations) await world.advance(duration);
    return (await world.state()).campaigns.map((campaign) => [campaign.name, campaign.status]);
  };
  const once = await after(['P30D']);
  expect(await after(Array(30).fill('P1D'))).toEqual(once);
  expect(await after(['PT1S', 'P3D', 'PT7H', 'PT17H', 'P13D', 'PT23H59M59S', 'P12D'])).toEqual(once);
});
