import type { Condition } from './condition.ts';
import { medianOf, type Trend, trendOf } from './trend.ts';

const MB = 1024 ** 2;
const HOUR_MS = 3_600_000;

/**
 * The limits of a soak. Per hour: what the second half of a run may grow by; the first half warms up (the compiled
 * code, the caches of pages and statements, the young generation of each thread).
 */
export const LIMITS = {
  perHour: { live: 4 * MB, own: 8 * MB, handles: 1, threads: 0.5, timers: 1 },
  /** In all, over the second half of a run of less than two hours, for which warming up is not over by then. */
  inShortRun: { live: 2 * MB, own: 8 * MB, handles: 0, threads: 0, timers: 0 },
  /** Bytes, at any moment. */
  wal: 16 * MB,
} as const;

type Growing = keyof typeof LIMITS.perHour;

/**
 * What a run has shown of one figure:
 *
 *   flat      grows by less than the limit, with 97.5 %
 *   grows     by more than the limit, with 97.5 %
 *   unshown   the limit lies between the bounds: the run was too short for its noise
 *   told      not judged: what the system keeps in memory at the moment, garbage and pages of files among it
 */
export type Outcome = 'flat' | 'grows' | 'unshown' | 'told';

export interface Verdict {
  readonly what: keyof Condition;
  /** Medians of the third quarter and the last. */
  readonly before: number;
  readonly after: number;
  readonly most: number;
  /** Per hour, over the second half; null for what is bounded and not to be flat. */
  readonly perHour: Trend | null;
  readonly outcome: Outcome;
}

/**
 * @param moments conditions at even distances, at least eight
 * @param everyMs the distance
 * @param peakLog bytes of the largest log seen, between moments as well
 */
export function verdicts(moments: readonly Condition[], everyMs: number, peakLog: number): readonly Verdict[] {
  const half = moments.slice(Math.floor(moments.length / 2));
  const quarter = Math.floor(half.length / 2);
  const told = (what: keyof Condition): Verdict => {
    const values = half.map((moment) => moment[what]);
    return {
      what,
      before: medianOf(values.slice(0, quarter)),
      after: medianOf(values.slice(quarter)),
      most: Math.max(...moments.map((moment) => moment[what])),
      perHour: trendOf(values, everyMs / HOUR_MS),
      outcome: 'told',
    };
  };
  const judged = (what: Growing): Verdict => {
    const found = told(what);
    const limit = Math.max(LIMITS.perHour[what], (LIMITS.inShortRun[what] * HOUR_MS) / (half.length * everyMs));
    return { ...found, outcome: found.perHour === null ? 'unshown' : outcomeOf(found.perHour, limit) };
  };
  const growing = (Object.keys(LIMITS.perHour) as Growing[]).map(judged);
  const wal = Math.max(peakLog, ...moments.map((moment) => moment.wal));
  const outcome = wal <= LIMITS.wal ? 'flat' : 'grows';
  return [...growing, told('resident'), { what: 'wal', before: 0, after: wal, most: wal, perHour: null, outcome }];
}

function outcomeOf({ low, high }: Trend, limit: number): Outcome {
  if (high <= limit) return 'flat';
  return low > limit ? 'grows' : 'unshown';
}
