import type { RowRef } from '../../../shared/api/scalars.ts';
import { KINDS, kindCode } from '../../../shared/model/kinds.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, type Db, numberOf, rowIdOf, rowIdsOf } from '../db/db.ts';
import { kindAt, partAt, type Table, tableOf } from '../schema/tables.ts';
import type { StayingCells } from '../types.ts';
import { noteSelection, restoreRemovedRows, takeOut } from './removal.ts';
import { fillSelectionFrom, fillSelectionWith } from './selection.ts';
import { measureStep } from './steps.ts';
import { writeField, writeMark } from './write-field.ts';
import type { AffectedRows } from './writer-store.ts';

/** The field code in `step_kept` for a whole row that was added or removed. */
const ROW_CODE = 200;

/**
 * Undoes or redoes a step. Only rows and marks are written, never the base: undoing an edit that was synced meanwhile
 * creates a new difference to the service, and does not change the known service values.
 *
 * In a team only steps of this computer are undone, and changes made by others since are kept (`step_kept`): cells that
 * no longer have the step's value, new rows in which a colleague has changed something, rows whose parent was removed.
 *
 * @returns the rows concerned, or the first ones of very many, so that the caller can show the place
 */
export function replayStep(
  db: Db,
  step: number,
  direction: 'undo' | 'redo',
  touched: AffectedRows,
): { readonly rows: readonly RowRef[]; readonly stay: StayingCells | undefined } {
  const isUndo = direction === 'undo';
  const { isTeam } = touched;
  for (const kind of KINDS) putBack(db, tableOf(kind), step, isUndo ? 0 : 1, touched);
  const groups = db.all('SELECT DISTINCT kind, field FROM step_cell WHERE step = ?', step);
  for (const [kind, field] of groups) {
    replayCells(db, tableOf(kindAt(kind)), asNumber(field), step, isUndo, touched);
  }
  const used = isTeam && isUndo ? usedByOthers(db, step) : new Set<RowId>();
  for (const kind of [...KINDS].reverse()) {
    const table = tableOf(kind);
    const going = stepRows(db, table, step, isUndo ? 1 : 0);
    keepRows(
      db,
      table,
      step,
      going.filter((id) => used.has(id)),
    );
    takeOut(
      db,
      table,
      going.filter((id) => !used.has(id)),
      step,
      null,
      touched,
    );
  }
  db.run('UPDATE step SET state = ? WHERE id = ?', isUndo ? 1 : 0, step);
  // The step stores removed rows, and no longer those that were restored.
  if (db.get('SELECT 1 FROM step_row WHERE step = ? LIMIT 1', step) !== undefined) measureStep(db, step);
  const stay = isTeam ? staying(db, step) : undefined;
  // Rows and cells kept by the undo are also skipped by the redo, and then the list is cleared.
  if (isTeam && !isUndo) db.run('DELETE FROM step_kept WHERE step = ?', step);
  return { rows: rowsOfStep(db, step), stay };
}

function replayCells(db: Db, table: Table, code: number, step: number, isUndo: boolean, touched: AffectedRows): void {
  const where = `step = ? AND kind = ${table.code} AND field = ${code}`;
  const [from, to] = isUndo ? ['new', 'old'] : ['old', 'new'];
  const { mark, column } = partAt(table, code);
  const present = column === null ? `(k.dirty & ${mark}) <> 0` : `k.${column.sql}`;
  if (touched.isTeam) {
    db.run(
      `INSERT OR IGNORE INTO step_kept SELECT c.step, c.kind, c.field, c.id FROM step_cell c
       CROSS JOIN ${table.name} k ON k.id = c.id WHERE ${where} AND c."${from}" IS NOT ${present}`,
      step,
    );
  } else {
    // Values written since by a sync or a refresh are recorded, so that the opposite direction restores them.
    db.run(
      `UPDATE step_cell SET "${from}" = ${present} FROM ${table.name} k
       WHERE ${where} AND k.id = +step_cell.id AND step_cell."${from}" IS NOT ${present}`,
      step,
    );
  }
  // A field that can't change once the row is on the service keeps its value there.
  const fixed = column?.spec.owner === 'user-until-sent' ? `AND k.dirty & ${NEW}` : '';
  const others = touched.isTeam
    ? `AND NOT EXISTS (SELECT 1 FROM step_kept p WHERE p.step = c.step AND p.kind = c.kind AND p.field = c.field AND p.id = c.id)`
    : '';
  const selected = fillSelectionFrom(
    db,
    `SELECT c.id, c."${to}" FROM step_cell c CROSS JOIN ${table.name} k ON k.id = c.id
     WHERE ${where} AND c."${from}" IS NOT c."${to}" ${fixed} ${others}`,
    step,
  );
  if (selected === 0) return;
  noteSelection(db, table, touched, column);
  // The current values were recorded in the step, so each selected row gets another value.
  if (column !== null) writeField(db, table, column, null, 'others');
  else writeMark(db, table, mark, null);
}

