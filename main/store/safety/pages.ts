import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { nullIfNotFound } from '../../app/atomic-write.ts';

/**
 * Reads the pages of an SQLite file by the published format (sqlite.org/fileformat2.html), where SQLite itself refuses:
 * it opens no file that is shorter than its header says, and nothing without that header. What the log beside it holds
 * of committed pages counts as in SQLite. Nothing is written, and nothing read here is believed to be sound.
 */
export interface Pages {
  /** The highest page that the header, the log or the length of the file speak of. */
  readonly count: number;
  /** Bytes that the header says there are and that are neither in the file nor in the log. */
  readonly missingBytes: number;
  /** A page, as far as it is there: bytes beyond the end of the file are missing. Null when none are there. */
  read(page: number): Buffer | null;
  close(): void;
}

/** The size of every page of every workspace. */
export const PAGE_BYTES = 4096;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const STATED_AT = 28;

/** @param withLog false when the log beside the file belongs to another one */
export function openPages(file: string, withLog: boolean): Pages {
  const database = openSync(file, 'r');
  try {
    const log = withLog ? openIfThere(`${file}-wal`) : null;
    const frames = log === null ? { places: new Map<number, number>(), pages: 0 } : committedFrames(log);
    const length = fstatSync(database).size;
    const read = (page: number): Buffer | null => {
      const place = frames.places.get(page);
      if (place !== undefined && log !== null) return readAt(log, place);
      const found = readAt(database, (page - 1) * PAGE_BYTES);
      return found.length === 0 ? null : found;
    };
    const inFile = Math.ceil(length / PAGE_BYTES);
    const header = read(1);
    const isHeader = header?.toString('latin1', 0, 15) === 'SQLite format 3';
    const stated = frames.pages > 0 ? frames.pages : isHeader ? header.readUInt32BE(STATED_AT) : 0;
    let missing = 0;
    for (let page = Math.floor(length / PAGE_BYTES) + 1; page <= stated; page += 1) {
      if (!frames.places.has(page)) missing += PAGE_BYTES - (page === inFile ? length % PAGE_BYTES : 0);
    }
    return {
      // A header that is damaged may say anything.
      count: Math.max(inFile, ...frames.places.keys()),
      missingBytes: missing,
      read,
      close: () => {
        if (log !== null) closeSync(log);
        closeSync(database);
      },
    };
  } catch (error) {
    closeSync(database);
    throw error;
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    return nullIfNotFound(error);
  }
}

function readAt(handle: number, at: number, bytes = PAGE_BYTES): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(handle, buffer, 0, bytes, at));
}

/** Where the newest committed state of each page lies in the log, and how many pages the file has by it. */
function committedFrames(log: number): { readonly places: ReadonlyMap<number, number>; readonly pages: number } {
  const places = new Map<number, number>();
  const header = readAt(log, 0, LOG_HEADER);
  if (header.length < LOG_HEADER || header.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1) return { places, pages: 0 };
  if (header.readUInt32BE(8) !== PAGE_BYTES) return { places, pages: 0 };
  const isBig = (header.readUInt32BE(0) & 1) === 1;
  let sum = checksum([0, 0], header.subarray(0, 24), isBig);
  let pages = 0;
  const waiting = new Map<number, number>();
  for (let at = LOG_HEADER; ; at += FRAME_HEADER + PAGE_BYTES) {
    const frame = readAt(log, at, FRAME_HEADER + PAGE_BYTES);
    // Frames of before the log began again have other salts; a torn one has another sum.
    if (frame.length < FRAME_HEADER + PAGE_BYTES || !frame.subarray(8, 16).equals(header.subarray(16, 24))) break;
    sum = checksum(checksum(sum, frame.subarray(0, 8), isBig), frame.subarray(FRAME_HEADER), isBig);
    if (frame.readUInt32BE(16) !== sum[0] || frame.readUInt32BE(20) !== sum[1]) break;
    waiting.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    const committed = frame.readUInt32BE(4);
    if (committed === 0) continue;
    pages = committed;
    for (const [page, place] of waiting) places.set(page, place);
    waiting.clear();
  }
  return { places, pages };
}

type Sum = readonly [number, number];

function checksum([first, second]: Sum, bytes: Buffer, isBig: boolean): Sum {
  const word = (at: number): number => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return [a, b];
}
