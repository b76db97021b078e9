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
 * Room on the disk that is ours already. When the disk is full it is given back, so that the edit under way, what the
 * service has just answered and a clean end still find their place; it is taken again once there is room to spare.
 *
 *   none --room to spare, nobody waits--> held --an edit finds the disk full--> half --closing does--> none
 */
export type DiskReserve = ReturnType<typeof createDiskReserve>;

export const RESERVE_BYTES = 8 * 2 ** 20;
/** What edits leave for the end: the log is tidied away as soon as it is larger than this. */
const CLOSING_BYTES = RESERVE_BYTES / 2;
/** With less than this to spare the room is left to those who need it more. */
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
