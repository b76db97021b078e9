import { expect, test } from 'vitest';
import type { Workspace } from '../../main/store/store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { aWorkspace, create, done, edit } from './a-workspace.ts';

const CAMPAIGNS = 200;
const KEYWORDS = 500;

/** Keywords in campaigns of 500, created through the port. */
async function aBigWorkspace(campaigns: number): Promise<{ workspace: Workspace; keywords: readonly RowRef[] }> {
  const workspace = await aWorkspace();
  const keywords: RowRef[] = [];
  for (let first = 0; first < campaigns; first += 50) {
    const creates = Array.from({ length: Math.min(50, campaigns) }, (_, i) => first + i).flatMap((c, i) => [
      create('campaign', null, { name: `Campaign ${c}`, campaignType: 'sponsoredProducts', targetingType: 'manual' }),
      create('adGroup', { at: i * (KEYWORDS + 2) }, { name: 'Group' }),
      ...Array.from({ length: KEYWORDS }, (__, k) =>
        create('keyword', { at: i * (KEYWORDS + 2) + 1 }, { text: `word ${k}`, matchType: 'exact', bid: 100 }),
      ),
    ]);
    const { touched } = await edit(workspace, { creates });
    keywords.push(...touched.filter((ref) => ref.kind === 'keyword'));
  }
  return { workspace, keywords };
}

test('a bulk edit of 100,000 rows is one step, windows are read meanwhile, and undo takes it back', async () => {
  const { workspace, keywords } = await aBigWorkspace(CAMPAIGNS);
  const spec = { kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' } as const;
  const { viewId, length } = done(await workspace.openView({ ...spec, sort: [] }));
  expect(length).toBe(CAMPAIGNS * KEYWORDS);
  const order: string[] = [];
  const updates = keywords.map((ref, i) => ({ ...ref, field: 'bid', value: 200 + (i % 7) }));
  const editing = workspace.apply({ label: 'Raise', source: 'user', updates }).then((outcome) => {
    order.push('edit');
    return outcome;
  });
  await workspace.readWindow(viewId, 50_000, 100);
  order.push('window');
  expect(done(await editing).touched).toHaveLength(length);
  expect(order).toEqual(['window', 'edit']);
  const bids = async () => {
    const window = await workspace.readWindow(viewId, length - 3, 3);
    return window?.rows.map((row) => row.cells[2]);
  };
  expect(await bids()).toEqual([length - 3, length - 2, length - 1].map((i) => 200 + (i % 7)));
  expect((await workspace.history(0, 1)).steps).toMatchObject([{ label: 'Raise', rows: length, undone: false }]);
  done(await workspace.undo());
  expect(await bids()).toEqual([100, 100, 100]);
  done(await workspace.redo());
  expect(await bids()).not.toContain(100);
  expect(await workspace.verify()).toEqual([]);
}, 120_000);

test('checks that a bulk edit leaves for later are done before anybody asks for errors', async () => {
  const { workspace, keywords } = await aBigWorkspace(20);
  const updates = keywords.map((ref) => ({ ...ref, field: 'bid', value: null }));
  done(await workspace.apply({ label: 'Clear bids', source: 'user', updates }));
  const wrong = await workspace.rowsWithErrors();
  expect(wrong.filter((ref) => ref.kind === 'keyword')).toHaveLength(keywords.length);
});
