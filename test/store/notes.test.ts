import { expect, test } from 'vitest';
import type { Workspace } from '../../main/store/workspace.ts';
import type { PastedTable } from '../../shared/api/bulk.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { aView } from './a-view.ts';
import {
  aFolder,
  aSmallCampaign,
  at,
  aWorkspace,
  changesOf,
  create,
  detailOf,
  done,
  edit,
  pick,
} from './a-workspace.ts';
import { call } from './call.ts';

test('labels are put on rows, shown with them, searched for, and taken off', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const ids = touched.slice(3).map(({ id }) => id);
  const { id: urgent } = done(await workspace.note({ do: 'save-label', id: null, name: 'Urgent', color: '#ff0000' }));
  const { id: later } = done(await workspace.note({ do: 'save-label', id: null, name: 'Later on', color: '#00ff00' }));
  const rows = [{ kind: 'keyword' as const, ids }];
  done(await workspace.note({ do: 'label', rows, add: [urgent], remove: [] }));
  done(
    await workspace.note({
      do: 'label',
      rows: [{ kind: 'keyword', ids: ids.slice(1) }],
      add: [later],
      remove: [urgent],
    }),
  );
  expect(done(await call(workspace, 'notes', 'labels'))).toMatchObject([
    { name: 'Later on', rows: 1 },
    { name: 'Urgent', rows: 1 },
  ]);
  const lengthOf = async (filter: string) => done(await workspace.openView(aView({ filter }))).length;
  expect(await lengthOf('label:urg')).toBe(1);
  expect(await lengthOf('label:urgent,later')).toBe(2);
  expect(await lengthOf('-label:urgent')).toBe(1);
  expect(await lengthOf('label:none')).toBe(0);
  const { viewId } = done(await workspace.openView(aView({ filter: 'label:"later on"' })));
  expect((await workspace.readWindow(viewId, 0, 1))?.rows).toMatchObject([{ id: ids[1], labels: [later] }]);
  done(await workspace.note({ do: 'remove-label', id: later }));
  expect((await workspace.readWindow(viewId, 0, 1))?.rows[0]).not.toHaveProperty('labels');
});

test('names of labels and views are taken once, whatever their case; what is gone is said to be gone', async () => {
  const workspace = await aWorkspace();
  done(await workspace.note({ do: 'save-label', id: null, name: 'Urgent', color: '#ff0000' }));
  const again = await workspace.note({ do: 'save-label', id: null, name: 'URGENT', color: '#ff0000' });
  expect(again).toEqual({ ok: false, error: { code: 'NAME_TAKEN', data: { name: 'URGENT' } } });
  const saved = { name: 'Cheap', view: aView({ filter: 'bid<1' }), layout: { bid: 80 } };
  const { id } = done(await workspace.note({ do: 'save-view', id: null, saved }));
  expect(await workspace.note({ do: 'save-view', id: null, saved })).toMatchObject({ error: { code: 'NAME_TAKEN' } });
  const items = { ...saved, view: { ...saved.view, kind: 'adItem' as const } };
  done(await workspace.note({ do: 'save-view', id: null, saved: items }));
  done(await workspace.note({ do: 'save-view', id, saved: { ...saved, name: 'Cheapest' } }));
  expect((await workspace.savedViews()).map((view) => view.name)).toEqual(['Cheap', 'Cheapest']);
  for (const command of ['remove-view', 'remove-label', 'remove-comment'] as const) {
    expect(await workspace.note({ do: command, id: 999 })).toEqual({
      ok: false,
      error: { code: 'NO_NOTE', data: { id: 999 } },
    });
  }
});

