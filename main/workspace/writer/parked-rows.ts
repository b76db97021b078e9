import type { Db } from '../db/db.ts';
import { sqlList, type Table } from '../schema/tables.ts';

/**
 * Rows that the history has taken out of their table, kept as JSON in `step_row` until undo or redo puts them
 * back. Only new rows are ever parked; what the service knows is marked, not moved.
 */
const HEAD = ['id', 'campaign_id', 'ad_group_id', 'remote_id', 'dirty', 'issues'] as const;

/** Takes the selected rows out of their table. `removed` notes them in the step; `noted` ones are there already. */
export function parkRows(db: Db, table: Table, step: number, as: 'removed' | 'noted'): void {
  const { name, code } = table;
  const content = `json_object(${columnNames(table)
    .map((column) => `'${column}', k."${column}"`)
    .join(', ')})`;
  if (as === 'removed') {
    db.run(
      `INSERT INTO step_row(step, kind, id, made, content)
       SELECT ${step}, ${code}, k.id, 0, ${content} FROM temp.sel s CROSS JOIN ${name} k ON k.id = s.id
       WHERE true ON CONFLICT DO UPDATE SET content = excluded.content`,
    );
  } else {
    db.run(
      `UPDATE step_row SET content = (SELECT ${content} FROM ${name} k WHERE k.id = step_row.id)
       WHERE step = ${step} AND kind = ${code} AND id IN (SELECT id FROM temp.sel)`,
    );
  }
  db.run(`DELETE FROM refusal WHERE kind = ${code} AND id IN (SELECT id FROM temp.sel)`);
  db.run(`DELETE FROM ${name} WHERE id IN (SELECT id FROM temp.sel)`);
}

/** Puts the parked rows of a step back, as they were when they left. */
export function unparkRows(db: Db, table: Table, step: number, made: 0 | 1): number {
  const names = columnNames(table);
  const extracts = names.map((column) => `json_extract(content, '$."${column}"')`).join(', ');
  const where = `step = ${step} AND kind = ${table.code} AND made = ${made} AND content IS NOT NULL`;
  const put = db.run(
    `INSERT INTO ${table.name}(${names.map((column) => `"${column}"`).join(', ')})
     SELECT ${extracts} FROM step_row WHERE ${where}`,
  );
  if (put > 0) db.run(`UPDATE step_row SET content = NULL WHERE ${where}`);
  return put;
}

function columnNames(table: Table): readonly string[] {
  const fields = sqlList(table.columns).replaceAll('"', '').split(', ');
  return [...HEAD, ...fields, ...(table.keyColumn === null ? [] : ['sort_key'])];
}
