import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainSwap, type SwapNumbers } from '../../../shared/suggestions/banner-swap.ts';
import { type BidFacts, explainBid, suggestBid } from '../../../shared/suggestions/bid.ts';
import type { Explanation } from '../../../shared/suggestions/explanation.ts';
import { learnCompletion } from '../../../shared/suggestions/exposure.ts';
import { type HeldRow, holdSpend } from '../../../shared/suggestions/hold-spend.ts';
import { explainNoSale, findNoSale } from '../../../shared/suggestions/no-sale.ts';
import { explainPacing, projectMonth } from '../../../shared/suggestions/pacing.ts';
import { chanceOfNoOrder, type GroupRate, rateInterval, rowRate } from '../../../shared/suggestions/shrinkage.ts';
import { explainWhatIf, whatIf } from '../../../shared/suggestions/what-if.ts';

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const rates = between(0.001, 0.4);
const shapes = fc.constantFrom(0.5, 1, 2, 4, 8, 16);
const groups: fc.Arbitrary<GroupRate> = fc
  .record({ theta: rates, beta: between(10, 5000), orderValue: between(100, 20_000) })
  .map(({ theta, beta, orderValue }) => ({ theta, alpha: theta * beta, beta, orderValue }));
const rows = fc
  .record({
    clicks: fc.integer({ min: 0, max: 50_000 }).map((tenths) => tenths / 10),
    share: between(0, 0.5),
    value: between(100, 20_000),
  })
  .map(({ clicks, share, value }) => ({ clicks, orders: clicks * share, sales: clicks * share * value }));
const limits = fc.record({
  floor: fc.option(fc.integer({ min: 1, max: 300 }), { nil: null }),
  max: fc.option(fc.integer({ min: 300, max: 5000 }), { nil: null }),
});
const bids: fc.Arbitrary<BidFacts> = fc
  .record({
    row: rows,
    group: groups,
    rowShape: shapes,
    bid: fc.integer({ min: 5, max: 2000 }),
    spend: fc.integer({ min: 0, max: 500_000 }),
    clicksTimesBid: fc.integer({ min: 0, max: 900_000 }),
    groupPaidShare: between(0.4, 1.5),
    target: between(0.5, 20),
    limits,
  })
  .map(({ row, target, ...rest }) => ({ ...row, ...rest, costShare: 1 / target, isTarget: true }));

