import { counted, dollars, type Explanation, percent, plain, roasText, sentences, step } from './explanation.ts';
import { type GroupRate, type RowRate, type RowSums, rateInterval, rowRate } from './shrinkage.ts';
import { clamp, cutCents, rounded } from './statistics.ts';

/** Cents of clicks x bid that the campaign's share paid of the bid counts for. */
const PAID_PRIOR_CENTS = 2000;
const PAID_MIN = 0.4;
const PAID_MAX = 3;
/** The largest step at once, in percent. */
export const STEP_PERCENT = 15;
/** Less of a change than either is none. */
const LEAST_CENTS = 2;
const LEAST_PERCENT = 2;
const FAIR_ORDERS = 1;
const FIRM_ORDERS = 5;

/** The ratio of cost to bid, bid multipliers included. Amounts in cents. */
export const paidShare = (spend: number, clicksTimesBid: number, groupShare: number): number =>
  clamp(rounded((spend + PAID_PRIOR_CENTS * groupShare) / (clicksTimesBid + PAID_PRIOR_CENTS)), PAID_MIN, PAID_MAX);

export type Evidence = 'none' | 'fair' | 'firm';

/** The evidence of clicks: the orders that an average row of the campaign would have had. */
export const evidenceOf = (expectedOrders: number): Evidence =>
  expectedOrders < FAIR_ORDERS ? 'none' : expectedOrders < FIRM_ORDERS ? 'fair' : 'firm';

/** Limits of the service, in cents; null for no limit. */
export interface BidLimits {
  readonly floor: number | null;
  readonly max: number | null;
}

export type BidLimit = 'step' | 'floor' | 'max' | null;

/** Moves at most one step towards the wanted bid, cuts to cents, then applies the limits of the service. */
export function limitBid(
  bid: number,
  wanted: number,
  { floor, max }: BidLimits,
): { readonly suggested: number; readonly limit: BidLimit } {
  const least = Math.ceil((bid * (100 - STEP_PERCENT)) / 100);
  const most = Math.floor((bid * (100 + STEP_PERCENT)) / 100);
  const cut = cutCents(clamp(wanted, least, most));
  const raised = Math.max(floor ?? 0, cut);
  const suggested = Math.min(max ?? Number.POSITIVE_INFINITY, raised);
  const limit = suggested < raised ? 'max' : raised > cut ? 'floor' : wanted < least || wanted > most ? 'step' : null;
  return { suggested, limit };
}

/** True when the change is large enough for an edit. */
export const isWorthwhile = (bid: number, suggested: number): boolean =>
  Math.abs(suggested - bid) >= LEAST_CENTS && Math.abs(suggested - bid) * 100 >= bid * LEAST_PERCENT;

export interface BidFacts extends RowSums {
  /** The bid on the service, in cents. */
  readonly bid: number;
  readonly group: GroupRate;
  readonly rowShape: number;
  /** All spend, and clicks times the bid of their day, in cents. */
  readonly spend: number;
  readonly clicksTimesBid: number;
  readonly groupPaidShare: number;
  /** Allowed cost per dollar of sales: 1 / target ROAS. */
  readonly costShare: number;
  /** False where the share keeps the spend of a campaign instead of meeting a target. */
  readonly isTarget: boolean;
  readonly limits: BidLimits;
}

/** A bid with all numbers of its calculation. Amounts in cents. */
export interface BidNumbers extends RowSums {
  readonly bid: number;
  readonly suggested: number;
  readonly limit: BidLimit;
  readonly wanted: number;
  /** 80% interval of the wanted bid. */
  readonly low: number;
  readonly high: number;
  readonly rate: number;
  readonly groupRate: number;
  readonly rowShape: number;
  /** Clicks that the campaign's rate counts for. */
  readonly groupClicks: number;
  readonly orderValue: number;
  readonly groupOrderValue: number;
  readonly perClick: number;
  readonly costShare: number;
  readonly isTarget: boolean;
  /** Allowed cost of a click. */
  readonly clickCost: number;
  readonly spend: number;
  readonly clicksTimesBid: number;
  readonly groupPaidShare: number;
  readonly paid: number;
  readonly expectedOrders: number;
  readonly evidence: Evidence;
}

export const wantedBid = (costShare: number, perClick: number, paid: number): number => (costShare * perClick) / paid;

