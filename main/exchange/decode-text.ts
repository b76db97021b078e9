import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { type FileRefusal, fileRefusal } from '../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { CELL_MAX_CHARACTERS } from './row-limits.ts';

/** A line may hold many long cells, but a "line" of this length is a file without lines. */
const LINE_MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * The text of a file in pieces: UTF-8, or UTF-16 when a byte order mark says so. Anything else is refused with
 * the line where it shows, never guessed: a wrong guess turns a brand name into garbage on the service.
 *
 * @param tellBytes hears how many bytes of the file were taken so far
 */
export async function decodeText(
  path: string,
  take: (text: string) => Promise<FileRefusal | null>,
  tellBytes: (bytes: number) => void = () => undefined,
): Promise<Result<null, FileRefusal>> {
  let decoder: TextDecoder | null = null;
  let line = 1;
  let taken = 0;
  let sinceLineEnd = 0;
  const accept = async (text: string): Promise<FileRefusal | null> => {
    if (text.includes('\u0000')) return fileRefusal('not-text', { line });
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
    const lastEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    sinceLineEnd = lastEnd === -1 ? sinceLineEnd + text.length : text.length - lastEnd - 1;
    if (sinceLineEnd > LINE_MAX_CHARACTERS) return fileRefusal('cell-too-long', { line, limit: CELL_MAX_CHARACTERS });
    return take(text);
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 64 * 1024 })) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      const refusal = await accept(decoder.decode(bytes, { stream: true }));
      if (refusal !== null) return err(refusal);
      taken += bytes.length;
      tellBytes(taken);
    }
    const refusal = decoder === null ? fileRefusal('empty') : await accept(decoder.decode());
    return refusal === null ? ok(null) : err(refusal);
  } catch (error) {
    if (error instanceof TypeError) return err(fileRefusal('not-text', { line }));
    if (error instanceof Error && 'code' in error) return err(fileRefusal('cannot-read', { code: String(error.code) }));
    throw error;
  }
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
