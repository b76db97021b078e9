import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type FileRefusal, fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { EXIT, Stop } from './stop.ts';

/** Why a file that was named on the command line gives no text. */
type NamedFileProblem = { readonly isMissing: boolean; readonly why: string };

/**
 * Reads a small file that was named on the command line. What a shell hands over as a pipe (`/dev/stdin`, `<(...)`) is
 * read too; a named pipe nobody may ever write to, a device without an end and a folder are refused.
 */
export async function readNamedFile(path: string, maxBytes: number): Promise<Result<Buffer, NamedFileProblem>> {
  try {
    const found = await stat(path);
    // A folder is refused by the system itself, with its own reason.
    const isEndless = !found.isFile() && !found.isDirectory();
    if (isEndless && !(found.isFIFO() && path.startsWith('/dev/'))) {
      return err({ isMissing: false, why: 'it is not a file' });
    }
    const parts: Buffer[] = [];
    // One byte more than is allowed tells a file that is too long from one that just fits.
    for await (const part of createReadStream(path, { end: maxBytes })) parts.push(Buffer.from(part));
    const bytes = Buffer.concat(parts);
    return bytes.length > maxBytes ? err({ isMissing: false, why: `it has more than ${maxBytes} bytes` }) : ok(bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err({ isMissing: error.code === 'ENOENT', why: String(error.code) });
  }
}

/** The same for a file that a reader of sheets refused, in the words of the window. */
export const unreadableFile = (path: string, { reason, params }: FileRefusal): Stop =>
  new Stop(EXIT.refused, 'BAD_FILE', fileRefusalText(path, reason, params));
