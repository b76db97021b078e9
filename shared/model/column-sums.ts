import type { Cell } from './field-types.ts';

/** What a selection of amounts comes to; empty cells and texts are left out. */
export interface Sums {
  readonly count: number;
  /** In the smallest step of the field: cents, or hundredths of a percent. */
  readonly sum: number;
  /** Cut to a whole step; null when there is no amount. */
  readonly average: number | null;
}

export function sumsOf(cells: Iterable<Cell>): Sums {
  let count = 0;
  let sum = 0;
  for (const cell of cells) {
    if (typeof cell !== 'number') continue;
    count += 1;
    sum += cell;
  }
  return { count, sum, average: count === 0 ? null : Math.floor(sum / count) };
}
