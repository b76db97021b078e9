import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aPlatform,
  aTree,
  cents,
  day,
  hundredths,
} from './builders.ts';
import { carryOut } from './laws/carry-out.ts';
import { freshName } from './laws/drafts.ts';
import { openService, profileFor, type Service } from './laws/service.ts';

/** The bodies of the plan against the simulated service, which was written from the document and shares no code with them. */
let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(async () => service.close());

const site = 'https://shop.example';
const sendAll = (trees: readonly CampaignTree[], dialect: 'seed' | 'family') =>
  carryOut(service, trees, { profile: profileFor(dialect), today: day('2026-05-05'), migrated: true });

test('a whole brand campaign, its keywords in both dialects, is accepted as planned', async () => {
  for (const dialect of ['seed', 'family'] as const) {
    const tree = aTree({
      campaign: aCampaign({ name: freshName(), campaignType: 'sba' }),
      adItems: service.items.slice(0, 3).map((itemId, at) => anAdItem({ itemId }, { id: 30 + at })),
      keywords: [aKeyword(), aKeyword({ text: 'roll' }, { id: 41 }), aKeyword({ matchType: 'broad' }, { id: 42 })],
      sbaProfiles: [
        anSbaProfile({ clickUrl: `${site}/browse/a:b+c` }),
        anSbaProfile({ headline: 'Another', clickUrl: `${site}/s?q=1` }, { id: 51 }),
      ],
    });
    const { total, refused } = await sendAll([tree], dialect);
    expect(refused).toEqual([]);
    expect(total).toBe(10);
  }
});

test('multipliers and bids of a products campaign are created, then updated', async () => {
  const placements = [
    aPlacement({ placement: 'Search Ingrid', multiplier: hundredths(1234) }),
    aPlacement({ placement: 'Buy-Box', multiplier: hundredths(5_000_000) }, { id: 71 }),
  ];
  const tree = aTree({
    campaign: aCampaign({ name: freshName(), campaignType: 'sponsoredProducts', targetingType: 'auto' }),
    adItems: [anAdItem({ itemId: service.items[0] ?? '' })],
    placementMultipliers: placements,
    platformMultipliers: [aPlatform({ multiplier: hundredths(1000) })],
  });
  const created = await sendAll([tree], 'seed');
  expect(created.refused).toEqual([]);
  const on = (kind: Kind, id: number) => created.ids.get(`${kind}/${id}`) ?? '';
  const again = aTree({
    campaign: aCampaign(
      { ...tree.campaign.values, dailyBudget: cents(8000) },
      { remote: on('campaign', 1), was: { dailyBudget: cents(7500) } },
    ),
    adGroups: [anAdGroup({ name: 'Renamed' }, { remote: on('adGroup', 2), was: { name: 'Video group' } })],
    adItems: [
      anAdItem(
        { itemId: service.items[0] ?? '', bid: cents(210) },
        { remote: on('adItem', 3), was: { bid: cents(160) } },
      ),
    ],
    placementMultipliers: [
      aPlacement(
        { multiplier: hundredths(100) },
        { remote: on('placementMultiplier', 7), was: { multiplier: hundredths(1234) } },
      ),
    ],
  });
  const updated = await sendAll([again], 'seed');
  expect(updated.refused).toEqual([]);
  expect(updated.total).toBe(4);
});
