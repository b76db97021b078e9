import { expect, test } from 'vitest';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { aFolder, aSmallCampaign, aWorkspace, create, done, edit } from './a-workspace.ts';

const keywords = (changes: Partial<ViewSpec> = {}): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

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
  expect(await workspace.labels()).toMatchObject([
    { name: 'Later on', rows: 1 },
    { name: 'Urgent', rows: 1 },
  ]);
  const lengthOf = async (filter: string) => done(await workspace.openView(keywords({ filter }))).length;
  expect(await lengthOf('label:urg')).toBe(1);
  expect(await lengthOf('label:urgent,later')).toBe(2);
  expect(await lengthOf('-label:urgent')).toBe(1);
  expect(await lengthOf('label:none')).toBe(0);
  const { viewId } = done(await workspace.openView(keywords({ filter: 'label:"later on"' })));
  expect((await workspace.readWindow(viewId, 0, 1))?.rows).toMatchObject([{ id: ids[1], labels: [later] }]);
  done(await workspace.note({ do: 'remove-label', id: later }));
  expect((await workspace.readWindow(viewId, 0, 1))?.rows[0]).not.toHaveProperty('labels');
});

test('names of labels and views are taken once, whatever their case; what is gone is said to be gone', async () => {
  const workspace = await aWorkspace();
  done(await workspace.note({ do: 'save-label', id: null, name: 'Urgent', color: '#ff0000' }));
  const again = await workspace.note({ do: 'save-label', id: null, name: 'URGENT', color: '#ff0000' });
  expect(again).toEqual({ ok: false, error: { code: 'NAME_TAKEN', data: { name: 'URGENT' } } });
  const saved = { name: 'Cheap', view: keywords({ filter: 'bid<1' }), layout: { bid: 80 } };
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

test('comments belong to a row or a field, are resolved, and survive a restart and an undo', async () => {
  const file = `${aFolder()}/workspace.db`;
  const workspace = await aWorkspace(file);
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const [, , , first, second] = touched;
  if (first === undefined || second === undefined) throw new Error('no keywords');
  const comment = { do: 'comment', field: 'bid', author: 'Ann', text: 'Too dear?' } as const;
  const { id } = done(await workspace.note({ ...comment, ref: first }));
  done(await workspace.note({ ...comment, ref: second, field: null, text: 'Ask the shop' }));
  done(await workspace.note({ do: 'edit-comment', id, text: 'Too dear!', resolved: true }));
  const { viewId, length } = done(await workspace.openView(keywords({ filter: 'comment:shop' })));
  expect(length).toBe(1);
  expect((await workspace.readWindow(viewId, 0, 1))?.rows).toMatchObject([{ id: second.id, comments: { '': 1 } }]);
  done(await workspace.undo());
  done(await workspace.redo());
  await workspace.close();
  const reopened = await aWorkspace(file);
  expect(await reopened.comments(null, null)).toMatchObject([
    { ref: first, field: 'bid', author: 'Ann', text: 'Too dear!', resolved: true },
    { ref: second, field: null, text: 'Ask the shop', resolved: false },
  ]);
  expect(await reopened.comments(first, false)).toEqual([]);
  expect((await reopened.changes(0, 10)).total).toBe(5);
});

test('a window says of each row which fields have open comments, and how many', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const [, , , first, second] = touched;
  if (first === undefined || second === undefined) throw new Error('no keywords');
  const comment = { do: 'comment', ref: first, author: 'Ann', text: 'Too dear?' } as const;
  const { id } = done(await workspace.note({ ...comment, field: 'bid' }));
  done(await workspace.note({ ...comment, field: 'bid' }));
  done(await workspace.note({ ...comment, field: null }));
  // Files of colleagues may name fields that this version does not have.
  done(await workspace.note({ ...comment, field: 'a "field", of later' }));
  const { viewId } = done(await workspace.openView(keywords()));
  const shown = async () => (await workspace.readWindow(viewId, 0, 2))?.rows.map(({ comments }) => comments);
  expect(await shown()).toEqual([{ '': 1, bid: 2, 'a "field", of later': 1 }, undefined]);
  done(await workspace.note({ do: 'edit-comment', id, text: null, resolved: true }));
  expect(await shown()).toEqual([{ '': 1, bid: 1, 'a "field", of later': 1 }, undefined]);
  const [row] = (await workspace.readWindow(viewId, 0, 1))?.rows ?? [];
  expect((await workspace.rowDetail(first))?.row).toEqual(row);
});

test('notes are nothing to send and no step to undo', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const before = await workspace.summary();
  const [campaign] = touched;
  if (campaign === undefined) throw new Error('no campaign');
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
  const { viewId } = done(await workspace.openView(keywords({ sort, group: 'campaign' })));
  const groups = await workspace.viewGroups(viewId, 0, 10);
  expect(groups?.total).toBe(3);
  expect(groups?.groups.map(({ campaignName, from, count }) => [campaignName, from, count])).toEqual([
    ['Alpha', 0, 2],
    ['Alpha', 2, 2],
    ['Bravo', 4, 2],
  ]);
  const bids = (await workspace.readWindow(viewId, 0, 6))?.rows.map((row) => row.cells[2]);
  expect(bids).toEqual([120, 100, 120, 100, 120, 100]);
  const group = touched[1];
  if (group === undefined) throw new Error('no group');
  await edit(workspace, { creates: [create('keyword', { id: group.id }, { text: 'new', matchType: 'exact' })] });
  expect(await workspace.viewGroups(viewId, 3, 1)).toMatchObject({
    total: 4,
    groups: [{ campaignName: 'Alpha', from: 6, count: 1 }],
  });
  expect(await workspace.viewGroups(999, 0, 1)).toBeNull();
});

