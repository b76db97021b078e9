import { NEW } from '../../../shared/model/row.ts';
import type { RowNotes } from '../../../shared/spreadsheet/sheet-row.ts';
import { asNumber, asText, type Db, numberOf, rowIdOf } from '../db/db.ts';
import { addRowNotes } from '../notes/read-notes.ts';
import { allTables, columnNamed, kindAt, sqlList, type Table } from '../schema/tables.ts';
import { noteCells, removeRows } from '../writer/removal.ts';
import { fillSelectionFrom } from '../writer/selection.ts';
import { beginStep, endStep } from '../writer/steps.ts';
import { writeField } from '../writer/write-field.ts';
import type { AffectedRows } from '../writer/writer-store.ts';
import { takeIds } from '../writer/writer-store.ts';
import type { StagedEdit } from './stage-file.ts';
import { stagedTable } from './stage-file.ts';

/** Rows and cells are written in slices, to keep the selection of cells small and report progress in between. */
const A_SLICE = 20_000;
/**
 * With at least so many new rows in a table that has fewer, building the indexes again is faster than updating them.
 */
const REBUILD_FROM = 50_000;

/**
 * Applies a staged edit as one step of the history. The stage must be attached as `stage`, and a transaction open. Its
 * values were validated and its parents exist, since the revision has not changed.
 *
 * @param tell called with the number of processed rows and cells, and their total
 */
export function applyStaged(
  db: Db,
  { label, source }: StagedEdit,
  nowMs: number,
  touched: AffectedRows,
  tell: (done: number, total: number) => void,
): { readonly firstId: number; readonly rows: number } {
  const step = beginStep(db, label, source, nowMs);
  const inserts = allTables().flatMap((table) => insertOf(db, table));
  const total = inserts.reduce((sum, { count }) => sum + count, 0);
  const toDo = inserts.reduce((sum, { count, indexes }) => sum + count * (2 + indexes.length), stagedIn(db, 'upd'));
  let done = 0;
  const advance = (rows: number): void => {
    done += rows;
    tell(done, toDo);
  };
  const firstId = total === 0 ? 0 : takeIds(db, total);
  for (const insert of inserts) insertRows(db, insert, { firstId, total }, step, touched, advance);
  const cells = updateCells(db, step, touched, advance);
  const removed = removeStaged(db, step, touched);
  addNotes(db, firstId, nowMs, touched);
  endStep(db, step, total + cells + removed);
  return { firstId, rows: total + cells + removed };
}

const stagedIn = (db: Db, table: string): number => numberOf(db, `SELECT count(*) FROM stage.${table}`);

/** New rows of one table, and the indexes to build again after they are inserted. */
interface Insert {
  readonly table: Table;
  readonly count: number;
  readonly indexes: readonly { readonly name: string; readonly sql: string }[];
}

function insertOf(db: Db, table: Table): Insert[] {
  const count = stagedIn(db, stagedTable(table));
  if (count === 0) return [];
  const isRebuilt = count >= REBUILD_FROM && count >= numberOf(db, `SELECT count(*) FROM ${table.name}`);
  return [{ table, count, indexes: isRebuilt ? indexesOf(db, table.name) : [] }];
}

function insertRows(
  db: Db,
  { table, count, indexes }: Insert,
  { firstId, total }: { readonly firstId: number; readonly total: number },
  step: number,
  touched: AffectedRows,
  advance: (rows: number) => void,
): void {
  const { name, columns, keyColumn, parent, kind, code } = table;
  const id = (column: string): string => `iif(${column} < 0, ?1 - 1 - ${column}, ${column})`;
  for (const index of indexes) db.exec(`DROP INDEX ${index.name}`);
  for (let after = -1; ; ) {
    const last = db.get(
      `SELECT max(at), count(*) FROM (SELECT at FROM stage.${stagedTable(table)} WHERE at > ? ORDER BY at LIMIT ${A_SLICE})`,
      after,
    );
    const taken = asNumber(last?.[1]);
    if (taken === 0) break;
    const upTo = asNumber(last?.[0]);
    db.run(
      `INSERT INTO ${name}(id, campaign_id, ad_group_id, dirty, ${sqlList(columns)}${keyColumn === null ? '' : ', sort_key'})
       SELECT ?1 + at, ${kind === 'campaign' ? '?1 + at' : id('campaign')}, ${id('ad_group')}, ${NEW},
         ${sqlList(columns)}${keyColumn === null ? '' : ', sort_key'} FROM stage.${stagedTable(table)}
       WHERE at > ?2 AND at <= ?3 ORDER BY at`,
      firstId,
      after,
      upTo,
    );
    after = upTo;
    advance(taken);
  }
  for (const index of indexes) {
    db.exec(index.sql);
    advance(count);
  }
  db.run(
    `INSERT INTO step_row(step, kind, id, made) SELECT ?1, ${code}, ?2 + at, 1
     FROM stage.${stagedTable(table)} ORDER BY at`,
    step,
    firstId,
  );
  advance(count);
  touched.kinds.add(kind);
  touched.grown.add(kind);
  if (parent === 'account') touched.account = true;
  const campaigns = `SELECT DISTINCT campaign_id FROM ${name} WHERE id >= ? AND id < ? AND campaign_id IS NOT NULL`;
  for (const [campaign] of db.all(campaigns, firstId, firstId + total)) touched.campaign(rowIdOf(campaign));
}

function indexesOf(db: Db, table: string): Insert['indexes'] {
  return db
    .all(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`, table)
    .map(([name, sql]) => ({ name: asText(name), sql: asText(sql) }));
}

function updateCells(db: Db, step: number, touched: AffectedRows, advance: (cells: number) => void): number {
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
           WHERE kind = ? AND field = ? AND id > ? ORDER BY id LIMIT ${A_SLICE}`,
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
        advance(taken);
      }
    }
  }
  return changed;
}

function removeStaged(db: Db, step: number, touched: AffectedRows): number {
  const refs = db.all('SELECT kind, id FROM stage.del').map(([code, id]) => ({ kind: kindAt(code), id: rowIdOf(id) }));
  return refs.length === 0 ? 0 : removeRows(db, refs, step, touched).length;
}

/** Comments and labels are not part of the step: undoing an import keeps them. */
function addNotes(db: Db, firstId: number, nowMs: number, touched: AffectedRows): void {
  for (const [code, ref, notes] of db.all('SELECT kind, ref, notes FROM stage.note ORDER BY rowid')) {
    const row = asNumber(ref);
    const id = row < 0 ? firstId - 1 - row : row;
    addRowNotes(db, kindAt(code), id, JSON.parse(asText(notes)) as RowNotes, nowMs);
    touched.kinds.add(kindAt(code));
  }
}
