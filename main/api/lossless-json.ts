import { err, ok, type Result } from '../../shared/result.ts';

/**
 * JSON as the service writes it, read without losing a digit: a number keeps its source text, because ids are
 * 64-bit and amounts are decimals (wire shapes, section 2). Keys that could touch a prototype are dropped, size and
 * depth are capped before the parser sees the text, and an object that names a member twice is refused.
 */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = string | boolean | null | JsonNumber | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type JsonProblem =
  | { readonly kind: 'too-large'; readonly characters: number }
  | { readonly kind: 'too-deep' }
  /** One object names a member twice; which of the two is meant nobody can say. */
  | { readonly kind: 'same-key-twice'; readonly key: string }
  | { readonly kind: 'not-json' };

/** Longest answer that is read, in characters of text (and in bytes while it arrives). */
export const RESPONSE_MAX_CHARS = 4 * 1024 * 1024;
const DEPTH_MAX = 64;
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function parseJson(text: string): Result<JsonValue, JsonProblem> {
  if (text.length > RESPONSE_MAX_CHARS) return err({ kind: 'too-large', characters: text.length });
  const problem = shapeProblem(text);
  if (problem?.kind === 'too-deep') return err(problem);
  try {
    const value = JSON.parse(text, keepSource) as JsonValue;
    return problem === null ? ok(value) : err(problem);
  } catch {
    // A syntax error is the only thing the parser throws; where it lies helps nobody.
    return err({ kind: 'not-json' });
  }
}

/** Writes a value so that reading it again gives the same value, digit for digit. */
export function printJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${printJson(member)}`);
  return `{${members.join(',')}}`;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

export const isJsonList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

function keepSource(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (UNSAFE_KEYS.has(key)) return undefined;
  if (typeof value === 'number') return new JsonNumber(context?.source ?? String(value));
  return value;
}

/** So many members of one object are compared one by one; of more, the names are kept in a set. */
const COMPARED_MAX = 24;

/**
 * Looks through the text once for what the parser itself would pass over: it would go 200,000 levels down and leave the
 * trouble to readers, and of two members of one name it would keep the last. The text need not be JSON.
 */
function shapeProblem(text: string): JsonProblem | null {
  /** Where the members of the open objects begin in `marks`; -1 for a list. */
  const openAt: number[] = [];
  /** Of each member of the open objects: what its name looks like, and where it stands. */
  const marks: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const known = new Map<number, Set<string>>();
  let count = 0;
  let begin = -1;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at + 1;
      if (!isName) {
        at = endOfString(text, start);
        continue;
      }
      isName = false;
      at = endOfString(text, start);
      if (count - begin >= COMPARED_MAX) {
        let set = known.get(begin);
        if (set === undefined) {
          set = new Set();
          for (let one = begin; one < count; one++) set.add(nameOf(text, starts[one] ?? 0, ends[one] ?? 0));
          known.set(begin, set);
        }
        const name = nameOf(text, start, at);
        if (set.has(name)) return { kind: 'same-key-twice', key: name };
        set.add(name);
        continue;
      }
      const mark = markOf(text, start, at);
      for (let one = begin; one < count; one++) {
        if (mark !== ESCAPED && marks[one] !== mark && marks[one] !== ESCAPED) continue;
        const name = nameOf(text, start, at);
        if (nameOf(text, starts[one] ?? 0, ends[one] ?? 0) === name) return { kind: 'same-key-twice', key: name };
      }
      marks[count] = mark;
      starts[count] = start;
      ends[count] = at;
      count++;
    } else if (code === COMMA) isName = begin >= 0;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (openAt.length >= DEPTH_MAX) return { kind: 'too-deep' };
      isName = code === OPEN_OBJECT;
      begin = isName ? count : -1;
      openAt.push(begin);
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      const closed = openAt.pop() ?? -1;
      if (closed >= 0) {
        count = closed;
        known.delete(closed);
      }
      begin = openAt.at(-1) ?? -1;
      isName = false;
    }
  }
  return null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where the quote stands that ends a string; the end of the text when there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before >= from && text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** Names with escapes have several spellings, so they are compared with every other. */
const ESCAPED = -1;

/** A number that differs for most names that differ: two that share it are compared as text. */
function markOf(text: string, start: number, end: number): number {
  let mark = end - start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) return ESCAPED;
    mark = (mark * 31 + code) & 0xff_ff_ff;
  }
  return mark;
}

/** What a name says; one that is not JSON is left as it is, since the parser will refuse it. */
function nameOf(text: string, start: number, end: number): string {
  const written = text.slice(start, end);
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}
