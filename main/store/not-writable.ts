import { basename } from 'node:path';
import { diskWords } from '../app/system.ts';
import type { NotWritable } from './types.ts';

/** SQLite's primary result codes that mean the workspace cannot be written just now (sqlite.org/rescode.html). */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** In a team this computer has no numbers left for new rows, and gets more when it connects. */
export class NoRowNumbers extends Error {
  constructor() {
    super('no numbers for new rows are left');
  }
}

/** The failure as a value when it is one of the file's, or null when it is a defect of ours. */
export function notWritableFrom(error: unknown): NotWritable | null {
  if (error instanceof NoRowNumbers) return { kind: 'not-writable', why: 'no-row-numbers', detail: error.message };
  const code = sqliteCode(error);
  const why = isOutOfRoom(error) ? 'disk-full' : code === null ? diskFault(error) : WHY[code];
  if (why === undefined || why === null) return null;
  return { kind: 'not-writable', why, detail: diskDetail(error) };
}

/** Which file it is about and what the disk says of it, without the path; of SQLite its own words. */
function diskDetail(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const words = diskWords(error);
  if (words === null || !('path' in error) || typeof error.path !== 'string') return error.message;
  return `${basename(error.path).replace(UNDER_WAY, '')}: ${words}`;
}

/** What a file is called until it is whole. */
const UNDER_WAY = /(\.[0-9a-f]{8,})?\.(part|tmp)$/u;

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

const WHY: Readonly<Record<number, NotWritable['why']>> = {
  [BUSY]: 'busy-elsewhere',
  [LOCKED]: 'busy-elsewhere',
  [READ_ONLY]: 'read-only',
  [IO_ERROR]: 'damaged',
  [CORRUPT]: 'damaged',
  [FULL]: 'disk-full',
  [CANNOT_OPEN]: 'read-only',
  [NOT_A_DATABASE]: 'damaged',
};

/** The index of the log finds no room: SQLite calls it an error of reading and writing. */
const NO_ROOM_FOR_INDEX = 4874;
const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === NO_ROOM_FOR_INDEX;

/** The primary code: node:sqlite hands out extended ones, whose low byte it is. */
function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

function diskFault(error: unknown): NotWritable['why'] | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return 'disk-full';
  return NO_PLACE.has(String(error.code)) ? 'read-only' : null;
}

/** No right to write, and a file of another name in the place of a folder: nothing can be put there. */
const NO_PLACE: ReadonlySet<string> = new Set(['EACCES', 'EROFS', 'EPERM', 'EEXIST', 'ENOTDIR']);
