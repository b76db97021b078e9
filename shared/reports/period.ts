import { addDays, daysBetween, plainDate } from '../model/plain-date.ts';
import type { PlainDate } from '../model/scalars.ts';

/** The days that metrics are shown for: the last whole days, the month so far, or two chosen days and those between. */
export type Period = (typeof PERIODS)[number] | `${string}..${string}`;

export const PERIODS = ['last-7', 'last-14', 'last-30', 'last-60', 'last-90', 'this-month'] as const;
export const FIRST_PERIOD: Period = 'last-30';
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
  PERIODS.some((each) => each === text) || (text.includes('..') && customSpan(text) !== null);

/** @param today the day at the business: metrics of a day are there on the next */
export function periodSpan(period: Period, today: PlainDate): DaySpan {
  const to = addDays(today, -1);
  if (period === 'this-month') {
    const from = `${today.slice(0, 8)}01` as PlainDate;
    return { from, to: to < from ? from : to };
  }
  return customSpan(period) ?? { from: addDays(today, -Number(period.slice('last-'.length))), to };
}

/** As many days, directly before. */
export const spanBefore = (span: DaySpan): DaySpan => ({
  from: addDays(span.from, -daysIn(span)),
  to: addDays(span.from, -1),
});
