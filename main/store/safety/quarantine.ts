import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolders, nullIfNotFound } from '../../app/atomic-write.ts';

/**
 * Moves a database with its log aside, into `quarantine/<time>/` beside it. Nothing of it is deleted or ever opened
 * for writing again, because what cannot be read today may be readable by a better tool tomorrow. The caller holds
 * the lock.
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
