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
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { notWritableFrom } from '../not-writable.ts';

/**
 * A file that reserves disk space. When the disk is full it is freed, so that the current edit, the latest response of
 * the service and a clean end can still be written. It is reserved again once the disk has space.
 *
 *   none --room to spare, nobody waits--> held --an edit finds the disk full--> half --closing does--> none
 */
export type DiskReserve = ReturnType<typeof createDiskReserve>;

export const RESERVE_BYTES = 8 * 2 ** 20;
/** The part that is kept for closing: the log is moved into the database when it is larger than this. */
const CLOSING_BYTES = RESERVE_BYTES / 2;
/** With less free space than this, nothing is reserved. */
const PLENTY_BYTES = 16 * RESERVE_BYTES;

/** @param freeBytes how much of the disk below a folder is free for this user */
export function createDiskReserve(database: string, freeBytes: (folder: string) => number = freeOn) {
  const file = `${database}.reserve`;
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return {
    /** Gives the first half of the room back, to an edit. False when it is given already. */
    release: (): boolean => {
      if (size() < RESERVE_BYTES) return false;
      truncateSync(file, CLOSING_BYTES);
      return true;
    },
    /** Gives back what is left, for a clean end. False when nothing is. */
    releaseRest: (): boolean => {
      if (size() === 0) return false;
      rmSync(file);
      return true;
    },
    /** Takes the room when it is not held and the disk has plenty. Costs a write of 8 MiB, so nobody should wait for it. */
    renew: () => {
      if (size() === RESERVE_BYTES || freeBytes(dirname(database)) < PLENTY_BYTES) return;
      try {
        writeWhole(file);
      } catch (error) {
        rmSync(`${file}.part`, { force: true });
        // Another program was quicker: the room is taken, and there will be another quiet moment.
        if (notWritableFrom(error) === null) throw error;
      }
    },
  };
}

function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Noise, because a file system that packs or merges blocks would keep nothing free for a file of zeros. */
function writeWhole(file: string): void {
  const handle = openSync(`${file}.part`, 'w', 0o600);
  try {
    writeSync(handle, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.part`, file);
}
