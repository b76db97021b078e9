import { existsSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BACKUP_REASONS } from '../../shared/api/backups.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { fsyncDirectory, makeFolders, nullIfNotFound } from '../app/atomic-write.ts';
import { integrityProblem } from '../store/backup.ts';
import { fileAtRest } from '../store/db/open-db.ts';
import { takeLock } from '../store/lock.ts';
import { notWritable, notWritableFrom } from '../store/not-writable.ts';
import { APPLICATION_ID } from '../store/schema/migrate.ts';
import type { NotWritable } from '../store/types.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * Backups of one workspace, each a file named by reason and time. A file gets its name only after it was read back, so
 * every file in the folder is a verified backup.
 */
const SUFFIX = '.adslate-backup';

export interface MadeBackup extends StoredBackup {
  readonly file: string;
}

export const backupsFolder = (workspaceFolder: string): string => join(workspaceFolder, 'backups');

/**
 * Makes a backup, then deletes the older ones that the retention rules no longer keep.
 *
 * @param spared path of a backup that is not deleted, because it is about to be restored
 */
export async function backUpInto(
  folder: string,
  workspace: Workspace,
  reason: BackupReason,
  nowMs: number,
  spared: string | null = null,
): Promise<Result<MadeBackup, NotWritable>> {
  try {
    await makeFolders(folder);
    const { id, file, done } = await underFreeName(
      folder,
      `${reason}-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}`,
      (path) => workspace.backup(path),
    );
    if (!done.ok) return done;
    // A backup made in the meantime may have caused this one to be deleted; it was still made.
    const bytes = (await stat(file).catch(nullIfNotFound))?.size ?? 0;
    for (const gone of backupsToDelete(await listBackups(folder), nowMs)) {
      const path = join(folder, gone.id + SUFFIX);
      if (path !== spared) await rm(path, { force: true });
    }
    return ok({ id, reason, at: nowMs, bytes, file });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err(notWritableFrom(error) ?? notWritable('read-only', error.message));
  }
}

/** Newest first. Other files are ignored. */
export async function listBackups(folder: string): Promise<readonly StoredBackup[]> {
  const names = (await readdir(folder).catch(nullIfNotFound)) ?? [];
  const found = await Promise.all(names.filter((name) => name.endsWith(SUFFIX)).map((name) => described(folder, name)));
  return found.filter((backup) => backup !== null).toSorted((a, b) => b.at - a.at);
}

/** The path of a listed backup; null for any other ID. */
export async function backupFile(folder: string, id: string): Promise<string | null> {
  const known = (await listBackups(folder)).find((backup) => backup.id === id);
  return known === undefined ? null : join(folder, known.id + SUFFIX);
}

async function described(folder: string, name: string): Promise<StoredBackup | null> {
  const id = name.slice(0, -SUFFIX.length);
  const reason = BACKUP_REASONS.find((each) => id.startsWith(`${each}-`));
  const time = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(?:-\d+)?$/.exec(id);
  if (reason === undefined || time === null) return null;
  const [, day, hour, minute, second, milli] = time;
  // It was deleted since the folder was read.
  const found = await stat(join(folder, name)).catch(nullIfNotFound);
  if (found === null) return null;
  return { id, reason, at: Date.parse(`${day}T${hour}:${minute}:${second}.${milli}Z`), bytes: found.size };
}

/** Names of backups that are being made: none of them is in its folder yet. */
const arriving = new Set<string>();

/** Gives each backup a free name, also when two are made within one millisecond. */
async function underFreeName<T>(folder: string, wanted: string, make: (file: string) => Promise<T>) {
  const pathOf = (name: string): string => join(folder, name + SUFFIX);
  let id = wanted;
  // Checked and reserved without an await in between, so that no other backup gets the same name.
  for (let count = 2; arriving.has(pathOf(id)) || existsSync(pathOf(id)); count += 1) id = `${wanted}-${count}`;
  const file = pathOf(id);
  arriving.add(file);
  try {
    return { id, file, done: await make(file) };
  } finally {
    arriving.delete(file);
  }
}

/**
 * Which backups of a workspace can be deleted. Pure, so that the rules can be tested with any history of backups.
 *
 *   by hand        never deleted automatically
 *   timed          all of the last 7 days; of older days the last one, for a year
 *   before ...     the newest five of each reason
 *
 * Above the quota the oldest are deleted first, whatever their reason but "by hand". The newest backup always stays.
 */
export type BackupReason = (typeof BACKUP_REASONS)[number];

