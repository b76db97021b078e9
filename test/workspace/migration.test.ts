import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openDb } from '../../main/workspace/db/open-db.ts';
import { openWorkspace } from '../../main/workspace/open.ts';
import { APPLICATION_ID, migrate, missingTable, schemaState } from '../../main/workspace/schema/migrate.ts';
import { migrations } from '../../main/workspace/schema/migrations.ts';
import { defaultProfile } from '../../shared/profile/profile.ts';
import { aClock, aFolder, done } from './a-workspace.ts';

/** An update of Adslate brings a workspace along in place: copied first, and at every moment of one schema or the next. */
const NEWEST = migrations().length;

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
  openWorkspace({ file, workspaceId: 'test', profile: defaultProfile(), clock: aClock(), migrated: true });

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
  expect(refused).toMatchObject({ ok: false, error: { kind: 'not-writable' } });
  const db = openDb(file);
  expect(schemaState(db)).toEqual({ kind: 'older', version: NEWEST - 1 });
  db.close();
});

test('a disk that is full at any page of a migration leaves one schema or the next, whole, and the rest goes on later', () => {
  let failures = 0;
  for (let version = 1; version < NEWEST; version++) {
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
  expect(failures).toBeGreaterThan(NEWEST);
});
