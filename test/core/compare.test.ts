import { expect, test } from 'vitest';
import { itemOperations } from '../../main/service/item-ids.ts';
import { rowOperations } from '../../main/service/rows.ts';
import type { CompareSide } from '../../shared/api/compare.ts';
import { SPREAD_MAX } from '../../shared/api/limits.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { at, done, pick } from '../store/a-workspace.ts';
import { answering } from '../ui/answering.ts';
import { addRows, aSharedSample, rowsOf } from './a-core.ts';

const { core, client, workspaceId } = await aSharedSample('compare');
const campaigns = (await rowsOf(client, workspaceId, { kind: 'campaign' })).map(({ id, cells }) => ({
  id,
  name: String(cells[0]),
}));

const compare = async (left: CompareSide, right: CompareSide) => {
  const opened = await client.compare.open({ workspaceId, left, right });
  const { comparisonId } = opened;
  const page = await client.compare.page({ workspaceId, comparisonId, from: 0, count: 500 });
  return { ...opened, differences: page.differences };
};
const now: CompareSide = { is: 'now', campaignId: null };

test('the account differs from the service exactly in its unsynced changes, and using all of them ends them', async () => {
  const { counts, comparisonId } = await compare(now, { is: 'service', campaignId: null });
  expect(counts).toEqual({ field: 3, left: 8, right: 0 });
  const { revision } = await client.compare.use({ workspaceId, comparisonId, places: null });
  expect(revision).toBeGreaterThan(0);
  // The new campaign itself stays: whole campaigns are deleted in the list.
  expect((await client.workspace.summary({ workspaceId })).changed).toBeLessThan(4);
  await client.workspace.undo({ workspaceId });
  expect((await compare(now, { is: 'service', campaignId: null })).counts).toEqual(counts);
});

test('two moments of the account differ in what was done between them, deleted rows included', async () => {
  const keyword = at(await rowsOf(client, workspaceId, { kind: 'keyword', filter: 'bid>0', only: 'all' }), 0);
  const bid = (value: number) =>
    client.workspace.edit({
      workspaceId,
      label: 'Edit',
      changes: [{ kind: 'keyword', id: keyword.id, field: 'bid', value }],
    });
  await bid(776);
  const { steps } = await client.workspace.history({ workspaceId, from: 0, count: 1 });
  const step = steps[0]?.id ?? 0;
  await bid(777);
  const gone = at(await rowsOf(client, workspaceId, { kind: 'campaign', filter: 'campaignState:draft' }), 0);
  await client.workspace.remove({ workspaceId, rows: [{ kind: 'campaign', id: gone.id }] });
  const moment: CompareSide = { is: 'moment', step, campaignId: null };
  const { counts, differences } = await compare(now, moment);
  expect(counts.field).toBe(1);
  expect(differences[0]).toMatchObject({ field: 'bid', left: 777, right: 776 });
  expect(counts.right).toBeGreaterThan(3);
  expect(differences.map(({ kind, what }) => `${kind} ${what}`)).toContain('campaign right');
  await client.history.restore({ workspaceId, to: step, scope: { all: true }, label: 'Back' });
  expect((await compare(now, moment)).total).toBe(0);
});

test('two campaigns, another account, an archive and rows of a template can be one side', async () => {
  const [one, other] = pick(campaigns, 0, 1);
  const two = await compare({ is: 'now', campaignId: one.id }, { is: 'now', campaignId: other.id });
  expect(two.differences.some(({ field }) => field === 'name')).toBe(true);
  const { workspaceId: account } = await client.accounts.addPractice({ name: 'Empty' });
  const apart = await compare(now, { is: 'account', account, campaignId: null });
  expect(apart.counts.field).toBe(0);
  expect(apart.counts.left).toBe(apart.total);
  const exported = await client.exchange.export({ workspaceId, format: 'archive', view: null });
  const { path = '' } = core.offered(exported.url.slice('/preview/'.length)) ?? {};
  const { grant } = done(await core.grants.grantPath(path));
  const archive: CompareSide = { is: 'archive', grant, campaign: null };
  expect((await compare(now, archive)).differences).toEqual([]);
  const rows: CompareSide = {
    is: 'rows',
    rows: [{ kind: 'campaign', values: { name: one.name, dailyBudget: 1 } }],
  };
  const { differences } = await compare({ is: 'now', campaignId: one.id }, rows);
  expect(differences.find(({ field }) => field === 'dailyBudget')).toMatchObject({ right: 1, canUse: true });
});

