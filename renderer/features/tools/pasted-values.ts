import type { WindowRow } from '../../../shared/api/workspace.ts';
import { parseAmountExpression } from '../../../shared/bulk/amount-expression.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { CellChange } from '../../app/actions.ts';
import { readSum } from '../../app/locale/cells.ts';
import { readInput } from '../../grid/cell-input.ts';
import { type Column, lockOf } from '../../grid/columns.ts';

/** How a pasted value is applied to the present one: replaced, or combined. The last three are for amounts. */
export const PASTE_AS = ['replace', 'add', 'percent', 'multiply'] as const;
export type PasteAs = (typeof PASTE_AS)[number];

interface PastedValue extends CellChange {
  readonly row: WindowRow;
  readonly column: Column;
  readonly before: Cell;
}

/** Pasted text as a formula for the present value: `0.05` to add becomes `+0.05`. */
export function asTyped(text: string, as: PasteAs): string {
  const plain = text.trim();
  if (as === 'replace' || plain === '') return plain;
  if (as === 'multiply') return `*${plain}`;
  const signed = /^[+-]/.test(plain) ? plain : `+${plain}`;
  return as === 'percent' && !signed.endsWith('%') ? `${signed}%` : signed;
}

/** The new value of a cell; undefined when the text is not valid, or can't be combined with the present value. */
function valueFor(kind: Kind, field: string, text: string, as: PasteAs, before: Cell): Cell | undefined {
  if (as === 'replace') {
    const read = readInput(kind, field, text);
    return read.ok ? read.value.valueFor(before) : undefined;
  }
  // As cell input, "+0.05" is 0.05; here it is a formula.
  const plain = readSum(text);
  if (!plain.ok) return undefined;
  const sum = parseAmountExpression(plain.value);
  const isAmount = fieldSpec(kind, field)?.type.is === 'money' && typeof before !== 'string';
  return sum.ok && isAmount ? (sum.value.apply(before) ?? undefined) : undefined;
}

/**
 * The new values of the cells that a table covers; it is repeated over a larger selection. Empty cells of the table
 * change nothing, unless they are to clear cells.
 *
 * @param left index in `columns` of the table's first column
 */
export function pastedValues(
  kind: Kind,
  table: readonly (readonly string[])[],
  columns: readonly Column[],
  left: number,
  rows: readonly WindowRow[],
  as: PasteAs,
  erase: boolean,
) {
  const changes: PastedValue[] = [];
  /** Why rows without any changed cell are skipped, by row. */
  const skipped = new Map<number, 'wrong-type' | 'not-editable'>();
  /** Cells whose pasted text is not valid, or can't be combined with the present value. */
  let misfits = 0;
  let locked = 0;
  const width = table.reduce((most, { length }) => Math.max(most, length), 1);
  for (const [down, row] of rows.entries()) {
    const source = table[down % table.length] ?? [];
    for (const [across, column] of columns.slice(left, left + width).entries()) {
      const text = asTyped(source[across] ?? '', as);
      if (column.cell === null || (text === '' && !(erase && as === 'replace'))) continue;
      if (lockOf(column, row) !== null) {
        locked += 1;
        skipped.set(row.id, 'not-editable');
        continue;
      }
      const before = row.cells[column.cell] ?? null;
      const value = valueFor(kind, column.field, text, as, before);
      if (value === undefined || fieldSpec(kind, column.field)?.type.is === 'ref') {
        misfits += 1;
        skipped.set(row.id, 'wrong-type');
      } else if (value !== before) changes.push({ kind, id: row.id, field: column.field, value, row, column, before });
    }
  }
  return { changes, misfits, locked, skipped };
}
