import { asText, type Db } from '../db/db.ts';
import { allTables, type Column } from './tables.ts';

/**
 * Gives the tables of an older file the columns of fields that the model has got since. The cells are empty in rows
 * and bases alike, so nothing counts as changed; an older Adslate passes the columns over. Anything but a new
 * field is a numbered migration.
 *
 * @returns how many columns were added
 */
export function addNewFields(db: Db): number {
  const missing = allTables().flatMap(({ name, base, columns, userColumns }) => [
    ...lacking(db, name, columns),
    ...lacking(db, base, userColumns),
  ]);
  if (missing.length === 0) return 0;
  db.tx(() => {
    for (const { table, column } of missing) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column.sql} ${column.sqlType}`);
  });
  return missing.length;
}

function lacking(db: Db, table: string, columns: readonly Column[]) {
  const present = new Set(db.all('SELECT name FROM pragma_table_info(?)', table).map(([name]) => asText(name)));
  return columns.filter((column) => !present.has(column.field)).map((column) => ({ table, column }));
}
