import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { type FileRefusal, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { type LongTask, NO_OBSERVER } from '../../app/long-task.ts';
import { notWritableFrom } from '../../store/not-writable.ts';
import {
  ARCHIVE_LIMITS,
  type ArchiveSource,
  CHECKSUMS,
  Checksums,
  FORMAT_VERSION,
  MANIFEST,
  Manifest,
  MEDIA_ENTRY,
  ROWS,
} from './archive-format.ts';
import { checkSignature, type SignatureCheck } from './signature.ts';

/** An archive extracted into a folder of ours: `rows.jsonl`, and each file under its verified hash. */
export interface OpenedArchive {
  readonly source: ArchiveSource;
  readonly manifest: Manifest;
  readonly rowsFile: string;
  readonly media: number;
  /** Names of foreign parts, made printable. They were not extracted. */
  readonly skipped: readonly string[];
  readonly signature: SignatureCheck;
}

/** Our description in a folder, as it is when an archive was unpacked and packed again. */
const MANIFEST_BELOW = new RegExp(`^(?!__MACOSX/).*/${MANIFEST.replace('.', '\\.')}$`, 'u');

/** True for a ZIP file with our manifest: at its beginning, or anywhere if another program has packed it. */
export async function isArchive(path: string): Promise<boolean> {
  const begins = await beginningOf(path);
  return begins === 'manifest' || (begins === 'zip' && (await holdsManifest(path)));
}

async function holdsManifest(path: string): Promise<boolean> {
  try {
    const archive = await openPromise(path, { lazyEntries: true, decodeStrings: false });
    try {
      if (archive.entryCount > ARCHIVE_LIMITS.parts) return false;
      let isOurs = false;
      for await (const entry of archive.eachEntry()) {
        const name = nameOf(entry);
        // Every workbook has this part, and a workbook is no archive of ours.
        if (name === '[Content_Types].xml') return false;
        isOurs ||= name === MANIFEST || MANIFEST_BELOW.test(name);
      }
      return isOurs;
    } finally {
      archive.close();
    }
  } catch (error) {
    // The workbook reader reports the problem.
    if (error instanceof Error) return false;
    throw error;
  }
}

async function beginningOf(path: string): Promise<'manifest' | 'zip' | 'other'> {
  const handle = await open(path, 'r');
  try {
    const wanted = 30 + MANIFEST.length;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, 0);
    if (buffer.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return 'other';
    return bytesRead === wanted && buffer.toString('latin1', 30) === MANIFEST ? 'manifest' : 'zip';
  } finally {
    await handle.close();
  }
}

/**
 * Extracts an archive into `folder` and verifies every part against the checksums. It may come from anyone: nothing in
 * it is trusted before it was counted and hashed.
 */
export async function openArchive(
  path: string,
  folder: string,
  work: LongTask = NO_OBSERVER,
): Promise<Result<OpenedArchive, FileRefusal>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // The library does not decode names: one with ".." is skipped here like any other foreign part.
    const archive = await openPromise(path, { lazyEntries: true, validateEntrySizes: true, decodeStrings: false });
    try {
      return await takeApart(archive, folder, work);
    } finally {
      archive.close();
    }
  } catch (error) {
    work.signal.throwIfAborted();
    if (notWritableFrom(error)?.data.why === 'disk-full') return err(fileRefusal('no-space'));
    // The message of the library names the problem: truncated, wrong sizes, names with "..".
    if (error instanceof Error) return damaged(error.message);
    throw error;
  }
}

const damaged = (what: string): { ok: false; error: FileRefusal } =>
  err(fileRefusal('damaged-archive', { found: `a damaged Adslate archive (${what})` }));

async function takeApart(
  archive: ZipFile,
  folder: string,
  work: LongTask,
): Promise<Result<OpenedArchive, FileRefusal>> {
  const parts = await unpack(archive, folder, work);
  if (!parts.ok) return parts;
  const { hashes, texts, skipped } = parts.value;
  if (!texts.has(MANIFEST) && skipped.some((name) => MANIFEST_BELOW.test(name))) {
    return damaged('it was repacked: its parts are in a folder');
  }
  const manifest = readManifest(texts);
  if (!manifest.ok) return manifest;
  const lie = lieIn(parts.value);
  if (lie !== null) return damaged(lie);
  return ok({
    source: manifest.value.format === 'adslate-archive' ? 'archive' : 'changes',
    manifest: manifest.value,
    rowsFile: join(folder, ROWS),
    skipped: parts.value.skipped,
    media: [...hashes.keys()].filter((name) => MEDIA_ENTRY.test(name)).length,
    signature: checkSignature(texts.get(MANIFEST) ?? '', hashes),
  });
}

