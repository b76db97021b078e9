import { addDays, daysBetween, plainDate } from '../model/plain-date.ts';
import type { PlainDate } from '../model/scalars.ts';

/** The days of metrics: the last complete days, the month so far, or two dates and the days between. */
export type Period = `last-${number}` | 'this-month' | `${string}..${string}`;

/** Those offered by name. */
export const PERIODS = ['last-7', 'last-14', 'last-30', 'last-60', 'last-90', 'this-month'] as const;
export const FIRST_PERIOD: Period = 'last-30';
/** More days than this are not added up at once. */
const PERIOD_DAYS_MAX = 366;

/** Both days are included. */
export interface DaySpan {
  readonly from: PlainDate;
  readonly to: PlainDate;
}

export const daysIn = ({ from, to }: DaySpan): number => daysBetween(from, to) + 1;

export const customPeriod = ({ from, to }: DaySpan): Period => `${from}..${to}`;

/** The two days of a chosen period; null for one that moves with the calendar, and for a text that is no period. */
export function customSpan(period: string): DaySpan | null {
  const [from, to] = period.split('..').map(plainDate);
  if (!from || !to || from > to || daysBetween(from, to) >= PERIOD_DAYS_MAX) return null;
  return { from, to };
}

export const isPeriod = (text: string): text is Period =>
  text === 'this-month' || lastDays(text) !== null || (text.includes('..') && customSpan(text) !== null);

/** The number of days of `last-28`; null for any other text. */
export function lastDays(text: string): number | null {
  const days = Number(/^last-([1-9]\d{0,2})$/.exec(text)?.[1] ?? 0);
  return days >= 1 && days <= PERIOD_DAYS_MAX ? days : null;
}

/** Parses a period: `28d`, `last 28 days`, `month to date`, two days, or one of those above; null for anything else. */
export function periodIn(text: string): Period | null {
  const plain = text.trim().toLowerCase();
  const [, days] = /^(?:last[ -])?(\d{1,3}) ?(?:d|days?)?$/.exec(plain) ?? [];
  const period =
    days !== undefined ? `last-${days}` : /^(?:mtd|month[ -]to[ -]date)$/.test(plain) ? 'this-month' : plain;
  return isPeriod(period) ? period : null;
}

/** The period as one word that `periodIn` parses. */
export const periodWord = (period: Period): string =>
  period === 'this-month' ? 'mtd' : period.replace(/^last-(\d+)$/, '$1d');

/** @param today the day at the business: metrics of a day are there on the next */
export function periodSpan(period: Period, today: PlainDate): DaySpan {
  const to = addDays(today, -1);
  if (period === 'this-month') {
    const from = `${today.slice(0, 8)}01` as PlainDate;
    return { from, to: to < from ? from : to };
  }
  return customSpan(period) ?? { from: addDays(today, -Number(period.slice('last-'.length))), to };
}

const shifted = ({ from, to }: DaySpan, by: number): DaySpan => ({ from: addDays(from, by), to: addDays(to, by) });

/** The same number of days, directly before. */
export const spanBefore = (span: DaySpan): DaySpan => shifted(span, -daysIn(span));

/** What a period is compared with: nothing, the same number of days directly before, or the same weekdays four or 52 weeks earlier. */
export const COMPARISONS = ['none', 'before', '4-weeks', 'year'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const FIRST_COMPARISON: Comparison = 'before';

const SHIFTS = { '4-weeks': 28, year: 364 } as const;

/** The days a span is compared with; null for nothing. */
export function comparedSpan(span: DaySpan, comparison: Comparison): DaySpan | null {
  if (comparison === 'none') return null;
  return comparison === 'before' ? spanBefore(span) : shifted(span, -SHIFTS[comparison]);
}

/**
 * The period one step earlier (-1) or later (1): the same number of days, or the month before for one that begins on a
 * first. A step never ends after yesterday, and there the period gets its name again.
 */
export function stepPeriod(period: Period, by: -1 | 1, today: PlainDate): Period {
  const span = periodSpan(period, today);
  const newest = addDays(today, -1);
  if (period === 'this-month' || (lastDays(period) === null && isMonth(span))) {
    const edge = by < 0 ? addDays(span.from, -1) : addDays(span.from, 31);
    const from = `${edge.slice(0, 8)}01` as PlainDate;
    if (from > today) return period;
    const to = addDays(`${addDays(from, 31).slice(0, 8)}01` as PlainDate, -1);
    return to > newest ? 'this-month' : customPeriod({ from, to });
  }
  const days = daysIn(span);
  const next = shifted(span, by * days);
  return next.to >= newest ? `last-${days}` : customPeriod(next);
}

const isMonth = ({ from, to }: DaySpan): boolean =>
  from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && addDays(to, 1).endsWith('-01');
