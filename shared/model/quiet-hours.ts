/** Hours of the day in which nothing pops up. Times are those of the machine, as `HH:MM`; `to` may lie on the next day. */
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
