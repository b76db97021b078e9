import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { assertVersion } from '../../main/store/db/open-db.ts';
import { notWritableFrom } from '../../main/store/not-writable.ts';
import { APPLICATION_ID } from '../../main/store/schema/migrate.ts';
import { openWorkspace } from '../../main/store/store.ts';
import { WorkspaceClosed } from '../../main/store/worker/pending-calls.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aStore, contents, createAll } from './a-store.ts';
import { aClock, aFolder, aSmallCampaign, aWorkspace, create, done, edit } from './a-workspace.ts';

const open = (file: string) =>
  openWorkspace({ file, workspaceId: 'test', profile: defaultDeploymentSettings(), clock: aClock(), migrated: null });

test('a second opener is refused and told who has it open and since when', async () => {
  const file = join(aFolder(), 'workspace.db');
  await aWorkspace(file);
  const second = await open(file);
  expect(second).toMatchObject({ ok: false, error: { kind: 'not-writable', why: 'busy-elsewhere' } });
  if (second.ok) throw new Error('opened twice');
  expect(second.error.detail).toContain(`process ${process.pid}`);
  expect(second.error.detail).toContain('2026-05-04T12:00:00.000Z');
});

test('what is asked before a workspace is closed is answered, and what comes later is refused as closed', async () => {
  const workspace = await aWorkspace(join(aFolder(), 'workspace.db'));
  const asked = [workspace.readMedia(), workspace.summary(), workspace.verify(), workspace.setMeta('note', 'the last')];
  const closed = workspace.close();
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'fulfilled'));
  await closed;
  await expect(workspace.getMeta('note')).rejects.toThrow(WorkspaceClosed);
  await expect(workspace.undo()).rejects.toThrow(WorkspaceClosed);
});

test('another process is refused as well', async () => {
  const file = join(aFolder(), 'workspace.db');
  await aWorkspace(file);
  const other = fileURLToPath(new URL('./other-process.ts', import.meta.url));
  const answer = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [other, 'open', file], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  expect(JSON.parse(answer)).toMatchObject({ ok: false, error: { why: 'busy-elsewhere' } });
});

test('a closed workspace can be opened again, and leaves no log behind', async () => {
  const file = join(aFolder(), 'workspace.db');
  const workspace = await aWorkspace(file);
  await edit(workspace, { creates: aSmallCampaign() });
  await workspace.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect((await open(file)).ok).toBe(true);
});

test('a file with other content is refused and left as it is', async () => {
  const file = join(aFolder(), 'workspace.db');
  writeFileSync(file, 'this is a shopping list, not a database. '.repeat(40));
  expect(await open(file)).toMatchObject({ ok: false, error: { why: 'damaged' } });
});

test('a database of another program is refused', async () => {
  const file = join(aFolder(), 'workspace.db');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE recipes(name TEXT)');
  other.close();
  const opened = await open(file);
  expect(opened).toMatchObject({ ok: false, error: { why: 'damaged', detail: `${file} is not a workspace` } });
});

test('a workspace that lacks a table is refused', async () => {
  const file = join(aFolder(), 'workspace.db');
  await (await aWorkspace(file)).close();
  const tampered = new DatabaseSync(file);
  tampered.exec('DROP TABLE conflict');
  tampered.close();
  expect(await open(file)).toMatchObject({
    ok: false,
    error: { why: 'damaged', detail: 'the table conflict is missing' },
  });
});

test('closing twice is closing once', async () => {
  const file = join(aFolder(), 'workspace.db');
  const opened = await open(file);
  if (!opened.ok) throw new Error(opened.error.detail);
  await Promise.all([opened.value.close(), opened.value.close()]);
  expect((await open(file)).ok).toBe(true);
});

test('a workspace of a newer version is refused', async () => {
  const file = join(aFolder(), 'workspace.db');
  const newer = new DatabaseSync(file);
  newer.exec(`CREATE TABLE future(x); PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 999`);
  newer.close();
  expect(await open(file)).toMatchObject({ ok: false, error: { why: 'newer-schema' } });
});

