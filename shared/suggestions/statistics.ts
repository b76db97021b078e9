/** Half of an 80% interval, in standard deviations: as the formulas have it, and with one more digit for click rates. */
export const Z80 = 1.2816;
export const Z80_CLICK_RATE = 1.28155;

/** Removes errors of binary fractions: 1.1500000000000001 is 1.15. */
export const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;

/** Cuts an amount to whole cents, after removing errors of binary fractions. */
export const cutCents = (cents: number): number => Math.floor(rounded(cents));

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Logarithm of the gamma function of a number above 0 (Lanczos, g = 7). */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = 0.99999999999980993;
  for (let at = 0; at < LANCZOS.length; at++) sum += (LANCZOS[at] ?? 0) / (x + at);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Quantile of a gamma distribution (Wilson and Hilferty). */
export const gammaQuantile = (alpha: number, beta: number, z: number): number =>
  (alpha / beta) * Math.max(0, 1 - 1 / (9 * alpha) + z / (3 * Math.sqrt(alpha))) ** 3;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
}

export const sumOf = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);
