import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { aFilm, aPng } from '../media/builders.ts';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** What a marketer gets wrong, and the sentence that says so: it names the thing, the rule and the next step. */
const folder = temporaryFolder('bad-input');
const data = join(folder.path, 'data');
afterAll(folder.remove);
const file = (name: string, content: string | Buffer): string => {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
};

const Import = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  errors: z.array(z.object({ line: z.int(), column: z.string(), message: z.string() })),
});
const Check = z.object({
  counts: z.object({ error: z.int(), warning: z.int(), advice: z.int() }),
  findings: z.array(
    z.object({
      rule: z.string(),
      severity: z.string(),
      type: z.string(),
      campaign: z.string(),
      row: z.int().nullable(),
      field: z.string().nullable(),
      message: z.string(),
    }),
  ),
});
const Media = z.object({
  files: z.array(z.object({ file: z.string(), outcome: z.string(), message: z.string().optional() })),
  findings: z.array(z.object({ rule: z.string(), severity: z.string(), message: z.string() })),
});

beforeAll(async () => {
  const added = await cliJson(
    z.object({ account: z.string(), advertiserId: z.string() }),
    data,
    'account',
    'add',
    '--name',
    'Shop',
    '--practice',
  );
  expect(added).toEqual({ code: 0, json: { account: 'Shop', advertiserId: '900001' } });
});

test('a text renamed .mp4 is refused and named, and its neighbour is added', async () => {
  const text = file('notes.mp4', 'Meeting notes\n');
  const good = file('good.mp4', aFilm({ durationMs: 20_000, mdatBytes: 777 }));
  const { code, json } = await cliJson(Media, data, 'media', 'add', text, good);
  expect(code).toBe(1);
  expect(json.files).toMatchObject([
    { file: 'notes.mp4', outcome: 'refused', message: expect.stringMatching(/notes\.mp4 is a text.*\.mp4, \.mov/) },
    { file: 'good.mp4', outcome: 'added' },
  ]);
});
test('a folder stands for the media in it, and one without media is named', async () => {
  const { code, json } = await cliJson(Media, data, 'media', 'add', 'examples');
  expect(code).toBe(0);
  expect(json.files.map((found) => found.outcome)).toEqual(['added', 'added', 'added', 'added', 'added']);
  expect(await cli(data, 'media', 'add', 'scripts')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/holds no videos/),
  });
});

const HEADER =
  'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start,End,Item id,Bid,Keyword,Match type,Brand,Headline,Click URL';
const sheetOf = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

test('a long headline, a low bid and an http address come in and are found at their lines', async () => {
  const sheet = sheetOf(
    'campaign,Brand A,sba,manual,500,20,2030-01-07,2030-02-07',
    `sba profile,Brand A,,,,,,,,,,,Northwind,${'H'.repeat(46)},http://shop.example/brand`,
    'campaign,Video A,video,manual,500,20,2030-01-07,2030-02-07',
    'keyword,Video A,,,,,,,,1.49,paper towel,exact',
  );
  const imported = await cliJson(Import, data, 'import', file('a.csv', sheet));
  expect(imported).toMatchObject({ code: 0, json: { added: 4, errors: [] } });
  const { code, json } = await cliJson(Check, data, 'check');
  expect(code).toBe(1);
  const errorAt = (row: number, field: string) =>
    json.findings.find((found) => found.severity === 'error' && found.row === row && found.field === field);
  expect(errorAt(3, 'headline')?.message).toMatch(/46.*45|45.*46/);
  expect(errorAt(3, 'clickUrl')?.message).toMatch(/https/);
  expect(errorAt(5, 'bid')?.message).toMatch(/1\.50/);
  expect(errorAt(5, 'bid')).toMatchObject({ type: 'keyword', campaign: 'Video A' });
});
test('an import changes nothing when it is repeated, and a dry run changes nothing at all', async () => {
  const sheet = file('c.csv', sheetOf('campaign,Auto C,sponsoredProducts,auto,500,20,2030-01-07,2030-02-07'));
  expect(await cliJson(Import, data, 'import', sheet, '--dry-run')).toMatchObject({ json: { added: 1 } });
  expect(await cliJson(Import, data, 'import', sheet)).toMatchObject({ json: { added: 1 } });
  expect(await cliJson(Import, data, 'import', sheet)).toMatchObject({ json: { added: 0, unchanged: 1 } });
});
test('an amount that may be read in two ways is asked about, never guessed', async () => {
  const sheet = file('d.csv', sheetOf('campaign,Auto D,sponsoredProducts,auto,"500,50",20,2030-01-07,2030-02-07'));
  const { code, json } = await cliJson(Import, data, 'import', sheet);
  expect(code).toBe(1);
  expect(json).toMatchObject({ added: 0, errors: [{ line: 2, column: 'Total budget' }] });
  expect(json.errors[0]?.message).toMatch(/"500,50" may be read in two ways.*--decimals comma/);
  expect(await cliJson(Import, data, 'import', sheet, '--decimals', 'comma')).toMatchObject({
    code: 0,
    json: { added: 1 },
  });
});
test('a sheet names files beside it, and only there', async () => {
  file('beside.png', aPng(100, 100));
  const header = 'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start,Brand,Headline,Click URL,Logo';
  const rows = ['beside.png', 'none.png', '/etc/hostname', '../../x.png', 'notes.mp4'].map(
    (logo, at) => `sba profile,Brand E${at},,,,,,Northwind,Hello ${at},https://shop.example/a,${logo}`,
  );
  const campaigns = rows.map((_row, at) => `campaign,Brand E${at},sba,manual,500,20,2030-01-07,,,,`);
  const { code, json } = await cliJson(
    Import,
    data,
    'import',
    file('e.csv', [header, ...campaigns, ...rows].join('\n')),
  );
  expect(code).toBe(1);
  expect(json.errors.map(({ line, column }) => [line, column])).toEqual([
    [8, 'Logo'],
    [9, 'Logo'],
    [10, 'Logo'],
    [11, 'Logo'],
  ]);
  expect(json.added).toBe(6);
});
test('a missing file and a missing account are named', async () => {
  expect(await cli(data, 'import', join(folder.path, 'none.csv'))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/none\.csv cannot be read/),
  });
  expect(await cli(data, 'check', '--account', 'Nobody')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no account "Nobody"/),
  });
  expect(await cli(join(folder.path, 'fresh'), 'check')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/account add/),
  });
});
test('a name that is taken is refused', async () => {
  expect(await cli(data, 'account', 'add', '--name', 'shop', '--practice')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/"shop".*another name/),
  });
});