/** Restores the rows of a step; rows that were only marked lose the mark DELETED. */
function putBack(db: Db, table: Table, step: number, made: 0 | 1, touched: AffectedRows): void {
  if (touched.isTeam) keepOrphans(db, table, step, made);
  const ids = stepRows(db, table, step, made);
  if (ids.length === 0) return;
  const put = restoreRemovedRows(db, table, step, made);
  if (put > 0) touched.shuffled.add(table.kind);
  fillSelectionWith(db, ids, 0);
  noteSelection(db, table, touched);
  if (put < ids.length) writeMark(db, table, DELETED, null);
}

/** Rows added or removed by a step, without those that are kept. */
function stepRows(db: Db, table: Table, step: number, made: 0 | 1): readonly RowId[] {
  const sql = `SELECT id FROM step_row r WHERE step = ? AND kind = ? AND made = ? AND NOT ${IS_KEPT}`;
  return rowIdsOf(db, sql, step, table.code, made);
}

const IS_KEPT = `EXISTS (SELECT 1 FROM step_kept p WHERE p.step = r.step AND p.kind = r.kind AND p.field = ${ROW_CODE} AND p.id = r.id)`;

const keepRows = (db: Db, table: Table, step: number, ids: readonly RowId[]): void => {
  if (ids.length === 0) return;
  const sql = `INSERT OR IGNORE INTO step_kept SELECT ?, ${table.code}, ${ROW_CODE}, value FROM json_each(?)`;
  db.run(sql, step, JSON.stringify(ids));
};

/** Rows whose parent a colleague has removed are not restored. */
function keepOrphans(db: Db, table: Table, step: number, made: 0 | 1): void {
  if (table.parent === 'account') return;
  const parent = tableOf(table.parent).name;
  const column = table.parent === 'adGroup' ? 'ad_group_id' : 'campaign_id';
  const orphans = rowIdsOf(
    db,
    `SELECT r.id FROM step_row r LEFT JOIN ${table.name} k ON k.id = r.id WHERE r.step = ? AND r.kind = ? AND r.made = ?
     AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE NOT p.dirty & ${DELETED}
       AND p.id = coalesce(k.${column}, json_extract(r.content, '$."${column}"')))`,
    step,
    table.code,
    made,
  );
  keepRows(db, table, step, orphans);
}

/** Rows in which, or below which, a colleague has changed something since the step. */
function usedByOthers(db: Db, step: number): ReadonlySet<RowId> {
  const since = `step IN (SELECT id FROM step WHERE id > ?1 AND source = 'team')`;
  const used = new Set<RowId>();
  for (const kind of KINDS) {
    const { name, code } = tableOf(kind);
    const rows = db.all(
      `SELECT k.id, k.ad_group_id, k.campaign_id FROM ${name} k WHERE k.id IN (SELECT id FROM step_cell WHERE ${since}
         AND kind = ${code} UNION SELECT id FROM step_row WHERE ${since} AND kind = ${code} AND made = 1)`,
      step,
    );
    for (const row of rows) for (const id of row) if (id !== null) used.add(rowIdOf(id));
  }
  return used;
}

function staying(db: Db, step: number): StayingCells | undefined {
  const cells = numberOf(db, 'SELECT count(*) FROM step_kept WHERE step = ?', step);
  if (cells === 0) return undefined;
  const of = numberOf(
    db,
    'SELECT (SELECT count(*) FROM step_cell WHERE step = ?1) + (SELECT count(*) FROM step_row WHERE step = ?1)',
    step,
  );
  const who = db.all(
    `SELECT DISTINCT s.who FROM step s WHERE s.id > ?1 AND s.source = 'team' AND s.who <> '' AND EXISTS
       (SELECT 1 FROM step_kept p WHERE p.step = ?1 AND (p.kind, p.id) IN
         (SELECT kind, id FROM step_cell WHERE step = s.id UNION SELECT kind, id FROM step_row WHERE step = s.id))`,
    step,
  );
  return { cells, of, by: who.map(([name]) => asText(name)) };
}

/** Passing a million IDs would take longer than the writing. */
const ROWS_NAMED = 1000;

function rowsOfStep(db: Db, step: number): readonly RowRef[] {
  const refs: RowRef[] = [];
  for (const kind of KINDS) {
    // Each row once, without sorting all of them for the first few.
    const sql = `SELECT DISTINCT id FROM (SELECT id FROM step_cell WHERE step = ?1 AND kind = ?2
      UNION ALL SELECT id FROM step_row WHERE step = ?1 AND kind = ?2) LIMIT ?3`;
    const wanted = ROWS_NAMED - refs.length;
    if (wanted <= 0) break;
    for (const id of rowIdsOf(db, sql, step, kindCode(kind), wanted)) refs.push({ kind, id });
  }
  return refs;
}
