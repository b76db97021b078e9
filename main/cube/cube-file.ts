import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../shared/result.ts';
import { backUpOpenDb, integrityProblem } from '../store/backup.ts';
import { asNumber, asText, numberOf } from '../store/db/db.ts';
import { fileAtRest, type OpenDb, type OpenDbOptions, openDb, readUnopened } from '../store/db/open-db.ts';
import type { NotWritable } from '../store/types.ts';

/** File name of an empty cube, for an account whose metrics can't be read. */
export const IN_MEMORY = ':memory:';

/** "ADSQ": distinguishes a cube from other SQLite files. */
const APPLICATION_ID = 0x41445351;

/**
 * All migrations by number: the step at position n makes schema n + 1. Steps are appended and never changed after a
 * release. Days are counted from 1970-01-01, without a time zone.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  -- A type of report with the columns that tell its rows apart, as JSON.
  CREATE TABLE source(id INTEGER PRIMARY KEY, type TEXT NOT NULL, keys TEXT NOT NULL, UNIQUE(type, keys)) STRICT;
  -- By its name on the wire.
  CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL) STRICT;
  -- key: the cells of the key columns, joined by tabs. words: names as they were seen last, as JSON.
  CREATE TABLE entity(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, key TEXT NOT NULL, words TEXT NOT NULL,
    seen_at INTEGER NOT NULL, seen_day INTEGER NOT NULL, UNIQUE(source, key)) STRICT;
  CREATE TABLE segment(source INTEGER NOT NULL, day INTEGER NOT NULL, fetched_at INTEGER NOT NULL, fetched_on INTEGER NOT NULL,
    rows INTEGER NOT NULL, crc INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY(source, day)) STRICT;
  -- Days that came with much less than is known, until the user decides.
  CREATE TABLE held(source INTEGER NOT NULL, day INTEGER NOT NULL, fetched_at INTEGER NOT NULL, fetched_on INTEGER NOT NULL,
    rows INTEGER NOT NULL, crc INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY(source, day)) STRICT;
  -- Sums of a day as the service reported them on one day of the business.
  CREATE TABLE seen(source INTEGER NOT NULL, day INTEGER NOT NULL, fetched_on INTEGER NOT NULL, campaign_type TEXT NOT NULL,
    fetched_at INTEGER NOT NULL, sums TEXT NOT NULL, PRIMARY KEY(source, day, fetched_on, campaign_type)) STRICT;
  CREATE TABLE restated(source INTEGER NOT NULL, day INTEGER NOT NULL, fetched_at INTEGER NOT NULL, was_settled INTEGER NOT NULL,
    cells INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, PRIMARY KEY(source, day, fetched_at)) STRICT;
  -- Days that were asked for and not answered, or whose content is damaged: those are asked for again at once (asked_on 0).
  CREATE TABLE gap(type TEXT NOT NULL, day INTEGER NOT NULL, asked_at INTEGER NOT NULL, asked_on INTEGER NOT NULL,
    why TEXT NOT NULL, PRIMARY KEY(type, day)) STRICT;
  -- Reports that were taken in, or could not be.
  CREATE TABLE report(id TEXT PRIMARY KEY, problem TEXT NOT NULL) STRICT;`,
  `-- A settled month as one segment, made of exactly the days that made_of names; the only copy where these have no content.
  CREATE TABLE rollup(source INTEGER NOT NULL, month TEXT NOT NULL, made_of TEXT NOT NULL, crc INTEGER NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY(source, month)) STRICT;`,
];

export type CubeFile = OpenDb;

/** Why metrics can't be stored or read: a part of a sentence. */
export interface CubeProblem {
  readonly kind: 'cube';
  readonly detail: string;
}

/**
 * Opens or creates the file. A file of a newer version is not changed. A missing or damaged file is replaced by its
 * backup; days that the backup lacks are requested from the service again.
 */
