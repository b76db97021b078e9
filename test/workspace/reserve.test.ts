import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { notWritableFrom } from '../../main/store/not-writable.ts';
import { createDiskReserve, RESERVE_BYTES } from '../../main/store/safety/disk-reserve.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { createStore } from '../../main/store/writer/create-store.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aFolder, aSmallCampaign, create } from './a-workspace.ts';

const PLENTY = () => 2 ** 40;

/** A store whose database may grow by `pages` pages once the reserve has been given up, and not at all before. */
function aFullStore(pages: number) {
  const file = join(aFolder(), 'workspace.db');
  const db: OpenDb = openDb(file);
  onTestFinished(() => db.close());
  migrate(db);
  const reserve = createDiskReserve(file, PLENTY);
  const size = (): number => Number(db.get('PRAGMA page_count')?.[0]);
  const makeRoom = (): boolean => {
    const isReleased = reserve.release();
    if (isReleased) db.exec(`PRAGMA max_page_count = ${size() + pages}`);
    return isReleased;
  };
  const profile = defaultDeploymentSettings('shop.example');
  const heard: number[] = [];
  const onCommitted = (revision: number) => void heard.push(revision);
  const store = createStore({ db, profile, workspaceId: 'test', migrated: true, makeRoom, onCommitted });
  store.setNow(Date.UTC(2026, 4, 4, 12));
  return { store, db, reserve, file, heard, fill: () => db.exec(`PRAGMA max_page_count = ${size()}`) };
}
const campaigns = (count: number) =>
  Array.from({ length: count }, (_, i) => create('campaign', null, { name: `Campaign ${i}` }));

test('on a full disk the edit under way still comes through, whole and once, with the room that was kept', () => {
  const { store, db, reserve, file, heard, fill } = aFullStore(2000);
  reserve.renew();
  expect(statSync(`${file}.reserve`).size).toBe(RESERVE_BYTES);
  store.apply({ label: 'Before', source: 'user', creates: aSmallCampaign() });
  fill();
  const before = heard.length;
  const done = store.apply({ label: 'Many', source: 'user', creates: campaigns(500) });
  expect(done).toMatchObject({ ok: true, value: { touched: { length: 500 } } });
  expect(heard.length).toBe(before + 1);
  expect(statSync(`${file}.reserve`).size).toBe(RESERVE_BYTES / 2);
  expect(db.get('SELECT count(*) FROM campaign')).toEqual([501]);
  expect(db.get('SELECT count(*) FROM step')).toEqual([2]);
  expect(checkIntegrity(db)).toEqual([]);
});

test('when the room that was kept is too little as well, the edit is refused and nothing of it is there', () => {
  const { store, db, reserve, fill } = aFullStore(1);
  reserve.renew();
  store.apply({ label: 'Before', source: 'user', creates: aSmallCampaign() });
  fill();
  let failure: unknown = null;
  try {
    store.apply({ label: 'Many', source: 'user', creates: campaigns(500) });
  } catch (error) {
    failure = error;
  }
  expect(notWritableFrom(failure)).toMatchObject({ why: 'disk-full' });
  expect(db.get('SELECT count(*) FROM campaign')).toEqual([1]);
  expect(checkIntegrity(db)).toEqual([]);
});

test('a reserve is given up in two halves, to an edit and to the end, and taken again only when there is room to spare', () => {
  const file = join(aFolder(), 'workspace.db');
  let free = RESERVE_BYTES * 2;
  const reserve = createDiskReserve(file, () => free);
  expect(reserve.release()).toBe(false);
  reserve.renew();
  expect(existsSync(`${file}.reserve`)).toBe(false);
  free = RESERVE_BYTES * 100;
  reserve.renew();
  expect([reserve.release(), reserve.release()]).toEqual([true, false]);
  expect([reserve.releaseRest(), reserve.releaseRest()]).toEqual([true, false]);
  expect(existsSync(`${file}.reserve`)).toBe(false);
  reserve.renew();
  expect(reserve.release()).toBe(true);
  reserve.renew();
  expect(reserve.release()).toBe(true);
});

test('what is kept cannot be packed away by the file system, and a torn piece does not count', () => {
  const file = join(aFolder(), 'workspace.db');
  const reserve = createDiskReserve(file, PLENTY);
  writeFileSync(`${file}.reserve`, 'torn');
  expect(reserve.release()).toBe(false);
  reserve.renew();
  const bytes = readFileSync(`${file}.reserve`);
  const seen = new Set(Array.from({ length: bytes.length / 4096 }, (_, i) => bytes.readBigUInt64LE(i * 4096)));
  expect(seen.size).toBe(bytes.length / 4096);
});
