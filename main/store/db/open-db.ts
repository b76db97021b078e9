import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { naturalKey, textKey } from '../../../shared/model/text.ts';
import type { Db, DbBind, DbRow, DbValue } from './db.ts';

/** Older versions lose data when two connections of one process write and checkpoint at once (fixed in 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3] as const;
const BUSY_TIMEOUT_MS = 5000;
/** The page size of SQLite and of every workspace. */
const PAGE_BYTES = 4096;
/** Statement texts differ only by kind and field, so this is enough for all of them. */
const CACHED_STATEMENTS = 600;

export interface OpenDbOptions {
  readonly readOnly?: boolean;
}

export interface OpenDb extends Db {
  /** Only for online backups. */
  readonly raw: DatabaseSync;
  /** The blob in the first column of the first row. */
  blob(sql: string, ...bind: readonly DbBind[]): Uint8Array | null;
}

/**
 * A database file that nobody writes, without its log. SQLite needs no files beside it then, so it can be read in a
 * folder that can't be written.
 */
export function fileAtRest(file: string): URL {
  const url = pathToFileURL(file);
  url.search = '?immutable=1';
  return url;
}

export const hasLog = (file: string): boolean => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Reads a file before it is opened for writing, which would change the journal mode of a foreign file. */
export function readUnopened<T>(file: string, read: (db: OpenDb) => T): T {
  const db = openDb(hasLog(file) ? file : fileAtRest(file), { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Opens a connection with the settings that every connection of the store has. */
export function openDb(file: string | URL, options: OpenDbOptions = {}): OpenDb {
  const raw = new DatabaseSync(file, {
    readOnly: options.readOnly ?? false,
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
    allowExtension: false,
    defensive: true,
  });
  try {
    assertVersion(String(raw.prepare('SELECT sqlite_version() AS v').get()?.['v']));
    if (options.readOnly !== true) raw.exec('PRAGMA journal_mode = WAL');
    raw.exec(`PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
      PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
      PRAGMA journal_size_limit = ${MOVED_IN_COMMIT_BYTES}; PRAGMA wal_autocheckpoint = ${MOVED_IN_COMMIT_BYTES / PAGE_BYTES}; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
    raw.function('fold', { deterministic: true, directOnly: true }, fold);
    raw.function('natural', { deterministic: true, directOnly: true }, natural);
  } catch (error) {
    raw.close();
    throw error;
  }
  return driver(raw, options.readOnly ?? false);
}

/** Throws an error for the person who installs Adslate if the runtime's SQLite is too old. */
export function assertVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [i, least] of OLDEST_SQLITE.entries()) {
    const part = parts[i] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new Error(
        `This runtime brings SQLite ${version}; Adslate needs ${OLDEST_SQLITE.join('.')} or newer to keep two connections safe. Use Node 24.15 or newer.`,
      );
    }
  }
}

/** Lowercase, NFKC, single spaces; null stays null. The SQL function for the key by which texts are compared. */
const fold = (value: unknown): string | null => (typeof value === 'string' ? textKey(value) : null);

/** The SQL function for the natural order of folded names; null stays null. */
const natural = (value: unknown): string | null => (typeof value === 'string' ? naturalKey(value) : null);

function driver(raw: DatabaseSync, readOnly: boolean): OpenDb {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    // Drops the oldest statement, even if it was used recently: tracking use would cost every statement more than
    // preparing one again now and then.
    for (const oldest of statements.keys()) if (statements.size >= CACHED_STATEMENTS) statements.delete(oldest);
    const statement = raw.prepare(sql);
    statement.setReturnArrays(true);
    statements.set(sql, statement);
    return statement;
  };
  return {
    raw,
    readOnly,
    exec: (sql) => raw.exec(sql),
    all: (sql, ...bind) => rowsOf(prepared(sql).all(...bind)),
    get: (sql, ...bind) => rowOf(prepared(sql).get(...bind)),
    blob: (sql, ...bind) => {
      const [bytes]: readonly unknown[] = rowOf(prepared(sql).get(...bind)) ?? [];
      return bytes instanceof Uint8Array ? bytes : null;
    },
    run: (sql, ...bind) => Number(prepared(sql).run(...bind).changes),
    define: (name, of) =>
      raw.function(name, { deterministic: true, directOnly: true, varargs: true }, (...values) =>
        of(...(values as DbValue[])),
      ),
    get inTransaction() {
      return raw.isTransaction;
    },
    tx: (work, commit = 'flushed') => (commit === 'flushed' ? transaction(raw, work) : unflushed(raw, work)),
    close: () => {
      statements.clear();
      raw.close();
    },
  };
}

/** Throws if a transaction is already open. */
function transaction<T>(raw: DatabaseSync, work: () => T): T {
  if (raw.isTransaction) throw new Error('a transaction is already open on this connection');
  raw.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    raw.exec('COMMIT');
    return result;
  } finally {
    // Still open here means that `work` or COMMIT threw; SQLite may already have rolled back on its own.
    if (raw.isTransaction) raw.exec('ROLLBACK');
  }
}

/** SQLite refuses this setting while a transaction is open. */
function unflushed<T>(raw: DatabaseSync, work: () => T): T {
  raw.exec('PRAGMA synchronous = NORMAL');
  try {
    return transaction(raw, work);
  } finally {
    raw.exec('PRAGMA synchronous = FULL');
  }
}

// The declarations of node:sqlite promise records; with setReturnArrays every row is an array. The store reads blobs
// only with `blob` and no integers above 2^53, so these are the only cell types.
const rowsOf = (rows: unknown): readonly DbRow[] => rows as readonly DbRow[];
const rowOf = (row: unknown): DbRow | undefined => row as readonly DbValue[] | undefined;

/**
 * Size of the write-ahead log beside the database (`PRAGMA wal_autocheckpoint` and `journal_size_limit`):
 *
 *   empty --commits--> more than 4 MB, idle -------------> moved into the database, written again from its start
 *                  \-> more than 32 MB, edits never pause -> moved by the commit that exceeded it
 *
 * A transaction must be completely in the log before it is moved, so a step that rewrites more than 32 MB makes a log
 * of that size; it is truncated when idle. While a reader uses an older state the log can't restart; every commit tries
 * again.
 */
export const MOVED_IN_COMMIT_BYTES = 32 * 2 ** 20;
const MOVED_AT_REST_BYTES = 4 * 2 ** 20;

/** Moves the log into the database if it is large enough. Called when idle; does not wait for locks. */
export function checkpointWhenIdle(db: Db, file: string): void {
  const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= MOVED_AT_REST_BYTES) return;
  // PASSIVE does not shrink the file, and TRUNCATE would wait for a reader.
  const isMoved = db.get('PRAGMA wal_checkpoint(PASSIVE)');
  if (bytes <= MOVED_IN_COMMIT_BYTES || isMoved?.[1] !== isMoved?.[2]) return;
  withoutWaiting(db, () => db.get('PRAGMA wal_checkpoint(TRUNCATE)'));
}

/** Runs `work` with locks refused at once instead of after the busy timeout. */
function withoutWaiting(db: Db, work: () => void): void {
  const [limitMs] = db.get('PRAGMA busy_timeout') ?? [];
  db.exec('PRAGMA busy_timeout = 0');
  try {
    work();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(limitMs)}`);
  }
}
