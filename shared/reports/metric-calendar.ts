import { addDays, daysBetween, wallTimeInZone } from '../model/plain-date.ts';
import type { PlainDate } from '../model/scalars.ts';
import type { DaySpan } from './period.ts';

/**
 * Which days of a report type are asked for. The service goes on counting for
 * weeks: a day that was read the next morning has other numbers a month later.
 *
 *   age of the day (the day of the request minus the day)     asked for
 *   1 to 32                                                    once a day
 *   33 to 92                                                   once a week
 *   93 to 184                                                  once a month
 *   never received, or received as a gap                       with the next request, newest first
 */
export interface DayRecord {
  /** The day at the business when it was asked for last. */
  readonly fetchedOn: PlainDate;
  /** A gap is a day without the rows that it should have, or with damaged ones; one held back waits for the user. */
  readonly is: 'received' | 'gap' | 'held-back';
}

/**
 * What is known of a day:
 *
 *   none --fetched--> not-settled --fetched again, window over--> settled --its numbers change later--> restated
 *     '--asked for and not answered--> gap      '--shrinks by more than half--> held-back, until the user decides
 */
export const DAY_STATES = ['none', 'not-settled', 'settled', 'restated', 'gap', 'held-back'] as const;
export type DayState = (typeof DAY_STATES)[number];

/** Why a day is a gap that was asked for, and of which the report has no row. */
export const LEFT_OUT = 'the report left it out';

/** Ages up to which a day is asked for again, and how many days lie between two requests. */
const AGAIN = [
  { age: 32, every: 1 },
  { age: 92, every: 7 },
  { age: 184, every: 30 },
] as const;
/** A month as 2026-05: all days before the month of this one have been requested for the last time. */
export const keptAsDaysFrom = (today: PlainDate): string => addDays(today, -AGAIN[2].age).slice(0, 7);
/** A gap that is older than a month is not asked about every day: the service may never have had it. */
const GAP_EVERY = [
  { age: 32, every: 1 },
  { age: Infinity, every: 7 },
] as const;

/** So many rows make a report that the service answers and this computer reads in one piece. */
const ROWS_A_REPORT = 1_500_000;

export interface FetchMoment {
  /** The day at the business. */
  readonly today: PlainDate;
  /** Whether the metrics of yesterday are there. */
  readonly isReady: boolean;
  /** The first day that can have metrics, such as the start of the first campaign; null where nobody knows. */
  readonly since: PlainDate | null;
  /** Rows to expect of one day. */
  readonly rowsPerDay: number;
}

interface RequestLimits {
  /** Days that one report may span. */
  readonly daysMax: number;
  /** Days that the service keeps. */
  readonly historyDays: number;
}

/** Whether the metrics of yesterday are there: the service is done with them at this hour of the business. */
export const isYesterdayReady = (nowMs: number, zone: string, readyHour: number): boolean =>
  Number(wallTimeInZone(nowMs, zone).slice(11, 13)) >= readyHour;

/** Spans of days to ask for, newest first: as few as the limits allow. Days between two due ones are read along. */
export function spansToFetch(
  known: ReadonlyMap<PlainDate, DayRecord>,
  moment: FetchMoment,
  { daysMax, historyDays }: RequestLimits,
): readonly DaySpan[] {
  const { today, isReady, since, rowsPerDay } = moment;
  const length = Math.max(1, Math.min(daysMax, Math.floor(ROWS_A_REPORT / Math.max(1, rowsPerDay))));
  const spans: { from: PlainDate; to: PlainDate }[] = [];
  for (let age = isReady ? 1 : 2; age <= historyDays; age++) {
    const day = addDays(today, -age);
    if (since !== null && day < since) break;
    if (!isDue(age, known.get(day), today)) continue;
    const last = spans.at(-1);
    if (last !== undefined && daysBetween(day, last.to) < length) last.from = day;
    else spans.push({ from: day, to: day });
  }
  return spans;
}

function isDue(age: number, record: DayRecord | undefined, today: PlainDate): boolean {
  if (record === undefined) return true;
  const passed = daysBetween(record.fetchedOn, today);
  const steps = record.is === 'received' ? AGAIN : GAP_EVERY;
  const every = steps.find((step) => age <= step.age)?.every;
  return passed < 0 || (every !== undefined && passed >= every);
}
