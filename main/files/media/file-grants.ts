import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BadFile, type FileRefusal, fileError, fileRefusal } from '../../../shared/media/file-refusal.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { makeFolders, nullIfNotFound } from '../../app/atomic-write.ts';
import type { FileGrants, GrantedFile, OfferedFile, PreviewFile } from '../../app/host-ports.ts';
import { codeOrThrow, errorCode, nullIfRefused } from '../../app/system.ts';

/**
 * Files that the user selected, behind random handles of 128 bits. A path is resolved once; before every use the file
 * must be unchanged since the grant (same device, inode, size and time). Windows get the handle, the base name and the
 * size, never the path.
 */
export interface OwnFileGrants extends FileGrants {
  /** Removes the spool folder with everything in it. */
  close(): Promise<void>;
}

interface Identity {
  readonly device: bigint;
  readonly file: bigint;
  readonly bytes: bigint;
  readonly modifiedNs: bigint;
}

const MAX_GRANTS = 10_000;
/** A key or a token is a few KiB; anything larger can't be one. */
const HELD_BYTES_MAX = 64 * 1024;
const HELD_MAX = 32;
/** Maximum size of the spool; above it the oldest files are removed. */
const SPOOL_BYTES_MAX = 8 * 1024 ** 3;

/** @param spoolParent folder below which bytes without a path are stored until the host stops */
export function createFileGrants(spoolParent: string, spoolBytesMax = SPOOL_BYTES_MAX): OwnFileGrants {
  const grants = new Map<string, { readonly file: GrantedFile; readonly identity: Identity }>();
  const held = new Map<string, GrantedFile>();
  const folders = new Map<string, string>();
  let spoolDir: Promise<string> | null = null;
  let spool: readonly GrantedFile[] = [];

  const remember = (path: string, fileName: string, identity: Identity, spooled: boolean): GrantedFile => {
    const oldest = grants.size >= MAX_GRANTS ? grants.keys().next().value : undefined;
    if (oldest !== undefined) grants.delete(oldest);
    const bytes = Number(identity.bytes);
    const file = { grant: newGrant(), path, fileName, bytes, spooled, held: null };
    grants.set(file.grant, { file, identity });
    return file;
  };

  /** A path for new bytes, or why there can be none; each call tries again. */
  const placeInSpool = async (): Promise<Result<string, FileRefusal>> => {
    spoolDir ??= makeSpool(spoolParent);
    try {
      return ok(join(await spoolDir, randomBytes(16).toString('hex')));
    } catch (error) {
      spoolDir = null;
      return err(diskRefusal(error));
    }
  };

  /** A browser's bytes are copied into the library, so the oldest spooled files have most likely been used. */
  const keepToQuota = async (newest: GrantedFile): Promise<void> => {
    spool = [...spool, newest];
    let bytes = spool.reduce((sum, file) => sum + file.bytes, 0);
    while (bytes > spoolBytesMax && spool.length > 1) {
      const [oldest = newest, ...rest] = spool;
      spool = rest;
      bytes -= oldest.bytes;
      grants.delete(oldest.grant);
      await rm(oldest.path, { force: true });
    }
  };

  const forget = (grant: string): void => {
    held.get(grant)?.held?.fill(0);
    held.delete(grant);
    grants.delete(grant);
  };

  const grantPath: FileGrants['grantPath'] = async (path) => {
    const fileName = shownName(path);
    const found = await identify(path, fileName);
    return found.ok ? ok(remember(found.value.path, fileName, found.value.identity, false)) : found;
  };

  return {
    grantPath,
    spool: async (fileName, bytes, limitBytes) => {
      const shown = shownName(fileName);
      const place = await placeInSpool();
      if (!place.ok) return fileError(shown, place.error);
      const path = place.value;
      try {
        await pipeline(bytes, limitedTo(limitBytes), createWriteStream(`${path}.part`, { flags: 'wx', mode: 0o600 }));
        await rename(`${path}.part`, path);
      } catch (error) {
        await rm(`${path}.part`, { force: true });
        const isTooLarge = errorCode(error) === 'ABOVE_LIMIT';
        return fileError(shown, isTooLarge ? fileRefusal('above-limit', { limit: limitBytes }) : diskRefusal(error));
      }
      const found = await identify(path, shown);
      if (!found.ok) return found;
      const file = remember(found.value.path, shown, found.value.identity, true);
      await keepToQuota(file);
      return ok(file);
    },
    hold: async (fileName, bytes) => {
      const shown = shownName(fileName);
      const content = await collected(bytes, HELD_BYTES_MAX);
      if (content === null) return fileError(shown, fileRefusal('above-limit', { limit: HELD_BYTES_MAX }));
      const oldest = held.size >= HELD_MAX ? held.keys().next().value : undefined;
      if (oldest !== undefined) forget(oldest);
      const grant = newGrant();
      const file = { grant, path: '', fileName: shown, bytes: content.length, spooled: true, held: content };
      held.set(grant, file);
      return ok(file);
    },
    grantFolder: async (path) => {
      const found = await stat(path).catch(nullIfRefused);
      if (found?.isDirectory() !== true) return null;
      const grant = newGrant();
      folders.set(grant, await realpath(path));
      return { grant, name: shownName(path) };
    },
    resolveFolder: (grant) => folders.get(grant) ?? null,
    forget,
    resolve: (grant) => {
      const secret = held.get(grant);
      if (secret !== undefined) return Promise.resolve(ok(secret));
      const known = grants.get(grant);
      return known === undefined ? null : checkAgain(known.file, known.identity);
    },
    close: async () => {
      for (const grant of Array.from(held.keys())) forget(grant);
      grants.clear();
      if (spoolDir !== null) await rm(await spoolDir, { recursive: true, force: true });
      spoolDir = null;
      spool = [];
    },
  };
}

