import { isLongerThan } from '../model/code-points.ts';
import { isUnseen } from '../model/invisible-text.ts';
import { isNew, type Row } from '../model/row.ts';
import { keywordRules } from './keyword-rules.ts';
import { type Report, reportUnseen } from './rule.ts';

const MANY_WORDS = 10;

/**
 * What the text of a keyword is reported for by itself. Nearly all texts are plain, and one short pass says so; only
 * the others are looked at closely. That takes a tenth off what the rules cost a large account.
 *
 * @param max how many characters are usual; more are reported
 */
export function checkKeywordText(row: Row<'keyword'>, text: string, max: number, report: Report): void {
  const words = wordsOfPlain(text) ?? checkCharacters(row, text, report);
  if (words > MANY_WORDS) report.add(keywordRules['many-words'], row, { words, max: MANY_WORDS });
  if (isLongerThan(text, max)) report.add(keywordRules['text-length'], row, { max });
}

/**
 * The number of words of a text of small letters, digits, the signs from # to : but for the star, and single blanks
 * between them, none of which is reported for anything; null of every other text.
 */
function wordsOfPlain(text: string): number | null {
  let words = 1;
  let previous = 0x20;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20) {
      if (previous === 0x20) return null;
      words++;
    } else if ((unit < 0x61 || unit > 0x7a) && (unit < 0x23 || unit > 0x3a || unit === 0x2a)) return null;
    previous = unit;
  }
  return previous === 0x20 ? null : words;
}

/**
 * One pass over the characters finds everything they can be reported for.
 *
 * @returns the number of words
 */
function checkCharacters(row: Row<'keyword'>, text: string, report: Report): number {
  let words = 1;
  let control = false;
  let odd = false;
  let wide = false;
  let blanks = text.charCodeAt(0) === 0x20 || text.charCodeAt(text.length - 1) === 0x20;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20) {
      words++;
      if (i > 0 && text.charCodeAt(i - 1) === 0x20) blanks = true;
    } else if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) control = true;
    else if (unit >= 0x80) wide = true;
    else if (isOdd(unit)) odd = true;
  }
  if (isUnseen(text)) report.add(keywordRules['text-required'], row);
  else if (wide) reportUnseen(keywordRules['text-unseen'], row, 'text', text, report);
  if (control || !text.isWellFormed()) report.add(keywordRules['text-characters'], row);
  if (odd) report.add(keywordRules['text-signs'], row);
  if (blanks) {
    const value = text.replace(/\s+/gu, ' ').trim();
    const isFree = isNew(row) && value !== '';
    report.add(keywordRules['text-blanks'], row, {}, isFree ? { field: 'text', value } : undefined);
  }
  return words;
}

/** ASCII signs that shoppers do not type into a search: brackets, quotes, exclamation and question marks, stars. */
function isOdd(unit: number): boolean {
  return (
    unit === 0x21 ||
    unit === 0x22 ||
    unit === 0x2a ||
    unit === 0x3b ||
    (unit >= 0x3c && unit <= 0x3f) ||
    unit === 0x40 ||
    (unit >= 0x5b && unit <= 0x60) ||
    (unit >= 0x7b && unit <= 0x7e)
  );
}
