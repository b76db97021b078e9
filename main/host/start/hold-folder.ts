import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../shared/result.ts';
import { takeLock } from '../../workspace/lock.ts';

/** Exit code of a start on a data folder that another window holds. */
export const FOLDER_HELD = 5;

/** Keeps a second window off the data folder for as long as this process lives. */
export interface HeldFolder {
  release(): void;
}

/**
 * @param nowMs written down beside the lock, so that whoever comes second can be told since when it is held
 * @returns a sentence for the user when another process holds the folder
 */
export function holdFolder(dataDir: string, nowMs: number): Result<HeldFolder, { readonly message: string }> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const taken = takeLock(join(dataDir, 'window'), nowMs);
  if (taken.ok) {
    // Bytes that a page handed to a run that was killed; the next run has no use for them.
    rmSync(join(dataDir, 'spool'), { recursive: true, force: true });
    return ok(taken.value);
  }
  return err({
    message: `Adslate is already running on ${dataDir}: ${taken.error.detail}. Use that window, close it first, or start with --data and another folder.`,
  });
}
