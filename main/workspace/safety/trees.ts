import type { DbRow, DbValue } from '../db/db.ts';
import { PAGE_BYTES, type Pages } from './pages.ts';

/** A row as a leaf holds it. `rowid` is null in a table without one. */
export interface StoredRow {
  readonly rowid: number | null;
  readonly values: DbRow;
}

/** One page of a b-tree: the rows on it, the pages below it, and how many of its cells cannot be read. */
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
/** Page 1 begins with the header of the file. */
const FILE_HEADER = 100;

/** Null for a page that is not there or is no page of a tree. */
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

/** What does not fit on its page goes on in a chain of others. */
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

/** Null for bytes that are no record: its types have to account for every byte. */
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

/** Undefined for a text that is none; a workspace has no blobs. */
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

/** Seven bits a byte, the high bit says that there is more; the ninth byte has eight. */
function readVarint(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let count = 0; count < 7; count += 1) {
    const byte = bytes[at + count];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + count + 1 };
  }
  // Beyond 49 bits, as negative numbers are.
  let long = BigInt(value);
  for (let count = 7; count < 9; count += 1) {
    const byte = bytes[at + count];
    if (byte === undefined) return null;
    long = count === 8 ? (long << 8n) | BigInt(byte) : (long << 7n) | BigInt(byte & 0x7f);
    if (count === 8 || byte < 0x80) return { value: Number(BigInt.asIntN(64, long)), next: at + count + 1 };
  }
  return null;
}
