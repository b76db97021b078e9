import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { type OpenDb, openDb } from '../../main/store/db/open-db.ts';
import { readLog } from '../../main/store/history/read-log.ts';
import { notWritableFrom } from '../../main/store/not-writable.ts';
import { createViews } from '../../main/store/reader/views.ts';
import { createDiskReserve, RESERVE_BYTES } from '../../main/store/safety/disk-reserve.ts';
import { migrate } from '../../main/store/schema/migrate.ts';
import { createStage } from '../../main/store/staged/stage-file.ts';
import type { RemoteRow } from '../../main/store/types.ts';
import { createGroupCommit } from '../../main/store/worker/thread-calls.ts';
import { createStore, type OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { runs } from '../share.ts';
import { aFolder, aSmallCampaign, aStore, aWorkspace, create, createAll, done, remote } from './a-workspace.ts';

const EVERY_KEYWORD: ViewSpec = { kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' };
const NOT_FILTERED = { stepId: null, ref: null, campaignId: null };

/** What somebody does in a day, on rows of its own each time, so that every id and step is another one. */
function work(store: OwnStore & { readonly db: OpenDb }, day: number): void {
  const views = createViews(store.db);
  const { viewId, length } = done(views.open(EVERY_KEYWORD));
  const refs = createAll(store, aSmallCampaign('Spring'));
  const campaign = refs.find(({ kind }) => kind === 'campaign') as RowRef;
  const keyword = refs.find(({ kind }) => kind === 'keyword') as RowRef;
  const { step: before } = newestStep(store);
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...keyword, field: 'bid', value: 150 }] }));
  const bid = newestStep(store);
  done(store.step('undo'));
  done(store.step('redo'));
  done(store.apply({ label: 'Remove', source: 'user', deletes: [keyword] }));
  done(store.step('undo'));
  done(store.step('redo'));
  readLog(store.db, 0, 10, NOT_FILTERED);
  readLog(store.db, 0, 10, { stepId: bid.step, ref: keyword, campaignId: campaign.id });
  done(store.restore(before, { campaignId: campaign.id }, 'Restore'));
  done(store.restore(before, { ref: keyword, field: 'bid' }, 'Restore'));
  done(store.restore(before, { all: true }, 'Restore'));
  importOne(store, day);
  store.mergeRemoteRows([aReadCampaign(`${day}00`)]);
  expect(views.read(viewId, 0, 10)?.length).toBeGreaterThan(length);
}

/** A campaign and its comment come in as a file of their own, and a row that is there is changed by it. */
function importOne(store: OwnStore, day: number): void {
  const [refs, stage] = [createAll(store, aSmallCampaign(`Summer ${day}`)), `${aFolder()}/stage.db`];
  const writer = createStage(stage);
  writer.create({ at: 0, kind: 'campaign', campaign: null, adGroup: null, values: { name: 'Autumn' }, line: 2 });
  writer.note('campaign', -1, { labels: [], comments: [] });
  writer.update('keyword', (refs[3] as RowRef).id, 'bid', 300 + day, 3);
  writer.remove('keyword', (refs[4] as RowRef).id, 4);
  writer.end();
  const revision = Number(store.db.get(`SELECT value FROM counter WHERE name = 'revision'`)?.[0]);
  const told: (readonly [number, number])[] = [];
  const progress = (...share: readonly [number, number]): void => void told.push(share);
  done(store.applyStaged({ file: stage, label: 'Import', source: 'import', revision }, { progress }));
  // The row passes by its table and by the history, and the cell by the table.
  expect(told).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
}

const aReadCampaign = (id: string): RemoteRow => ({
  kind: 'campaign',
  remoteId: remote(id),
  campaignId: null,
  adGroupId: null,
  values: { name: `Refreshed ${id}` },
});

const newestStep = ({ db }: OwnStore) => ({ step: Number(db.get('SELECT max(id) FROM step')?.[0]) });

// A statement that nobody will ask for again keeps its memory until the collector happens to come by.
test('work that was done before prepares no statement of its own', () => {
  const store = aStore();
  work(store, 1);
  const prepared = vi.spyOn(store.db.raw, 'prepare');
  work(store, 2);
  expect(prepared.mock.calls).toEqual([]);
});

