import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import { isCellOf, TEXT_MAX } from '../model/cell-text.ts';
import { type Cell, isUnknownWord } from '../model/field-types.ts';
import { type AnyValues, fieldSpec, LISTED_FIELDS, lengthLimit } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, isDeleted, isNew } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { controlCharacterAt, isLongerThan } from '../model/text.ts';
import { err, ok, type Result } from '../result.ts';
import { type ExpressionProblem, parseAmountExpression, type Rounding } from './amount-expression.ts';

/** One cell a bulk operation changes, with both values for the preview. Shaped so that it can be staged as an edit. */
export interface BulkChange {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly before: Cell;
  readonly value: Cell;
}

export const REFUSED_CELLS = [
  'no-such-field',
  'not-editable',
  'deleted',
  'empty',
  'too-long',
  'out-of-range',
  'wrong-type',
  /** The new text would contain a character that no field accepts, such as a line break. */
  'control-character',
  /** A token in the new text has no value in the row. */
  'no-token',
] as const;

/** A row in the scope that the operation skipped, and why. */
export interface BulkRefusal {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why: (typeof REFUSED_CELLS)[number];
}

export interface BulkOutcome {
  readonly changes: readonly BulkChange[];
  readonly refused: readonly BulkRefusal[];
}

/** Result of an operation on one cell: a new value, or why there is none. */
type CellStep = (cell: Cell, row: AnyRow) => { readonly value: Cell } | { readonly why: BulkRefusal['why'] };

/**
 * Applies a step to one field of many rows. Unchanged cells are no changes; rows without the field, or where it can no
 * longer be edited, are refused with a reason, never skipped silently.
 */
function changeCells(rows: readonly AnyRow[], field: string, step: CellStep): BulkOutcome {
  const changes: BulkChange[] = [];
  const refused: BulkRefusal[] = [];
  for (const row of rows) {
    const { kind, id } = row;
    const values: AnyValues = row.values;
    const before = values[field] ?? null;
    const result = editedCell(row, field, before, (cell) => step(cell, row));
    if ('why' in result) refused.push({ kind, id, why: result.why });
    else if (result.value !== before) changes.push({ kind, id, field, before, value: result.value });
  }
  return { changes, refused };
}

function editedCell(
  row: AnyRow,
  field: string,
  before: Cell,
  step: (cell: Cell) => ReturnType<CellStep>,
): ReturnType<CellStep> {
  const spec = fieldSpec(row.kind, field);
  if (spec === undefined) return { why: 'no-such-field' };
  // Multipliers have no ID on the service, so both are needed to know that a row exists there.
  const isSent = row.remoteId !== null || !isNew(row);
  const isFixed = spec.owner === 'service' || (spec.owner === 'user-until-sent' && isSent);
  if (isFixed) return { why: 'not-editable' };
  if (isDeleted(row)) return { why: 'deleted' };
  const result = step(before);
  if ('why' in result || result.value === before) return result;
  const isMadeUp = isUnknownWord(spec, result.value) && !LISTED_FIELDS.has(field);
  if (isMadeUp || !isCellOf(spec, result.value)) return { why: 'wrong-type' };
  // Composed text must follow the rules for typed text.
  const isText = spec.type.is === 'text' && typeof result.value === 'string';
  return isText && controlCharacterAt(result.value) >= 0 ? { why: 'control-character' } : result;
}

/** Sets the same value in every row. */
export const setCells = (rows: readonly AnyRow[], field: string, value: Cell): BulkOutcome =>
  changeCells(rows, field, () => ({ value }));

/** Options of bid maths over many rows: limits and rounding of the result. */
export interface AmountBounds extends Rounding {
  /** Lowest and highest result in cents; other values are limited to them. Null for no limit. */
  readonly min: number | null;
  readonly max: number | null;
}

/** Prepares bid maths for rows, or returns what is wrong with the expression or its bounds. */
export function changeAmounts(
  field: string,
  expression: string,
  bounds: AmountBounds,
): Result<(rows: readonly AnyRow[]) => BulkOutcome, ExpressionProblem> {
  const parsed = parseAmountExpression(expression);
  if (!parsed.ok) return err(parsed.error);
  const { apply, isRelative } = parsed.value;
  if (bounds.min !== null && bounds.max !== null && bounds.min > bounds.max)
    return err({ at: 0, problem: 'The minimum is above the maximum. Correct one of them.' });
  const step = (cell: Cell): ReturnType<CellStep> => {
    if (typeof cell === 'string') return { why: 'wrong-type' };
    if (cell === null && isRelative) return { why: 'empty' };
    const result = apply(cell, bounds);
    return result === null ? { why: 'out-of-range' } : { value: within(result, bounds) };
  };
  return ok((rows) => {
    // Many rows have the same amount, so results are cached.
    const made = new Map<Cell, ReturnType<CellStep>>();
    return changeCells(rows, field, (cell) => {
      const known = made.get(cell) ?? step(cell);
      made.set(cell, known);
      return known;
    });
  });
}

