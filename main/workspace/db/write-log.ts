import { statSync } from 'node:fs';
import type { Db } from './db.ts';

/**
 * How large the write-ahead log beside the database gets (`PRAGMA wal_autocheckpoint` and `journal_size_limit`):
 *
 *   empty --commits--> more than 4 MB, nobody waits ------> moved into the database, written again from its start
 *                  \-> more than 32 MB, edits never pause -> moved by the commit that made it so
 *
 * A transaction is in the log as a whole before it can be moved, so a step that rewrites more than 32 MB makes a log
 * as large as what it wrote; that one is cut off once nobody waits. While a reader looks at an older state the log
 * cannot begin anew; every commit tries again.
 */
export const MOVED_IN_COMMIT_BYTES = 32 * 2 ** 20;
const MOVED_AT_REST_BYTES = 4 * 2 ** 20;

/** Moves the log into the database where that pays. For moments in which nobody waits; it waits for nobody itself. */
export function checkpointWhenIdle(db: Db, file: string): void {
  const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= MOVED_AT_REST_BYTES) return;
  // PASSIVE leaves the file as large as it is, and with a reader that is looking TRUNCATE would wait for its end.
  const isMoved = db.get('PRAGMA wal_checkpoint(PASSIVE)');
  if (bytes <= MOVED_IN_COMMIT_BYTES || isMoved?.[1] !== isMoved?.[2]) return;
  withoutWaiting(db, () => db.get('PRAGMA wal_checkpoint(TRUNCATE)'));
}

/** Runs `work` with locks refused at once instead of after the busy timeout. */
function withoutWaiting(db: Db, work: () => void): void {
  const [limitMs] = db.get('PRAGMA busy_timeout') ?? [];
  db.exec('PRAGMA busy_timeout = 0');
  try {
    work();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(limitMs)}`);
  }
}
