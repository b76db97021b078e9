import type { RowRef } from '../../../shared/contract/scalars.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { rowLabel } from '../../../shared/rules/row-label.ts';
import { asNumber, type Db } from '../db/db.ts';
import { fromStored } from '../rows/codec.ts';
import { readRow } from '../rows/read-rows.ts';
import { columnByCode, columnOf, DELETED_CODE, tableOf } from '../schema/tables.ts';
import type { ConflictRow } from './store.ts';

/** Open disagreements, oldest first. `mine` is what the row holds now. */
export function listConflicts(db: Db): readonly ConflictRow[] {
  const found: ConflictRow[] = [];
  for (const [kindNumber, id, field, base, theirs, at] of db.all(
    'SELECT kind, id, field, base, theirs, at FROM conflict ORDER BY at, kind, id, field',
  )) {
    const kind = KINDS[asNumber(kindNumber)];
    if (kind === undefined) throw new Error(`a conflict names kind ${kindNumber}, which does not exist`);
    const ref: RowRef = { kind, id: asNumber(id) as RowId };
    const row = readRow(db, ref);
    if (row === null) continue;
    if (field === DELETED_CODE) {
      found.push({ ref, label: rowLabel(row), field: null, base: null, mine: null, theirs: null, at: asNumber(at) });
      continue;
    }
    const column = columnByCode(tableOf(kind), asNumber(field));
    const values: Readonly<Record<string, string | number | null>> = row.values;
    found.push({
      ref,
      label: rowLabel(row),
      field: column.field,
      base: fromStored(column.spec, base),
      mine: values[column.field] ?? null,
      theirs: fromStored(column.spec, theirs),
      at: asNumber(at),
    });
  }
  return found;
}

export function dropConflict(db: Db, ref: RowRef, field: string): void {
  const table = tableOf(ref.kind);
  const column = columnOf(table, field);
  if (column === undefined) throw new Error(`${ref.kind} has no field ${field}`);
  db.run('DELETE FROM conflict WHERE kind = ? AND id = ? AND field = ?', table.code, ref.id, column.code);
}
