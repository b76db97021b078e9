import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import { backUpOpenDb } from '../backup.ts';
import { asText, numberOf } from '../db/db.ts';
import { hasLog, type OpenDb, openDb, readUnopened } from '../db/open-db.ts';
import { takeLock } from '../lock.ts';
import { notWritable, notWritableFrom, notWritableOrThrow } from '../not-writable.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import { createDiskReserve, type DiskReserve } from '../safety/disk-reserve.ts';
import { findForeignWal, setWorkspaceUuid } from '../safety/foreign-wal.ts';
import { migrate, missingTable, type SchemaState, schemaState } from '../schema/migrate.ts';
import { addNewFields } from '../schema/tables.ts';
import type { NotWritable } from '../types.ts';
import type { WorkerSetup } from './thread-calls.ts';

export type OpenedFile = ReturnType<typeof opened>;

/** Up to this size a quick check takes about 50 ms and always runs; above it only after an unclean end. */
const CHECKED_ALWAYS_BYTES = 64 * 2 ** 20;

/** Set while a writer has the file open. If it is set at the next start, the last end was not clean. */
const OPEN_KEY = 'open';

/**
 * Opens the database for writing:
 *
 *   lock -> check type -> damaged, foreign or newer: refuse -> unclean end: quick check -> older: copy, migrate -> open
 */
export async function openFile(setup: WorkerSetup, nowMs: number): Promise<Result<OpenedFile, NotWritable>> {
  const opened = await tryToOpen(setup, nowMs);
  // On a full disk opening needs a little space, which the reserve provides.
  const isWorthAgain = !opened.ok && opened.error.data.why === 'disk-full' && createDiskReserve(setup.file).release();
  return isWorthAgain ? tryToOpen(setup, nowMs) : opened;
}

async function tryToOpen(setup: WorkerSetup, nowMs: number): Promise<Result<OpenedFile, NotWritable>> {
  const { file } = setup;
  const refused = refuseOddFile(file, setup.mustExist);
  if (refused !== null) return err(refused);
  let db: OpenDb | null = null;
  let release: (() => void) | null = null;
  try {
    const lock = takeLock(file, nowMs);
    if (!lock.ok) return lock;
    release = lock.value.release;
    const stray = findForeignWal(file);
    if (stray !== null) {
      release();
      return err(stray);
    }
    const state = stateOf(file);
    const odd = refuseState(state, setup);
    if (odd !== null) {
      release();
      return err(odd);
    }
    db = openDb(file);
    const problem = await prepare(db, state, file, nowMs);
    if (problem !== null) {
      db.close();
      release();
      return err(problem);
    }
    return ok(opened(db, file, release));
  } catch (error) {
    db?.close();
    release?.();
    return err(notWritableOrThrow(error));
  }
}

function opened(db: OpenDb, file: string, release: () => void) {
  const reserve = createDiskReserve(file);
  const tidy = (): void => {
    writeMeta(db, OPEN_KEY, '0');
    db.get('PRAGMA wal_checkpoint(TRUNCATE)');
  };
  return {
    db,
    inode: statSync(file).ino,
    reserve,
    /** Moves everything into the database file, records the clean end and releases the lock. */
    close: () => {
      try {
        withReserve(tidy, reserve);
      } finally {
        db.close();
        release();
      }
    },
  };
}

/**
 * Runs `work`, and once more with the reserved space if the disk is full. If that is not enough, the log stays beside
 * the database with all data, and the next start checks the file.
 */
function withReserve(work: () => void, reserve: DiskReserve): void {
  const isDone = (): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      if (notWritableFrom(error)?.data.why !== 'disk-full') throw error;
      return false;
    }
  };
  if (!isDone() && reserve.releaseRest()) isDone();
}

/** Refuses anything but a regular file, and a file that lost its content while its log still exists. */
function refuseOddFile(file: string, mustExist: boolean): NotWritable | null {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (mustExist && (found?.size ?? 0) === 0) {
    const detail = `${file} is ${found === undefined ? 'gone' : 'empty'}, but the account has a workspace`;
    return notWritable('damaged', detail);
  }
  if (found === undefined) return null;
  if (!found.isFile()) return notWritable('damaged', `${file} is not a regular file`);
  if (found.size === 0 && hasLog(file)) return notWritable('damaged', `${file} is empty, but its log is not`);
  return null;
}

const stateOf = (file: string): SchemaState => (existsSync(file) ? readUnopened(file, schemaState) : { kind: 'empty' });

function refuseState(state: SchemaState, { file, viewing }: WorkerSetup): NotWritable | null {
  if (state.kind === 'foreign') return notWritable('damaged', `${file} is not a workspace`);
  if (state.kind !== 'newer' || viewing) return null;
  const detail = `made by a newer Adslate (schema ${state.version}, this one knows ${state.known})`;
  return notWritable('newer-schema', detail);
}

const hasMeta = (db: OpenDb): boolean => numberOf(db, `SELECT count(*) FROM sqlite_schema WHERE name = 'meta'`) === 1;

const fileBytes = (db: OpenDb): number =>
  numberOf(db, 'SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()');

async function prepare(db: OpenDb, state: SchemaState, file: string, nowMs: number): Promise<NotWritable | null> {
  if (state.kind !== 'empty' && hasMeta(db)) {
    const isDue = readMeta(db, OPEN_KEY) === '1' || fileBytes(db) <= CHECKED_ALWAYS_BYTES;
    const problem = isDue ? asText(db.get('PRAGMA quick_check(1)')?.[0]) : 'ok';
    if (problem !== 'ok') return notWritable('damaged', problem);
  }
  if (state.kind === 'older') {
    const folder = join(dirname(file), 'backups');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `before-schema-${state.version + 1}-${new Date(nowMs).toISOString().replace(/[:.]/gu, '-')}.adslate-backup`;
    const copied = await backUpOpenDb(db, join(folder, name));
    if (!copied.ok) return copied.error;
  }
  migrate(db);
  const missing = missingTable(db);
  if (missing !== null) return notWritable('damaged', `the table ${missing} is missing`);
  addNewFields(db);
  setWorkspaceUuid(db);
  writeMeta(db, OPEN_KEY, '1');
  return null;
}
