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
 * Tolerant access to an object of the service: keys in any case, numbers as numbers or text, enumerations in any case,
 * unknown fields ignored, absent ones omitted (wire shapes, section 2).
 */
export interface RecordFields {
  get(...names: readonly string[]): JsonValue | undefined;
}

/** The fields of an object by name in any case, or null if the value is not an object. */
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

/** A remote ID, or null for the service's forms of "none". */
export const idOf = (value: JsonValue | undefined): RemoteId | null => remoteId(textOf(value));

/** An amount in hundredths (cents, or hundredths of a percent), truncated as the service does. */
export function hundredthsOf(value: JsonValue | undefined): number | null {
  const text = textOf(value);
  if (text === null) return null;
  const parsed = parseDecimal(text, 2);
  return parsed.ok ? parsed.value.units : null;
}

/**
 * The cell of a field from its wire value.
 *
 * @returns undefined if the field is missing or has an invalid value, so that a merge does not change it; a word that
 * this version does not know is returned as received
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

/** A word of the service that this version does not know, as received; null if it is not a valid word. */
export function wordOf(spec: FieldSpec | undefined, text: string | null): UnknownWord | null {
  const word = text?.trim() ?? '';
  return spec !== undefined && isUnknownWord(spec, word) && isCellOf(spec, word) ? word : null;
}

/** The choice that the text means, ignoring case and separators (`in progress`, `inProgress`). */
export function choiceOf(choices: readonly string[], text: string | null): string | null {
  if (text === null) return null;
  const folded = foldWord(text);
  return choices.find((choice) => foldWord(choice) === folded) ?? null;
}

const foldWord = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** A field with an invalid value. */
export interface Misread {
  readonly field: string;
  /** As received, shortened. */
  readonly value: string;
}

/**
 * The cells of a row as declared by its fields, and the fields with a value of an invalid type. Fields that need more
 * than their own value are in `EXCEPTIONS`.
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

/** Readers of fields that need more than their own value, by kind and name or by name; null omits the field. */
type ReadField = (value: JsonValue | undefined, members: RecordFields, kind: Kind) => Cell;
const EXCEPTIONS: Readonly<Record<string, ReadField>> = {
  'campaign.status': (value) => wantedStatus(cellOf('campaign', 'serviceStatus', value)),
  reviewStatus: (value, members, kind) =>
    reviewOutcome(value, members.get(...namesIn(fieldSpec(kind, 'reviewReason')?.wire ?? {}))),
};

/**
 * The status that the user must have chosen for this state of the service: `enabled` for all except `paused` and
 * `completed`. An unknown status of the service is returned as received.
 */
function wantedStatus(serviceStatus: unknown): string | null {
  if (typeof serviceStatus !== 'string') return null;
  if (isUnknownWord(FIELDS.campaign.serviceStatus, serviceStatus)) return serviceStatus;
  return serviceStatus === 'paused' || serviceStatus === 'completed' ? serviceStatus : 'enabled';
}

/** A value as received, on one line and shortened for display. */
export function shortened(value: JsonValue): string {
  const text = printJson(value);
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
const SHORT = 60;

/** An unknown word is not invalid: newer versions of the service may have more words. */
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

/** The review outcome of one row, as parsed by `partReview`; null if there is none, as in a canceled review. */
export function reviewOutcome(
  status: JsonValue | undefined,
  reason: JsonValue | undefined,
): PartReview | UnknownWord | null {
  const word = textOf(status);
  if (word === null) return null;
  const known = partReview(word, textOf(reason));
  return known ?? (reviewState(word) === null ? wordOf(FIELDS.adItem.reviewStatus, word) : null);
}
