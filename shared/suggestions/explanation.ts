/** Explanation of a suggestion: a few sentences, and the calculation line by line with its numbers. */
export interface Explanation {
  readonly summary: string;
  readonly steps: readonly ExplanationStep[];
}

export interface ExplanationStep {
  readonly name: string;
  readonly formula: string;
  readonly result: string;
}

export const step = (name: string, formula: string, result: string): ExplanationStep => ({ name, formula, result });

const formatter = (least: number, most: number): Intl.NumberFormat =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most });
/** Making one costs more than using it a hundred times. */
const fixed = [0, 1, 2].map((places) => formatter(places, places));
const trimmed = [0, 1, 2].map((places) => formatter(0, places));
type Places = 0 | 1 | 2;

/** `$3,407.20` of an amount in cents. */
export const dollars = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${fixed[2]?.format(Math.abs(cents) / 100) ?? ''}`;

/** `5.67%` of 0.0567. */
export const percent = (share: number, places: Places = 2): string => `${fixed[places]?.format(share * 100) ?? ''}%`;

export const signedPercent = (share: number): string => `${share < 0 ? '-' : '+'}${percent(Math.abs(share), 1)}`;

/** A number with at most so many decimals: `4.8`, `60`. */
export const plain = (value: number, places: Places = 1): string => trimmed[places]?.format(value) ?? '';

/** `4.00`: sales per dollar of spend. */
export const roasText = (value: number): string => fixed[2]?.format(value) ?? '';

/** `6 orders`, `1 order`. */
export const counted = (value: number, one: string): string => {
  const text = plain(value, 0);
  return `${text} ${text === '1' ? one : `${one}s`}`;
};

export const sentences = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' ');
