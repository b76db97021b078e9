import { err, ok, type Result } from '../../../shared/result.ts';

/**
 * Reads a day typed in numbers in the order of the user's language and hands it on as year-month-day. With a slash the
 * world writes both day first and month first, so 4/5/2030 is refused; 4.5.2030 is day first wherever it is written.
 */
export interface DayProblem {
  readonly kind: 'two-days';
  readonly text: string;
  /** Both days as year-month-day, the way to type the one that is meant. */
  readonly readings: readonly [string, string];
}

const YEAR_LAST = /^(\d{1,2})(\s?[./-]\s?)(\d{1,2})\2(\d{4})\.?$/u;
const YEAR_FIRST = /^(\d{4})(\s?[./-]\s?)(\d{1,2})\2(\d{1,2})\.?$/u;

/** @returns year-month-day, or the text as it is when it is no day in numbers; that there is such a day is not looked at */
export function plainDay(text: string): Result<string, DayProblem> {
  const trimmed = text.trim();
  const first = YEAR_FIRST.exec(trimmed);
  if (first !== null) return ok(day(first[1], first[3], first[4]));
  const last = YEAR_LAST.exec(trimmed);
  if (last === null) return ok(trimmed);
  const [, one, sign, two, year] = last;
  const dayFirst = day(year, two, one);
  const monthFirst = day(year, one, two);
  if (sign?.trim() === '.' || one === two || Number(one) > 12) return ok(dayFirst);
  return Number(two) > 12 ? ok(monthFirst) : err({ kind: 'two-days', text: trimmed, readings: [dayFirst, monthFirst] });
}

const day = (year = '', month = '', dayOfMonth = ''): string =>
  `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
