import { HOUR_MS } from '../clock.ts';

export type RateBucket = ReturnType<typeof createRateBucket>;

interface Hour {
  readonly beganMs: number;
  readonly used: number;
}

/**
 * The rate limit counts changed elements per hour and principal, not calls. An hour starts with the first change after
 * the end of the last hour, by the sandbox's clock.
 */
export function createRateBucket(operationsPerHour: number | null) {
  let limit = operationsPerHour;
  const hours = new Map<string, Hour>();
  const hourOf = (consumerId: string, nowMs: number): Hour => {
    const hour = hours.get(consumerId);
    return hour !== undefined && nowMs < hour.beganMs + HOUR_MS ? hour : { beganMs: nowMs, used: 0 };
  };
  return {
    /** Seconds until changes are allowed again; 0 when they are allowed now. */
    waitSeconds: (consumerId: string, nowMs: number): number => {
      if (limit === null) return 0;
      const hour = hourOf(consumerId, nowMs);
      return hour.used < limit ? 0 : Math.max(1, Math.ceil((hour.beganMs + HOUR_MS - nowMs) / 1000));
    },
    add: (consumerId: string, elements: number, nowMs: number): void => {
      if (limit === null || elements === 0) return;
      const hour = hourOf(consumerId, nowMs);
      hours.set(consumerId, { beganMs: hour.beganMs, used: hour.used + elements });
    },
    remaining: (consumerId: string, nowMs: number): number =>
      limit === null ? 0 : Math.max(0, limit - hourOf(consumerId, nowMs).used),
    limit: (): number | null => limit,
    setLimit: (next: number | null): void => {
      limit = next;
    },
    clear: (): void => hours.clear(),
  };
}
