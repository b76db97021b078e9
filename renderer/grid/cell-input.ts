import { parseAmountExpression } from '../../shared/bulk/amount-expression.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readCell, readSum } from '../app/locale/cells.ts';
import { gridTexts } from './text.ts';

/**
 * What typed or pasted text makes of one cell after another. A plain value is the same for all of them; a sum
 * such as `+10%` works on what each cell holds.
 */
export interface CellInput {
  /** The new value for a cell that holds `before`; undefined when the sum has no answer there (an empty cell, below zero). */
  readonly valueFor: (before: Cell) => Cell | undefined;
  readonly isSum: boolean;
  /** As typed, but amounts with points, as main reads a sum. */
  readonly plain: string;
}

/** Reads text for a field. In money fields sums are understood too; elsewhere `*` and `+` are just text. */
export function readInput(kind: Kind, field: string, text: string): Result<CellInput, string> {
  const parsed = readCell(kind, field, text);
  const isMoney = fieldSpec(kind, field)?.type.is === 'money';
  // A plus before an amount adds to what is there, as a minus takes away.
  const isSum = isMoney && (text.trimStart().startsWith('+') || (!parsed.ok && looksLikeSum(text)));
  if (!isSum) {
    return parsed.ok ? ok({ isSum, plain: text, valueFor: () => parsed.value }) : parsed;
  }
  const plain = readSum(text);
  if (!plain.ok) return plain;
  const sum = parseAmountExpression(plain.value);
  if (!sum.ok) return err(sum.error.problem);
  const { apply } = sum.value;
  return ok({
    isSum,
    plain: plain.value,
    valueFor: (before) => (typeof before === 'string' ? undefined : (apply(before) ?? undefined)),
  });
}

const looksLikeSum = (text: string): boolean => /[+\-*/×%=]/.test(text);

/** Why a sum cannot be written into a cell that holds `before`, or null when it can. */
export const sumProblem = (input: CellInput, before: Cell): string | null =>
  input.isSum && input.valueFor(before) === undefined ? gridTexts.noSum : null;
