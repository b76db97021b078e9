import { type PartReview, partReview, reviewState } from '../../shared/lifecycle/states.ts';
import { isCellOf } from '../../shared/model/cell-text.ts';
import { parseDecimal } from '../../shared/model/decimal.ts';
import { type Cell, type FieldSpec, isUnknownWord, type WireSpec } from '../../shared/model/field-types.ts';
import { type AnyValues, FIELDS, fieldSpec, fieldSpecs } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import { type RemoteId, remoteId, type UnknownWord } from '../../shared/model/scalars.ts';
import { isJsonObject, JsonNumber, type JsonValue, printJson } from './lossless-json.ts';

/**
 * Tolerant reading of what the service sends: keys in any case, numbers as numbers or text, enumerations in any
 * case, unknown members ignored, absent ones left out (wire shapes, section 2).
 */
export interface RecordFields {
  get(...names: readonly string[]): JsonValue | undefined;
}

/** The members of an object by name in any case, or null when the value is no object. */
export function recordFieldsOf(value: JsonValue | undefined): RecordFields | null {
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
 * @returns undefined when the answer lacks the member or holds a value that its field cannot have, so that merging leaves
 * the field alone; a word that this version does not know is the cell, as it came
 */
function cellOf(kind: Kind, field: string, value: JsonValue | undefined): Cell | undefined {
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
      return (
        choiceOf(type.choices, textOf(value)) ??
        wordOf(fieldSpec(kind, field), typeof value === 'string' ? value : null) ??
        undefined
      );
    default:
      return undefined;
  }
}

/** A word of the service that this version does not know, as it came; null for what is no word. */
export function wordOf(spec: FieldSpec | undefined, text: string | null): UnknownWord | null {
  const word = text?.trim() ?? '';
  return spec !== undefined && isUnknownWord(spec, word) && isCellOf(spec, word) ? word : null;
}

/** The choice that the text means, ignoring case and the marks between words (`in progress`, `inProgress`). */
export function choiceOf(choices: readonly string[], text: string | null): string | null {
  if (text === null) return null;
  const folded = foldWord(text);
  return choices.find((choice) => foldWord(choice) === folded) ?? null;
}

const foldWord = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** A member that came with a value its field cannot have. */
export interface Misread {
  readonly field: string;
  /** As it came, shortened. */
  readonly value: string;
}

/**
 * The cells of a row by what its fields declare, and the members that hold a value of a wrong type: the row is there, and
 * what it has there nobody can say. What a field takes more than its member stands in `EXCEPTIONS`.
 */
export function readFields(
  kind: Kind,
  members: RecordFields,
): { readonly values: Partial<AnyValues>; readonly misread?: readonly Misread[] } {
  const values: Record<string, Cell> = {};
  const misread: Misread[] = [];
  for (const [field, { wire, type }] of Object.entries(fieldSpecs(kind))) {
    if (wire === undefined || type.is === 'ref') continue;
    const value = members.get(...namesIn(wire));
    const read = EXCEPTIONS[`${kind}.${field}`] ?? EXCEPTIONS[field];
    if (read === undefined && value !== undefined && isWrong(kind, field, value)) {
      misread.push({ field, value: shortened(value) });
    }
    const cell = read === undefined ? cellOf(kind, field, value) : (read(value, members, kind) ?? undefined);
    if (cell !== undefined) values[field] = cell;
  }
  return { values, ...(misread.length === 0 ? {} : { misread }) };
}

const namesIn = ({ write, read = [] }: WireSpec): readonly string[] => (write === undefined ? read : [write, ...read]);

/** Fields that say more than their member, by kind and name or by name; null leaves the field as it is. */
type ReadField = (value: JsonValue | undefined, members: RecordFields, kind: Kind) => Cell;
const EXCEPTIONS: Readonly<Record<string, ReadField>> = {
  'campaign.status': (value) => wantedStatus(cellOf('campaign', 'serviceStatus', value)),
  reviewStatus: (value, members, kind) =>
    reviewOutcome(value, members.get(...namesIn(fieldSpec(kind, 'reviewReason')?.wire ?? {}))),
};

/**
 * What a person must have wanted for the service to be in this state: all but `paused` and `completed` are a wish to run. Of
 * a status that this version does not know nobody can say, so its word is shown there, too.
 */
function wantedStatus(serviceStatus: unknown): string | null {
  if (typeof serviceStatus !== 'string') return null;
  if (isUnknownWord(FIELDS.campaign.serviceStatus, serviceStatus)) return serviceStatus;
  return serviceStatus === 'paused' || serviceStatus === 'completed' ? serviceStatus : 'enabled';
}

/** A value as it came, on one line and short enough to be shown. */
export function shortened(value: JsonValue): string {
  const text = printJson(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
const SHORT = 60;

/** A word that this version does not know is none of these: the service may have learned new ones. */
function isWrong(kind: Kind, field: string, value: JsonValue): boolean {
  const spec = fieldSpec(kind, field);
  if (value === null) return spec?.wire?.isRequired === true;
  switch (spec?.type.is) {
    case 'text':
      return textOf(value) === null;
    case 'money':
    case 'factor':
      return hundredthsOf(value) === null;
    case 'date':
      return typeof value !== 'string' || (value !== '' && plainDate(value.slice(0, 10)) === null);
    case 'choice':
      return typeof value !== 'string';
    default:
      return false;
  }
}

/** What a review said of one row, as `partReview` reads the words; null for a cancelled one, which says nothing. */
export function reviewOutcome(
  status: JsonValue | undefined,
  reason: JsonValue | undefined,
): PartReview | UnknownWord | null {
  const word = textOf(status);
  if (word === null) return null;
  const known = partReview(word, textOf(reason));
  return known ?? (reviewState(word) === null ? wordOf(FIELDS.adItem.reviewStatus, word) : null);
}
