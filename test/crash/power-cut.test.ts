import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Db } from '../../main/store/db/db.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { allTables } from '../../main/store/schema/tables.ts';
import { SEED } from '../share.ts';
import { aFolder, aSmallCampaign, done } from '../workspace/a-workspace.ts';
import { aPoweredStore, garbage, type Image, restart, restarted, storeOn } from './power-images.ts';

/**
 * A power cut leaves the database and as much of its log as was flushed, perhaps with a torn piece behind it. With
 * `synchronous = FULL` every acknowledged commit was flushed before it was acknowledged. This says nothing of disks that
 * lie about flushes.
 */
interface Moment {
  /** Bytes of the log when the commit was acknowledged. */
  readonly log: number;
  /** The bid that the commit wrote. */
  readonly bid: number;
}

const CUTS = 60;

function workAndRemember(folder: string): { readonly moments: readonly Moment[]; readonly image: Image } {
  const store = aPoweredStore(folder);
  const moments: Moment[] = [];
  for (let bid = 1; bid <= CUTS; bid++) {
    store.setBid(bid);
    moments.push({ log: statSync(join(folder, 'workspace.db-wal')).size, bid });
  }
  const image = store.image();
  store.db.close();
  return { moments, image };
}

const cutAt = ({ database, log }: Image, bytes: number, tail: Buffer = Buffer.alloc(0)): Image => ({
  database,
  log: Buffer.concat([log.subarray(0, bytes), tail]),
});

test(`after a power cut every acknowledged edit is there, also behind a torn tail (seed ${SEED})`, () => {
  const folder = aFolder();
  const { moments, image } = workAndRemember(folder);
  let torn = 0;
  for (const [i, { log, bid }] of moments.entries()) {
    const tail: Buffer = i % 2 === 0 ? Buffer.alloc(0) : garbage((SEED + i * 37) % 5000, SEED + i);
    if (tail.length > 0) torn++;
    expect(restart(cutAt(image, log, tail), folder)).toBe(bid);
  }
  expect(torn).toBeGreaterThan(CUTS / 3);
});

test('a cut in the middle of a commit leaves the commit before it', () => {
  const folder = aFolder();
  const { moments, image } = workAndRemember(folder);
  for (const [i, { log }] of moments.entries()) {
    const before = moments[i - 1];
    if (before === undefined) continue;
    const middle = Math.floor((before.log + log) / 2);
    expect(restart(cutAt(image, middle), folder)).toBe(before.bid);
  }
});

test('commits that were acknowledged without a flush would be missed: the check notices each', () => {
  const folder = aFolder();
  const { moments, image } = workAndRemember(folder);
  const missing = moments.slice(3).filter(({ bid }, i) => {
    const vanished = 1 + ((SEED + i) % 3);
    const earlier = moments[i + 3 - vanished];
    return earlier !== undefined && restart(cutAt(image, earlier.log), folder) !== bid;
  });
  expect(missing).toHaveLength(moments.length - 3);
});

test('checks that a power cut has undone, since nobody waited for the disk, are made again and find the same', () => {
  const folder = aFolder();
  const { db, image } = aPoweredStore(folder);
  // An id that is good once item ids are migrated, and an error before.
  const creates = aSmallCampaign('New ids').map((row) =>
    row.kind === 'adItem' ? { ...row, values: { ...row.values, itemId: '1234567890' } } : row,
  );
  done(storeOn(db, true).apply({ label: 'New ids', source: 'user', creates }));
  const store = storeOn(db, false);
  const waiting = image().log.length;
  while (store.checkSlice());
  const found = findingsIn(db);
  const whole = image();
  db.close();
  expect(whole.log.length).toBeGreaterThan(waiting);
  restarted(cutAt(whole, waiting), folder, (left) => {
    expect(findingsIn(left)).not.toEqual(found);
    const again = storeOn(left, false);
    while (again.checkSlice());
    expect(findingsIn(left)).toEqual(found);
  });
});

const findingsIn = (db: Db): unknown => [
  ...allTables().map(({ name }) => db.all(`SELECT id, issues FROM ${name} WHERE issues <> 0 ORDER BY id`)),
  db.all('SELECT * FROM finding_count ORDER BY campaign_id'),
];

test('every connection flushes before it acknowledges', () => {
  const db = openDb(join(aFolder(), 'workspace.db'));
  expect(db.get('PRAGMA synchronous')).toEqual([2]);
  db.close();
});
