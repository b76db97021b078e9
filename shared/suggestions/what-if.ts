import { counted, dollars, type Explanation, percent, plain, sentences, step } from './explanation.ts';
import type { RowRate } from './shrinkage.ts';
import { clamp, rounded, Z80 } from './statistics.ts';

export interface Response {
  /** Powers of new bid / old bid that clicks and the cost of a click follow. */
  readonly clicks: number;
  readonly cost: number;
  /** Number of the account's own bid changes that they were learned from; 0 for the assumption. */
  readonly changes: number;
}

export const ASSUMED: Response = { clicks: 0.6, cost: 0.5, changes: 0 };
const CLICKS_DEVIATION = 0.25;
/** This many changes weigh as much as the assumption. */
const ASSUMED_CHANGES = 20;
/** Minimum clicks of both sides together for a change to count. */
const CHANGE_CLICKS = 10;
const POWER_MAX = 2;

/** A change of one bid, with two complete weeks before and after it, so that each weekday occurs equally. Spend in cents. */
export interface BidChange {
  /** New bid / old bid. */
  readonly ratio: number;
  readonly clicks: number;
  readonly newClicks: number;
  readonly spend: number;
  readonly newSpend: number;
}

/** The exponents that fit the account's own changes, shrunk towards the assumption while there are few. */
export function learnResponse(changes: readonly BidChange[]): Response {
  const known = changes.filter(({ ratio, clicks, newClicks }) => ratio !== 1 && clicks + newClicks >= CHANGE_CLICKS);
  const learned = (assumed: number, of: (change: BidChange) => number): number => {
    let [above, below, count] = [0, 0, 0];
    for (const change of known) {
      const [step, moved] = [Math.log(change.ratio), of(change)];
      if (!Number.isFinite(moved)) continue;
      // With few clicks the logarithm varies most.
      const weight = 1 / (1 / (change.clicks + HALF) + 1 / (change.newClicks + HALF));
      above += weight * step * moved;
      below += weight * step ** 2;
      count++;
    }
    if (below === 0) return assumed;
    const power = clamp(above / below, 0, POWER_MAX);
    return rounded((ASSUMED_CHANGES * assumed + count * power) / (ASSUMED_CHANGES + count));
  };
  return {
    clicks: learned(ASSUMED.clicks, ({ clicks, newClicks }) => Math.log((newClicks + HALF) / (clicks + HALF))),
    cost: learned(ASSUMED.cost, ({ clicks, newClicks, spend, newSpend }) =>
      Math.log(newSpend / newClicks / (spend / clicks)),
    ),
    changes: known.length,
  };
}
const HALF = 0.5;

export interface WhatIfRow {
  readonly bid: number;
  readonly newBid: number;
  /** For the days of the result; spend in cents. */
  readonly clicks: number;
  readonly spend: number;
  readonly rate: RowRate;
}

export type WhatIfNumbers = ReturnType<typeof whatIf>;

/**
 * Predicts clicks, spend and sales with other bids. All rows share the assumption about clicks, so its errors add up;
 * the other errors of the rows do not.
 */
export function whatIf(rows: readonly WhatIfRow[], response: Response = ASSUMED) {
  const sums = { clicks: 0, newClicks: 0, spend: 0, newSpend: 0, sales: 0, newSales: 0 };
  let own = 0;
  let shared = 0;
  for (const { bid, newBid, clicks, spend, rate } of rows) {
    const ratio = newBid / bid;
    const newClicks = clicks * ratio ** response.clicks;
    const newSales = newClicks * rate.perClick;
    sums.clicks += clicks;
    sums.newClicks += newClicks;
    sums.spend += spend;
    sums.newSpend += spend * ratio ** (response.clicks + response.cost);
    sums.sales += clicks * rate.perClick;
    sums.newSales += newSales;
    own += newSales ** 2 * (1 / rate.alpha + (newClicks > 0 ? 1 / (newClicks * rate.theta) : 0));
    shared += newSales * CLICKS_DEVIATION * Math.log(ratio);
  }
  const deviation = sums.newSales > 0 ? Math.sqrt(own + shared ** 2) / sums.newSales : 0;
  return {
    rows: rows.length,
    clicks: rounded(sums.clicks),
    newClicks: rounded(sums.newClicks),
    spend: rounded(sums.spend),
    newSpend: rounded(sums.newSpend),
    /** Expected at today's bids, and at the new ones; with the 80% interval of the latter. */
    sales: rounded(sums.sales),
    newSales: rounded(sums.newSales),
    low: rounded(sums.newSales * Math.exp(-Z80 * deviation)),
    high: rounded(sums.newSales * Math.exp(Z80 * deviation)),
    clicksPower: response.clicks,
    costPower: response.cost,
    /** Number of the account's own bid changes that the exponents were learned from. */
    changes: response.changes,
  };
}

export function explainWhatIf(of: WhatIfNumbers): Explanation {
  return {
    summary: sentences(
      `With ${counted(of.rows, 'new bid')}, weekly sales are likely between ${dollars(of.low)} and ${dollars(of.high)}.`,
      `The estimate is ${dollars(of.newSales)}, compared with ${dollars(of.sales)} at the current bids.`,
      `Weekly spend changes from ${dollars(of.spend)} to ${dollars(of.newSpend)}.`,
    ),
    steps: [
      step(
        'Clicks',
        `${plain(of.clicks)} × (new bid ÷ bid) ^ ${plain(of.clicksPower, 2)}, exponent ${of.changes === 0 ? 'assumed' : `learned from ${counted(of.changes, 'change')}`}`,
        plain(of.newClicks),
      ),
      step(
        'Spend',
        `${dollars(of.spend)} × (new bid ÷ bid) ^ ${plain(of.clicksPower + of.costPower, 2)}`,
        dollars(of.newSpend),
      ),
      step(
        'Sales',
        `at ${dollars(of.newClicks === 0 ? 0 : of.newSales / of.newClicks)} per click`,
        dollars(of.newSales),
      ),
      step(
        'Change of spend',
        `${dollars(of.newSpend)} ÷ ${dollars(of.spend)} - 1`,
        of.spend === 0 ? '-' : percent(of.newSpend / of.spend - 1, 1),
      ),
    ],
  };
}
