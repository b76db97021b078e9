import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';

/** The cell of a row in a field of its kind. */
export const cellOf = (kind: Kind, row: Pick<WindowRow, 'cells'>, field: string): Cell =>
  row.cells[fieldNames(kind).indexOf(field)] ?? null;

/** The cell as text; empty for null. */
export const textOf = (kind: Kind, row: Pick<WindowRow, 'cells'>, field: string): string =>
  String(cellOf(kind, row, field) ?? '');
