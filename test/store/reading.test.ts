import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readKeywordOverlap, readSharedKeywords } from '../../main/store/reader/keyword-overlap.ts';
import type { Workspace } from '../../main/store/workspace.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import {
  aClock,
  aSmallCampaign,
  aStore,
  at,
  aWorkspace,
  changesOf,
  create,
  createAll,
  detailOf,
  done,
  edit,
  mergeRemote,
  remote,
} from './a-workspace.ts';
import { call } from './call.ts';

const DAY_MS = 86_400_000;

/** A workspace in which the service knows one small campaign. */
async function aSyncedWorkspace(): Promise<{ workspace: Workspace; refs: readonly RowRef[] }> {
  const workspace = await aWorkspace();
  const [campaign] = await mergeOne(workspace, 'campaign', '1', null, null, {
    name: 'Towels',
    campaignType: 'sponsoredProducts',
    targetingType: 'manual',
    dailyBudget: 5000,
    status: 'enabled',
  });
  const [group] = await mergeOne(workspace, 'adGroup', '2', campaign ?? null, null, {
    name: 'Group',
    status: 'enabled',
  });
  await mergeOne(workspace, 'keyword', '3', campaign ?? null, group ?? null, {
    text: 'towel',
    matchType: 'exact',
    bid: 100,
    state: 'enabled',
  });
  const [tree] = await workspace.readTrees('all');
  const refs = [tree?.campaign, ...(tree?.adGroups ?? []), ...(tree?.keywords ?? [])].flatMap((row) =>
    row === undefined ? [] : [{ kind: row.kind, id: row.id }],
  );
  return { workspace, refs };
}

async function mergeOne(
  workspace: Workspace,
  kind: 'campaign' | 'adGroup' | 'keyword',
  id: string,
  campaignId: RowRef['id'] | null,
  adGroupId: RowRef['id'] | null,
  values: Readonly<Record<string, string | number | null>>,
): Promise<readonly RowRef['id'][]> {
  await mergeRemote(workspace, [{ kind, remoteId: remote(id), campaignId, adGroupId, values }]);
  const [tree] = await workspace.readTrees('all');
  if (tree === undefined) return [];
  return kind === 'campaign' ? [tree.campaign.id] : kind === 'adGroup' ? tree.adGroups.map((row) => row.id) : [];
}

test('the figures on screen follow every change', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  expect(await workspace.summary()).toMatchObject({
    changed: 0,
    held: 0,
    conflicts: 0,
    questions: 0,
    undo: null,
    rows: { campaign: 1, keyword: 1 },
    files: 0,
  });
  await edit(workspace, { updates: [{ ...at(refs, 2), field: 'bid', value: 200 }] });
  await call(workspace, 'workspace', 'hold', { rows: [at(refs, 1)], held: true });
  expect(await workspace.summary()).toMatchObject({ changed: 1, held: 1, undo: 'Put on hold', redo: null });
  await call(workspace, 'workspace', 'undo');
  expect(await workspace.summary()).toMatchObject({ changed: 1, held: 0, undo: 'Test edit', redo: 'Put on hold' });
  expect((await workspace.summary()).lastRefreshAt).toBe(Date.UTC(2026, 4, 4, 12));
});

test('changes are listed field by field, new and deleted rows whole', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  await edit(workspace, {
    creates: [create('keyword', { id: at(refs, 1).id }, { text: 'new one', matchType: 'broad' })],
    updates: [
      { ...at(refs, 2), field: 'bid', value: 200 },
      { ...at(refs, 2), field: 'state', value: 'paused' },
      { ...at(refs, 0), field: 'name', value: 'Bath towels' },
    ],
  });
  const page = await changesOf(workspace, { from: 0, count: 10 });
  expect(page.total).toBe(4);
  expect(page.changes).toMatchObject([
    {
      kind: 'campaign',
      what: 'field',
      field: 'name',
      before: 'Towels',
      after: 'Bath towels',
      campaignName: 'Bath towels',
    },
    { kind: 'keyword', what: 'field', field: 'bid', before: 100, after: 200, label: 'towel, exact' },
    { kind: 'keyword', what: 'field', field: 'state', before: 'enabled', after: 'paused' },
    { kind: 'keyword', what: 'new', field: null, label: 'new one, broad' },
  ]);
  expect((await changesOf(workspace, { from: 2, count: 1 })).changes).toMatchObject([{ field: 'state' }]);
});

