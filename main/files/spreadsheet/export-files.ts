import { randomBytes } from 'node:crypto';
import { access, constants, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportedFile } from '../../../shared/api/files.ts';
import { outgoingName } from '../../../shared/media/outgoing-name.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { makeFolders, nullIfNotFound } from '../../app/atomic-write.ts';
import type { OfferedFile } from '../../app/host-ports.ts';
import { type FreeBytes, freeBytesOn, LOW_SPACE_BYTES, lowSpace } from '../../app/system.ts';
import { notWritableFrom } from '../../store/not-writable.ts';
import type { Previews } from '../media/file-grants.ts';

/**
 * Files that main writes for a window to save. They stay for at least ten minutes, and until a number of others were
 * written after them; one that is being written is never removed.
 */
export type ExportFiles = ReturnType<typeof createExportFiles>;

const KEPT = 5;
const KEPT_MS = 10 * 60_000;

/**
 * @param own folder for these files; if it is read-only or its disk nearly full, the system's temporary folder is used,
 *   so that exporting still works
 */
export function createExportFiles(own: string, previews: Previews, nowMs: () => number, freeBytes = freeBytesOn) {
  let spare: Promise<string> | null = null;
  const folderWithRoom = async (): Promise<string> => {
    if (spare === null && (await hasRoom(own, freeBytes))) return own;
    spare ??= mkdtemp(join(tmpdir(), 'adslate-exports-'));
    return spare;
  };
  const arriving = new Set<string>();
  const makeRoom = async (folder: string): Promise<void> => {
    const paths = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => !arriving.has(path));
    // A concurrent call may have removed one of them.
    const found = await Promise.all(
      paths.map(async (path) => ({ path, at: (await stat(path).catch(nullIfNotFound))?.mtimeMs ?? null })),
    );
    const aged = found.flatMap(({ path, at }) => (at === null ? [] : [{ path, at }]));
    const going = aged.toSorted((a, b) => b.at - a.at).slice(KEPT - 1);
    for (const { path, at } of going) if (nowMs() - at > KEPT_MS) await rm(path, { force: true });
  };
  const write = async <E>(
    file: Omit<OfferedFile, 'path'>,
    work: (path: string) => Promise<Result<number, E>>,
  ): Promise<Result<ExportedFile, E>> => {
    const folder = await folderWithRoom();
    await makeRoom(folder);
    const path = join(folder, randomBytes(16).toString('hex'));
    arriving.add(path);
    let isWhole = false;
    try {
      const written = await work(path);
      if (!written.ok) return written;
      const { size: bytes } = await stat(path);
      isWhole = true;
      const { contentType } = file;
      const fileName = outgoingName(file.fileName, contentType);
      const url = `/preview/${previews.offer({ ...file, path })}`;
      return ok({ fileName, url, contentType, bytes, rows: written.value });
    } finally {
      if (!isWhole) await rm(path, { force: true });
      arriving.delete(path);
    }
  };
  return {
    /**
     * Calls `write` with a new path in the folder of exports. If it fails or throws, no file stays.
     *
     * @param write returns the number of rows written
     * @returns what the window needs to save the file or to drag it out
     */
    write,
    /** Writes content that is in memory. */
    save: (
      file: Omit<OfferedFile, 'path'>,
      content: string | Uint8Array,
      rows: number,
    ): Promise<Result<ExportedFile, never>> =>
      write(file, async (path) => {
        await writeFile(path, content, { mode: 0o600 });
        return ok(rows);
      }),
    /** Removes the files in the system's temporary folder. */
    close: async () => {
      if (spare !== null) await rm(await spare, { recursive: true, force: true });
    },
  };
}

async function hasRoom(folder: string, freeBytes: FreeBytes): Promise<boolean> {
  try {
    await makeFolders(folder);
    await access(folder, constants.W_OK);
  } catch (error) {
    if (notWritableFrom(error) === null) throw error;
    return false;
  }
  const low = await lowSpace(folder, freeBytes);
  // With little space on both disks, our own folder is used.
  return low === null || ((await lowSpace(tmpdir(), freeBytes)) ?? LOW_SPACE_BYTES) <= low;
}
