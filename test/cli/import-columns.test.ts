import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** Columns of a sheet that are chosen on the command line. */
const folder = temporaryFolder('import-columns');
const data = join(folder.path, 'data');
const Imported = z.object({ added: z.int(), changed: z.int(), unchanged: z.int(), leftOut: z.int() });

const HEAD = 'Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Keyword,Match type,Bid';
function sheet(name: string, lines: readonly string[]): string {
  const path = join(folder.path, name);
  writeFileSync(path, [HEAD, ...lines].join('\r\n'));
  return path;
}

beforeAll(async () => {
  const added = await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
  expect(added.code).toBe(0);
  const first = [
    'campaign,Pans,,sponsoredProducts,manual,50,,,',
    'ad group,Pans,Group,,,,,,',
    'keyword,Pans,Group,,,,iron pan,exact,1.50',
  ];
  expect((await cli(data, 'import', sheet('first.csv', first))).code).toBe(0);
});
afterAll(folder.remove);

const EDITED = [
  'campaign,Pans,,,,60,,,',
  'keyword,Pans,Group,,,,iron pan,exact,1.75',
  'keyword,Pans,Group,,,,pot,exact,2',
];

test('only the columns that are named count, and all but those', async () => {
  const edited = sheet('edited.csv', EDITED);
  const dry = (...columns: readonly string[]) => cliJson(Imported, data, 'import', edited, '--dry-run', ...columns);
  expect((await dry('--only-columns', 'Daily budget')).json).toMatchObject({ added: 0, changed: 1, leftOut: 2 });
  expect((await dry('--only-columns', 'bid, daily budget')).json).toMatchObject({ added: 1, changed: 2, leftOut: 0 });
  expect((await dry('--without-columns', 'Bid')).json).toMatchObject({ added: 1, changed: 1, leftOut: 1 });
  const said = await cli(data, 'import', edited, '--without-columns', 'Keyword');
  expect(said.out).toContain('New rows cannot do without Keyword: it came in with them.');
  expect(said.out).toContain('1 added, 2 changed, 0 unchanged, 0 errors.');
});

test('a name that is no column, and both ways at once, are no usage', async () => {
  const edited = sheet('again.csv', EDITED);
  const wrong = await cli(data, 'import', edited, '--only-columns', 'Colour');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('There is no column "Colour"')]);
  const both = await cli(data, 'import', edited, '--only-columns', 'Bid', '--without-columns', 'Bid');
  expect(both.code).toBe(2);
});

test('rows that cannot come in are saved although the others do', async () => {
  const path = sheet('partly.csv', ['campaign,Pans,,,,70,,,', 'keyword,Pans,Group,,,,wok,sideways,1']);
  const failed = join(folder.path, 'failed.csv');
  const done = await cli(data, 'import', path, '--failed', failed);
  expect([done.code, existsSync(failed)]).toEqual([1, true]);
  expect(readFileSync(failed, 'utf8')).toContain('wok');
});
