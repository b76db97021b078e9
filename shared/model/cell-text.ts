import { err, ok, type Result, unreachable } from '../result.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import type { Cell, FieldSpec } from './field-types.ts';
import { fieldSpec } from './fields.ts';
import type { Kind } from './kinds.ts';
import { OPEN_END, plainDate } from './plain-date.ts';
import { codePointLength, controlCharacterAt, isUnseen, withUnseenShown } from './text.ts';

/** Maximum characters of a text without a specific limit. */
export const TEXT_MAX = 50_000;
/** Highest bid multiplier without deployment settings (document, "Limits"). */
const FACTOR_MAX = 50_000;
const UNCLEAR = /^[+-]?\s*[$€£¥]|[$€£¥]\s*$|\d[,'’\u00a0\u202f ]\d/u;
/** The sign of `$1.50`, as spreadsheet programs show amounts. `$1.500` can mean two. */
const DOLLAR_SIGN = /^\$\s*(?=\d+(\.\d\d?)?$)/u;
const OPEN_WORDS = /^(open|open end|no end|no end date|none)$/iu;

export interface ParseLimits {
  /** Highest multiplier in percent. The range is checked before surplus decimals are cut, so it is needed here. */
  readonly factorMax?: number;
  /** Words besides those this version knows: from the deployment's lists, or from rows of the account. */
  readonly words?: ServiceWords;
}

/** Words of the service by kind and field, besides the choices of the field. */
export type ServiceWords = Readonly<Partial<Record<Kind, Readonly<Record<string, readonly string[]>>>>>;

/**
 * Parses typed text as a cell of a field, in the grid, a spreadsheet, the search and the command line. Blank text is
 * the empty cell. Decimals beyond the second are cut; choices are matched ignoring case; nothing is guessed.
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
 * Formats a cell as text that `parseCell` parses to the same cell.
 *
 * @param decimal the decimal separator in amounts shown to people; files use the point
 */
export function formatCell(kind: Kind, field: string, cell: Cell, decimal = '.'): string {
  if (cell === null) return '';
  const type = fieldSpec(kind, field)?.type.is;
  if (typeof cell !== 'number') return cell;
  return type === 'money' || type === 'factor' ? formatDecimal(cell, 2).replace('.', decimal) : String(cell);
}

/** Whether a text can be a word of the service: short, on one line, and visible. */
const isWord = (text: string): boolean =>
  text.trim() === text && text !== '' && text.length <= WORD_MAX && text.isWellFormed() && controlCharacterAt(text) < 0;
const WORD_MAX = 200;

/**
 * True when the value is valid for this field: right type, known choice, integer in range. An open choice accepts any
 * word; whether the user may set it is checked elsewhere.
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
  const bare = text.replace(DOLLAR_SIGN, '');
  if (UNCLEAR.test(bare)) return err({ kind: 'unclear-number', text });
  const parsed = parseDecimal(bare, 2);
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
  const found =
    choices.find((choice) => choiceKey(choice) === wanted) ?? choices.find((choice) => choice === ELSEWHERE[wanted]);
  return found === undefined ? err({ kind: 'not-a-choice', text, choices }) : ok(found);
}

/** Names of choices in other editors, by key. */
const ELSEWHERE: Readonly<Partial<Record<string, string>>> = {
  active: 'enabled',
  exactmatch: 'exact',
  phrasematch: 'phrase',
  broadmatch: 'broad',
};

/** `Sponsored Products`, `sponsored_products` and `sponsoredProducts` are the same choice. */
const choiceKey = (text: string): string => text.toLowerCase().replace(/[\s_-]+/gu, '');

/** Why a typed text is no value of its field. */
export type CellProblem =
  | { readonly kind: 'unknown-field'; readonly field: string }
  | { readonly kind: 'not-a-number'; readonly text: string }
  /** A number that is ambiguous because of a comma, an apostrophe or a currency sign. */
  | { readonly kind: 'unclear-number'; readonly text: string }
  | { readonly kind: 'too-large'; readonly text: string }
  | { readonly kind: 'below-zero'; readonly text: string }
  | { readonly kind: 'above-range'; readonly text: string; readonly max: number }
  | { readonly kind: 'not-whole'; readonly text: string }
  | { readonly kind: 'not-a-date'; readonly text: string }
  | { readonly kind: 'not-a-choice'; readonly text: string; readonly choices: readonly string[] }
  | { readonly kind: 'control-character'; readonly text: string; readonly at: number }
  | { readonly kind: 'unseen-text'; readonly text: string }
  | { readonly kind: 'too-long'; readonly length: number; readonly max: number };

/** The sentence shown at the field: what was typed, what is expected, what to do. */
export function cellProblemText(problem: CellProblem): string {
  switch (problem.kind) {
    case 'unknown-field':
      return `There is no field "${problem.field}" here.`;
    case 'not-a-number':
      return `"${shown(problem.text)}" is not a number. Enter digits with a decimal point, such as 1.50.`;
    case 'unclear-number':
      return `"${shown(problem.text)}" can mean two amounts. Enter it with a decimal point only, such as 1.50.`;
    case 'too-large':
      return `"${shown(problem.text)}" is too large for an amount. Check the number of digits.`;
    case 'below-zero':
      return `"${shown(problem.text)}" is below 0. Enter 0 or more.`;
    case 'above-range':
      return `"${shown(problem.text)}" is above the maximum. Enter ${problem.max} or less.`;
    case 'not-whole':
      return `"${shown(problem.text)}" is not a whole number. Enter digits only.`;
    case 'not-a-date':
      return `"${shown(problem.text)}" is not a date. Enter year-month-day, such as 2026-05-04.`;
    case 'not-a-choice':
      return `"${shown(problem.text)}" is not one of ${problem.choices.join(', ')}. Choose one of these.`;
    case 'control-character':
      return `The text has an invisible character at position ${problem.at + 1}. Remove it, or enter the text again.`;
    case 'unseen-text':
      return `The text has only invisible characters (${cut(withUnseenShown(problem.text) ?? shown(problem.text))}). Enter the text again.`;
    case 'too-long':
      return `The text has ${problem.length} characters. The maximum is ${problem.max}. Shorten it.`;
    default:
      return unreachable(problem);
  }
}

/** The typed text for use in a message: invisible characters written out, long text cut. */
export function shown(text: string): string {
  const visible = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => {
    return `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
  return cut(visible);
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57).toWellFormed()}...` : text);
