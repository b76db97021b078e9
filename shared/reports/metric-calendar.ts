import { addDays, daysBetween, wallTimeInZone } from '../model/plain-date.ts';
import type { PlainDate } from '../model/scalars.ts';
import type { DaySpan } from './period.ts';

/**
 * The days of a report type to request. The service continues to count for weeks: a day that was read the next morning
 * has other numbers a month later.
 *
 *   age of the day (the day of the request minus the day)     requested
 *   1 to 32                                                    once a day
 *   33 to 92                                                   once a week
 *   93 to 184                                                  once a month
 *   never received, or received as a gap                       with the next request, newest first
 */
export interface DayRecord {
  /** Date in the business time zone of the last request. */
  readonly fetchedOn: PlainDate;
  /** A gap is a day without the expected rows, or with damaged ones; a held-back one waits for the user's decision. */
  readonly is: 'received' | 'gap' | 'held-back';
}

/**
 * State of a day:
 *
 *   none --fetched--> not-settled --fetched again, window over--> settled --its numbers change later--> restated
 *     '--requested, no data--> gap          '--shrinks by more than half--> held-back, until the user decides
 */
export const DAY_STATES = ['none', 'not-settled', 'settled', 'restated', 'gap', 'held-back'] as const;
export type DayState = (typeof DAY_STATES)[number];

/** Reason of a gap: the day was requested and the report has no row of it. */
export const LEFT_OUT = 'the report left it out';

/** Ages up to which a day is requested again, and the number of days between two requests. */
const AGAIN = [
  { age: 32, every: 1 },
  { age: 92, every: 7 },
  { age: 184, every: 30 },
] as const;
/** A month as 2026-05: all days before the month of this one have been requested for the last time. */
export const keptAsDaysFrom = (today: PlainDate): string => addDays(today, -AGAIN[2].age).slice(0, 7);
/** A gap older than a month is not requested every day: the service may never have had it. */
const GAP_EVERY = [
  { age: 32, every: 1 },
  { age: Infinity, every: 7 },
] as const;

/** Most rows of a report that the service returns and this computer reads in one piece. */
const ROWS_A_REPORT = 1_500_000;

export interface FetchMoment {
  /** The day at the business. */
  readonly today: PlainDate;
  /** Whether the metrics of yesterday are there. */
  readonly isReady: boolean;
  /** The first day that can have metrics, such as the start of the first campaign; null if unknown. */
  readonly since: PlainDate | null;
  /** Rows to expect of one day. */
  readonly rowsPerDay: number;
}

interface RequestLimits {
  /** Days that one report may span. */
  readonly daysMax: number;
  /** Number of past days available on the service. */
  readonly historyDays: number;
}

/** Whether the metrics of yesterday are there: the service is done with them at this hour of the business. */
export const isYesterdayReady = (nowMs: number, zone: string, readyHour: number): boolean =>
  Number(wallTimeInZone(nowMs, zone).slice(11, 13)) >= readyHour;

/** Spans of days to request, newest first: as few as the limits allow. Days between two due ones are included. */
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
