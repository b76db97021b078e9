import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file read by position. Probes run in a worker thread of their own, so reading may block there. */
export interface ByteSource {
  readonly size: number;
  /** At most `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Buffer;
}

/** Opens a file for the time of one probe. Throws what the file system says. */
export function withFile<T>(path: string, use: (source: ByteSource) => T): T {
  const handle = openSync(path, 'r');
  try {
    const size = fstatSync(handle).size;
    return use({
      size,
      read: (offset, length) => {
        const wanted = Math.max(0, Math.min(length, size - offset));
        const bytes = Buffer.allocUnsafe(wanted);
        let filled = 0;
        while (filled < wanted) {
          const got = readSync(handle, bytes, filled, wanted - filled, offset + filled);
          if (got === 0) break;
          filled += got;
        }
        return bytes.subarray(0, filled);
      },
    });
  } finally {
    closeSync(handle);
  }
}

/** The same over bytes in memory, for files that are read whole anyway. */
export const bytesSource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length)),
});
