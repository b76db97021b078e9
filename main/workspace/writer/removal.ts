import type { RowRef } from '../../../shared/contract/scalars.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { DELETED, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { withDescendants } from '../rows/read-below.ts';
import { type Table, tableOf } from '../schema/tables.ts';
import { storeRemovedRows } from './parked-rows.ts';
import { campaignsOfSelection, fillSelectionWith, selectionSize } from './selection.ts';
import type { AffectedRows } from './touched.ts';
import { writeField, writeMark } from './write-field.ts';

/** Above this it is cheaper to read whole campaigns again than their changed rows. */
const CELLS_NOTED = 100;

/**
 * Removes rows with all that hangs from them, as part of a step.
 *
 * @returns kinds and ids of all rows concerned
 */
export function removeRows(db: Db, refs: readonly RowRef[], step: number, touched: AffectedRows): readonly RowRef[] {
  const idsByKind = withDescendants(db, refs);
  const concerned: RowRef[] = [];
  // Media last, so that profiles which leave as well are not first changed.
  for (const kind of [...KINDS].reverse().sort((a, b) => Number(a === 'media') - Number(b === 'media'))) {
    const ids = [...(idsByKind.get(kind) ?? [])];
    takeOut(db, tableOf(kind), ids, step, step, touched);
    for (const id of ids) concerned.push({ kind, id });
  }
  return concerned;
}

/**
 * Takes rows out: those the service has never seen leave their table; the others, and new ones whose creation is
 * on its way or in doubt, stay and get the mark DELETED.
 *
 * @param step the step under which leaving rows are kept
 * @param note the step that notes the change, or null when it is a replay of a step that has noted it
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

/** Marks kind and campaigns of the selected rows as touched. */
export function noteSelection(db: Db, table: Table, touched: AffectedRows): void {
  touched.kinds.add(table.kind);
  for (const id of campaignsOfSelection(db, table)) touched.campaign(id);
  if (table.parent === 'account') touched.account = true;
}

/** The same when nothing but cells of the selected rows changed. */
export function noteCells(db: Db, table: Table, touched: AffectedRows): void {
  if (table.kind === 'media' || selectionSize(db) > CELLS_NOTED) {
    noteSelection(db, table, touched);
    return;
  }
  touched.kinds.add(table.kind);
  if (table.parent === 'account') touched.account = true;
  const rows = db.all(`SELECT k.campaign_id, k.id FROM temp.sel s CROSS JOIN ${table.name} k ON k.id = s.id`);
  for (const [campaignId, id] of rows) touched.cellsOf(rowIdOf(campaignId), { kind: table.kind, id: rowIdOf(id) });
}

/** Ids that are new and of which no send is unsettled. */
function leavingRows(db: Db, table: Table, ids: readonly RowId[]): ReadonlySet<RowId> {
  const rows = db.all(
    `SELECT k.id FROM ${table.name} k WHERE k.id IN (SELECT value FROM json_each(?)) AND k.dirty & ${NEW}
     AND NOT EXISTS (SELECT 1 FROM outbox_op WHERE kind = ${table.code} AND row_id = k.id AND ${LIVE})`,
    JSON.stringify(ids),
  );
  return new Set(rows.map((row) => rowIdOf(row[0])));
}

/** Empties the fields that name media which is about to leave. */
function clearReferences(db: Db, mediaIds: readonly RowId[], step: number, touched: AffectedRows): void {
  const gone = JSON.stringify(mediaIds);
  for (const kind of KINDS) {
    const table = tableOf(kind);
    for (const column of table.columns) {
      if (column.spec.type.is !== 'ref') continue;
      const users = db.all(
        `SELECT id FROM ${table.name} WHERE ${column.sql} IN (SELECT value FROM json_each(?))`,
        gone,
      );
      if (users.length === 0) continue;
      const ids = users.map((row) => rowIdOf(row[0]));
      fillSelectionWith(db, ids, null);
      noteSelection(db, table, touched);
      writeField(db, table, column, step);
    }
  }
}
