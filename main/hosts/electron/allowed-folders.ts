import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Log } from '../../app/log.ts';
import { createUiStateFile } from './ui-state-file.ts';

/**
 * Folders that windows may take files from. A preload reads the path of a file off the drop or the pick, so a page cannot
 * make one up; a page whose process was taken over can say any. So main asks once for each folder, outside every window, and
 * remembers it. What lies below a folder is another one: a file in the home folder does not open what is hidden there.
 *
 *   path --its folder is known--> taken
 *     +----asked: --"take it"--> remembered, taken
 *                 +--"do not"--> refused, and for a minute without another question
 */
export interface AllowedFolders {
  /** @returns whether the file at the path may be taken; files of one folder that come together are asked about once */
  mayTake(path: string): Promise<boolean>;
}

export interface FolderPorts {
  readonly dataDir: string;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Asks the user whether files of this folder may be taken. */
  readonly ask: (path: string) => Promise<boolean>;
}

const KEPT = 200;
const QUIET_MS = 60_000;
const Folders = z.array(z.string().min(1).max(32_767)).max(KEPT);

export function createAllowedFolders({ dataDir, log, nowMs, ask }: FolderPorts): AllowedFolders {
  const file = createUiStateFile(dataDir, 'folders.json', Folders, log);
  const known = new Set(file.read() ?? []);
  const refusedAt = new Map<string, number>();
  const asking = new Map<string, Promise<boolean>>();

  const askAbout = async (folder: string, path: string): Promise<boolean> => {
    const isWanted = await ask(path);
    if (isWanted) {
      known.add(folder);
      file.write([...known].slice(-KEPT));
    } else refusedAt.set(folder, nowMs());
    return isWanted;
  };

  return {
    mayTake: async (path) => {
      const real = await realOrNull(path);
      // What is not there is refused by the grant, in its own words.
      if (real === null) return true;
      const folder = dirname(real);
      if (known.has(folder)) return true;
      const before = refusedAt.get(folder);
      if (before !== undefined && nowMs() - before < QUIET_MS) return false;
      const question = asking.get(folder) ?? askAbout(folder, real).finally(() => asking.delete(folder));
      asking.set(folder, question);
      return question;
    },
  };
}

async function realOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
