import { NEW } from '../../../shared/model/row.ts';
import type { RowNotes } from '../../../shared/spreadsheet/sheet-row.ts';
import { asNumber, asText, type Db, numberOf, rowIdOf } from '../db/db.ts';
import { addRowNotes } from '../notes/read-notes.ts';
import { allTables, columnNamed, kindAt, sqlList, type Table } from '../schema/tables.ts';
import { noteCells, removeRows } from '../writer/removal.ts';
import { fillSelectionFrom } from '../writer/selection.ts';
import { beginStep, endStep } from '../writer/steps.ts';
import type { AffectedRows } from '../writer/store.ts';
import { takeIds } from '../writer/store.ts';
import { writeField } from '../writer/write-field.ts';
import type { StagedEdit } from './stage-file.ts';
import { stagedTable } from './stage-file.ts';

/** Cells are written in slices, so that the selection they go through stays small. */
const CELLS_A_SLICE = 100_000;
/** With at least so many new rows in a table that has fewer, building the indexes again costs less than feeding them. */
const REBUILD_FROM = 50_000;

/**
 * Carries out a staged edit as one step of the history. The stage is attached as `stage` and the edit belongs in a
 * transaction. Its values were read as cells and its parents exist, since the revision has not changed.
 */
export function applyStaged(
  db: Db,
  { label, source }: StagedEdit,
  nowMs: number,
  touched: AffectedRows,
): { readonly firstId: number; readonly rows: number } {
  const step = beginStep(db, label, source, nowMs);
  const counts = allTables().map((table) => ({
    table,
    count: numberOf(db, `SELECT count(*) FROM stage.${stagedTable(table)}`),
  }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const firstId = total === 0 ? 0 : takeIds(db, total);
  for (const { table, count } of counts) if (count > 0) insertRows(db, table, { count, firstId, total }, step, touched);
  const cells = updateCells(db, step, touched);
  const removed = removeStaged(db, step, touched);
  addNotes(db, firstId, nowMs, touched);
  endStep(db, step, total + cells + removed);
  return { firstId, rows: total + cells + removed };
}

function insertRows(
  db: Db,
  table: Table,
  { count, firstId, total }: { readonly count: number; readonly firstId: number; readonly total: number },
  step: number,
  touched: AffectedRows,
): void {
  const { name, columns, keyColumn, parent, kind, code } = table;
  const id = (column: string): string => `iif(${column} < 0, ?1 - 1 - ${column}, ${column})`;
  const isRebuilt = count >= REBUILD_FROM && count >= numberOf(db, `SELECT count(*) FROM ${name}`);
  const indexes = isRebuilt ? indexesOf(db, name) : [];
  for (const index of indexes) db.exec(`DROP INDEX ${index.name}`);
  db.run(
    `INSERT INTO ${name}(id, campaign_id, ad_group_id, dirty, ${sqlList(columns)}${keyColumn === null ? '' : ', sort_key'})
     SELECT ?1 + at, ${kind === 'campaign' ? '?1 + at' : id('campaign')}, ${id('ad_group')}, ${NEW},
       ${sqlList(columns)}${keyColumn === null ? '' : ', sort_key'} FROM stage.${stagedTable(table)} ORDER BY at`,
    firstId,
  );
  for (const index of indexes) db.exec(index.sql);
  db.run(
    `INSERT INTO step_row(step, kind, id, made) SELECT ?1, ${code}, ?2 + at, 1
     FROM stage.${stagedTable(table)} ORDER BY at`,
    step,
    firstId,
  );
  touched.kinds.add(kind);
  touched.grown.add(kind);
  if (parent === 'account') touched.account = true;
  const campaigns = `SELECT DISTINCT campaign_id FROM ${name} WHERE id >= ? AND id < ? AND campaign_id IS NOT NULL`;
  for (const [campaign] of db.all(campaigns, firstId, firstId + total)) touched.campaign(rowIdOf(campaign));
}

function indexesOf(db: Db, table: string): readonly { readonly name: string; readonly sql: string }[] {
  return db
    .all(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`, table)
    .map(([name, sql]) => ({ name: asText(name), sql: asText(sql) }));
}

function updateCells(db: Db, step: number, touched: AffectedRows): number {
  let changed = 0;
  for (const table of allTables()) {
    const fields = db
      .all('SELECT DISTINCT field FROM stage.upd WHERE kind = ?', table.code)
      .map(([field]) => asText(field));
    for (const field of fields) {
      for (let after = 0; ; ) {
        const taken = fillSelectionFrom(
          db,
          `SELECT id, v FROM stage.upd
           WHERE kind = ? AND field = ? AND id > ? ORDER BY id LIMIT ${CELLS_A_SLICE}`,
          table.code,
          field,
          after,
        );
        if (taken === 0) break;
        after = numberOf(db, 'SELECT max(id) FROM temp.sel');
        const column = columnNamed(table, field);
        const written = writeField(db, table, column, step);
        if (written > 0) noteCells(db, table, touched, column, written);
        changed += written;
      }
    }
  }
  return changed;
}

function removeStaged(db: Db, step: number, touched: AffectedRows): number {
  const refs = db.all('SELECT kind, id FROM stage.del').map(([code, id]) => ({ kind: kindAt(code), id: rowIdOf(id) }));
  return refs.length === 0 ? 0 : removeRows(db, refs, step, touched).length;
}

/** Comments and labels are no part of the step: taking an import back does not take back what was said. */
function addNotes(db: Db, firstId: number, nowMs: number, touched: AffectedRows): void {
  for (const [code, ref, notes] of db.all('SELECT kind, ref, notes FROM stage.note ORDER BY rowid')) {
    const row = asNumber(ref);
    const id = row < 0 ? firstId - 1 - row : row;
    addRowNotes(db, kindAt(code), id, JSON.parse(asText(notes)) as RowNotes, nowMs);
    touched.kinds.add(kindAt(code));
  }
}
