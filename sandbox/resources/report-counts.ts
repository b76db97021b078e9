import type { CampaignRow } from '../rows.ts';
import { chance, hash } from '../seed.ts';

/**
 * Invented performance that adds up. A campaign's counts for a day come from the seed; everything below it (its items,
 * keywords, platforms) is a share of them, so every report over the same days has the same totals. Each count is drawn
 * from a larger one, for the whole and for every part:
 *
 *   impressions -> (viewable) -> clicks -> adSpend
 *                          |           `-> orders -> sales, units -> attributed in 30 days -> in 14 -> in 3
 *                          +-> 5 seconds
 *                          `-> first quartile -> midpoint -> third quartile -> complete -> unmutes
 */
export type Counts = Readonly<Record<string, number>>;

export const attributionWindows = ['3days', '14days', '30days'] as const;
export type AttributionWindow = (typeof attributionWindows)[number];

/** "Video measurement metrics", attribution families: of what each is a part, and how many percent. */
interface Family {
  readonly name: string;
  readonly of: 'salesCents' | 'orders' | 'units';
  readonly percent: number;
}

export const attributedFamilies: readonly Family[] = [
  { name: 'attributedSales', of: 'salesCents', percent: 100 },
  { name: 'attributedOrders', of: 'orders', percent: 100 },
  { name: 'attributedUnits', of: 'units', percent: 100 },
];
export const videoFamilies: readonly Family[] = [
  { name: 'viewThroughSales', of: 'salesCents', percent: 30 },
  { name: 'viewThroughOrders', of: 'orders', percent: 30 },
  { name: 'viewThroughUnitsSold', of: 'units', percent: 30 },
  { name: 'completeViewRevenue', of: 'salesCents', percent: 12 },
  { name: 'haloCompleteViewRevenue', of: 'salesCents', percent: 6 },
  { name: 'totalCompleteViewOrders', of: 'orders', percent: 18 },
  { name: 'totalCompleteViewUnits', of: 'units', percent: 18 },
];

/** How much of what is ever attributed falls into a window, in percent. */
const windowPercent: Readonly<Record<AttributionWindow, number>> = { '3days': 55, '14days': 85, '30days': 100 };

/** What a count is drawn from; one that is not named here from the impressions, or from the viewable ones of a video. */
const drawnFrom: Readonly<Record<string, string>> = {
  viewableImpressions: 'impressions',
  adSpendCents: 'clicks',
  orders: 'clicks',
  salesCents: 'orders',
  units: 'orders',
  video5SecondViews: 'viewableImpressions',
  videoFirstQuartileViews: 'viewableImpressions',
  videoMidpointViews: 'videoFirstQuartileViews',
  videoThirdQuartileViews: 'videoMidpointViews',
  videoCompleteViews: 'videoThirdQuartileViews',
  videoUnmutes: 'videoCompleteViews',
  ...Object.fromEntries(
    [...attributedFamilies, ...videoFamilies].flatMap(({ name, of }) => [
      [`${name}30days`, of],
      [`${name}14days`, `${name}30days`],
      [`${name}3days`, `${name}14days`],
    ]),
  ),
};

/** Counts are whole numbers, money is in cents. In the order in which one is drawn from another. */
export function countsOfDay(seed: number, campaign: CampaignRow, date: string): Counts {
  const about = [campaign.campaign_id, date] as const;
  const share = (name: string, low: number, high: number) => low + chance(seed, name, ...about) * (high - low);
  const impressions = 400 + (hash(seed, 'impressions', ...about) % 2400);
  const clicks = Math.round(impressions * share('clicks', 0.004, 0.02));
  const spend = Math.min(
    clicks * (60 + (hash(seed, 'cost', ...about) % 120)),
    campaign.daily_budget ?? Number.MAX_SAFE_INTEGER,
  );
  const orders = Math.round(clicks * share('orders', 0.05, 0.2));
  const sales = orders * (900 + (hash(seed, 'sales', ...about) % 2600));
  const base = { clicks, adSpendCents: spend, orders, salesCents: sales, units: orders + (orders >> 2) };
  if (campaign.campaign_type !== 'video') return { impressions, ...base, ...attributedOf(base, attributedFamilies) };
  const viewable = Math.round(impressions * share('viewable', 0.6, 0.85));
  const firstQuartile = Math.round(viewable * share('first', 0.6, 0.8));
  const midpoint = Math.round(firstQuartile * share('mid', 0.6, 0.8));
  const thirdQuartile = Math.round(midpoint * share('third', 0.6, 0.85));
  const complete = Math.round(thirdQuartile * share('complete', 0.6, 0.9));
  return {
    impressions,
    viewableImpressions: viewable,
    video5SecondViews: Math.round(viewable * share('five', 0.5, 0.9)),
    videoFirstQuartileViews: firstQuartile,
    videoMidpointViews: midpoint,
    videoThirdQuartileViews: thirdQuartile,
    videoCompleteViews: complete,
    videoUnmutes: Math.round(complete * share('unmutes', 0.02, 0.1)),
    ...base,
    ...attributedOf(base, [...attributedFamilies, ...videoFamilies]),
  };
}

function attributedOf(base: Record<Family['of'], number>, families: readonly Family[]): Counts {
  const part = ({ of, percent }: Family, window: AttributionWindow) =>
    Math.floor((base[of] * percent * windowPercent[window]) / 10_000);
  return Object.fromEntries(
    families.flatMap((family) =>
      // The widest window first: the narrower ones are drawn from it.
      attributionWindows.toReversed().map((window) => [family.name + window, part(family, window)]),
    ),
  );
}

/**
 * Splits counts among parts by weight; the parts add up to the whole exactly. A count is split as the one it is drawn
 * from was, so that no part has more of it than of the larger one: floor(B·to/A) - floor(B·from/A) <= to - from.
 */
export function splitCounts(counts: Counts, weights: readonly number[]): readonly Counts[] {
  const parts: Record<string, number>[] = weights.map(() => ({}));
  const viewed = counts['viewableImpressions'] === undefined ? 'impressions' : 'viewableImpressions';
  for (const [name, whole] of Object.entries(counts)) {
    const source = name === 'impressions' ? undefined : (drawnFrom[name] ?? viewed);
    const sourceWhole = source === undefined ? weights.reduce((sum, weight) => sum + weight, 0) : (counts[source] ?? 0);
    let sourceSoFar = 0;
    let before = 0;
    parts.forEach((part, index) => {
      sourceSoFar += source === undefined ? (weights[index] ?? 0) : (part[source] ?? 0);
      const upTo = sourceWhole === 0 ? 0 : Math.floor((whole * sourceSoFar) / sourceWhole);
      part[name] = upTo - before;
      before = upTo;
    });
  }
  return parts;
}

export function addCounts(left: Counts | undefined, right: Counts): Counts {
  if (left === undefined) return right;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}
