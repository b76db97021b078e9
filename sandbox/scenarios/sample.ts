import { type Performance, writePerformance } from '../resources/performance.ts';
import { startReview } from '../resources/reviews.ts';
import type { Service } from '../service.ts';
import {
  type BuiltCampaign,
  buildCampaign,
  buildItems,
  buildKeywords,
  buildMedia,
  buildMultiplier,
  buildSbaProfile,
  buildVideoProfile,
} from './build.ts';
import type { NamedItem } from './catalogue.ts';

/**
 * A small shop for a first look: three live campaigns with months of metrics, one on the schedule, one in review. All of it is
 * dated from the clock. What a newcomer would draft is not here: the service has not seen it.
 */
export const sampleItems: readonly NamedItem[] = [
  item('Northwind Teal Steel Bottle 750 ml', 64, ['White', 'Navy']),
  item('Northwind Brushed Steel Bottle 1 L', 72),
  item('Northwind Kids Yellow Bottle 500 ml', 55),
  item('Northwind Slate Sport Bottle 700 ml', 58, ['Coral']),
  item('Northwind Blue Paper Towels, 6 Rolls', 46),
  item('Northwind Recycled Paper Towels, 6 Rolls', 44),
  item('Northwind Green Paper Towels, 12 Rolls', 52),
  item('Northwind Green Garden Hose 25 m', 82, ['Blue']),
  item('Northwind Coral Hose Nozzle', 61),
  item('Northwind Blue Garden Hose 15 m', 74),
  item('Northwind Kitchen Roll, 4 Rolls', 158),
  item('Northwind Recycled Kitchen Roll, 2 Rolls', 152),
  item('Northwind Teal Kitchen Roll, 8 Rolls', 161),
  item('Northwind Dinner Napkins, 100 Pieces', 48),
  item('Northwind Coral Party Napkins, 60 Pieces', 45),
];

function item(name: string, suggestedCents: number, variants: readonly string[] = []): NamedItem {
  return { name, suggestedCents, variants };
}

/** Text, bid in cents, and how well it sells beside the others: shares of the clicks, and sales per click. */
type Word = readonly [text: string, cents: number, clicks: number, worth: number];

const bottles: readonly Word[] = [
  ['insulated water bottle', 62, 7, 1.3],
  ['steel water bottle', 58, 6, 1.2],
  ['water bottle', 48, 9, 0.7],
  ['kids water bottle', 51, 6, 1.1],
  ['gym water bottle', 46, 5, 1],
  ['leak proof water bottle', 55, 5, 1.5],
  ['hiking water bottle', 43, 4, 1.2],
  ['water bottle with straw', 49, 5, 0.9],
  ['metal water bottle', 44, 4, 1.1],
  ['reusable water bottle', 41, 4, 0.8],
  ['large water bottle', 45, 4, 1],
  ['school water bottle', 40, 3, 1.4],
  ['sports bottle', 38, 4, 0.5],
  ['flask', 36, 3, 0.3],
];
const garden: readonly Word[] = [
  ['garden hose', 78, 8, 0.9],
  ['flexible garden hose', 74, 5, 1.3],
  ['hose nozzle', 60, 4, 1.2],
  ['garden watering', 57, 4, 0.6],
  ['garden hose 25 m', 82, 4, 1.5],
  ['water hose', 69, 5, 0.9],
  ['lawn watering', 52, 3, 0.5],
  ['northwind garden', 48, 3, 1.8],
];
const hoseVideo: readonly Word[] = [
  ['garden hose', 172, 5, 1],
  ['hose for garden', 165, 4, 1],
  ['expandable hose', 168, 3, 1],
  ['garden watering set', 158, 3, 1],
  ['hose nozzle', 155, 2, 1],
];
const kitchenVideo: readonly Word[] = [
  ['kitchen roll', 175, 5, 1],
  ['kitchen towels', 168, 4, 1],
  ['strong kitchen roll', 162, 3, 1],
  ['household paper', 155, 2, 1],
];

const SELLER = 900001;
/** The total budgets of the live campaigns, in days. */
const BUDGET_DAYS = 180;