test('an ad group that only the right side has is copied with its own rows', async () => {
  const keyword = (at: number, text: string) => ({
    kind: 'keyword' as const,
    parent: { at },
    values: { text, matchType: 'exact', bid: 150 },
  });
  const { touched } = await addRows(client, workspaceId, 'Two campaigns', [
    ...['Left', 'Right'].map((name) => ({ kind: 'campaign' as const, parent: null, values: { name } })),
    ...[0, 1].map((at) => ({ kind: 'adGroup' as const, parent: { at }, values: { name: 'Pots' } })),
    { kind: 'adGroup', parent: { at: 1 }, values: { name: 'Pans' } },
    ...[2, 3].map((at) => keyword(at, 'pot')),
    keyword(4, 'pan'),
  ]);
  const [left, right] = touched.map(({ id }): CompareSide => ({ is: 'now', campaignId: id })) as [
    CompareSide,
    CompareSide,
  ];
  const opened = await compare(left, right);
  const group = opened.differences.find(({ kind }) => kind === 'adGroup');
  const added = opened.differences.find(({ kind }) => kind === 'keyword');
  expect([group, added]).toMatchObject([
    { label: 'Pans', canUse: true },
    { label: 'pan, exact', canUse: true },
  ]);
  const use = (places: number[] | null) =>
    client.compare.use({ workspaceId, comparisonId: opened.comparisonId, places });
  // A row has no place without its ad group.
  await expect(use([added?.at ?? -1])).rejects.toMatchObject({ code: 'NOTHING_TO_DO' });
  expect(await use(null)).toMatchObject({ created: 2, deleted: 0 });
  expect((await compare(left, right)).differences).toEqual([]);
  // The same over time: one ad group is renamed and lacks its row, the other one is gone.
  const { steps } = await client.workspace.history({ workspaceId, from: 0, count: 1 });
  const [campaign, pots, pans, pot] = pick(touched, 1, 3, 4, 6);
  const label = 'Rename';
  await client.workspace.edit({ workspaceId, label, changes: [{ ...pots, field: 'name', value: 'Jars' }] });
  await client.workspace.remove({ workspaceId, rows: [pot, pans] });
  const moment: CompareSide = { is: 'moment', step: steps[0]?.id ?? 0, campaignId: campaign.id };
  const { comparisonId } = await compare(right, moment);
  expect(await client.compare.use({ workspaceId, comparisonId, places: null })).toMatchObject({ created: 3 });
  const view = { kind: 'keyword' as const, campaignId: campaign.id };
  const { rows } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 9 } });
  const inPots = rows.filter(({ adGroupId }) => adGroupId === pots.id).map(({ cells }) => cells[0]);
  expect([rows.length, inPots]).toEqual([2, ['pot']]);
});

test('differences are found whichever way an accent is written, and whatever the case', async () => {
  const { touched } = await addRows(client, workspaceId, 'A campaign', [
    { kind: 'campaign', parent: null, values: { name: 'Cafe\u0301 mugs' } },
  ]);
  const campaignId = touched[0]?.id ?? null;
  const { comparisonId } = await compare({ is: 'now', campaignId }, { is: 'service', campaignId });
  const page = await client.compare.page({ workspaceId, comparisonId, from: 0, count: 10, words: 'MUGS caf\u00e9' });
  expect(page.total).toBe(1);
  await client.workspace.undo({ workspaceId });
});

test('a value whose row was removed since the comparison is refused for that reason', async () => {
  const { touched } = await client.workspace.create({
    workspaceId,
    label: 'Two campaigns',
    rows: ['Cups', 'Mugs'].map((name) => ({ kind: 'campaign' as const, parent: null, values: { name } })),
  });
  const [cups, mugs] = pick(touched, 0, 1);
  const { comparisonId } = await compare({ is: 'now', campaignId: cups.id }, { is: 'now', campaignId: mugs.id });
  await client.workspace.remove({ workspaceId, rows: [cups] });
  await expect(client.compare.use({ workspaceId, comparisonId, places: null })).rejects.toMatchObject({
    code: 'NO_ROW',
    data: cups,
  });
});