test('labels and views are listed in the order of the numbers in their names', async () => {
  const workspace = await aWorkspace();
  for (const name of ['Week 10', 'week 9', 'Week 1']) {
    done(await workspace.note({ do: 'save-label', id: null, name, color: '#ff0000' }));
    done(await workspace.note({ do: 'save-view', id: null, saved: { name, view: aView(), layout: {} } }));
  }
  const inOrder = ['Week 1', 'week 9', 'Week 10'];
  expect(done(await call(workspace, 'notes', 'labels')).map(({ name }) => name)).toEqual(inOrder);
  expect((await workspace.savedViews()).map(({ name }) => name)).toEqual(inOrder);
});

test('comments belong to a row or a field, are resolved, and survive a restart and an undo', async () => {
  const file = `${aFolder()}/workspace.db`;
  const workspace = await aWorkspace(file);
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const [first, second] = pick(touched, 3, 4);
  const comment = { do: 'comment', field: 'bid', author: 'Ann', text: 'Too dear?' } as const;
  const { id } = done(await workspace.note({ ...comment, ref: first }));
  done(await workspace.note({ ...comment, ref: second, field: null, text: 'Ask the shop' }));
  done(await workspace.note({ do: 'edit-comment', id, text: 'Too dear!', resolved: true }));
  const { viewId, length } = done(await workspace.openView(aView({ filter: 'comment:shop' })));
  expect(length).toBe(1);
  expect((await workspace.readWindow(viewId, 0, 1))?.rows).toMatchObject([{ id: second.id, comments: { '': 1 } }]);
  done(await call(workspace, 'workspace', 'undo'));
  done(await call(workspace, 'workspace', 'redo'));
  await workspace.close();
  const reopened = await aWorkspace(file);
  expect(await reopened.comments(null, null)).toMatchObject([
    { ref: first, field: 'bid', author: 'Ann', text: 'Too dear!', resolved: true },
    { ref: second, field: null, text: 'Ask the shop', resolved: false },
  ]);
  expect(await reopened.comments(first, false)).toEqual([]);
  expect((await changesOf(reopened, { from: 0, count: 10 })).total).toBe(5);
});

test('a window says of each row which fields have open comments, and how many', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const first = at(touched, 3);
  const comment = { do: 'comment', ref: first, author: 'Ann', text: 'Too dear?' } as const;
  const { id } = done(await workspace.note({ ...comment, field: 'bid' }));
  done(await workspace.note({ ...comment, field: 'bid' }));
  done(await workspace.note({ ...comment, field: null }));
  // Files of colleagues may name fields that this version does not have.
  done(await workspace.note({ ...comment, field: 'a "field", of later' }));
  const { viewId } = done(await workspace.openView(aView()));
  const shown = async () => (await workspace.readWindow(viewId, 0, 2))?.rows.map(({ comments }) => comments);
  expect(await shown()).toEqual([{ '': 1, bid: 2, 'a "field", of later': 1 }, undefined]);
  done(await workspace.note({ do: 'edit-comment', id, text: null, resolved: true }));
  expect(await shown()).toEqual([{ '': 1, bid: 1, 'a "field", of later': 1 }, undefined]);
  const [row] = (await workspace.readWindow(viewId, 0, 1))?.rows ?? [];
  expect((await detailOf(workspace, first)).row).toEqual(row);
});

test('notes are nothing to send and no step to undo', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const before = await workspace.summary();
  const campaign = at(touched, 0);
  done(await workspace.note({ do: 'comment', ref: campaign, field: null, author: '', text: 'x' }));
  const after = await workspace.summary();
  expect(after).toEqual({ ...before, revision: before.revision + 1 });
});