const within = (cents: number, { min, max }: AmountBounds): number =>
  Math.min(max ?? Number.MAX_SAFE_INTEGER, Math.max(min ?? 0, cents));

/** Options of find and replace in a text field of many rows. Results that break a length limit are refused. */
export interface FindReplace {
  readonly find: string;
  readonly replace: string;
  readonly matchCase: boolean;
  readonly wholeCell: boolean;
  /** `find` is a pattern (`parsePattern`), and `$1` in `replace` is its first group. */
  readonly isPattern?: boolean | undefined;
}

/** Names of campaigns by ID, for the token `[campaign]`. */
export type CampaignNames = ReadonlyMap<number, string>;
const NO_NAMES: CampaignNames = new Map();

/** Prepares find and replace for rows, or returns what is wrong with the pattern. */
export function findReplace(
  field: string,
  what: FindReplace,
  profile: DeploymentSettings,
): Result<(rows: readonly AnyRow[], names?: CampaignNames) => BulkOutcome, ExpressionProblem> {
  if (what.find === '') return ok(() => ({ changes: [], refused: [] }));
  const isPattern = what.isPattern === true;
  const parsed = isPattern ? parsePattern(what.find, what) : ok(literalPattern(what));
  if (!parsed.ok) return parsed;
  const pattern = parsed.value;
  return ok((rows, names = NO_NAMES) => {
    const change = (text: string, row: AnyRow): string | null => {
      const by = withTokens(what.replace, row, names);
      if (by === null) return text.search(pattern) < 0 ? text : null;
      if (!isPattern) return text.replace(pattern, () => by);
      return text.replace(pattern, (...match: readonly unknown[]) => {
        // The groups end where the position begins.
        const groups = match.slice(
          0,
          match.findIndex((part) => typeof part === 'number'),
        ) as (string | undefined)[];
        return withGroups(by, groups);
      });
    };
    return changeText(rows, field, profile, change, isPattern ? PATTERN_TEXT_MAX : undefined);
  });
}

function literalPattern({ find, wholeCell, matchCase }: FindReplace): RegExp {
  const literal = find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(wholeCell ? `^${literal}$` : literal, matchCase ? 'gu' : 'giu');
}

/** Adds text before or after; `[keyword]`, `[item]` and `[brand]` are replaced from the row, `[campaign]` by its campaign's name. */
export function addText(
  rows: readonly AnyRow[],
  field: string,
  addition: { readonly before: string; readonly after: string },
  profile: DeploymentSettings,
  names = NO_NAMES,
): BulkOutcome {
  return changeText(rows, field, profile, (text, row) => {
    const before = withTokens(addition.before, row, names);
    const after = withTokens(addition.after, row, names);
    return before === null || after === null ? null : before + text + after;
  });
}

export type LetterCase = 'lower' | 'upper' | 'title' | 'sentence';

export const changeCase = (
  rows: readonly AnyRow[],
  field: string,
  to: LetterCase,
  profile: DeploymentSettings,
): BulkOutcome => changeText(rows, field, profile, (text) => inCase(text, to));

export function inCase(text: string, to: LetterCase): string {
  if (to === 'upper') return text.toUpperCase();
  const lower = text.toLowerCase();
  if (to === 'lower') return lower;
  const first = to === 'title' ? /(?<=^|\s)\p{L}/gu : /\p{L}/u;
  return lower.replace(first, (letter) => letter.toUpperCase());
}

