import type { WindowRow } from '../../shared/contract/workspace.ts';
import { parseCell } from '../../shared/model/cell-text.ts';
import { fieldSpec } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import type { CellChange } from '../actions/row-actions.ts';
import type { CellRange } from '../store/selection-slice.ts';
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
      const parsed = parseCell(kind, column.field, text);
      if (!parsed.ok || fieldSpec(kind, column.field)?.type.is === 'ref') misfits += 1;
      else changes.push({ kind, id: row.id, field: column.field, value: parsed.value });
    }
  }
  return { changes, misfits, locked };
}

/** The changes that give every cell of a range the same value: clearing, and filling down from the first row. */
export function fillChanges(
  kind: Kind,
  columns: readonly Column[],
  rows: readonly WindowRow[],
  valueFor: (column: Column) => WindowRow['cells'][number],
): readonly CellChange[] {
  return rows.flatMap((row) =>
    columns.flatMap((column) => {
      const value = valueFor(column);
      const same = column.cell === null || row.cells[column.cell] === value;
      return same || lockOf(column, row) !== null ? [] : [{ kind, id: row.id, field: column.field, value }];
    }),
  );
}
