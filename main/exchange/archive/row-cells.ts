import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyRow } from '../../../shared/model/row.ts';

/** Cells of a row by field, whatever its kind. */
export function cellOf(values: AnyRow['values'], field: string): Cell {
  const cells: Readonly<Record<string, Cell>> = values;
  return cells[field] ?? null;
}

/** Whether a field differs from what the service last said. */
export const isEdited = (row: AnyRow, field: string): boolean =>
  row.base !== null && cellOf(row.base, field) !== cellOf(row.values, field);
