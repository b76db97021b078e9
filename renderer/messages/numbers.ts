/** How counts, sizes and times are written on screen. */
const counts = new Intl.NumberFormat('en-US');
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

export const countText = (value: number): string => counts.format(value);
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${counts.format(value)} ${value === 1 ? one : many}`;

/** Bytes in the unit a person would use: 812 B, 34 KB, 1.2 MB. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The time of day for moments of today, day and time for older ones. */
export function timeText(epochMs: number, nowMs: number): string {
  const sameDay = new Date(epochMs).toDateString() === new Date(nowMs).toDateString();
  return (sameDay ? clock : dayAndClock).format(epochMs);
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A calendar date as a person writes it: 4 May. */
export const dayText = (day: string): string => days.format(Date.parse(`${day}T00:00:00Z`));

const amounts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const shortAmounts = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
/** In cents; an amount from here on is shortened where there is room for a column only. */
const LONG_AMOUNT = 10_000_000;

/** A total of money in the width of a column: 5,400.00, and 1.25M from a hundred thousand on. */
export const totalText = (cents: number): string =>
  cents < LONG_AMOUNT ? amounts.format(cents / 100) : shortAmounts.format(cents / 100);

/** A figure of a report, given in the smallest step of its unit. */
export function figureText(unit: 'count' | 'money' | 'percent' | 'ratio', value: number): string {
  if (unit === 'count') return counts.format(value);
  return `${amounts.format(value / 100)}${unit === 'percent' ? ' %' : ''}`;
}
