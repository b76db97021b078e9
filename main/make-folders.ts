import { mkdir, stat } from 'node:fs/promises';

/** Makes folders, the outer ones first. What they lie in has to be there: a data folder that is gone stays gone. */
export async function makeFolders(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      // One that is there is all that was wanted, whatever the system says first of a disk that can only be read.
      const found = await stat(folder).catch(() => null);
      if (found?.isDirectory() !== true) throw error;
    }
  }
}
