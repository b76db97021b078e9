import type { Failure } from '../../../shared/api/operation.ts';
import { memo } from '../../../shared/memo.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import { type Cell, type FieldSpec, isUnknownWord } from '../../../shared/model/field-types.ts';
import { LISTED_FIELDS } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { DELETED, FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import { err } from '../../../shared/result.ts';
import type { Db } from '../db/db.ts';
import { isInUse } from '../rows/words-in-use.ts';
import { type Column, DELETED_CODE, HELD_CODE, sqlList, type Table, tableOf } from '../schema/tables.ts';
import type { EditBatch } from '../types.ts';
import { selectionSize } from './selection.ts';

/**
 * Writes one field of the selected rows (`temp.sel`), keeping row, base, marks and history consistent:
 *
 *   drop no-ops -> record old and new in the step -> copy unchanged rows to the base -> set value and bit -> drop bases
 *   of rows that are unchanged again
 *
 * A new row keeps NEW and gets neither bits nor a base, because it is not on the service.
 *
 * The plus sign before `s.id` makes SQLite walk the selection and look the rows up; otherwise it may scan the whole
 * table.
 *
 * @param step the history step that records the change, or null for changes outside the history
 * @param mayHold `others` if the selected values are known to differ from the current ones
 * @returns how many rows changed
 */
export function writeField(
  db: Db,
  table: Table,
  column: Column,
  step: number | null,
  mayHold: 'any' | 'others' = 'any',
): number {
  const sql = statements(table)(column);
  if (mayHold === 'any') db.run(sql.dropSame);
  const changed = selectionSize(db);
  if (changed === 0) return 0;
  if (step !== null) db.run(sql.note, step);
  const copied = column.mask === 0 ? changed : db.run(sql.copyToBase);
  db.run(sql.write);
  // Rows that were unchanged before have changed now, so only the others may be unchanged again.
  if (copied < changed) {
    dropEmptyBases(db, table);
    dropSettledConflicts(db, table, column);
  }
  return changed;
}

const statements = memo((table: Table) => memo((column: Column) => statementsOf(table, column)));

function statementsOf(table: Table, column: Column) {
  const { name, base } = table;
  const key = table.keyColumn === column ? ', sort_key = fold(s.v)' : '';
  const differs = `s.v IS NOT (SELECT b.${column.sql} FROM ${base} b WHERE b.id = s.id)`;
  // Fields that only the service changes have no bit and no base.
  const dirty =
    column.mask === 0
      ? ''
      : `, dirty = iif(${name}.dirty & ${NEW}, ${name}.dirty,
           (${name}.dirty & ~${column.mask}) | ((${differs}) * ${column.mask}))`;
  return {
    dropSame: `DELETE FROM temp.sel WHERE EXISTS
      (SELECT 1 FROM ${name} k WHERE k.id = sel.id AND k.${column.sql} IS sel.v)`,
    note: noteSql(table, column.code, `k.${column.sql}`),
    /** Copies selected rows without changes to the base before they change. */
    copyToBase: `INSERT INTO ${base}(id, ${sqlList(table.userColumns)})
      SELECT k.id, ${sqlList(table.userColumns, 'k.')} FROM temp.sel s CROSS JOIN ${name} k ON k.id = s.id
      WHERE k.dirty & ${NEW | FIELD_BITS} = 0`,
    write: `UPDATE ${name} SET ${column.sql} = s.v${key}${dirty} FROM temp.sel s WHERE ${name}.id = +s.id`,
  };
}

/** Sets or clears DELETED or HELD of the selected rows: set where the selected value is 1. */
export function writeMark(db: Db, table: Table, mark: number, step: number | null): number {
  const { name } = table;
  const code = mark === DELETED ? DELETED_CODE : HELD_CODE;
  db.run(
    `DELETE FROM temp.sel WHERE EXISTS (SELECT 1 FROM ${name} k WHERE k.id = sel.id AND ((k.dirty & ${mark}) <> 0) IS sel.v)`,
  );
  if (mark === DELETED && table.parent !== 'account') {
    // In a team a row is not restored below a removed parent, because colleagues could not have it.
    const column = table.parent === 'adGroup' ? 'ad_group_id' : 'campaign_id';
    db.run(
      `DELETE FROM temp.sel WHERE v = 0 AND EXISTS (SELECT 1 FROM team_meta) AND EXISTS (SELECT 1 FROM ${name} k
         CROSS JOIN ${tableOf(table.parent).name} p ON p.id = k.${column} WHERE k.id = sel.id AND p.dirty & ${DELETED})`,
    );
  }
  const changed = selectionSize(db);
  if (changed === 0) return 0;
  if (step !== null) db.run(noteSql(table, code, `(k.dirty & ${mark}) <> 0`), step);
  db.run(
    `UPDATE ${name} SET dirty = iif(s.v, ${name}.dirty | ${mark}, ${name}.dirty & ~${mark})
     FROM temp.sel s WHERE ${name}.id = +s.id`,
  );
  return changed;
}

/** Records the old and new value of each selected row in a step; `present` is the SQL of the old one. */
const noteSql = (table: Table, code: number, present: string): string =>
  `INSERT INTO step_cell(step, kind, field, id, old, new)
   SELECT ?, ${table.code}, ${code}, s.id, ${present}, s.v FROM temp.sel s CROSS JOIN ${table.name} k ON k.id = s.id
   WHERE true ON CONFLICT DO UPDATE SET new = excluded.new`;

/** @param from the table that lists the rows */
export function dropEmptyBases(db: Db, table: Table, from = 'temp.sel'): void {
  db.run(
    `DELETE FROM ${table.base} WHERE id IN (SELECT s.id FROM ${from} s CROSS JOIN ${table.name} k ON k.id = s.id
     WHERE k.dirty & ${FIELD_BITS} = 0)`,
  );
}

/** Deletes conflicts whose field equals the service value again, or whose service value is the earlier one again. */
export function dropSettledConflicts(db: Db, table: Table, column: Column, from = 'temp.sel'): void {
  if (db.get('SELECT 1 FROM conflict LIMIT 1') === undefined) return;
  db.run(
    `DELETE FROM conflict WHERE against = 0 AND kind = ${table.code} AND field = ${column.code} AND (theirs IS base OR id IN
       (SELECT s.id FROM ${from} s CROSS JOIN ${table.name} k ON k.id = s.id WHERE k.dirty & ${column.mask} = 0))`,
  );
}

type BadValue = Failure<'BAD_VALUE'>;

/** Service fields that the user may write: an item's name, and the source of its ID. */
const NOTES: Readonly<Partial<Record<Kind, readonly string[]>>> = { adItem: ['itemName', 'itemIdSource'] };

/** Why the cell is not valid for this field, or null. Whether the row still allows the change is checked elsewhere. */
export function problemOfCell(
  db: Db,
  kind: Kind,
  field: string,
  spec: FieldSpec | undefined,
  cell: Cell,
  source: EditBatch['source'],
): BadValue | null {
  if (spec === undefined) return problem(kind, field, 'unknown-field');
  const byUser = source !== 'media' && source !== 'sync';
  if (byUser && spec.owner === 'service' && NOTES[kind]?.includes(field) !== true) return problem(kind, field, 'owner');
  if (!isCellOf(spec, cell)) {
    return problem(kind, field, spec.type.is === 'choice' && typeof cell === 'string' ? 'choice' : 'type');
  }
  // The lists of placements and platforms come from the deployment settings; the service may add other words.
  if (source === 'user' && isUnknownWord(spec, cell) && !LISTED_FIELDS.has(field) && !isInUse(db, kind, field, cell)) {
    return problem(kind, field, 'choice');
  }
  if (spec.type.is === 'ref' && cell !== null) {
    const found = db.get(`SELECT 1 FROM ${tableOf(spec.type.kind).name} WHERE id = ?`, cell);
    if (found === undefined) return problem(kind, field, 'type');
  }
  return null;
}

export const badValue = (kind: Kind, field: string, reason: BadValue['data']['reason']) =>
  err(problem(kind, field, reason));

const problem = (kind: Kind, field: string, reason: BadValue['data']['reason']): BadValue => ({
  code: 'BAD_VALUE',
  data: { kind, field, reason },
});
