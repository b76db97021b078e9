import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import { TEXT_MAX } from '../model/cell-text.ts';
import { isLongerThan } from '../model/code-points.ts';
import { lengthLimit } from '../model/fields.ts';
import type { AnyRow } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import type { ExpressionProblem } from './amount-expression.ts';
import { type BulkOutcome, type CellStep, changeCells } from './bulk-change.ts';

/** Find and replace, append and case over a text field of many rows. Results that break a length limit are refused. */
export interface FindReplace {
  readonly find: string;
  readonly replace: string;
  readonly matchCase: boolean;
  readonly wholeCell: boolean;
  /** `find` is a pattern (`text-pattern.ts`), and `$1` in `replace` stands for its first group. */
  readonly isPattern?: boolean | undefined;
}

/** Names of the campaigns that rows belong to, by campaign id, for the token `[campaign]`. */
export type CampaignNames = ReadonlyMap<number, string>;
const NO_NAMES: CampaignNames = new Map();

export function findReplace(
  rows: readonly AnyRow[],
  field: string,
  what: FindReplace,
  profile: DeploymentSettings,
  names = NO_NAMES,
): Result<BulkOutcome, ExpressionProblem> {
  if (what.find === '') return ok({ changes: [], refused: [] });
  if (what.isPattern !== true) {
    const literal = what.find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(what.wholeCell ? `^${literal}$` : literal, what.matchCase ? 'gu' : 'giu');
    return ok(
      changeText(rows, field, profile, (text, row) => {
        const by = withTokens(what.replace, row, names);
        if (by === null) return text.search(pattern) < 0 ? text : null;
        return text.replace(pattern, () => by);
      }),
    );
  }
  const pattern = parsePattern(what.find, what);
  if (!pattern.ok) return pattern;
  const change = (text: string, row: AnyRow): string | null => {
    const by = withTokens(what.replace, row, names);
    if (by === null) return text.search(pattern.value) < 0 ? text : null;
    return text.replaceAll(pattern.value, (...match: readonly unknown[]) => {
      // The groups end where the position begins.
      const groups = match.slice(
        0,
        match.findIndex((part) => typeof part === 'number'),
      ) as (string | undefined)[];
      return withGroups(by, groups);
    });
  };
  return ok(changeText(rows, field, profile, change, PATTERN_TEXT_MAX));
}

/** Adds text before or after; `[campaign]`, `[keyword]`, `[item]` and `[brand]` stand for what the row says, `[campaign]` for its campaign's name. */
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
  /** Null when a token has nothing to stand for. */
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
    return isLongerThan(value, max) ? { why: 'too-long' } : { value };
  };
  return changeCells(rows, field, step);
}

/** The text with every token filled in; null when the row has nothing for one, which must not reach an ad as a token. */
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
 * Patterns for find and replace: regular expressions without the parts that can take for ever on a short text. What is
 * left is `.`, classes, `^ $ \b`, groups, `|`, and repeats of single characters, three at most, so that the time grows
 * with a small power of the length of a text and never with two to the power of it.
 */
const REPEATS_MAX = 3;
const LENGTH_MAX = 200;
/** Texts longer than this are not searched by a pattern. */
export const PATTERN_TEXT_MAX = 2000;

interface PatternWish {
  readonly matchCase: boolean;
  /** The pattern has to match the whole text. */
  readonly wholeCell: boolean;
}

/** @returns a global expression over code points, or what cannot be read or is not taken, and where */
export function parsePattern(text: string, { matchCase, wholeCell }: PatternWish): Result<RegExp, ExpressionProblem> {
  if (text.length > LENGTH_MAX)
    return err({ at: LENGTH_MAX, problem: 'This pattern is too long. Type a shorter one.' });
  const refused = refusedPart(text);
  if (refused !== null) return err(refused);
  try {
    return ok(new RegExp(wholeCell ? `^(?:${text})$` : text, matchCase ? 'gu' : 'giu'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const why = error.message.replace(/^Invalid regular expression: .*: /u, '');
    return err({
      at: 0,
      problem: `This pattern cannot be read (${why}). Put a backslash before signs that mean themselves.`,
    });
  }
}

const PART = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?::|<?[=!]|<)?|[\s\S]/gu;
const REPEAT = /^[*+?]$/u;

/** Goes through the pattern part by part: escapes, classes, openings of groups, single signs. */
function refusedPart(text: string): ExpressionProblem | null {
  let repeats = 0;
  let before = '';
  for (const { 0: part, index: at } of text.matchAll(PART)) {
    if (/^\\[1-9k]/u.test(part))
      return { at, problem: 'A pattern cannot refer back to a group. Write the text again.' };
    if (part.startsWith('(?') && part !== '(?:') {
      return { at, problem: 'A pattern cannot look ahead or behind, or name a group. Use ( or (?: instead.' };
    }
    const isRepeat = REPEAT.test(part) || (part === '{' && /^\{\d+(?:,\d*)?\}/u.test(text.slice(at)));
    if (isRepeat && before === ')')
      return { at, problem: 'A group cannot be repeated. Repeat single characters only.' };
    const isLazy = part === '?' && (REPEAT.test(before) || before === '}');
    if (isRepeat && !isLazy && ++repeats > REPEATS_MAX) {
      return { at, problem: `A pattern has ${REPEATS_MAX} repeats at most. Make it simpler.` };
    }
    before = part;
  }
  return null;
}

/** `$1` to `$9` stand for what the groups matched, `$&` for the whole; a group that took no part is empty. */
const withGroups = (replacement: string, match: readonly (string | undefined)[]): string =>
  replacement.replace(/\$([1-9&])/gu, (sign, which: string) => {
    const at = which === '&' ? 0 : Number(which);
    return at < match.length ? (match[at] ?? '') : sign;
  });
