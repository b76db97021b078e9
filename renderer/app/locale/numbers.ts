import { customSpan, lastDays, type Period } from '../../../shared/reports/period.ts';
import { locale } from './current.ts';

/** Counts, sizes and times as text, in the locale of the window. */
export const countText = (value: number): string => locale().count(value);

/** The noun is English, the number follows the locale. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${countText(value)} ${value === 1 ? one : many}`;

/** A label inside a sentence: "Click URL" becomes "click URL". Abbreviations keep their capitals. */
export const inSentence = (label: string): string => label.replace(/\b\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase());

/** Capitalizes the first letter: "ad item" becomes "Ad item". */
export const atStart = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Bytes in a readable unit: 812 B, 34 KB, 1.2 MB. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${locale().tenths(bytes / 1_000_000)} MB`;
}

/** The time of day for moments of today, day and time for older ones. */
export function timeText(epochMs: number, nowMs: number): string {
  const [at, now] = [new Date(epochMs), new Date(nowMs)];
  if (at.toDateString() === now.toDateString()) return locale().clock(epochMs);
  return at.getFullYear() === now.getFullYear() ? locale().dayAndClock(epochMs) : locale().yearAndClock(epochMs);
}

/** Weekday, day and time in full, of a timestamp of the service. */
export const momentText = (iso: string): string => locale().moment(Date.parse(iso));

/** An instant in a time zone, which is named. */
export const momentTextIn = (iso: string, zone: string): string => locale().momentIn(Date.parse(iso), zone);

/** A calendar date without its year: May 4. */
export const dayText = (day: string): string => locale().dayOfYear(day);

/** A calendar date, with its year unless that is the current one. */
export const shortDayText = (day: string): string => (isThisYear(day) ? locale().dayOfYear(day) : locale().day(day));
const isThisYear = (day: string): boolean => day.startsWith(`${new Date().getFullYear()}-`);

/** A calendar date of this year with its weekday, Mon, May 4; of another year with the year instead. */
export const weekdayText = (day: string): string => (isThisYear(day) ? locale().weekday(day) : locale().day(day));

/** Cents as whole units of the currency. */
export const wholeMoneyText = (cents: number): string => locale().wholeMoney(cents);

/** A calendar date with its year: May 4, 2030. */
export const fullDayText = (day: string): string => locale().day(day);

/** Cents with their currency symbol: $5.40. */
export const moneyText = (cents: number): string => locale().money(cents);

/** Whether the currency symbol of an input is before the amount, and not behind it as in 5,40 $. */
export const isSymbolFirst = (): boolean => moneyText(0).startsWith('$');

/** An amount with four digits at most: $1.429K. */
export const shortMoneyText = (cents: number): string => locale().shortAmount(cents);

/** In cents. Larger amounts are shortened in columns. */
const LONG_AMOUNT = 10_000_000;

/** A total that fits a column: $5,400.00, but $1.25M from a hundred thousand on. */
export const totalText = (cents: number): string =>
  cents < LONG_AMOUNT ? locale().money(cents) : shortMoneyText(cents);

/** A metric of a report, given in the smallest step of its unit. */
export function figureText(unit: 'count' | 'money' | 'percent' | 'ratio', value: number): string {
  if (unit === 'count') return countText(value);
  return `${locale().amount(value)}${unit === 'percent' ? '%' : ''}`;
}

const texts = {
  last: (days: number) => `Last ${plural(days, 'day')}`,
  month: 'This month',
} as const;

/** The name of a period: "Last 30 days", or its first and last day. */
export function periodName(period: Period): string {
  const span = customSpan(period);
  if (span !== null) return `${dayText(span.from)} – ${dayText(span.to)}`;
  return period === 'this-month' ? texts.month : texts.last(lastDays(period) ?? 0);
}
