import { bidderOf, type Click, playDay } from '../../sandbox/demand/day.ts';
import { mix, normal } from '../../sandbox/demand/draws.ts';
import { cellsFor, type Market, marketOf } from '../../sandbox/demand/market.ts';

/** A shop of the simulated market, played day by day without a service around it. What the shoppers are like is known here. */

export interface ShopOptions {
  readonly seed: number;
  readonly campaigns: number;
  readonly keywords: number;
  /** Searches beside those of the model. */
  readonly busy: number;
}

export interface Shop {
  readonly markets: readonly Market[];
  /** The position of the campaign of each row. */
  readonly groupOf: Int32Array;
  readonly campaigns: number;
  /** In cents, set by campaign without knowledge of what a click is worth. */
  readonly firstBids: readonly number[];
}

export function openShop({ seed, campaigns, keywords, busy }: ShopOptions): Shop {
  const rows = Array.from({ length: campaigns * keywords }, (_, row) => row);
  const groupOf = Int32Array.from(rows, (row) => Math.floor(row / keywords));
  const bidOf = (group: number) => Math.round(110 * Math.exp(normal(mix(seed, 7), group, 0.25)));
  return {
    markets: rows.map((row) => marketOf(seed, groupOf[row] ?? 0, row, {}, busy)),
    groupOf,
    campaigns,
    firstBids: rows.map((row) => bidOf(groupOf[row] ?? 0)),
  };
}

/** What a day brought, with the bids that were in force. */
export interface PlayedDay {
  readonly bids: readonly number[];
  /** By row. */
  readonly clicks: readonly (readonly Click[])[];
}

const CELLS = cellsFor(new Map());

/** Plays the days from one to another, the last not included, with the same bids. */
export function play(shop: Shop, from: number, to: number, bids: readonly number[]): readonly PlayedDay[] {
  const bidders = shop.markets.map((market, row) => bidderOf(market, bids[row] ?? 0, CELLS));
  return Array.from({ length: to - from }, (_, at) => ({
    bids,
    clicks: playDay(from + at, bidders, CELLS, null).map(({ clicks }) => clicks),
  }));
}

/** Days from a click on which its orders are attributed to it. */
export const WINDOW_DAYS = 14;

/** What a report of the day says when it is so many days old; yesterday is 1. */
export function reported({ clicks }: PlayedDay, age: number) {
  const columns = {
    row: Int32Array.from(clicks.keys()),
    clicks: new Int32Array(clicks.length),
    orders: new Int32Array(clicks.length),
    sales: new Float64Array(clicks.length),
    spend: new Float64Array(clicks.length),
  };
  const add = (to: Int32Array | Float64Array, row: number, amount: number) => {
    to[row] = (to[row] ?? 0) + amount;
  };
  for (const [row, all] of clicks.entries()) {
    for (const { isTakenBack, cents, order } of all) {
      if (isTakenBack && age >= 3) continue;
      add(columns.clicks, row, 1);
      add(columns.spend, row, cents);
      if (order === null || order.delay >= Math.min(age, WINDOW_DAYS)) continue;
      add(columns.orders, row, 1);
      add(columns.sales, row, order.cents);
    }
  }
  return columns;
}

/** Orders of a day in the window, by how many days old it is when they are first reported. */
export function ordersByAge({ clicks }: PlayedDay): readonly number[] {
  const orders = Array.from({ length: WINDOW_DAYS + 1 }, () => 0);
  for (const { order, isTakenBack } of clicks.flat()) {
    if (order !== null && !isTakenBack && order.delay < WINDOW_DAYS)
      orders[order.delay + 1] = (orders[order.delay + 1] ?? 0) + 1;
  }
  return orders;
}

/** Sales that a click brings in the long run, in cents. */
export const worthOf = ({ conversion, orderCents }: Market): number => conversion * orderCents;
