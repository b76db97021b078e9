import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './system.ts';

/**
 * Writes a file so that a crash at any moment leaves the old content or the new one, never half of either: another
 * name, flushed, renamed, folder flushed.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const arriving = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const handle = await open(arriving, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(arriving, path);
  } catch (error) {
    await rm(arriving, { force: true });
    throw error;
  }
  await fsyncDirectory(dirname(path));
}

/** Flushes the names in a folder, so that a file renamed into it is found after a power cut. */
export async function fsyncDirectory(folder: string): Promise<void> {
  // Windows cannot flush a folder; there the rename itself is journalled.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates folders, the outer ones first. Their parent must exist, so that a removed data folder is not created again. */
export async function makeFolders(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      // An existing folder is a success, whatever error a read-only disk reports first.
      const found = await stat(folder).catch(() => null);
      if (found?.isDirectory() !== true) throw error;
    }
  }
}

/**
 * For `.catch` of a file operation: a missing file gives null.
 *
 * @throws the failure it was given unless that is ENOENT
 */
export function nullIfNotFound(failure: unknown): null {
  if (errorCode(failure) === 'ENOENT') return null;
  throw failure;
}
