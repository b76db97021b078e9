import { expect, test } from 'vitest';
import { openDb } from '../../main/store/db/open-db.ts';
import { readRow } from '../../main/store/rows/read-rows.ts';
import { APPLICATION_ID, migrate, migrations, missingTable, schemaState } from '../../main/store/schema/migrate.ts';
import { addNewFields, allTables } from '../../main/store/schema/tables.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { aFolder, aSmallCampaign, done } from './a-workspace.ts';

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
  const keyword = refs[3];
  if (keyword === undefined) throw new Error('no keyword');
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...keyword, field: 'bid', value: 1 }] }));
  const before = readRow(store.db, keyword);
  store.db.exec('ALTER TABLE keyword DROP COLUMN reviewReason; ALTER TABLE keyword_base DROP COLUMN state');
  expect(addNewFields(store.db)).toBe(2);
  const after = readRow(store.db, keyword);
  expect(after?.dirty).toBe(before?.dirty);
  expect(after?.values).toEqual(before?.values);
});

test('a file of every earlier schema is brought to the newest, with its rows as they were', () => {
  const steps = migrations();
  for (let version = 1; version < steps.length; version++) {
    const db = openDb(`${aFolder()}/workspace.db`);
    db.tx(() => {
      for (const step of steps.slice(0, version)) step(db);
      db.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${APPLICATION_ID}`);
    });
    db.run(`INSERT INTO campaign(id, campaign_id, name, sort_key) VALUES (1, 1, 'Towels', 'towels')`);
    const before = db.all('SELECT * FROM campaign');
    expect(schemaState(db)).toEqual({ kind: 'older', version });
    migrate(db);
    expect([version, schemaState(db)]).toEqual([version, { kind: 'current' }]);
    expect(missingTable(db)).toBeNull();
    expect(db.all('SELECT * FROM campaign')).toEqual(before);
    expect(db.get('PRAGMA integrity_check')).toEqual(['ok']);
    db.close();
  }
});
