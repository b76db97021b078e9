import { memo } from '../../../shared/memo.ts';
import { formatDecimal } from '../../../shared/model/decimal.ts';
import { OPEN_END } from '../../../shared/model/plain-date.ts';

/** Numbers and dates in one language. Texts stay English, and so do their plurals and lists of words. */
export interface Locale {
  /** As browsers name it: `en-GB`, `de-DE`. */
  readonly tag: string;
  readonly style: NumberStyle;
  readonly count: (value: number) => string;
  /** Hundredths as an amount with two decimals, exact for any size. */
  readonly amount: (hundredths: number) => string;
  /** Cents with their currency symbol. */
  readonly money: (cents: number) => string;
  /** Hundredths, shortened for a column: 1.25M. */
  readonly shortAmount: (hundredths: number) => string;
  /** At most two decimals, for the scales of charts. */
  readonly scale: (value: number) => string;
  /** One decimal: seconds, megabytes. */
  readonly tenths: (value: number) => string;
  /** A calendar day, `2030-05-04`, with its year. */
  readonly day: (day: string) => string;
  /** A calendar day without its year. */
  readonly dayOfYear: (day: string) => string;
  /** With its weekday: Monday, November 23, and Mon, Nov 23. */
  readonly longWeekday: (day: string) => string;
  readonly weekday: (day: string) => string;
  /** Cents as whole units of the currency, and shortened for the axis of a chart: $1,961, $2K. */
  readonly wholeMoney: (cents: number) => string;
  readonly axisMoney: (cents: number) => string;
  readonly clock: (epochMs: number) => string;
  readonly dayAndClock: (epochMs: number) => string;
  readonly yearAndClock: (epochMs: number) => string;
  /** Weekday, day and time in full. */
  readonly moment: (epochMs: number) => string;
  /** The same in a time zone, with its name: Saturday, November 28 at 9:00 PM PST. */
  readonly momentIn: (epochMs: number, zone: string) => string;
}

/** The locale of a tag, created once: formatters are slow to create. */
export const localeOf = memo(makeLocale);

function makeLocale(tag: string): Locale {
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options);
  const time = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options);
  const counts = number({});
  const amounts = number({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const money = number({ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
  const short = number({
    notation: 'compact',
    maximumSignificantDigits: 4,
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  });
  const scales = number({ maximumFractionDigits: 2 });
  const tenths = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  // Campaigns use the Gregorian calendar, whatever the calendar of the language.
  const days = time({ dateStyle: 'medium', timeZone: 'UTC', calendar: 'gregory' });
  const daysOfYear = time({ day: 'numeric', month: 'short', timeZone: 'UTC', calendar: 'gregory' });
  // `3:20 AM`, but `03:20`.
  const hour = time({ hour: 'numeric' }).resolvedOptions().hour12 === true ? 'numeric' : '2-digit';
  const clock = time({ hour, minute: '2-digit' });
  const aDay = { day: 'numeric', month: 'short', hour, minute: '2-digit', calendar: 'gregory' } as const;
  const dayAndClock = time(aDay);
  const yearAndClock = time({ ...aDay, year: 'numeric' });
  const moment = time({ dateStyle: 'full', timeStyle: 'short', calendar: 'gregory' });
  const inFull = { ...aDay, weekday: 'long', month: 'long', year: 'numeric' } as const;
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  const wholeMoney = number({ ...dollars, maximumFractionDigits: 0 });
  const axisMoney = number({ ...dollars, notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
  const ofDay = { day: 'numeric', timeZone: 'UTC', calendar: 'gregory' } as const;
  const longWeekdays = time({ ...ofDay, weekday: 'long', month: 'long' });
  const weekdays = time({ ...ofDay, weekday: 'short', month: 'short' });
  const asDate = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  return {
    tag,
    style: numberStyleOf(tag),
    count: (value) => counts.format(value),
    // As text, because a float is not exact to the cent for large amounts.
    amount: (hundredths) => amounts.format(formatDecimal(hundredths, 2) as `${number}`),
    money: (cents) => money.format(formatDecimal(cents, 2) as `${number}`),
    shortAmount: (hundredths) => short.format(hundredths / 100),
    scale: (value) => scales.format(value),
    tenths: (value) => tenths.format(value),
    day: (day) => (day === OPEN_END || Number.isNaN(asDate(day)) ? day : days.format(asDate(day))),
    dayOfYear: (day) => daysOfYear.format(asDate(day)),
    longWeekday: (day) => longWeekdays.format(asDate(day)),
    weekday: (day) => weekdays.format(asDate(day)),
    wholeMoney: (cents) => wholeMoney.format(cents / 100),
    axisMoney: (cents) => axisMoney.format(cents / 100),
    clock: (epochMs) => clock.format(epochMs),
    dayAndClock: (epochMs) => dayAndClock.format(epochMs),
    yearAndClock: (epochMs) => yearAndClock.format(epochMs),
    moment: (epochMs) => moment.format(epochMs),
    momentIn: (epochMs, zone) => time({ ...inFull, timeZone: zone, timeZoneName: 'short' }).format(epochMs),
  };
}

export function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** How a language writes numbers: separators and digits. */
export interface NumberStyle {
  /** Decimal separator: `.` or `,`, in Arabic `٫`. */
  readonly decimal: string;
  /** Thousands separator: `,`, `.`, `’`, or a no-break space. */
  readonly group: string;
  /** From zero to nine. */
  readonly digits: readonly string[];
}

/** The number style of the platform for a tag; separators are the same for every size of number. */
export function numberStyleOf(tag: string): NumberStyle {
  const parts = new Intl.NumberFormat(tag, { minimumFractionDigits: 1 }).formatToParts(1_234_567.5);
  const mark = (type: 'decimal' | 'group', usual: string): string =>
    parts.find((part) => part.type === type)?.value ?? usual;
  const plain = new Intl.NumberFormat(tag, { useGrouping: false });
  return {
    decimal: mark('decimal', '.'),
    group: mark('group', ''),
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
  };
}
