import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fsyncDirectory } from './flush-folder.ts';

/**
 * Writes a file so that a crash at any moment leaves the old content or the new one, never half of either: another
 * name, flushed, renamed, folder flushed.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  const arriving = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const handle = await open(arriving, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(arriving, path);
  } catch (error) {
    await rm(arriving, { force: true });
    throw error;
  }
  await fsyncDirectory(dirname(path));
}
