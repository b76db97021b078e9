/** Random numbers that come out the same for the same seed. */
export interface Seeded {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** Decides every later number. */
  state(): number;
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (from) => from[int(from.length)] ?? from[0],
    state: () => state,
  };
}

export interface VirtualClock {
  nowMs(): number;
  monotonicMs(): number;
  sleep(delayMs: number): Promise<void>;
}

/** Time that moves only when somebody sleeps. */
export function virtualClock(startMs = 1_790_000_000_000): VirtualClock {
  let now = startMs;
  return {
    nowMs: () => now,
    monotonicMs: () => now - startMs,
    sleep: async (delayMs) => {
      now += Math.max(0, delayMs);
    },
  };
}
