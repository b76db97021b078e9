import { parseAmountExpression } from '../../shared/bulk/amount-expression.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readCell, readSum } from '../app/locale/cells.ts';
import { gridTexts } from './text.ts';

/**
 * The new values that typed or pasted text gives to cells. A plain value is the same for every cell; a calculation such
 * as `+10%` uses each cell's current value.
 */
export interface CellInput {
  /**
   * The new value for a cell that holds `before`; undefined where the calculation has no result (empty cell, below
   * zero).
   */
  readonly valueFor: (before: Cell) => Cell | undefined;
  readonly isSum: boolean;
  /** The typed text with points as decimal separators, as main parses a calculation. */
  readonly plain: string;
}

/** Parses text for a field. Calculations work in money fields only; elsewhere `*` and `+` are plain text. */
export function readInput(kind: Kind, field: string, text: string): Result<CellInput, string> {
  const parsed = readCell(kind, field, text);
  const isMoney = fieldSpec(kind, field)?.type.is === 'money';
  // A leading plus adds to the current value, as a leading minus subtracts.
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

/** Why a calculation cannot be applied to a cell that holds `before`; null when it can. */
export const sumProblem = (input: CellInput, before: Cell): string | null =>
  input.isSum && input.valueFor(before) === undefined ? gridTexts.noSum : null;
