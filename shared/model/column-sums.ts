import type { Cell } from './field-types.ts';
import { fieldSpec } from './fields.ts';
import type { Kind } from './kinds.ts';

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

/**
 * What the whole of a column comes to in one amount: budgets are added up, since each of them may be spent; bids are
 * averaged, since their sum is paid by nobody. Null for a column in which neither says anything.
 */
export function totalOf(kind: Kind, field: string): 'sum' | 'average' | null {
  if (fieldSpec(kind, field)?.type.is !== 'money') return null;
  return field === 'bid' ? 'average' : 'sum';
}
