import type { Cell, FieldSpec } from '../../../shared/model/field-types.ts';
import type { DbBind, DbValue } from '../db/db.ts';
import type { Column } from '../schema/tables.ts';

/**
 * Converts a cell of the model to the value in its column: choices are stored as their position, unknown words of the
 * service as text.
 */
export function toStored(spec: FieldSpec, cell: Cell): DbValue {
  if (cell === null || spec.type.is !== 'choice') return cell;
  const position = spec.type.choices.indexOf(String(cell));
  if (position < 0 && spec.type.isOpen) return cell;
  if (position < 0) throw new Error(`"${cell}" is not one of the choices ${spec.type.choices.join(', ')}`);
  return position;
}

export function fromStored(spec: FieldSpec, value: DbValue | undefined): Cell {
  if (value === null || value === undefined) return null;
  if (spec.type.is !== 'choice') return value;
  if (typeof value === 'string' && spec.type.isOpen) return value;
  const word = spec.type.choices[Number(value)];
  if (word === undefined) throw new Error(`choice ${value} is stored but not declared`);
  return word;
}

/** A bound value for a column of any type: a bound number would be stored as REAL. */
export const bindAny = (stored: DbValue): DbBind => (typeof stored === 'number' ? BigInt(stored) : stored);

/** A cell as a bound value. */
export function toBound({ spec, sqlType }: Column, cell: Cell): DbBind {
  const stored = toStored(spec, cell);
  return sqlType === 'ANY' ? bindAny(stored) : stored;
}

/** Reads consecutive values of a result row as the cells of these columns. */
export function cellsFrom(columns: readonly Column[], row: readonly DbValue[], from: number): Cell[] {
  const cells: Cell[] = [];
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    if (column !== undefined) cells.push(fromStored(column.spec, row[from + i]));
  }
  return cells;
}

/** Reads consecutive values of a result row into the fields of an object. */
export function readValues(
  columns: readonly Column[],
  row: readonly DbValue[],
  from: number,
  into: Record<string, Cell>,
): void {
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    if (column !== undefined) into[column.field] = fromStored(column.spec, row[from + i]);
  }
}
