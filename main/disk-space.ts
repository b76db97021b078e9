import { statfs } from 'node:fs/promises';

/** How many bytes of the disk below a folder are free for this user. */
export type FreeBytes = (folder: string) => Promise<number>;

/** With less than this, a backup or a film may soon find no place. */
export const LOW_SPACE_BYTES = 512 * 2 ** 20;

export const freeBytesOn: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * The bytes that are left when they are few, else null. Some file systems cannot say how much room they have; then nobody is warned,
 * and a write that finds no room still says so itself.
 */
export async function lowSpace(folder: string, freeBytes: FreeBytes = freeBytesOn): Promise<number | null> {
  try {
    const free = await freeBytes(folder);
    return free < LOW_SPACE_BYTES ? free : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