test('a grouped view keeps the rows of a campaign together and says where each group is', async () => {
  const workspace = await aWorkspace();
  await edit(workspace, { creates: aSmallCampaign('Bravo') });
  await edit(workspace, { creates: aSmallCampaign('Alpha') });
  const { touched } = await edit(workspace, { creates: aSmallCampaign('Alpha') });
  const sort = [{ column: 'bid', descending: true }];
  const { viewId } = done(await workspace.openView(aView({ sort, group: 'campaign' })));
  const groups = await workspace.viewGroups(viewId, 0, 10);
  expect(groups?.total).toBe(3);
  expect(groups?.groups.map(({ name, from, count }) => [name, from, count])).toEqual([
    ['Alpha', 0, 2],
    ['Alpha', 2, 2],
    ['Bravo', 4, 2],
  ]);
  const bids = (await workspace.readWindow(viewId, 0, 6))?.rows.map((row) => row.cells[2]);
  expect(bids).toEqual([120, 100, 120, 100, 120, 100]);
  const group = at(touched, 1);
  await edit(workspace, { creates: [create('keyword', { id: group.id }, { text: 'new', matchType: 'exact' })] });
  expect(await workspace.viewGroups(viewId, 3, 1)).toMatchObject({
    total: 4,
    groups: [{ name: 'Alpha', from: 6, count: 1 }],
  });
  expect(await workspace.viewGroups(999, 0, 1)).toBeNull();
});

test('the count of each filter is the length of its view, before and after edits', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const ref = at(touched, 3);
  await workspace.setServiceFields([{ ...ref, field: 'reviewStatus', value: 'pending' }]);
  done(await call(workspace, 'workspace', 'hold', { rows: [ref], held: true }));
  const comment = { do: 'comment', ref, field: null, author: 'Ann' } as const;
  done(await workspace.note({ ...comment, text: 'Too dear?' }));
  const { id } = done(await workspace.note({ ...comment, text: 'Sold out?' }));
  expect(done(await call(workspace, 'views', 'counts', { kind: 'keyword', campaignId: null }))).toMatchObject({
    commented: 1,
    resolved: 0,
  });
  done(await workspace.note({ do: 'edit-comment', id, text: null, resolved: true }));
  for (const filter of ['comment:open', 'comment:resolved', 'resolved:sold', 'comment:dear']) {
    expect([filter, done(await workspace.openView(aView({ filter }))).length]).toEqual([filter, 1]);
  }
  done(await workspace.note({ ...comment, field: 'bid', text: 'On the bid' }));
  const found = async (filter: string) => done(await workspace.openView(aView({ filter }))).length;
  for (const filter of ['comment.bid:open', 'comment.bid:"on the"', 'comment.row:dear', 'comment.row:resolved']) {
    expect([filter, await found(filter)]).toEqual([filter, 1]);
  }
  for (const filter of ['comment.bid:dear', 'comment.text:open', 'resolved.bid:sold', 'comment.bid:resolved']) {
    expect([filter, await found(filter)]).toEqual([filter, 0]);
  }
  for (const campaignId of [null, touched[0]?.id ?? null]) {
    const counts = done(await call(workspace, 'views', 'counts', { kind: 'keyword', campaignId }));
    for (const [only, count] of Object.entries(counts)) {
      const spec = aView({ only: only as ViewSpec['only'], campaignId });
      expect([only, done(await workspace.openView(spec)).length]).toEqual([only, count]);
    }
    expect(counts).toMatchObject({ all: 2, changed: 2, held: 1, waiting: 1, rejected: 0, commented: 1, resolved: 1 });
  }
});

async function withTowels(): Promise<{ workspace: Workspace; campaign: RowRef; group: RowRef; keyword: RowRef }> {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign('Towels') });
  const [campaign, group, keyword] = pick(touched, 0, 1, 3);
  return { workspace, campaign, group, keyword };
}

/** Rows of cells, as text with bars between them. */
const tableOf = (...rows: readonly string[]) => rows.map((row) => row.split('|'));
const preview = async (workspace: Workspace, paste: PastedTable) =>
  done(await call(workspace, 'paste', 'preview', { paste, from: 0, count: 100 }));

