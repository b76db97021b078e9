import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PreviewFile } from '../core-types.ts';
import { nullIfMissing } from '../null-if-missing.ts';

/** Handles under which a window may read the bytes of library files. They end with the core. */
export interface Previews {
  /** A handle for the file; the same file keeps its handle. */
  offer(path: string, contentType: string): string;
  open(handle: string): Promise<PreviewFile | null>;
}

const MAX_HANDLES = 2000;

export function createPreviews(): Previews {
  const files = new Map<string, { readonly path: string; readonly contentType: string }>();
  const handles = new Map<string, string>();
  return {
    offer: (path, contentType) => {
      const known = handles.get(path);
      if (known !== undefined) return known;
      const oldest = files.size >= MAX_HANDLES ? files.entries().next().value : undefined;
      if (oldest !== undefined) {
        files.delete(oldest[0]);
        handles.delete(oldest[1].path);
      }
      const handle = randomBytes(16).toString('hex');
      files.set(handle, { path, contentType });
      handles.set(path, handle);
      return handle;
    },
    open: async (handle) => {
      const file = files.get(handle);
      if (file === undefined) return null;
      const found = await stat(file.path).catch(nullIfMissing); // removed by hand: the same as an unknown handle
      if (found === null || !found.isFile()) return null;
      return {
        contentType: file.contentType,
        bytes: found.size,
        open: (start, end) => createReadStream(file.path, { start, end }),
      };
    },
  };
}
