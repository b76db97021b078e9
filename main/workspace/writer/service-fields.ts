import { isCellOf } from '../../../shared/model/cell-text.ts';
import { CREATIVE_KINDS } from '../../../shared/model/creative.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Db, DbValue } from '../db/db.ts';
import { toStored } from '../rows/codec.ts';
import { type Column, columnOf, type Table, tableOf } from '../schema/tables.ts';
import type { CellUpdate } from '../types.ts';
import { recordReviewResults } from '../verdicts/note-verdicts.ts';
import { noteSelection } from './removal.ts';
import { fillSelection } from './selection.ts';
import type { AffectedRows } from './touched.ts';
import { writeField } from './write-field.ts';

/**
 * Writes fields that only the service or an upload changes, outside the history. Rows that are gone by now and
 * words the field does not know are passed over; a field of the user's is a mistake of the caller.
 *
 * @returns how many cells changed
 */
export function setServiceFields(db: Db, updates: readonly CellUpdate[], nowMs: number, touched: AffectedRows): number {
  const grouped = new Map<Table, Map<Column, Map<RowId, DbValue>>>();
  for (const { kind, id, field, value } of updates) {
    const table = tableOf(kind);
    const column = columnOf(table, field);
    if (column === undefined || column.mask !== 0) throw new Error(`${kind}.${field} is not a field of the service`);
    if (!isCellOf(column.spec, value)) continue;
    const byColumn = grouped.get(table) ?? new Map<Column, Map<RowId, DbValue>>();
    grouped.set(table, byColumn);
    const valueById = byColumn.get(column) ?? new Map<RowId, DbValue>();
    byColumn.set(column, valueById);
    valueById.set(id, toStored(column.spec, value));
  }
  let changed = 0;
  for (const [table, byColumn] of grouped) {
    for (const [column, valueById] of byColumn) {
      fillSelection(db, valueById);
      db.run(`DELETE FROM temp.sel WHERE NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = sel.id)`);
      const written = writeField(db, table, column, null);
      if (written > 0) noteSelection(db, table, touched);
      changed += written;
    }
  }
  for (const kind of CREATIVE_KINDS) {
    const judged = updates.filter((update) => update.kind === kind && VERDICT_FIELDS.has(update.field));
    recordReviewResults(db, kind, [...new Set(judged.map(({ id }) => id))], nowMs, touched);
  }
  return changed;
}

const VERDICT_FIELDS: ReadonlySet<string> = new Set(['reviewStatus', 'reviewReason']);
