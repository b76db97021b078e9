import { customSpan, lastDays, type Period } from '../../../shared/reports/period.ts';
import { locale } from './current.ts';

/** How counts, sizes and times are written on screen, in the locale of the window. */
export const countText = (value: number): string => locale().count(value);

/** The word follows the language of the texts, the number the locale. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${countText(value)} ${value === 1 ? one : many}`;

/** A label inside a sentence: "Click URL" becomes "click URL". Abbreviations keep their capitals. */
export const inSentence = (label: string): string => label.replace(/\b\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase());

/** Words at the start of a line: "ad item" becomes "Ad item". */
export const atStart = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** Bytes in the unit a person would use: 812 B, 34 KB, 1.2 MB. */
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

/** Weekday, day and time in full, of a moment written by the service. */
export const momentText = (iso: string): string => locale().moment(Date.parse(iso));

/** A calendar date as a person writes it: 4 May. */
export const dayText = (day: string): string => locale().dayOfYear(day);

/** The same, with its year if that is not this one. */
export const shortDayText = (day: string): string => (isThisYear(day) ? locale().dayOfYear(day) : locale().day(day));
const isThisYear = (day: string): boolean => day.startsWith(`${new Date().getFullYear()}-`);

/** The same with its weekday, which says nothing in another year: Mon, May 4. */
export const weekdayText = (day: string): string => (isThisYear(day) ? locale().weekday(day) : locale().day(day));

/** Cents as whole units of the currency. */
export const wholeMoneyText = (cents: number): string => locale().wholeMoney(cents);

/** The same with its year: 4 May 2030. */
export const fullDayText = (day: string): string => locale().day(day);

/** Cents with the sign of their currency: $5.40. */
export const moneyText = (cents: number): string => locale().money(cents);

/** In cents; an amount from here on is shortened where there is room for a column only. */
const LONG_AMOUNT = 10_000_000;

/** A total of money in the width of a column: $5,400.00, and $1.25M from a hundred thousand on. */
export const totalText = (cents: number): string =>
  cents < LONG_AMOUNT ? locale().money(cents) : locale().shortAmount(cents);

/** A figure of a report, given in the smallest step of its unit. */
export function figureText(unit: 'count' | 'money' | 'percent' | 'ratio', value: number): string {
  if (unit === 'count') return countText(value);
  return `${locale().amount(value)}${unit === 'percent' ? '%' : ''}`;
}

const texts = {
  last: (days: number) => `Last ${plural(days, 'day')}`,
  month: 'This month',
} as const;

/** A period in words: "Last 30 days", or its two days. */
export function periodName(period: Period): string {
  const span = customSpan(period);
  if (span !== null) return `${dayText(span.from)} – ${dayText(span.to)}`;
  return period === 'this-month' ? texts.month : texts.last(lastDays(period) ?? 0);
}
