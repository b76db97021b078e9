const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/**
 * Reads a `Retry-After` header: seconds, or a date on the service's clock.
 *
 * @param serverNowMs the present by the service's clock
 * @returns milliseconds between one second and one hour, or null when the header is absent or makes no sense
 */
export function retryAfterMs(header: string | null, serverNowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const wait = /^\d{1,12}$/.test(text) ? Number(text) * SECOND_MS : httpDate(text) - serverNowMs;
  return Number.isFinite(wait) && wait >= 0 ? Math.min(Math.max(wait, SECOND_MS), HOUR_MS) : null;
}

/** Milliseconds of an HTTP date; NaN for anything else, since `Date.parse` would read `-5` as a year. */
const httpDate = (text: string): number => (/^[A-Za-z]{3}, \d/.test(text) ? Date.parse(text) : Number.NaN);