test('a table with headings is matched by them, and each row says what it would do', async () => {
  const { workspace, group, keyword } = await withTowels();
  const table = tableOf(
    'Match|Keyword|CPC|Mood',
    'exact|paper towel|1.25|good',
    'broad|kitchen roll|1.20|',
    'phrase|cotton towel|0.90|',
    'sideways|tea towel|0.90|',
  );
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
  const applied = done(
    await call(workspace, 'paste', 'apply', { paste, skip: [], label: 'Paste keywords', taskId: 'p' }),
  );
  expect(applied).toMatchObject({ created: 1, roots: [{ kind: 'keyword' }] });
  expect((await workspace.history(0, 1)).steps).toMatchObject([{ label: 'Paste keywords' }]);
  expect(await preview(workspace, paste)).toMatchObject({ add: 0, update: 0, unchanged: 3, error: 1 });
  done(await call(workspace, 'workspace', 'undo'));
  expect(await preview(workspace, paste)).toMatchObject({ add: 1, update: 1, unchanged: 1, error: 1 });
});

test('a pasted row that names the campaign in view and no ad group goes to its only one', async () => {
  const { workspace, group } = await withTowels();
  const table = tableOf('Campaign|Keyword|Match type|Bid', 'Towels|tea towel|exact|0.90');
  const shown = await preview(workspace, { kind: 'keyword', parent: group, table });
  expect(shown).toMatchObject({ add: 1, error: 0, rows: [{ outcome: 'add', label: 'tea towel, exact' }] });
});

test('headings of another program are no row, and their columns are left to the user', async () => {
  const { workspace, group } = await withTowels();
  const table = tableOf(
    'Search term|Matched as|Cost per click|Impressions',
    'beach towel|broad|0.75|1,204',
    'hand towel|exact|1.10|87',
  );
  const paste: PastedTable = { kind: 'keyword', parent: group, table };
  const shown = await preview(workspace, paste);
  expect(shown).toMatchObject({ hasHeader: true, add: 0, error: 0 });
  expect(shown.columns.map(({ text, column }) => [text, column])).toEqual(table[0]?.map((text) => [text, null]));
  const columns = ['Keyword', 'Match type', 'Bid', null];
  expect(await preview(workspace, { ...paste, columns })).toMatchObject({ hasHeader: true, add: 2, error: 0 });
});

test.each<[string, readonly (readonly string[])[], boolean]>([
  ['one known name among many', tableOf('Keyword|Views|Cost', 'red pot|12|$1.50'), true],
  ['decimal commas', tableOf('Suchbegriff|Gebot', 'roter Topf|1,50'), true],
  ['a column of choices', tableOf('Term|Type of match', 'red pot|exact', 'blue pan|broad'), true],
  ['a value in the first row', tableOf('red pot|1.50', 'blue pan|1.20'), false],
  ['a value that is missing in the first row', tableOf('red pot|n/a', 'blue pan|1.20'), false],
  ['keywords alone', [['red pot'], ['blue pan'], ['pot 24 cm']], false],
  ['a keyword that is also a column name, next to a value', tableOf('status|exact', 'red pot|broad'), false],
  ['column names next to a heading that is a number', tableOf('Keyword|Bid|2026', 'red pot|1.50|12'), true],
])('whether a pasted table begins with headings: %s', async (_, table, hasHeader) => {
  const { workspace, group } = await withTowels();
  const paste: PastedTable = { kind: 'keyword', parent: group, table: table.map((row) => [...row]) };
  expect((await preview(workspace, paste)).hasHeader).toBe(hasHeader);
});

