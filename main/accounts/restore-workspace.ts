import { statSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/result.ts';
import { fsyncDirectory, makeFolders } from '../app/atomic-write.ts';
import { integrityProblem } from '../store/backup.ts';
import { takeLock } from '../store/lock.ts';
import { moveToQuarantine } from '../store/safety/quarantine.ts';
import { APPLICATION_ID } from '../store/schema/migrate.ts';
import type { NotWritable } from '../store/types.ts';

/**
 * Puts a backup in the place of a workspace that nobody has open. What was there is moved aside, never deleted. The
 * side journal stays: at the next start the sync learns from it what was sent after the backup, so that nothing is
 * sent a second time.
 *
 *   check the backup ──> take the lock ──> move database, WAL and SHM to quarantine/<time>/ ──> copy ──> release
 */
export type RestoreProblem = NotWritable | { readonly kind: 'not-a-backup'; readonly detail: string };

export async function restoreWorkspace(
  file: string,
  backup: string,
  nowMs: number,
): Promise<Result<{ readonly setAside: string }, RestoreProblem>> {
  const problem = backupProblem(backup);
  if (problem !== null) return err({ kind: 'not-a-backup', detail: problem });
  await makeFolders(dirname(dirname(file)), dirname(file));
  const lock = takeLock(file, nowMs);
  if (!lock.ok) return lock;
  const arriving = `${file}.restoring`;
  try {
    // Copied first: a disk that is full is found out before anything is moved.
    await copyFile(backup, arriving);
    // A copy has the rights of its original, and a backup may have been put away as a file that only can be read.
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

/** What keeps a file from being put in the place of a workspace, or null. */
export function backupProblem(backup: string): string | null {
  try {
    // A named pipe would be waited for until somebody writes to it.
    if (!statSync(backup).isFile()) return 'it is not a file';
    const database = new DatabaseSync(backup, { readOnly: true });
    try {
      const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
      if (id !== APPLICATION_ID) return 'it is no workspace of Adslate';
    } finally {
      database.close();
    }
    return integrityProblem(backup);
  } catch (error) {
    // SQLite says in words what is wrong with the file: missing, no database, damaged.
    return error instanceof Error ? error.message : 'it cannot be read';
  }
}

async function flushFile(path: string): Promise<void> {
  // Windows flushes only what is open for writing.
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
