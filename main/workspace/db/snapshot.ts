import type { Db } from './db.ts';

/** Runs several reads on one state of the database, whatever is committed meanwhile. For connections that only read. */
export function snapshot<T>(db: Db, reads: () => T): T {
  // In the writer's own connection nothing is committed between two statements of one call.
  if (db.inTransaction || !db.readOnly) return reads();
  db.exec('BEGIN');
  try {
    return reads();
  } finally {
    db.exec('COMMIT');
  }
}