test('a campaign is spread over two without a keyword in both, as one step', async () => {
  const whole = { from: 0, count: 500 };
  const water = campaigns.find(({ name }) => name === 'Water bottles manual');
  if (water === undefined) throw new Error('no such campaign');
  const enabledIn = async (campaignId: RowId) => {
    const view = { kind: 'keyword' as const, campaignId, filter: 'state:enabled' };
    const { rows } = await client.workspace.openView({ workspaceId, view, window: whole });
    return rows.map(({ cells }) => `${cells[0]} ${cells[1]}`);
  };
  const before = await enabledIn(water.id);
  const spread = await client.bulk.spreadKeywords({ workspaceId, campaignIds: [water.id] });
  const [here, there] = [await enabledIn(water.id), await enabledIn(spread.campaignId)];
  expect([...here, ...there].toSorted()).toEqual(before.toSorted());
  expect(there).toHaveLength(spread.moved);
  await client.workspace.undo({ workspaceId });
  expect((await enabledIn(water.id)).toSorted()).toEqual(before.toSorted());
});

test('a spread and a repair of item IDs name the row that was removed since they read it', async () => {
  const { touched } = await addRows(client, workspaceId, 'Drafts', [
    { kind: 'campaign', parent: null, values: { name: 'Bowls', campaignType: 'sponsoredProducts' } },
    { kind: 'adGroup', parent: { at: 0 }, values: {} },
    ...['red bowl', 'blue bowl'].map((text) => ({
      kind: 'keyword' as const,
      parent: { at: 1 },
      values: { text, matchType: 'exact', bid: 50 },
    })),
    { kind: 'adItem', parent: { at: 1 }, values: { itemId: '1.5E+09' } },
  ]);
  const bowls = at(touched, 0);
  const account = done(await core.open.get(workspaceId));
  const { workspace } = account;
  const apply: typeof workspace.apply = async (edit) => {
    await client.workspace.remove({ workspaceId, rows: [bowls] });
    return workspace.apply(edit);
  };
  const context = { account: answering(account, 'workspace', answering(workspace, 'apply', apply)) } as never;
  const accepted = [{ from: '1.5E+09', to: '1500000000' }];
  expect(await itemOperations({} as never).itemIds.repair(context, { workspaceId, accepted })).toMatchObject({
    error: { code: 'NO_ROW', data: { kind: 'adItem' } },
  });
  await client.workspace.undo({ workspaceId });
  const campaignIds = [bowls.id];
  expect(await rowOperations({} as never).bulk.spreadKeywords(context, { workspaceId, campaignIds })).toMatchObject({
    error: { code: 'NO_ROW', data: { kind: 'keyword' } },
  });
});

test('all full campaigns are found here and spread, a limited number in one step; the answer counts the rest', async () => {
  const { workspaceId: own } = await client.accounts.addPractice({ name: 'Full' });
  await client.accounts.setProfile({ workspaceId: own, text: 'keywords.maxDistinctEnabled=2' });
  const campaign = (no: number, words: readonly string[]) => [
    {
      kind: 'campaign' as const,
      parent: null,
      values: { name: `Full ${no}`, campaignType: 'sponsoredProducts', dailyBudget: 1500 },
    },
    { kind: 'adGroup' as const, parent: { at: no * 5 }, values: {} },
    ...words.map((text) => ({
      kind: 'keyword' as const,
      parent: { at: no * 5 + 1 },
      values: { text, matchType: 'exact', bid: 50 },
    })),
  ];
  const full = Array.from({ length: SPREAD_MAX + 2 }, (_, no) => campaign(no, ['pot', 'pan', 'lid']));
  const rows = [...full, campaign(SPREAD_MAX + 2, ['cup', 'mug'])].flat();
  await client.workspace.create({ workspaceId: own, label: 'Create', rows });
  const spread = () => client.bulk.spreadKeywords({ workspaceId: own, campaignIds: null });
  expect(await client.bulk.previewSpread({ workspaceId: own, campaignIds: null })).toEqual({
    ...{ campaigns: SPREAD_MAX, moved: SPREAD_MAX, dailyBudget: SPREAD_MAX * 1500, left: 2 },
  });
  expect(await spread()).toMatchObject({ campaigns: SPREAD_MAX, moved: SPREAD_MAX, paused: 0, left: 2 });
  expect(await spread()).toMatchObject({ campaigns: 2, moved: 2, left: 0 });
  await expect(spread()).rejects.toMatchObject({ code: 'NOTHING_TO_DO' });
});
