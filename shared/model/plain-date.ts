import type { PlainDate } from './scalars.ts';

/**
 * Calendar dates of the business zone. They are compared and shifted as dates, so a change of the
 * machine's time zone or of daylight saving never moves a campaign's flight.
 */
const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** The date the service understands as "no end" (wire shapes, section 2). */
export const OPEN_END = '9999-12-30' as PlainDate;

/** Reads `yyyy-MM-dd`; null when the text is not a date of the calendar (2026-02-30). */
export function plainDate(text: string): PlainDate | null {
  const match = SHAPE.exec(text.trim());
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const instant = new Date(Date.UTC(year, month - 1, day));
  const sameDay = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
  return sameDay && year >= 1000 ? (match[0] as PlainDate) : null;
}

/** The same date, a number of days later (or earlier). */
export function addDays(date: PlainDate, days: number): PlainDate {
  const start = Date.parse(`${date}T00:00:00Z`);
  return new Date(start + days * DAY_MS).toISOString().slice(0, 10) as PlainDate;
}

/** Whole days from the first date to the second; negative when the second is earlier. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/**
 * One formatter for each zone that was asked for. Each holds some 30 kB outside the JavaScript heap, where the
 * collector does not see them: made anew for every question they pile up by the hundred megabytes.
 */
const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(zone: string): Intl.DateTimeFormat {
  const known = calendars.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(zone, made);
  return made;
}

/** The calendar date that a clock on the wall of the business zone shows at this instant. */
export const dateInZone = (epochMs: number, zone: string): PlainDate => calendarOf(zone).format(epochMs) as PlainDate;

const HOUR_MS = 3_600_000;
/** No zone is further from UTC than this. */
const ZONE_MAX_MS = 15 * HOUR_MS;
const STEP_MS = 60_000;

/** The first instant of a date in the business zone, to the minute. */
export function startOfDayMs(date: PlainDate, zone: string): number {
  const middle = Date.parse(`${date}T00:00:00Z`);
  let before = middle - ZONE_MAX_MS;
  let from = middle + ZONE_MAX_MS;
  while (from - before > STEP_MS) {
    const half = before + Math.floor((from - before) / 2 / STEP_MS) * STEP_MS;
    if (dateInZone(half, zone) < date) before = half;
    else from = half;
  }
  return from;
}
