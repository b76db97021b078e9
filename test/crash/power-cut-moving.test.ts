import { expect, test } from 'vitest';
import { asNumber } from '../../main/store/db/db.ts';
import { SEED } from '../share.ts';
import { aFolder } from '../workspace/a-workspace.ts';
import { aPoweredStore, garbage, type Image, type PoweredStore, restart } from './power-images.ts';

/**
 * Power cuts while the log is moved into the database, and after: some pages are there and some are not, one is torn,
 * and behind the new beginning of the log lie frames of before. The log is flushed before the first page is moved, and
 * used anew only when all of them are flushed.
 */
const ROUNDS = 25;
const PAGE = 4096;
const FRAME = PAGE + 24;
const LOG_HEAD = 32;

/** Bytes of the log that hold commits; behind them may lie frames of before. */
const livingBytes = ({ db }: PoweredStore): number =>
  LOG_HEAD + FRAME * asNumber(db.get('PRAGMA wal_checkpoint(NOOP)')?.[1]);

function chance(n: number): number {
  const x = Math.sin((SEED % 10_007) * 12.9898 + n * 78.233) * 43_758.5453;
  return x - Math.floor(x);
}

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
