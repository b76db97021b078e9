const SAMPLES = 9;
const TOLERATED_MS = 30_000;

/** How far the service's clock is ahead of ours, learned from the `Date` of its answers. */
export interface ServerClock {
  /** Notes one answer: its `Date`, and our time in the middle of the request. */
  learn(serverMs: number, oursMs: number): void;
  /** Milliseconds to add to our clock when signing; 0 while the difference does not matter. */
  correctionMs(): number;
  /** The median as it is, for display. */
  offsetMs(): number;
  /** Forgets older answers, after an authentication failure showed that they are no longer true. */
  trustOnly(skewMs: number): void;
}

export function createServerClock(): ServerClock {
  let samples: readonly number[] = [];
  const median = (): number => {
    const ordered = samples.toSorted((a, b) => a - b);
    return ordered[Math.floor(ordered.length / 2)] ?? 0;
  };
  return {
    learn: (serverMs, oursMs) => {
      samples = [...samples, serverMs - oursMs].slice(-SAMPLES);
    },
    correctionMs: () => (Math.abs(median()) > TOLERATED_MS ? median() : 0),
    offsetMs: median,
    trustOnly: (skewMs) => {
      samples = [skewMs];
    },
  };
}
