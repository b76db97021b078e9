import { isCalendarDate } from './clock.ts';
import { limits } from './limits.ts';
import { messages, Refusal } from './messages.ts';

/**
 * Reads the fields of a request element. An absent field is null; so are null, 0 and "0" for an ID. A field of the
 * wrong type refuses the whole call with 400 ("Item endpoints HTTP errors": malformed body).
 */
export type Fields = Readonly<Record<string, unknown>>;

/** The document's parameter tables and samples spell this name differently; both are accepted. */
const otherSpelling: Readonly<Record<string, string>> = { adGroupId: 'adgroupId' };

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldOf(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  const other = otherSpelling[name];
  return other !== undefined && Object.hasOwn(fields, other) ? fields[other] : undefined;
}

/** The elements of a write: an array, or one object, which counts as an array of one. */
export function readElements(body: unknown, emptyMessage: string): readonly Fields[] {
  const elements: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (elements.length === 0) throw new Refusal(400, emptyMessage);
  if (elements.length > limits.batchMax) throw new Refusal(400, messages.batchTooLarge(limits.batchMax));
  return elements.map((element) => {
    if (!isFields(element)) throw new Refusal(400, messages.invalidParameters);
    return element;
  });
}

/** The single object of a call without a batch; an array of one is accepted. */
export function readObject(body: unknown): Fields {
  const element: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  if (!isFields(element)) throw new Refusal(400, messages.invalidParameters);
  return element;
}

/** An identifier, as number or digits. One above 2^53 becomes -1: well-formed, but never an existing ID. */
export function parseId(value: unknown): number | null {
  if (value === undefined || value === null || value === '' || value === 0 || value === '0') return null;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0)
    return Number.isSafeInteger(value) ? value : -1;
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) {
    const id = Number(value);
    return id === 0 ? null : Number.isSafeInteger(id) ? id : -1;
  }
  throw new Refusal(400, messages.invalidParameters);
}

/** An identifier in the query, in either spelling of its name. */
export function queryId(query: URLSearchParams, name: string): number | null {
  return parseId(query.get(name) ?? query.get(otherSpelling[name] ?? name));
}

export function readId(fields: Fields, name: string): number | null {
  return parseId(fieldOf(fields, name));
}

export function readText(fields: Fields, name: string): string | null {
  const value = fieldOf(fields, name);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw new Refusal(400, messages.invalidParameters);
  return value;
}

/** A word from a fixed list, compared exactly. */
export function readWord<W extends string>(fields: Fields, name: string, words: readonly W[]): W | null {
  const value = readText(fields, name);
  if (value === null) return null;
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new Refusal(400, messages.invalidParameters);
  return word;
}

export function readDecimal(fields: Fields, name: string): Hundredths | null {
  const value = fieldOf(fields, name);
  if (value === undefined || value === null || value === '') return null;
  const decimal = parseHundredths(value);
  if (decimal === null) throw new Refusal(400, messages.invalidParameters);
  return decimal;
}

export function readDate(fields: Fields, name: string): string | null {
  const value = readText(fields, name);
  if (value === null) return null;
  if (!isCalendarDate(value)) throw new Refusal(400, messages.invalidParameters);
  return value;
}

/** Refuses the call if a required field is absent ("Field [x] not found in request"). */
export function required<T>(value: T | null, name: string, message = messages.fieldMissing(name)): T {
  if (value === null) throw new Refusal(400, message);
  return value;
}

/**
 * Decimal amounts without binary arithmetic: digits are cut off, never rounded ("Placement multiplier": digits beyond
 * two decimals are truncated). A hundredth is a cent for money, a hundredth of a percent for multipliers.
 */
export interface Hundredths {
  readonly negative: boolean;
  /** The amount in hundredths after truncation; never negative. */
  readonly hundredths: number;
  /** True if digits other than zeros were cut off: 50000.009 is above 50000. */
  readonly cutDigits: boolean;
}

const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Parses a JSON number or its text. Null if it is no decimal number. */
export function parseHundredths(value: unknown): Hundredths | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = decimalText.exec(String(value).trim());
  if (match === null) return null;
  const whole = match[2] ?? '';
  const fraction = match[3] ?? '';
  if (whole === '' && fraction === '') return null;
  const digits = whole + fraction;
  const pointAt = whole.length + Number(match[4] ?? '0');
  const keep = pointAt + 2;
  const kept = keep <= 0 ? '0' : digits.slice(0, keep).padEnd(keep, '0');
  const cut = keep <= 0 ? digits : digits.slice(keep);
  const amount = Number(kept);
  const hundredths = amount <= Number.MAX_SAFE_INTEGER ? amount : Number.MAX_SAFE_INTEGER;
  const cutDigits = /[1-9]/.test(cut);
  return { negative: match[1] === '-' && (hundredths > 0 || cutDigits), hundredths, cutDigits };
}

/** Whether the amount, before truncation, is above the given number of hundredths. */
export function isAbove(amount: Hundredths, limit: number): boolean {
  return !amount.negative && (amount.hundredths > limit || (amount.hundredths === limit && amount.cutDigits));
}

/** Hundredths as a JSON number: 150050 is 1500.5. */
export function toNumber(hundredths: number): number {
  return hundredths / 100;
}

/** Hundredths as text with two decimals, for messages: 150 is "1.50". */
export function toText(hundredths: number): string {
  const text = String(hundredths).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}
