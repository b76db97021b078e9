import { around, countAt, mix, uniform } from './draws.ts';
import { auction, type Cell, type Market, weekdayFactor } from './market.ts';

/** A row in auctions, with its bid at the start of the day. */
export type Bidder = ReturnType<typeof bidderOf>;

/** All auctions of a row at this bid, for all days with that bid. */
export function bidderOf(market: Market, bidCents: number, cells: readonly Cell[]) {
  const known = new Map<number, ReturnType<typeof auction>>();
  const at = (factor: number) => {
    const won = known.get(factor) ?? auction(market, bidCents * factor);
    known.set(factor, won);
    return won;
  };
  let impressions = 0;
  let clicks = 0;
  let spend = 0;
  const sums = cells.map(({ share, factor }) => {
    const { win, priceCents } = at(factor);
    const clicked = share * win * market.clickRate * (0.6 + 0.4 * win);
    impressions += share * win;
    clicks += clicked;
    spend += clicked * priceCents;
    return clicks;
  });
  return {
    market,
    clicksPerSearch: clicks,
    impressionsPerSearch: impressions,
    /** Expected price of a click, in cents. */
    priceCents: clicks === 0 ? 0 : spend / clicks,
    /** Cumulative shares of its clicks by cell; the last is 1. */
    upTo: sums.map((sum) => (clicks === 0 ? 1 : sum / clicks)),
    /** By cell, in cents: the average price of a click, and its maximum. */
    prices: cells.map(({ factor }) => at(factor).priceCents),
    bids: cells.map(({ factor }) => Math.floor(bidCents * factor)),
  };
}

export interface Order {
  /** Complete days from the click to the order. */
  readonly delay: number;
  readonly cents: number;
  readonly units: number;
  /**
   * Random numbers from 0 to 1 for attribution: to a view of a video, and to a complete one. `isHalo` is an order of
   * another item than the advertised one.
   */
  readonly viewed: number;
  readonly completed: number;
  readonly isHalo: boolean;
}

export interface Click {
  readonly cell: number;
  /** Random number from 0 to 1 that selects one of several items, brands or categories. */
  readonly place: number;
  cents: number;
  readonly isTakenBack: boolean;
  readonly order: Order | null;
}

/** The results of a row on a day. */
export interface RowDay {
  readonly impressions: number;
  readonly clicks: readonly Click[];
}

const SEARCHES = 11;
const CLICKS = 12;
const ROUNDING = 13;
const [CELL, PRICE, ORDER, PLACE, TAKEN, AMOUNT, DELAY, LATE, UNITS, VIEWED, COMPLETED, HALO] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
] as const;
const TAKEN_BACK = 0.005;
const SAME_DAY = 0.35;
const LATE_DAYS = 6;

/**
 * One day of a campaign. The campaign stops when the spend reaches the daily budget.
 *
 * @param day days since 1970-01-01
 */
export function playDay(
  day: number,
  bidders: readonly Bidder[],
  cells: readonly Cell[],
  budgetCents: number | null,
): readonly RowDay[] {
  const weekday = weekdayFactor(day);
  const budget = budgetCents ?? Number.POSITIVE_INFINITY;
  const expected = bidders.reduce(
    (sum, { market, clicksPerSearch, priceCents }) => sum + market.searches * weekday * clicksPerSearch * priceCents,
    0,
  );
  const open = expected > budget ? budget / expected : 1;
  let spent = 0;
  const rows = bidders.map((bidder): RowDay => {
    const { market, impressionsPerSearch, clicksPerSearch } = bidder;
    const key = mix(market.key, day);
    const searches = market.searches * weekday * open * around(key, SEARCHES, 0.2);
    const impressions = Math.floor(searches * impressionsPerSearch + uniform(key, ROUNDING));
    if (impressions === 0) return NOTHING;
    const count = Math.min(impressions, countAt(searches * clicksPerSearch, uniform(key, CLICKS)));
    if (count === 0) return { impressions, clicks: NOTHING.clicks };
    const clicks: Click[] = [];
    for (let at = 0; at < count; at += 1) {
      const click = clickOf(bidder, cells, mix(key, 100 + at));
      spent += click.cents;
      clicks.push(click);
    }
    return { impressions, clicks };
  });
  // Click prices are random too, so spend above the budget is scaled down.
  if (spent > budget)
    for (const { clicks } of rows) for (const click of clicks) click.cents = Math.floor((click.cents * budget) / spent);
  return rows;
}

const NOTHING: RowDay = { impressions: 0, clicks: [] };

function clickOf({ market, upTo, prices, bids }: Bidder, cells: readonly Cell[], key: number): Click {
  const wheel = uniform(key, CELL);
  let cell = 0;
  while (cell < cells.length - 1 && (upTo[cell] ?? 1) < wheel) cell += 1;
  const price = (prices[cell] ?? 0) * (0.9 + 0.2 * uniform(key, PRICE));
  return {
    cell,
    place: uniform(key, PLACE),
    cents: Math.max(1, Math.min(bids[cell] ?? 0, Math.round(price))),
    isTakenBack: uniform(key, TAKEN) < TAKEN_BACK,
    order: uniform(key, ORDER) < market.conversion * (cells[cell]?.worth ?? 1) ? orderOf(market, key) : null,
  };
}

function orderOf({ orderCents }: Market, key: number): Order {
  const late = Math.ceil(-LATE_DAYS * Math.log(uniform(key, LATE)));
  return {
    delay: uniform(key, DELAY) < SAME_DAY ? 0 : late,
    cents: Math.round(orderCents * (0.7 + 0.6 * uniform(key, AMOUNT))),
    units: uniform(key, UNITS) < 0.2 ? 2 : 1,
    viewed: uniform(key, VIEWED),
    completed: uniform(key, COMPLETED),
    isHalo: uniform(key, HALO) < 1 / 3,
  };
}
