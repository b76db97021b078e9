import { toNumber } from '../decimal.ts';
import type { CampaignRow } from '../rows.ts';
import { chance, hash } from '../seed.ts';

/**
 * Invented performance that adds up: a campaign's figures for a day come from the seed, and everything below it (its
 * items, keywords, platforms) is a share of them. So every report over the same days has the same totals.
 */
export type Counts = Readonly<Record<string, number>>;

/** Counts are whole numbers; names ending in `Cents` are money. */
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
  const base = { impressions, clicks, adSpendCents: spend, orders, salesCents: sales, units: orders + (orders >> 2) };
  if (campaign.campaign_type !== 'video') return base;
  const viewable = Math.round(impressions * share('viewable', 0.6, 0.85));
  const firstQuartile = Math.round(viewable * share('first', 0.6, 0.8));
  const midpoint = Math.round(firstQuartile * share('mid', 0.6, 0.8));
  const thirdQuartile = Math.round(midpoint * share('third', 0.6, 0.85));
  const complete = Math.round(thirdQuartile * share('complete', 0.6, 0.9));
  return {
    ...base,
    viewableImpressions: viewable,
    video5SecondViews: Math.round(viewable * share('five', 0.5, 0.9)),
    videoFirstQuartileViews: firstQuartile,
    videoMidpointViews: midpoint,
    videoThirdQuartileViews: thirdQuartile,
    videoCompleteViews: complete,
    videoUnmutes: Math.round(complete * share('unmutes', 0.02, 0.1)),
  };
}

/** Splits counts among parts by weight; the parts add up to the whole exactly. */
export function splitCounts(counts: Counts, weights: readonly number[]): readonly Counts[] {
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const parts: Record<string, number>[] = weights.map(() => ({}));
  for (const [name, whole] of Object.entries(counts)) {
    let before = 0;
    let weightSoFar = 0;
    weights.forEach((weight, index) => {
      weightSoFar += weight;
      const upTo = Math.floor((whole * weightSoFar) / totalWeight);
      const part = parts[index];
      if (part !== undefined) part[name] = upTo - before;
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

export const attributionWindows = ['3days', '14days', '30days'] as const;
export type AttributionWindow = (typeof attributionWindows)[number];

/** How much of what is ever attributed falls into a window, in percent. */
const windowPercent: Readonly<Record<AttributionWindow, number>> = { '3days': 55, '14days': 85, '30days': 100 };

/** Counts as the columns of "Video measurement metrics", with the attribution families for the wanted windows. */
export function showCounts(counts: Counts, windows: readonly AttributionWindow[]): Readonly<Record<string, number>> {
  const count = (name: string) => counts[name] ?? 0;
  const attributed = windows.map((window) => {
    const part = (name: string, percent = 100) => Math.floor((count(name) * percent * windowPercent[window]) / 10_000);
    return {
      [`attributedSales${window}`]: toNumber(part('salesCents')),
      [`attributedOrders${window}`]: part('orders'),
      [`attributedUnits${window}`]: part('units'),
      ...(counts['viewableImpressions'] === undefined ? {} : videoAttribution(window, part)),
    };
  });
  const plain = {
    impressions: count('impressions'),
    clicks: count('clicks'),
    adSpend: toNumber(count('adSpendCents')),
  };
  return Object.assign(plain, counts['viewableImpressions'] === undefined ? {} : videoViews(count), ...attributed);
}

function videoViews(count: (name: string) => number): Readonly<Record<string, number>> {
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : toNumber(Math.floor((part * 10_000) / whole)));
  return {
    videoImpressions: count('impressions'),
    viewableImpressions: count('viewableImpressions'),
    viewThroughRate: percent(count('viewableImpressions'), count('impressions')),
    ctrForViews: percent(count('clicks'), count('viewableImpressions')),
    video5SecondViews: count('video5SecondViews'),
    video5SecondViewRate: percent(count('video5SecondViews'), count('impressions')),
    videoFirstQuartileViews: count('videoFirstQuartileViews'),
    videoMidpointViews: count('videoMidpointViews'),
    videoThirdQuartileViews: count('videoThirdQuartileViews'),
    videoCompleteViews: count('videoCompleteViews'),
    videoUnmutes: count('videoUnmutes'),
  };
}

function videoAttribution(
  window: AttributionWindow,
  part: (name: string, percent?: number) => number,
): Readonly<Record<string, number>> {
  return {
    [`viewThroughSales${window}`]: toNumber(part('salesCents', 30)),
    [`viewThroughOrders${window}`]: part('orders', 30),
    [`viewThroughUnitsSold${window}`]: part('units', 30),
    [`totalCompleteViewAttributedSales${window}`]: toNumber(part('salesCents', 12) + part('salesCents', 6)),
    [`completeViewRevenue${window}`]: toNumber(part('salesCents', 12)),
    [`haloCompleteViewRevenue${window}`]: toNumber(part('salesCents', 6)),
    [`totalCompleteViewOrders${window}`]: part('orders', 18),
    [`totalCompleteViewUnits${window}`]: part('units', 18),
  };
}
