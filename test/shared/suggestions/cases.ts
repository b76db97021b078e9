import { expect } from 'vitest';
import type * as AlertsModule from '../../../shared/suggestions/alerts.ts';
import type * as BannerSwapModule from '../../../shared/suggestions/banner-swap.ts';
import type * as BidModule from '../../../shared/suggestions/bid.ts';
import type * as ExposureModule from '../../../shared/suggestions/exposure.ts';
import type * as HoldSpendModule from '../../../shared/suggestions/hold-spend.ts';
import type * as MultipliersModule from '../../../shared/suggestions/multipliers.ts';
import type * as NoSaleModule from '../../../shared/suggestions/no-sale.ts';
import type * as PacingModule from '../../../shared/suggestions/pacing.ts';
import type * as ShrinkageModule from '../../../shared/suggestions/shrinkage.ts';
import type * as WhatIfModule from '../../../shared/suggestions/what-if.ts';
import type * as WordsModule from '../../../shared/suggestions/words.ts';

/** The arithmetic under test: its own, or a copy with a planted fault. */
export type Arithmetic = typeof AlertsModule &
  typeof BannerSwapModule &
  typeof BidModule &
  typeof ExposureModule &
  typeof HoldSpendModule &
  typeof MultipliersModule &
  typeof NoSaleModule &
  typeof PacingModule &
  typeof ShrinkageModule &
  typeof WhatIfModule &
  typeof WordsModule;