test('a table without headings is matched by content, and skipped rows stay out', async () => {
  const { workspace, group } = await withTowels();
  const table = tableOf('beach towel|broad|0.75', 'hand towel|exact|1.10');
  const paste: PastedTable = { kind: 'keyword', parent: group, table };
  const shown = await preview(workspace, paste);
  expect(shown.columns.map(({ column }) => column)).toEqual(['Keyword', 'Match type', 'Bid']);
  expect(shown).toMatchObject({ hasHeader: false, add: 2 });
  expect(done(await call(workspace, 'paste', 'apply', { paste, skip: [0], label: 'Paste', taskId: 'p' })).created).toBe(
    1,
  );
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
  const table = tableOf('Keyword|Match type|Bid', 'beach towel|broad|1,50');
  const paste: PastedTable = { kind: 'keyword', parent: group, table };
  expect(await preview(workspace, paste)).toMatchObject({ needsDecimals: true, rows: [] });
  expect(await call(workspace, 'paste', 'apply', { paste, skip: [], label: 'Paste', taskId: 'p' })).toMatchObject({
    ok: false,
    error: { code: 'BAD_TOOL' },
  });
  expect((await preview(workspace, { ...paste, decimals: 'comma' })).rows[0]?.cells).toContainEqual({
    field: 'bid',
    before: null,
    value: 150,
  });
});

test('dates that may be read in two orders are asked about, never guessed', async () => {
  const { workspace } = await withTowels();
  const table = (...days: readonly string[]) => [
    ['Campaign', 'Campaign type', 'Start'],
    ...days.map((day, at) => [`Mats ${at}`, 'sponsoredProducts', day]),
  ];
  const paste: PastedTable = { kind: 'campaign', parent: null, table: table('5/4/2030') };
  expect(await preview(workspace, paste)).toMatchObject({ needsDates: true, needsDecimals: false, rows: [] });
  expect(await call(workspace, 'paste', 'apply', { paste, skip: [], label: 'Paste', taskId: 'p' })).toMatchObject({
    ok: false,
    error: { code: 'BAD_TOOL' },
  });
  const startOf = async (asked: PastedTable) => {
    const shown = await preview(workspace, asked);
    return shown.rows[0]?.cells.find(({ field }) => field === 'startDate')?.value;
  };
  expect(await startOf({ ...paste, dates: 'day-first' })).toBe('2030-04-05');
  expect(await startOf({ ...paste, table: table('5/4/2030', '12/15/2030') })).toBe('2030-05-04');
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
  const table = tableOf('Campaign|Keyword|Match type', 'Towels|beach towel|broad', '|cup|broad');
  const second = at(touched, 2);
  const paste: PastedTable = { kind: 'keyword', parent: second, table };
  expect(await preview(workspace, paste)).toMatchObject({ add: 2, error: 0 });
  const { roots } = done(await call(workspace, 'paste', 'apply', { paste, skip: [], label: 'Paste', taskId: 'p' }));
  const parents = await Promise.all(roots.map(async (ref) => (await workspace.readRow(ref))?.adGroupId));
  expect(parents).toEqual([group.id, second.id]);
});

test('a place that is gone is said, not guessed', async () => {
  const { workspace, keyword } = await withTowels();
  const paste: PastedTable = { kind: 'keyword', parent: keyword, table: [['a', 'broad']] };
  expect(await call(workspace, 'paste', 'preview', { paste, from: 0, count: 1 })).toMatchObject({
    ok: false,
    error: { code: 'NO_ROW' },
  });
});

test('fault L10: a row that a pasted table has twice is named by its line, counted from 1', async () => {
  const { workspace, group } = await withTowels();
  const rows = tableOf('beach towel|broad|0.75', 'hand towel|exact|1.10', 'Beach Towel|broad|0.80');
  const messages = async (table: readonly (readonly string[])[]): Promise<readonly string[]> => {
    const paste: PastedTable = { kind: 'keyword', parent: group, table: table.map((row) => [...row]) };
    return (await preview(workspace, paste)).rows.flatMap(({ problems }) => problems.map(({ message }) => message));
  };
  expect(await messages(rows)).toEqual([expect.stringContaining('already in line 1')]);
  expect(await messages([['Keyword', 'Match type', 'Bid'], ...rows])).toEqual([
    expect.stringContaining('already in line 2'),
  ]);
});
