import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openDb } from '../../main/store/db/open-db.ts';
import { OUTBOX_DDL } from '../../main/store/outbox/schema.ts';
import { readRow } from '../../main/store/rows/read-rows.ts';
import { firstSchema } from '../../main/store/schema/ddl.ts';
import { APPLICATION_ID, migrate, migrations, missingTable, schemaState } from '../../main/store/schema/migrate.ts';
import { addNewFields, allTables } from '../../main/store/schema/tables.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { share } from '../share.ts';
import { aClock, acceptAll, aFolder, aSmallCampaign, aStore, at, createAll, done } from './a-workspace.ts';

test('every connection has the settings the store relies on', () => {
  const file = `${aFolder()}/workspace.db`;
  const writer = openDb(file);
  migrate(writer);
  const reader = openDb(file, { readOnly: true });
  for (const db of [writer, reader]) {
    const setting = (name: string) => db.get(`PRAGMA ${name}`)?.[0];
    expect(setting('journal_mode')).toBe('wal');
    expect(setting('synchronous')).toBe(2);
    expect(setting('foreign_keys')).toBe(1);
    expect(setting('cache_size')).toBe(-65_536);
    expect(setting('trusted_schema')).toBe(0);
    expect(setting('busy_timeout')).toBe(5000);
    expect(db.get('SELECT fold(?)', '  ÄPFEL  x ')?.[0]).toBe('äpfel x');
  }
  expect(() => reader.run(`INSERT INTO meta VALUES ('a', 'b')`)).toThrow(/readonly/u);
  reader.close();
  writer.close();
});

test('transactions do not nest, and one that throws leaves nothing', () => {
  const db = openDb(`${aFolder()}/workspace.db`);
  migrate(db);
  expect(() => db.tx(() => db.tx(() => 1))).toThrow(/already open/u);
  expect(db.inTransaction).toBe(false);
  const failing = () =>
    db.tx(() => {
      db.run(`INSERT INTO meta VALUES ('a', 'b')`);
      throw new Error('stop');
    });
  expect(failing).toThrow('stop');
  expect(db.all(`SELECT * FROM meta WHERE key = 'a'`)).toEqual([]);
  db.close();
});

test('only the commit that may be undone by a power cut does without a flush, whatever comes of it', () => {
  const db = openDb(`${aFolder()}/workspace.db`);
  migrate(db);
  const NORMAL = 1;
  const FULL = 2;
  const level = () => db.get('PRAGMA synchronous')?.[0];
  const write = () => {
    db.run(`INSERT OR REPLACE INTO meta VALUES ('a', 'b')`);
    return level();
  };
  expect(db.tx(write)).toBe(FULL);
  expect(db.tx(write, 'unflushed')).toBe(NORMAL);
  expect(level()).toBe(FULL);
  const failing = () => {
    throw new Error('stop');
  };
  expect(() => db.tx(failing, 'unflushed')).toThrow('stop');
  expect(() => db.tx(() => db.tx(write, 'unflushed'))).toThrow(/transaction/u);
  expect(level()).toBe(FULL);
  db.close();
});

test('a new file becomes a workspace of the newest schema, once', () => {
  const db = openDb(`${aFolder()}/workspace.db`);
  expect(schemaState(db)).toEqual({ kind: 'empty' });
  migrate(db);
  expect(schemaState(db)).toEqual({ kind: 'current' });
  expect(db.get('PRAGMA application_id')?.[0]).toBe(APPLICATION_ID);
  expect(missingTable(db)).toBeNull();
  migrate(db);
  expect(addNewFields(db)).toBe(0);
  db.close();
});

test('columns are of the type their field has, and money is never a fraction', () => {
  const store = aStore();
  createAll(store, aSmallCampaign());
  const types = store.db.all(
    'SELECT DISTINCT typeof(bid), typeof(matchType), typeof(text), typeof(dirty) FROM keyword',
  );
  expect(types).toEqual([['integer', 'integer', 'text', 'integer']]);
  expect(() => store.db.run('UPDATE keyword SET bid = 1.5')).toThrow(/cannot store REAL/u);
  for (const { name } of allTables()) {
    expect(store.db.get('SELECT strict FROM pragma_table_list WHERE name = ?', name)).toEqual([1]);
  }
});

