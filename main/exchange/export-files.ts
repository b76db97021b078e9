import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportedFile } from '../../shared/contract/exported-file.ts';
import { outgoingName } from '../../shared/media/outgoing-name.ts';
import type { OfferedFile } from '../core-types.ts';
import type { Previews } from '../media/previews.ts';

/** Files that main writes for a window to save. They stay until so many others were written after them. */
export interface ExportFiles {
  /** A name in the folder of exports that is free. */
  place(): Promise<string>;
  /** What the window needs to save the file or to drag it out. */
  offer(file: OfferedFile, rows: number): Promise<ExportedFile>;
}

const KEPT = 5;

export function createExportFiles(folder: string, previews: Previews): ExportFiles {
  return {
    place: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const found = (await readdir(folder)).map((name) => join(folder, name));
      const aged = await Promise.all(found.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
      for (const { path } of aged.toSorted((a, b) => b.at - a.at).slice(KEPT - 1)) await rm(path, { force: true });
      return join(folder, randomBytes(16).toString('hex'));
    },
    offer: async (file, rows) => {
      const url = `/preview/${previews.offer(file)}`;
      const { contentType } = file;
      const fileName = outgoingName(file.fileName, contentType);
      return { fileName, url, contentType, bytes: (await stat(file.path)).size, rows };
    },
  };
}
