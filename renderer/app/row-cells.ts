import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';

/** What a row of a view has in a field of its kind. */
export const cellOf = (kind: Kind, row: Pick<WindowRow, 'cells'>, field: string): Cell =>
  row.cells[fieldNames(kind).indexOf(field)] ?? null;

/** The same as text; empty where there is nothing. */
export const textOf = (kind: Kind, row: Pick<WindowRow, 'cells'>, field: string): string =>
  String(cellOf(kind, row, field) ?? '');
