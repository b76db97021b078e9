import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { createTurns, type InTurn } from '../../shared/in-turn.ts';
import { keepToUser } from '../workspace/lock.ts';
import { isBusy } from '../workspace/not-writable.ts';

/** A change takes milliseconds; whoever waits for longer has met a process that hangs. */
const LOOK_EVERY_MS = 15;
const LOOKS = 400;

/**
 * Changes of a file that several processes read and write whole, one after the other: in this process by a line, between
 * processes by an exclusive transaction on `<file>.lock`, which ends with its process however that ends.
 */
export function createFileTurns(file: string): InTurn {
  const inTurn = createTurns();
  return (work) =>
    inTurn(async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const release = await take(`${file}.lock`);
      try {
        return await work();
      } finally {
        release();
      }
    });
}

async function take(path: string): Promise<() => void> {
  keepToUser(path);
  for (let look = 1; ; look += 1) {
    // SQLite is not asked to wait: it would hold up the thread, and with it whoever has the lock in this process.
    const connection = new DatabaseSync(path, { timeout: 0 });
    try {
      connection.exec('BEGIN EXCLUSIVE');
      return () => {
        connection.exec('ROLLBACK');
        connection.close();
      };
    } catch (error) {
      connection.close();
      if (!isBusy(error) || look === LOOKS) throw error;
    }
    await wait(LOOK_EVERY_MS);
  }
}
