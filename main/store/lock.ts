import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/result.ts';
import { isBusy, notWritable, notWritableFrom } from './not-writable.ts';
import type { NotWritable } from './types.ts';

/**
 * Prevents a second process from opening the workspace. The lock is an exclusive transaction on a small SQLite file
 * next to it, which the operating system releases however this process ends.
 *
 * The process that holds the lock must not open this file or the database with `fs`: closing that second handle would
 * release the lock (POSIX locks belong to the process). `owner.json` is only for the message.
 */
export interface WorkspaceLock {
  release(): void;
}

export function takeLock(file: string, sinceMs: number): Result<WorkspaceLock, NotWritable> {
  keepToUser(`${file}.lock`);
  const connection = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    return err(notWritable('busy-elsewhere', ownerText(file)));
  }
  const owner = ownerFile(file);
  try {
    noteOwner(owner, sinceMs);
  } catch (error) {
    // The owner file is only for messages in other processes. On a full disk it can't be written, and the lock works
    // without it.
    if (notWritableFrom(error)?.data.why !== 'disk-full') {
      connection.close();
      throw error;
    }
  }
  return ok({
    release: () => {
      rmSync(owner, { force: true });
      connection.exec('ROLLBACK');
      connection.close();
    },
  });
}

function noteOwner(owner: string, sinceMs: number): void {
  const since = new Date(sinceMs).toISOString();
  writeFileSync(`${owner}.tmp`, JSON.stringify({ pid: process.pid, host: hostname(), since }), { mode: 0o600 });
  renameSync(`${owner}.tmp`, owner);
}

/**
 * Creates the file so that only the current user can open it, even in a shared folder: any other user who can read the
 * file could hold its lock. The `wx` flag never opens an existing file, which would be the second handle that releases
 * a lock.
 */
export function keepToUser(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // An existing file is kept. If the file can't be created, SQLite fails next, with an error that callers handle.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const ownerFile = (file: string): string => join(dirname(file), 'owner.json');

function ownerText(file: string): string {
  try {
    const owner: unknown = JSON.parse(readFileSync(ownerFile(file), 'utf8'));
    if (typeof owner !== 'object' || owner === null) return 'open in another process';
    const { pid, host, since } = owner as { readonly pid?: unknown; readonly host?: unknown; readonly since?: unknown };
    return `open in process ${String(pid)} on ${String(host)} since ${String(since)}`;
  } catch {
    // The owner has not written its file yet, or has just removed it; the lock itself is taken.
    return 'open in another process';
  }
}
