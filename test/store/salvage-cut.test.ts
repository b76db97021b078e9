import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRouterClient } from '@orpc/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { runSafetyTask } from '../../main/store/safety/task.ts';
import { openWorkspace } from '../../main/store/workspace.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { aClock, aWorkspace, create, done, edit } from './a-workspace.ts';

/** Files that were cut short or lost pages: what is still on their pages comes back, and what is not is named. */
const PAGE = 4096;
const CAMPAIGNS = 1500;
const MARKER = /Marked campaign \d{4}!/gu;
const folder = testFolder('cut');
const whole = join(folder, 'whole.db');
/** The same with a log beside it that holds the newest names of the first campaigns. */
const logged = join(folder, 'logged.db');

const marked = (at: number): string => `Marked campaign ${String(at).padStart(4, '0')}!`;
beforeAll(async () => {
  const profile = defaultDeploymentSettings('shop.example');
  const workspace = done(await openWorkspace({ file: whole, profile, clock: aClock(), migrated: true }));
  const creates = Array.from({ length: CAMPAIGNS }, (_, at) => [
    create('campaign', null, { name: marked(at) }),
    create('adGroup', { at: 2 * at }, { name: 'Group' }),
  ]).flat();
  await edit(workspace, { creates });
  await workspace.close();
  // So that no page holds a copy that no longer counts, and the names on the pages can simply be looked for.
  const db = new DatabaseSync(whole);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  copyFileSync(whole, join(folder, 'writing.db'));
  const beside = new DatabaseSync(join(folder, 'writing.db'));
  beside.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  beside.exec(
    `UPDATE campaign SET name = replace(name, 'Marked', 'Newer') WHERE id IN (SELECT id FROM campaign ORDER BY id LIMIT 20)`,
  );
  for (const suffix of ['', '-wal']) copyFileSync(join(folder, 'writing.db') + suffix, logged + suffix);
  beside.close();
});

const root = (name: string): number => {
  const db = new DatabaseSync(whole, { readOnly: true });
  try {
    return Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)?.['rootpage']);
  } finally {
    db.close();
  }
};
const zeroed = (bytes: Buffer, page: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.fill(0, (page - 1) * PAGE, page * PAGE);
  return copy;
};
const pageWith = (bytes: Buffer, text: string): number => Math.floor(bytes.indexOf(text) / PAGE) + 1;

const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['lost its last 4 KiB', (bytes) => bytes.subarray(0, bytes.length - PAGE)],
  ['lost half of its last page', (bytes) => bytes.subarray(0, bytes.length - PAGE / 2)],
  ['was cut in half', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['was cut in the middle of its rows', (bytes) => bytes.subarray(0, pageWith(bytes, marked(700)) * PAGE)],
  ['lost a page of rows', (bytes) => zeroed(bytes, pageWith(bytes, marked(700)))],
  ['lost the page above its rows', (bytes) => zeroed(bytes, root('campaign'))],
  ['lost its first page', (bytes) => zeroed(bytes, 1)],
  [
    'lost its first page and half of its rows',
    (bytes) => zeroed(bytes, 1).subarray(0, pageWith(bytes, marked(700)) * PAGE),
  ],
  ['has noise in a page', (bytes) => Buffer.from(bytes).fill(0xff, 40 * PAGE, 41 * PAGE)],
];

/** What stands in the bytes, by a plain search; a page above others still has the bytes of when it held rows itself. */
function namesOn(bytes: Buffer): readonly string[] {
  const found = new Set<string>();
  for (let at = 0; at < bytes.length; at += PAGE) {
    const page = bytes.subarray(at, at + PAGE);
    if (page[0] !== ABOVE_ROWS) for (const [name] of page.toString('latin1').matchAll(MARKER)) found.add(name);
  }
  return [...found].toSorted();
}
const ABOVE_ROWS = 5;

async function salvageOf(bytes: Buffer, name: string, log: string | null = null) {
  const file = join(folder, `${name}.db`);
  const target = join(folder, `${name}-salvaged.db`);
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  for (const suffix of ['', '-wal', '-shm']) rmSync(target + suffix, { force: true });
  writeFileSync(file, bytes);
  if (log !== null) copyFileSync(log, `${file}-wal`);
  const salvaged = await runSafetyTask('recover', { damaged: file, target });
  expect(readFileSync(file).equals(bytes), 'the damaged file is as it was').toBe(true);
  return { salvaged, target };
}

