import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/result.ts';
import { checkIntegrity } from './check-integrity.ts';
import { asText, type Db, numberOf } from './db/db.ts';
import { type OpenDb, openDb } from './db/open-db.ts';
import { missingTable, schemaState } from './schema/migrate.ts';
import { allTables } from './schema/tables.ts';
import type { NotWritable } from './types.ts';

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

/** The same for a database that is being opened: nobody else has it, and its tables may still be older ones. */
export const backUpBeforeMigration = (db: OpenDb, target: string): Promise<Result<null, NotWritable>> =>
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

/** What keeps a sound database from being a workspace that can be put back, or null. */
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
