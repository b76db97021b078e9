import { err, ok, type Result } from '../result.ts';
import type { Comparison } from './query.ts';

/** Why a search text cannot be read: where, and what to do. */
export interface SearchProblem {
  /** Position in the text, from 0. */
  readonly at: number;
  readonly problem: string;
}

export type Token =
  | { readonly is: 'open' | 'close' | 'or' | 'minus'; readonly at: number }
  | { readonly is: 'text'; readonly text: string; readonly at: number }
  | {
      readonly is: 'term';
      readonly name: string;
      readonly op: ':' | Comparison;
      readonly values: readonly Value[];
      readonly at: number;
    };

export interface Value {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}

/** Only comments are asked for by the field they are about, so that `shop.example:8080` stays a word. */
const NAME_AND_OP = /^((?:(?:comment|resolved)\.)?[A-Za-z][A-Za-z0-9]*)(:|<=|>=|!=|<|>|=)/i;
const END_OF_WORD = /[\s()]/;

/** Cuts a search text into words, quoted texts and `field op value` terms. */
export function tokenize(text: string): Result<readonly Token[], SearchProblem> {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (/\s/.test(sign)) at++;
    else if (sign === '(' || sign === ')') tokens.push({ is: sign === '(' ? 'open' : 'close', at: at++ });
    else if (sign === '-' && at + 1 < text.length && !/\s/.test(text.charAt(at + 1)))
      tokens.push({ is: 'minus', at: at++ });
    else {
      const read = readWord(text, at);
      if (!read.ok) return read;
      tokens.push(read.value.token);
      at = read.value.end;
    }
  }
  return ok(tokens);
}

function readWord(text: string, at: number): Result<{ readonly token: Token; readonly end: number }, SearchProblem> {
  const named = NAME_AND_OP.exec(text.slice(at, at + 60));
  const [, name, op] = named ?? [];
  if (named === null || name === undefined || op === undefined) {
    const value = readValue(text, at, false);
    if (!value.ok) return value;
    const isOr = !value.value.value.quoted && value.value.value.text === 'OR';
    const token: Token = isOr ? { is: 'or', at } : { is: 'text', text: value.value.value.text, at };
    return ok({ token, end: value.value.end });
  }
  const values: Value[] = [];
  let end = at + named[0].length;
  for (;;) {
    const value = readValue(text, end, true);
    if (!value.ok) return value;
    values.push(value.value.value);
    end = value.value.end;
    if (text.charAt(end) !== ',') break;
    end++;
  }
  return ok({ token: { is: 'term', name, op: op as ':' | Comparison, values, at }, end });
}

/** A word up to the next blank, parenthesis or, in a list, comma; or a text in quotes, in which `\"` is a quote. */
function readValue(
  text: string,
  at: number,
  isInList: boolean,
): Result<{ readonly value: Value; readonly end: number }, SearchProblem> {
  if (text.charAt(at) !== '"') {
    let end = at;
    while (end < text.length && !END_OF_WORD.test(text.charAt(end)) && !(isInList && text.charAt(end) === ',')) end++;
    return ok({ value: { text: text.slice(at, end), at, quoted: false }, end });
  }
  let value = '';
  let end = at + 1;
  while (end < text.length && text.charAt(end) !== '"') {
    const isEscape = text.charAt(end) === '\\' && end + 1 < text.length;
    value += text.charAt(isEscape ? end + 1 : end);
    end += isEscape ? 2 : 1;
  }
  if (end >= text.length) return err({ at, problem: 'The quote is not closed. Add a " at the end of the text.' });
  return ok({ value: { text: value, at, quoted: true }, end: end + 1 });
}
