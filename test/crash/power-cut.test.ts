import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDb } from '../../main/workspace/db/open-db.ts';
import { migrate } from '../../main/workspace/schema/migrate.ts';
import { verify } from '../../main/workspace/verify.ts';
import { createStore, type OwnStore } from '../../main/workspace/writer/create-store.ts';
import { defaultProfile } from '../../shared/profile/profile.ts';
import { aFolder, aSmallCampaign } from '../workspace/a-workspace.ts';

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

const SEED = Number(process.env['ADSLATE_SEED'] ?? Date.now() % 1_000_000);
const CUTS = 60;

function workAndRemember(file: string): readonly Moment[] {
  const db = openDb(file);
  migrate(db);
  // Nothing is moved from the log into the database, so the log holds every commit.
  db.exec('PRAGMA wal_autocheckpoint = 0');
  const store: OwnStore = createStore({
    db,
    profile: defaultProfile(),
    workspaceId: 'power',
    migrated: true,
    onCommitted: () => undefined,
  });
  store.setNow(Date.UTC(2026, 4, 4, 12));
  const made = store.apply({ label: 'Create', source: 'user', creates: aSmallCampaign() });
  const ref = made.ok ? made.value.touched[3] : undefined;
  if (ref === undefined) throw new Error('nothing was created');
  const moments: Moment[] = [];
  for (let bid = 1; bid <= CUTS; bid++) {
    const done = store.apply({ label: `Bid ${bid}`, source: 'user', updates: [{ ...ref, field: 'bid', value: bid }] });
    if (!done.ok) throw new Error('the edit was refused');
    moments.push({ log: statSync(`${file}-wal`).size, bid });
  }
  // Copied while it is open: closing would empty the log.
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, `${file}.image${suffix}`);
  db.close();
  return moments;
}

/** Starts on the image of a cut. @returns the bid that is there, after checking that the file is sound */
function restart(image: string, folder: string, logBytes: number, tail: Buffer): number {
  const file = join(folder, 'restarted.db');
  copyFileSync(image, file);
  writeFileSync(`${file}-wal`, Buffer.concat([readFileSync(`${image}-wal`).subarray(0, logBytes), tail]));
  const db = openDb(file);
  try {
    expect(db.get('PRAGMA integrity_check')).toEqual(['ok']);
    expect(verify(db)).toEqual([]);
    return Number(db.get(`SELECT bid FROM keyword WHERE text = 'Paper Towel'`)?.[0]);
  } finally {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  }
}

const garbage = (bytes: number, seed: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => Math.imul(i + seed, 0x9e3779b1) >>> 24));

test(`after a power cut every acknowledged edit is there, also behind a torn tail (seed ${SEED})`, () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const moments = workAndRemember(file);
  let torn = 0;
  for (const [i, { log, bid }] of moments.entries()) {
    const tail = i % 2 === 0 ? Buffer.alloc(0) : garbage((SEED + i * 37) % 5000, SEED + i);
    if (tail.length > 0) torn++;
    expect(restart(`${file}.image`, folder, log, tail)).toBe(bid);
  }
  expect(torn).toBeGreaterThan(CUTS / 3);
});

test('a cut in the middle of a commit leaves the commit before it', () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const moments = workAndRemember(file);
  for (const [i, { log }] of moments.entries()) {
    const before = moments[i - 1];
    if (before === undefined) continue;
    const middle = Math.floor((before.log + log) / 2);
    expect(restart(`${file}.image`, folder, middle, Buffer.alloc(0))).toBe(before.bid);
  }
});

test('commits that were acknowledged without a flush would be missed: the check notices each', () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const moments = workAndRemember(file);
  const missing = moments.slice(3).filter(({ bid }, i) => {
    const vanished = 1 + ((SEED + i) % 3);
    const earlier = moments[i + 3 - vanished];
    return earlier !== undefined && restart(`${file}.image`, folder, earlier.log, Buffer.alloc(0)) !== bid;
  });
  expect(missing).toHaveLength(moments.length - 3);
});

test('every connection flushes before it acknowledges', () => {
  const db = openDb(join(aFolder(), 'workspace.db'));
  expect(db.get('PRAGMA synchronous')).toEqual([2]);
  db.close();
});
