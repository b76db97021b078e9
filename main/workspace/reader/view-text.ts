import type { Failure } from '../../../shared/api/operation.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { tsvLines } from '../../../shared/sheet/tsv.ts';
import type { Db } from '../db/db.ts';
import { fromStored } from '../rows/codec.ts';
import { columnOf, type Table } from '../schema/tables.ts';

/** Rows as the clipboard gets them: fields of the kind in any order, or `path` for the campaign's name. */
export interface TextWish {
  readonly columns: readonly string[];
  /** The mark in amounts. */
  readonly decimal: string;
}

export interface ViewText {
  /** Joined by line ends, without one behind the last. */
  readonly lines: string;
  /** How many rows the lines hold, and how many the view has. */
  readonly rows: number;
  readonly length: number;
}

export type NoColumn = Failure<'BAD_FILTER'>;

/** Lines of the rows with these ids, in this order; ids that are gone are left out. */
export function viewText(
  db: Db,
  table: Table,
  ids: readonly number[],
  { columns, decimal }: TextWish,
): Result<Omit<ViewText, 'length'>, NoColumn> {
  const { kind, name } = table;
  const hasCampaign = kind !== 'campaign' && kind !== 'media';
  const found = columns.map((column) => (column === 'path' && hasCampaign ? 'path' : columnOf(table, column)));
  const missing = found.indexOf(undefined);
  if (missing >= 0) {
    return fail('BAD_FILTER', { at: 0, problem: `There is no column ${columns[missing]}.` });
  }
  const wanted = found.filter((column) => column !== undefined);
  const selected = wanted.map((column) => (column === 'path' ? 'c.name' : `k.${column.sql}`)).join(', ');
  const join = wanted.includes('path') ? 'LEFT JOIN campaign c ON c.id = k.campaign_id' : '';
  const rows = db.all(
    `SELECT ${selected} FROM json_each(?) j CROSS JOIN ${name} k ON k.id = j.value ${join} ORDER BY j.key`,
    JSON.stringify(ids),
  );
  const texts = rows.map((row) =>
    wanted.map((column, at) =>
      column === 'path'
        ? String(row[at] ?? '')
        : formatCell(kind, column.field, fromStored(column.spec, row[at]), decimal),
    ),
  );
  return ok({ lines: tsvLines(texts), rows: rows.length });
}
