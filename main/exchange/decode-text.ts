import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { CELL_MAX_CHARACTERS } from './row-limits.ts';

/** A line may hold many long cells, but a "line" of this length is a file without lines. */
const LINE_MAX_CHARACTERS = 8 * 1024 * 1024;
/** A character has up to four bytes, so this many of a piece may belong to one that ends in the next. */
const CHARACTER_REST_BYTES = 3;

export interface DecodedText {
  /** The next piece of the text, or why nothing more is wanted. */
  take(text: string): FileRefusal | null;
  /** The row that what was taken so far ends in, for refusals. */
  row(): number;
  /** Hears how many bytes of the file were taken so far. */
  tellBytes(bytes: number): void;
}

/**
 * The text of a file in pieces: UTF-8, or UTF-16 when a byte order mark says so. Anything else is refused with
 * the row where it shows, never guessed: a wrong guess turns a brand name into garbage on the service. What stands before it
 * has been taken by then.
 */
export async function decodeText(
  path: string,
  { take, row, tellBytes }: DecodedText,
): Promise<Result<null, FileRefusal>> {
  let decoder: TextDecoder | null = null;
  let encoding = 'utf-8';
  let taken = 0;
  let sinceLineEnd = 0;
  let rest: Buffer = Buffer.alloc(0);
  const accept = (text: string): FileRefusal | null => {
    const nul = text.indexOf('\u0000');
    if (nul !== -1) return take(text.slice(0, nul)) ?? fileRefusal('not-text', { line: row() });
    const lastEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    sinceLineEnd = lastEnd === -1 ? sinceLineEnd + text.length : text.length - lastEnd - 1;
    if (sinceLineEnd > LINE_MAX_CHARACTERS) {
      return fileRefusal('cell-too-long', { line: row(), limit: CELL_MAX_CHARACTERS });
    }
    return take(text);
  };
  /** @param bytes null for the end of the file, where a character may be missing its last bytes */
  const decode = (bytes: Buffer | null): FileRefusal | null => {
    let text: string;
    try {
      text = (bytes === null ? decoder?.decode() : decoder?.decode(bytes, { stream: true })) ?? '';
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const readable = bytes === null ? '' : readableStart(bytes, rest, encoding);
      return accept(readable) ?? fileRefusal('not-text', { line: row() });
    }
    return accept(text);
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      if (decoder === null) {
        encoding = encodingOf(bytes);
        decoder = new TextDecoder(encoding, { fatal: true });
      }
      const refusal = decode(bytes);
      if (refusal !== null) return err(refusal);
      rest = bytes.subarray(-CHARACTER_REST_BYTES);
      taken += bytes.length;
      tellBytes(taken);
    }
    const refusal = decoder === null ? fileRefusal('empty') : decode(null);
    return refusal === null ? ok(null) : err(refusal);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return err(fileRefusal('cannot-read', { code: String(error.code) }));
    throw error;
  }
}

export function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/**
 * What can be read of a piece before its first byte that cannot. It is decoded byte by byte, which happens once in a file.
 *
 * @param before the last bytes of the piece before, in which a character may have begun; empty for the first piece
 */
function readableStart(bytes: Buffer, before: Buffer, encoding: string): string {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: before.length > 0 });
  const all = Buffer.concat([before.subarray(before.length - begun(before, encoding)), bytes]);
  let text = '';
  try {
    for (const [at] of all.entries()) text += decoder.decode(all.subarray(at, at + 1), { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return text;
}

/** How many of the last bytes belong to a character that is not complete. */
function begun(bytes: Buffer, encoding: string): number {
  const isHighSurrogate = (byte: number | undefined): boolean => byte !== undefined && byte >= 0xd8 && byte <= 0xdb;
  if (encoding !== 'utf-8') return isHighSurrogate(bytes.at(encoding === 'utf-16le' ? -1 : -2)) ? 2 : 0;
  for (let back = 1; back <= bytes.length; back++) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
