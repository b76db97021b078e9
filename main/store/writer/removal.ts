import { PATCH_MAX } from '../../../shared/api/limits.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, rowIdOf, rowIdsOf } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { withDescendants } from '../rows/read-trees.ts';
import { type Column, sqlList, type Table, tableOf } from '../schema/tables.ts';
import { campaignsOfSelection, fillSelectionWith } from './selection.ts';
import { writeField, writeMark } from './write-field.ts';
import type { AffectedRows } from './writer-store.ts';

/** Above this number, reading whole campaigns again is faster than reading their changed rows. */
const CELLS_NOTED = 100;

/**
 * Removes rows with all rows below them, as part of a step.
 *
 * @returns kinds and IDs of all rows concerned
 */
export function removeRows(db: Db, refs: readonly RowRef[], step: number, touched: AffectedRows): readonly RowRef[] {
  const idsByKind = withDescendants(db, refs);
  const concerned: RowRef[] = [];
  // Media last, so that profiles that are removed too are not changed first.
  for (const kind of [...KINDS].reverse().sort((a, b) => Number(a === 'media') - Number(b === 'media'))) {
    const ids = [...(idsByKind.get(kind) ?? [])];
    takeOut(db, tableOf(kind), ids, step, step, touched);
    for (const id of ids) concerned.push({ kind, id });
  }
  return concerned;
}

/**
 * Removes rows. New rows are deleted from their table. Rows that are on the service, and new ones with a running or
 * unconfirmed send, stay and get the mark DELETED.
 *
 * @param step the step under which deleted rows are stored
 * @param note the step that records the change; null when a recorded step is replayed
 */
export function takeOut(
  db: Db,
  table: Table,
  ids: readonly RowId[],
  step: number,
  note: number | null,
  touched: AffectedRows,
): void {
  if (ids.length === 0) return;
  const leaving = leavingRows(db, table, ids);
  const staying = ids.filter((id) => !leaving.has(id));
  if (staying.length > 0) {
    fillSelectionWith(db, staying, 1);
    noteSelection(db, table, touched);
    writeMark(db, table, DELETED, note);
  }
  if (leaving.size === 0) return;
  if (table.kind === 'media' && note !== null) clearReferences(db, [...leaving], note, touched);
  fillSelectionWith(db, [...leaving], null);
  noteSelection(db, table, touched);
  storeRemovedRows(db, table, step, note === null ? 'noted' : 'removed');
  touched.shuffled.add(table.kind);
}

/**
 * Marks kind and campaigns of the selected rows as touched.
 *
 * @param column the changed column; null for marks, and for rows that are added or removed
 */
export function noteSelection(db: Db, table: Table, touched: AffectedRows, column: Column | null = null): void {
  touched.kinds.add(table.kind);
  if (touched.wantsRows) {
    for (const [id] of db.all(SELECTED, PATCH_MAX + 1)) touched.row(table.kind, rowIdOf(id));
  }
  if (isCampaignName(table, column)) touched.renamed = true;
  if (isItemId(table, column)) touched.repictured = true;
  for (const id of campaignsOfSelection(db, table)) touched.campaign(id);
  if (table.parent === 'account') touched.account = true;
}

const SELECTED = 'SELECT id FROM temp.sel LIMIT ?';
const isCampaignName = (table: Table, column: Column | null): boolean =>
  table.kind === 'campaign' && column?.field === 'name';

const isItemId = (table: Table, column: Column | null): boolean =>
  table.kind === 'adItem' && column?.field === 'itemId';

/** Same if only cells of the selected rows changed; `count` is the number of these rows. */
export function noteCells(db: Db, table: Table, touched: AffectedRows, column: Column, count: number): void {
  if (table.kind === 'media' || count > CELLS_NOTED) {
    noteSelection(db, table, touched, column);
    return;
  }
  touched.kinds.add(table.kind);
  if (isCampaignName(table, column)) touched.renamed = true;
  if (isItemId(table, column)) touched.repictured = true;
  if (table.parent === 'account') touched.account = true;
  const rows = db.all(`SELECT k.campaign_id, k.id FROM temp.sel s CROSS JOIN ${table.name} k ON k.id = s.id`);
  for (const [campaignId, id] of rows) {
    const ref = { kind: table.kind, id: rowIdOf(id) };
    touched.cellsOf(rowIdOf(campaignId), ref);
    touched.row(ref.kind, ref.id);
  }
}

/** IDs of new rows without an unsettled send. */
export function leavingRows(db: Db, table: Table, ids: readonly RowId[]): ReadonlySet<RowId> {
  const rows = rowIdsOf(
    db,
    `SELECT k.id FROM ${table.name} k WHERE k.id IN (SELECT value FROM json_each(?)) AND k.dirty & ${NEW}
     AND NOT EXISTS (SELECT 1 FROM outbox_op WHERE kind = ${table.code} AND row_id = k.id AND ${LIVE})`,
    JSON.stringify(ids),
  );
  return new Set(rows);
}