/** The parts of an archive by name: the computed hash of each, and the content of the few text parts. */
interface Parts {
  readonly hashes: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly skipped: readonly string[];
}

async function unpack(
  archive: ZipFile,
  folder: string,
  { tellShare, signal }: LongTask,
): Promise<Result<Parts, FileRefusal>> {
  if (archive.entryCount > ARCHIVE_LIMITS.parts) return damaged(`${archive.entryCount} parts`);
  const hashes = new Map<string, string>();
  const texts = new Map<string, string>();
  const skipped: string[] = [];
  let total = 0;
  let packed = 0;
  for await (const entry of archive.eachEntry()) {
    const name = nameOf(entry);
    const place = placeOf(name, folder);
    if (place === null) {
      skipped.push(name);
      continue;
    }
    if (hashes.has(name)) return damaged(`the part ${name} is in it twice`);
    if (entry.isEncrypted()) return damaged('encrypted');
    const taken = await takeOut(
      archive,
      entry,
      place.path,
      Math.min(place.limit, ARCHIVE_LIMITS.total - total),
      signal,
    );
    total += taken.bytes;
    packed += entry.compressedSize;
    tellShare(Math.min(1, packed / archive.fileSize));
    hashes.set(name, taken.sha256);
    if (taken.text !== null) texts.set(name, taken.text);
  }
  return ok({ hashes, texts, skipped: skipped.filter((name) => !name.endsWith('/')) });
}

/** The name as stored. Its meaning as a path does not matter, since no part is written under it. */
const nameOf = ({ fileName }: Entry): string => (Buffer.isBuffer(fileName) ? fileName.toString('utf8') : fileName);

function readManifest(texts: Parts['texts']): Result<Manifest, FileRefusal> {
  const manifest = Manifest.safeParse(jsonOrNull(texts.get(MANIFEST) ?? ''));
  if (!manifest.success) return damaged('its description cannot be read');
  const { version } = manifest.data;
  if (version <= FORMAT_VERSION) return ok(manifest.data);
  return err(fileRefusal('newer-archive', { found: `of a newer Adslate (format ${version})` }));
}

/** The first part that differs from the checksums or its own name; null if there is none. */
function lieIn({ hashes, texts, skipped }: Parts): string | null {
  const checksums = Checksums.safeParse(jsonOrNull(texts.get(CHECKSUMS) ?? ''));
  if (!checksums.success || !hashes.has(ROWS)) return 'parts are missing';
  const altered = [...hashes].find(([name, sha256]) => name !== CHECKSUMS && checksums.data[name] !== sha256);
  if (altered !== undefined) return `${altered[0]} is not what it was`;
  const missing = Object.keys(checksums.data).find((name) => !hashes.has(name) && !skipped.includes(name));
  if (missing !== undefined) return `${missing} is missing`;
  const misnamed = [...hashes].find(([name, sha256]) => (MEDIA_ENTRY.exec(name)?.[1] ?? sha256) !== sha256);
  return misnamed === undefined ? null : `${misnamed[0]} is not what it claims`;
}

/** The target path of a part; null for a name that an archive of ours does not have. */
function placeOf(name: string, folder: string): { readonly path: string | null; readonly limit: number } | null {
  if (name === MANIFEST || name === CHECKSUMS) return { path: null, limit: ARCHIVE_LIMITS.text };
  if (name === ROWS) return { path: join(folder, ROWS), limit: ARCHIVE_LIMITS.rows };
  const sha256 = MEDIA_ENTRY.exec(name)?.[1];
  return sha256 === undefined ? null : { path: join(folder, sha256), limit: ARCHIVE_LIMITS.file };
}

async function takeOut(archive: ZipFile, entry: Entry, path: string | null, limit: number, signal: AbortSignal) {
  const bytes = await archive.openReadStreamPromise(entry);
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let seen = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      hash.update(chunk);
      if (path === null) parts.push(chunk);
      done(seen > limit ? new Error(`${nameOf(entry)} is larger than ${limit} bytes`) : null, chunk);
    },
  });
  if (path === null) await pipeline(bytes, measure, drained, { signal });
  else {
    await pipeline(bytes, measure, createWriteStream(`${path}.part`, { mode: 0o600 }), { signal });
    await rename(`${path}.part`, path);
  }
  return {
    bytes: seen,
    sha256: hash.digest('hex'),
    text: path === null ? Buffer.concat(parts).toString('utf8') : null,
  };
}

async function drained(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

/** Removes the folder of an extracted archive. */
export const deleteExtractedArchive = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
