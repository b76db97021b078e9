import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import { FIELD_BITS, NEW } from '../../shared/model/row.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { asText, type Db, numberOf } from './db/db.ts';
import { type OpenDb, openDb } from './db/open-db.ts';
import { notWritable } from './not-writable.ts';
import { missingTable, schemaState } from './schema/migrate.ts';
import { allTables, type Table } from './schema/tables.ts';
import { teamPromises } from './team/schema.ts';
import type { IntegrityViolation, NotWritable } from './types.ts';

/** Pages copied per step, of 4 KB each; other work of the thread runs between steps. */
const PAGES_A_STEP = 4096;

/**
 * Copies a workspace while it stays in use: to a temporary name, flushed and verified, and only then renamed to its own
 * name. A copy that can't be verified never gets that name.
 *
 * The connection of the copy holds a read transaction during the whole copy, so edits made in the meantime are neither
 * delayed nor included.
 */
export async function backUp(file: string, target: string): Promise<Result<null, NotWritable>> {
  const db = openDb(file, { readOnly: true });
  try {
    db.exec('BEGIN');
    // The transaction begins with the first read.
    const rows = rowCounts(db);
    return await copyChecked(db, target, rows);
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    db.close();
  }
}

/** Like `backUp`, for any database that the caller has open. */
export const backUpOpenDb = (db: OpenDb, target: string): Promise<Result<null, NotWritable>> =>
  copyChecked(db, target, null);

async function copyChecked(db: OpenDb, target: string, rows: string | null): Promise<Result<null, NotWritable>> {
  // A random name, so that two copies begun at the same moment do not collide.
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await backup(db.raw, temporary, { rate: PAGES_A_STEP });
    flush(temporary);
    const problem = integrityProblem(temporary) ?? (rows === null ? null : contentProblem(temporary, rows));
    if (problem !== null) return err(notWritable('damaged', problem));
    renameSync(temporary, target);
    flush(dirname(target));
    return ok(null);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(temporary + suffix, { force: true });
  }
}

/** What SQLite's integrity check reports for a closed file, or null. */
export function integrityProblem(file: string | URL): string | null {
  const db = openDb(file, { readOnly: true });
  try {
    const found = asText(db.get('PRAGMA integrity_check(1)')?.[0]);
    return found === 'ok' ? null : found;
  } finally {
    db.close();
  }
}

/** Why an intact database is not a workspace that can be restored, or null. */
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
  // Windows can't open a folder for flushing, and does not need it.
  if (process.platform === 'win32' && !path.endsWith('.tmp')) return;
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Counts the rows that violate the store's invariants. Nothing is repaired. */
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
