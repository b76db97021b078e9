import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { checkpointWhenIdle, MOVED_IN_COMMIT_BYTES, type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { aFolder } from './a-workspace.ts';

const MB = 2 ** 20;

function aDatabase(): { readonly file: string; readonly db: OpenDb; log(): number; write(megabytes: number): void } {
  const file = `${aFolder()}/log.db`;
  const db = openDb(file);
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE page(content ANY) STRICT');
  return {
    file,
    db,
    log: () => statSync(`${file}-wal`).size,
    // One transaction, as every step of the history is.
    write: (megabytes) =>
      db.tx(() => {
        for (let count = 0; count < megabytes; count += 1) db.run('INSERT INTO page VALUES (zeroblob(?))', MB);
      }),
  };
}

test('edits that never pause do not let the log grow beyond what one commit adds', () => {
  const { log, write } = aDatabase();
  let most = 0;
  for (let written = 0; written < 100; written += 4) {
    write(4);
    most = Math.max(most, log());
  }
  expect(most).toBeGreaterThan(MOVED_IN_COMMIT_BYTES / 2);
  expect(most).toBeLessThan(MOVED_IN_COMMIT_BYTES + 6 * MB);
});
test('a log that one large step has filled is cut off once nobody waits', () => {
  const { file, db, log, write } = aDatabase();
  write(48);
  expect(log()).toBeGreaterThan(48 * MB);
  checkpointWhenIdle(db, file);
  expect(log()).toBe(0);
  expect(db.get('PRAGMA busy_timeout')).toEqual([5000]);
});
test('a reader that looks at an older state is not waited for, and loses nothing', () => {
  const { file, db, log, write } = aDatabase();
  write(1);
  const reader = openDb(file, { readOnly: true });
  reader.exec('BEGIN');
  expect(reader.get('SELECT count(*) FROM page')).toEqual([1]);
  write(40);
  checkpointWhenIdle(db, file);
  expect(log()).toBeGreaterThan(40 * MB);
  expect(reader.get('SELECT count(*) FROM page')).toEqual([1]);
  reader.exec('COMMIT');
  checkpointWhenIdle(db, file);
  expect(log()).toBe(0);
  expect(reader.get('SELECT count(*) FROM page')).toEqual([41]);
  reader.close();
});
