/**
 * Weights of the days of a row. A recent day still lacks orders, so its clicks count less; an old day counts less
 * altogether. Sums stay sums: no ratio is ever averaged.
 */

/** Days after which a day counts half. */
const HALF_LIFE_DAYS = 180;
/** Days between click and order, in the start curve. */
const ORDER_DELAY_DAYS = 3;
/** Orders that the start curve counts for. */
const START_ORDERS = 50;
/** Days after the window until the service no longer changes a day. */
const SETTLED_AFTER_DAYS = 2;

/** A day is settled when it was fetched this many days later, or more. */
export const isSettled = (age: number, windowDays: number): boolean => age >= windowDays + SETTLED_AFTER_DAYS;

/** Default fraction of final orders visible at an age, before any data. */
export function startCompletion(age: number, windowDays: number): number {
  if (age >= windowDays) return 1;
  const seen = (days: number): number => 1 - Math.exp(-days / ORDER_DELAY_DAYS);
  return age <= 0 ? 0 : seen(age) / seen(windowDays);
}

/** Orders of settled days: their number, and how many of them were visible at an age. */
export interface SeenOrders {
  readonly age: number;
  readonly seen: number;
  readonly final: number;
}

/** Completion by age in days. It never decreases, and is 1 from the age at which days are settled. */
export type Completion = readonly number[];

export function learnCompletion(windowDays: number, history: readonly SeenOrders[]): Completion {
  const settled = windowDays + SETTLED_AFTER_DAYS;
  const seen = new Float64Array(settled);
  const final = new Float64Array(settled);
  for (const day of history) {
    if (day.age < 0 || day.age >= settled) continue;
    seen[day.age] = (seen[day.age] ?? 0) + day.seen;
    final[day.age] = (final[day.age] ?? 0) + day.final;
  }
  let before = 0;
  const shares = Array.from(seen, (orders, age) => {
    const start = START_ORDERS * startCompletion(age, windowDays);
    before = Math.max(before, Math.min(1, (orders + start) / ((final[age] ?? 0) + START_ORDERS)));
    return before;
  });
  return [...shares, 1];
}

export const completionAt = (completion: Completion, age: number): number =>
  completion[Math.max(0, Math.min(age, completion.length - 1))] ?? 1;

/** Weights of the clicks and the orders of a day. */
export interface DayWeight {
  readonly clicks: number;
  readonly orders: number;
}

/**
 * @param age days between the day and its fetch
 * @param daysBeforeNewest days between the day and the newest day there is
 */
export function dayWeight(completion: Completion, age: number, daysBeforeNewest: number): DayWeight {
  const memory = 2 ** (-daysBeforeNewest / HALF_LIFE_DAYS);
  return { clicks: completionAt(completion, age) * memory, orders: memory };
}

/** Sums of rows by their position: clicks and orders as they count, money in cents. */
export interface Exposures {
  readonly clicks: Float64Array;
  readonly orders: Float64Array;
  readonly sales: Float64Array;
  /** Weight of one counted event: see `eventWeight`. Default 1. */
  readonly weight?: number;
}

/**
 * Average weight of a counted event, over days with these weights. Sums of weighted orders vary less than orders do:
 * in units of this weight they vary like orders again.
 */
export function eventWeight(weights: Iterable<number>): number {
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight;
    squares += weight ** 2;
  }
  return sum === 0 ? 1 : squares / sum;
}
