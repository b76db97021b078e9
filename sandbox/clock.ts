import { limits } from './limits.ts';
import type { Store } from './store.ts';

export type Clock = ReturnType<typeof createClock>;

const SETTING = 'clock';

/**
 * The sandbox's clock. A real one follows the computer's clock plus an offset; a virtual one moves only when told. Both
 * survive a restart. Signatures and the Date header do not use it.
 *
 * @param startMs start of a clock without a stored position; null for the computer's time
 */
export function createClock(mode: 'real' | 'virtual', startMs: number | null, store: Store) {
  const stored = store.readSetting(SETTING);
  // A virtual clock stores its position, a real one its offset from the computer's clock.
  let position = mode === 'virtual' ? (startMs ?? Date.now()) : startMs === null ? 0 : startMs - Date.now();
  if (stored?.startsWith(`${mode}:`) === true) position = Number(stored.slice(mode.length + 1));
  const save = () => store.writeSetting(SETTING, `${mode}:${position}`);
  save();
  let pinned: number | null = null;

  return {
    mode,
    /** Milliseconds since 1970. While a due event is handled, the instant at which it was due. */
    now: (): number => pinned ?? (mode === 'virtual' ? position : Date.now() + position),
    /** Moves the clock to an instant. */
    moveTo: (instantMs: number): void => {
      position = mode === 'virtual' ? instantMs : instantMs - Date.now();
      save();
    },
    /** Runs `work` with the given instant as now. */
    at: (instantMs: number, work: () => void): void => {
      pinned = instantMs;
      try {
        work();
      } finally {
        pinned = null;
      }
    },
  };
}

/**
 * Calendar dates (`yyyy-MM-dd`) in the business zone. A campaign starts at midnight there, which is 07:00 or 08:00
 * UTC depending on daylight saving.
 */
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

const zoneFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: limits.businessZone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The business date at an instant (milliseconds since 1970, UTC). */
export function dateAt(instantMs: number): string {
  return zoneText(instantMs).slice(0, 10);
}

/** The instant at which a business date begins. */
export function startOfDate(date: string): number {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  let guess = utcMidnight;
  // Two iterations find the offset on both sides of a daylight-saving change.
  for (let round = 0; round < 2; round += 1) guess = utcMidnight - (wallClockMs(guess) - guess);
  return guess;
}

/** The instant at which a business date ends. */
export function endOfDate(date: string): number {
  return startOfDate(addDays(date, 1));
}

export function addDays(date: string, days: number): string {
  const shifted = new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS);
  return shifted.toISOString().slice(0, 10);
}

/** True for an existing day written `yyyy-MM-dd`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Length of an ISO 8601 duration of weeks, days, hours, minutes and seconds; null for any other text. */
export function durationMs(text: string): number | null {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text);
  if (match === null || text === 'P' || text.endsWith('T')) return null;
  const part = (index: number) => Number(match[index] ?? '0');
  return part(1) * 7 * DAY_MS + part(2) * DAY_MS + part(3) * HOUR_MS + part(4) * MINUTE_MS + Math.round(part(5) * 1000);
}

function zoneText(instantMs: number): string {
  const parts = new Map(zoneFormat.formatToParts(instantMs).map((part) => [part.type, part.value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '00';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

function wallClockMs(instantMs: number): number {
  return Date.parse(`${zoneText(instantMs)}Z`) + (((instantMs % 1000) + 1000) % 1000);
}
