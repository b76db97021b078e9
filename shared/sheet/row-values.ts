import type { AnyValues } from '../model/fields.ts';
import { type Column, FIELD_OF, type SheetKind } from './columns.ts';
import type { SheetRow } from './sheet-row.ts';

/** The fields a row sets. Names of campaigns and ad groups stand in their link columns. */
export function valuesOf(row: SheetRow): AnyValues {
  if (row.kind === 'adGroup' && row.adGroup.name !== null) return { ...row.cells, name: row.adGroup.name };
  return row.cells;
}

/** What a row says in one of the columns by which rows are told apart. */
export function keyValue(row: SheetRow, column: Column): string | number | null {
  if (column === 'Campaign') return row.campaign.name;
  if (column === 'Ad group') return row.adGroup.name;
  const field = FIELD_OF[row.kind][column];
  return field === undefined ? null : (row.cells[field] ?? null);
}

export const columnFor = (kind: SheetKind, field: string): Column => {
  const entry = Object.entries(FIELD_OF[kind]).find(([, name]) => name === field);
  return (entry?.[0] ?? 'Type') as Column;
};

/** The values of a new row. Almost no row erases anything, so the usual one is handed back as it is. */
export function withoutNulls(values: AnyValues): AnyValues {
  for (const field in values) {
    if (values[field] === null) return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  }
  return values;
}