export function openCubeFile(file: string): Result<CubeFile, CubeProblem> {
  try {
    if (file !== IN_MEMORY && !existsSync(file)) putBackupInPlace(file);
    return prepared(file);
  } catch (error) {
    if (!isDamaged(error) || !existsSync(file)) return err({ kind: 'cube', detail: detailOf(error) });
    setAside(file);
    return openCubeFile(file);
  }
}

/** Renames a damaged file; it stays beside the new one. */
export function setAside(file: string): void {
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, `${file}.damaged${end}`);
}

/** The one backup copy, in the backups folder of the account. One is enough, because days of metrics are only added. */
const backupOf = (file: string): string => join(dirname(file), 'backups', 'metrics.adslate-cube');

function putBackupInPlace(file: string): void {
  const backup = backupOf(file);
  if (existsSync(backup) && integrityProblem(fileAtRest(backup)) === null) copyFileSync(backup, file);
}

/** Copies the file while it is in use. A copy that fails verification replaces no other. */
export async function backUpCubeFile(db: CubeFile, file: string): Promise<Result<null, NotWritable>> {
  const target = backupOf(file);
  if (existsSync(target) && revisionIn(target) === revisionOf(db)) return ok(null);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  return backUpOpenDb(db, target);
}

function revisionIn(file: string): number | null {
  try {
    const copy = openDb(fileAtRest(file), { readOnly: true });
    try {
      return revisionOf(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** Days read from a cube are cached unpacked (`days.ts`), so the page cache is small. */
export function openCubeDb(file: string, options: OpenDbOptions = {}): OpenDb {
  const db = openDb(file, options);
  db.exec('PRAGMA cache_size = -4096');
  return db;
}

/** Returns unused space of the file to the disk. @returns the error text; empty on success */
export function shrinkCubeFile(db: CubeFile): string {
  try {
    // The temporary copy is as large as the file, too large for memory.
    db.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    return '';
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR' || isDamaged(error))
      throw error;
    return error.message;
  } finally {
    db.exec('PRAGMA temp_store = MEMORY');
  }
}

function refusalOf(db: OpenDb): string | null {
  const version = numberOf(db, 'PRAGMA user_version');
  const isOurs = numberOf(db, 'PRAGMA application_id') === APPLICATION_ID;
  const isEmpty = numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isOurs && !isEmpty) return 'cube.db is not a file of Adslate';
  return version > MIGRATIONS.length ? `cube.db was made by a newer version of Adslate (${version})` : null;
}

function prepared(file: string): Result<CubeFile, CubeProblem> {
  const refused = existsSync(file) ? readUnopened(file, refusalOf) : null;
  if (refused !== null) return err({ kind: 'cube', detail: refused });
  const db = openCubeDb(file);
  try {
    const version = numberOf(db, 'PRAGMA user_version');
    for (const [at, tables] of MIGRATIONS.entries()) {
      if (at < version) continue;
      db.tx(() => db.exec(`${tables}; PRAGMA user_version = ${at + 1}; PRAGMA application_id = ${APPLICATION_ID}`));
    }
    return ok(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
export const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);

export interface Source {
  readonly id: number;
  readonly type: string;
  readonly keys: readonly string[];
}

/** The sources of a type, those with the fewest key columns first. */
export const readSources = (db: CubeFile): readonly Source[] =>
  db
    .all('SELECT id, type, keys FROM source ORDER BY json_array_length(keys), id')
    .map(([id, type, keys]) => ({ id: asNumber(id), type: asText(type), keys: JSON.parse(asText(keys)) as string[] }));

const REVISION = 'revision';

/** Incremented with every change of the cube. */
export const revisionOf = (db: CubeFile): number =>
  Number(db.get('SELECT value FROM meta WHERE key = ?', REVISION)?.[0] ?? 0);

export const bumpRevision = (db: CubeFile): void =>
  void db.run(
    'INSERT INTO meta VALUES (?1, 1) ON CONFLICT(key) DO UPDATE SET value = CAST(value AS INTEGER) + 1',
    REVISION,
  );
