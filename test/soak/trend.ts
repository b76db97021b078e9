/** A slope with the bounds between which it lies, per unit of time. */
export interface Trend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** Of the standard normal distribution: both bounds hold with 95 %. */
const Z = 1.96;

/**
 * The Theil-Sen slope of values over time, the median of the slopes of all pairs, with the bounds that Sen takes from
 * the variance of Kendall's statistic, ties counted. A collection of garbage or a burst moves a mean; it moves this by
 * a rank. With a few values the bounds are far apart, as they should be.
 *
 * @param values at even distances, at least three
 * @param every time between two of them
 */
export function trendOf(values: readonly number[], every: number): Trend {
  const slopes: number[] = [];
  for (const [i, first] of values.entries()) {
    for (const [ahead, second] of values.slice(i + 1).entries()) slopes.push((second - first) / ((ahead + 1) * every));
  }
  slopes.sort((one, other) => one - other);
  const spread = Z * Math.sqrt(kendallVariance(values));
  const rank = (at: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(at)))] ?? Number.NaN;
  const middle = (slopes.length - 1) / 2;
  return {
    slope: (rank(Math.floor(middle)) + rank(Math.ceil(middle))) / 2,
    low: rank(middle - spread / 2),
    high: rank(middle + spread / 2),
  };
}

/** Variance of the number of rising pairs less the falling ones, where nothing but chance orders the values. */
function kendallVariance(values: readonly number[]): number {
  const term = (n: number): number => n * (n - 1) * (2 * n + 5);
  const ties = [...Map.groupBy(values, (value) => value).values()].reduce((sum, same) => sum + term(same.length), 0);
  return (term(values.length) - ties) / 18;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