test('the count of each filter is the length of its view, before and after edits', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign() });
  const ref = touched[3];
  if (ref === undefined) throw new Error('no keyword');
  await workspace.setServiceFields([{ ...ref, field: 'reviewStatus', value: 'pending' }]);
  done(await workspace.hold([ref], true));
  const comment = { do: 'comment', ref, field: null, author: 'Ann' } as const;
  done(await workspace.note({ ...comment, text: 'Too dear?' }));
  const { id } = done(await workspace.note({ ...comment, text: 'Sold out?' }));
  expect(await workspace.viewCounts('keyword', null)).toMatchObject({ commented: 1, resolved: 0 });
  done(await workspace.note({ do: 'edit-comment', id, text: null, resolved: true }));
  for (const filter of ['comment:open', 'comment:resolved', 'resolved:sold', 'comment:dear']) {
    expect([filter, done(await workspace.openView(keywords({ filter }))).length]).toEqual([filter, 1]);
  }
  done(await workspace.note({ ...comment, field: 'bid', text: 'On the bid' }));
  const found = async (filter: string) => done(await workspace.openView(keywords({ filter }))).length;
  for (const filter of ['comment.bid:open', 'comment.bid:"on the"', 'comment.row:dear', 'comment.row:resolved']) {
    expect([filter, await found(filter)]).toEqual([filter, 1]);
  }
  for (const filter of ['comment.bid:dear', 'comment.text:open', 'resolved.bid:sold', 'comment.bid:resolved']) {
    expect([filter, await found(filter)]).toEqual([filter, 0]);
  }
  for (const campaignId of [null, touched[0]?.id ?? null]) {
    const counts = await workspace.viewCounts('keyword', campaignId);
    for (const [only, count] of Object.entries(counts)) {
      const spec = keywords({ only: only as ViewSpec['only'], campaignId });
      expect([only, done(await workspace.openView(spec)).length]).toEqual([only, count]);
    }
    expect(counts).toMatchObject({ all: 2, changed: 2, held: 1, waiting: 1, rejected: 0, commented: 1, resolved: 1 });
  }
});