export interface StoredBackup {
  readonly id: string;
  readonly reason: BackupReason;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
const DAYS_WHOLE = 7;
const DAYS_DAILY = 365;
const KEPT_OF_A_REASON = 5;
const QUOTA_BYTES = 2 * 2 ** 30;

/** @param backups in any order */
export function backupsToDelete(
  backups: readonly StoredBackup[],
  nowMs: number,
  quotaBytes = QUOTA_BYTES,
): readonly StoredBackup[] {
  const newestFirst = backups.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const [newest, ...others] = newestFirst;
  if (newest === undefined) return [];
  const seen = new Map<string, number>(newest.reason === 'by-hand' ? [] : [[placeOf(newest, nowMs), 1]]);
  let bytes = newest.bytes;
  const going: StoredBackup[] = [];
  for (const backup of others) {
    const isKept = backup.reason === 'by-hand' || (hasRoom(backup, seen, nowMs) && bytes + backup.bytes <= quotaBytes);
    if (isKept) bytes += backup.bytes;
    else going.push(backup);
  }
  return going;
}

function hasRoom(backup: StoredBackup, seen: Map<string, number>, nowMs: number): boolean {
  const place = placeOf(backup, nowMs);
  const count = (seen.get(place) ?? 0) + 1;
  seen.set(place, count);
  if (backup.reason !== 'timed') return count <= KEPT_OF_A_REASON;
  const age = nowMs - backup.at;
  if (age <= DAYS_WHOLE * DAY_MS) return true;
  return age <= DAYS_DAILY * DAY_MS && count === 1;
}

/** The group in which a backup is counted: its reason, or for timed ones the day (UTC). */
function placeOf(backup: StoredBackup, nowMs: number): string {
  if (backup.reason !== 'timed') return backup.reason;
  const isYoung = nowMs - backup.at <= DAYS_WHOLE * DAY_MS;
  return isYoung ? `young ${backup.id}` : new Date(backup.at).toISOString().slice(0, 10);
}

/**
 * Replaces a closed workspace by a backup. The old files are moved to quarantine, never deleted. The side journal
 * stays: at the next start the sync reads from it what was sent after the backup, so that nothing is sent twice.
 *
 *   check the backup ──> take the lock ──> move database, WAL and SHM to quarantine/<time>/ ──> copy ──> release
 */
type RestoreProblem = NotWritable | { readonly kind: 'no-backup'; readonly detail: string };

export async function restoreWorkspace(
  file: string,
  backup: string,
  nowMs: number,
): Promise<Result<{ readonly setAside: string }, RestoreProblem>> {
  const problem = backupProblem(backup);
  if (problem !== null) return err({ kind: 'no-backup', detail: problem });
  await makeFolders(dirname(dirname(file)), dirname(file));
  const lock = takeLock(file, nowMs);
  if (!lock.ok) return lock;
  const arriving = `${file}.restoring`;
  try {
    // Copied first, so that a full disk is detected before anything is moved.
    await copyFile(backup, arriving);
    // A copy has the mode of its original, and the backup may be read-only.
    await chmod(arriving, 0o600);
    await flushFile(arriving);
    const aside = await moveToQuarantine(file, nowMs);
    await rename(arriving, file);
    await fsyncDirectory(dirname(file));
    return ok({ setAside: aside });
  } finally {
    await rm(arriving, { force: true });
    lock.value.release();
  }
}

/** Why a file can't replace the workspace, or null. */
export function backupProblem(backup: string): string | null {
  try {
    // Reading a named pipe would block until another process writes to it.
    if (!statSync(backup).isFile()) return 'it is not a file';
    const file = fileAtRest(backup);
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
      if (id !== APPLICATION_ID) return 'it is not an Adslate account file';
    } finally {
      database.close();
    }
    return integrityProblem(file);
  } catch (error) {
    // The message of SQLite names the problem: missing, no database, damaged.
    return error instanceof Error ? error.message : 'it cannot be read';
  }
}

async function flushFile(path: string): Promise<void> {
  // Windows flushes only files that are open for writing.
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Moves a database with its log into `quarantine/<time>/` beside it. The files are never deleted or opened for writing
 * again, because a better tool may read them one day. The caller holds the lock.
 *
 * @returns the folder in which the files are now
 */
export async function moveToQuarantine(file: string, nowMs: number): Promise<string> {
  const stamp = new Date(nowMs).toISOString().replace(/[:.]/g, '-');
  const parent = join(dirname(file), 'quarantine');
  await makeFolders(parent);
  const folder = await newFolder(parent, stamp);
  // The log goes first: a database without its log loses edits, a log without its database loses nothing.
  for (const suffix of ['-wal', '-shm', '']) await moveIfThere(file + suffix, join(folder, basename(file) + suffix));
  await rm(`${file}-journal`, { force: true });
  return folder;
}

/** Two within one millisecond get two folders. */
async function newFolder(parent: string, stamp: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const folder = join(parent, count === 1 ? stamp : `${stamp}-${count}`);
    try {
      await mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch(nullIfNotFound);
}
