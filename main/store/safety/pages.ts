import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { nullIfNotFound } from '../../app/atomic-write.ts';
import type { DbRow, DbValue } from '../db/db.ts';

/**
 * Reads the pages of an SQLite file by the published format (sqlite.org/fileformat2.html), for files that SQLite
 * refuses: those shorter than their header says, and those without a header. Committed pages in the log beside the file
 * are used as in SQLite. Nothing is written, and nothing read is trusted.
 */
export interface Pages {
  /** The highest page number according to the header, the log and the file length. */
  readonly count: number;
  /** Bytes that the header says exist and that are neither in the file nor in the log; null if it claims absurdly many. */
  readonly missingBytes: number | null;
  /** The available bytes of a page: those beyond the end of the file are missing. Null if there are none. */
  read(page: number): Buffer | null;
  close(): void;
}

/** The page size of every workspace. */
const PAGE_BYTES = 4096;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const STATED_AT = 28;
/** A header that claims more pages than this for each page that is there is damaged itself. */
const CLAIMED_MAX = 100;

/** @param withLog false if the log beside the file belongs to another database */
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
    const header = read(1);
    const isHeader = header?.toString('latin1', 0, 15) === 'SQLite format 3';
    const stated = frames.pages > 0 ? frames.pages : isHeader ? header.readUInt32BE(STATED_AT) : 0;
    // A damaged header may have any value, such as billions of pages, so they are not visited one by one.
    let missing = Math.max(0, stated * PAGE_BYTES - length);
    let count = Math.ceil(length / PAGE_BYTES);
    const isClaimed = frames.pages > 0 || stated <= CLAIMED_MAX * count;
    const cut = length % PAGE_BYTES === 0 ? 0 : count;
    for (const page of frames.places.keys()) {
      count = Math.max(count, page);
      if (page <= stated && page * PAGE_BYTES > length)
        missing -= PAGE_BYTES - (page === cut ? length % PAGE_BYTES : 0);
    }
    return {
      count,
      missingBytes: isClaimed ? missing : null,
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

/** Unused pages, as far as their list can be read. */
export function freePages(pages: Pages): ReadonlySet<number> {
  const free = new Set<number>();
  const header = pages.read(1);
  let trunk = header !== null && header.length >= 36 ? header.readUInt32BE(32) : 0;
  while (trunk !== 0 && !free.has(trunk)) {
    free.add(trunk);
    const bytes = pages.read(trunk);
    if (bytes === null || bytes.length < PAGE_BYTES) break;
    const leaves = Math.min(bytes.readUInt32BE(4), PAGE_BYTES / 4 - 2);
    for (let leaf = 0; leaf < leaves; leaf += 1) free.add(bytes.readUInt32BE(8 + 4 * leaf));
    trunk = bytes.readUInt32BE(0);
  }
  return free;
}

/** A row as stored in a leaf. `rowid` is null in a table without one. */
export interface StoredRow {
  readonly rowid: number | null;
  readonly values: DbRow;
}

/** One page of a b-tree: its rows, the pages below it, and the number of unreadable cells. */
export interface TreePage {
  readonly is: 'table-leaf' | 'table-interior' | 'index-leaf' | 'index-interior';
  readonly rows: readonly StoredRow[];
  readonly below: readonly number[];
  readonly lostCells: number;
}

const KINDS: Readonly<Record<number, TreePage['is']>> = {
  2: 'index-interior',
  5: 'table-interior',
  10: 'index-leaf',
  13: 'table-leaf',
};
/** Page 1 starts with the file header. */
const FILE_HEADER = 100;

/** Null for a page that is missing or is no tree page. */
export function readTreePage(pages: Pages, page: number): TreePage | null {
  const bytes = pages.read(page);
  const start = page === 1 ? FILE_HEADER : 0;
  if (bytes === null || bytes.length < start + 12) return null;
  const is = KINDS[bytes[start] ?? 0];
  if (is === undefined) return null;
  const isInterior = is === 'table-interior' || is === 'index-interior';
  const cells = bytes.readUInt16BE(start + 3);
  const pointers = start + (isInterior ? 12 : 8);
  if (pointers + 2 * cells > PAGE_BYTES) return null;
  const rows: StoredRow[] = [];
  const below: number[] = [];
  let lostCells = 0;
  for (let cell = 0; cell < cells; cell += 1) {
    const pointer = pointers + 2 * cell;
    const at = pointer + 2 <= bytes.length ? bytes.readUInt16BE(pointer) : 0;
    const isThere = at >= pointers + 2 * cells && at + (isInterior ? 4 : 1) <= bytes.length;
    if (isThere && isInterior) below.push(bytes.readUInt32BE(at));
    if (is === 'table-interior') {
      if (!isThere) lostCells += 1;
      continue;
    }
    const row = isThere ? readCell(pages, bytes, at + (isInterior ? 4 : 0), is === 'table-leaf') : null;
    if (row === null) lostCells += 1;
    else rows.push(row);
  }
  if (isInterior) below.push(bytes.readUInt32BE(start + 8));
  return { is, rows, below, lostCells };
}

function readCell(pages: Pages, bytes: Buffer, at: number, isTable: boolean): StoredRow | null {
  const length = readVarint(bytes, at);
  if (length === null) return null;
  const rowid = isTable ? readVarint(bytes, length.next) : null;
  if (isTable && rowid === null) return null;
  const payload = readPayload(pages, bytes, rowid?.next ?? length.next, length.value, isTable);
  const values = payload === null ? null : readRecord(payload);
  return values === null ? null : { rowid: rowid?.value ?? null, values };
}

/** Content that does not fit on its page continues in a chain of overflow pages. */
function readPayload(pages: Pages, bytes: Buffer, at: number, length: number, isTable: boolean): Buffer | null {
  if (length > pages.count * PAGE_BYTES) return null;
  const most = isTable ? PAGE_BYTES - 35 : Math.floor(((PAGE_BYTES - 12) * 64) / 255) - 23;
  const least = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (PAGE_BYTES - 4));
  const here = length <= most ? length : fitting <= most ? fitting : least;
  if (at + here + (here < length ? 4 : 0) > bytes.length) return null;
  const parts = [bytes.subarray(at, at + here)];
  let left = length - here;
  let next = left > 0 ? bytes.readUInt32BE(at + here) : 0;
  while (left > 0) {
    const page = next === 0 ? null : pages.read(next);
    const taken = Math.min(left, PAGE_BYTES - 4);
    if (page === null || page.length < taken + 4) return null;
    parts.push(page.subarray(4, 4 + taken));
    left -= taken;
    next = page.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Null for bytes that are no record: its types must account for every byte. */
function readRecord(bytes: Buffer): DbRow | null {
  const head = readVarint(bytes, 0);
  if (head === null || head.value > bytes.length) return null;
  const values: DbValue[] = [];
  let at = head.value;
  let type = head.next;
  while (type < head.value) {
    const serial = readVarint(bytes, type);
    if (serial === null) return null;
    type = serial.next;
    const size = sizeOf(serial.value);
    if (size === null || at + size > bytes.length) return null;
    const value = cellOf(serial.value, bytes.subarray(at, at + size));
    if (value === undefined) return null;
    values.push(value);
    at += size;
  }
  return type === head.value && at === bytes.length ? values : null;
}

const INTEGER_SIZES: readonly number[] = [0, 1, 2, 3, 4, 6, 8];
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function sizeOf(serial: number): number | null {
  if (serial <= 6) return INTEGER_SIZES[serial] ?? null;
  if (serial === 7) return 8;
  if (serial <= 9) return 0;
  return serial >= 13 && serial % 2 === 1 ? (serial - 13) / 2 : null;
}

/** Undefined for an invalid text; a workspace has no blobs. */
function cellOf(serial: number, bytes: Buffer): DbValue | undefined {
  if (serial === 0) return null;
  if (serial === 6) return Number(bytes.readBigInt64BE(0));
  if (serial < 6) return bytes.readIntBE(0, bytes.length);
  if (serial === 7) return bytes.readDoubleBE(0);
  if (serial <= 9) return serial - 8;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Seven bits a byte; the high bit means that more follow; the ninth byte has eight bits. */
function readVarint(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let count = 0; count < 7; count += 1) {
    const byte = bytes[at + count];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + count + 1 };
  }
  // Beyond 49 bits, as for negative numbers.
  let long = BigInt(value);
  for (let count = 7; count < 9; count += 1) {
    const byte = bytes[at + count];
    if (byte === undefined) return null;
    long = count === 8 ? (long << 8n) | BigInt(byte) : (long << 7n) | BigInt(byte & 0x7f);
    if (count === 8 || byte < 0x80) return { value: Number(BigInt.asIntN(64, long)), next: at + count + 1 };
  }
  return null;
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

/** The position in the log of each page's newest committed state, and the file's page count according to the log. */
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
    // Frames from before the log restarted have other salts; a torn one has another checksum.
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