/** Clears the fields that refer to media about to be removed. */
function clearReferences(db: Db, mediaIds: readonly RowId[], step: number, touched: AffectedRows): void {
  const gone = JSON.stringify(mediaIds);
  for (const kind of KINDS) {
    const table = tableOf(kind);
    for (const column of table.columns) {
      if (column.spec.type.is !== 'ref') continue;
      const users = rowIdsOf(
        db,
        `SELECT id FROM ${table.name} WHERE ${column.sql} IN (SELECT value FROM json_each(?))`,
        gone,
      );
      if (users.length === 0) continue;
      fillSelectionWith(db, users, null);
      noteSelection(db, table, touched, column);
      writeField(db, table, column, step);
    }
  }
}

/**
 * Rows that the history removed from their table, stored as JSON in `step_row` until undo or redo restores them. Only
 * new rows are stored; rows that are on the service are only marked.
 */
const HEAD = ['id', 'campaign_id', 'ad_group_id', 'remote_id', 'dirty', 'issues'] as const;

/**
 * Removes the selected rows from their table. With `removed` they are stored in the step, if there is one; with `noted`
 * the step has them already.
 */
export function storeRemovedRows(db: Db, table: Table, step: number | null, as: 'removed' | 'noted'): void {
  const { name, code } = table;
  const content = `json_object(${columnNames(table)
    .map((column) => `'${column}', k."${column}"`)
    .join(', ')})`;
  if (step === null) {
    // Without a step they can't be restored.
  } else if (as === 'removed') {
    db.run(
      `INSERT INTO step_row(step, kind, id, made, content)
       SELECT ?, ${code}, k.id, 0, ${content} FROM temp.sel s CROSS JOIN ${name} k ON k.id = s.id
       WHERE true ON CONFLICT DO UPDATE SET content = excluded.content`,
      step,
    );
  } else {
    db.run(
      `UPDATE step_row SET content = (SELECT ${content} FROM ${name} k WHERE k.id = step_row.id)
       WHERE step = ? AND kind = ${code} AND id IN (SELECT id FROM temp.sel)`,
      step,
    );
  }
  db.run(`DELETE FROM refusal WHERE kind = ${code} AND id IN (SELECT id FROM temp.sel)`);
  db.run(`DELETE FROM ${name} WHERE id IN (SELECT id FROM temp.sel)`);
}

/** Restores the stored rows of a step as they were when removed. */
export function restoreRemovedRows(db: Db, table: Table, step: number, made: 0 | 1): number {
  const names = columnNames(table);
  const extracts = names.map((column) => `json_extract(content, '$."${column}"')`).join(', ');
  const where = `step = ? AND kind = ${table.code} AND made = ${made} AND content IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM step_kept p WHERE p.step = step_row.step AND p.kind = step_row.kind AND p.field = 200
      AND p.id = step_row.id)`;
  const put = db.run(
    `INSERT INTO ${table.name}(${names.map((column) => `"${column}"`).join(', ')})
     SELECT ${extracts} FROM step_row WHERE ${where}`,
    step,
  );
  if (put > 0) db.run(`UPDATE step_row SET content = NULL WHERE ${where}`, step);
  return put;
}

/**
 * Restores rows that an earlier step removed, as rows made by this step. The earlier step keeps its stored content for
 * its own undo.
 *
 * @param campaignId only rows of this campaign, or null for all
 * @returns the restored IDs; rows without their parent are not restored
 */
export function returnRows(
  db: Db,
  table: Table,
  ids: readonly RowId[],
  step: number,
  campaignId: RowId | null,
): readonly RowId[] {
  if (ids.length === 0) return [];
  const names = columnNames(table);
  const extracts = names.map((column) => `json_extract(r.content, '$."${column}"')`).join(', ');
  const parent = { account: 'NULL', campaign: 'campaign', adGroup: 'ad_group' }[table.parent];
  const parentColumn = table.parent === 'adGroup' ? 'ad_group_id' : 'campaign_id';
  const hasParent =
    table.parent === 'account'
      ? 'true'
      : `EXISTS (SELECT 1 FROM ${parent} p WHERE p.id = json_extract(r.content, '$."${parentColumn}"'))`;
  const wanted = `(?2 IS NULL OR json_extract(r.content, '$."campaign_id"') = ?2)`;
  // A row may have been removed more than once; the last content counts.
  const last = `SELECT id, content, max(step) FROM step_row WHERE kind = ${table.code} AND content IS NOT NULL
    AND step IN (SELECT id FROM step WHERE state = 0) AND id IN (SELECT value FROM json_each(?1)) GROUP BY id`;
  const found = `SELECT r.id FROM (${last}) r WHERE ${hasParent} AND ${wanted}`;
  const back = rowIdsOf(db, found, JSON.stringify(ids), campaignId);
  const list = JSON.stringify(back);
  db.run(
    `INSERT INTO ${table.name}(${names.map((column) => `"${column}"`).join(', ')})
     SELECT ${extracts} FROM (${last}) r`,
    list,
  );
  const note = `INSERT INTO step_row(step, kind, id, made) SELECT ?2, ${table.code}, value, 1 FROM json_each(?1)`;
  db.run(note, list, step);
  return back;
}

function columnNames(table: Table): readonly string[] {
  const fields = sqlList(table.columns).replaceAll('"', '').split(', ');
  return [...HEAD, ...fields, ...(table.keyColumn === null ? [] : ['sort_key'])];
}
