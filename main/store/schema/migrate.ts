import { asText, asTextOrNull, type Db, numberOf } from '../db/db.ts';
import { OUTBOX_DDL } from '../outbox/schema.ts';
import { shadowOf, sharedNotesSchema, teamSchema } from '../team/schema.ts';
import {
  BANNER_DDL,
  CAMPAIGN_READ_DDL,
  CAMPAIGN_STATUS_DDL,
  COMMENT_UID_DDL,
  firstSchema,
  ISSUE_RULES_DDL,
  ITEM_FACT_DDL,
  KNOWN_DDL,
  notesSchema,
  STEP_REASON_DDL,
  STEP_SIZE_DDL,
  STEP_WHO_DDL,
  VERDICT_DDL,
} from './ddl.ts';
import { allTables, type Column } from './tables.ts';

/** "ADSL": distinguishes a workspace from other SQLite files. */
export const APPLICATION_ID = 0x4144534c;

export type SchemaState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'current' }
  | { readonly kind: 'older'; readonly version: number }
  | { readonly kind: 'newer'; readonly version: number; readonly known: number }
  | { readonly kind: 'foreign' };

/** The type of the file, determined before anything is written to it. */
export function schemaState(db: Db): SchemaState {
  const version = numberOf(db, 'PRAGMA user_version');
  const application = numberOf(db, 'PRAGMA application_id');
  const known = migrations().length;
  if (application === 0 && version === 0) {
    return numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0 ? { kind: 'empty' } : { kind: 'foreign' };
  }
  if (application !== APPLICATION_ID) return { kind: 'foreign' };
  if (version > known) return { kind: 'newer', version, known };
  return version === known ? { kind: 'current' } : { kind: 'older', version };
}

/**
 * The first table that a workspace of this schema lacks, or null. Detects damage and tampering before a query fails.
 */
export function missingTable(db: Db): string | null {
  const present = new Set(db.all(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map(([name]) => name));
  const wanted = [
    'meta',
    'counter',
    'step',
    'conflict',
    'outbox_op',
    'item_fact',
    'saved_view',
    'label',
    'row_label',
    'comment',
    'known_id',
    'campaign_read',
    'campaign_status',
    'team_meta',
    'team_shared_note',
    ...allTables().flatMap((table) => [table.name, table.base, shadowOf(table)]),
  ];
  return wanted.find((name) => !present.has(name)) ?? null;
}

/** Migrates the file to the newest schema, one transaction per step, which also writes the version number. */
export function migrate(db: Db): void {
  const steps = migrations();
  for (let version = numberOf(db, 'PRAGMA user_version'); version < steps.length; version++) {
    const step = steps[version];
    if (step === undefined) throw new Error(`no migration from schema ${version}`);
    db.tx(() => {
      step(db);
      db.exec(`PRAGMA user_version = ${version + 1}; PRAGMA application_id = ${APPLICATION_ID}`);
    });
  }
}

/**
 * All migrations by number: the step at position n makes schema n + 1. Steps are appended and never changed after a
 * release.
 */
export const migrations = (): readonly ((db: Db) => void)[] => [
  (db) => db.exec(firstSchema() + OUTBOX_DDL),
  (db) => db.exec(ITEM_FACT_DDL),
  (db) => db.exec(notesSchema()),
  (db) => db.exec(STEP_SIZE_DDL),
  (db) => db.exec(STEP_WHO_DDL),
  (db) => db.exec(VERDICT_DDL),
  (db) => db.exec(KNOWN_DDL),
  (db) => db.exec(CAMPAIGN_READ_DDL),
  (db) => db.exec(ISSUE_RULES_DDL),
  (db) => db.exec(CAMPAIGN_STATUS_DDL),
  openWordColumns,
  (db) => db.exec(STEP_REASON_DDL),
  (db) => db.exec(teamSchema()),
  (db) => db.exec(BANNER_DDL),
  (db) => db.exec(sharedNotesSchema()),
  (db) => db.exec(COMMENT_UID_DDL),
];

/**
 * Lets columns of an older file store unknown words of the service; they only had positions of known ones. SQLite can't
 * change a column's type, so a new column gets its cells and its name.
 */
function openWordColumns(db: Db): void {
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
