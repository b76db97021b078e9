import { basename } from 'node:path';
import { diskWords } from '../app/system.ts';
import type { NotWritable } from './types.ts';

/** SQLite's primary result codes that mean that the workspace can't be written now (sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Thrown if this computer of a team has no IDs left for new rows; it gets more when it connects. */
export class NoRowNumbers extends Error {
  constructor() {
    super('no numbers for new rows are left');
  }
}

export const notWritable = (why: NotWritable['data']['why'], detail: string): NotWritable => ({
  code: 'NOT_WRITABLE',
  data: { why, detail },
});

/** The failure as a value if it is one of the file system or SQLite; null for a defect of Adslate. */
export function notWritableFrom(error: unknown): NotWritable | null {
  if (error instanceof NoRowNumbers) return notWritable('no-row-numbers', error.message);
  const code = sqliteCode(error);
  const why = isOutOfRoom(error) ? 'disk-full' : code === null ? diskFault(error) : WHY[code];
  if (why === undefined || why === null) return null;
  return notWritable(why, diskDetail(error));
}

/** @throws the error itself if it is a defect of Adslate */
export function notWritableOrThrow(error: unknown): NotWritable {
  const problem = notWritableFrom(error);
  if (problem === null) throw error;
  return problem;
}

/** The file name and the system's error text, without the path; for SQLite its own message. */
function diskDetail(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const words = diskWords(error);
  if (words === null || !('path' in error) || typeof error.path !== 'string') return error.message;
  return `${basename(error.path).replace(UNDER_WAY, '')}: ${words}`;
}

/** Suffixes of temporary files. */
const UNDER_WAY = /(\.[0-9a-f]{8,})?\.(part|tmp)$/u;

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

const WHY: Readonly<Record<number, NotWritable['data']['why']>> = {
  [BUSY]: 'busy-elsewhere',
  [LOCKED]: 'busy-elsewhere',
  [READ_ONLY]: 'read-only',
  [IO_ERROR]: 'damaged',
  [CORRUPT]: 'damaged',
  [FULL]: 'disk-full',
  [CANNOT_OPEN]: 'read-only',
  [NOT_A_DATABASE]: 'damaged',
};

/** SQLite reports a full disk for the index of the log as an I/O error. */
const NO_ROOM_FOR_INDEX = 4874;
const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === NO_ROOM_FOR_INDEX;

/** The primary code: node:sqlite returns extended codes, whose low byte it is. */
function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

function diskFault(error: unknown): NotWritable['data']['why'] | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return 'disk-full';
  return NO_PLACE.has(String(error.code)) ? 'read-only' : null;
}

/** No write permission, or a file in the place of a folder: nothing can be created there. */
const NO_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EROFS', 'EPERM', 'EEXIST', 'ENOTDIR']);
