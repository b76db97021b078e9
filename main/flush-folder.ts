import { open } from 'node:fs/promises';

/** Makes sure that the names in a folder are on the disk: a file that was renamed into it is found after a power cut. */
export async function fsyncDirectory(folder: string): Promise<void> {
  // Windows cannot flush a folder; there the rename itself is journalled.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