test('a file that lost its content while its log is there is not taken for a new workspace', async () => {
  const file = join(aFolder(), 'workspace.db');
  writeFileSync(file, '');
  writeFileSync(`${file}-wal`, 'x'.repeat(100));
  expect(await open(file)).toMatchObject({ ok: false, error: { why: 'damaged' } });
});

test('a workspace whose pages were damaged is refused', async () => {
  const file = join(aFolder(), 'workspace.db');
  const workspace = await aWorkspace(file);
  await edit(workspace, {
    creates: Array.from({ length: 40 }, (_, i) => aSmallCampaign(`Campaign ${i}`)[0]).flatMap((row) => row ?? []),
  });
  await workspace.close();
  const bytes = readFileSync(file);
  const at = bytes.indexOf('Campaign 20');
  bytes.fill(0xff, at - 400, at + 400);
  writeFileSync(file, bytes);
  expect(await open(file)).toMatchObject({ ok: false, error: { why: 'damaged' } });
});

test('a full disk refuses the edit, says so, and leaves what was there', () => {
  const store = aStore();
  createAll(store, aSmallCampaign());
  const before = contents(store);
  store.db.exec(`PRAGMA max_page_count = ${Number(store.db.get('PRAGMA page_count')?.[0])}`);
  const creates = Array.from({ length: 500 }, (_, i) => create('campaign', null, { name: `Campaign ${i}` }));
  let failure: unknown = null;
  try {
    store.apply({ label: 'Create', source: 'user', creates });
  } catch (error) {
    failure = error;
  }
  expect(notWritableFrom(failure)).toMatchObject({ kind: 'not-writable', why: 'disk-full' });
  expect(contents(store)).toEqual(before);
});

test('a folder in the place of the file is refused', async () => {
  const file = join(aFolder(), 'workspace.db');
  mkdirSync(file);
  expect(await open(file)).toMatchObject({ ok: false, error: { why: 'damaged' } });
});

test('when the folder moves away, edits are refused instead of written where nobody looks', async () => {
  const folder = join(aFolder(), 'here');
  mkdirSync(folder);
  const workspace = await aWorkspace(join(folder, 'workspace.db'));
  renameSync(folder, `${folder}-moved`);
  const outcome = await workspace.apply({ label: 'Create', source: 'user', creates: aSmallCampaign() });
  expect(outcome).toMatchObject({ ok: false, error: { kind: 'not-writable', why: 'folder-moved' } });
  renameSync(`${folder}-moved`, folder);
  expect(
    done(await workspace.apply({ label: 'Create', source: 'user', creates: aSmallCampaign() })).touched,
  ).toHaveLength(5);
});

test('a backup is a workspace with the same rows', async () => {
  const folder = aFolder();
  const workspace = await aWorkspace(join(folder, 'workspace.db'));
  await edit(workspace, { creates: aSmallCampaign() });
  const target = join(folder, 'copy.db');
  expect(await workspace.backup(target)).toEqual({ ok: true, value: null });
  await edit(workspace, { creates: aSmallCampaign('Later') });
  const copy = await aWorkspace(target);
  expect(await copy.verify()).toEqual([]);
  expect((await copy.readTrees('all')).map((tree) => tree.campaign.values.name)).toEqual(['Towels']);
});

test('a backup that cannot be written is refused and leaves nothing behind', async () => {
  const folder = aFolder();
  const workspace = await aWorkspace(join(folder, 'workspace.db'));
  const target = join(folder, 'no such folder', 'copy.db');
  expect(await workspace.backup(target)).toMatchObject({ ok: false, error: { kind: 'not-writable' } });
  expect(existsSync(target)).toBe(false);
});

test('an SQLite that is too old is named, with what to install', () => {
  expect(() => assertVersion('3.51.2')).toThrow(/SQLite 3\.51\.2.*needs 3\.51\.3.*Node 24\.15/u);
  for (const version of ['3.51.3', '3.53.4', '4.0.0']) expect(() => assertVersion(version)).not.toThrow();
});
