import { setTimeout } from 'node:timers/promises';

/**
 * The time source of main. The wall clock is for display and for signed timestamps; order and timeouts use the
 * monotonic one. Tests pass a virtual clock, so nothing else in main may read the time.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds since an arbitrary start; never decreases. */
  monotonicMs(): number;
  /** Resolves after the delay, or early when the signal aborts. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Longest delay of a timer, 25 days: a longer one ends at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (delayMs, signal) => {
    let leftMs = delayMs;
    do {
      const pieceMs = Math.min(leftMs, TIMER_MAX_MS);
      leftMs -= pieceMs;
      // It rejects when the signal aborts, and for no other reason.
      await setTimeout(pieceMs, undefined, { signal }).catch(() => undefined);
    } while (leftMs > 0 && signal?.aborted !== true);
  },
};

/**
 * Whether the computer sleeps, as the host reports it. Background polls pause during sleep, and `onWake` lets them
 * catch up. Without a host that reports it, the computer never sleeps.
 */
export interface SleepState {
  isResting(): boolean;
  /** @returns a function that ends the listening */
  onWake(listener: () => void): () => void;
}

export interface MutableSleepState extends SleepState {
  rest(): void;
  wake(): void;
}

export function createSleepState(): MutableSleepState {
  const listeners = new Set<() => void>();
  let resting = false;
  return {
    isResting: () => resting,
    onWake: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    rest: () => {
      resting = true;
    },
    wake: () => {
      resting = false;
      for (const listener of Array.from(listeners)) listener();
    },
  };
}
