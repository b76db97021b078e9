import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { moveToQuarantine } from '../../main/accounts/backup-folder.ts';
import { openReadOnly } from '../../main/accounts/open-workspace.ts';
import { assertVersion } from '../../main/store/db/open-db.ts';
import { notWritable } from '../../main/store/not-writable.ts';
import { runSafetyTask } from '../../main/store/safety/task.ts';
import { APPLICATION_ID } from '../../main/store/schema/migrate.ts';
import { WorkspaceClosed } from '../../main/store/worker/pending-calls.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { aClock, aFolder, aSmallCampaign, aWorkspace, create, done, edit, pick } from './a-workspace.ts';
import { call } from './call.ts';
import { makeNewFile } from './new-file.ts';
import { openWithoutThreads } from './without-threads.ts';

const open = (file: string, openIt = openWithoutThreads) =>
  openIt({ file, profile: defaultDeploymentSettings(), clock: aClock(), migrated: null });

/** The threads are what is opened, asked and closed here. */
const withThreads = (file: string) => aWorkspace(file, aClock(), openWorkspace);

test('a second opener is refused and told who has it open and since when', async () => {
  const file = join(aFolder(), 'workspace.db');
  await withThreads(file);
  const second = await open(file, openWorkspace);
  expect(second).toMatchObject({ ok: false, error: { code: 'NOT_WRITABLE', data: { why: 'busy-elsewhere' } } });
  if (second.ok) throw new Error('opened twice');
  expect(second.error.data.detail).toContain(`process ${process.pid}`);
  expect(second.error.data.detail).toContain('2026-05-04T12:00:00.000Z');
});

test('what is asked before a workspace is closed is answered, and what comes later is refused as closed', async () => {
  const workspace = await withThreads(join(aFolder(), 'workspace.db'));
  const asked = [workspace.readMedia(), workspace.summary(), workspace.verify(), workspace.setMeta('note', 'the last')];
  const closed = workspace.close();
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'fulfilled'));
  await closed;
  await expect(workspace.getMeta('note')).rejects.toThrow(WorkspaceClosed);
  await expect(call(workspace, 'workspace', 'undo')).rejects.toThrow(WorkspaceClosed);
});

test('another process is refused as well', async () => {
  const file = join(aFolder(), 'workspace.db');
  await withThreads(file);
  const other = fileURLToPath(new URL('./other-process.ts', import.meta.url));
  const answer = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [other, file], (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
  });
  expect(JSON.parse(answer)).toMatchObject({ ok: false, error: { data: { why: 'busy-elsewhere' } } });
});

test('a closed workspace can be opened again, and leaves no log behind', async () => {
  const file = join(aFolder(), 'workspace.db');
  const workspace = await withThreads(file);
  await edit(workspace, { creates: aSmallCampaign() });
  await workspace.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect((await open(file, openWorkspace)).ok).toBe(true);
});

test('closing twice is closing once', async () => {
  const file = join(aFolder(), 'workspace.db');
  const opened = done(await open(file, openWorkspace));
  await Promise.all([opened.close(), opened.close()]);
  expect((await open(file)).ok).toBe(true);
});

