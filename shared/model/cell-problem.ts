import { unreachable } from '../result.ts';
import { withUnseenShown } from './invisible-text.ts';

/** Why a typed text is no value of its field. */
export type CellProblem =
  | { readonly kind: 'unknown-field'; readonly field: string }
  | { readonly kind: 'not-a-number'; readonly text: string }
  /** A number in which a comma, an apostrophe or a currency sign leaves open what is meant. */
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
      return `"${shown(problem.text)}" is not a number. Type digits with a decimal point, such as 1.50.`;
    case 'unclear-number':
      return `"${shown(problem.text)}" could be read in two ways. Type it with a decimal point and nothing else, such as 1.50.`;
    case 'too-large':
      return `"${shown(problem.text)}" is too large to be an amount. Check the number of digits.`;
    case 'below-zero':
      return `"${shown(problem.text)}" is below zero. Type 0 or more.`;
    case 'above-range':
      return `"${shown(problem.text)}" is above ${problem.max}, the highest value. Type ${problem.max} or less.`;
    case 'not-whole':
      return `"${shown(problem.text)}" is not a whole number. Type digits only.`;
    case 'not-a-date':
      return `"${shown(problem.text)}" is not a date of the calendar. Type year-month-day, such as 2026-05-04.`;
    case 'not-a-choice':
      return `"${shown(problem.text)}" is not one of ${problem.choices.join(', ')}. Pick one of these.`;
    case 'control-character':
      return `The text has an invisible control character at position ${problem.at + 1}. Remove it, or type the text anew.`;
    case 'unseen-text':
      return `The text has only characters that cannot be seen (${cut(withUnseenShown(problem.text) ?? shown(problem.text))}). Type the text anew.`;
    case 'too-long':
      return `The text has ${problem.length} characters; a field holds ${problem.max} at most. Shorten it.`;
    default:
      return unreachable(problem);
  }
}

/** The typed text as a message can show it: invisible characters made visible, long text cut. */
export function shown(text: string): string {
  const visible = text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => {
    return `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
  return cut(visible);
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57).toWellFormed()}...` : text);
