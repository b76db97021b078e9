import { err, ok, type Result } from '../../shared/result.ts';

/**
 * JSON as the service writes it, read without losing a digit: a number keeps its source text, because ids are
 * 64-bit and amounts are decimals (wire shapes, section 2). Keys that could touch a prototype are dropped, and
 * size and depth are capped before the parser sees the text.
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
  | { readonly kind: 'not-json' };

/** Longest answer that is read, in characters of text (and in bytes while it arrives). */
export const ANSWER_MAX = 4 * 1024 * 1024;
const DEPTH_MAX = 64;
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function parseJson(text: string): Result<JsonValue, JsonProblem> {
  if (text.length > ANSWER_MAX) return err({ kind: 'too-large', characters: text.length });
  if (isDeeperThan(text, DEPTH_MAX)) return err({ kind: 'too-deep' });
  try {
    return ok(JSON.parse(text, keepSource) as JsonValue);
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

/** Counts brackets outside strings; the parser itself would go 200,000 levels down and leave the trouble to readers. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