test('a file with other content is refused and left as it is', async () => {
  const file = join(aFolder(), 'workspace.db');
  const text = 'this is a shopping list, not a database. '.repeat(40);
  writeFileSync(file, text);
  expect(await open(file)).toMatchObject({ ok: false, error: { data: { why: 'damaged' } } });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each(['DELETE', 'WAL'])('a database of another program is refused untouched, in journal mode %s', async (mode) => {
  const [folder, made] = [aFolder(), aFolder()];
  const file = join(folder, 'workspace.db');
  const other = new DatabaseSync(join(made, 'workspace.db'));
  other.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE recipes(name TEXT)`);
  // Copied while the program has it open: in WAL mode, with its log.
  for (const name of readdirSync(made).filter((each) => !each.endsWith('-shm')))
    copyFileSync(join(made, name), join(folder, name));
  other.close();
  const bytes = () =>
    ['', '-wal'].map((end) => (existsSync(file + end) ? hash('md5', readFileSync(file + end)) : null));
  const before = bytes();
  const detail = `${file} is not a workspace`;
  expect(await open(file)).toMatchObject({ ok: false, error: { data: { why: 'damaged', detail } } });
  expect(bytes()).toEqual(before);
});

const withSql = (file: string, sql: string): void => {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  database.exec(sql);
  database.close();
};

test.each<[string, (file: string) => void, string?]>([
  [
    'a workspace that lacks a table is refused',
    (file) => {
      makeNewFile(file);
      withSql(file, 'DROP TABLE conflict');
    },
    'the table conflict is missing',
  ],
  [
    'a file that lost its content while its log is there is not taken for a new workspace',
    (file) => {
      writeFileSync(file, '');
      writeFileSync(`${file}-wal`, 'x'.repeat(100));
    },
  ],
  ['a folder in the place of the file is refused', mkdirSync],
])('%s', async (_, put, detail) => {
  const file = join(aFolder(), 'workspace.db');
  put(file);
  const error = { data: { why: 'damaged', detail: detail?.replace('FILE', file) ?? expect.any(String) } };
  expect(await open(file)).toMatchObject({ ok: false, error });
});

test('when the folder moves away, edits are refused instead of written where nobody looks', async () => {
  const folder = join(aFolder(), 'here');
  mkdirSync(folder);
  const workspace = await withThreads(join(folder, 'workspace.db'));
  renameSync(folder, `${folder}-moved`);
  const outcome = await workspace.apply({ label: 'Create', source: 'user', creates: aSmallCampaign() });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'NOT_WRITABLE', data: { why: 'folder-moved' } } });
  renameSync(`${folder}-moved`, folder);
  expect(
    done(await workspace.apply({ label: 'Create', source: 'user', creates: aSmallCampaign() })).touched,
  ).toHaveLength(5);
});

test('a backup that cannot be written is refused and leaves nothing behind', async () => {
  const folder = aFolder();
  const workspace = await withThreads(join(folder, 'workspace.db'));
  const target = join(folder, 'no such folder', 'copy.db');
  expect(await workspace.backup(target)).toMatchObject({ ok: false, error: { code: 'NOT_WRITABLE' } });
  expect(existsSync(target)).toBe(false);
});

test('an SQLite that is too old is named, with what to install', () => {
  expect(() => assertVersion('3.51.2')).toThrow(/SQLite 3\.51\.2.*needs 3\.51\.3.*Node 24\.15/u);
  for (const version of ['3.51.3', '3.53.4', '4.0.0']) expect(() => assertVersion(version)).not.toThrow();
});

const options = (file: string) => ({
  file,
  workspaceId: 'test',
  profile: defaultDeploymentSettings('shop.example'),
  clock: aClock(),
  migrated: true,
});
const names = async (file: string) => {
  const workspace = await aWorkspace(file);
  const found = (await workspace.readTrees('all')).map((tree) => String(tree.campaign.values.name)).toSorted();
  await workspace.close();
  return found;
};

test('a backup holds one moment, while edits go on', async () => {
  const folder = aFolder();
  const workspace = await withThreads(join(folder, 'workspace.db'));
  await edit(workspace, { creates: aSmallCampaign('Before') });
  const target = join(folder, 'copy.db');
  const copying = workspace.backup(target);
  for (let i = 0; i < 20; i++) await edit(workspace, { creates: [create('campaign', null, { name: `During ${i}` })] });
  done(await copying);
  await edit(workspace, { creates: [create('campaign', null, { name: 'After' })] });
  await workspace.close();
  const copy = await aWorkspace(target);
  const found = (await copy.readTrees('all')).map((tree) => tree.campaign.values.name);
  expect(found).toContain('Before');
  expect(found).not.toContain('After');
  expect(await copy.verify()).toEqual([]);
});

test('a workspace that breaks its own promises gives no backup', async () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const workspace = await aWorkspace(file);
  await edit(workspace, { creates: aSmallCampaign() });
  // Checks of the edit may still be written.
  withSql(file, 'UPDATE campaign SET dirty = 1');
  const target = join(folder, 'copy.db');
  expect(await workspace.backup(target)).toMatchObject({ ok: false, error: { data: { why: 'damaged' } } });
  expect(existsSync(target)).toBe(false);
});

test('what is set aside lies together in a folder of its own, also twice in one millisecond', async () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const put = () => {
    writeFileSync(file, 'a');
    writeFileSync(`${file}-wal`, 'b');
  };
  put();
  const first = await moveToQuarantine(file, 0);
  put();
  const second = await moveToQuarantine(file, 0);
  expect(first).not.toBe(second);
  for (const each of [first, second])
    expect(readdirSync(each).toSorted()).toEqual(['workspace.db', 'workspace.db-wal']);
  expect(existsSync(file)).toBe(false);
});

test('a comparison counts what would come back, go and change', async () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const workspace = await aWorkspace(file);
  const { touched } = await edit(workspace, { creates: [...aSmallCampaign('Old'), ...aSmallCampaign('Kept')] });
  const target = join(folder, 'copy.db');
  done(await workspace.backup(target));
  const [campaign, keyword] = pick(touched, 0, 3);
  await edit(workspace, { deletes: [keyword], updates: [{ ...campaign, field: 'name', value: 'New name' }] });
  await edit(workspace, { creates: [create('campaign', null, { name: 'Later' })] });
  const compared = done(await runSafetyTask('compare', { file, other: target, examples: 10 }));
  const of = (kind: string) => compared.kinds.find((each) => each.kind === kind);
  expect(of('campaign')).toMatchObject({ comingBack: 0, going: 1, changing: 1 });
  expect(of('keyword')).toMatchObject({ comingBack: 1, going: 0, changing: 0 });
  expect(of('adItem')).toMatchObject({ comingBack: 0, going: 0, changing: 0 });
  expect(compared.examples).toContainEqual({ kind: 'campaign', id: campaign.id, label: 'Old', what: 'changes' });
});

test('a campaign alone comes back from a backup, and nothing else does', async () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const workspace = await aWorkspace(file);
  const { touched } = await edit(workspace, { creates: [...aSmallCampaign('Old'), ...aSmallCampaign('Other')] });
  const target = join(folder, 'copy.db');
  done(await workspace.backup(target));
  const campaigns = touched.filter(({ kind }) => kind === 'campaign');
  const keywords = touched.filter(({ kind }) => kind === 'keyword');
  await edit(workspace, {
    deletes: keywords,
    updates: campaigns.map((campaign) => ({ ...campaign, field: 'name', value: `New ${campaign.id}` })),
  });
  const compare = async () => done(await runSafetyTask('compare', { file, other: target, examples: 10 }));
  const before = await compare();
  const [first, second] = campaigns.map(({ id }) => id);
  if (first === undefined || second === undefined || before.moment === null) throw new Error('nothing to bring back');
  expect(new Set(before.campaigns.map(({ campaignId }) => campaignId))).toEqual(new Set([first, second]));
  const rows = before.campaigns.find(({ campaignId }) => campaignId === second)?.rows;
  done(await call(workspace, 'history', 'restore', { to: before.moment, scope: { campaignId: first }, label: 'back' }));
  expect(await compare()).toMatchObject({ campaigns: [{ campaignId: second, rows }], moreCampaigns: 0 });
  expect((await call(workspace, 'workspace', 'undo')).ok).toBe(true);
  expect((await compare()).campaigns).toEqual(before.campaigns);
});

test('a backup of another branch of the history has no part that could be brought back alone', async () => {
  const folder = aFolder();
  const [one, other] = [join(folder, 'one.db'), join(folder, 'other.db')];
  for (const [file, name] of [
    [one, 'Here'],
    [other, 'There'],
  ] as const) {
    const workspace = await aWorkspace(file, aClock(name.length));
    await edit(workspace, { creates: aSmallCampaign(name) });
    await workspace.close();
  }
  const compared = done(await runSafetyTask('compare', { file: one, other, examples: 10 }));
  expect(compared).toMatchObject({ moment: null, campaigns: [{ name: 'Here' }] });
});

test('a workspace of a newer Adslate can be looked at, and refuses edits', async () => {
  const file = join(aFolder(), 'workspace.db');
  const workspace = await aWorkspace(file);
  await edit(workspace, { creates: aSmallCampaign() });
  await workspace.close();
  withSql(file, `CREATE TABLE future(x); PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 999`);
  const before = readFileSync(file);
  const refused = await openWorkspace(options(file));
  if (refused.ok) throw new Error('opened for writing');
  const viewed = done(await openReadOnly(options(file), refused.error));
  expect((await viewed.workspace.readTrees('all'))[0]?.campaign.values.name).toBe('Towels');
  expect(await viewed.workspace.apply({ label: 'x', source: 'user', creates: aSmallCampaign() })).toMatchObject({
    error: { code: 'NOT_WRITABLE', data: { why: 'newer-schema' } },
  });
  expect(await call(viewed.workspace, 'workspace', 'undo')).toMatchObject({ error: { data: { why: 'newer-schema' } } });
  await viewed.workspace.close();
  expect(existsSync(viewed.folder)).toBe(false);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a workspace in a folder without write access can be looked at', async () => {
  const folder = aFolder();
  const file = join(folder, 'workspace.db');
  const workspace = await aWorkspace(file);
  await edit(workspace, { creates: aSmallCampaign() });
  await workspace.close();
  chmodSync(file, 0o400);
  chmodSync(folder, 0o500);
  try {
    const why = notWritable('read-only', 'no write access');
    const viewed = done(await openReadOnly(options(file), why));
    expect((await viewed.workspace.readTrees('all')).map((tree) => tree.campaign.values.name)).toEqual(['Towels']);
    expect(await call(viewed.workspace, 'workspace', 'undo')).toMatchObject({
      error: { data: { why: 'read-only' } },
    });
    await viewed.workspace.close();
  } finally {
    chmodSync(folder, 0o700);
  }
  expect(await names(file)).toEqual(['Towels']);
});
