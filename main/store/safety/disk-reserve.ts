import { randomFillSync } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { notWritableFrom } from '../not-writable.ts';

/**
 * A file that reserves disk space. When the disk is full it is freed, so that the current edit, the latest response of
 * the service and a clean end can still be written. It is reserved again once the disk has space.
 *
 *   none --enough space, idle--> held --an edit finds the disk full--> half --closing does--> none
 */
export type DiskReserve = ReturnType<typeof createDiskReserve>;

export const RESERVE_BYTES = 8 * 2 ** 20;
/** The part reserved for closing: the log is moved into the database when it is larger than this. */
const CLOSING_BYTES = RESERVE_BYTES / 2;
/** With less free space than this, nothing is reserved. */
const PLENTY_BYTES = 16 * RESERVE_BYTES;

/** @param freeBytes free bytes for this user on a folder's disk */
export function createDiskReserve(database: string, freeBytes: (folder: string) => number = freeOn) {
  const file = `${database}.reserve`;
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return {
    /** Frees the first half of the space for an edit. False if it was freed already. */
    release: (): boolean => {
      if (size() < RESERVE_BYTES) return false;
      truncateSync(file, CLOSING_BYTES);
      return true;
    },
    /** Frees the rest for a clean end. False if nothing is left. */
    releaseRest: (): boolean => {
      if (size() === 0) return false;
      rmSync(file);
      return true;
    },
    /** Reserves the space if it is not reserved and the disk has enough. Writes 8 MiB, so it should run when idle. */
    renew: () => {
      if (size() === RESERVE_BYTES || freeBytes(dirname(database)) < PLENTY_BYTES) return;
      try {
        writeWhole(file);
      } catch (error) {
        rmSync(`${file}.part`, { force: true });
        // Another program has used the space meanwhile; the next idle time tries again.
        if (notWritableFrom(error) === null) throw error;
      }
    },
  };
}

function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Random bytes, because a file system that compresses or deduplicates blocks would not reserve space for zeros. */
function writeWhole(file: string): void {
  const handle = openSync(`${file}.part`, 'w', 0o600);
  try {
    writeFileSync(handle, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.part`, file);
}
