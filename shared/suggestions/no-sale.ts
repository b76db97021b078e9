import { counted, dollars, type Explanation, percent, plain, sentences, step } from './explanation.ts';
import { chanceOfNoOrder, type GroupRate } from './shrinkage.ts';
import { rounded } from './statistics.ts';

/** Finds rows with cost and without sales, and computes the probability that this is chance. */
const LOWER_AT = 0.15;
const PAUSE_AT = 0.05;

export interface NoSaleFacts {
  /** Of settled days only: recent days may still get orders. Amounts in cents. */
  readonly clicks: number;
  readonly orders: number;
  readonly spend: number;
  readonly group: GroupRate;
  readonly costShare: number;
}

export interface NoSaleNumbers {
  readonly clicks: number;
  readonly spend: number;
  readonly chance: number;
  readonly groupRate: number;
  readonly groupOrders: number;
  readonly groupClicks: number;
  /** Allowed cost of an order of the campaign, in cents. */
  readonly orderCost: number;
  readonly advice: 'lower' | 'pause';
}

/** @returns null with an order, or with too little data */
export function findNoSale({ clicks, orders, spend, group, costShare }: NoSaleFacts): NoSaleNumbers | null {
  if (orders > 0) return null;
  const chance = rounded(chanceOfNoOrder(group, clicks));
  if (chance > LOWER_AT) return null;
  const orderCost = rounded(group.orderValue * costShare);
  return {
    clicks: rounded(clicks),
    spend,
    chance,
    groupRate: rounded(group.theta),
    groupOrders: rounded(group.alpha),
    groupClicks: rounded(group.beta),
    orderCost,
    advice: chance <= PAUSE_AT && spend >= orderCost ? 'pause' : 'lower',
  };
}

export function explainNoSale(of: NoSaleNumbers): Explanation {
  return {
    summary: sentences(
      `${counted(of.clicks, 'click')} cost ${dollars(of.spend)} without an order.`,
      `At the campaign's conversion rate of ${percent(of.groupRate)}, the chance of this is ${percent(of.chance, 1)}.`,
    ),
    steps: [
      step(
        'Chance of no order',
        `(${plain(of.groupClicks)} ÷ (${plain(of.groupClicks)} + ${plain(of.clicks)})) ^ ${plain(of.groupOrders)}`,
        percent(of.chance, 1),
      ),
      step(
        'Advice',
        `lower the bid at ${percent(LOWER_AT, 0)} or less; pause at ${percent(PAUSE_AT, 0)} or less and at least ${dollars(of.orderCost)} of spend`,
        of.advice === 'pause' ? 'Pause' : 'Lower the bid',
      ),
    ],
  };
}
