import { err, ok, type Result } from '../result.ts';
import type { ExpressionProblem } from './amount-expression.ts';

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
export const withGroups = (replacement: string, match: readonly (string | undefined)[]): string =>
  replacement.replace(/\$([1-9&])/gu, (sign, which: string) => {
    const at = which === '&' ? 0 : Number(which);
    return at < match.length ? (match[at] ?? '') : sign;
  });
