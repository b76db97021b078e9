import { err, ok, type Result } from '../result.ts';
import type { Cell } from './field-types.ts';
import { fieldSpec } from './fields.ts';
import type { Kind } from './kinds.ts';

/**
 * Decimal amounts parsed from text and stored as integers of their smallest unit, so that no amount is ever a binary
 * fraction. Surplus digits are cut, never rounded, as the service does (document, "Bid multipliers": digits beyond two
 * decimals are truncated).
 */
export type DecimalProblem =
  | { readonly kind: 'not-a-number'; readonly text: string }
  | { readonly kind: 'too-large'; readonly text: string };

const PLAIN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const MAX_DIGITS = 15;

export interface ParsedDecimal {
  /** The amount in units of 10^-places, cut toward zero. */
  readonly units: number;
  /** True when digits other than zero were cut, which a range check needs (50000.009 is above 50000). */
  readonly wasCut: boolean;
  readonly negative: boolean;
}

/**
 * Parses `1.65`, `.5`, `1.5E3` or `-0.01` into units of 10^-places.
 *
 * @param places number of decimals; the rest is cut
 * @returns `not-a-number` for anything but a plain decimal: no currency sign, thousands separator or decimal comma
 */
export function parseDecimal(text: string, places: number): Result<ParsedDecimal, DecimalProblem> {
  const match = PLAIN.exec(text.trim());
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (match === null || whole + fraction === '') return err({ kind: 'not-a-number', text });
  const exponent = Number(match[4] ?? '0');
  const digits = whole + fraction;
  const pointAt = whole.length + exponent + places;
  const kept = pointAt <= 0 ? '' : digits.slice(0, pointAt).padEnd(Math.min(pointAt, MAX_DIGITS + 40), '0');
  const cut = pointAt <= 0 ? digits : digits.slice(pointAt);
  const significant = kept.replace(/^0+/, '');
  if (significant.length > MAX_DIGITS) return err({ kind: 'too-large', text });
  const magnitude = significant === '' ? 0 : Number(significant);
  const wasCut = /[1-9]/.test(cut);
  const negative = match[1] === '-' && (magnitude > 0 || wasCut);
  return ok({ units: negative && magnitude > 0 ? -magnitude : magnitude, wasCut, negative });
}

/** Formats units of 10^-places with exactly that many decimals: 165 at 2 places is `1.65`. */
export function formatDecimal(units: number, places: number): string {
  const sign = units < 0 ? '-' : '';
  const digits = Math.abs(units)
    .toString()
    .padStart(places + 1, '0');
  if (places === 0) return sign + digits;
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Count, sum and average of the amounts among some cells; empty cells and texts do not count. */
export function sumsOf(cells: Iterable<Cell>) {
  let count = 0;
  let sum = 0;
  for (const cell of cells) {
    if (typeof cell !== 'number') continue;
    count += 1;
    sum += cell;
  }
  return {
    count /** In the smallest step of the field: cents, or hundredths of a percent. */,
    sum /** Rounded to a whole step; null when there is no amount. */,
    average: count === 0 ? null : Math.round(sum / count),
  };
}

/**
 * The kind of total of a money column: budgets are summed, since each of them may be spent; bids are averaged, since
 * their sum has no meaning. Null for other columns.
 */
export function totalOf(kind: Kind, field: string): 'sum' | 'average' | null {
  if (fieldSpec(kind, field)?.type.is !== 'money') return null;
  return field === 'bid' ? 'average' : 'sum';
}

/**
 * A bid with a multiplier: raised by that percentage and cut to whole cents (document, "Bid multipliers": a percentage
 * by which the original bid is modified).
 *
 * @param multiplier hundredths of a percent; null for none
 */
export const effectiveBid = (cents: number, multiplier: number | null): number =>
  Math.floor((cents * (10_000 + (multiplier ?? 0))) / 10_000);
