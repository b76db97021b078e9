import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createPreviews } from '../../main/files/media/file-grants.ts';
import { createExportFiles } from '../../main/files/spreadsheet/export-files.ts';
import { fail, ok } from '../../shared/result.ts';
import { aWebHost } from './a-web-host.ts';
import { openLine } from './lines.ts';
import { aDesk, type Desk, LONG_WORKS, leftovers, race } from './long-work.ts';

/** A few calls at once here; `npm run test:long-work` makes fifty of each pair. */
let desk: Desk;
beforeAll(async () => {
  desk = await aDesk();
  return () => desk.close();
});

test('of syncs that are asked for at once one runs, and the others are told which', async () => {
  const { answered, refused, problems } = await race(desk, ['sync'], 12);
  expect(problems).toEqual([]);
  expect(refused).toEqual({ SYNC_RUNNING: 12 - answered });
  expect(answered).toBeGreaterThan(0);
});

test('backups that begin in the same moment are as many backups', async () => {
  const { answered, problems } = await race(desk, ['backup', 'sync'], 12);
  expect(problems).toEqual([]);
  const { workspaceId } = desk.facts;
  const made = await desk.line.client.backups.list({ workspaceId });
  expect(made.filter(({ reason }) => reason === 'by-hand')).toHaveLength(6 + 1);
  expect(answered).toBeGreaterThanOrEqual(6 + 1);
});

test('more imports than previews are kept all come in, and none for another', async () => {
  const { answered, problems } = await race(desk, ['import'], 6);
  expect(problems).toEqual([]);
  expect(answered).toBe(6);
});

test('the same picture added by several calls at once is in the library once', async () => {
  const { answered, problems } = await race(desk, ['media'], 40);
  expect(problems).toEqual([]);
  expect(answered).toBe(40);
});

test('every long operation at once with every other ends as itself and leaves nothing behind', async () => {
  const { problems } = await race(desk, LONG_WORKS, LONG_WORKS.length);
  expect(problems).toEqual([]);
});

test('what an earlier process left half-written is gone when the account is opened', async () => {
  const host = await aWebHost();
  const { client } = await openLine['direct call'](host);
  const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
  const folder = join(host.dataDir, 'workspaces', workspaceId);
  for (const name of [
    'workspace.db.salvaging',
    'backups/before-sync-x.adslate-backup.0123456789ab.tmp',
    'media/arriving-00',
    'reports/a.json.00.part',
    'imports/0123.db',
  ]) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), 'half');
  }
  expect(leftovers(host.dataDir)).toHaveLength(5);
  await client.workspace.summary({ workspaceId });
  expect(leftovers(host.dataDir)).toEqual([]);
  await host.close();
});

test('a file for a window to save stays while others are written, and goes when its writing fails', async () => {
  const folder = join(desk.host.dataDir, 'exports-apart');
  const nowMs = () => Date.parse('2036-01-01');
  const files = createExportFiles(folder, createPreviews(), nowMs);
  const file = { contentType: 'text/csv', fileName: 'a.csv', workspaceId: 'shop' };
  const slow = files.write(file, async (path) => {
    writeFileSync(path, 'slow');
    for (let count = 0; count < 12; count += 1) await files.save(file, 'other', 1);
    return ok(1);
  });
  expect(await slow).toMatchObject({ value: { bytes: 4 } });
  let place = '';
  const failing = files.write(file, async (path) => {
    place = path;
    writeFileSync(path, 'half');
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(() => writeFileSync(place, '', { flag: 'wx' })).not.toThrow();
  const refused = await files.write(file, async (path) => {
    place = path;
    writeFileSync(path, 'half');
    return fail('BAD_FILE', {});
  });
  expect(refused).toEqual(fail('BAD_FILE', {}));
  expect(existsSync(place)).toBe(false);
});
