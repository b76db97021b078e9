import { memo } from '../../../shared/memo.ts';
import { formatDecimal } from '../../../shared/model/decimal.ts';
import { OPEN_END } from '../../../shared/model/plain-date.ts';

/** The locale of a tag, created once: formatters are slow to create. */
export const localeOf = memo(makeLocale);

export type Locale = ReturnType<typeof makeLocale>;

/** Numbers and dates in one language. Texts stay English, and so do their plurals and lists of words. */
function makeLocale(tag: string) {
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options);
  const time = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options);
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  const amounts = number({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const money = number(dollars);
  const exactMoney = number({ ...dollars, maximumFractionDigits: 6 });
  const short = number({ ...dollars, notation: 'compact', maximumSignificantDigits: 4 });
  const wholeMoney = number({ ...dollars, maximumFractionDigits: 0 });
  const axisMoney = number({ ...dollars, notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
  // Campaigns use the Gregorian calendar, whatever the calendar of the language.
  const ofDay = { day: 'numeric', timeZone: 'UTC', calendar: 'gregory' } as const;
  const days = time({ dateStyle: 'medium', timeZone: 'UTC', calendar: 'gregory' });
  const daysOfYear = time({ ...ofDay, month: 'short' });
  const longWeekdays = time({ ...ofDay, weekday: 'long', month: 'long' });
  const weekdays = time({ ...ofDay, weekday: 'short', month: 'short' });
  // `3:20 AM`, but `03:20`.
  const hour = time({ hour: 'numeric' }).resolvedOptions().hour12 === true ? 'numeric' : '2-digit';
  const aDay = { day: 'numeric', month: 'short', hour, minute: '2-digit', calendar: 'gregory' } as const;
  const inFull = { ...aDay, weekday: 'long', month: 'long', year: 'numeric' } as const;
  const asDate = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  return {
    /** As browsers name it: `en-GB`, `de-DE`. */
    tag,
    style: numberStyleOf(tag),
    count: number({}).format,
    /** Hundredths as an amount with two decimals; as text, because a float is not exact to the cent for large amounts. */
    amount: (hundredths: number) => amounts.format(formatDecimal(hundredths, 2) as `${number}`),
    /** Cents with their currency symbol. */
    money: (cents: number) => money.format(formatDecimal(cents, 2) as `${number}`),
    /** Millionths of a dollar with all their decimals: $0.81625. */
    exactMoney: (millionths: number) => exactMoney.format(formatDecimal(millionths, 6) as `${number}`),
    /** Hundredths, shortened for a column: 1.25M. */
    shortAmount: (hundredths: number) => short.format(hundredths / 100),
    /** At most two decimals, for the scales of charts. */
    scale: number({ maximumFractionDigits: 2 }).format,
    /** One decimal: seconds, megabytes. */
    tenths: number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format,
    /** A calendar day, `2030-05-04`, with its year. */
    day: (day: string) => (day === OPEN_END || Number.isNaN(asDate(day)) ? day : days.format(asDate(day))),
    /** A calendar day without its year. */
    dayOfYear: (day: string) => daysOfYear.format(asDate(day)),
    /** With its weekday: Monday, November 23, and Mon, Nov 23. */
    longWeekday: (day: string) => longWeekdays.format(asDate(day)),
    weekday: (day: string) => weekdays.format(asDate(day)),
    /** Cents as whole units of the currency, and shortened for the axis of a chart: $1,961, $2K. */
    wholeMoney: (cents: number) => wholeMoney.format(cents / 100),
    axisMoney: (cents: number) => axisMoney.format(cents / 100),
    clock: time({ hour, minute: '2-digit' }).format,
    dayAndClock: time(aDay).format,
    yearAndClock: time({ ...aDay, year: 'numeric' }).format,
    /** Weekday, day and time in full. */
    moment: time({ dateStyle: 'full', timeStyle: 'short', calendar: 'gregory' }).format,
    /** The same in a time zone, with its name: Saturday, November 28 at 9:00 PM PST. */
    momentIn: (epochMs: number, zone: string) =>
      time({ ...inFull, timeZone: zone, timeZoneName: 'short' }).format(epochMs),
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
