import type { RowRef } from '../../../shared/contract/scalars.ts';
import { KINDS, kindCode } from '../../../shared/model/kinds.ts';
import { DELETED, HELD, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, type Db, rowIdOf } from '../db/db.ts';
import { columnByCode, DELETED_CODE, HELD_CODE, type Table, tableOf } from '../schema/tables.ts';
import { restoreRemovedRows } from './parked-rows.ts';
import { noteSelection, takeOut } from './removal.ts';
import { fillSelectionWith, selectionSize } from './selection.ts';
import { measureStep } from './steps.ts';
import type { AffectedRows } from './touched.ts';
import { writeField, writeMark } from './write-field.ts';

/**
 * Takes a step back, or carries it out again. Only rows and marks are written, never the base, so taking back an
 * edit that was synced meanwhile makes a new difference to the service instead of a false past.
 *
 * @returns the rows concerned, the first of them where they are very many: whoever asks wants to show where it was
 */
export function applyUndoOrRedo(db: Db, step: number, direction: 'undo' | 'redo', touched: AffectedRows): readonly RowRef[] {
  const isUndo = direction === 'undo';
  for (const kind of KINDS) putBack(db, tableOf(kind), step, isUndo ? 0 : 1, touched);
  const groups = db.all('SELECT DISTINCT kind, field FROM step_cell WHERE step = ?', step);
  for (const [kindNumber, field] of groups) {
    const kind = KINDS[asNumber(kindNumber)];
    if (kind === undefined) throw new Error(`the history names kind ${kindNumber}, which does not exist`);
    replayCells(db, tableOf(kind), asNumber(field), step, isUndo, touched);
  }
  for (const kind of [...KINDS].reverse()) {
    const table = tableOf(kind);
    takeOut(db, table, stepRows(db, table, step, isUndo ? 1 : 0), step, null, touched);
  }
  db.run('UPDATE step SET state = ? WHERE id = ?', isUndo ? 1 : 0, step);
  // Rows that left are kept in the step, those that came back are not.
  if (db.get('SELECT 1 FROM step_row WHERE step = ? LIMIT 1', step) !== undefined) measureStep(db, step);
  return rowsOfStep(db, step);
}

function replayCells(db: Db, table: Table, code: number, step: number, isUndo: boolean, touched: AffectedRows): void {
  const where = `step = ? AND kind = ${table.code} AND field = ${code}`;
  const [from, to] = isUndo ? ['new', 'old'] : ['old', 'new'];
  const mark = code === DELETED_CODE ? DELETED : code === HELD_CODE ? HELD : null;
  const column = mark === null ? columnByCode(table, code) : null;
  const present = column === null ? `(k.dirty & ${mark}) <> 0` : `k.${column.sql}`;
  // What a sync or a refresh has put there since is what the opposite direction has to bring back.
  db.run(
    `UPDATE step_cell SET "${from}" = ${present} FROM ${table.name} k
     WHERE ${where} AND k.id = +step_cell.id AND step_cell."${from}" IS NOT ${present}`,
    step,
  );
  // A field that is fixed once the row is on the service stays as it is there.
  const fixed = column?.spec.owner === 'user-until-sent' ? `AND k.dirty & ${NEW}` : '';
  db.run('DELETE FROM temp.sel');
  db.run(
    `INSERT INTO temp.sel(id, v) SELECT c.id, c."${to}" FROM step_cell c CROSS JOIN ${table.name} k ON k.id = c.id
     WHERE ${where} ${fixed}`,
    step,
  );
  if (selectionSize(db) === 0) return;
  noteSelection(db, table, touched);
  if (column !== null) writeField(db, table, column, null);
  else writeMark(db, table, code === DELETED_CODE ? DELETED : HELD, null);
}

/** Puts the step's rows back into their table; those that never left lose the mark DELETED. */
function putBack(db: Db, table: Table, step: number, made: 0 | 1, touched: AffectedRows): void {
  const ids = stepRows(db, table, step, made);
  if (ids.length === 0) return;
  const put = restoreRemovedRows(db, table, step, made);
  if (put > 0) touched.shuffled.add(table.kind);
  fillSelectionWith(db, ids, 0);
  noteSelection(db, table, touched);
  if (put < ids.length) writeMark(db, table, DELETED, null);
}

function stepRows(db: Db, table: Table, step: number, made: 0 | 1): readonly RowId[] {
  const sql = 'SELECT id FROM step_row WHERE step = ? AND kind = ? AND made = ?';
  return db.all(sql, step, table.code, made).map((row) => rowIdOf(row[0]));
}

/** A million ids would take longer to hand over than to write. */
const ROWS_NAMED = 1000;

function rowsOfStep(db: Db, step: number): readonly RowRef[] {
  const refs: RowRef[] = [];
  for (const kind of KINDS) {
    const sql = `SELECT id FROM step_cell WHERE step = ?1 AND kind = ?2
      UNION SELECT id FROM step_row WHERE step = ?1 AND kind = ?2 LIMIT ?3`;
    const wanted = ROWS_NAMED - refs.length;
    if (wanted <= 0) break;
    for (const row of db.all(sql, step, kindCode(kind), wanted)) refs.push({ kind, id: rowIdOf(row[0]) });
  }
  return refs;
}
