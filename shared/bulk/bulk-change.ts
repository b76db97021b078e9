import { isCellOf } from '../model/cell-text.ts';
import { controlCharacterAt } from '../model/code-points.ts';
import { type Cell, isUnknownWord } from '../model/field-types.ts';
import { type AnyValues, fieldSpec, LISTED_FIELDS } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, isDeleted, isNew } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';

/** One cell a bulk operation changes, with both values for the preview. Shaped so that it can be staged as an edit. */
export interface BulkChange {
  readonly kind: Kind;
  readonly id: RowId;
  readonly field: string;
  readonly before: Cell;
  readonly value: Cell;
}

/** A row the operation left alone although it was meant, and why. */
export interface BulkRefusal {
  readonly kind: Kind;
  readonly id: RowId;
  readonly why:
    | 'no-such-field'
    | 'not-editable'
    | 'deleted'
    | 'empty'
    | 'too-long'
    | 'out-of-range'
    | 'wrong-type'
    /** The new text would hold a sign that no field takes, such as a line break. */
    | 'control-character'
    /** A token in the new text stands for something the row does not have. */
    | 'no-token';
}

export interface BulkOutcome {
  readonly changes: readonly BulkChange[];
  readonly refused: readonly BulkRefusal[];
}

/** What an operation makes of one cell: a new value, or why there is none. */
export type CellStep = (
  cell: Cell,
  row: AnyRow,
  at: number,
) => { readonly value: Cell } | { readonly why: BulkRefusal['why'] };

/**
 * Runs a step over one field of many rows. Cells that come out as they went in are no changes; fields that the
 * row does not have or that cannot be edited any more are refused by name, never skipped in silence.
 */
export function changeCells(rows: readonly AnyRow[], field: string, step: CellStep): BulkOutcome {
  const changes: BulkChange[] = [];
  const refused: BulkRefusal[] = [];
  rows.forEach((row, at) => {
    const { kind, id } = row;
    const values: AnyValues = row.values;
    const before = values[field] ?? null;
    const result = editedCell(row, field, before, (cell) => step(cell, row, at));
    if ('why' in result) refused.push({ kind, id, why: result.why });
    else if (result.value !== before) changes.push({ kind, id, field, before, value: result.value });
  });
  return { changes, refused };
}

function editedCell(
  row: AnyRow,
  field: string,
  before: Cell,
  step: (cell: Cell) => ReturnType<CellStep>,
): ReturnType<CellStep> {
  const spec = fieldSpec(row.kind, field);
  if (spec === undefined) return { why: 'no-such-field' };
  // Multipliers have no id on the service, so it takes both to know that a row is there.
  const isSent = row.remoteId !== null || !isNew(row);
  const isFixed = spec.owner === 'service' || (spec.owner === 'user-until-sent' && isSent);
  if (isFixed) return { why: 'not-editable' };
  if (isDeleted(row)) return { why: 'deleted' };
  const result = step(before);
  if ('why' in result || result.value === before) return result;
  const isMadeUp = isUnknownWord(spec, result.value) && !LISTED_FIELDS.has(field);
  if (isMadeUp || !isCellOf(spec, result.value)) return { why: 'wrong-type' };
  // Text is held to what may be typed into a cell, whichever way it is put together.
  const isText = spec.type.is === 'text' && typeof result.value === 'string';
  return isText && controlCharacterAt(result.value) >= 0 ? { why: 'control-character' } : result;
}

/** The same value in every row. */
export const setCells = (rows: readonly AnyRow[], field: string, value: Cell): BulkOutcome =>
  changeCells(rows, field, () => ({ value }));
