import { jsonOrNull } from '../json-or-null.ts';
import { formatDecimal, parseDecimal } from '../model/decimal.ts';
import { err, ok, type Result, unreachable } from '../result.ts';
import type { Form } from './profile-keys.ts';

/** One value of the profile's object; a list is kept whole. */
export type Part = string | number | boolean | null | readonly string[];

/** Writes the parts of one key (two for a range or a size) as the text after its `=`. */
export function writeValue(form: Form, parts: readonly Part[]): string {
  const [first = null] = parts;
  switch (form) {
    case 'money':
    case 'money-or-none':
      return typeof first === 'number' ? formatDecimal(first, 2) : '';
    case 'number-or-none':
      return typeof first === 'number' ? String(first) : '';
    case 'list':
      return Array.isArray(first) ? `[${first.map((word) => writeText(word, LIST_WORD)).join(', ')}]` : '[]';
    case 'range':
      return parts.join('..');
    case 'size':
      return parts.join('x');
    case 'text':
      return writeText(String(first), LINE);
    default:
      return String(first);
  }
}

/** Reads what `writeValue` wrote. The failure ends the sentence "It must be ...". */
export function readValue(form: Form, text: string): Result<readonly Part[], string> {
  switch (form) {
    case 'text':
      return readWord(text);
    case 'number':
      return numbers([text], 'a number, such as 50');
    case 'number-or-none':
      return text === '' ? ok([null]) : numbers([text], 'a number, such as 10, or nothing');
    case 'switch':
      return text === 'true' || text === 'false' ? ok([text === 'true']) : err('true or false');
    case 'range':
      return numbers(text.split('..'), 'two numbers with two dots between them, such as 5..45', 2);
    case 'size':
      return numbers(text.split('x'), 'width and height with an x between them, such as 100x100', 2);
    case 'list':
      return readList(text);
    case 'money-or-none':
      return text === '' ? ok([null]) : readMoney(text, 'an amount, such as 1.50, or nothing');
    case 'money':
      return readMoney(text, 'an amount, such as 1.50');
    default:
      return unreachable(form);
  }
}

/** Texts that read back as themselves without quotes: no blanks outside, no sign that means something here. */
const LINE = /^(?!["[])\S(?:.*\S)?$/u;
const LIST_WORD = /^[^\s"[\],](?:[^"[\],\p{C}]*[^\s"[\],])?$/u;
const CONTROL = /\p{C}|[\u2028\u2029]/u;

const writeText = (text: string, plain: RegExp): string =>
  text === '' && plain === LINE ? '' : plain.test(text) && !CONTROL.test(text) ? text : JSON.stringify(text);

function readWord(text: string): Result<readonly [string], string> {
  if (!text.startsWith('"')) return ok([text]);
  const word = fromQuotes(text);
  return word === null ? err('a text; one in quotes must end with the quote') : ok([word]);
}

/** JSON's quoting, because a text may hold line ends and quotes. */
function fromQuotes(text: string): string | null {
  const value = jsonOrNull(text);
  return typeof value === 'string' ? value : null;
}

const LIST_PART = /\s*("(?:[^"\\]|\\.)*"|[^",[\]]+)\s*(?:,|$)/uy;

function readList(text: string): Result<readonly Part[], string> {
  const wanted = 'words in brackets with commas between them, such as [Desktop, Mobile]';
  if (!text.startsWith('[') || !text.endsWith(']')) return err(wanted);
  const inner = text.slice(1, -1);
  const words: string[] = [];
  for (let at = 0; at < inner.length; ) {
    LIST_PART.lastIndex = at;
    const [whole, part] = LIST_PART.exec(inner) ?? [];
    if (whole === undefined || part === undefined) return err(wanted);
    const word = readWord(part.trim());
    if (!word.ok || word.value[0] === '') return err(wanted);
    words.push(word.value[0]);
    at += whole.length;
  }
  return inner.trimEnd().endsWith(',') ? err(wanted) : ok([words]);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

function numbers(texts: readonly string[], wanted: string, count = 1): Result<readonly Part[], string> {
  const isRead = texts.length === count && texts.every((text) => NUMBER.test(text.trim()));
  return isRead ? ok(texts.map(Number)) : err(wanted);
}

function readMoney(text: string, wanted: string): Result<readonly Part[], string> {
  const amount = parseDecimal(text, 2);
  return amount.ok && !amount.value.wasCut ? ok([amount.value.units]) : err(wanted);
}