test('the list of changes is narrowed to rows that hold every word, in their texts or their campaign', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  await edit(workspace, {
    creates: [create('keyword', { id: at(refs, 1).id }, { text: 'new one', matchType: 'broad' })],
    updates: [
      { ...at(refs, 2), field: 'bid', value: 200 },
      { ...at(refs, 0), field: 'name', value: 'Bath towels' },
    ],
  });
  expect(await changesOf(workspace, { from: 0, count: 10, words: 'NEW bath' })).toMatchObject({
    total: 1,
    changes: [{ what: 'new' }],
  });
  expect((await changesOf(workspace, { from: 0, count: 10, words: 'bath' })).total).toBe(3);
  expect(await changesOf(workspace, { from: 0, count: 10, words: 'bath%' })).toMatchObject({ total: 0, changes: [] });
  expect((await changesOf(workspace, { from: 0, count: 10 })).total).toBe(3);
});

test('each change says where it stands, and the list is narrowed to those that stand there', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  const group = { id: at(refs, 1).id };
  const made = await edit(workspace, {
    creates: [
      create('keyword', group, { text: 'new one', matchType: 'broad', bid: 180 }),
      create('keyword', group, { text: 'no bid', matchType: 'broad', bid: -1 }),
      create('keyword', group, { text: 'not yet', matchType: 'broad', bid: 180 }),
    ],
    updates: [{ ...at(refs, 2), field: 'bid', value: 200 }],
  });
  await call(workspace, 'workspace', 'hold', { rows: [at(made.touched, 2)], held: true });
  const all = await changesOf(workspace, { from: 0, count: 10 });
  expect(all.lanes).toEqual({ ready: 2, queued: 0, 'after-video': 0, 'after-review': 0, blocked: 1, held: 1 });
  const held = await changesOf(workspace, { from: 0, count: 10, lane: 'held' });
  expect(held).toMatchObject({ total: 1, changes: [{ label: 'not yet, broad', lane: 'held', held: true }] });
  expect(held.lanes).toEqual(all.lanes);
  expect((await changesOf(workspace, { from: 0, count: 10, lane: 'blocked' })).changes).toMatchObject([
    { label: 'no bid, broad' },
  ]);
  expect((await changesOf(workspace, { from: 0, count: 10, words: 'towel', lane: 'ready' })).total).toBe(
    (await changesOf(workspace, { from: 0, count: 10, words: 'towel' })).lanes.ready,
  );
});

test('the history is narrowed to steps with every word in their name or their author, and each names the one before', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  for (const [label, value] of [
    ['Raise bids', 200],
    ['Lower bids', 150],
    ['Raise again', 250],
  ] as const) {
    const edited = await workspace.apply({
      label,
      source: 'user',
      updates: [{ ...at(refs, 2), field: 'bid', value }],
    });
    expect(edited.ok).toBe(true);
  }
  const all = (await workspace.history(0, 10)).steps;
  expect(all.map(({ label }) => label)).toEqual(['Raise again', 'Lower bids', 'Raise bids']);
  expect(all.map(({ previous }) => previous)).toEqual([...all.slice(1).map(({ id }) => id), 0]);
  const raised = await workspace.history(0, 10, 'RAISE');
  expect(raised.total).toBe(2);
  expect(raised.steps.map(({ previous }) => previous)).toEqual([all[1]?.id, 0]);
  expect((await workspace.history(0, 10, 'raise bids')).steps).toMatchObject([{ label: 'Raise bids' }]);
});

test('reverting takes rows back to what the service said, and undo takes the reverting back', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  const keyword = at(refs, 2);
  await edit(workspace, {
    updates: [
      { ...keyword, field: 'bid', value: 200 },
      { ...keyword, field: 'state', value: 'paused' },
    ],
  });
  done(await call(workspace, 'workspace', 'revert', { rows: [keyword], field: 'bid' }));
  expect(await workspace.readRow(keyword)).toMatchObject({ values: { bid: 100, state: 'paused' } });
  await edit(workspace, { deletes: [keyword] });
  done(await call(workspace, 'workspace', 'revert', { rows: [keyword], field: null }));
  expect(await workspace.readRow(keyword)).toMatchObject({
    dirty: 0,
    base: null,
    values: { bid: 100, state: 'enabled' },
  });
  await call(workspace, 'workspace', 'undo');
  expect(await workspace.readRow(keyword)).toMatchObject({ values: { state: 'paused' } });
});

