import { asText, asTextOrNull, type Db } from '../db/db.ts';
import { allTables, type Column } from './tables.ts';

/**
 * Lets the columns of an older file hold words of the service that this version does not know: such a column held nothing
 * but the positions of known ones. SQLite cannot change the type of a column, so a new one takes its cells and its name.
 */
export function openWordColumns(db: Db): void {
  for (const { name, base, columns, userColumns } of allTables()) {
    widen(db, name, columns);
    widen(db, base, userColumns);
  }
}

function widen(db: Db, table: string, columns: readonly Column[]): void {
  const types = new Map(
    db.all('SELECT name, type FROM pragma_table_info(?)', table).map(([name, type]) => [asText(name), asText(type)]),
  );
  const narrow = columns.filter(({ field, sqlType }) => sqlType === 'ANY' && types.get(field) === 'INTEGER');
  if (narrow.length === 0) return;
  const indexes = db
    .all(`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?`, table)
    .flatMap(([name, sql]) => {
      const text = asTextOrNull(sql);
      return text !== null && narrow.some((column) => text.includes(column.sql)) ? [{ name: asText(name), text }] : [];
    });
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  for (const { field } of narrow) db.exec(`ALTER TABLE ${table} ADD COLUMN "${field}$" ANY`);
  db.run(`UPDATE ${table} SET ${narrow.map(({ field, sql }) => `"${field}$" = ${sql}`).join(', ')}`);
  for (const { field, sql } of narrow) {
    db.exec(`ALTER TABLE ${table} DROP COLUMN ${sql}; ALTER TABLE ${table} RENAME COLUMN "${field}$" TO ${sql}`);
  }
  for (const { text } of indexes) db.exec(text);
}
