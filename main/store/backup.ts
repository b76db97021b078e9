import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import { FIELD_BITS, NEW } from '../../shared/model/row.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { asText, type Db, numberOf } from './db/db.ts';
import { type OpenDb, openDb } from './db/open-db.ts';
import { missingTable, schemaState } from './schema/migrate.ts';
import { allTables, type Table } from './schema/tables.ts';
import { teamPromises } from './team/schema.ts';
import type { IntegrityViolation, NotWritable } from './types.ts';

/** Pages copied before the thread may do something else; 4 KB each. */
const PAGES_A_STEP = 4096;

/**
 * Copies a workspace while it stays in use: to a temporary name, flushed, read back and checked, and only then
 * under its own name. A copy that cannot be verified never gets that name.
 *
 * The connection of the copy holds one moment of the workspace for as long as the copying takes, so edits that
 * are made meanwhile neither wait nor get in.
 */
export async function backUp(file: string, target: string): Promise<Result<null, NotWritable>> {
  const db = openDb(file, { readOnly: true });
  try {
    db.exec('BEGIN');
    // The moment begins with the first read.
    const rows = rowCounts(db);
    return await copyChecked(db, target, rows);
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    db.close();
  }
}

/** The same for a database that its caller has open, whatever its tables are. */
export const backUpOpenDb = (db: OpenDb, target: string): Promise<Result<null, NotWritable>> =>
  copyChecked(db, target, null);

async function copyChecked(db: OpenDb, target: string, rows: string | null): Promise<Result<null, NotWritable>> {
  // A name of its own, so that two copies that begin in the same moment do not meet.
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await backup(db.raw, temporary, { rate: PAGES_A_STEP });
    flush(temporary);
    const problem = integrityProblem(temporary) ?? (rows === null ? null : contentProblem(temporary, rows));
    if (problem !== null) return err({ kind: 'not-writable', why: 'damaged', detail: problem });
    renameSync(temporary, target);
    flush(dirname(target));
    return ok(null);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(temporary + suffix, { force: true });
  }
}

/** What SQLite finds wrong with a file nobody has open, or null. */
export function integrityProblem(file: string): string | null {
  const db = openDb(file, { readOnly: true });
  try {
    const found = asText(db.get('PRAGMA integrity_check(1)')?.[0]);
    return found === 'ok' ? null : found;
  } finally {
    db.close();
  }
}

/** What keeps a sound database from being a workspace that can be restored, or null. */
function contentProblem(file: string, rows: string): string | null {
  const db = openDb(file, { readOnly: true });
  try {
    const { kind } = schemaState(db);
    if (kind !== 'current') return `the copy is ${kind}`;
    const missing = missingTable(db);
    if (missing !== null) return `the copy lacks the table ${missing}`;
    if (rowCounts(db) !== rows) return 'the copy has not the rows of the workspace';
    const [broken] = checkIntegrity(db);
    return broken === undefined ? null : `${broken.table}: ${broken.promise} (${broken.rows})`;
  } finally {
    db.close();
  }
}

const rowCounts = (db: Db): string =>
  allTables()
    .flatMap(({ name, base }) => [name, base])
    .map((name) => `${name} ${numberOf(db, `SELECT count(*) FROM ${name}`)}`)
    .join(', ');

function flush(path: string): void {
  // Windows cannot open a folder for flushing, and needs no such call.
  if (process.platform === 'win32' && !path.endsWith('.tmp')) return;
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Counts the rows that break what the store promises about itself. Nothing is repaired. */
export function checkIntegrity(db: Db): readonly IntegrityViolation[] {
  return allTables()
    .flatMap((table) =>
      [...promisesOf(table), ...teamPromises(table)].map(([promise, sql]) => ({
        table: table.name,
        promise,
        rows: numberOf(db, sql),
      })),
    )
    .filter(({ rows }) => rows > 0);
}

function promisesOf(table: Table): readonly (readonly [string, string])[] {
  const { name, base } = table;
  const isEdited = `k.dirty & ${FIELD_BITS} <> 0 AND NOT k.dirty & ${NEW}`;
  const wrongBits = table.userColumns.map(
    (column) => `(k.dirty & ${column.mask} <> 0) <> (k.${column.sql} IS NOT b.${column.sql})`,
  );
  const { keyColumn } = table;
  return [
    [
      'a row with field bits has a base',
      `SELECT count(*) FROM ${name} k WHERE ${isEdited} AND NOT EXISTS (SELECT 1 FROM ${base} b WHERE b.id = k.id)`,
    ],
    [
      'a base belongs to a row with field bits',
      `SELECT count(*) FROM ${base} b LEFT JOIN ${name} k ON k.id = b.id WHERE k.id IS NULL OR NOT (${isEdited})`,
    ],
    [
      'a bit is set exactly where row and base differ',
      `SELECT count(*) FROM ${name} k JOIN ${base} b ON b.id = k.id WHERE ${wrongBits.join(' OR ')}`,
    ],
    ['a new row has no field bits', `SELECT count(*) FROM ${name} WHERE dirty & ${NEW} AND dirty & ${FIELD_BITS}`],
    ...(table.parent === 'adGroup'
      ? ([
          [
            'a row is in the campaign of its ad group',
            `SELECT count(*) FROM ${name} k JOIN ad_group g ON g.id = k.ad_group_id WHERE g.campaign_id <> k.campaign_id`,
          ],
        ] as const)
      : []),
    ...(keyColumn === null
      ? []
      : ([
          [
            'the sort key is the folded text',
            `SELECT count(*) FROM ${name} WHERE sort_key IS NOT fold(${keyColumn.sql})`,
          ],
        ] as const)),
  ];
}
