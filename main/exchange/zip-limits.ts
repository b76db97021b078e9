import { createInflateRaw } from 'node:zlib';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';

/**
 * Unpacks a ZIP archive once, into nothing, to learn what it really holds: the sizes it states are the sender's word,
 * and 190 kB can become 200 MB. Only then may a reader that keeps things in memory see it (APPNOTE.TXT, 4.3).
 *
 *   local header, data ... central directory { entry ... } end record
 */
const END_RECORD = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MAX_ENTRIES = 1000;
const DEFLATED = 8;
const STORED = 0;
const ENCRYPTED_BIT = 1;

const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;

/** What speaks against unpacking the archive, or null. */
export async function zipProblem(bytes: Buffer): Promise<FileRefusal | null> {
  const damaged = fileRefusal('not-a-sheet', { found: 'a damaged archive' });
  const end = findEnd(bytes);
  if (end === null) return damaged;
  const entries = bytes.readUInt16LE(end + 10);
  if (entries === 0xffff || entries > MAX_ENTRIES)
    return fileRefusal('not-a-sheet', { found: 'an archive of many files' });
  let at = bytes.readUInt32LE(end + 16);
  let unpacked = 0;
  for (let count = 0; count < entries; count += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return damaged;
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED_BIT) !== 0) {
      return fileRefusal('not-a-sheet', { found: 'an encrypted archive' });
    }
    const data = dataOf(bytes, at);
    if (data === null) return damaged;
    const size = await unpackedSize(data, bytes.readUInt16LE(at + 10), UNPACKED_MAX_BYTES - unpacked);
    if (size === null) return damaged;
    if (size === 'doctype') return fileRefusal('not-a-sheet', { found: 'a workbook that defines entities' });
    unpacked += size;
    if (unpacked > UNPACKED_MAX_BYTES) return fileRefusal('too-large', { bytes: unpacked, limit: UNPACKED_MAX_BYTES });
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return null;
}

function findEnd(bytes: Buffer): number | null {
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) === END_RECORD) return at;
  }
  return null;
}

function dataOf(bytes: Buffer, entryAt: number): Buffer | null {
  const packedBytes = bytes.readUInt32LE(entryAt + 20);
  const localAt = bytes.readUInt32LE(entryAt + 42);
  if (localAt + 30 > bytes.length || bytes.readUInt32LE(localAt) !== LOCAL) return null;
  const start = localAt + 30 + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28);
  return start + packedBytes > bytes.length ? null : bytes.subarray(start, start + packedBytes);
}

/**
 * Bytes after unpacking, counted up to a little above the limit; null when the data is damaged, `doctype` for XML that
 * declares a document type, by which a file could be made to name other files or to grow without end.
 */
function unpackedSize(data: Buffer, method: number, limit: number): Promise<number | null | 'doctype'> {
  if (method === STORED) return Promise.resolve(hasDoctype(data) ? 'doctype' : data.length);
  if (method !== DEFLATED) return Promise.resolve(null);
  return new Promise((resolve) => {
    const inflate = createInflateRaw();
    let size = 0;
    let before: Buffer = Buffer.alloc(0);
    inflate.on('data', (chunk: Buffer) => {
      size += chunk.length;
      const isOver = size > limit;
      const isDoctype = hasDoctype(Buffer.concat([before, chunk]));
      before = chunk.subarray(-DOCTYPE_WIDE.length);
      if (!isOver && !isDoctype) return;
      resolve(isDoctype ? 'doctype' : size);
      inflate.destroy();
    });
    inflate.once('end', () => resolve(size)).once('error', () => resolve(null));
    inflate.end(data);
  });
}

const DOCTYPE = '<!DOCTYPE';
/** The same in UTF-16, in which XML may come as well. */
const DOCTYPE_WIDE = Buffer.from(DOCTYPE, 'utf16le');
const DOCTYPE_WIDE_BIG = Buffer.from(DOCTYPE, 'utf16le').swap16();

const hasDoctype = (bytes: Buffer): boolean =>
  bytes.includes(DOCTYPE) || bytes.includes(DOCTYPE_WIDE) || bytes.includes(DOCTYPE_WIDE_BIG);
