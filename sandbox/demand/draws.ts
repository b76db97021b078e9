/**
 * Random numbers without state: each depends only on a key and a purpose, not on earlier draws. So two accounts with
 * the same seed have the same shoppers, even if one of them bids more.
 */

/**
 * A key from another key and an integer, such as a day of a row or a click of a day (a finishing mix, as in `seed.ts`).
 */
export function mix(key: number, about: number): number {
  let value = (key ^ Math.imul(about + 0x7f4a7c15, 0x9e3779b1)) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** From 0 (excluded) to 1 (excluded). */
export const uniform = (key: number, purpose: number): number => (mix(key, purpose) + 0.5) / 2 ** 32;

/** Normally distributed around 0 with the given standard deviation. */
export const normal = (key: number, purpose: number, deviation: number): number =>
  deviation * normalQuantile(uniform(key, purpose));

/** From 1 - reach to 1 + reach. */
export const around = (key: number, purpose: number, reach: number): number =>
  1 - reach + 2 * reach * uniform(key, purpose);

/** The share of a standard normal distribution below z (Abramowitz and Stegun 26.2.17; error below 1e-7). */
export function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const above = 0.3989422804014327 * Math.exp(-(z * z) / 2) * series;
  return z > 0 ? 1 - above : above;
}

/** The inverse: the z below which this share lies (Acklam's rational approximation; relative error 1.2e-9). */
function normalQuantile(share: number): number {
  if (share > 0.97575) return -normalQuantile(1 - share);
  if (share < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(share));
    const above =
      ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
        4.374664141464968) *
        q +
      2.938163982698783;
    const below =
      (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1;
    return above / below;
  }
  const q = share - 0.5;
  const r = q * q;
  const above =
    (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
    q;
  const below =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return above / below;
}

/** Above this mean a normal distribution is close enough, and much faster. */
const COUNTED_TO = 30;

/** A count with this mean (Poisson) at a quantile: a larger mean never gives a smaller count. */
export function countAt(mean: number, place: number): number {
  if (mean > COUNTED_TO) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normalQuantile(place)));
  let term = Math.exp(-mean);
  let sum = term;
  let count = 0;
  while (sum < place && term > 0) {
    count += 1;
    term *= mean / count;
    sum += term;
  }
  return count;
}
