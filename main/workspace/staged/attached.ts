import type { Db } from '../db/db.ts';

/**
 * Runs `work` while a file is attached as `stage`. Attaching is possible outside of transactions only. Foreign keys
 * are not looked up row by row meanwhile: whoever made the stage has seen every parent at this very revision.
 */
export function withStage<T>(db: Db, file: string, work: () => T): T {
  db.run('ATTACH DATABASE ? AS stage', file);
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    return work();
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
    db.exec('DETACH DATABASE stage');
  }
}
