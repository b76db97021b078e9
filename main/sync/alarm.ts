import type { Clock } from '../clock.ts';
import type { Rest } from '../rest.ts';

/** Long sleeps are taken in pieces, since timers stand still while a machine sleeps. */
const PIECE_MS = 60_000;

/** Rings once, at a moment of the wall clock and never while the machine sleeps. */
export interface Alarm {
  /** Replaces the moment that was set before; null for none. */
  set(at: number | null, ring?: () => void): void;
}

export function createAlarm(clock: Clock, rest: Rest | undefined): Alarm {
  let current = new AbortController();
  const sleepUntil = async (at: number, signal: AbortSignal): Promise<void> => {
    const pieceMs = (): number => Math.min(PIECE_MS, Math.max(0, at - clock.nowMs()));
    while (!signal.aborted && pieceMs() > 0) await clock.sleep(pieceMs(), signal);
    while (!signal.aborted && rest?.isResting() === true) await clock.sleep(PIECE_MS, signal);
  };
  return {
    set: (at, ring) => {
      current.abort();
      if (at === null || ring === undefined) return;
      current = new AbortController();
      const { signal } = current;
      void sleepUntil(at, signal).then(() => {
        if (!signal.aborted) ring();
      });
    },
  };
}
