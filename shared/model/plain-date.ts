import { memo } from '../memo.ts';
import type { PlainDate } from './scalars.ts';

/**
 * Calendar dates of the business time zone. They are compared and shifted as dates, so a change of the computer's time
 * zone or of daylight saving never moves a campaign's flight.
 */
const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** The date the service understands as "no end" (wire shapes, section 2). */
export const OPEN_END = '9999-12-30' as PlainDate;

/** Parses `yyyy-MM-dd`; null when the text is not a calendar date (2026-02-30). */
export function plainDate(text: string): PlainDate | null {
  const match = SHAPE.exec(text.trim());
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const instant = new Date(Date.UTC(year, month - 1, day));
  const sameDay = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day;
  return sameDay && year >= 1000 ? (match[0] as PlainDate) : null;
}

/** The order of day and month before the year: 12/31/2026 or 31/12/2026. */
export const DATE_ORDERS = ['month-first', 'day-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** A date of digits in both orders, as year-month-day. The day may not exist in the calendar. */
export interface DigitDate {
  readonly monthFirst: string;
  readonly dayFirst: string;
  /** Written with points, as in 31.12.2026. */
  readonly hasPoints: boolean;
}

const YEAR_LAST = /^(\d{1,2})(\s?[./-]\s?)(\d{1,2})\2(\d{4})\.?$/u;
const YEAR_FIRST = /^(\d{4})(\s?[./-]\s?)(\d{1,2})\2(\d{1,2})\.?$/u;

/** Reads a date of digits with a year of four digits. With the year first, both orders are the same. Null for any other text. */
export function digitDate(text: string): DigitDate | null {
  const trimmed = text.trim();
  const first = YEAR_FIRST.exec(trimmed);
  if (first !== null) {
    const only = inDigits(first[1], first[3], first[4]);
    return { monthFirst: only, dayFirst: only, hasPoints: first[2]?.trim() === '.' };
  }
  const last = YEAR_LAST.exec(trimmed);
  if (last === null) return null;
  const [, one, mark, two, year] = last;
  return { monthFirst: inDigits(year, one, two), dayFirst: inDigits(year, two, one), hasPoints: mark?.trim() === '.' };
}

/** A time of day after a date, with seconds, AM or PM, or a zone. */
const TIME = /^(.*\d\.?)(?:T|\s+)(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AP]M)?(?:Z|[+-]\d{2}:?\d{2})?)$/iu;
const MIDNIGHT = /^(?:0{1,2}:00(?::00(?:[.,]0+)?)?(?:\s?AM)?|12:00(?::00(?:[.,]0+)?)?\s?AM)(?:Z|[+-]\d{2}:?\d{2})?$/iu;

/** A date without the midnight that programs add to one, as in 2026-12-31T00:00:00. */
export function splitTime(text: string): { readonly date: string; readonly hasTime: boolean } {
  const [, date, time] = TIME.exec(text.trim()) ?? [];
  if (date === undefined || time === undefined) return { date: text, hasTime: false };
  return { date, hasTime: !MIDNIGHT.test(time) };
}

const inDigits = (year = '', month = '', dayOfMonth = ''): string =>
  `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;

/** The same date, a number of days later (or earlier). */
export function addDays(date: PlainDate, days: number): PlainDate {
  const start = Date.parse(`${date}T00:00:00Z`);
  return new Date(start + days * DAY_MS).toISOString().slice(0, 10) as PlainDate;
}

/** Whole days from the first date to the second; negative when the second is earlier. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The Monday of its week. */
export const weekOf = (date: PlainDate): PlainDate => addDays(date, -((daysBetween(MONDAY, date) % 7) + 7) % 7);
const MONDAY = '1970-01-05' as PlainDate;

/**
 * One formatter for each requested zone. Each has about 30 kB outside the JavaScript heap, which the garbage collector
 * does not count: without this cache they add up to hundreds of megabytes.
 */
const wallOf = memo((zone: string) => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hourCycle: 'h23', ...parts });
});

/** Local time in the zone at this instant, as `yyyy-MM-ddTHH:mm`. */
export const wallTimeInZone = (epochMs: number, zone: string): string => wallOf(zone).format(epochMs).replace(' ', 'T');

/** The calendar date that a clock on the wall of the business zone shows at this instant. */
export const dateInZone = (epochMs: number, zone: string): PlainDate =>
  wallTimeInZone(epochMs, zone).slice(0, 10) as PlainDate;

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

/** A date and a time of day on the wall of a zone, such as `2026-11-30T18:00`. */
const WALL_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/;

/**
 * The instant of a local time in the zone, in milliseconds since 1970; null when the text is not a valid time. A time
 * that daylight saving skips becomes one that is an hour earlier.
 */
export function momentInZone(text: string, zone: string): number | null {
  if (!WALL_TIME.test(text)) return null;
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== text) return null;
  const offsetAt = (epochMs: number): number => Date.parse(`${wallTimeInZone(epochMs, zone)}Z`) - epochMs;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}

/** Hours of the day without pop-ups, in local time as `HH:MM`; `to` may be on the next day. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** A time of day, from 00:00 to 23:59. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;
export const isTimeOfDay = (text: string): boolean => TIME_OF_DAY.test(text);

/**
 * @param minuteOfDay from 0 to 1439, by the clock on the wall
 * @returns false for hours that begin when they end: there are none
 */
export function isQuiet({ from, to }: QuietHours, minuteOfDay: number): boolean {
  const begin = minutesOf(from);
  const end = minutesOf(to);
  if (begin <= end) return minuteOfDay >= begin && minuteOfDay < end;
  return minuteOfDay >= begin || minuteOfDay < end;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
