import { err, ok, type Result } from '../../shared/result.ts';

/**
 * A number of the service's JSON, with its source text, because IDs are 64-bit and amounts are decimals (wire shapes,
 * section 2). Keys that could affect a prototype are dropped, size and depth are limited before parsing, and an object
 * with a duplicate key is refused.
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
  | { readonly kind: 'too-large' | 'too-deep' }
  /** One object has a key twice, so its value is ambiguous. */
  | { readonly kind: 'same-key-twice'; readonly key: string }
  | { readonly kind: 'not-json' };

/** Maximum length of a response, in characters of text (and in bytes while it arrives). */
export const RESPONSE_MAX_CHARS = 4 * 1024 * 1024;
const DEPTH_MAX = 64;
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function parseJson(text: string): Result<JsonValue, JsonProblem> {
  if (text.length > RESPONSE_MAX_CHARS) return err({ kind: 'too-large' });
  const problem = shapeProblem(text);
  if (problem?.kind === 'too-deep') return err(problem);
  try {
    const value = JSON.parse(text, keepSource) as JsonValue;
    return problem === null ? ok(value) : err(problem);
  } catch {
    // JSON.parse throws only syntax errors; the position is not useful.
    return err({ kind: 'not-json' });
  }
}

/** Writes a value so that reading it again gives the same value with all digits. */
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

/** The characters of interest before parsing: quotes, and the beginnings and ends of objects and lists. */
const SIGN = /["{}[\],]/g;

/**
 * Finds problems that the parser does not report: it would parse 200,000 levels, on which recursive readers fail, and
 * of duplicate keys it keeps the last. The text need not be JSON.
 */
function shapeProblem(text: string): JsonProblem | null {
  /** The keys so far of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isName = false;
  SIGN.lastIndex = 0;
  for (let found = SIGN.exec(text); found !== null; found = SIGN.exec(text)) {
    switch (found[0]) {
      case '"': {
        const end = endOfString(text, SIGN.lastIndex);
        const names = isName ? open.at(-1) : null;
        if (names !== null && names !== undefined) {
          const name = unescaped(text.slice(SIGN.lastIndex, end));
          if (names.has(name)) return { kind: 'same-key-twice', key: name };
          names.add(name);
        }
        isName = false;
        SIGN.lastIndex = end + 1;
        break;
      }
      case '{':
      case '[':
        if (open.length >= DEPTH_MAX) return { kind: 'too-deep' };
        isName = found[0] === '{';
        open.push(isName ? new Set() : null);
        break;
      case ',':
        isName = true;
        break;
      default:
        open.pop();
        isName = false;
    }
  }
  return null;
}

/** Position of the quote that ends a string; the end of the text if there is none. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before >= from && text[before] === '\\') before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** A text without its escapes; returned unchanged if it is not JSON. */
export function unescaped(written: string): string {
  if (!written.includes('\\')) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}
