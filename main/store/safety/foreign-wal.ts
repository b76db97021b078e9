import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Db } from '../db/db.ts';
import { fileAtRest } from '../db/open-db.ts';
import { notWritable } from '../not-writable.ts';
import { readMeta, writeMeta } from '../rows/revision.ts';
import type { NotWritable } from '../types.ts';

/** A random ID that a workspace gets when it is created and never changes. */
export const WORKSPACE_UUID_KEY = 'incarnation';

export function setWorkspaceUuid(db: Db): void {
  if (readMeta(db, WORKSPACE_UUID_KEY) === null) writeMeta(db, WORKSPACE_UUID_KEY, randomBytes(16).toString('hex'));
}

/**
 * Detects a write-ahead log that belongs to another database. SQLite does not check that, and would write the other's
 * pages over ours. Reads the ID from the database alone and from the database with its log, before anything is written.
 * A log without the page of the ID can't be detected.
 *
 * Called by the holder of the lock, before it opens the database.
 */
export function findForeignWal(file: string): NotWritable | null {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return null;
  const own = markOf(fileAtRest(file));
  const seen = markOf(file);
  if (own === null || seen === own) return null;
  return notWritable('damaged', 'the log beside the workspace belongs to another one');
}

/** Null without an ID, and for an unreadable file: opening the database reports that problem. */
function markOf(place: string | URL): string | null {
  try {
    const db = new DatabaseSync(place, { readOnly: true });
    try {
      const found = db.prepare('SELECT value FROM meta WHERE key = ?').get(WORKSPACE_UUID_KEY)?.['value'];
      return typeof found === 'string' ? found : null;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) return null;
    throw error;
  }
}