async function namesIn(target: string): Promise<readonly string[]> {
  const copy = await aWorkspace(target);
  expect(await copy.verify()).toEqual([]);
  const names = (await copy.readTrees('all')).map((tree) => tree.campaign.values.name ?? '');
  await copy.close();
  return names.toSorted();
}

describe.each(share('damaged files', DAMAGES, 3))('a file that %s', (what, damage) => {
  const name = what.replace(/\W+/gu, '-');
  test('gives every row that is still on its pages, and says about how many are not', async () => {
    const bytes = damage(readFileSync(whole));
    const there = namesOn(bytes);
    const { salvaged, target } = await salvageOf(bytes, name);
    // An empty account in its place would look as if there had been nothing.
    if (there.length === 0) {
      expect(salvaged).toMatchObject({
        ok: false,
        error: { data: { why: 'damaged', detail: 'no row could be read' } },
      });
      return;
    }
    const { tables, lostRows, missingBytes } = done(salvaged);
    expect(await namesIn(target)).toEqual(there);
    expect(tables.find(({ table }) => table === 'campaign')?.rows).toBe(there.length);
    if (there.length < CAMPAIGNS && bytes[0] !== 0) expect(lostRows).toBeGreaterThan(0);
    const isCut = bytes.length < readFileSync(whole).length && bytes[0] !== 0;
    expect(missingBytes).toBe(isCut ? readFileSync(whole).length - bytes.length : 0);
  });

  test('gives what the log beside it holds as well', async () => {
    const bytes = damage(readFileSync(logged));
    const { salvaged, target } = await salvageOf(bytes, `${name}-logged`, `${logged}-wal`);
    done(salvaged);
    const names = await namesIn(target);
    expect(names.filter((each) => each.startsWith('Newer'))).toHaveLength(20);
  });
});

test('a damaged header that claims billions of pages is not believed, nor are they counted page by page', async () => {
  const bytes = Buffer.from(readFileSync(whole).subarray(0, -PAGE / 2));
  bytes.writeUInt32BE(0xffff_fffe, 28);
  const { salvaged, target } = await salvageOf(bytes, 'billions');
  expect(done(salvaged).missingBytes).toBeNull();
  expect(await namesIn(target)).toEqual(namesOn(bytes));
});

test('a file of a page and a half holds no row, which is said, and it stays as it is', async () => {
  const { salvaged } = await salvageOf(readFileSync(whole).subarray(0, PAGE * 1.5), 'stump');
  expect(salvaged).toMatchObject({ ok: false, error: { data: { why: 'damaged', detail: 'no row could be read' } } });
});

test('an account whose file was cut short and that has no backup is read out of it', async () => {
  const dataDir = join(folder, 'data');
  const before = await startCore(dataDir);
  const { workspaceId } = await createRouterClient(before.router).accounts.addPractice({ name: 'Shop' });
  const rows = Array.from({ length: 153 }, (_, at) => ({
    kind: 'campaign' as const,
    parent: null,
    values: { name: marked(at) },
  }));
  await createRouterClient(before.router).workspace.create({ workspaceId, label: 'Rows', rows });
  await before.close();
  const home = join(dataDir, 'workspaces', workspaceId);
  expect(existsSync(join(home, 'backups'))).toBe(false);
  const file = join(home, 'workspace.db');
  truncateSync(file, readFileSync(file).length - PAGE);
  const core = await startCore(dataDir);
  const client = createRouterClient(core.router);
  await expect(client.workspace.summary({ workspaceId })).rejects.toMatchObject({ data: { why: 'damaged' } });
  const salvaged = await client.backups.recover({ workspaceId });
  expect(salvaged.missingBytes).toBe(PAGE);
  const there = new Set(readFileSync(join(home, salvaged.setAside, 'workspace.db'), 'latin1').match(MARKER));
  const { rows: kept } = await client.workspace.summary({ workspaceId });
  expect(kept.campaign).toBeGreaterThan(100);
  expect(kept.campaign).toBeLessThanOrEqual(there.size);
  await core.close();
});
