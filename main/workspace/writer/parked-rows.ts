import type { RowId } from '../../../shared/model/scalars.ts';
import { type Db, rowIdOf } from '../db/db.ts';
import { sqlList, type Table } from '../schema/tables.ts';

/**
 * Rows that the history has taken out of their table, kept as JSON in `step_row` until undo or redo puts them
 * back. Only new rows are ever parked; what the service knows is marked, not moved.
 */
const HEAD = ['id', 'campaign_id', 'ad_group_id', 'remote_id', 'dirty', 'issues'] as const;

/** Takes the selected rows out of their table. `removed` notes them in the step; `noted` ones are there already. */
export function storeRemovedRows(db: Db, table: Table, step: number, as: 'removed' | 'noted'): void {
  const { name, code } = table;
  const content = `json_object(${columnNames(table)
    .map((column) => `'${column}', k."${column}"`)
    .join(', ')})`;
  if (as === 'removed') {
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

/** Puts the parked rows of a step back, as they were when they left. */
export function restoreRemovedRows(db: Db, table: Table, step: number, made: 0 | 1): number {
  const names = columnNames(table);
  const extracts = names.map((column) => `json_extract(content, '$."${column}"')`).join(', ');
  const where = `step = ? AND kind = ${table.code} AND made = ${made} AND content IS NOT NULL`;
  const put = db.run(
    `INSERT INTO ${table.name}(${names.map((column) => `"${column}"`).join(', ')})
     SELECT ${extracts} FROM step_row WHERE ${where}`,
    step,
  );
  if (put > 0) db.run(`UPDATE step_row SET content = NULL WHERE ${where}`, step);
  return put;
}

/**
 * Puts rows that an earlier step has taken out back into their table, as rows made by this step. What the earlier
 * step keeps of them stays, for its own undo.
 *
 * @param campaignId only rows of this campaign, or null for all
 * @returns the ids that came back; rows whose parent is gone do not
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
  // A row may have left more than once; what counts is how it was the last time.
  const last = `SELECT id, content, max(step) FROM step_row WHERE kind = ${table.code} AND content IS NOT NULL
    AND step IN (SELECT id FROM step WHERE state = 0) AND id IN (SELECT value FROM json_each(?1)) GROUP BY id`;
  const back = db
    .all(`SELECT r.id FROM (${last}) r WHERE ${hasParent} AND ${wanted}`, JSON.stringify(ids), campaignId)
    .map(([id]) => rowIdOf(id));
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
