import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** A sync taken back on the command line. */
const folder = temporaryFolder('take-back');
const data = folder.path;
const Preview = z.object({ changes: z.int(), forGood: z.int(), changedSince: z.int() });

beforeAll(async () => {
  await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
});
afterAll(folder.remove);

test('before anything was sent there is nothing to take back', async () => {
  expect((await cli(data, 'take-back', '--list')).out).toContain('No sync has sent anything yet');
  expect(await cli(data, 'take-back')).toMatchObject({ code: 2 });
});

test('the last sync is shown, staged into the drafts and sent like any edit', async () => {
  await cli(data, 'import', resolve('examples/campaigns.csv'));
  await cli(data, 'sync', '--yes');
  const { code, json } = await cliJson(Preview, data, 'take-back');
  expect(code).toBe(0);
  expect(json.changes).toBeGreaterThan(10);
  expect(json.forGood).toBeGreaterThan(5);
  expect((await cli(data, 'plan')).out).toContain('Nothing to send');
  const staged = await cliJson(z.object({ cells: z.int() }), data, 'take-back', '--stage');
  expect(staged.json.cells).toBe(json.changes);
  expect((await cli(data, 'plan')).out).toMatch(/PUT .*\/api\/v1\/adItems/);
  expect((await cli(data, 'take-back', 'no-such-run')).err).toContain('--list');
});
