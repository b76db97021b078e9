/**
 * The bid that a multiplier makes of a bid: raised by so many percent and cut to whole cents (document, "Bid
 * multipliers": a percentage by which the original bid is modified).
 *
 * @param multiplier hundredths of a percent; null for no multiplier
 */
export const effectiveBid = (cents: number, multiplier: number | null): number =>
  Math.floor((cents * (10_000 + (multiplier ?? 0))) / 10_000);
