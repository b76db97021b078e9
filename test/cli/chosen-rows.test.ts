import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, temporaryFolder } from './cli.ts';

/** A sync of some rows only, on the command line. */
const folder = temporaryFolder('only');
const data = join(folder.path, 'data');
beforeAll(async () => {
  await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
  const sheet = join(folder.path, 'sheet.csv');
  const lines = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Status,Start,Daily budget,Keyword,Match type,Bid',
    'campaign,Lamps,,sponsoredProducts,manual,enabled,2030-05-01,75,,,',
    'ad group,Lamps,Lamps group,,,enabled,,,,,',
    'keyword,Lamps,Lamps group,,,enabled,,,reading lamp,exact,2.50',
    'keyword,Lamps,Lamps group,,,enabled,,,night light,exact,1.50',
  ];
  writeFileSync(sheet, lines.join('\n'));
  expect(await cli(data, 'import', sheet)).toMatchObject({ code: 0 });
});
afterAll(folder.remove);

test('--only plans and sends the rows of a filter with their new parents, and names what stays', async () => {
  const plan = await cli(data, 'plan', '--only', 'keyword: bid>2');
  expect(plan.out).toContain('goes along (new, and a chosen row hangs from it): Lamps, Lamps group');
  expect(plan.out).toContain('left out (not chosen): night light');
  expect((await cli(data, 'sync', '--yes', '--only', 'keyword: bid>2')).out).toContain('3 done');
  expect((await cli(data, 'plan')).out).toMatch(/create 1 keyword/);
});

test('--only that names nothing, or no type, sends nothing and says so', async () => {
  expect(await cli(data, 'sync', '--yes', '--only', 'keyword: bid>99')).toMatchObject({ code: 2 });
  expect((await cli(data, 'sync', '--yes', '--only', 'banner')).err).toContain('--only is one of campaign, ad group');
});
