import { mkdirSync, statSync } from 'node:fs';
import type { NotWritable } from '../store/types.ts';
import { diskWords } from './system.ts';

/**
 * The folder in which everything lives, watched while the program runs:
 *
 *   not there yet --make()--> there --removed, moved, exchanged--> told at every call
 *                               ^-------- restored -----------------'
 *
 * It is made once and never again: a folder that was taken away is not replaced by an empty one in which the user's
 * accounts seem to be lost.
 */
export type DataFolder = ReturnType<typeof watchDataFolder>;

/** A data folder that can't be used. It is reported at the start; the user must choose another one. */
export class BadDataFolder extends Error {
  constructor(path: string, why: string) {
    super(`The data folder ${path} cannot be used: ${why}. Choose another folder with --data.`);
    this.name = 'BadDataFolder';
  }
}

/** @throws BadDataFolder */
export function watchDataFolder(path: string) {
  let known = inodeOf(path);
  const problem = (): NotWritable | null => {
    const now = inodeOrNull(path);
    known ??= now;
    if (now === known) return null;
    const detail = now === null ? 'the data folder is gone' : 'another folder replaced the data folder';
    return { kind: 'not-writable', why: 'folder-moved', detail };
  };
  return {
    /** Why nothing below can be reached, or null. Cheap enough to be asked before every call. */
    problem,
    /** Makes the folder of a first start. */
    make: () => {
      if (known !== null) return;
      makeDataFolder(path);
      known = inodeOf(path);
    },
  };
}

/**
 * Creates the data folder and its parents. Called only at a start.
 *
 * @throws BadDataFolder when there can be none; what else the disk says goes on
 */
export function makeDataFolder(path: string): void {
  if (inodeOf(path) !== null) return;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw badFolder(path, error);
  }
}

/** The number of the folder on its disk; null when there is none yet. */
function inodeOf(path: string): bigint | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isDirectory()) return found.ino;
  } catch (error) {
    throw badFolder(path, error);
  }
  throw new BadDataFolder(path, 'it is a file, and not a folder');
}

/** The same while the program runs: what cannot be looked at counts as gone. */
function inodeOrNull(path: string): bigint | null {
  try {
    return inodeOf(path);
  } catch (error) {
    if (error instanceof BadDataFolder) return null;
    throw error;
  }
}

function badFolder(path: string, error: unknown): Error {
  const why = diskWords(error);
  if (why === null) throw error;
  return new BadDataFolder(path.length > 200 ? `${path.slice(0, 200)}…` : path, why);
}
