/** What a bid is suggested from: amounts in cents, ROAS and its target in hundredths. */
export interface BidFacts {
  /** The bid on the service. */
  readonly bid: number | null;
  readonly clicks: number;
  readonly roas: number | null;
  readonly target: number;
  /** Limits of the service; null where there is none. */
  readonly floor: number | null;
  readonly max: number | null;
}

/** A suggested bid and how it came about, in cents. */
export interface SuggestedBid {
  readonly bid: number;
  /** Bid x ROAS / target, before any limit. */
  readonly wanted: number;
  readonly suggested: number;
  /** What has held it back. */
  readonly limit: 'step' | 'service' | null;
}

/** Fewer clicks say nothing. */
const CLICKS_MIN = 20;
/** The largest step at once, in percent. */
const STEP = 25;

/** The bid that would meet the target, were ROAS to stay; null when too little is known. */
export function suggestBid({ bid, clicks, roas, target, floor, max }: BidFacts): SuggestedBid | null {
  if (bid === null || bid === 0 || roas === null || clicks < CLICKS_MIN) return null;
  const wanted = Math.round((bid * roas) / target);
  const least = Math.ceil((bid * (100 - STEP)) / 100);
  const most = Math.floor((bid * (100 + STEP)) / 100);
  const step = Math.min(most, Math.max(least, wanted));
  const suggested = Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(floor ?? 0, step));
  const limit = suggested !== step ? 'service' : step !== wanted ? 'step' : null;
  return { bid, wanted, suggested, limit };
}
