/** Choices from a seed: the same seed makes the same walk. */
export interface Chance {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number;
  /** A whole number from `min` to `max`, both included. */
  readonly whole: (min: number, max: number) => number;
  readonly oneOf: <T>(values: readonly [T, ...T[]]) => T;
}

/** The generator is mulberry32: 32 bits of state are plenty for choices. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return { next, whole, oneOf: (values) => values[whole(0, values.length - 1)] ?? values[0] };
}
