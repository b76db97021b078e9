import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { readMediaFacts } from '../../../shared/model/media.ts';
import type { Row } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { createSerialQueue } from '../../../shared/serial-queue.ts';
import { fsyncDirectory, makeFolders, nullIfNotFound } from '../../app/atomic-write.ts';
import { nullIfRefused } from '../../app/system.ts';
import { diskRefusal } from './file-grants.ts';

/**
 * The media library of one workspace: files named by the hash of their bytes, below `media/`. A file appears there
 * completely or not at all (written under another name, flushed, renamed), and the same bytes are stored once.
 */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>;

type KeptFile = {
  readonly sha256: string;
  readonly bytes: number;
  readonly path: string;
};

const HASH = /^[a-f0-9]{64}$/;

/** @param fetchMissing loads a file that only colleagues have, if possible */
export function createMediaLibrary(
  folder: string,
  fetchMissing: (sha256: string) => Promise<unknown> = async () => null,
) {
  const pathOf = (sha256: string): string => {
    if (!HASH.test(sha256)) throw new Error('not a hash');
    return join(folder, sha256);
  };
  return {
    pathOf,
    /** Path of a file to read; one that is missing here is fetched first. */
    find: async (sha256: string): Promise<string> => {
      const path = pathOf(sha256);
      if ((await stat(path).catch(nullIfNotFound)) === null) await fetchMissing(sha256);
      return path;
    },
    /** An empty folder for new files; leftovers of a killed process are removed when the account opens. */
    makeRoom: async (): Promise<string> => {
      await makeFolders(folder);
      return mkdtemp(join(folder, 'arriving-'));
    },
    /** Serializes row creation, so that two calls do not add the same file twice. */
    inTurn: createSerialQueue(),
    /** Copies a file into the library and returns its hash. */
    keep: async (path: string): Promise<Result<KeptFile, FileRefusal>> => {
      try {
        await makeFolders(folder);
        return ok(await copyIn(path, folder, pathOf));
      } catch (error) {
        return err(diskRefusal(error));
      }
    },
  };
}

async function copyIn(from: string, folder: string, pathOf: MediaLibrary['pathOf']): Promise<KeptFile> {
  const arriving = join(folder, `arriving-${randomBytes(8).toString('hex')}`);
  try {
    const { sha256, bytes } = await copyHashing(from, arriving);
    const path = pathOf(sha256);
    if (await isThere(path, sha256, bytes)) await rm(arriving);
    else await rename(arriving, path);
    await fsyncDirectory(folder);
    return { sha256, bytes, path };
  } catch (error) {
    await rm(arriving, { force: true });
    throw error;
  }
}

/** The hash of the present bytes of a file. @throws the error of the disk */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest('hex');
}

/** Bytes read at once. */
const READ_BYTES = 256 * 1024;

async function copyHashing(from: string, to: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(createReadStream(from, { highWaterMark: READ_BYTES }), measure, target);
  return { sha256: hash.digest('hex'), bytes };
}

/** A file with other bytes under the same name is left from a damaged disk and is replaced. */
async function isThere(path: string, sha256: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(nullIfNotFound);
  if (found?.isFile() !== true || found.size !== bytes) return false;
  return (await sha256OfFile(path).catch(nullIfRefused)) === sha256;
}

/** The content type of a library file in requests, from its bytes (wire shapes, section 4, "media"). */
export function contentTypeOf(row: Row<'media'>): string {
  const facts = readMediaFacts(row.values.facts);
  switch (facts?.is) {
    case 'video':
      return facts.container === 'mov' ? 'video/quicktime' : 'video/mp4';
    case 'caption':
      return facts.format === 'vtt' ? 'text/vtt' : 'application/x-subrip';
    case 'logo':
      return 'image/png';
    case 'poster':
      return 'image/jpeg';
    default:
      return row.values.mediaType === 'caption' ? 'application/x-subrip' : 'video/mp4';
  }
}
