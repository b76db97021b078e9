const SECOND_MS = 1000;
/** A hundred years: beyond it nobody plans, and dates end. */
const LONGEST_MS = 100 * 365 * 86_400_000;

/**
 * Reads a `Retry-After` header: seconds, or a date on the service's clock.
 *
 * @param serverNowMs the present by the service's clock
 * @returns what was said, in milliseconds and at least a second; null when the header is absent or makes no sense
 */
export function retryAfterMs(header: string | null, serverNowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND_MS : httpDate(text) - serverNowMs;
  return !Number.isNaN(wait) && wait >= 0 ? Math.min(Math.max(wait, SECOND_MS), LONGEST_MS) : null;
}

/** Milliseconds of an HTTP date; NaN for anything else, since `Date.parse` would read `-5` as a year. */
const httpDate = (text: string): number => (/^[A-Za-z]{3}, \d/.test(text) ? Date.parse(text) : Number.NaN);
