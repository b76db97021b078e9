import { jsonOrNull } from '../json-or-null.ts';
import type { Cell } from '../model/field-types.ts';
import type { AnyValues } from '../model/fields.ts';
import { FIELD_OF, type SheetKind } from './columns.ts';

/**
 * The hidden column of an XLSX export: what the row said when it was exported. It travels with its row when the
 * sheet is sorted, so an import can tell what the user changed from what was changed in the workspace meanwhile.
 */
export const BASE_COLUMN = 'As exported';

/** The kind stands first, so that the note of another row, copied along, says nothing about this one. */
export function baseCell(kind: SheetKind, values: AnyValues): string {
  const fields: Record<string, Cell> = {};
  for (const field of Object.values(FIELD_OF[kind])) fields[field] = values[field] ?? null;
  return JSON.stringify({ kind, fields });
}

/** Null for a text that is no such note. It came through other programs, so nothing about it is taken for granted. */
export function baseFrom(kind: SheetKind, text: string): Readonly<Record<string, Cell>> | null {
  const note = jsonOrNull(text);
  if (!isObject(note) || note['kind'] !== kind || !isObject(note['fields'])) return null;
  const known = new Set(Object.values(FIELD_OF[kind]));
  const base: Record<string, Cell> = {};
  for (const [field, value] of Object.entries(note['fields'])) {
    if (!known.has(field) || !isCell(value)) return null;
    base[field] = value;
  }
  return base;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