test('what the user may not set is refused with the reason', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  const keyword = at(refs, 2);
  const attempt = (field: string, value: string | number | null) =>
    workspace.apply({ label: 'Set', source: 'user', updates: [{ ...keyword, field, value }] });
  const refusal = (reason: string) => ({ ok: false, error: { code: 'BAD_VALUE', data: { reason } } });
  expect(await attempt('reviewStatus', 'approved')).toMatchObject(refusal('owner'));
  expect(await attempt('text', 'another')).toMatchObject(refusal('owner'));
  expect(await attempt('text', 'towel')).toMatchObject({ ok: true });
  expect(await attempt('state', 'asleep')).toMatchObject(refusal('choice'));
  expect(await attempt('bid', 1.5)).toMatchObject(refusal('type'));
  expect(await attempt('colour', 'red')).toMatchObject(refusal('unknown-field'));
  const nobody = { ...keyword, id: (keyword.id + 1000) as RowRef['id'] };
  expect(await workspace.apply({ label: 'Set', source: 'user', deletes: [nobody] })).toMatchObject({
    error: { code: 'NO_ROW', data: nobody },
  });
  expect(
    await workspace.apply({ label: 'New', source: 'user', creates: [create('keyword', { id: at(refs, 0).id })] }),
  ).toMatchObject(refusal('parent'));
});

test('issues are counted, listed by campaign and shown at their row', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, {
    creates: [...aSmallCampaign(), create('keyword', { at: 1 }, { text: 'no bid', matchType: 'exact' })],
  });
  const noBid = at(touched, 5);
  const { issues: counts } = await workspace.summary();
  const page = await workspace.issues(0, 100, null);
  expect(page.counts).toEqual(counts);
  expect(page.issues).toHaveLength(page.total);
  expect(
    page.issues.some((issue) => issue.kind === 'keyword' && issue.id === noBid.id && issue.severity === 'error'),
  ).toBe(true);
  expect(page.issues.every((issue) => issue.campaignName === 'Towels')).toBe(true);
  expect(await workspace.rowsWithErrors()).toContainEqual(noBid);
  const detail = await detailOf(workspace, noBid);
  expect(detail?.row.severity).toBe('error');
  expect(detail?.issues.length).toBeGreaterThan(0);
  expect(detail?.impacts['bid']).toEqual({ cost: 'with-create', message: null });
  const one = await workspace.issues(1, 1, null);
  expect(one.issues).toEqual(page.issues.slice(1, 2));
});

test('a new day finds what has become late', async () => {
  const clock = aClock();
  const workspace = await aWorkspace(undefined, clock);
  const [campaign, ...rest] = aSmallCampaign();
  if (campaign === undefined) throw new Error('no campaign');
  const dated = { ...campaign, values: { ...campaign.values, startDate: '2026-05-20', endDate: '2026-06-20' } };
  await edit(workspace, { creates: [dated, ...rest] });
  const rules = async () => (await workspace.issues(0, 200, null)).issues.map(({ rule, field }) => `${rule} ${field}`);
  const before = await rules();
  clock.moveMs(30 * DAY_MS);
  const later = await rules();
  expect(later).not.toEqual(before);
  expect(later.some((rule) => rule.endsWith('startDate'))).toBe(true);
});

test('listeners hear of every change with its revision and kinds', async () => {
  const workspace = await aWorkspace();
  const heard: { revision: number; kinds: readonly string[] }[] = [];
  const stop = workspace.onChanged((revision, kinds) => heard.push({ revision, kinds }));
  const { revision } = await edit(workspace, { creates: aSmallCampaign() });
  expect(heard.at(-1)).toMatchObject({
    revision,
    kinds: expect.arrayContaining(['campaign', 'adGroup', 'adItem', 'keyword']),
  });
  stop();
  const count = heard.length;
  await edit(workspace, { creates: aSmallCampaign('Second') });
  expect(heard).toHaveLength(count);
});

