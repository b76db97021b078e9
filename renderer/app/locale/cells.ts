import { listedWords } from '../../../shared/deployment/limits.ts';
import { cellProblemText, formatCell, parseCell } from '../../../shared/model/cell-text.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { OPEN_END } from '../../../shared/model/plain-date.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { appTexts } from '../texts.ts';
import { locale } from './current.ts';
import { limits } from './limits.ts';
import type { Locale } from './locale.ts';
import { type AmountProblem, plainAmount, plainDay, plainSum, typedAmount } from './read-amount.ts';

/**
 * Cells in the locale of the user. Files, filters, templates and the service share one locale-independent format
 * (`shared/model/cell-text.ts`); this module converts between the two.
 */
const isAmount = (kind: Kind, field: string): boolean => {
  const is = fieldSpec(kind, field)?.type.is;
  return is === 'money' || is === 'factor';
};

/** Reads typed text as a cell of a field. @returns the sentence to show when it can't be read, or has two readings */
export function readCell(kind: Kind, field: string, text: string, by: Locale = locale()): Result<Cell, string> {
  const plain = plainText(kind, field, text, by);
  if (!plain.ok) return plain;
  const parsed = parseCell(kind, field, plain.value, {
    factorMax: limits().multiplier.max,
    words: { [kind]: { [field]: listedWords(limits(), kind, field) ?? [] } },
  });
  return parsed.ok ? parsed : err(cellProblemText(parsed.error));
}

/** Typed text in the format of files. Text that is neither an amount nor a date is unchanged. */
export function plainText(kind: Kind, field: string, text: string, by: Locale = locale()): Result<string, string> {
  if (isAmount(kind, field)) return readAmount(text, by);
  if (fieldSpec(kind, field)?.type.is !== 'date') return ok(text);
  const day = plainDay(text);
  return day.ok ? day : err(appTexts.amounts.twoDays(day.error.text, ...day.error.readings));
}

/** Reads a typed amount as digits with a decimal point. @returns or the sentence to show */
export function readAmount(text: string, by: Locale = locale()): Result<string, string> {
  const plain = plainAmount(text, by.style);
  return plain.ok ? plain : err(amountProblemText(plain.error, by));
}

/** Reads a formula such as `+10%` or `1,20*1,05` with decimal points. @returns or the sentence to show */
export function readSum(text: string, by: Locale = locale()): Result<string, string> {
  const plain = plainSum(text, by.style);
  return plain.ok ? plain : err(amountProblemText(plain.error, by));
}

/** The text an editor starts with and the clipboard gets: no thousands separators, days as year-month-day. */
export function editText(kind: Kind, field: string, cell: Cell, by: Locale = locale()): string {
  return formatCell(kind, field, cell, by.style.decimal);
}

export function shownCell(kind: Kind, field: string, cell: Cell, by: Locale = locale()): string {
  const is = fieldSpec(kind, field)?.type.is;
  if (typeof cell === 'number' && (is === 'money' || is === 'factor')) return by.amount(cell);
  if (typeof cell === 'number' && is === 'count') return by.count(cell);
  if (typeof cell === 'string' && is === 'date') return cell === OPEN_END ? appTexts.amounts.openEnd : by.day(cell);
  return formatCell(kind, field, cell);
}

function amountProblemText(problem: AmountProblem, by: Locale): string {
  const example = typedAmount('1.50', by.style);
  if (problem.kind === 'not-a-number') return appTexts.amounts.notANumber(problem.text, example);
  return problem.readings === null
    ? appTexts.amounts.unclear(problem.text, example)
    : appTexts.amounts.twoAmounts(problem.text, ...problem.readings);
}
