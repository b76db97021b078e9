import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { nullIfNotFound } from '../../app/atomic-write.ts';
import type { OfferedFile, PreviewFile } from '../../app/core-types.ts';

/** Handles under which a window may read the bytes of library files and of exports. They end with the core. */
export interface Previews {
  /** A handle for the file; the same file keeps its handle. */
  offer(file: OfferedFile): string;
  open(handle: string): Promise<PreviewFile | null>;
  /** What a handle stands for, null when it is unknown or over. */
  find(handle: string): OfferedFile | null;
}

const MAX_HANDLES = 2000;

export function createPreviews(): Previews {
  const files = new Map<string, OfferedFile>();
  const handles = new Map<string, string>();
  return {
    offer: (file) => {
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
    find: (handle) => files.get(handle) ?? null,
    open: async (handle) => {
      const file = files.get(handle);
      if (file === undefined) return null;
      const found = await stat(file.path).catch(nullIfNotFound); // removed by hand: the same as an unknown handle
      if (found === null || !found.isFile()) return null;
      return {
        contentType: file.contentType,
        bytes: found.size,
        open: (start, end) => createReadStream(file.path, { start, end }),
      };
    },
  };
}
