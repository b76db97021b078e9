/**
 * The one line for programs that start Adslate (`--ready-json`). It is all that is ever written to standard output;
 * words for people go to standard error.
 */
export function readyLine(host: 'web' | 'electron', url: string, startedInMs: number): string {
  return `${JSON.stringify({ ready: true, host, url, startedInMs: Math.round(startedInMs) })}\n`;
}

/** Milliseconds since `npm start` began, or since this process did when it was started directly. */
export function startedInMs(environment: Readonly<Record<string, string | undefined>>, nowMs: number): number {
  const startedAt = Number(environment['ADSLATE_STARTED_AT']);
  return Number.isFinite(startedAt) && startedAt > 0 && startedAt <= nowMs ? nowMs - startedAt : performance.now();
}
