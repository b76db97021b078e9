import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { CellChange } from '../app/actions/row-actions.ts';
import type { CellRange } from '../app/store/selection-slice.ts';
import { readInput } from './cell-input.ts';
import { type Column, lockOf } from './columns.ts';

export interface Pasted {
  readonly changes: readonly CellChange[];
  /** Values that did not fit their field. */
  readonly misfits: number;
  readonly locked: number;
}

/** The rectangle a table covers when it is pasted: its own size, or the whole selection, which it then repeats in. */
export function pasteRange(table: readonly (readonly string[])[], range: CellRange): CellRange {
  const height = table.length;
  const width = Math.max(0, ...table.map((row) => row.length));
  const tall = range.bottom - range.top + 1;
  const wide = range.right - range.left + 1;
  const rows = tall % height === 0 ? tall : height;
  const cols = wide % width === 0 ? wide : width;
  return { ...range, bottom: range.top + rows - 1, right: range.left + cols - 1 };
}

/** What pasting writes: one change per editable cell whose text fits; nothing is guessed. */
export function pasteChanges(
  kind: Kind,
  table: readonly (readonly string[])[],
  columns: readonly Column[],
  left: number,
  rows: readonly WindowRow[],
): Pasted {
  const changes: CellChange[] = [];
  let misfits = 0;
  let locked = 0;
  const width = Math.max(1, ...table.map((row) => row.length));
  for (const [down, row] of rows.entries()) {
    const source = table[down % table.length] ?? [];
    const until = Math.min(columns.length, left + Math.max(width, 1));
    for (let col = left; col < until; col += 1) {
      const column = columns[col];
      const text = source[(col - left) % width];
      if (column === undefined || text === undefined) continue;
      if (lockOf(column, row) !== null) {
        locked += 1;
        continue;
      }
      const read = readInput(kind, column.field, text);
      const before = column.cell === null ? null : (row.cells[column.cell] ?? null);
      const value = read.ok ? read.value.valueFor(before) : undefined;
      if (value === undefined || fieldSpec(kind, column.field)?.type.is === 'ref') misfits += 1;
      else changes.push({ kind, id: row.id, field: column.field, value });
    }
  }
  return { changes, misfits, locked };
}

/**
 * The changes that give the cells of a range what `valueFor` says: clearing, filling, and sums over many cells.
 * Cells that have the value already, cannot be edited, or get undefined are left alone.
 *
 * @param valueFor gets the column, the value that is there, and the place of the row in `rows`
 */
export function fillChanges(
  kind: Kind,
  columns: readonly Column[],
  rows: readonly WindowRow[],
  valueFor: (column: Column, before: Cell, at: number) => Cell | undefined,
): readonly CellChange[] {
  return rows.flatMap((row, at) =>
    columns.flatMap((column) => {
      if (column.cell === null) return [];
      const before = row.cells[column.cell] ?? null;
      const value = valueFor(column, before, at);
      return value === undefined || value === before || lockOf(column, row) !== null
        ? []
        : [{ kind, id: row.id, field: column.field, value }];
    }),
  );
}
