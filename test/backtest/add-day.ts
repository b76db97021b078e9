import type { DayWeight, Exposures } from '../../shared/suggestions/exposure.ts';

export const noExposures = (rows: number): Exposures => ({
  clicks: new Float64Array(rows),
  orders: new Float64Array(rows),
  sales: new Float64Array(rows),
});

/** The metrics of a day, as the service counts them: `row` says whose they are. */
interface DayColumns {
  readonly row: ArrayLike<number>;
  readonly clicks: ArrayLike<number>;
  readonly orders: ArrayLike<number>;
  readonly sales: ArrayLike<number>;
}

/** Adds a day to the sums. */
export function addDay(sums: Exposures, { row, clicks, orders, sales }: DayColumns, weight: DayWeight): void {
  for (let at = 0; at < row.length; at++) {
    const own = row[at] ?? 0;
    sums.clicks[own] = (sums.clicks[own] ?? 0) + (clicks[at] ?? 0) * weight.clicks;
    sums.orders[own] = (sums.orders[own] ?? 0) + (orders[at] ?? 0) * weight.orders;
    sums.sales[own] = (sums.sales[own] ?? 0) + (sales[at] ?? 0) * weight.orders;
  }
}
