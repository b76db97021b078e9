import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/result.ts';
import { isBusy, notWritableFrom } from './not-writable.ts';
import type { NotWritable } from './types.ts';

/**
 * Keeps a second process from opening the workspace. The lock is an exclusive transaction on a small SQLite file
 * beside it, which the operating system releases however this process ends.
 *
 * Neither this file nor the database may be opened with `fs` by the process that holds it: closing that second
 * handle would give the lock away (POSIX locks belong to the process). `owner.json` is for the message only.
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
    return err({ kind: 'not-writable', why: 'busy-elsewhere', detail: ownerText(file) });
  }
  const owner = ownerFile(file);
  try {
    noteOwner(owner, sinceMs);
  } catch (error) {
    // The note is for the message to others. A full disk lets nobody write it, and the lock holds without.
    if (notWritableFrom(error)?.why !== 'disk-full') {
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
 * Every user who may read the file could hold it against us, so nobody else may, also in a folder that is open to others. It is
 * made by `wx`, which opens nothing that is there: that would be the second handle which gives a lock away.
 */
export function keepToUser(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // It is there, or nothing can be put there: then SQLite meets the same next, and callers know its words.
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
    // The holder has not written its note yet, or has just removed it; the lock itself has spoken.
    return 'open in another process';
  }
}
