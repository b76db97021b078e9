import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, type DbBind, type DbValue, numberOf, rowIdOf, rowIdsOf } from '../db/db.ts';
import type { Table } from '../schema/tables.ts';

/**
 * The rows of a set-based statement, in `temp.sel(id, v)`: IDs with their new values. Filling it once and joining it
 * makes an edit of 100,000 rows a handful of statements.
 */
export function createSelection(db: Db): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS sel(id INTEGER PRIMARY KEY, v ANY) STRICT');
}

/**
 * Replaces the selection. Many values are passed as JSON in one statement. A single value is bound, and a number is
 * cast, because a bound number would be stored as REAL in an ANY column.
 */
export function fillSelection(db: Db, valueById: ReadonlyMap<RowId, DbValue>): number {
  db.run('DELETE FROM temp.sel');
  const [first] = valueById;
  if (first !== undefined && valueById.size === 1) {
    const [id, value] = first;
    const bound = typeof value === 'number' ? 'CAST(? AS INTEGER)' : '?';
    return db.run(`INSERT INTO temp.sel(id, v) VALUES (?, ${bound})`, id, value);
  }
  const pairs = JSON.stringify(Object.fromEntries(valueById));
  return db.run('INSERT INTO temp.sel(id, v) SELECT CAST(key AS INTEGER), value FROM json_each(?)', pairs);
}

export function fillSelectionWith(db: Db, ids: readonly RowId[], value: number | null): number {
  db.run('DELETE FROM temp.sel');
  return db.run(
    'INSERT OR IGNORE INTO temp.sel(id, v) SELECT value, CAST(? AS INTEGER) FROM json_each(?)',
    value,
    JSON.stringify(ids),
  );
}

/** Replaces the selection with the result of a SELECT of IDs and values. */
export function fillSelectionFrom(db: Db, select: string, ...bind: readonly DbBind[]): number {
  db.run('DELETE FROM temp.sel');
  return db.run(`INSERT OR IGNORE INTO temp.sel(id, v) ${select}`, ...bind);
}

/** The first selected ID without a row in the table, or null. */
export function missingInSelection(db: Db, table: Table): RowId | null {
  const row = db.get(
    `SELECT s.id FROM temp.sel s WHERE NOT EXISTS (SELECT 1 FROM ${table.name} k WHERE k.id = s.id) LIMIT 1`,
  );
  return row === undefined ? null : rowIdOf(row[0]);
}

/** IDs of the campaigns of the selected rows; for media, those of campaigns whose profiles use them. */
export function campaignsOfSelection(db: Db, table: Table): readonly RowId[] {
  const sql =
    table.kind === 'media'
      ? `WITH used(id) AS (SELECT id FROM temp.sel UNION SELECT m.id FROM media m JOIN temp.sel s ON m.caption = s.id)
         SELECT campaign_id FROM sba_profile WHERE logo IN used
         UNION SELECT campaign_id FROM video_profile WHERE video IN used`
      : `SELECT DISTINCT k.campaign_id FROM temp.sel s CROSS JOIN ${table.name} k ON k.id = s.id`;
  return rowIdsOf(db, sql);
}

export const selectionSize = (db: Db): number => numberOf(db, 'SELECT count(*) FROM temp.sel');
