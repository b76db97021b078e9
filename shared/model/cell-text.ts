import { err, ok, type Result } from '../result.ts';
import type { CellProblem } from './cell-problem.ts';
import { codePointLength, controlCharacterAt } from './code-points.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import type { Cell, FieldSpec } from './field-types.ts';
import { fieldSpec } from './fields.ts';
import { isUnseen } from './invisible-text.ts';
import type { Kind } from './kinds.ts';
import { OPEN_END, plainDate } from './plain-date.ts';

/**
 * Between what a person types or reads and what a row holds. Used by the grid, the sheet, the search and the
 * command line, so that 12.349 means the same in all of them.
 */

/** The most characters of a text that has no limit of its own. */
export const TEXT_MAX = 50_000;
/** Highest bid multiplier when no profile is at hand (document, "Limits"). */
const FACTOR_MAX = 50_000;
const UNCLEAR = /^[+-]?\s*[$€£¥]|[$€£¥]\s*$|\d[,'’\u00a0\u202f ]\d/u;
const OPEN_WORDS = /^(open|open end|no end|none)$/iu;

export interface ParseLimits {
  /** Highest multiplier in percent. The range is checked before surplus decimals are cut, so it must be known here. */
  readonly factorMax?: number;
  /** Words of the service beside those this version knows, as `unknownWords` and the deployment's lists have them. */
  readonly words?: ServiceWords;
}

/** Words of the service by kind and field, beside the choices of the field. */
export type ServiceWords = Readonly<Partial<Record<Kind, Readonly<Record<string, readonly string[]>>>>>;

/**
 * Reads typed text as a cell of a field. Blank text is the empty cell. Decimals beyond the second are cut;
 * choices are matched without regard to case; nothing is guessed.
 */
export function parseCell(kind: Kind, field: string, text: string, limits?: ParseLimits): Result<Cell, CellProblem> {
  const spec = fieldSpec(kind, field);
  if (spec === undefined) return err({ kind: 'unknown-field', field });
  const trimmed = text.toWellFormed().trim();
  if (trimmed === '') return ok(null);
  switch (spec.type.is) {
    case 'text':
      return parseText(trimmed);
    case 'money':
      return parseAmount(trimmed);
    case 'factor':
      return parseFactor(trimmed.replace(/\s*%$/u, ''), limits?.factorMax ?? FACTOR_MAX);
    case 'date':
      return parseDate(trimmed, field === 'endDate');
    case 'choice':
      return parseChoice(trimmed, [...spec.type.choices, ...(limits?.words?.[kind]?.[field] ?? [])]);
    case 'count':
    case 'ref':
      return /^\d{1,15}$/.test(trimmed) ? ok(Number(trimmed)) : err({ kind: 'not-whole', text: trimmed });
  }
}

/**
 * Writes a cell as the text that `parseCell` reads back as the same cell.
 *
 * @param decimal the mark in amounts, where a person reads the text; files have the point
 */
export function formatCell(kind: Kind, field: string, cell: Cell, decimal = '.'): string {
  if (cell === null) return '';
  const type = fieldSpec(kind, field)?.type.is;
  if (typeof cell !== 'number') return cell;
  return type === 'money' || type === 'factor' ? formatDecimal(cell, 2).replace('.', decimal) : String(cell);
}

/** What a word of the service may look like: short, on one line, and visible. */
const isWord = (text: string): boolean =>
  text.trim() === text && text !== '' && text.length <= WORD_MAX && text.isWellFormed() && controlCharacterAt(text) < 0;
const WORD_MAX = 200;

/**
 * True when the value may stand in a cell of this field: right type, known choice, whole number in range. An open choice
 * takes any word; whether somebody may write it there is asked elsewhere.
 */
export function isCellOf(spec: FieldSpec, cell: Cell): boolean {
  if (cell === null) return true;
  switch (spec.type.is) {
    case 'text':
      return typeof cell === 'string' && cell !== '' && cell.isWellFormed();
    case 'date':
      return typeof cell === 'string' && plainDate(cell) === cell;
    case 'choice':
      if (typeof cell !== 'string') return false;
      return spec.type.choices.includes(cell) || (spec.type.isOpen && isWord(cell));
    case 'money':
    case 'factor':
      return typeof cell === 'number' && Number.isSafeInteger(cell);
    case 'count':
      return typeof cell === 'number' && Number.isSafeInteger(cell) && cell >= 0;
    case 'ref':
      return typeof cell === 'number' && Number.isSafeInteger(cell) && cell > 0;
  }
}

function parseText(text: string): Result<Cell, CellProblem> {
  const at = controlCharacterAt(text);
  if (at >= 0) return err({ kind: 'control-character', text, at });
  if (isUnseen(text)) return err({ kind: 'unseen-text', text });
  if (text.length > TEXT_MAX) return err({ kind: 'too-long', length: codePointLength(text), max: TEXT_MAX });
  return ok(text);
}

function parseAmount(text: string): Result<Cell, CellProblem> {
  if (UNCLEAR.test(text)) return err({ kind: 'unclear-number', text });
  const parsed = parseDecimal(text, 2);
  if (!parsed.ok) return parsed;
  return parsed.value.negative ? err({ kind: 'below-zero', text }) : ok(parsed.value.units);
}

function parseFactor(text: string, max: number): Result<Cell, CellProblem> {
  const parsed = parseAmount(text);
  if (!parsed.ok) return parsed;
  const cut = parseDecimal(text, 2);
  const units = Number(parsed.value);
  const above = units > max * 100 || (units === max * 100 && cut.ok && cut.value.wasCut);
  return above ? err({ kind: 'above-range', text, max }) : ok(units);
}

function parseDate(text: string, mayBeOpen: boolean): Result<Cell, CellProblem> {
  if (mayBeOpen && OPEN_WORDS.test(text)) return ok(OPEN_END);
  const date = plainDate(text.replace(/^(\d{4})\/(\d{2})\/(\d{2})$/, '$1-$2-$3'));
  return date === null ? err({ kind: 'not-a-date', text }) : ok(date);
}

function parseChoice(text: string, choices: readonly string[]): Result<Cell, CellProblem> {
  const wanted = choiceKey(text);
  const found = choices.find((choice) => choiceKey(choice) === wanted);
  return found === undefined ? err({ kind: 'not-a-choice', text, choices }) : ok(found);
}

/** `Sponsored Products`, `sponsored_products` and `sponsoredProducts` name the same choice. */
const choiceKey = (text: string): string => text.toLowerCase().replace(/[\s_-]+/gu, '');
