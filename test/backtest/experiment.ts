import { asRowId } from '../../shared/model/scalars.ts';
import { evidenceOf } from '../../shared/suggestions/bid.ts';
import {
  dayWeight,
  type Exposures,
  eventWeight,
  isSettled,
  learnCompletion,
  type SeenOrders,
} from '../../shared/suggestions/exposure.ts';
import type { RowsFacts, SuggestionFacts } from '../../shared/suggestions/facts.ts';
import type { ScopedGoal } from '../../shared/suggestions/goals.ts';
import { type Rates, rateInterval, rowRate, shrinkRates } from '../../shared/suggestions/shrinkage.ts';
import { suggest } from '../../shared/suggestions/suggest.ts';
import { ASSUMED } from '../../shared/suggestions/what-if.ts';
import { addDay, noExposures } from './add-day.ts';
import {
  openShop,
  ordersByAge,
  type PlayedDay,
  play,
  reported,
  type Shop,
  type ShopOptions,
  WINDOW_DAYS,
  worthOf,
} from './shop.ts';

/**
 * Does it help to follow the suggested bids? One arm of a shop edits nothing, another accepts every suggestion once a week. Both
 * meet the same shoppers. The last 28 days are judged by the sales that their clicks bring in the long run.
 */
export type Arm = 'nothing' | 'suggestions' | 'truth' | 'upside-down';

export interface Experiment extends ShopOptions {
  readonly days: number;
}

/** An account like that of a small agency; 28 days pass before the first suggestion. */
export const DENSE: Omit<Experiment, 'seed'> = { campaigns: 40, keywords: 60, busy: 1, days: 84 };
/** A quarter of the searches, and more time. */
export const THIN: Omit<Experiment, 'seed'> = { ...DENSE, busy: 0.25, days: 140 };

const BEFORE_DAYS = 28;
const EVERY_DAYS = 7;
const JUDGED_DAYS = 28;

/** What one shop must show, and the mean of many. Lifts are of ROAS over the arm that edits nothing, as shares. */
export const BARS = {
  dense: { mean: 0.05, least: 0.02 },
  thin: { mean: 0.025, least: -0.02 },
  /** Spend is held: this far off at most. */
  spend: 0.04,
  /** Of what somebody who knows the shoppers would gain. */
  ofTruth: 0.5,
  /** The formula upside down must fail by this, or the experiment proves nothing. */
  upsideDown: -0.1,
  intervals: [0.75, 0.85],
} as const;

export interface Lift {
  readonly roas: number;
  readonly spend: number;
  readonly edits: number;
}

export const liftOf = (outcome: Outcome, nothing: Outcome): Lift => ({
  roas: outcome.roas / nothing.roas - 1,
  spend: outcome.spend / nothing.spend - 1,
  edits: outcome.edits,
});

export interface Outcome {
  readonly roas: number;
  /** In cents, in the judged days. */
  readonly spend: number;
  readonly clicks: number;
  readonly edits: number;
}

export function runArm(experiment: Experiment, arm: Arm): Outcome {
  const shop = openShop(experiment);
  const days: PlayedDay[] = [];
  let bids = shop.firstBids;
  let edits = 0;
  for (let day = 0; day < experiment.days; day += EVERY_DAYS) {
    if (arm !== 'nothing' && day >= BEFORE_DAYS) {
      const next = suggestedBids(shop, days, bids, arm);
      edits += next.filter((bid, row) => bid !== bids[row]).length;
      bids = next;
    }
    days.push(...play(shop, day, day + EVERY_DAYS, bids));
  }
  let [clicks, spend, sales] = [0, 0, 0];
  for (const day of days.slice(-JUDGED_DAYS)) {
    for (const [row, all] of day.clicks.entries()) {
      const market = shop.markets[row];
      if (market === undefined) continue;
      clicks += all.length;
      sales += all.length * worthOf(market);
      for (const { cents } of all) spend += cents;
    }
  }
  return { roas: sales / spend, spend, clicks, edits };
}

/** All that is known on the morning after the last of these days. */
function learn(shop: Shop, days: readonly PlayedDay[]) {
  const today = days.length;
  const columns = days.map((day, at) => reported(day, today - at));
  const history: SeenOrders[] = [];
  for (const [at, day] of days.entries()) {
    if (!isSettled(today - at, WINDOW_DAYS)) continue;
    const orders = ordersByAge(day);
    const final = orders.reduce((sum, more) => sum + more, 0);
    let seen = 0;
    for (const [age, more] of orders.entries()) {
      seen += more;
      history.push({ age, seen, final });
    }
  }
  const completion = learnCompletion(WINDOW_DAYS, history);
  const weights = columns.map((_, at) => dayWeight(completion, today - at, today - 1 - at));
  const counted = { ...noExposures(shop.markets.length), weight: eventWeight(weights.map(({ orders }) => orders)) };
  for (const [at, day] of columns.entries()) addDay(counted, day, weights[at] ?? { clicks: 0, orders: 0 });
  return { counted, columns, rates: shrinkRates(counted, shop.groupOf, shop.campaigns) };
}