export function suggestBid(facts: BidFacts): BidNumbers {
  const { bid, clicks, orders, sales, group, rowShape, spend, clicksTimesBid, groupPaidShare, costShare } = facts;
  const rate: RowRate = rowRate(facts, group, rowShape);
  const paid = paidShare(spend, clicksTimesBid, groupPaidShare);
  const wanted = rounded(wantedBid(costShare, rate.perClick, paid));
  const interval = rateInterval(rate);
  const expectedOrders = rounded(clicks * group.theta);
  return {
    bid,
    ...limitBid(bid, wanted, facts.limits),
    wanted,
    low: rounded(wantedBid(costShare, interval.low * rate.orderValue, paid)),
    high: rounded(wantedBid(costShare, interval.high * rate.orderValue, paid)),
    clicks: rounded(clicks),
    orders: rounded(orders),
    sales: rounded(sales),
    rate: rounded(rate.theta),
    groupRate: rounded(group.theta),
    rowShape,
    groupClicks: rounded(rowShape / group.theta),
    orderValue: rounded(rate.orderValue),
    groupOrderValue: rounded(group.orderValue),
    perClick: rounded(rate.perClick),
    costShare: rounded(costShare),
    isTarget: facts.isTarget,
    clickCost: rounded(costShare * rate.perClick),
    spend,
    clicksTimesBid,
    groupPaidShare: rounded(groupPaidShare),
    paid,
    expectedOrders,
    evidence: evidenceOf(expectedOrders),
  };
}

/** True when the floor of the service is above the value of the clicks. */
export const isFloorTooHigh = ({ limit, suggested, wanted }: BidNumbers): boolean =>
  limit === 'floor' && wanted < suggested;

const EVIDENCE_WORDS: Readonly<Record<Evidence, string>> = { firm: 'firm', fair: 'fair', none: 'too little' };

export function explainBid(of: BidNumbers): Explanation {
  const roas = roasText(1 / of.costShare);
  const goal = of.isTarget ? `At a target ROAS of ${roas}` : `To keep spend steady, at a ROAS of ${roas}`;
  const most = Math.floor((of.bid * (100 + STEP_PERCENT)) / 100);
  const least = Math.ceil((of.bid * (100 - STEP_PERCENT)) / 100);
  const limited: Record<Exclude<BidLimit, null>, string> = {
    step: `A bid changes by at most ${STEP_PERCENT}% at a time.`,
    floor: 'The minimum bid is above the bid at target.',
    max: 'It is limited by the maximum bid.',
  };
  return {
    summary: sentences(
      `Suggested bid ${dollars(of.suggested)}, now ${dollars(of.bid)}.`,
      `${counted(of.clicks, 'click')} led to ${counted(of.orders, 'order')} with an average value of ${dollars(of.orderValue)}.`,
      `Sales per click are ${dollars(of.perClick)}, adjusted toward the campaign average.`,
      `${goal}, a click can cost ${dollars(of.clickCost)}.`,
      `Your cost per click is ${percent(of.paid, 0)} of your bid, so the bid at target is ${dollars(of.wanted)}.`,
      of.limit === null ? null : limited[of.limit],
    ),
    steps: [
      step(
        'Conversion rate',
        `(${plain(of.orders)} orders + ${plain(of.rowShape)}) ÷ (${plain(of.clicks)} clicks + ${plain(of.groupClicks)}); campaign average ${percent(of.groupRate)}`,
        percent(of.rate),
      ),
      step(
        'Average order value',
        `(${dollars(of.sales)} + 3 × ${dollars(of.groupOrderValue)}) ÷ (${plain(of.orders)} + 3)`,
        dollars(of.orderValue),
      ),
      step('Sales per click', `${percent(of.rate)} × ${dollars(of.orderValue)}`, dollars(of.perClick)),
      step('Target cost per click', `${dollars(of.perClick)} ÷ ROAS ${roas}`, dollars(of.clickCost)),
      step(
        'Cost per click as a share of the bid',
        `(${dollars(of.spend)} + ${dollars(PAID_PRIOR_CENTS)} × ${percent(of.groupPaidShare, 0)}) ÷ (${dollars(of.clicksTimesBid)} + ${dollars(PAID_PRIOR_CENTS)})`,
        percent(of.paid, 1),
      ),
      step('Bid at target', `${dollars(of.clickCost)} ÷ ${percent(of.paid, 1)}`, dollars(of.wanted)),
      step('Likely range (80%)', 'from the range of the conversion rate', `${dollars(of.low)} to ${dollars(of.high)}`),
      step(
        'Suggested bid',
        `at most ${STEP_PERCENT}% up or down: ${dollars(least)} to ${dollars(most)}${of.limit === null || of.limit === 'step' ? '' : `. ${limited[of.limit]}`}`,
        dollars(of.suggested),
      ),
      step(
        'Evidence',
        `${plain(of.clicks)} clicks × ${percent(of.groupRate)}`,
        `${plain(of.expectedOrders)} expected orders: ${EVIDENCE_WORDS[of.evidence]}`,
      ),
    ],
  };
}
