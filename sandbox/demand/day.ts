import { around, countAt, mix, uniform } from './draws.ts';
import { auction, type Cell, type Market, weekdayFactor } from './market.ts';

/** A row that takes part in auctions, with the bid that is in force at the start of the day. */
export interface Bidder {
  readonly market: Market;
  readonly clicksPerSearch: number;
  readonly impressionsPerSearch: number;
  /** An expected click, in cents. */
  readonly priceCents: number;
  /** Where its clicks come from: sums of their shares up to each cell, the last being 1. */
  readonly upTo: readonly number[];
  /** By cell, in cents: what a click costs on average, and the most that it may. */
  readonly prices: readonly number[];
  readonly bids: readonly number[];
}

/** All auctions of a row at this bid; of use for every day on which it is in force. */
export function bidderOf(market: Market, bidCents: number, cells: readonly Cell[]): Bidder {
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
    priceCents: clicks === 0 ? 0 : spend / clicks,
    upTo: sums.map((sum) => (clicks === 0 ? 1 : sum / clicks)),
    prices: cells.map(({ factor }) => at(factor).priceCents),
    bids: cells.map(({ factor }) => Math.floor(bidCents * factor)),
  };
}

export interface Order {
  /** Whole days from the click to the order. */
  readonly delay: number;
  readonly cents: number;
  readonly units: number;
  /** Attributed to a view of a video; to a complete one; for another item than the advertised one. From 0 to 1, by purpose. */
  readonly viewed: number;
  readonly completed: number;
  readonly isHalo: boolean;
}

export interface Click {
  readonly cell: number;
  /** From 0 to 1: which of several items, brands or categories it belongs to. */
  readonly place: number;
  cents: number;
  readonly isTakenBack: boolean;
  readonly order: Order | null;
}

/** What a day brought to a row. */
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
 * One day of a campaign. The daily budget ends the day when its share of the expected spend is used up.
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
  // Prices are no more certain than clicks: what came to more than the budget is not charged.
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
