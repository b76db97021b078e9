import { expect, test } from 'vitest';
import type { Workspace } from '../../main/store/store.ts';
import type { PastedTable } from '../../shared/api/bulk.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { aSmallCampaign, aWorkspace, create, done, edit } from './a-workspace.ts';

async function withTowels(): Promise<{ workspace: Workspace; campaign: RowRef; group: RowRef; keyword: RowRef }> {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign('Towels') });
  const [campaign, group, , keyword] = touched;
  if (campaign === undefined || group === undefined || keyword === undefined) throw new Error('no campaign');
  return { workspace, campaign, group, keyword };
}

const preview = async (workspace: Workspace, paste: PastedTable) => done(await workspace.previewPaste(paste, 0, 100));

test('a table with headings is matched by them, and each row says what it would do', async () => {
  const { workspace, group, keyword } = await withTowels();
  const table = [
    ['Match', 'Keyword', 'CPC', 'Mood'],
    ['exact', 'paper towel', '1.25', 'good'],
    ['broad', 'kitchen roll', '1.20', ''],
    ['phrase', 'cotton towel', '0.90', ''],
    ['sideways', 'tea towel', '0.90', ''],
  ];
  const paste: PastedTable = { kind: 'keyword', parent: group, table };
  const shown = await preview(workspace, paste);
  expect(shown).toMatchObject({ hasHeader: true, add: 1, update: 1, unchanged: 1, error: 1, needsDecimals: false });
  expect(shown.columns.map(({ column, by }) => [column, by])).toEqual([
    ['Match type', 'header'],
    ['Keyword', 'header'],
    ['Bid', 'header'],
    [null, 'none'],
  ]);
  expect(shown.rows).toMatchObject([
    { at: 1, outcome: 'update', id: keyword.id, label: 'Paper Towel, exact' },
    { at: 2, outcome: 'unchanged' },
    { at: 3, outcome: 'add', label: 'cotton towel, phrase' },
    { at: 4, outcome: 'error', problems: [{ column: 'Match type' }] },
  ]);
  const change = shown.rows[0]?.cells.find(({ field }) => field === 'bid');
  expect(change).toEqual({ field: 'bid', before: 100, value: 125 });
  const applied = done(await workspace.applyPaste(paste, [], 'Paste keywords', { jobId: 'p' }));
  expect(applied).toMatchObject({ created: 1, roots: [{ kind: 'keyword' }] });
  expect((await workspace.history(0, 1)).steps).toMatchObject([{ label: 'Paste keywords' }]);
  expect(await preview(workspace, paste)).toMatchObject({ add: 0, update: 0, unchanged: 3, error: 1 });
  done(await workspace.undo());
  expect(await preview(workspace, paste)).toMatchObject({ add: 1, update: 1, unchanged: 1, error: 1 });
});

test('a table without headings is matched by content, and skipped rows stay out', async () => {
  const { workspace, group } = await withTowels();
  const table = [
    ['beach towel', 'broad', '0.75'],
    ['hand towel', 'exact', '1.10'],
  ];
  const paste: PastedTable = { kind: 'keyword', parent: group, table };
  const shown = await preview(workspace, paste);
  expect(shown.columns.map(({ column }) => column)).toEqual(['Keyword', 'Match type', 'Bid']);
  expect(shown).toMatchObject({ hasHeader: false, add: 2 });
  expect(done(await workspace.applyPaste(paste, [0], 'Paste', { jobId: 'p' })).created).toBe(1);
});

test('what the user says of columns and blanks counts more than what they look like', async () => {
  const { workspace, campaign } = await withTowels();
  const paste: PastedTable = {
    kind: 'keyword',
    parent: campaign,
    table: [['brand'], ['match type']],
    columns: ['Keyword'],
    header: false,
    defaults: { 'Match type': 'phrase' },
  };
  const shown = await preview(workspace, paste);
  expect(shown).toMatchObject({ hasHeader: false, add: 2, columns: [{ column: 'Keyword', by: 'given' }] });
  expect(shown.rows[0]?.cells).toContainEqual({ field: 'matchType', before: null, value: 'phrase' });
});

test('numbers that may be read in two ways are asked about, never guessed', async () => {
  const { workspace, group } = await withTowels();
  const table = [
    ['Keyword', 'Match type', 'Bid'],
    ['beach towel', 'broad', '1,50'],
  ];
  const paste: PastedTable = { kind: 'keyword', parent: group, table };
  expect(await preview(workspace, paste)).toMatchObject({ needsDecimals: true, rows: [] });
  expect(await workspace.applyPaste(paste, [], 'Paste', { jobId: 'p' })).toMatchObject({
    ok: false,
    error: { code: 'BAD_TOOL' },
  });
  expect((await preview(workspace, { ...paste, decimals: 'comma' })).rows[0]?.cells).toContainEqual({
    field: 'bid',
    before: null,
    value: 150,
  });
});

test('rows that name their parents go there, whichever place was chosen; two groups of one name are no obstacle', async () => {
  const { workspace, group } = await withTowels();
  const { touched } = await edit(workspace, {
    creates: [
      create('campaign', null, { name: 'Other', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
      create('adGroup', { at: 0 }, { name: 'G' }),
      create('adGroup', { at: 0 }, { name: 'G' }),
    ],
  });
  const table = [
    ['Campaign', 'Keyword', 'Match type'],
    ['Towels', 'beach towel', 'broad'],
    ['', 'cup', 'broad'],
  ];
  const second = touched[2];
  if (second === undefined) throw new Error('no second group');
  const paste: PastedTable = { kind: 'keyword', parent: second, table };
  expect(await preview(workspace, paste)).toMatchObject({ add: 2, error: 0 });
  const { roots } = done(await workspace.applyPaste(paste, [], 'Paste', { jobId: 'p' }));
  const parents = await Promise.all(roots.map(async (ref) => (await workspace.readRow(ref))?.adGroupId));
  expect(parents).toEqual([group.id, second.id]);
});

test('a place that is gone is said, not guessed', async () => {
  const { workspace, keyword } = await withTowels();
  const paste: PastedTable = { kind: 'keyword', parent: keyword, table: [['a', 'broad']] };
  expect(await workspace.previewPaste(paste, 0, 1)).toMatchObject({ ok: false, error: { code: 'NO_ROW' } });
});

test('fault L10: a row that a pasted table has twice is named by its line, counted from 1', async () => {
  const { workspace, group } = await withTowels();
  const rows = [
    ['beach towel', 'broad', '0.75'],
    ['hand towel', 'exact', '1.10'],
    ['Beach Towel', 'broad', '0.80'],
  ];
  const messages = async (table: readonly (readonly string[])[]): Promise<readonly string[]> => {
    const paste: PastedTable = { kind: 'keyword', parent: group, table: table.map((row) => [...row]) };
    return (await preview(workspace, paste)).rows.flatMap(({ problems }) => problems.map(({ message }) => message));
  };
  expect(await messages(rows)).toEqual([expect.stringContaining('in line 1 already')]);
  expect(await messages([['Keyword', 'Match type', 'Bid'], ...rows])).toEqual([
    expect.stringContaining('in line 2 already'),
  ]);
});
