import type { LifeFigures } from './life.ts';

/** Sums of what happened in many lives. */
export type Totals = { -readonly [Name in keyof LifeFigures]: number };

export const noTotals = (): Totals => ({
  processes: 0,
  crashes: 0,
  pauses: 0,
  fullDisks: 0,
  requests: 0,
  faults: 0,
  questions: 0,
  conflicts: 0,
});

export function addTotals(sum: Totals, figures: LifeFigures): void {
  for (const name of Object.keys(sum) as (keyof Totals)[]) sum[name] += figures[name];
}
