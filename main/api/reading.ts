import { type PartReview, partReview } from '../../shared/lifecycle/review-states.ts';
import { parseDecimal } from '../../shared/model/decimal.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { type AnyValues, fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import { type RemoteId, remoteId } from '../../shared/model/scalars.ts';
import { isJsonObject, JsonNumber, type JsonValue } from './json.ts';

/**
 * Tolerant reading of what the service sends: keys in any case, numbers as numbers or text, enumerations in any
 * case, unknown members ignored, absent ones left out (wire shapes, section 2).
 */
export interface Members {
  get(...names: readonly string[]): JsonValue | undefined;
}

/** The members of an object by name in any case, or null when the value is no object. */
export function membersOf(value: JsonValue | undefined): Members | null {
  if (!isJsonObject(value)) return null;
  const byName = new Map<string, JsonValue>();
  for (const [key, member] of Object.entries(value)) byName.set(key.toLowerCase(), member);
  return {
    get: (...names) => {
      for (const name of names) {
        const member = byName.get(name.toLowerCase());
        if (member !== undefined) return member;
      }
      return undefined;
    },
  };
}

/** Text of a string or of a number; null for everything else. */
export function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : null;
}

/** An id of the service, or null for the ways it writes "none". */
export const idOf = (value: JsonValue | undefined): RemoteId | null => remoteId(textOf(value));

/** An amount in hundredths, cut as the service cuts (cents, or hundredths of a percent). */
export function hundredthsOf(value: JsonValue | undefined): number | null {
  const text = textOf(value);
  if (text === null) return null;
  const parsed = parseDecimal(text, 2);
  return parsed.ok ? parsed.value.units : null;
}

/**
 * A cell of a field from the wire.
 *
 * @returns undefined when the answer lacks the member or holds a value this version does not know, so that
 * merging leaves the field alone
 */
export function cellOf(kind: Kind, field: string, value: JsonValue | undefined): Cell | undefined {
  if (value === undefined) return undefined;
  if (value === null) return null;
  const type = fieldSpec(kind, field)?.type;
  switch (type?.is) {
    case 'text':
      return textOf(value) ?? undefined;
    case 'money':
    case 'factor':
      return hundredthsOf(value) ?? undefined;
    case 'date':
      return plainDate((textOf(value) ?? '').slice(0, 10)) ?? undefined;
    case 'choice':
      return choiceOf(type.choices, textOf(value)) ?? undefined;
    default:
      return undefined;
  }
}

/** The choice that the text means, ignoring case and the marks between words (`in progress`, `inProgress`). */
export function choiceOf(choices: readonly string[], text: string | null): string | null {
  if (text === null) return null;
  const folded = foldWord(text);
  return choices.find((choice) => foldWord(choice) === folded) ?? null;
}

const foldWord = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** Several cells at once: field name to the value found on the wire; what is missing or unknown is left out. */
export function cellsOf(kind: Kind, found: Readonly<Record<string, JsonValue | undefined>>): Partial<AnyValues> {
  const cells: Record<string, Cell> = {};
  for (const [field, value] of Object.entries(found)) {
    const cell = cellOf(kind, field, value);
    if (cell !== undefined) cells[field] = cell;
  }
  return cells;
}

/** What a review said of one row, as `partReview` reads the words. */
export function reviewOutcome(status: JsonValue | undefined, reason: JsonValue | undefined): PartReview | null {
  const word = textOf(status);
  return word === null ? null : partReview(word, textOf(reason));
}
