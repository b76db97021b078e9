import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPng } from '../media/builders.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';
import { refresh } from './known-campaigns.ts';

/** What leaving single columns out does to a preview, cell by cell. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-leave-columns-'));
let shop: TestExchange;
beforeAll(async () => {
  shop = await anExchange(join(folder, 'shop'));
  await refresh(shop);
});
afterAll(async () => {
  await shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const HEAD =
  'Type,Campaign,Ad group,Campaign type,Daily budget,Keyword,Match type,Bid,Status,Brand,Headline,Logo,Campaign id,Row id';
async function previewed(name: string, lines: readonly string[]) {
  const path = join(folder, name);
  writeFileSync(path, [HEAD, ...lines].join('\n'));
  return shop.preview(await shop.grant(path));
}
const keyword = (campaign: string, text: string) => async () => {
  const trees = await shop.account.workspace.readTrees('all');
  const tree = trees.find((each) => each.campaign.values.name === campaign);
  return tree?.keywords.find(({ values }) => values.text === text)?.values;
};

test('each column that changes something is counted, by rows that can do without it and new rows that cannot', async () => {
  const { columns } = await previewed('counted.csv', [
    'campaign,Live 1,,,60.00,,,,,,,,,',
    'campaign,Live 2,,,70.00,,,,,,,,,',
    'keyword,Live 1,Group 1,,,tea,exact,0.75,,,,,,',
    'keyword,Live 1,Group 1,,,pot,exact,0.80,,,,,,',
  ]);
  expect(columns).toEqual([
    { column: 'Daily budget', changes: 2, needed: 0, problems: 0, isLeftOut: false },
    { column: 'Bid', changes: 2, needed: 0, problems: 0, isLeftOut: false },
    { column: 'Keyword', changes: 0, needed: 1, problems: 0, isLeftOut: false },
    { column: 'Match type', changes: 0, needed: 1, problems: 0, isLeftOut: false },
  ]);
});

test('a row of which every change is left out counts as left out, and comes back with its column', async () => {
  const { previewId } = await previewed('back.csv', [
    'campaign,Live 1,,,61.00,,,,paused,,,,,',
    'campaign,Live 2,,,71.00,,,,,,,,,',
    'campaign,Live 3,,,50.00,,,,,,,,,',
  ]);
  const without = await shop.leaveColumnsOut(previewId, ['Daily budget']);
  expect(without).toMatchObject({ changed: 1, leftOut: 1, unchanged: 1 });
  const { rows } = await shop.rows(previewId, 'changed', 0, 10);
  expect(rows.map(({ cells }) => cells.map(({ column }) => column))).toEqual([['Status']]);
  expect(await shop.leaveColumnsOut(previewId, [])).toMatchObject({ changed: 2, leftOut: 0, unchanged: 1 });
  await shop.dismiss(previewId);
});

test('a new row keeps what it cannot do without, and is one step to undo', async () => {
  const { previewId } = await previewed('new.csv', ['keyword,Live 1,Group 1,,,mug,broad,0.90,paused,,,,,']);
  await shop.leaveColumnsOut(previewId, ['Keyword', 'Match type', 'Bid']);
  expect(await shop.apply(previewId)).toMatchObject({ added: 1 });
  expect(await keyword('Live 1', 'mug')()).toMatchObject({ matchType: 'broad', bid: null, state: 'paused' });
  await shop.account.workspace.undo();
  expect(await keyword('Live 1', 'mug')()).toBeUndefined();
});

test('an ad group that a row would imply is not made for a row that stays out', async () => {
  const { previewId } = await previewed('implied.csv', [
    'campaign,Bare,,sponsoredProducts,10.00,,,,,,,,,',
    'keyword,Bare,,,,pan,exact,0.90,,,,,,',
  ]);
  const without = await shop.leaveColumnsOut(previewId, ['Keyword', 'Match type', 'Bid', 'Status']);
  expect(without).toMatchObject({ added: 1, leftOut: 1 });
  await shop.apply(previewId);
  const trees = await shop.account.workspace.readTrees('all');
  expect(trees.find(({ campaign }) => campaign.values.name === 'Bare')?.adGroups).toEqual([]);
  await shop.account.workspace.undo();
});

test('a cell that cannot be read stops its row no longer once its column is left out, and does again with it', async () => {
  const { previewId, ...first } = await previewed('broken.csv', [
    'keyword,Live 1,Group 1,,,tea,exact,much,paused,,,,,',
    'keyword,Live 1,Group 1,,,jug,sideways,0.90,,,,,,',
  ]);
  expect(first).toMatchObject({ changed: 0, errorCount: 2 });
  expect(first.columns).toEqual([{ column: 'Bid', changes: 0, needed: 0, problems: 1, isLeftOut: false }]);
  const without = await shop.leaveColumnsOut(previewId, ['Bid', 'Match type']);
  // How a keyword matches is what it is: a row that does not say it cannot come in.
  expect(without).toMatchObject({ changed: 1, errorCount: 1, errors: [{ line: 3, column: 'Match type' }] });
  expect(await shop.leaveColumnsOut(previewId, ['Match type'])).toMatchObject({ changed: 0, errorCount: 2 });
  await shop.leaveColumnsOut(previewId, ['Bid']);
  expect(await shop.apply(previewId)).toMatchObject({ changed: 1 });
  expect(await keyword('Live 1', 'tea')()).toMatchObject({ bid: 50, state: 'paused' });
  await shop.account.workspace.undo();
});

test('a change of what is fixed on the service is no problem once its column is left out', async () => {
  const { previewId, ...first } = await previewed('fixed.csv', [
    'keyword,Live 1,Group 1,,,coffee,exact,0.66,,,,,,10101',
  ]);
  expect(first).toMatchObject({ errorCount: 1, errors: [{ column: 'Keyword' }] });
  expect(first.columns).toEqual([{ column: 'Keyword', changes: 0, needed: 0, problems: 1, isLeftOut: false }]);
  const without = await shop.leaveColumnsOut(previewId, ['Keyword']);
  expect(without).toMatchObject({ errorCount: 0, changed: 1 });
  expect(without.columns).toMatchObject([{ column: 'Bid' }, { column: 'Keyword', isLeftOut: true }]);
  await shop.apply(previewId);
  expect(await keyword('Live 1', 'tea')()).toMatchObject({ bid: 66 });
  await shop.account.workspace.undo();
});

test('a logo that cannot be used stops its row no longer once logos are left out', async () => {
  writeFileSync(join(folder, 'logo.png'), aPng(100, 100));
  const { previewId, ...first } = await previewed('logos.csv', [
    'sba profile,Live 1,Group 1,,,,,,,New,Here,missing.png,,',
    'sba profile,Live 2,Group 1,,,,,,,New,There,logo.png,,',
  ]);
  expect(first).toMatchObject({ added: 1, errorCount: 1, files: [{ fileName: 'logo.png' }] });
  expect(await shop.leaveColumnsOut(previewId, ['Logo'])).toMatchObject({ added: 2, errorCount: 0, files: [] });
  expect(await shop.apply(previewId)).toMatchObject({ added: 2 });
  expect(await shop.account.workspace.readMedia()).toEqual([]);
  await shop.account.workspace.undo();
});

test('a conflict stands in its columns alone: without them the rest of the row comes in', async () => {
  const campaign = async () => {
    const trees = await shop.account.workspace.readTrees('all');
    const found = trees.find((each) => each.campaign.values.name === 'Live 1')?.campaign;
    if (found === undefined) throw new Error('the campaign is not there');
    return found;
  };
  const { id } = await campaign();
  const edit = (values: Readonly<Record<string, string | number>>) =>
    shop.account.workspace.apply({
      label: 'Edit',
      source: 'user',
      updates: Object.entries(values).map(([field, value]) => ({ kind: 'campaign' as const, id, field, value })),
    });
  await edit({ dailyBudget: 9900, status: 'paused' });
  const changes = join(folder, 'conflict.adslate-changes');
  await shop.archive('changes', changes);
  await shop.account.workspace.undo();
  await edit({ dailyBudget: 8800 });
  const { previewId, conflicts } = await shop.preview(await shop.grant(changes));
  expect(conflicts).toBe(1);
  expect(await shop.leaveColumnsOut(previewId, ['Daily budget'])).toMatchObject({ conflicts: 0, changed: 1 });
  await shop.apply(previewId);
  expect((await campaign()).values).toMatchObject({ dailyBudget: 8800, status: 'paused' });
});