test('a field the model has got since a file was made is added empty, and nothing counts as changed', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  const keyword = at(refs, 3);
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...keyword, field: 'bid', value: 1 }] }));
  const before = readRow(store.db, keyword);
  store.db.exec('ALTER TABLE keyword DROP COLUMN reviewReason; ALTER TABLE keyword_base DROP COLUMN state');
  expect(addNewFields(store.db)).toBe(2);
  const after = readRow(store.db, keyword);
  expect(after?.dirty).toBe(before?.dirty);
  expect(after?.values).toEqual(before?.values);
});

test('a file of every earlier schema is brought to the newest, with its rows as they were', () => {
  for (let version = 1; version < NEWEST; version++) {
    const db = openDb(olderFile(version));
    const before = db.all('SELECT * FROM campaign');
    db.run('INSERT INTO conflict(kind, id, field, base, theirs, at) VALUES (0, 1, 4, 5000, 6000, 7)');
    expect(schemaState(db)).toEqual({ kind: 'older', version });
    migrate(db);
    expect([version, schemaState(db)]).toEqual([version, { kind: 'current' }]);
    expect(missingTable(db)).toBeNull();
    // Nothing is ahead of a team, which no file before it has, and its conflicts are with the service.
    const added = version < TEAM ? [0] : [];
    expect(db.all('SELECT * FROM campaign')).toEqual(before.map((row) => [...row, ...added]));
    expect(db.all('SELECT * FROM conflict')).toEqual([[0, 1, 4, 5000, 6000, 7, 0, null]]);
    expect(db.get('PRAGMA integrity_check')).toEqual(['ok']);
    db.close();
  }
});

/** An update of Adslate brings a workspace along in place: copied first, and at every moment of one schema or the next. */
const NEWEST = migrations().length;
/** The schema that a team shares. */
const TEAM = 13;

