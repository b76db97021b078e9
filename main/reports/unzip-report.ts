import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { err, ok, type Result } from '../../shared/result.ts';

/** One file of an archive, unpacked. */
export interface ZippedFile {
  /** As the archive names it, shortened. It is shown, and never a path of ours. */
  readonly name: string;
  readonly content: Buffer;
}

/** Why a report file gives no rows: what it is, as a part of a sentence. */
export interface UnreadableReport {
  readonly kind: 'not-readable';
  readonly found: string;
}
type Refused = Result<never, UnreadableReport>;
export const notReadable = (found: string): Refused => err({ kind: 'not-readable', found });

/** Of everything in a file together. */
export const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
export const tooMuch = (limitBytes: number): string =>
  `packed data that becomes more than ${limitBytes / 1024 / 1024} MB; ask for fewer days`;

/** A report has one file, or one a month or a campaign. */
const FILES_MAX = 1000;
const NAME_MAX = 100;
/** What file managers put into every archive. */
const CLUTTER = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/iu;

/**
 * The files of a ZIP archive in memory, together no more than the limit. Sizes that an archive states are the sender's word, so they are counted while it is
 * unpacked; a checksum that does not agree, a name that climbs out of its folder and a password each have words of their own.
 */
export async function unzipReport(
  bytes: Buffer,
  limitBytes: number,
): Promise<Result<readonly ZippedFile[], UnreadableReport>> {
  try {
    const archive = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
    return await filesOf(archive, limitBytes);
  } catch (error) {
    return troubleWith(error);
  }
}

async function filesOf(archive: ZipFile, limitBytes: number): Promise<Result<readonly ZippedFile[], UnreadableReport>> {
  if (archive.entryCount > FILES_MAX) return notReadable(`a ZIP archive of more than ${FILES_MAX} files`);
  const files: ZippedFile[] = [];
  let room = limitBytes;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/') || CLUTTER.test(entry.fileName)) continue;
    if (entry.isEncrypted()) return ENCRYPTED;
    if (entry.uncompressedSize > room) return notReadable(tooMuch(limitBytes));
    const content = await contentOf(archive, entry, room);
    if (content === null) return notReadable(tooMuch(limitBytes));
    if (!content.ok) return content;
    room -= content.value.length;
    files.push({ name: shownName(entry), content: content.value });
  }
  return files.length === 0 ? notReadable('a ZIP archive without a file in it') : ok(files);
}

/** @returns null when it becomes more than there is room for */
async function contentOf(
  archive: ZipFile,
  entry: Entry,
  room: number,
): Promise<Result<Buffer, UnreadableReport> | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  let checksum = 0;
  const stream: AsyncIterable<Buffer> = await archive.openReadStreamPromise(entry);
  for await (const piece of stream) {
    size += piece.length;
    if (size > room) return null;
    checksum = crc32(piece, checksum);
    pieces.push(piece);
  }
  if (checksum !== entry.crc32) return damaged(`${shownName(entry)} is not what was packed`);
  return ok(Buffer.concat(pieces));
}

const shownName = ({ fileName }: Entry): string => fileName.slice(-NAME_MAX);

const ENCRYPTED = notReadable('an encrypted ZIP archive; ask for reports without a password');
const damaged = (what: string): Refused => notReadable(`a damaged ZIP archive (${what}); ask for it again`);

/** The reader of archives, and zlib below it, say in words what is wrong: cut short, sizes that are lies, names that climb. */
function troubleWith(error: unknown): Refused {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  if (/encryption/iu.test(message)) return ENCRYPTED;
  if (/relative path|absolute path|invalid characters in fileName/iu.test(message)) {
    return notReadable('a ZIP archive with a file name that leads out of its folder');
  }
  if (/unsupported compression/iu.test(message))
    return notReadable('a ZIP archive packed in a way Adslate does not know');
  return damaged(/central dir|truncated|EOF/iu.test(message) ? 'it is cut short' : message.slice(0, NAME_MAX));
}
