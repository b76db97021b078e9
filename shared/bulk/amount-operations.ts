import type { AnyRow } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import { type ExpressionProblem, parseAmountExpression } from './amount-expression.ts';
import { type BulkOutcome, changeCells } from './bulk-change.ts';

/** Bid maths over many rows: an expression, then the bounds that the result must keep. */
export interface AmountBounds {
  /** Lowest and highest result in cents; values beyond are brought to them. Null for no bound. */
  readonly min: number | null;
  readonly max: number | null;
  /** Round to a multiple of this many cents, or 0 to leave the result as it is (already cut to cents). */
  readonly roundTo: number;
  /** Which multiple: the nearest, the one below or the one above. */
  readonly rounding: 'nearest' | 'down' | 'up';
}

const NO_BOUNDS: AmountBounds = { min: null, max: null, roundTo: 0, rounding: 'nearest' };

export function changeAmounts(
  rows: readonly AnyRow[],
  field: string,
  expression: string,
  bounds: AmountBounds = NO_BOUNDS,
): Result<BulkOutcome, ExpressionProblem> {
  const parsed = parseAmountExpression(expression);
  if (!parsed.ok) return err(parsed.error);
  const { apply, isRelative } = parsed.value;
  const problem = boundsProblem(bounds);
  if (problem !== null) return err(problem);
  const outcome = changeCells(rows, field, (cell) => {
    if (typeof cell === 'string') return { why: 'wrong-type' };
    if (cell === null && isRelative) return { why: 'empty' };
    const result = apply(cell);
    return result === null ? { why: 'out-of-range' } : { value: within(result, bounds) };
  });
  return ok(outcome);
}

/** Bounds that no amount can keep. */
export const boundsProblem = ({ min, max }: Pick<AmountBounds, 'min' | 'max'>): ExpressionProblem | null =>
  min !== null && max !== null && min > max
    ? { at: 0, problem: 'The lowest amount is above the highest. Correct one of the two.' }
    : null;

const ROUND = { nearest: Math.round, down: Math.floor, up: Math.ceil } as const;

function within(cents: number, { min, max, roundTo, rounding }: AmountBounds): number {
  const rounded = roundTo > 0 ? ROUND[rounding](cents / roundTo) * roundTo : cents;
  return Math.min(max ?? Number.MAX_SAFE_INTEGER, Math.max(min ?? 0, rounded));
}
