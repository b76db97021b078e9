import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRouterClient, safe } from '@orpc/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Core } from '../../main/core/core.ts';
import { THREADS } from '../../main/core/core-options.ts';
import { createKnownSigners } from '../../main/files/archive/signature.ts';
import { createFileGrants } from '../../main/files/media/file-grants.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import { createSheetExchange } from '../../main/files/spreadsheet/exchange.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { addRows, startCore } from '../core/a-core.ts';
import { copyAccount } from '../prepared-account.ts';
import { aClock, aFolder, aSmallCampaign, aWorkspace, done, edit, type TestClock } from '../store/a-workspace.ts';

let folder: string;
let clock: TestClock;
let core: Core;
let client: Client;
let id: WorkspaceId;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'adslate-machine-'));
  clock = aClock();
  copyAccount(folder);
  core = await startCore(folder, { clock, threads: THREADS });
  client = createRouterClient(core.router);
  id = (await client.accounts.list())[0]?.workspaceId ?? id;
});
afterEach(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

const campaign = (name: string, values = {}) =>
  addRows(client, id, `Create ${name}`, [{ kind: 'campaign', parent: null, values: { name, ...values } }]);

test('fault 65: the log of another database is never mixed in', async () => {
  const own = aFolder();
  const files = ['one', 'other'].map((name) => join(own, `${name}.db`)) as [string, string];
  for (const [i, file] of files.entries()) {
    const workspace = await aWorkspace(file);
    await edit(workspace, { creates: aSmallCampaign(`Of ${i}`) });
    if (i === 1) copyFileSync(`${file}-wal`, join(own, 'stray-wal'));
    await workspace.close();
  }
  copyFileSync(join(own, 'stray-wal'), `${files[0]}-wal`);
  const profile = defaultDeploymentSettings('shop.example');
  const options = { file: files[0], workspaceId: 'test', profile, clock, migrated: true };
  expect(await openWorkspace(options)).toMatchObject({
    error: { data: { why: 'damaged', detail: expect.stringContaining('belongs to another') } },
  });
  rmSync(`${files[0]}-wal`);
  const workspace = await aWorkspace(files[0]);
  expect((await workspace.readTrees('all')).map((tree) => tree.campaign.values.name)).toEqual(['Of 0']);
  expect(await workspace.verify()).toEqual([]);
});

test('fault 113: a clock that jumps back a day, ahead a month or to 1970 keeps the order of what was done', async () => {
  for (const [i, jumpMs] of [0, -86_400_000, 30 * 86_400_000, -clock.nowMs()].entries()) {
    clock.moveMs(jumpMs);
    await campaign(`Step ${i}`);
  }
  const { steps } = await client.workspace.history({ workspaceId: id, from: 0, count: 10 });
  expect(steps.map(({ label }) => label)).toEqual([3, 2, 1, 0].map((i) => `Create Step ${i}`));
  await client.workspace.undo({ workspaceId: id });
  expect((await client.workspace.summary({ workspaceId: id })).rows.campaign).toBe(3);
});

test('fault 114: plain dates do not move with the time zone of the machine', async () => {
  const zone = process.env['TZ'];
  try {
    process.env['TZ'] = 'Pacific/Kiritimati';
    await campaign('Dated', { startDate: '2030-01-01', endDate: '2030-12-31' });
    process.env['TZ'] = 'Pacific/Pago_Pago';
    const opened = done(await core.open.get(id));
    const [tree] = await opened.workspace.readTrees('all');
    expect(tree?.campaign.values).toMatchObject({ startDate: '2030-01-01', endDate: '2030-12-31' });
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test('fault 118: when a thread of the workspace fails, the account opens anew and holds everything', async () => {
  await campaign('Before');
  const file = join(folder, 'workspaces', id, 'workspace.db');
  const other = new DatabaseSync(file, { timeout: 30_000 });
  const ddl = String(other.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'check_pending'`).get()?.['sql']);
  // The check that runs by itself after an edit meets a table that is gone, and its thread ends.
  other.exec('DROP TABLE check_pending');
  await safe(campaign('Lost on the way'));
  // Opening it anew while the table is gone may fail as well, half way through.
  for (let tries = 0; tries < 1200 && (await core.open.get(id)).ok; tries++) {
    const { error } = await safe(client.workspace.summary({ workspaceId: id }));
    if (error !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  other.exec(ddl);
  other.close();
  // The threads of the last try may still be on their way out.
  let after = await safe(campaign('After'));
  for (let tries = 0; tries < 1200 && after.error !== null; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    after = await safe(campaign('After'));
  }
  expect(after.error).toBeNull();
  expect((await client.workspace.summary({ workspaceId: id })).rows.campaign).toBeGreaterThanOrEqual(2);
});

test('fault F17: an account that cannot be opened to its end says so as a value, and opens once it can', async () => {
  await campaign('Spring');
  await core.open.close(id);
  const remembered = join(folder, 'openings.json');
  renameSync(remembered, `${remembered}.away`);
  mkdirSync(remembered);
  for (const _ of ['once', 'again']) {
    expect(await core.open.get(id)).toMatchObject({
      ok: false,
      error: { code: 'NOT_WRITABLE', data: { why: 'failed' } },
    });
  }
  rmSync(remembered, { recursive: true });
  renameSync(`${remembered}.away`, remembered);
  expect(await core.open.get(id)).toMatchObject({ ok: true });
  expect((await client.workspace.summary({ workspaceId: id })).rows.campaign).toBe(1);
});

test('fault 119: an import that needs more memory than there is is refused, and takes nothing along', async () => {
  await campaign('Spring');
  const words = Array.from({ length: 20_000 }, (_, i) => `keyword,Spring,Main,${`${i} `.repeat(500)},exact,1.00`);
  writeFileSync(
    join(folder, 'large.csv'),
    ['Type,Campaign,Ad group,Keyword,Match type,Bid', 'ad group,Spring,Main,,,', ...words].join('\n'),
  );
  const grants = createFileGrants(join(folder, 'spool'));
  const prober = createProber();
  const signers = createKnownSigners(join(folder, 'known-signers.json'));
  const signing = { key: async () => null, who: () => '', signers, nowMs: () => clock.nowMs() };
  const exchange = createSheetExchange({ grants, prober, signing, start: THREADS.exchange, threadMb: 24 });
  try {
    const [granted, opened] = [await grants.grantPath(join(folder, 'large.csv')), await core.open.get(id)];
    if (!granted.ok || !opened.ok) throw new Error('not granted, or not open');
    expect(await exchange.preview(opened.value, granted.value)).toEqual({
      ok: false,
      error: { reason: 'cannot-read', params: { code: 'not enough memory' } },
    });
  } finally {
    await exchange.close();
    await prober.close();
    await grants.close();
  }
  await campaign('Still here');
});

test('fault M1: a sheet that changes after its preview is applied as it was shown', async () => {
  writeFileSync(join(folder, 'sheet.csv'), 'Type,Campaign,Campaign type\ncampaign,New,sba\n');
  const granted = done(await core.grants.grantPath(join(folder, 'sheet.csv')));
  const preview = await client.exchange.preview({ workspaceId: id, grant: granted.grant });
  writeFileSync(join(folder, 'sheet.csv'), 'Type,Campaign,Campaign type\ncampaign,Other,sba\ncampaign,More,sba\n');
  const applied = await safe(client.exchange.apply({ workspaceId: id, previewId: preview.previewId }));
  // A short sheet is applied as it was shown, whatever became of its file.
  expect(applied.error).toBeNull();
  const opened = await core.open.get(id);
  const trees = opened.ok ? await opened.value.workspace.readTrees('all') : [];
  expect(trees.map((tree) => tree.campaign.values.name)).toEqual(['New']);
  expect(existsSync(join(folder, 'workspaces', id, 'imports', `${preview.previewId}.db`))).toBe(false);
});
