import { type BidLimits, limitBid, wantedBid } from './bid.ts';
import type { RowsFacts, SuggestionFacts } from './facts.ts';
import type { ScopedGoal } from './goals.ts';
import { clamp, rounded, sumOf } from './statistics.ts';

/** Spend grows with this power of the bid: more clicks, each at a higher price. */
const SPEND_EXPONENT = 1.1;
const LOWEST = 0.02;
const HIGHEST = 8;
const HALVINGS = 40;

export interface HeldRow {
  readonly bid: number;
  readonly perClick: number;
  readonly paid: number;
  readonly spend: number;
  readonly limits: BidLimits;
}

export interface HeldSpend {
  readonly costShare: number;
  readonly bids: readonly number[];
  /** In cents, for the days of the rows' spend. */
  readonly predicted: number;
  readonly goal: number;
  /** False where even the lowest bids of one step spend more. */
  readonly isReached: boolean;
}

/**
 * @param spend spend of the rows in complete days, in cents
 * @param wantedPerDay target per day; `observedPerDay` is the actual spend per day
 */
export const spendGoal = (spend: number, wantedPerDay: number, observedPerDay: number): number =>
  observedPerDay <= 0 ? spend : spend * clamp(wantedPerDay / observedPerDay, 0.5, 2);

/** Cents a day, of the days with metrics among the last 7 and among the last 28. */
interface DailySpend {
  readonly week: number;
  readonly month: number;
}

/**
 * Spend of the campaigns under each goal. Keywords and items of a campaign report the same clicks, and one of the two
 * reports may be missing, so the larger sum is used.
 */
export function dailySpendByGoal(facts: SuggestionFacts): ReadonlyMap<ScopedGoal, DailySpend> {
  const { campaigns, keywords, adItems, weekDays, monthDays } = facts;
  const byCampaign = (name: 'weekSpend' | 'monthSpend', days: number): readonly number[] => {
    const sumsOf = (of: RowsFacts): Float64Array => {
      const sums = new Float64Array(campaigns.length);
      for (const [at, { campaign }] of of.rows.entries()) sums[campaign] = (sums[campaign] ?? 0) + (of[name][at] ?? 0);
      return sums;
    };
    const [ofKeywords, ofItems] = [sumsOf(keywords), sumsOf(adItems)];
    return campaigns.map((_, at) => Math.max(ofKeywords[at] ?? 0, ofItems[at] ?? 0) / Math.max(1, days));
  };
  const [week, month] = [byCampaign('weekSpend', weekDays), byCampaign('monthSpend', monthDays)];
  const spend = new Map<ScopedGoal, DailySpend>();
  for (const [at, { goal }] of campaigns.entries()) {
    if (goal === null) continue;
    const known = spend.get(goal) ?? { week: 0, month: 0 };
    spend.set(goal, { week: known.week + (week[at] ?? 0), month: known.month + (month[at] ?? 0) });
  }
  return spend;
}

/** The fixed spend of a goal without an amount: the mean per day of its campaigns in the last 28 days, in whole cents. */
export const usualAmount = ({ month }: Pick<DailySpend, 'month'>): number => Math.round(month);

/** Goals with fixed spend and no amount, each with its computed one. */
export const heldWithoutAmount = (facts: SuggestionFacts): readonly ScopedGoal[] =>
  Array.from(dailySpendByGoal(facts)).flatMap(([{ scope, goal }, spend]) => {
    const perDay = usualAmount(spend);
    return goal.is === 'hold' && goal.perDay === null && perDay > 0 ? [{ scope, goal: { is: 'hold', perDay } }] : [];
  });

/** Redistributes the same spend: the allowed share of sales is chosen so that predicted spend stays the same. */
export function holdSpend(rows: readonly HeldRow[], goal: number): HeldSpend {
  const bidsAt = (share: number): readonly number[] =>
    rows.map(
      ({ bid, perClick, paid, limits }) => limitBid(bid, rounded(wantedBid(share, perClick, paid)), limits).suggested,
    );
  const predict = (bids: readonly number[]): number => {
    let at = 0;
    return sumOf(rows, ({ bid, spend }) => spend * ((bids[at++] ?? bid) / bid) ** SPEND_EXPONENT);
  };
  let [low, high] = [LOWEST, HIGHEST];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = Math.sqrt(low * high);
    if (predict(bidsAt(middle)) <= goal) low = middle;
    else high = middle;
  }
  const bids = bidsAt(low);
  const predicted = predict(bids);
  return { costShare: low, bids, predicted: rounded(predicted), goal, isReached: predicted <= goal };
}
