import type { Clock } from '../../clock.ts';

/** How much of an upload address's life is left unused, for clocks that disagree. */
const RESERVE_MS = 60_000;

/** Whether an upload address that arrived at some moment may still be used. */
export interface UploadUrlExpiry {
  readonly expiresAtMs: number;
  isOpen(): boolean;
}

/**
 * An address lives for `urlMinutes` from its arrival. Both clocks are asked: the wall clock may jump, and the
 * monotonic one may stand still while a machine sleeps. A wall clock that went back closes the window.
 *
 * @see document, "Limits": upload and caption URL lifetime
 */
export function createUploadUrlExpiry(clock: Clock, urlMinutes: number): UploadUrlExpiry {
  const usableMs = urlMinutes * 60_000 - RESERVE_MS;
  const wall = clock.nowMs();
  const monotonic = clock.monotonicMs();
  return {
    expiresAtMs: wall + urlMinutes * 60_000,
    isOpen: () => {
      const passed = clock.nowMs() - wall;
      return passed >= 0 && passed < usableMs && clock.monotonicMs() - monotonic < usableMs;
    },
  };
}