/** A store, the group before it, and how many commits it has made. */
function aGroup() {
  const store = aStore();
  const commits = { count: 0 };
  const tx = <T>(work: () => T): T => {
    const value = store.tx(work);
    commits.count++;
    return value;
  };
  const group = createGroupCommit(tx);
  const write = (key: string, fails = false, isUrgent = false): Promise<unknown> =>
    group.ask(() => {
      store.setMeta(key, 'written');
      if (fails) throw new Error(`${key} is broken`);
      return key;
    }, isUrgent);
  return { store, group, commits, write };
}

test('calls that come at once are each answered and share a commit, a few at a time', async () => {
  const { store, commits, write } = aGroup();
  const keys = Array.from({ length: 8 }, (_, n) => `key ${n}`);
  expect(await Promise.all(keys.map((key) => write(key)))).toEqual(keys);
  expect(keys.map((key) => store.getMeta(key))).toEqual(keys.map(() => 'written'));
  expect(commits.count).toBe(2);
});

test('what is urgent goes before what waits, in the order in which it came', async () => {
  const { write } = aGroup();
  const order: unknown[] = [];
  const asked = ['a', 'b', 'c', 'd', 'e', 'F', 'G'].map((key) => write(key, false, key < 'a'));
  await Promise.all(asked.map((one) => one.then((key) => order.push(key))));
  expect(order).toEqual(['F', 'G', 'a', 'b', 'c', 'd', 'e']);
});

test('what is answered is on the disk: another connection sees it', async () => {
  const { store, write } = aGroup();
  const file = String(store.db.get('PRAGMA database_list')?.[2]);
  const other = openDb(file, { readOnly: true });
  try {
    for (const key of ['one', 'two', 'three']) {
      const answered = Promise.all([write(key), write(`${key} more`)]);
      await answered;
      expect(other.all('SELECT key FROM meta WHERE key LIKE ? ORDER BY key', `${key}%`)).toEqual([
        [key],
        [`${key} more`],
      ]);
    }
  } finally {
    other.close();
  }
});

test('a call that fails leaves nothing behind and takes nobody with it, whichever they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (fails) => {
      const { store, write } = aGroup();
      const ended = await Promise.allSettled(fails.map((isBroken, n) => write(`key ${n}`, isBroken)));
      const wanted = fails.map((isBroken) => (isBroken ? ['rejected', null] : ['fulfilled', 'written']));
      expect(ended.map(({ status }, n) => [status, store.getMeta(`key ${n}`)])).toEqual(wanted);
      store.db.close();
    }),
    { numRuns: runs(25, 10) },
  );
});

test('what still waits when the store is closed is committed first', async () => {
  const { store, group, write } = aGroup();
  const all = [write('one'), write('two')];
  group.finish();
  expect(store.getMeta('two')).toBe('written');
  await Promise.all(all);
});

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
  const store = createStore({ db, profile, migrated: true, makeRoom, onCommitted });
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
  expect(notWritableFrom(failure)).toMatchObject({ data: { why: 'disk-full' } });
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

test('a disk that takes only a part of the reserve keeps no smaller one', () => {
  const file = join(aFolder(), 'workspace.db');
  const module = pathToFileURL(join(import.meta.dirname, '../../main/store/safety/disk-reserve.ts')).href;
  const work = `(await import('${module}')).createDiskReserve('${file}', () => Infinity).renew();`;
  // The system then writes the first part, and says how much.
  const limited = `ulimit -f 4096; exec "$0" --input-type=module -e "$1"`;
  const { stderr } = spawnSync('sh', ['-c', limited, process.execPath, work], { encoding: 'utf8' });
  expect(stderr).toContain('EFBIG');
  expect(existsSync(`${file}.reserve`)).toBe(false);
});

test('what the disk refuses in the thread of the writer is known by its code in the main thread', async () => {
  const file = join(aFolder(), 'workspace.db');
  const workspace = await aWorkspace(file);
  const other = openDb(file);
  other.exec(`CREATE TRIGGER refused BEFORE INSERT ON meta BEGIN SELECT raise(FAIL, 'no'); END`);
  other.close();
  const constraint = 1811; // SQLITE_CONSTRAINT_TRIGGER
  await expect(workspace.setMeta('a', 'b')).rejects.toMatchObject({ errcode: constraint, code: 'ERR_SQLITE_ERROR' });
});
