import { type BidLimits, limitBid, wantedBid } from './bid.ts';
import { clamp, rounded, sumOf } from './statistics.ts';

/** The same money, spread better: the share of sales that may be paid is chosen so that predicted spend stays the same. */

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
  /** In cents, for the days that the spend of the rows is of. */
  readonly predicted: number;
  readonly goal: number;
  /** False where even the lowest bids of one step spend more. */
  readonly isReached: boolean;
}

/**
 * @param spend what the rows spent in complete days, in cents
 * @param wantedPerDay what they should spend a day; observed is what they did
 */
export const spendGoal = (spend: number, wantedPerDay: number, observedPerDay: number): number =>
  observedPerDay <= 0 ? spend : spend * clamp(wantedPerDay / observedPerDay, 0.5, 2);

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
