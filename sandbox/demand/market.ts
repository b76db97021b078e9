import { hash } from '../seed.ts';
import { around, normal, normalShare } from './draws.ts';

/**
 * The shoppers of a row: a keyword, or an item of an automatic campaign. Clients can't read it. It depends only on the
 * seed and on IDs, so no bid changes it.
 */
export interface Market {
  /** The key of all random draws about the row. */
  readonly key: number;
  /** Searches on an average day. */
  readonly searches: number;
  /** Clicks per impression if every auction is won. */
  readonly clickRate: number;
  /** Orders per click. */
  readonly conversion: number;
  /** An average order, in cents. */
  readonly orderCents: number;
  /** The logarithm of the rivals' median bid in currency units. */
  readonly rival: number;
}

/** Fixed values of a scenario, instead of random ones. */
export type KnownMarket = Partial<Pick<Market, 'searches' | 'clickRate' | 'conversion' | 'orderCents'>> & {
  /** The median bid of the rivals, in cents. */
  readonly rivalCents?: number;
};

/** Purposes of draws. Those of a day and of its clicks are in `day.ts`. */
const CONVERSION = 1;
const VALUE = 2;
const SEARCHES = 3;
const CLICKS = 4;
const RIVAL = 5;

export function marketOf(seed: number, group: number, row: number, known: KnownMarket = {}, busy = 1): Market {
  const groupKey = hash(seed, 'market', group);
  const key = hash(seed, 'market', group, row);
  const groupConversion = Math.exp(Math.log(0.06) + normal(groupKey, CONVERSION, 0.35));
  const conversion = known.conversion ?? Math.min(0.4, groupConversion * Math.exp(normal(key, CONVERSION, 0.5)));
  const orderCents = known.orderCents ?? Math.round(2500 * Math.exp(normal(groupKey, VALUE, 0.4)));
  const revenue = (conversion * orderCents) / 100;
  // Rivals bid more where revenue per click is high, with the square root of it.
  const rival = Math.log(0.6 * Math.sqrt(revenue * 1.5)) + normal(key, RIVAL, 0.35);
  return {
    key,
    searches: known.searches ?? busy * 60 * Math.exp(normal(key, SEARCHES, 1.2)),
    clickRate: known.clickRate ?? 0.02 * around(key, CLICKS, 0.3),
    conversion,
    orderCents,
    rival: known.rivalCents === undefined ? rival : Math.log(known.rivalCents / 100),
  };
}

/** Factors of searches from Sunday to Saturday, compared with an average day. */
const WEEKDAYS = [1.12, 0.96, 0.94, 0.95, 0.98, 0.97, 1.08] as const;

/** @param day days since 1970-01-01, which was a Thursday */
export const weekdayFactor = (day: number): number => WEEKDAYS[(day + 4) % 7] ?? 1;

const SPREAD = 0.45;

/** @returns the share of auctions won and the price of a click in cents, for a bid in cents against lognormal rivals */
export function auction({ rival }: Market, bidCents: number): { readonly win: number; readonly priceCents: number } {
  const z = (Math.log(bidCents / 100) - rival) / SPREAD;
  const win = normalShare(z);
  if (win < 1e-9) return { win: 0, priceCents: bidCents };
  // The second price: the average bid of the rivals who lost.
  const price = (Math.exp(rival + SPREAD ** 2 / 2) * normalShare(z - SPREAD)) / win;
  return { win, priceCents: Math.min(bidCents, 100 * price) };
}

export interface Segment {
  readonly word: string;
  /** Its share of the searches. */
  readonly share: number;
  /** Relative orders per click; 1 on average. */
  readonly worth: number;
}

export const platforms: readonly Segment[] = [
  { word: 'Desktop', share: 0.3, worth: 1.15 },
  { word: 'Mobile', share: 0.45, worth: 0.9 },
  { word: 'App', share: 0.25, worth: 1 },
];
export const pageTypes: readonly Segment[] = [
  { word: 'Search', share: 0.3, worth: 1.15 },
  { word: 'Browse', share: 0.15, worth: 1 },
  { word: 'Item', share: 0.45, worth: 0.9 },
  { word: 'Home', share: 0.1, worth: 1 },
];

/** A platform on a page type. */
export interface Cell {
  readonly platform: number;
  readonly pageType: number;
  readonly share: number;
  readonly worth: number;
  /** The factor of the bid there. */
  readonly factor: number;
}

const PAGE_OF_PLACEMENT: Readonly<Record<string, string>> = { 'Search Ingrid': 'Search', 'Buy-Box': 'Item' };

/** @param multipliers hundredths of a percent by which a bid is raised, by platform or placement */
export function cellsFor(multipliers: ReadonlyMap<string, number>): readonly Cell[] {
  const raised = (word: string) => 1 + (multipliers.get(word) ?? 0) / 10_000;
  const placed = (page: string) => {
    const placement = Object.keys(PAGE_OF_PLACEMENT).find((word) => PAGE_OF_PLACEMENT[word] === page);
    return placement === undefined ? 1 : raised(placement);
  };
  return platforms.flatMap((one, platform) =>
    pageTypes.map((other, pageType) => ({
      platform,
      pageType,
      share: one.share * other.share,
      worth: one.worth * other.worth,
      factor: raised(one.word) * placed(other.word),
    })),
  );
}