/** Worked by hand from the formulas; each is a test, and together they must notice every planted fault. */
export const CASES: Readonly<Record<string, (of: Arithmetic) => void>> = {
  'V1: the share of orders seen at an age': ({ startCompletion }) => {
    const at = (window: number, ages: readonly number[]) => ages.map((age) => digits(startCompletion(age, window)));
    expect(at(14, [1, 2, 3, 5, 7, 10, 14])).toEqual([0.2862, 0.4912, 0.6381, 0.8188, 0.9116, 0.9735, 1]);
    expect(at(3, [1, 2, 3])).toEqual([0.4484, 0.7698, 1]);
  },
  'V2: clicks of young days count for less': ({ dayWeight, learnCompletion }) => {
    const completion = learnCompletion(14, []);
    const young = [1, 2, 3, 4, 5].map((age) => 10 * dayWeight(completion, age, 0).clicks);
    const clicks = young.reduce((sum, value) => sum + value, 100 * dayWeight(completion, 20, 0).clicks);
    expect(digits(clicks, 3)).toBe(129.777);
    expect(dayWeight(completion, 1, 0).orders).toBe(1);
    expect(dayWeight(completion, 20, 180)).toEqual({ clicks: 0.5, orders: 0.5 });
  },
  'V3: a row borrows from its campaign': ({ rowRate }) => {
    const theta = (orders: number, clicks: number) =>
      digits(rowRate({ orders, clicks, sales: 0 }, { theta: 0.04, alpha: 4, beta: 100, orderValue: 1 }, 4).theta, 5);
    expect([theta(1, 12), theta(0, 12), theta(20, 200), theta(0, 0)]).toEqual([0.04464, 0.03571, 0.08, 0.04]);
  },
  'V4: intervals of rates': ({ rateInterval }) => {
    const of = (alpha: number, beta: number) => {
      const { low, high } = rateInterval({ alpha, beta });
      return [digits(alpha / beta, 5), digits(low, 5), digits(high, 5)];
    };
    expect(of(5, 104)).toEqual([0.04808, 0.02341, 0.07677]);
    expect(of(24, 300)).toEqual([0.08, 0.05992, 0.1015]);
    expect(of(4, 100)).toEqual([0.04, 0.01746, 0.0667]);
  },
  'V5: no single large row decides about its campaign': ({ weightedCounts }) => {
    const rows = { orders: numbers(10, 1, 0, 4), clicks: numbers(100, 50, 20, 40) };
    const { orders, clicks } = weightedCounts(rows, 100);
    expect(digits(orders / clicks, 5)).toBe(0.0663);
  },
  'V6: the shape that fits best': ({ bestShape, shapeLikelihood }) => {
    const rows = { orders: numbers(12, 1, 0, 9, 2, 0, 5, 3), clicks: numbers(100, 80, 60, 50, 120, 10, 90, 30) };
    const parent = () => 32 / 540;
    const likelihoods = [0.5, 1, 2, 4, 8, 16].map((shape) => digits(shapeLikelihood(rows, parent, shape), 3));
    expect(likelihoods).toEqual([20.304, 20.918, 20.598, 19.545, 18.168, 16.899]);
    expect(bestShape(rows, parent)).toBe(1);
  },
  'an order is worth sales over orders of the account, never a mean of ratios': ({ shrinkRates }) => {
    const rows = { clicks: numbers(1000, 10), orders: numbers(10, 5), sales: numbers(20_000, 5000) };
    const rates = shrinkRates(rows, [0, 1], 2);
    expect(digits(rates?.orderValue, 3)).toBe(1666.667);
    expect(rates?.groups.map(({ orderValue }) => digits(orderValue, 2))).toEqual([1888.89, 1333.33]);
    expect(shrinkRates({ ...rows, orders: numbers(0, 0) }, [0, 1], 2)).toBeNull();
  },
  'counts of weighted days scatter like orders again': ({ eventWeight, shrinkRates }) => {
    expect([eventWeight([1, 1]), eventWeight([]), digits(eventWeight([1, 0.5]), 4)]).toEqual([1, 1, 0.8333]);
    // Orders of rows that differ by more than chance: halved, they differ by less than chance.
    const orders = numbers(4, 18, 7, 12, 5, 16, 6, 13, 3, 17, 8, 14);
    const rows = { clicks: orders.map(() => 200), orders, sales: orders };
    const halved = { clicks: rows.clicks.map((n) => n / 2), orders: orders.map((n) => n / 2), sales: orders };
    const shapeOf = (of: Parameters<typeof shrinkRates>[0]) =>
      shrinkRates(
        of,
        orders.map(() => 0),
        1,
      )?.rowShape;
    expect(shapeOf({ ...halved, weight: 0.5 })).toBe(shapeOf(rows));
    expect(shapeOf(halved)).toBeGreaterThan(shapeOf(rows) ?? 0);
  },
  'the response to bids is learned from changes, and pulled towards the assumption': ({ learnResponse, ASSUMED }) => {
    const change = (ratio: number) => ({
      ratio,
      clicks: 10_000,
      newClicks: 10_000 * ratio ** 0.3,
      spend: 500_000,
      newSpend: 500_000 * ratio ** 0.5,
    });
    const few = { ...change(1.15), clicks: 4, newClicks: 4 };
    expect(learnResponse([few, { ...change(1), ratio: 1 }])).toEqual(ASSUMED);
    const learned = learnResponse(
      [1.15, 0.85, 1.1, 0.9].flatMap((ratio) => Array.from({ length: 20 }, () => change(ratio))),
    );
    expect([digits(learned.clicks), digits(learned.cost), learned.changes]).toEqual([0.36, 0.26, 80]);
  },
  'V7: a bid for a target': ({ suggestBid, explainBid }) => {
    const bid = suggestBid(V7);
    expect([digits(bid.rate, 5), bid.orderValue, digits(bid.perClick, 3), digits(bid.paid, 3)]).toEqual([
      0.05666, 2700, 152.975, 0.764,
    ]);
    expect([digits(bid.wanted, 3), digits(bid.low, 2), digits(bid.high, 2)]).toEqual([50.057, 31.16, 71.08]);
    expect(bid).toMatchObject({ suggested: 68, limit: 'step', evidence: 'fair', expectedOrders: 4.825 });
    expect(explainBid(bid).summary).toBe(
      'Suggested bid $0.68, now $0.80. 97 clicks led to 6 orders with an average value of $27.00. Sales per click are ' +
        '$1.53, adjusted toward the campaign average. At a target ROAS of 4.00, a click can cost $0.38. Your cost per click is 76% of ' +
        'your bid, so the bid at target is $0.50. A bid changes by at most 15% at a time.',
    );
  },
  'V8: a bid without orders': ({ suggestBid }) => {
    const bid = suggestBid({ ...V7, bid: 100, clicks: 40, orders: 0, sales: 0, spend: 3000, clicksTimesBid: 4000 });
    expect([digits(bid.rate, 5), digits(bid.perClick, 3), bid.paid]).toEqual([0.03333, 83.333, 0.76]);
    expect(digits(bid.wanted, 3)).toBe(27.412);
    expect(bid.suggested).toBe(85);
  },
  'a step is taken first, then cut to cents, then the limits of the service': ({ limitBid, isWorthwhile }) => {
    const none = { floor: null, max: null };
    expect(limitBid(100, 500, none)).toEqual({ suggested: 115, limit: 'step' });
    expect(limitBid(80, 10, none)).toEqual({ suggested: 68, limit: 'step' });
    expect(limitBid(50, 10, none)).toEqual({ suggested: 43, limit: 'step' });
    expect(limitBid(100, 108.999, none)).toEqual({ suggested: 108, limit: null });
    expect(limitBid(30, 20, { floor: 40, max: null })).toEqual({ suggested: 40, limit: 'floor' });
    expect(limitBid(30, 60, { floor: null, max: 32 })).toEqual({ suggested: 32, limit: 'max' });
    expect([isWorthwhile(50, 51), isWorthwhile(50, 52), isWorthwhile(200, 203), isWorthwhile(200, 204)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  },
  'V9: bids that hold spend': ({ holdSpend }) => {
    const row = (bid: number, perClick: number, paid: number, spend: number) => ({
      bid,
      perClick,
      paid,
      spend,
      limits: { floor: null, max: null },
    });
    const held = holdSpend([row(60, 120, 0.75, 3000), row(100, 240, 0.8, 8000), row(80, 300, 0.8, 4000)], 15_000);
    expect(digits(held.costShare)).toBe(0.3267);
    expect(held.bids).toEqual([52, 97, 92]);
    expect(digits(held.predicted, 0)).toBe(14_964);
    expect(held.isReached).toBe(true);
  },
  'V10: multipliers raise from the lowest wanted bid': ({ wantedMultipliers, stepMultiplier }) => {
    const { base, multipliers } = wantedMultipliers([
      { key: 'a', wanted: 60 },
      { key: 'b', wanted: 80 },
      { key: 'c', wanted: 90 },
    ]);
    expect(base).toBe(60);
    expect(multipliers.map(({ multiplier }) => multiplier)).toEqual([0, 3333, 5000]);
    expect(multipliers.map(({ multiplier }) => Math.floor((base * (10_000 + multiplier)) / 10_000))).toEqual([
      60, 79, 90,
    ]);
    expect([stepMultiplier(0, 5000, 90_000), stepMultiplier(5000, 0, 90_000), stepMultiplier(0, 900, 500)]).toEqual([
      2500, 2500, 500,
    ]);
  },
  'V11: the chance of no order': ({ chanceOfNoOrder, findNoSale, explainNoSale }) => {
    const group = { theta: 0.05, alpha: 40, beta: 800, orderValue: 2500 };
    const chances = [20, 40, 60, 80, 100].map((clicks) => digits(chanceOfNoOrder(group, clicks)));
    expect(chances).toEqual([0.3724, 0.142, 0.0554, 0.0221, 0.009]);
    const advice = (clicks: number, of = group) =>
      findNoSale({ clicks, orders: 0, spend: 4120, group: of, costShare: 0.25 })?.advice;
    expect([advice(30), advice(40), advice(62), advice(63)]).toEqual([undefined, 'lower', 'lower', 'pause']);
    const unsure = { ...group, alpha: 4, beta: 80 };
    expect([advice(89, unsure), advice(90, unsure)]).toEqual(['lower', 'pause']);
    expect(findNoSale({ clicks: 63, orders: 0, spend: 624, group, costShare: 0.25 })?.advice).toBe('lower');
    expect(findNoSale({ clicks: 630, orders: 1, spend: 4120, group, costShare: 0.25 })).toBeNull();
    const found = findNoSale({ clicks: 63, orders: 0, spend: 4120, group, costShare: 0.25 });
    expect(found && explainNoSale(found).summary).toBe(
      "63 clicks cost $41.20 without an order. At the campaign's conversion rate of 5.00%, the chance of this is 4.8%.",
    );
  },
  'V12: the projection of a month': ({ projectMonth }) => {
    const june = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => (from + at) % 7);
    const pace = projectMonth({
      plan: 300_000,
      spent: 138_000,
      daysGone: june(1, 12),
      daysLeft: june(13, 30),
      weights: [1.12, 0.96, 0.94, 0.95, 0.98, 0.97, 1.08],
      recent: { mean: 11_200, deviation: 900 },
      dailyBudget: 20_000,
    });
    expect([pace.gone, pace.left, Math.floor(pace.due)]).toEqual([11.8, 18.1, 118_394]);
    expect([pace.projected, digits(pace.high - pace.projected, 0)]).toEqual([340_720, 4894]);
    expect(Math.floor(pace.wantedBudget)).toBe(8950);
    expect(Math.floor(pace.wantedBudget * 1.12)).toBe(10_024);
    expect(pace.suggested).toBe(10_000);
  },
  'weekdays and recent days come from complete days': ({ weekdayWeights, recentDay, cappedDays }) => {
    const days = Array.from({ length: 56 }, (_, at) => ({ weekday: at % 7, spend: at % 7 === 0 ? 200 : 100 }));
    const weights = weekdayWeights(days);
    expect(digits(weights.reduce((sum, weight) => sum + weight, 0))).toBe(7);
    expect(digits(weights[0])).toBe(1.5);
    expect(digits(weights[1])).toBe(0.9167);
    expect(
      recentDay(
        [
          { weekday: 1, spend: 100 },
          { weekday: 1, spend: 100 },
        ],
        [1, 1, 1, 1, 1, 1, 1],
      ),
    ).toEqual({
      mean: 100,
      deviation: 0,
    });
    const spent = (shares: readonly number[]) => shares.map((share) => ({ spend: share, dailyBudget: 100 }));
    expect(cappedDays(spent([95, 10, 10, 95, 10, 10, 95]))).toBe(3);
    expect(cappedDays(spent([95, 10, 10, 10, 10, 10, 10, 94, 95, 95]))).toBe(2);
  },
  'V13: a banner against the one before': ({ compareBanners, explainSwap }) => {
    const swap = compareBanners(V13);
    expect([swap?.own, swap?.control, swap?.difference].map((share) => digits((share ?? 0) * 100, 1))).toEqual([
      17.5, 2, 15.2,
    ]);
    expect([swap?.low, swap?.high].map((share) => digits((share ?? 0) * 100, 1))).toEqual([2.7, 29.2]);
    expect(swap).toMatchObject({ verdict: 'better', moreDays: null });
    const unclear = compareBanners({ ...V13, dispersion: 3 });
    expect(unclear?.verdict).toBe('unclear');
    expect(unclear && explainSwap(unclear).summary).toContain('about 4 more days are needed');
    expect(compareBanners({ ...V13, days: 6 })).toBeNull();
  },
  'V14: what a bid would change': ({ whatIf, rowRate }) => {
    const rate = rowRate(V7, V7.group, V7.rowShape);
    const answer = whatIf([{ bid: 80, newBid: 92, clicks: 100, spend: 6080, rate }]);
    expect([digits(answer.newClicks, 2), digits(answer.newSpend, 0), digits(answer.newSales, 0)]).toEqual([
      108.75, 7090, 16_636,
    ]);
    expect([digits(answer.low, 0), digits(answer.high, 0)]).toEqual([8616, 32_119]);
  },
  'words waste or promise from three rows on, in the order of their letters': ({ findWords }) => {
    const group = { theta: 0.05, alpha: 40, beta: 800, orderValue: 2500 };
    const row = (key: string, text: string, clicks: number, orders: number) => ({
      key,
      text,
      clicks,
      orders,
      sales: orders * 2500,
      spend: clicks * 50,
    });
    const rows = [
      row('1', 'zinc cheap pan', 30, 0),
      row('2', 'cheap pot', 30, 0),
      row('3', 'lid cheap', 30, 0),
      row('4', 'steel pan', 100, 20),
      row('5', 'steel pot', 100, 20),
      row('6', 'steel lid', 100, 20),
    ];
    const found = findWords(rows, group, 4);
    expect(found.map(({ words, advice }) => [words, advice])).toEqual([
      ['cheap', 'waste'],
      ['steel', 'promise'],
    ]);
    expect(findWords(rows.toReversed(), group, 4)).toEqual(found);
  },
  'of keywords advertised twice the surest is kept': ({ compareDuplicates }) => {
    const row = (key: string, clicks: number, low: number) => ({ key, clicks, spend: clicks, low });
    expect(compareDuplicates([row('b', 10, 5), row('a', 90, 2), row('c', 0, 5)])).toMatchObject({
      keep: 'b',
      busiest: 'a',
      rows: 3,
      clicks: 100,
    });
    expect(compareDuplicates([row('a', 1, 1)])).toBeNull();
  },
  'a day far off its weekday is found': ({ findOutlier }) => {
    const days = Array.from({ length: 14 }, (_, at) => 100 + (at % 3));
    expect(findOutlier([...days, 150])).toEqual({ value: 150, expected: 101 });
    expect(findOutlier([...days, 115])).toBeNull();
    expect(findOutlier(days)).toBeNull();
  },
};

export const V7 = {
  bid: 80,
  clicks: 96.5,
  orders: 6,
  sales: 16_800,
  group: { theta: 0.05, alpha: 40, beta: 800, orderValue: 2500 },
  rowShape: 4,
  spend: 6080,
  clicksTimesBid: 8000,
  groupPaidShare: 0.78,
  costShare: 0.25,
  isTarget: true,
  limits: { floor: null, max: null },
};

const V13 = {
  before: { clicks: 480, impressions: 60_000 },
  after: { clicks: 545, impressions: 58_000 },
  controlBefore: { clicks: 1800, impressions: 200_000 },
  controlAfter: { clicks: 1790, impressions: 195_000 },
  days: 14,
  dispersion: 1.6,
};

const numbers = (...values: number[]): Float64Array => Float64Array.from(values);

const digits = (value: number | undefined, places = 4): number => Number((value ?? Number.NaN).toFixed(places));
