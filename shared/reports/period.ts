import { addDays, daysBetween, plainDate } from '../model/plain-date.ts';
import type { PlainDate } from '../model/scalars.ts';

/** The days that metrics are shown for: the last whole days, the month so far, or two chosen days and those between. */
export type Period = `last-${number}` | 'this-month' | `${string}..${string}`;

/** Those offered by name. */
export const PERIODS = ['last-7', 'last-14', 'last-30', 'last-60', 'last-90', 'this-month'] as const;
export const FIRST_PERIOD: Period = 'last-30';
/** What the days of a period are compared with. */
export const COMPARISONS = ['before', '4-weeks', '364-days', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** More days than this are not added up at once. */
const PERIOD_DAYS_MAX = 366;

/** Both days belong to it. */
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

/** How many days `last-28` is; null for any other text. */
export function lastDays(text: string): number | null {
  const days = Number(/^last-([1-9]\d{0,2})$/.exec(text)?.[1] ?? 0);
  return days >= 1 && days <= PERIOD_DAYS_MAX ? days : null;
}

/** A period as it is typed in a search or a command: `28d`, `month`, or its two days. Null for a text that is none. */
export function typedPeriod(text: string): Period | null {
  const word = text.toLowerCase();
  const days = /^(\d+)d$/.exec(word)?.[1];
  const period = days === undefined ? (word === 'month' ? 'this-month' : word) : `last-${days}`;
  return isPeriod(period) ? period : null;
}

/** What `typedPeriod` reads back. */
export const periodWord = (period: Period): string =>
  period === 'this-month' ? 'month' : period.replace(/^last-(\d+)$/, '$1d');

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

/** As many days, directly before. */
export const spanBefore = (span: DaySpan): DaySpan => shifted(span, -daysIn(span));

/** The days that a span is compared with; weekdays stand against the same weekdays in all but the first. */
export function comparedSpan(span: DaySpan, comparison: Comparison): DaySpan | null {
  if (comparison === 'none') return null;
  return comparison === 'before' ? spanBefore(span) : shifted(span, comparison === '4-weeks' ? -28 : -364);
}

/**
 * The period one step earlier (-1) or later (1): as many days, or the whole month before one that begins on a first. A step
 * never goes past yesterday, and back there the period has its name again.
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
