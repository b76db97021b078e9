import { mkdirSync, statSync } from 'node:fs';
import type { Failure } from '../../shared/api/operation.ts';
import { diskWords } from './system.ts';

/**
 * The data folder, watched while the program runs:
 *
 *   missing --make()--> present --removed, moved, replaced--> problem reported at every call
 *                          ^------------ restored -----------------'
 *
 * It is created once per start: a folder that was removed later is not replaced by an empty one, in which the user's
 * accounts would seem lost.
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
  const problem = (): Failure<'NOT_WRITABLE'> | null => {
    const now = inodeOrNull(path);
    known ??= now;
    if (now === known) return null;
    const detail = now === null ? 'the data folder is gone' : 'another folder replaced the data folder';
    return { code: 'NOT_WRITABLE', data: { why: 'folder-moved', detail } };
  };
  return {
    /** Why the data folder can't be used, or null. Cheap enough for every call. */
    problem,
    /** Creates the folder at a first start. */
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
 * @throws BadDataFolder when the folder can't be created, or the disk's own error
 */
export function makeDataFolder(path: string): void {
  if (inodeOf(path) !== null) return;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw badFolder(path, error);
  }
}

/** The inode of the folder; null when it does not exist. */
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

/** Like `inodeOf`, while the program runs: a folder that can't be read counts as missing. */
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