function changeText(
  rows: readonly AnyRow[],
  field: string,
  profile: DeploymentSettings,
  /** Null when a token has no value. */
  change: (text: string, row: AnyRow) => string | null,
  readMax = Number.POSITIVE_INFINITY,
): BulkOutcome {
  const step: CellStep = (cell, row) => {
    if (cell === null) return { why: 'empty' };
    if (typeof cell !== 'string') return { why: 'wrong-type' };
    if (cell.length > readMax) return { why: 'too-long' };
    const changed = change(cell, row);
    if (changed === null) return { why: 'no-token' };
    const value = changed.trim();
    if (value === '') return { why: 'empty' };
    const max = lengthLimit(profile, row.kind, field) ?? TEXT_MAX;
    return value !== cell && isLongerThan(value, max) ? { why: 'too-long' } : { value };
  };
  return changeCells(rows, field, step);
}

/** The text with every token replaced; null when one has no value in the row, because a token must not reach an ad. */
function withTokens(text: string, row: AnyRow, names: CampaignNames): string | null {
  let isWhole = true;
  const filled = text.replace(/\[(campaign|keyword|item|brand)\]/g, (token) => {
    const value = tokenValue(token, row, names);
    if (value === null) isWhole = false;
    return value ?? '';
  });
  return isWhole ? filled : null;
}

function tokenValue(token: string, row: AnyRow, names: CampaignNames): string | null {
  if (token === '[campaign]')
    return row.kind === 'campaign' ? row.values.name : (names.get(row.campaignId ?? 0) ?? null);
  if (token === '[keyword]' && row.kind === 'keyword') return row.values.text;
  if (token === '[item]' && row.kind === 'adItem') return row.values.itemName ?? row.values.itemId;
  return token === '[brand]' && row.kind === 'sbaProfile' ? row.values.brand : null;
}

/**
 * Patterns for find and replace: regular expressions without the parts that can take very long on a short text. They
 * have `.`, classes, `^ $ \b`, groups, `|`, and at most three repeats of single characters, so that the time grows
 * with a small power of the length of a text, not exponentially.
 */
const REPEATS_MAX = 3;
const LENGTH_MAX = 200;
/** Texts longer than this are not searched by a pattern. */
export const PATTERN_TEXT_MAX = 2000;

interface PatternOptions {
  readonly matchCase: boolean;
  /** The pattern must match the whole text. */
  readonly wholeCell: boolean;
}

/** @returns a global expression over code points, or the unsupported or invalid part and its position */
export function parsePattern(
  text: string,
  { matchCase, wholeCell }: PatternOptions,
): Result<RegExp, ExpressionProblem> {
  if (text.length > LENGTH_MAX)
    return err({ at: LENGTH_MAX, problem: 'This regular expression is too long. Enter a shorter one.' });
  const refused = refusedPart(text);
  if (refused !== null) return err(refused);
  try {
    return ok(new RegExp(wholeCell ? `^(?:${text})$` : text, matchCase ? 'gu' : 'giu'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const why = error.message.replace(/^Invalid regular expression: .*: /u, '');
    return err({
      at: 0,
      problem: `This regular expression is not valid (${why}). Put a backslash before special characters.`,
    });
  }
}

const PART = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?::|<?[=!]|<)?|[\s\S]/gu;
const REPEAT = /^[*+?]$/u;

/** Finds the first unsupported part: escapes, classes, group openings, single characters. */
function refusedPart(text: string): ExpressionProblem | null {
  let repeats = 0;
  let before = '';
  for (const { 0: part, index: at } of text.matchAll(PART)) {
    if (/^\\[1-9k]/u.test(part))
      return { at, problem: 'References to groups are not supported. Repeat the text instead.' };
    if (part.startsWith('(?') && part !== '(?:') {
      return { at, problem: 'Lookahead, lookbehind and named groups are not supported. Use ( or (?: instead.' };
    }
    const isRepeat = REPEAT.test(part) || (part === '{' && /^\{\d+(?:,\d*)?\}/u.test(text.slice(at)));
    if (isRepeat && before === ')') return { at, problem: "Groups can't be repeated. Repeat single characters only." };
    const isLazy = part === '?' && (REPEAT.test(before) || before === '}');
    if (isRepeat && !isLazy && ++repeats > REPEATS_MAX) {
      return { at, problem: `A regular expression can have up to ${REPEATS_MAX} repeats. Make it simpler.` };
    }
    before = part;
  }
  return null;
}

/** Replaces `$1` to `$9` by the groups, `$&` by the match; a group that did not match is empty. */
const withGroups = (replacement: string, match: readonly (string | undefined)[]): string =>
  replacement.replace(/\$([1-9&])/gu, (sign, which: string) => {
    const at = which === '&' ? 0 : Number(which);
    return at < match.length ? (match[at] ?? '') : sign;
  });
