import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNumber, type Db } from '../../main/store/db/db.ts';
import { allTables } from '../../main/store/schema/tables.ts';
import { runs, SEED } from '../share.ts';
import { aFolder, aSmallCampaign, done } from '../store/a-workspace.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { aPoweredStore, garbage, type Image, type PoweredStore, restart, restarted, storeOn } from './power-images.ts';

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

const CUTS = runs(60, 20);

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
  const found = issuesIn(db);
  const whole = image();
  db.close();
  expect(whole.log.length).toBeGreaterThan(waiting);
  restarted(cutAt(whole, waiting), folder, (left) => {
    expect(issuesIn(left)).not.toEqual(found);
    const again = storeOn(left, false);
    while (again.checkSlice());
    expect(issuesIn(left)).toEqual(found);
  });
});

const issuesIn = (db: Db): unknown => [
  ...allTables().map(({ name }) => db.all(`SELECT id, issues FROM ${name} WHERE issues <> 0 ORDER BY id`)),
  db.all('SELECT * FROM finding_count ORDER BY campaign_id'),
];

/**
 * Power cuts while the log is moved into the database, and after: some pages are there and some are not, one is torn,
 * and behind the new beginning of the log lie frames of before. The log is flushed before the first page is moved, and
 * used anew only when all of them are flushed.
 */
const ROUNDS = runs(25, 10);
const PAGE = 4096;
const FRAME = PAGE + 24;
const LOG_HEAD = 32;

/** Bytes of the log that hold commits; behind them may lie frames of before. */
const livingBytes = ({ db }: PoweredStore): number =>
  LOG_HEAD + FRAME * asNumber(db.get('PRAGMA wal_checkpoint(NOOP)')?.[1]);

/** A number from 0 up to 1, the same for the same place. */
const chance = (n: number): number => seeded(SEED + n).next();

/** The database between two states: each page of one or the other, and one of them half of each. */
function halfMoved(before: Buffer, after: Buffer, round: number): Buffer {
  const pages = Math.ceil(after.length / PAGE);
  const torn = Math.floor(chance(round * 1000) * pages);
  const parts: Buffer[] = [];
  for (let page = 0; page < pages; page++) {
    const at = page * PAGE;
    const [old, fresh] = [before.subarray(at, at + PAGE), after.subarray(at, at + PAGE)];
    const isMoved = old.length < PAGE || chance(round * 1000 + page + 1) < 0.5;
    if (page === torn && old.length === PAGE) parts.push(fresh.subarray(0, PAGE / 2), old.subarray(PAGE / 2));
    else parts.push(isMoved ? fresh : old);
  }
  return Buffer.concat(parts);
}

interface Round {
  readonly bid: number;
  readonly before: Image;
  /** After everything was moved. */
  readonly moved: Buffer;
  readonly round: number;
}

function playRounds(): readonly Round[] {
  const store = aPoweredStore(aFolder());
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    if (round % 5 === 0) store.addAndTakeBack(60);
    for (let n = 0; n < 3; n++) store.setBid(round * 10 + n);
    const before = store.image();
    expect(store.db.get('PRAGMA wal_checkpoint(PASSIVE)')?.[0]).toBe(0);
    rounds.push({ bid: round * 10 + 2, before, moved: store.image().database, round });
  }
  store.db.close();
  return rounds;
}

test(`cut while the log is moved into the database, every acknowledged edit is there (seed ${SEED})`, () => {
  const folder = aFolder();
  for (const { bid, before, moved, round } of playRounds()) {
    const database = halfMoved(before.database, moved, round);
    expect(restart({ database, log: before.log }, folder)).toBe(bid);
  }
});

/** Whether what a cut has left is old, unsound or not even a workspace. */
function isNoticed(image: Image, bid: number, folder: string): boolean {
  try {
    return restart(image, folder) !== bid;
  } catch {
    return true;
  }
}

test('without the log an unmoved database is old, and a half moved one old or damaged: the check notices', () => {
  const folder = aFolder();
  const log = Buffer.alloc(0);
  const rounds = playRounds();
  expect(rounds.filter(({ bid, before }) => !isNoticed({ ...before, log }, bid, folder))).toEqual([]);
  const noticed = rounds.filter(({ bid, before, moved, round }) =>
    isNoticed({ database: halfMoved(before.database, moved, round), log }, bid, folder),
  );
  expect(noticed.length).toBeGreaterThan(ROUNDS / 3);
});

test(`cut after the log has begun anew, what lies behind its living part counts for nothing (seed ${SEED})`, () => {
  const folder = aFolder();
  const store = aPoweredStore(aFolder());
  let anew = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    store.addAndTakeBack(20);
    store.db.get('PRAGMA wal_checkpoint(PASSIVE)');
    store.setBid(round * 10);
    const living = livingBytes(store);
    store.setBid(round * 10 + 1);
    const { database, log } = store.image();
    if (log.length > livingBytes(store)) anew++;
    // Cut behind the first of the two, within the frames of the second: torn at a random place, or at a frame.
    const second = Math.floor(chance(round) * (livingBytes(store) - living));
    const cut = living + (round % 2 === 0 ? second : Math.floor(second / FRAME) * FRAME);
    const torn = Buffer.concat([log.subarray(0, cut), garbage(200, SEED + round), log.subarray(cut + 200)]);
    expect(restart({ database, log: log.subarray(0, cut) }, folder)).toBe(round * 10);
    expect(restart({ database, log: torn }, folder)).toBe(round * 10);
    expect(restart({ database, log }, folder)).toBe(round * 10 + 1);
  }
  store.db.close();
  expect(anew).toBeGreaterThan(ROUNDS / 2);
});
