import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** Damaged item ids on the command line, against the practice service and its catalogue. */
const folder = temporaryFolder('ids');
const data = join(folder.path, 'data');
const file = (name: string): string => join(folder.path, name);

/** Items of the practice catalogue with the default seed; the first begins with a zero, which spreadsheets drop. */
const ITEM = '0799650557';
const OTHER = '0553680321';

const Scan = z.object({
  ids: z.int(),
  damaged: z.array(
    z.object({ itemId: z.string(), damage: z.string(), rows: z.int(), proposed: z.string().nullable() }),
  ),
  notSearched: z.string().nullable(),
});

const sheet = (ids: readonly string[]): string =>
  [
    'Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start,Item id,Bid',
    'campaign,Towels,,sponsoredProducts,auto,500,50,2030-03-04,,',
    'ad group,Towels,Towels group,,,,,,,',
    ...ids.map((id) => `ad item,Towels,Towels group,,,,,,"${id}",1.60`),
  ].join('\r\n');

beforeAll(async () => {
  const added = await cli(data, 'account', 'add', '--name', 'Practice', '--practice');
  expect(added.code).toBe(0);
});
afterAll(folder.remove);

test('a sheet that a spreadsheet program has spoiled is looked through, mended and imported', async () => {
  writeFileSync(file('spoiled.csv'), sheet(['799650557', '553680321.0', '0999999999', '12 of 34']));
  const args = ['ids', 'scan', file('spoiled.csv'), '--report', file('mapping.csv'), '--mend', file('mended.csv')];
  const { code, json } = await cliJson(Scan, data, ...args);
  expect(code).toBe(1);
  expect(json).toMatchObject({
    ids: 4,
    notSearched: null,
    damaged: [
      { itemId: '799650557', damage: 'lost-zeros', rows: 1, proposed: ITEM },
      { itemId: '553680321.0', damage: 'decimal-ending', rows: 1, proposed: OTHER },
      { itemId: '12 of 34', damage: 'unreadable', rows: 1, proposed: null },
    ],
  });
  expect(readFileSync(file('mapping.csv'), 'utf8')).toMatch(
    /^799650557,fewer than 10 digits,1,"Towels, line 4",0799650557,[^,]+,\d+\.\d\d,https:[^,]+0799650557,[^,]+,"item search, by id"/m,
  );
  expect((await cli(data, 'import', file('spoiled.csv'), '--dry-run')).out).toContain('line 4, Item id');
  const imported = await cli(data, 'import', file('mended.csv'));
  expect(imported.out).not.toContain('line 4');
  expect(imported.out).not.toContain('line 5');
});

test('drafts with damaged ids are found, replaced in one step, and undone in one', async () => {
  const { json } = await cliJson(Scan, data, 'ids', 'scan');
  expect(json.damaged).toMatchObject([{ itemId: '12 of 34', proposed: null }]);
  const mapping = 'Item id,Replaced by\r\n12 of 34,0999999998\r\n';
  writeFileSync(file('by-hand.csv'), mapping);
  const applied = await cliJson(z.object({ rows: z.int() }), data, 'ids', 'apply', '--map', file('by-hand.csv'));
  expect(applied).toEqual({ code: 0, json: { rows: 1 } });
  expect((await cliJson(Scan, data, 'ids', 'scan')).json.damaged).toEqual([]);
  expect((await cli(data, 'ids', 'apply')).out).toContain('0 rows changed');
});

test('what cannot be used is refused with the way that leads on', async () => {
  expect(await cli(data, 'ids', 'scan', file('nowhere.csv'))).toMatchObject({ code: 1 });
  expect((await cli(data, 'ids', 'scan', '--mend', file('x.csv'))).err).toContain('needs a sheet');
  expect((await cli(data, 'ids', 'apply', '--map', file('nowhere.csv'))).err).toContain('ids scan --report');
});