/** A file as an older Adslate left it, with one campaign. */
function olderFile(version: number, file = join(aFolder(), 'workspace.db')): string {
  const db = openDb(file);
  db.tx(() => {
    for (const step of migrations().slice(0, version)) step(db);
    db.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${APPLICATION_ID}`);
  });
  db.run(`INSERT INTO campaign(id, campaign_id, name, sort_key) VALUES (1, 1, 'Towels', 'towels')`);
  db.close();
  return file;
}

const opened = (file: string) =>
  openWorkspace({ file, profile: defaultDeploymentSettings(), clock: aClock(), migrated: true });

test('before anything is changed a copy of the older file is made, which an older Adslate could open', async () => {
  const file = olderFile(NEWEST - 1);
  const workspace = done(await opened(file));
  expect((await workspace.readTrees('all')).map(({ campaign }) => campaign.values.name)).toEqual(['Towels']);
  await workspace.close();
  const [copy, ...others] = readdirSync(join(dirname(file), 'backups'));
  expect(others).toEqual([]);
  expect(copy).toMatch(new RegExp(`^before-schema-${NEWEST}-.+\\.adslate-backup$`));
  const db = openDb(join(dirname(file), 'backups', copy ?? ''), { readOnly: true });
  expect(schemaState(db)).toEqual({ kind: 'older', version: NEWEST - 1 });
  expect(db.all('SELECT name FROM campaign')).toEqual([['Towels']]);
  db.close();
});

test('where no copy can be made nothing is changed, and the workspace is refused', async () => {
  const file = olderFile(NEWEST - 1);
  writeFileSync(join(dirname(file), 'backups'), 'a file in the place of the folder');
  const refused = await opened(file);
  expect(refused).toMatchObject({ ok: false, error: { code: 'NOT_WRITABLE' } });
  const db = openDb(file);
  expect(schemaState(db)).toEqual({ kind: 'older', version: NEWEST - 1 });
  db.close();
});

test('a disk that is full at any page of a migration leaves one schema or the next, whole, and the rest goes on later', () => {
  let failures = 0;
  const versions = share(
    'schemas from which a migration meets a full disk',
    Array.from({ length: NEWEST - 1 }, (_, at) => at + 1),
  );
  for (const version of versions) {
    const db = openDb(olderFile(version));
    const pages = Number(db.get('PRAGMA page_count')?.[0]);
    for (let room = 0; schemaState(db).kind !== 'current'; room++) {
      db.exec(`PRAGMA max_page_count = ${pages + room}`);
      try {
        migrate(db);
      } catch (error) {
        expect(error).toMatchObject({ errcode: 13 });
        failures++;
      }
      const state = schemaState(db);
      expect(state.kind === 'older' ? state.version : NEWEST).toBeGreaterThanOrEqual(version);
      expect(db.inTransaction).toBe(false);
      expect(db.get('PRAGMA quick_check')).toEqual(['ok']);
    }
    expect(missingTable(db)).toBeNull();
    expect(db.all('SELECT name FROM campaign')).toEqual([['Towels']]);
    db.close();
  }
  expect(failures).toBeGreaterThan(versions.length);
});

/** The schema before statuses of campaigns were remembered. */
const BEFORE_STATUSES = 9;

test('a status that an older Adslate had read is what a campaign is believed to be, until it is read again', async () => {
  const file = olderFile(BEFORE_STATUSES);
  const db = openDb(file);
  // Live, as a list had shown it, and enabled, as the reply to its creation had it.
  db.run(
    `UPDATE campaign SET remote_id = '7', "serviceStatus" = 3, "campaignType" = 0, "startDate" = '2020-01-01' WHERE id = 1`,
  );
  db.run(
    `INSERT INTO campaign(id, campaign_id, remote_id, name, sort_key, "serviceStatus", "campaignType", "startDate")
     VALUES (2, 2, '8', 'Rolls', 'rolls', 0, 0, '2020-01-01')`,
  );
  db.close();
  const workspace = done(await opened(file));
  await workspace.rowsWithErrors();
  const states = (await workspace.readTrees('all')).map(({ campaign: { values } }) => [
    values.name,
    values.campaignState,
    values.stateSource,
  ]);
  expect(states).toEqual([
    ['Towels', 'live', 'estimated'],
    ['Rolls', 'draft', 'estimated'],
  ]);
  await workspace.close();
});

/** Those that a team and the log of banners need came later. */
const INDEXES = `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name NOT LIKE '%$_team' ESCAPE '$'
  AND name NOT LIKE '%$_ahead' ESCAPE '$' AND tbl_name NOT IN ('conflict', 'banner_shown') AND name <> 'comment_uid' ORDER BY name`;

/** The schema before columns could hold other words. */
const NARROW = 10;

/** The columns of an older Adslate hold positions of words and nothing else. */
function narrowFile(): string {
  const file = join(aFolder(), 'workspace.db');
  const db = openDb(file);
  const [, ...later] = migrations().slice(0, NARROW);
  db.tx(() => {
    db.exec(firstSchema().replaceAll(/("\w+") ANY/g, '$1 INTEGER') + OUTBOX_DDL);
    for (const step of later) step(db);
    db.exec(`PRAGMA user_version = ${NARROW}; PRAGMA application_id = ${APPLICATION_ID}`);
  });
  db.run(`INSERT INTO campaign(id, campaign_id, name, sort_key, "status", "campaignType")
    VALUES (1, 1, 'Towels', 'towels', 1, 2)`);
  db.run(`INSERT INTO ad_group(id, campaign_id, name, sort_key, "reviewStatus") VALUES (2, 1, 'Group', 'group', 4)`);
  db.run(`INSERT INTO campaign_base(id, name, "status", "campaignType") VALUES (1, 'Towels', 0, 2)`);
  db.run('UPDATE campaign SET dirty = 128 WHERE id = 1');
  db.close();
  return file;
}

test('an older file gets room for words that nobody knows: its cells, bases and indexes are as they were', async () => {
  const file = narrowFile();
  const before = openDb(file, { readOnly: true });
  const indexes = before.all(INDEXES);
  expect(before.get(`SELECT type FROM pragma_table_info('campaign') WHERE name = 'status'`)).toEqual(['INTEGER']);
  before.close();
  const workspace = done(await opened(file));
  const [tree] = await workspace.readTrees('all');
  expect(tree?.campaign).toMatchObject({
    values: { name: 'Towels', status: 'paused', campaignType: 'video' },
    base: { name: 'Towels', status: 'enabled' },
  });
  expect(tree?.adGroups[0]?.values.reviewStatus).toBe('rejected');
  expect(await workspace.verify()).toEqual([]);
  await workspace.close();
  const after = openDb(file);
  expect(after.all(INDEXES)).toEqual(indexes);
  expect(
    after.all(`SELECT DISTINCT typeof("status") FROM campaign UNION SELECT typeof("status") FROM campaign_base`),
  ).toEqual([['integer']]);
  expect(after.run(`UPDATE ad_group SET "reviewStatus" = 'escalated' WHERE id = 2`)).toBe(1);
  after.close();
});