export function buildSample(service: Service): void {
  const live = (name: string, type: 'sponsoredProducts' | 'sba', dailyCents: number, targeting: 'auto' | 'manual') =>
    buildCampaign(service, {
      advertiserId: SELLER,
      name,
      type,
      targeting,
      dailyCents,
      status: 'live',
      startsIn: -75,
      budgetDays: BUDGET_DAYS,
    });

  const water = live('Water bottles manual', 'sponsoredProducts', 1250, 'manual');
  buildItems(service, water, 0, 4, 'approved');
  addWords(service, water, bottles, 'approved');
  buildMultiplier(service, water, 'placement', 'Search Ingrid', 12_000);
  buildMultiplier(service, water, 'platform', 'App', 11_000);

  const towels = live('Paper towels auto', 'sponsoredProducts', 1000, 'auto');
  buildItems(service, towels, 4, 3, 'approved');
  buildMultiplier(service, towels, 'placement', 'Buy-Box', 11_500);

  const brand = live('Northwind garden brand', 'sba', 1500, 'manual');
  buildSbaProfile(service, brand, 'Northwind Garden', 'enabled', 'approved', 'Hoses that last for many summers');
  buildSbaProfile(service, brand, 'Northwind', 'disabled', 'approved', 'Everything for a green garden');
  buildItems(service, brand, 7, 3, 'approved');
  addWords(service, brand, garden, 'approved');

  buildVideo(service, 'Garden hose video', { starts: 7, daily: 3000, from: 7, words: hoseVideo, status: 'scheduled' });
  buildVideo(service, 'Kitchen roll video', {
    starts: 3,
    daily: 3750,
    from: 10,
    words: kitchenVideo,
    status: 'proposal',
  });
  writePerformance(service, performance);
}

interface Video {
  /** Days from today. */
  readonly starts: number;
  readonly daily: number;
  /** Its first item. */
  readonly from: number;
  readonly words: readonly Word[];
  readonly status: 'scheduled' | 'proposal';
}

function buildVideo(service: Service, name: string, { starts, daily, from, words, status }: Video): void {
  const campaign = { advertiserId: SELLER, name, type: 'video', dailyCents: daily } as const;
  const built = buildCampaign(service, { ...campaign, status, startsIn: starts, endsIn: starts + 44, budgetDays: 45 });
  const outcome = status === 'scheduled' ? 'approved' : 'pending';
  buildVideoProfile(service, built, buildMedia(service, SELLER, `${name} 20 s`, true), outcome);
  buildItems(service, built, from, 3, outcome);
  addWords(service, built, words, outcome);
  const row = service.store.find('campaign', built.campaignId);
  if (status === 'proposal' && row !== undefined) startReview(service, row, built.adGroupId);
}

function addWords(
  service: Service,
  built: BuiltCampaign,
  words: readonly Word[],
  outcome: 'approved' | 'pending',
): void {
  for (const [at, [text, cents]] of words.entries()) buildKeywords(service, built, [text], cents, outcome, at);
}

const shares = (words: readonly Word[]) => words.map(([text, , clicks, worth]) => [text, { clicks, worth }] as const);

/** Three campaigns above, at and below a ROAS of 4, and one item that sells almost nothing. */
const performance: Performance = {
  campaigns: {
    'Water bottles manual': { clicks: 21, costCents: 47, ordersPerClick: 0.115, orderCents: 2350 },
    'Paper towels auto': { clicks: 20, costCents: 41, ordersPerClick: 0.12, orderCents: 1670 },
    'Northwind garden brand': { clicks: 17, costCents: 74, ordersPerClick: 0.078, orderCents: 3400 },
  },
  parts: Object.fromEntries([
    ...shares(bottles),
    ...shares(garden),
    ['Northwind Teal Steel Bottle 750 ml', { clicks: 8, worth: 1.3 }],
    ['Northwind Brushed Steel Bottle 1 L', { clicks: 5, worth: 1.1 }],
    ['Northwind Kids Yellow Bottle 500 ml', { clicks: 4, worth: 0.9 }],
    ['Northwind Slate Sport Bottle 700 ml', { clicks: 4, worth: 0.6 }],
    ['Northwind Blue Paper Towels, 6 Rolls', { clicks: 8, worth: 1.2 }],
    ['Northwind Recycled Paper Towels, 6 Rolls', { clicks: 6, worth: 1.25 }],
    ['Northwind Green Paper Towels, 12 Rolls', { clicks: 5, worth: 0.2 }],
  ]),
};
