import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';

/**
 * The parts of a ZIP archive of unknown origin, each decompressed only on demand and counted at the same time: the
 * sizes in an archive can't be trusted, and 190 kB can become 200 MB.
 */
export type Parts = ReturnType<typeof partsOf>;

const MAX_ENTRIES = 1000;
const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
const TOO_LARGE = fileRefusal('workbook-too-large', { what: 'a part of more than 256 MB' });

export const damagedWorkbook = (what: string): FileRefusal => fileRefusal('damaged-workbook', { what });

export async function openParts(path: string): Promise<Result<Parts, FileRefusal>> {
  try {
    const archive = await openPromise(path, { lazyEntries: true, validateEntrySizes: false, autoClose: false });
    const entries = await entriesOf(archive);
    if (entries.ok) return ok(partsOf(archive, entries.value));
    archive.close();
    return entries;
  } catch (error) {
    return err(troubleWith(error));
  }
}

/** The message of the library names the problem: truncated, wrong sizes, names with "..". */
function troubleWith(error: unknown): FileRefusal {
  if (!(error instanceof Error)) throw error;
  if ('code' in error && 'syscall' in error) return fileRefusal('cannot-read', { code: String(error.code) });
  return damagedWorkbook(/central directory|truncated/iu.test(error.message) ? 'it is cut short' : error.message);
}

/** Names of parts ignore case. */
const keyOf = (name: string): string => name.toLowerCase();

async function entriesOf(archive: ZipFile): Promise<Result<ReadonlyMap<string, Entry>, FileRefusal>> {
  if (archive.entryCount > MAX_ENTRIES) return err(fileRefusal('not-a-sheet', { found: 'an archive of many files' }));
  const entries = new Map<string, Entry>();
  for await (const entry of archive.eachEntry()) {
    if (entry.isEncrypted()) return err(fileRefusal('not-a-sheet', { found: 'an encrypted archive' }));
    if (entry.uncompressedSize > UNPACKED_MAX_BYTES) return err(TOO_LARGE);
    if (entries.has(keyOf(entry.fileName))) return err(damagedWorkbook(`it has the part ${entry.fileName} twice`));
    entries.set(keyOf(entry.fileName), entry);
  }
  return ok(entries);
}

function partsOf(archive: ZipFile, entries: ReadonlyMap<string, Entry>) {
  return {
    has: (name: string) => entries.has(keyOf(name)),
    /** Decompresses a part in pieces, until `take` has enough or refuses it; null on success. */
    read: async (name: string, take: (piece: Buffer) => FileRefusal | 'enough' | null): Promise<FileRefusal | null> => {
      const entry = entries.get(keyOf(name));
      if (entry === undefined) return damagedWorkbook(`its part ${name} is missing`);
      let seen = 0;
      let checksum = 0;
      try {
        const pieces: AsyncIterable<Buffer> = await archive.openReadStreamPromise(entry);
        // Leaving the loop early ends the stream.
        for await (const piece of pieces) {
          seen += piece.length;
          if (seen > UNPACKED_MAX_BYTES) return TOO_LARGE;
          checksum = crc32(piece, checksum);
          const answer = take(piece);
          if (answer !== null) return answer === 'enough' ? null : answer;
        }
      } catch (error) {
        return troubleWith(error);
      }
      const isWhole = seen === entry.uncompressedSize && checksum === entry.crc32;
      return isWhole ? null : damagedWorkbook(`its part ${name} is not what was saved`);
    },
    close: () => archive.close(),
  };
}
