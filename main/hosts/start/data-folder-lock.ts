import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import { makeDataFolder } from '../../app/data-folder.ts';
import { takeLock } from '../../store/lock.ts';
import { notWritableFrom } from '../../store/not-writable.ts';
import type { NotWritable } from '../../store/types.ts';

/** Exit code of a start on a data folder that another window holds. */
export const EXIT_FOLDER_LOCKED = 5;

/** Keeps a second window off the data folder for as long as this process lives. */
export interface DataFolderLock {
  release(): void;
}

/**
 * @param nowMs written down beside the lock, so that whoever comes second can be told since when it is held
 * @returns a sentence for the user when another process holds the folder
 */
export function lockDataFolder(dataDir: string, nowMs: number): Result<DataFolderLock, { readonly message: string }> {
  makeDataFolder(dataDir);
  const taken = lockOf(dataDir, nowMs);
  // Nobody can keep others off a folder that cannot be written, and nobody needs to: it is looked at.
  if (taken === null) return ok({ release: () => undefined });
  if (taken.ok) {
    // Bytes that a page handed to a run that was killed, and files it was to save; the next run has no use for them.
    for (const left of ['spool', 'exports']) clear(join(dataDir, left));
    return ok(taken.value);
  }
  return err({
    message: `Adslate is already running on ${dataDir}: ${taken.error.detail}. Use that window, close it first, or start with --data and another folder.`,
  });
}

/** The lock or who has it; null where the disk lets nobody take it. */
function lockOf(dataDir: string, nowMs: number): Result<DataFolderLock, NotWritable> | null {
  try {
    return takeLock(join(dataDir, 'window'), nowMs);
  } catch (error) {
    if (notWritableFrom(error) === null) throw error;
    return null;
  }
}

function clear(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (notWritableFrom(error) === null) throw error;
  }
}
