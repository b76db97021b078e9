import { writeMarkets } from '../demand/history.ts';
import type { KnownMarket } from '../demand/market.ts';
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
 * A small shop for a first look: three live campaigns with months of metrics, one scheduled, one in review. All dates
 * are relative to the clock. The drafts of the sample account are not here, because the service does not have them.
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

/** Text, bid in cents, clicks a day, and orders for each of 100 clicks. */
type Word = readonly [text: string, cents: number, clicks: number, percent: number];

const bottles: readonly Word[] = [
  ['insulated water bottle', 62, 2.2, 11],
  ['steel water bottle', 58, 1.8, 10],
  ['water bottle', 48, 2.8, 5],
  ['kids water bottle', 51, 1.8, 7.5],
  ['gym water bottle', 46, 1.6, 7],
  ['leak proof water bottle', 55, 1.6, 13],
  ['hiking water bottle', 43, 1.2, 9],
  ['water bottle with straw', 49, 1.6, 5.5],
  ['metal water bottle', 44, 1.2, 7.5],
  ['reusable water bottle', 41, 1.2, 4.5],
  ['large water bottle', 45, 1.2, 6],
  ['school water bottle', 40, 1, 10],
  ['sports bottle', 38, 1.2, 2.5],
  ['flask', 36, 1, 1],
];
const garden: readonly Word[] = [
  ['garden hose', 78, 4, 5.5],
  ['flexible garden hose', 74, 2.6, 8.5],
  ['hose nozzle', 60, 2, 7],
  ['garden watering', 57, 2, 3],
  ['garden hose 25 m', 82, 2, 11],
  ['water hose', 69, 2.5, 5.5],
  ['lawn watering', 52, 1.5, 2],
  ['northwind garden', 48, 1.5, 12],
];
/** Items of the automatic campaign, with the bids that the service suggests. */
const paper: readonly Word[] = [
  ['Northwind Blue Paper Towels, 6 Rolls', 46, 8, 10],
  ['Northwind Recycled Paper Towels, 6 Rolls', 44, 6, 10],
  ['Northwind Green Paper Towels, 12 Rolls', 52, 4, 1],
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

/** The total budgets of the live campaigns, in days. */
const BUDGET_DAYS = 180;

export function buildSample(service: Service): void {
  const live = (name: string, type: 'sponsoredProducts' | 'sba', dailyCents: number, targeting: 'auto' | 'manual') =>
    buildCampaign(service, {
      advertiserId: service.settings.advertiser,
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
  buildMultiplier(service, water, 'placement', 'Search Ingrid', 2_000);
  buildMultiplier(service, water, 'platform', 'App', 1_000);

  const towels = live('Paper towels auto', 'sponsoredProducts', 1000, 'auto');
  buildItems(service, towels, 4, 3, 'approved');
  buildMultiplier(service, towels, 'placement', 'Buy-Box', 1_500);

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
  const rows = [
    ...marketsOf(water, bottles, 2250),
    ...marketsOf(towels, paper, 1900),
    ...marketsOf(brand, garden, 3500),
  ];
  writeMarkets(service.store, { busy: 1, rows: Object.fromEntries(rows) });
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
  const { advertiser: advertiserId } = service.settings;
  const campaign = { advertiserId, name, type: 'video', dailyCents: daily } as const;
  const built = buildCampaign(service, { ...campaign, status, startsIn: starts, endsIn: starts + 44, budgetDays: 45 });
  const outcome = status === 'scheduled' ? 'approved' : 'pending';
  buildVideoProfile(service, built, buildMedia(service, advertiserId, `${name} 20 s`, true), outcome);
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

/**
 * Shoppers of the live campaigns: at the bids above, about half of the auctions are won. Some keywords are above and
 * some below a target ROAS of 4, and one item sells almost nothing.
 */
function marketsOf(built: BuiltCampaign, words: readonly Word[], orderCents: number) {
  return words.map(([text, cents, clicks, percent]): readonly [string, KnownMarket] => [
    `${built.campaignId} ${text}`,
    {
      searches: clicks * SEARCHES_PER_CLICK,
      clickRate: 0.016,
      conversion: percent / 100,
      orderCents,
      rivalCents: cents * 0.95,
    },
  ]);
}
const SEARCHES_PER_CLICK = 140;