const newGrant = (): string => randomBytes(16).toString('hex');

/** @returns null when it is larger than the limit, or the sender disconnected */
async function collected(bytes: Readable, limitBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let seen = 0;
  try {
    // The response is still to be sent over the connection of these bytes.
    for await (const chunk of bytes.iterator({ destroyOnReturn: false })) {
      seen += chunk.length;
      if (seen > limitBytes) return null;
      chunks.push(chunk);
    }
  } catch (error) {
    return nullIfRefused(error);
  }
  return Buffer.concat(chunks);
}

async function makeSpool(parent: string): Promise<string> {
  await makeFolders(parent);
  return mkdtemp(join(parent, 'spool-'));
}

async function identify(
  path: string,
  fileName: string,
): Promise<Result<{ path: string; identity: Identity }, BadFile>> {
  try {
    const found = await stat(path, { bigint: true });
    // Checked first: the pipe of a shell has no real path.
    if (!found.isFile()) return fileError(fileName, fileRefusal('not-a-file'));
    const resolved = await realpath(path);
    const identity = { device: found.dev, file: found.ino, bytes: found.size, modifiedNs: found.mtimeNs };
    return ok({ path: resolved, identity });
  } catch (error) {
    return fileError(fileName, diskRefusal(error));
  }
}

async function checkAgain(file: GrantedFile, granted: Identity): Promise<Result<GrantedFile, BadFile>> {
  try {
    // lstat: a link put in the file's place after the grant is another file, wherever it points.
    const now = await lstat(file.path, { bigint: true });
    const same =
      now.isFile() &&
      now.dev === granted.device &&
      now.ino === granted.file &&
      now.size === granted.bytes &&
      now.mtimeNs === granted.modifiedNs;
    return same ? ok(file) : fileError(file.fileName, fileRefusal('changed'));
  } catch (error) {
    return fileError(file.fileName, diskRefusal(error));
  }
}

/** Why the system could not read or copy a file. */
export function diskRefusal(error: unknown): FileRefusal {
  const code = codeOrThrow(error);
  return code === 'ENOSPC' || code === 'EDQUOT' ? fileRefusal('no-space') : fileRefusal('cannot-read', { code });
}

/** Stops a stream that is longer than it may be; half a file is removed by the caller. */
function limitedTo(limitBytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > limitBytes) done(Object.assign(new Error('too large'), { code: 'ABOVE_LIMIT' }));
      else done(null, chunk);
    },
  });
}

/** Base name without controls and direction marks, at most 255 characters; the name is for showing only. */
export function shownName(path: string): string {
  const name = basename(path.replaceAll('\\', '/'))
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD');
  return name === '' ? 'file' : name.slice(0, 255);
}

/** Handles by which a window may read the bytes of library files and of exports. They are valid until the core closes. */
export type Previews = ReturnType<typeof createPreviews>;

const MAX_HANDLES = 2000;

export function createPreviews() {
  const files = new Map<string, OfferedFile>();
  const handles = new Map<string, string>();
  return {
    /** A handle for the file; the same file keeps its handle. */
    offer: (file: OfferedFile): string => {
      const known = handles.get(file.path);
      if (known !== undefined) {
        files.set(known, file);
        return known;
      }
      const oldest = files.size >= MAX_HANDLES ? files.entries().next().value : undefined;
      if (oldest !== undefined) {
        files.delete(oldest[0]);
        handles.delete(oldest[1].path);
      }
      const handle = randomBytes(16).toString('hex');
      files.set(handle, file);
      handles.set(file.path, handle);
      return handle;
    },
    /** The file of a handle; null when it is unknown or has expired. */
    find: (handle: string): OfferedFile | null => files.get(handle) ?? null,
    open: async (handle: string): Promise<PreviewFile | null> => {
      const file = files.get(handle);
      if (file === undefined) return null;
      const found = await stat(file.path).catch(nullIfNotFound); // deleted by hand: the same as an unknown handle
      if (found === null || !found.isFile()) return null;
      return {
        contentType: file.contentType,
        bytes: found.size,
        open: (start, end) => createReadStream(file.path, { start, end }),
      };
    },
  };
}