test('an edit that changes nothing leaves no step, no revision and no event', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  const before = await workspace.summary();
  await edit(workspace, { updates: [{ ...at(refs, 2), field: 'bid', value: 100 }] });
  expect(await workspace.summary()).toEqual(before);
});

test('fields of the service are written outside the history', async () => {
  const { workspace, refs } = await aSyncedWorkspace();
  expect(await workspace.setServiceFields([{ ...at(refs, 2), field: 'reviewStatus', value: 'rejected' }])).toBe(1);
  expect(await workspace.readRow(at(refs, 2))).toMatchObject({ dirty: 0, values: { reviewStatus: 'rejected' } });
  expect((await workspace.history(0, 10)).total).toBe(0);
  await expect(workspace.setServiceFields([{ ...at(refs, 2), field: 'bid', value: 1 }])).rejects.toThrow(
    /not a field of the service/u,
  );
});

const THREADS = ['writer', 'reader'].map(
  (name) => pathToFileURL(join(import.meta.dirname, `../../main/store/worker/${name}.ts`)).href,
);
const SAY_WHAT_IS_LOADED = `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
  for (const thread of ${JSON.stringify(THREADS)}) await import(thread);`;

// Both threads of a workspace load before an account opens: schemas would make that half again as long.
test('the threads of a workspace load birpc and no other package, so no schemas', () => {
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', SAY_WHAT_IS_LOADED], {
    encoding: 'utf8',
  }).split('\n');
  const packages = loaded.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(url)?.[1] ?? []);
  expect(loaded.length).toBeGreaterThan(100);
  expect([...new Set(packages)]).toEqual(['birpc']);
});

test('two campaigns of one name are found wherever they are', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, { creates: aSmallCampaign('Towels') });
  await edit(workspace, { creates: aSmallCampaign('Towels') });
  const sameNames = async () =>
    (await workspace.issues(0, 200, null)).issues.filter(({ rule }) => rule === 'account.campaign-name-unique');
  expect(await sameNames()).toHaveLength(1);
  const updates = touched.slice(0, 1).map((campaign) => ({ ...campaign, field: 'name', value: 'Other' }));
  await edit(workspace, { updates });
  expect(await sameNames()).toEqual([]);
});

test('the overlap of campaigns counts each keyword once that two of them have enabled with the same match type', async () => {
  const store = aStore();
  const lists = [
    ['Red Towel/exact', 'red  towel/exact', 'blue towel/exact', 'kettle/broad', '/exact'],
    ['red towel/exact', 'blue towel/phrase', 'kettle/broad', 'mug/exact/paused', '/exact'],
    ['kettle/broad', 'mug/exact'],
    ['saucer/exact'],
  ];
  const ids = lists.map((list, place) => {
    const keywords = list.map((text) => {
      const [words = '', matchType = '', state = 'enabled'] = text.split('/');
      return create('keyword', { at: 1 }, { text: words === '' ? null : words, matchType, bid: 100, state });
    });
    const campaign = create('campaign', null, {
      name: `C${place}`,
      campaignType: 'sponsoredProducts',
      targetingType: 'manual',
    });
    return at(createAll(store, [campaign, create('adGroup', { at: 0 }, { name: `G${place}` }), ...keywords]), 0).id;
  });
  const { shown, pairs, ...sums } = await readKeywordOverlap(store.db, store.profile);
  expect(sums).toEqual({ keywords: 2, campaigns: 3, distinctMax: 200 });
  expect(shown.map(({ name, shared, distinct }) => [name, shared, distinct])).toEqual([
    ['C0', 2, 3],
    ['C1', 2, 3],
    ['C2', 1, 2],
  ]);
  expect(pairs).toEqual([...[0, 1, 2], ...[0, 2, 1], ...[1, 2, 1]]);
  const { keywords, more } = readSharedKeywords(store.db, [at(ids, 0), at(ids, 1)]);
  expect(keywords.map(({ text, matchType, rows }) => [text, matchType, rows.map(({ bid }) => bid)])).toEqual([
    ['kettle', 'broad', [100, 100]],
    ['Red Towel', 'exact', [100, 100]],
  ]);
  expect(more).toBe(0);
});