describe('shrinkage', () => {
  test('a rate lies between its own and that of its campaign, and no data gives that of the campaign', () => {
    fc.assert(
      fc.property(rows, groups, shapes, (row, group, shape) => {
        const { theta } = rowRate(row, group, shape);
        const own = row.clicks === 0 ? group.theta : row.orders / row.clicks;
        expect(theta).toBeGreaterThanOrEqual(Math.min(own, group.theta) * (1 - 1e-9));
        expect(theta).toBeLessThanOrEqual(Math.max(own, group.theta) * (1 + 1e-9));
        expect(rowRate({ clicks: 0, orders: 0, sales: 0 }, group, shape).theta).toBeCloseTo(group.theta, 9);
      }),
    );
  });

  test('a rate rises with orders, falls with clicks, and tends to its own', () => {
    fc.assert(
      fc.property(rows, groups, shapes, (row, group, shape) => {
        const { theta } = rowRate(row, group, shape);
        expect(rowRate({ ...row, orders: row.orders + 1 }, group, shape).theta).toBeGreaterThan(theta);
        expect(rowRate({ ...row, clicks: row.clicks + 1 }, group, shape).theta).toBeLessThan(theta);
        const much = rowRate({ clicks: 1e9, orders: 3e7, sales: 0 }, group, shape);
        expect(much.theta).toBeCloseTo(0.03, 4);
      }),
    );
  });

  test('an interval holds its mean, and narrows with data', () => {
    fc.assert(
      fc.property(between(1, 500), between(10, 5000), (alpha, beta) => {
        const { low, high } = rateInterval({ alpha, beta });
        expect(low).toBeLessThan(alpha / beta);
        expect(high).toBeGreaterThan(alpha / beta);
        const more = rateInterval({ alpha: alpha * 4, beta: beta * 4 });
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
  });
});

describe('bids', () => {
  test('a wanted bid rises with sales, and falls with the target and with the share paid', () => {
    fc.assert(
      fc.property(bids, (facts) => {
        const { wanted } = suggestBid(facts);
        expect(suggestBid({ ...facts, sales: facts.sales * 1.5 + 1000 }).wanted).toBeGreaterThan(wanted);
        expect(suggestBid({ ...facts, costShare: facts.costShare / 1.5 }).wanted).toBeLessThan(wanted);
        const pricier = { ...facts, spend: facts.spend * 2 + 1000, groupPaidShare: facts.groupPaidShare * 1.2 };
        expect(suggestBid(pricier).wanted).toBeLessThanOrEqual(wanted);
      }),
    );
  });

  test('the same facts give the same cents, within one step and the limits of the service', () => {
    fc.assert(
      fc.property(bids, (facts) => {
        const { suggested, limit } = suggestBid(facts);
        const { floor, max } = facts.limits;
        expect(suggestBid(structuredClone(facts)).suggested).toBe(suggested);
        expect(Number.isInteger(suggested)).toBe(true);
        expect(suggested).toBeLessThanOrEqual(max ?? Number.POSITIVE_INFINITY);
        expect(suggested).toBeGreaterThanOrEqual(Math.min(floor ?? 0, max ?? Number.POSITIVE_INFINITY));
        if (limit !== 'floor') expect(suggested * 100).toBeLessThanOrEqual(facts.bid * 115);
        if (limit !== 'max') expect(suggested * 100).toBeGreaterThanOrEqual(facts.bid * 85);
      }),
    );
  });
});

describe('holding spend', () => {
  const held: fc.Arbitrary<HeldRow> = fc.record({
    bid: fc.integer({ min: 20, max: 1000 }),
    perClick: between(10, 1000),
    paid: between(0.4, 1.5),
    spend: fc.integer({ min: 100, max: 100_000 }),
    limits: fc.constant({ floor: null, max: null }),
  });
  const spends = fc.tuple(fc.array(held, { minLength: 1, maxLength: 12 }), between(0.5, 2));

  test('predicted spend is never above the goal, unless the lowest share cannot get there', () => {
    fc.assert(
      fc.property(spends, ([all, share]) => {
        const goal = all.reduce((sum, { spend }) => sum + spend, 0) * share;
        const { predicted, isReached, costShare } = holdSpend(all, goal);
        if (isReached) expect(predicted).toBeLessThanOrEqual(goal + 1e-6);
        else expect(costShare).toBe(0.02);
      }),
    );
  });

  test('clicks that are all worth more by one factor change no bid', () => {
    fc.assert(
      fc.property(spends, between(0.5, 2), ([all, share], factor) => {
        const goal = all.reduce((sum, { spend }) => sum + spend, 0) * share;
        const before = holdSpend(all, goal);
        const after = holdSpend(
          all.map((row) => ({ ...row, perClick: row.perClick * factor })),
          goal,
        );
        fc.pre([before, after].every(({ costShare }) => costShare > 0.03 && costShare < 7));
        expect(after.bids).toEqual(before.bids);
      }),
    );
  });
});

describe('chance, pacing and completion', () => {
  test('the chance of no order falls with clicks', () => {
    fc.assert(
      fc.property(groups, between(0, 500), (group, clicks) => {
        expect(chanceOfNoOrder(group, clicks + 1)).toBeLessThan(chanceOfNoOrder(group, clicks));
      }),
    );
  });

  test('a plan is met when the days that are left spend what is suggested', () => {
    const weights = fc.array(between(0.5, 1.5), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(
        weights,
        between(1000, 1e6),
        between(0, 0.9),
        fc.integer({ min: 1, max: 27 }),
        (of, plan, share, gone) => {
          const weekdays = Array.from({ length: 28 }, (_, at) => at % 7);
          const facts = {
            plan,
            spent: plan * share,
            daysGone: weekdays.slice(0, gone),
            daysLeft: weekdays.slice(gone),
            weights: of,
            recent: { mean: 0, deviation: 0 },
            dailyBudget: null,
          };
          const { wantedBudget } = projectMonth(facts);
          const spent = facts.daysLeft.reduce((sum, weekday) => sum + wantedBudget * (of[weekday] ?? 1), facts.spent);
          expect(spent / plan).toBeCloseTo(1, 6);
          const { projected } = projectMonth({ ...facts, recent: { mean: wantedBudget, deviation: 0 } });
          expect(projected / plan).toBeCloseTo(1, 6);
        },
      ),
    );
  });

  test('completion never falls, is never above 1, and is 1 once days are settled', () => {
    const seen = fc.record({ age: fc.integer({ min: -2, max: 40 }), final: fc.nat(500), share: between(0, 1.3) });
    fc.assert(
      fc.property(fc.constantFrom(3, 14, 30), fc.array(seen, { maxLength: 60 }), (window, days) => {
        const shares = learnCompletion(
          window,
          days.map(({ age, final, share }) => ({ age, final, seen: final * share })),
        );
        expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
        expect(shares.at(-1)).toBe(1);
        expect(shares).toHaveLength(window + 3);
      }),
    );
  });
});

/** Every number in a text: `$3,407.20`, `5.67%`, `4.8`. */
const numbersIn = (text: string): readonly string[] => text.match(/\$?\d[\d,]*(?:\.\d+)?%?/g) ?? [];

/** Amounts as cents, percentages as shares, with the step of the last digit that is shown. */
function readBack(shown: string): { readonly value: number; readonly step: number } {
  const digits = shown.replaceAll(/[$,%]/g, '');
  const places = digits.split('.')[1]?.length ?? 0;
  const scale = shown.startsWith('$') ? 100 : shown.endsWith('%') ? 0.01 : 1;
  return { value: Number(digits) * scale, step: 10 ** -places * scale };
}

/** Every number of the sentences must be one of those that the value was made of. */
function expectReadBack({ summary, steps }: Explanation, of: object, derived: readonly number[] = []): void {
  const known = [...Object.values(of), ...derived].filter((value) => typeof value === 'number');
  for (const shown of [summary, ...steps.map(({ result }) => result)].flatMap(numbersIn)) {
    const { value, step } = readBack(shown);
    const nearest = Math.min(...known.map((each) => Math.abs(Math.abs(each) - value)));
    expect(nearest, `${shown} in: ${summary}`).toBeLessThanOrEqual(step * 0.5 + 1e-9 + value * 1e-12);
  }
}

describe('explanations', () => {
  test('every number in the sentences is one of those that the value was made of', () => {
    fc.assert(
      fc.property(bids, (facts) => {
        const of = suggestBid(facts);
        expectReadBack(explainBid(of), of, [1 / of.costShare, 0.15]);
        const [suggested, bid] = numbersIn(explainBid(of).summary).map((shown) => readBack(shown).value);
        expect([Math.round(suggested ?? 0), Math.round(bid ?? 0)]).toEqual([of.suggested, of.bid]);
        const noSale = findNoSale({ ...facts, orders: 0 });
        if (noSale !== null) expectReadBack(explainNoSale(noSale), noSale);
        const rate = rowRate(facts, facts.group, facts.rowShape);
        const { clicks, spend } = facts;
        const expected = whatIf([{ bid: facts.bid, newBid: of.suggested, clicks, spend, rate }]);
        expectReadBack(explainWhatIf(expected), expected, spend > 0 ? [expected.newSpend / expected.spend - 1] : []);
      }),
    );
  });

  test('so are those of a month and of a banner', () => {
    const pace = projectMonth({
      plan: 300_000,
      spent: 138_000,
      daysGone: [1, 2, 3],
      daysLeft: [4, 5, 6, 0],
      weights: [1.12, 0.96, 0.94, 0.95, 0.98, 0.97, 1.08],
      recent: { mean: 11_234, deviation: 987 },
      dailyBudget: 20_000,
    });
    expectReadBack(explainPacing(pace), pace, [pace.high - pace.projected]);
    const swap: SwapNumbers = {
      days: 14,
      own: 0.175,
      control: -0.02,
      difference: 0.152,
      low: -0.027,
      high: 0.292,
      verdict: 'unclear',
      moreDays: 12,
    };
    expectReadBack(explainSwap(swap), swap);
  });
});
