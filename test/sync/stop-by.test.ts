import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { stopReasonFor } from '../../main/sync/run-queue.ts';

/** As it arrives from the thread that writes. */
const fromThread = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return structuredClone(error);
  }
  throw new Error('Nothing was thrown.');
};

test('a full disk stops a run as one, and a fault of ours as a fault', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('PRAGMA max_page_count = 2; CREATE TABLE t (text)');
  const full = fromThread(() => db.exec("INSERT INTO t VALUES (printf('%.20000c', 'x'))"));
  expect(stopReasonFor(full)).toEqual({ cause: 'disk', detail: 'database or disk is full' });
  db.close();

  const broken = fromThread(() => 'x'.repeat(-1));
  expect(stopReasonFor(broken)).toMatchObject({ cause: 'defect' });
});
