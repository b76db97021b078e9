import { chance } from '../seed.ts';
import type { Service } from '../service.ts';
import type { CampaignRow } from '../tables.ts';

/**
 * How well a scenario wants its campaigns to sell, in place of plain chance. It lies in the store, so a sandbox that is
 * started again goes on with it.
 */
export interface Performance {
  /** By the name of the campaign; what is not named is left to chance. */
  readonly campaigns: Readonly<Record<string, Sales>>;
  /** By the text of a keyword or the name of an item. */
  readonly parts: Readonly<Record<string, Share>>;
}

/** An ordinary day in the beginning: clicks, their cost each, orders per click and the amount of an order. */
interface Sales {
  readonly clicks: number;
  readonly costCents: number;
  readonly ordersPerClick: number;
  readonly orderCents: number;
}

/** Its part of the clicks, and how much more than others it sells for each. */
export interface Share {
  readonly clicks: number;
  readonly worth: number;
}

const SETTING = 'performance';
const NOTHING: Performance = { campaigns: {}, parts: {} };

export function writePerformance(service: Service, performance: Performance): void {
  service.store.writeSetting(SETTING, JSON.stringify(performance));
}

export function readPerformance(service: Service): Performance {
  const text = service.store.readSetting(SETTING);
  const kept: Performance = text === null ? NOTHING : JSON.parse(text);
  return kept;
}

/** Growth from day to day, and how long it lasts. */
const GROWTH = 0.004;
const GROWS_DAYS = 120;
const DAY_MS = 86_400_000;

/** Counts of one day; the same for the same day, whenever it is asked for. */
export function salesOfDay(sales: Sales, seed: number, campaign: CampaignRow, date: string) {
  const about = [campaign.campaign_id, date] as const;
  const within = (name: string, reach: number): number => 1 - reach + chance(seed, name, ...about) * 2 * reach;
  const day = (Date.parse(date) - Date.parse(campaign.start_date)) / DAY_MS;
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  const weekend = weekday === 0 || weekday === 6 ? 1.12 : 1;
  const clicks = Math.round(
    sales.clicks * (0.8 + GROWTH * Math.min(day, GROWS_DAYS)) * weekend * within('clicks', 0.12),
  );
  const impressions = Math.round(clicks * 78 * within('impressions', 0.15));
  const cost = Math.round(clicks * sales.costCents * within('cost', 0.06));
  const expected = clicks * sales.ordersPerClick * (1 + (GROWTH / 4) * Math.min(day, 60)) * within('orders', 0.14);
  const orders = Math.round(expected);
  // Not from whole orders: of two or three a day the sum would jump by half.
  const salesCents = Math.round((orders === 0 ? 0 : expected) * sales.orderCents * within('sales', 0.06));
  return { impressions, clicks, adSpendCents: Math.min(cost, campaign.daily_budget ?? cost), orders, salesCents };
}
