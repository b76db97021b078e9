import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../main/app/clock.ts';
import { createFileLog } from '../../main/app/log.ts';
import { cli } from '../cli/cli.ts';
import { testFolder } from '../folder.ts';

/** What a user may hand to somebody who helps. */
const dataDir = testFolder('support');
const folder = testFolder('support-out');

beforeAll(async () => {
  await cli(dataDir, 'account', 'add', '--practice', '--name', 'Northwind secret launch');
  const log = createFileLog(dataDir, systemClock);
  log('request failed', { error: `ENOENT: no such file ${join(dataDir, 'media', 'x')}` });
  log('request failed', { error: `EACCES: ${join(homedir(), 'Documents')}` });
  for (let line = 0; line < 600; line += 1) log('request refused', { status: 403, count: line });
});

test('it holds versions, kinds of accounts and the end of the log', async () => {
  const { code, out } = await cli(dataDir, 'support');
  expect(code).toBe(0);
  expect(out).toContain(`Node       ${process.versions.node}`);
  expect(out).toMatch(/SQLite {5}3\.\d+\.\d+/);
  expect(out).toContain('1 practice, 0 connected');
  expect(out).toContain('"count":599');
  expect(out).not.toContain('"count":99,');
});

test('it holds no name of an account and no place on the disk', async () => {
  rmSync(join(dataDir, 'log'), { recursive: true, force: true });
  const log = createFileLog(dataDir, systemClock);
  log('request failed', { error: `ENOENT: no such file ${join(dataDir, 'media', 'x')}` });
  log('request failed', { error: `EACCES: ${join(homedir(), 'Documents')}` });
  const { out } = await cli(dataDir, 'support');
  expect(out).toContain('<data>');
  expect(out).toContain('<home>');
  for (const word of ['Northwind', dataDir, join(homedir(), 'Documents')]) expect(out).not.toContain(word);
});

test('it is written only where nothing is yet', async () => {
  const file = join(folder, 'support.txt');
  expect((await cli(dataDir, 'support', file)).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('Adslate diagnostic report.');
  writeFileSync(file, 'mine');
  expect((await cli(dataDir, 'support', file)).code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});
