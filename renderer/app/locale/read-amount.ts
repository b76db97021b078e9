import { digitDate } from '../../../shared/model/plain-date.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { NumberStyle } from './locale.ts';

/**
 * Reads typed amounts in the number style of the user's language, as digits with a decimal point, which is the format
 * of the rest of the program.
 *
 *   own separators  1.234,56 (German), 1’234.56 (Swiss), 1 234,56 (French): read, because they have one meaning
 *   a point         1.50 is read everywhere, because files, filters and the service use it
 *   two readings    1.234 may be a thousand or a bit more than one: refused, with both ways to write it
 */
export type AmountProblem =
  /** `readings` are the two possible amounts, as they have to be typed; null if none can be suggested. */
  | { readonly kind: 'two-readings'; readonly text: string; readonly readings: readonly [string, string] | null }
  | { readonly kind: 'not-a-number'; readonly text: string };

/** Separators that any language uses in numbers, after spaces and apostrophes were normalized. */
const MARKS = ".,' ٫٬";
const BLANKS = /[\u00a0\u2009\u202f]/gu;
const APOSTROPHES = /[’‘`]/gu;
/** Direction marks, which are copied along with a number from Arabic or Hebrew text. */
const DIRECTIONS = /[\u200e\u200f\u061c]/gu;
/** Includes the currency symbol, which is copied along with an amount of the window. */
const SIGN_AND_UNIT = /^([+-]?)\s*\$?\s*(.*?)(\s*%)?$/su;
/** `1.234` and `12,345`: three digits after the only separator, and a whole part of one to three digits. */
const THOUSANDS = /^([1-9]\d{0,2})[.,](\d{3})$/;

/** @returns digits with a decimal point, sign and `%` as typed; text without a number is only trimmed */
export function plainAmount(text: string, style: NumberStyle): Result<string, AmountProblem> {
  const [, sign = '', body = '', unit = ''] = SIGN_AND_UNIT.exec(asciiDigits(text, style).trim()) ?? [];
  if (body === '') return ok(text.trim());
  const plain = plainBody(body, style);
  if (plain === null) return err(problemOf(text.trim(), body, style));
  return ok(`${sign}${plain}${unit.trim()}`);
}

/** Rewrites every amount of a formula such as `1,20+5%`; operators and other text stay as they are. */
export function plainSum(text: string, style: NumberStyle): Result<string, AmountProblem> {
  const run = new RegExp(`[${MARKS}]?\\d(?:[\\d${MARKS}]*[\\d.,٫])?`, 'gu');
  let problem: AmountProblem | null = null;
  const plain = asciiDigits(text, style).replace(run, (amount) => {
    const read = plainAmount(amount, style);
    if (!read.ok) problem ??= read.error;
    return read.ok ? read.value : amount;
  });
  return problem === null ? ok(plain) : err(problem);
}

/** An amount with a decimal point as the user would type it: `1234.50` is `1234,50` in German. Digits stay 0 to 9. */
export const typedAmount = (plain: string, style: NumberStyle): string => plain.replace('.', style.decimal);

function plainBody(body: string, style: NumberStyle): string | null {
  const mantissa = /^(.*?)(e[+-]?\d{1,3})$/iu.exec(body);
  if (mantissa !== null) {
    const plain = plainBody(mantissa[1] ?? '', style);
    return plain === null ? null : plain + (mantissa[2] ?? '');
  }
  const decimal = escaped(style.decimal);
  if (new RegExp(`^\\d*(${decimal}\\d*)?$`, 'u').test(body) && /\d/.test(body)) return body.replace(style.decimal, '.');
  const grouped = ungrouped(body, style);
  if (grouped !== null) return grouped;
  return /^\d*\.\d*$/.test(body) && /\d/.test(body) && !THOUSANDS.test(body) ? body : null;
}

/** An amount without its thousands separators; null if it has none, or if the only one could be a decimal separator. */
function ungrouped(body: string, style: NumberStyle): string | null {
  const group = oneOfEach(style.group);
  if (group === '') return null;
  const mark = escaped(group);
  // Indian numbers have groups of two digits before the last three.
  const whole = `[1-9]\\d{0,2}(?:${mark}\\d{2,3})*${mark}\\d{3}`;
  const match = new RegExp(`^(${whole})(?:${escaped(style.decimal)}(\\d*))?$`, 'u').exec(body);
  if (match === null) return null;
  if (match[2] === undefined && THOUSANDS.test(body)) return null;
  return (match[1] ?? '').replaceAll(group, '') + (match[2] === undefined ? '' : `.${match[2]}`);
}

function problemOf(text: string, body: string, style: NumberStyle): AmountProblem {
  const [, whole = '', part = ''] = THOUSANDS.exec(body) ?? [];
  if (whole !== '') {
    return { kind: 'two-readings', text, readings: [whole + part, typedAmount(`${whole}.${part}`, style)] };
  }
  const isNumeric = [...body].every((char) => /\d/.test(char) || MARKS.includes(char));
  return isNumeric ? { kind: 'two-readings', text, readings: null } : { kind: 'not-a-number', text };
}

const oneOfEach = (text: string): string =>
  text.replace(DIRECTIONS, '').replace(BLANKS, ' ').replace(APOSTROPHES, "'").replaceAll('\u2212', '-');

const asciiDigits = (text: string, style: NumberStyle): string =>
  style.digits[0] === '0'
    ? oneOfEach(text)
    : [...oneOfEach(text)].map((char) => (style.digits.includes(char) ? style.digits.indexOf(char) : char)).join('');

const escaped = (sign: string): string => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Reads a numeric date in the order of the user's language as year-month-day. Dates with slashes are written both day
 * first and month first, so 4/5/2030 is refused; 4.5.2030 is day first everywhere.
 */
export interface DayProblem {
  readonly kind: 'two-days';
  readonly text: string;
  /** Both possible days as year-month-day, which is how to type the right one. */
  readonly readings: readonly [string, string];
}

/** @returns year-month-day, or the text unchanged if it is no numeric date. The day may not exist in the calendar */
export function plainDay(text: string): Result<string, DayProblem> {
  const date = digitDate(text);
  if (date === null) return ok(text.trim());
  const { monthFirst, dayFirst } = date;
  if (date.hasPoints || monthFirst === dayFirst || !hasMonth(monthFirst)) return ok(dayFirst);
  if (!hasMonth(dayFirst)) return ok(monthFirst);
  return err({ kind: 'two-days', text: text.trim(), readings: [dayFirst, monthFirst] });
}

const hasMonth = (day: string): boolean => Number(day.slice(5, 7)) <= 12;
