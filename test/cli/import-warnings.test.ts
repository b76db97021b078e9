import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { aZip } from '../faults/sheets/zip.ts';
import { aPng } from '../media/builders.ts';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** What the command line says of cells that come in otherwise than they are written, and of the sheets of a workbook. */
const folder = temporaryFolder('import-warnings');
const data = join(folder.path, 'data');
const Place = z.object({ line: z.int(), column: z.string(), message: z.string() });
const Imported = z.object({
  added: z.int(),
  changed: z.int(),
  errors: z.array(Place),
  warnings: z.array(Place),
  sheet: z.string().optional(),
  otherSheets: z.array(z.unknown()).optional(),
});

beforeAll(async () => {
  expect((await cli(data, 'account', 'add', '--name', 'Practice', '--practice')).code).toBe(0);
});
afterAll(folder.remove);

const HEAD = [
  'Type',
  'Campaign',
  'Ad group',
  'Campaign type',
  'Targeting',
  'Daily budget',
  'Keyword',
  'Match type',
  'Bid',
];
const ROWS = [
  ['campaign', 'Pans', '', 'sponsoredProducts', 'manual', '50.005', '', '', ''],
  ['ad group', 'Pans', 'Group', '', '', '', '', '', ''],
  ['keyword', 'Pans', 'Group', '', '', '', 'iron pan', 'exact', '1.239'],
  ['keyword', 'Pans', 'Group', '', '', '', 'steel pan', 'exact', '1.239'],
  ['keyword', 'Pans', 'Group', '', '', '', 'pan', 'sideways', '1.239'],
  ['keyword', 'Pans', 'Group', '', '', '', 'wok', 'exact', '1.230'],
];
const cut = (text: string, kept: string) => `${text} is read as ${kept}: two decimals are kept, the rest is cut off.`;

test('a number with more decimals than are kept is named in each row that comes in, with both values', async () => {
  const path = join(folder.path, 'cut.csv');
  writeFileSync(path, [HEAD, ...ROWS].map((cells) => cells.join(',')).join('\n'));
  const { json } = await cliJson(Imported, data, 'import', path, '--dry-run');
  expect(json.warnings).toEqual([
    { line: 2, column: 'Daily budget', message: cut('50.005', '50.00') },
    { line: 4, column: 'Bid', message: cut('1.239', '1.23') },
    { line: 5, column: 'Bid', message: cut('1.239', '1.23') },
  ]);
  expect(json.errors.map(({ line }) => line)).toEqual([6]);
  expect(json).not.toHaveProperty('sheet');
  expect(json).not.toHaveProperty('otherSheets');
  const without = await cliJson(Imported, data, 'import', path, '--dry-run', '--without-columns', 'Bid');
  expect(without.json.warnings.map(({ line }) => line)).toEqual([2]);
  const said = await cli(data, 'import', path, '--dry-run');
  expect(said.out).toContain(`line 4, Bid: ${cut('1.239', '1.23')}`);
});

test('a multiplier and a decimal comma are cut and named the same way', async () => {
  const path = join(folder.path, 'factors.csv');
  const lines = [
    'Type;Campaign;Campaign type;Targeting;Placement;Multiplier',
    'campaign;Pots;sponsoredProducts;manual;;',
    'placement multiplier;Pots;;;Search Ingrid;150,555',
  ];
  writeFileSync(path, lines.join('\n'));
  const { json } = await cliJson(Imported, data, 'import', path, '--dry-run', '--decimals', 'comma');
  expect(json.warnings).toEqual([{ line: 3, column: 'Multiplier', message: cut('150,555', '150.55') }]);
});

test('numbers that were cut and what is odd about quotes and cells stand in one list, in the order of the file', async () => {
  const path = join(folder.path, 'odd.csv');
  const lines = [
    'Type,Campaign,Campaign type,Targeting,Daily budget',
    'campaign,"Lids" and more,sponsoredProducts,manual,50.005',
    'campaign,Jars,sponsoredProducts,manual,20,99',
    'campaign,Tins,sponsoredProducts,manual,1.999',
  ];
  writeFileSync(path, lines.join('\n'));
  const { json } = await cliJson(Imported, data, 'import', path, '--dry-run');
  expect(json.warnings).toEqual([
    { line: 2, column: 'Campaign', message: expect.stringContaining('It was read as "Lids and more"') },
    { line: 2, column: 'Daily budget', message: cut('50.005', '50.00') },
    { line: 3, column: '', message: expect.stringContaining('6 cells, and the header has 5') },
    { line: 4, column: 'Daily budget', message: cut('1.999', '1.99') },
  ]);
  expect(json).toMatchObject({ added: 3, errors: [] });
  const said = await cli(data, 'import', path, '--dry-run');
  expect(said.out).toContain(`Warning: line 4, Daily budget: ${cut('1.999', '1.99')}`);
  expect(said.out).toContain('Warning: line 3: This row has 6 cells');
});

test('files of a folder that are no media are named as skipped, and an archive that is named is refused', async () => {
  const inside = join(folder.path, 'media');
  mkdirSync(join(inside, 'deep'), { recursive: true });
  writeFileSync(join(inside, 'logo.png'), aPng(100, 100));
  const archive = join(inside, 'deep', 'more.zip');
  writeFileSync(archive, aZip({ '../logo.png': 'x' }));
  const Added = z.object({
    files: z.array(z.object({ file: z.string(), outcome: z.string() })),
    skipped: z.array(z.string()),
  });
  const { json } = await cliJson(Added, data, 'media', 'add', inside, archive);
  expect(json).toEqual({
    files: [
      { file: 'logo.png', outcome: 'added' },
      { file: 'more.zip', outcome: 'refused' },
    ],
    skipped: [archive],
  });
});

test('the sheet of a workbook that was read is named, and another can be', async () => {
  const path = join(folder.path, 'plan.xlsx');
  const sheets = [
    { name: 'Notes', rows: [['Read me']] },
    { name: 'Plan', rows: [HEAD, ...ROWS.slice(0, 2)] },
    { name: 'Next', rows: [HEAD, ['campaign', 'Lids', '', 'sponsoredProducts', 'manual', '20', '', '', '']] },
  ];
  writeFileSync(path, await writeXlsx({ sheets }));
  const first = await cliJson(Imported, data, 'import', path, '--dry-run');
  expect(first.json).toMatchObject({
    sheet: 'Plan',
    otherSheets: [
      { name: 'Notes', hidden: false, rows: 1 },
      { name: 'Next', hidden: false, rows: 2 },
    ],
  });
  const said = await cli(data, 'import', path, '--sheet', 'Next');
  expect(said.out).toContain(
    'Read the sheet "Next". Not read: "Notes" (1 row), "Plan" (3 rows); --sheet NAME reads another.',
  );
  expect(said.out).toContain('1 added');
  const wrong = await cliJson(Imported.partial(), data, 'import', path, '--sheet', 'Later');
  expect(wrong.json.errors?.[0]?.message).toContain('Its sheets are "Notes", "Plan", "Next".');
});

test('a file of one table has no sheets to choose from', async () => {
  const csv = join(folder.path, 'plain.csv');
  writeFileSync(csv, 'Type,Campaign\ncampaign,Solo\n');
  const table = await cliJson(Imported.partial(), data, 'import', csv, '--sheet', 'Plan');
  expect(table.json.errors?.[0]?.message).toContain('it holds one table');
});
