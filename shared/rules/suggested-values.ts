import type { Cell } from '../model/field-types.ts';
import { codePointLength } from '../model/text.ts';
import type { Issue } from './rule.ts';

/** Most values that are offered for one issue. */
const OFFERED_MAX = 3;

/** Values that would resolve an issue: its fix first, and for a text that is too long shorter ones of complete words. */
export function suggestedValues({ rule, params, fix }: Issue, value: Cell): readonly Exclude<Cell, null>[] {
  const { max } = params;
  const isTooLong = rule.endsWith('length') && typeof max === 'number' && typeof value === 'string';
  const offered = [...(isTooLong ? shortenings(value, max) : []), ...(fix === null ? [] : [fix.value])];
  return [...new Set(offered)].filter((each) => each !== null && each !== value).slice(0, OFFERED_MAX) as never;
}

/** Words that a headline can do without. */
const FILLERS = /^(?:absolutely|ever|just|most|only|quite|really|simply|single|so|truly|very)$/i;
/** Words that begin a part which can be omitted, and with which a text must not end. */
const JOINTS = /^(?:a|an|and|at|by|for|from|in|of|on|or|the|to|with|your|our)$/i;

/** Shorter texts within the limit, the one nearest to the original first; none if its first word is too long. */
export function shortenings(text: string, max: number): readonly string[] {
  const words = text.trim().split(/\s+/u);
  const plain = words.filter((word) => !FILLERS.test(word));
  const fits = (each: string): boolean => each !== '' && codePointLength(each) <= max;
  const begun = (each: string): string => (/^\p{Lu}/u.test(text.trim()) ? capitalized(each) : each);
  const found = [...new Set([plain.join(' '), withoutLastPart(plain, max)].map(begun))].filter(fits);
  return found.length > 0 ? found : [wholeWords(words, max)].filter(fits);
}

/** Capitalizes the first letter, because the first word may have been removed. A name such as "iPhone" stays. */
const capitalized = (text: string): string => text.replace(/^\p{Ll}(?!\p{Lu})/u, (letter) => letter.toUpperCase());

/** Removes parts such as "of the year" from the end, at least one. */
function withoutLastPart(words: readonly string[], max: number): string {
  let left = words;
  do {
    const joint = left.findLastIndex((word) => JOINTS.test(word));
    left = left.slice(0, Math.max(0, joint));
  } while (isLongOrOpen(left, max));
  return trimmed(left);
}

/** Whether words are too long together, or end with a connecting word. False for no words. */
const isLongOrOpen = (words: readonly string[], max: number): boolean =>
  codePointLength(words.join(' ')) > max || JOINTS.test(words.at(-1) ?? '');

function wholeWords(words: readonly string[], max: number): string {
  const left = [...words];
  while (isLongOrOpen(left, max)) left.pop();
  return trimmed(left);
}

const trimmed = (words: readonly string[]): string => words.join(' ').replace(/[,;:–-]+$/u, '');
