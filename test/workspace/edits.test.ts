import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNew } from '../../shared/model/row.ts';
import { aFolder, aSmallCampaign, aWorkspace, create, edit } from './a-workspace.ts';

test('an edit is still there after the workspace was closed and opened again', async () => {
  const file = join(aFolder(), 'workspace.db');
  const first = await aWorkspace(file);
  const { touched } = await edit(first, { creates: aSmallCampaign() });
  await first.close();
  const second = await aWorkspace(file);
  const [tree] = await second.readTrees('all');
  expect(tree?.campaign).toMatchObject({ id: touched[0]?.id, values: { name: 'Towels', status: 'enabled' } });
  expect(tree?.keywords.map((row) => row.values.text)).toEqual(['Paper Towel', 'kitchen roll']);
  expect(tree?.keywords.every(isNew)).toBe(true);
});

test('an edit is written whole or not at all', async () => {
  const workspace = await aWorkspace();
  const creates = [...aSmallCampaign(), create('keyword', { at: 1 }, { text: 'x', matchType: 'sideways' })];
  const outcome = await workspace.apply({ label: 'Create', source: 'user', creates });
  expect(outcome).toMatchObject({
    ok: false,
    error: { code: 'BAD_VALUE', data: { field: 'matchType', reason: 'choice' } },
  });
  expect(await workspace.readTrees('all')).toEqual([]);
  expect((await workspace.history(0, 10)).total).toBe(0);
});

test('undo takes an edit back and redo repeats it', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const keyword = touched[3];
  if (keyword === undefined) throw new Error('no keyword');
  await edit(workspace, { updates: [{ ...keyword, field: 'bid', value: 999 }] });
  expect((await workspace.summary()).undo).toBe('Test edit');
  await workspace.undo();
  expect(await workspace.readRow(keyword)).toMatchObject({ values: { bid: 100 } });
  await workspace.undo();
  expect(await workspace.readTrees('all')).toEqual([]);
  await workspace.redo();
  await workspace.redo();
  expect(await workspace.readRow(keyword)).toMatchObject({ values: { bid: 999 } });
  expect(await workspace.redo()).toEqual({ ok: false, error: { code: 'NOTHING_TO_DO', data: {} } });
});

test('a view lists rows in its order and reads any window', async () => {
  const workspace = await aWorkspace();
  await edit(workspace, { creates: aSmallCampaign() });
  const spec = {
    kind: 'keyword',
    filter: '',
    sort: [{ column: 'bid', descending: true }],
    campaignId: null,
    only: 'all',
  } as const;
  const view = await workspace.openView({ ...spec, sort: [...spec.sort] });
  if (!view.ok) throw new Error(view.error.problem);
  const window = await workspace.readWindow(view.value.viewId, 0, 10);
  expect(window?.rows.map((row) => row.cells[0])).toEqual(['kitchen roll', 'Paper Towel']);
  expect(window?.rows[0]).toMatchObject({ campaignName: 'Towels', outbox: null });
});