/** What the product would gather from its reports. Arms that know better differ in what they take for counted. */
function factsOf(shop: Shop, days: readonly PlayedDay[], bids: readonly number[], arm: Arm): SuggestionFacts {
  const { counted, rates, columns } = learn(shop, days);
  const today = days.length;
  const sumOf = (from: number, to: number, value: (day: number, row: number) => number) =>
    Float64Array.from(bids, (_, row) => {
      let sum = 0;
      for (let day = from; day < to; day += 1) sum += value(day, row);
      return sum;
    });
  const settled = today - WINDOW_DAYS - 1;
  const clicks = (day: number, row: number) => columns[day]?.clicks[row] ?? 0;
  const spend = (day: number, row: number) => columns[day]?.spend[row] ?? 0;
  const orders = (day: number, row: number) => columns[day]?.orders[row] ?? 0;
  const none = new Float64Array(bids.length);
  // What was spent before the first suggestion. The mean of the last 28 days would follow its own small errors down.
  const before = columns
    .slice(0, BEFORE_DAYS)
    .reduce((sum, day) => sum + day.spend.reduce((all, cents) => all + cents, 0), 0);
  const perDay = Math.round(before / BEFORE_DAYS);
  const goal: ScopedGoal = { scope: { of: 'account' }, goal: { is: 'hold', perDay } };
  const keywords: RowsFacts = {
    rows: bids.map((bid, row) => ({
      ...ROW,
      id: asRowId(row),
      campaign: shop.groupOf[row] ?? 0,
      label: `${row}`,
      bid,
    })),
    counted: arm === 'suggestions' || rates === null ? counted : asIf(shop, counted, rates, arm),
    settled: { clicks: sumOf(0, settled, clicks), orders: sumOf(0, settled, orders), spend: sumOf(0, settled, spend) },
    clicks: sumOf(0, today, clicks),
    spend: sumOf(0, today, spend),
    clicksTimesBid: sumOf(0, today, (day, row) => clicks(day, row) * (days[day]?.bids[row] ?? 0)),
    weekClicks: sumOf(today - 7, today, clicks),
    weekSpend: sumOf(today - 7, today, spend),
    monthSpend: sumOf(today - 28, today, spend),
    impressions: none.map(() => 1),
    impressionDays: 14,
    spendAfterPause: none,
    daysAfterPause: none,
  };
  return {
    today,
    newestDay: today - 1,
    weekDays: 7,
    monthDays: 28,
    campaigns: Array.from({ length: shop.campaigns }, (_, id) => ({
      ...CAMPAIGN,
      id: asRowId(id),
      name: `${id}`,
      goal,
    })),
    keywords,
    adItems: { ...keywords, rows: [], counted: noExposures(0) },
    placeMetrics: [],
    swaps: [],
    plans: [],
    days: [],
    response: ASSUMED,
    dismissals: new Map(),
    limits: { floorItem: null, floorVideoKeyword: null, max: null, multiplierMax: 5_000_000, textsMax: 0 },
  };
}

const ROW = {
  adGroupId: null,
  text: '',
  matchType: null,
  isEnabled: true,
  barred: null,
  effect: 'immediate',
  sentOn: null,
  pausedOn: null,
  startedOn: null,
} as const;
const NO_DAYS = new Float64Array(0);
const CAMPAIGN = {
  isVideo: false,
  isLive: true,
  dailyBudget: null,
  totalBudget: null,
  budgetEffect: 'immediate',
  barred: null,
  series: { firstDay: 0, impressions: NO_DAYS, clicks: NO_DAYS, spend: NO_DAYS, orders: NO_DAYS, sales: NO_DAYS },
} as const;

/** So many clicks that nothing is borrowed from the campaign. */
const CERTAIN_CLICKS = 1e7;

function asIf(shop: Shop, counted: Exposures, rates: Rates, arm: Arm): Exposures {
  const told = noExposures(shop.markets.length);
  const usual = rates.theta * rates.orderValue;
  for (const [row, market] of shop.markets.entries()) {
    const group = rates.groups[shop.groupOf[row] ?? 0];
    const sums = sumsAt(counted, row);
    if (group === undefined) continue;
    if (arm === 'upside-down' && evidenceOf(sums.clicks * group.theta) === 'none') continue;
    const learned = rowRate(sums, group, rates.rowShape).perClick;
    const perClick = arm === 'truth' ? worthOf(market) : usual ** 2 / learned;
    told.clicks[row] = CERTAIN_CLICKS;
    told.orders[row] = (CERTAIN_CLICKS * perClick) / rates.orderValue;
    told.sales[row] = CERTAIN_CLICKS * perClick;
  }
  return told;
}

const sumsAt = ({ clicks, orders, sales }: Exposures, row: number) => ({
  clicks: clicks[row] ?? 0,
  orders: orders[row] ?? 0,
  sales: sales[row] ?? 0,
});

function suggestedBids(shop: Shop, days: readonly PlayedDay[], bids: readonly number[], arm: Arm): readonly number[] {
  const next = [...bids];
  for (const { id, field, suggested } of suggest(factsOf(shop, days, bids, arm)).suggestions) {
    if (field === 'bid' && id !== null && typeof suggested === 'number') next[id] = suggested;
  }
  return next;
}

/** How many of the 80% intervals of conversion hold the rate that is true, of rows with a click. */
export function coverage(experiment: Experiment): number {
  const shop = openShop(experiment);
  const days = play(shop, 0, experiment.days, shop.firstBids);
  const { counted: rows, rates } = learn(shop, days);
  if (rates === null) return 0;
  const held = shop.markets.map((market, row) => isHeld(shop, rates, rows, row, market.conversion * SHARE_IN_WINDOW));
  const known = held.filter((is) => is !== null);
  return known.filter((is) => is).length / known.length;
}

/** Orders of the day of the click, and those of the days after it, on average six, that are still in the window. */
const SHARE_IN_WINDOW = 0.35 + 0.65 * (1 - Math.exp(-(WINDOW_DAYS - 1) / 6));

function isHeld(shop: Shop, rates: Rates, rows: Exposures, row: number, rate: number): boolean | null {
  const group = rates.groups[shop.groupOf[row] ?? 0];
  const sums = sumsAt(rows, row);
  if (group === undefined || sums.clicks === 0) return null;
  const { low, high } = rateInterval(rowRate(sums, group, rates.rowShape));
  return low <= rate && rate <= high;
}
