import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli, temporaryFolder } from './cli.ts';

/** A plan that is written to a file, read by somebody, and handed in again. */
const folder = temporaryFolder('reviewed-plan');
const data = join(folder.path, 'data');
const sheet = join(folder.path, 'sheet.csv');
const plan = join(folder.path, 'plan.txt');

beforeAll(async () => {
  await cli(data, 'account', 'add', '--name', 'Shop', '--practice');
});
afterAll(folder.remove);

const importSheet = (dailyBudget: string) => {
  const rows = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,End,Item id,Bid',
    `campaign,Rolls,,sponsoredProducts,auto,enabled,1200.00,${dailyBudget},2030-03-04,2030-06-30,,`,
    'ad group,Rolls,Rolls group,,,enabled,,,,,,',
    'ad item,Rolls,Rolls group,,,enabled,,,,,0553680321,2.80',
  ];
  writeFileSync(sheet, `${rows.join('\n')}\n`);
  return cli(data, 'import', sheet);
};
const handIn = (file: string) => cli(data, 'sync', '--plan', file);

test('a file that is missing, cannot be read or holds no plan is told apart, and nothing is sent', async () => {
  const missing = join(folder.path, 'nowhere.txt');
  const taken = join(folder.path, 'folder');
  mkdirSync(taken);
  expect(await handIn(missing)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`There is no file ${missing}.`),
  });
  expect(await handIn(taken)).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read (EISDIR)') });
  for (const text of ['', 'Meeting notes\n', '{"plan":', '{"plan": 7}', '{"plan": ["notes"]}']) {
    const other = join(folder.path, 'other.txt');
    writeFileSync(other, text);
    expect(await handIn(other), text).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${other} holds no plan.`),
    });
  }
});

test('a dry run in either form is sent when it is handed in; after an edit nothing is sent any more', async () => {
  expect(await importSheet('37.50')).toMatchObject({ code: 0, err: '' });
  const lines = await cli(data, 'sync', '--dry-run');
  writeFileSync(plan, lines.out);
  await importSheet('38.50');
  const stopped = await handIn(plan);
  expect(stopped).toMatchObject({ code: 1, out: expect.stringContaining('another plan than the reviewed one') });
  writeFileSync(plan, (await cli(data, 'sync', '--dry-run', '--json')).out);
  expect(await handIn(plan)).toMatchObject({ code: 0, out: expect.stringContaining('3 done, 0 refused') });
});
