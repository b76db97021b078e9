import type { RowId } from '../model/scalars.ts';
import { wantedBid } from './bid.ts';
import { counted, dollars, type Explanation, plain, roasText, sentences, step } from './explanation.ts';
import { type GroupRate, type RowSums, rowRate } from './shrinkage.ts';
import { cutCents } from './statistics.ts';

/** Turns a text with sales into a keyword with a narrower match type. */
const ORDERS_MIN = 2;
const CLICKS_MIN = 10;
/** The first bid is at most this percentage of the present cost of a click. */
const COST_PERCENT = 120;
const NARROWER = { broad: 'phrase', phrase: 'exact', none: 'exact' } as const;

export type HarvestMatch = 'broad' | 'phrase' | 'exact' | 'none';

export interface HarvestFacts extends RowSums {
  /** `none` for a search term that is no keyword yet. */
  readonly matchType: HarvestMatch;
  readonly spend: number;
  readonly rawClicks: number;
  readonly group: GroupRate;
  readonly rowShape: number;
  readonly paid: number;
  readonly costShare: number;
  readonly floor: number | null;
  readonly max: number | null;
  /** Match types the text has in the ad group, distinct texts in it, and the limit of the latter. */
  readonly taken: readonly HarvestMatch[];
  readonly texts: number;
  readonly textsMax: number;
  readonly isNewText: boolean;
  /** An ad group of another campaign that advertises the same item and lacks the text; null for its own ad group. */
  readonly into: HarvestTarget | null;
}

interface HarvestTarget {
  readonly adGroupId: RowId;
  readonly campaign: string;
}

export interface HarvestNumbers {
  readonly into: RowId | null;
  readonly intoCampaign: string | null;
  readonly matchType: 'phrase' | 'exact';
  readonly bid: number;
  readonly clicks: number;
  readonly orders: number;
  readonly perClick: number;
  readonly cost: number;
  readonly costShare: number;
  readonly clickCost: number;
  readonly wanted: number;
  /** Number of texts that the ad group can still have. */
  readonly headroom: number;
}

export type HarvestRefusal = 'too-little' | 'match-types' | 'texts-full';

export function findHarvest(facts: HarvestFacts): HarvestNumbers | HarvestRefusal | null {
  const { matchType, spend, rawClicks, orders, clicks, costShare, paid, taken, texts, textsMax } = facts;
  if (matchType === 'exact' || rawClicks === 0) return null;
  const target = NARROWER[matchType];
  if (orders < ORDERS_MIN || clicks < CLICKS_MIN) return 'too-little';
  const { perClick } = rowRate(facts, facts.group, facts.rowShape);
  const cost = spend / rawClicks;
  if (perClick * costShare < cost) return null;
  if (taken.includes(target)) return 'match-types';
  if (facts.isNewText && texts >= textsMax) return 'texts-full';
  const wanted = wantedBid(costShare, perClick, paid);
  const capped = cutCents(Math.min(wanted, (cost * COST_PERCENT) / 100, facts.max ?? Number.POSITIVE_INFINITY));
  return {
    into: facts.into?.adGroupId ?? null,
    intoCampaign: facts.into?.campaign ?? null,
    matchType: target,
    bid: Math.max(facts.floor ?? 1, capped),
    clicks,
    orders,
    perClick,
    cost,
    costShare,
    clickCost: perClick * costShare,
    wanted,
    headroom: Math.max(0, textsMax - texts),
  };
}

export function explainHarvest(of: HarvestNumbers): Explanation {
  return {
    summary: sentences(
      of.intoCampaign === null
        ? `Add this text as ${of.matchType} match with a bid of ${dollars(of.bid)}.`
        : `Add this text to "${of.intoCampaign}" as ${of.matchType} match with a bid of ${dollars(of.bid)}.`,
      of.intoCampaign === null ? null : 'That campaign advertises the same item.',
      `${counted(of.clicks, 'click')} led to ${counted(of.orders, 'order')}.`,
      `Sales per click are ${dollars(of.perClick)}. The target cost per click is ${dollars(of.clickCost)}, the current one ${dollars(of.cost)}.`,
      'A new keyword needs a review.',
    ),
    steps: [
      step(
        'Target cost per click',
        `${dollars(of.perClick)} ÷ ROAS ${roasText(1 / of.costShare)}`,
        dollars(of.clickCost),
      ),
      step('Bid at target', 'target cost per click ÷ cost per click as a share of the bid', dollars(of.wanted)),
      step('Bid', `at most ${COST_PERCENT}% of ${dollars(of.cost)}, at least the minimum bid`, dollars(of.bid)),
      step('Keywords left', 'up to the limit of this ad group', plain(of.headroom, 0)),
    ],
  };
}
