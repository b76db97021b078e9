import { expect, test } from 'vitest';
import { createSuggestionSettings } from '../../main/suggestions/suggestion-settings.ts';
import { DISMISSALS_MAX, WINDOW_MAX } from '../../shared/api/limits.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { at, done, pick } from '../store/a-workspace.ts';
import { aSharedSample, rowsOf } from './a-core.ts';

const { core, client, workspaceId } = await aSharedSample('suggestions');
const account = { of: 'account' } as const;

for (const { scope } of (await client.suggestions.goals({ workspaceId })).goals) {
  await client.suggestions.setGoal({ workspaceId, scope, goal: null, plan: null });
}

const list = () => client.suggestions.list({ workspaceId, from: 0, count: 500 });
const cells = async () => {
  const kinds = ['campaign', 'adItem', 'keyword', 'platformMultiplier', 'placementMultiplier'] as const;
  const read = kinds.map(async (kind) => {
    const rows = await rowsOf(client, workspaceId, { kind });
    return rows.map(({ id, dirty, cells: values }) => ({ id, dirty, values }));
  });
  return Promise.all(read);
};

test('without a goal no bid is suggested, and rows say so', async () => {
  const { suggestions, dropped, hasGoal } = await list();
  expect(suggestions.filter(({ kind }) => kind === 'bid' || kind === 'no-sale')).toEqual([]);
  expect(dropped.find(({ reason }) => reason === 'no-goal')?.count).toBeGreaterThan(0);
  expect(hasGoal).toBe(false);
  const rows = await rowsOf(client, workspaceId, { kind: 'keyword' }, 100);
  const asked = await client.suggestions.ofRows({ workspaceId, kind: 'keyword', ids: rows.map(({ id }) => id) });
  expect(asked.rows.some(({ hasGoal: known }) => !known)).toBe(true);
  expect(asked.rows.every(({ suggestion }) => suggestion === null)).toBe(true);
});

test('the nearest goal counts, and each suggestion says how it was computed', async () => {
  await client.suggestions.setGoal({ workspaceId, scope: account, goal: { is: 'roas', target: 400 } });
  const { suggestions } = await list();
  const [bid] = suggestions.filter(({ kind }) => kind === 'bid');
  if (bid?.campaignId == null) throw new Error('no bid was suggested');
  const explained = await client.suggestions.explain({ workspaceId, key: bid.key });
  expect(explained.suggestion).toEqual(bid);
  expect(explained.steps.map(({ name }) => name)).toContain('Bid at target');
  await client.suggestions.setGoal({
    workspaceId,
    scope: { of: 'campaign', campaignId: bid.campaignId },
    goal: { is: 'none' },
  });
  expect((await list()).suggestions.filter(({ key }) => key === bid.key)).toEqual([]);
  await client.suggestions.setGoal({
    workspaceId,
    scope: { of: 'campaign', campaignId: bid.campaignId },
    goal: null,
  });
  expect(await list()).toEqual({ ...(await list()), suggestions });
});

test('held spend gets its amount when the goal is set, or from the first suggestion that is accepted', async () => {
  const hold = { is: 'hold', perDay: null } as const;
  const bidsOf = ({ suggestions }: Awaited<ReturnType<typeof list>>) =>
    suggestions.flatMap(({ key, kind, suggested }) => (kind === 'bid' ? [[key, suggested]] : []));
  const goals = async () => (await client.suggestions.goals({ workspaceId })).goals;
  const { total, groups } = await client.metrics.grouped({
    workspaceId,
    group: 'campaign',
    look: { period: 'last-28' },
  });
  const perDayOf = (metrics: Readonly<Record<string, number>> | undefined) =>
    Math.round((metrics?.['spend'] ?? 0) / 28);
  await client.suggestions.setGoal({ workspaceId, scope: account, goal: hold });
  expect(await goals()).toEqual([{ scope: account, goal: { is: 'hold', perDay: perDayOf(total) } }]);
  // The command line holds spend without a stored goal. What it suggests on that day is the same.
  const unset = await client.suggestions.list({ workspaceId, from: 0, count: 500, goal: hold });
  expect(bidsOf(unset).length).toBeGreaterThan(0);
  expect(bidsOf(await list())).toEqual(bidsOf(unset));

  // A label without a campaign spends nothing, so its goal gets its amount from the first suggestion that is accepted.
  const label = await client.notes.saveLabel({ workspaceId, name: 'Held' });
  const scope = { of: 'label', label: label.name } as const;
  await client.suggestions.setGoal({ workspaceId, scope: account, goal: null });
  await client.suggestions.setGoal({ workspaceId, scope, goal: hold });
  expect(await goals()).toEqual([{ scope, goal: hold }]);
  const campaignId = unset.suggestions.find(({ kind }) => kind === 'bid')?.campaignId;
  if (campaignId == null) throw new Error('no bid was suggested');
  await client.notes.label({
    workspaceId,
    rows: [{ kind: 'campaign', ids: [campaignId] }],
    add: [label.id],
    remove: [],
  });
  const keys = bidsOf(await list()).map(([key]) => `${key}`);
  const { accepted } = await client.suggestions.accept({ workspaceId, keys, lifted: true });
  expect(accepted).toBe(keys.length);
  const perDay = perDayOf(groups.find(({ rowId }) => rowId === campaignId)?.metrics);
  expect(await goals()).toEqual([{ scope, goal: { is: 'hold', perDay } }]);
  await client.workspace.undo({ workspaceId });
  await client.suggestions.setGoal({ workspaceId, scope, goal: null });
  await client.suggestions.setGoal({ workspaceId, scope: account, goal: { is: 'roas', target: 400 } });
});

test('everything accepted makes no error and no request, and undo restores every cell and every mark', async () => {
  const before = await cells();
  // Waits for the checks that an edit leaves for later.
  const errorsNow = async () => (await client.workspace.issues({ workspaceId, from: 0, count: 1 })).counts.error;
  const errors = await errorsNow();
  const { suggestions } = await list();
  const keys = suggestions.map(({ key }) => key);
  const { accepted } = await client.suggestions.accept({ workspaceId, keys, lifted: true });
  expect(accepted).toBeGreaterThan(0);
  const summary = await client.workspace.summary({ workspaceId });
  expect(await errorsNow()).toBe(errors);
  expect(summary.undo).toBe(`Accept ${accepted} suggestions`);
  const { entries } = await client.history.log({ workspaceId, from: 0, count: 10 });
  expect(entries[0]).toMatchObject({ source: 'suggestion' });
  expect(entries.some(({ reason }) => reason?.startsWith('Suggested bid') === true)).toBe(true);
  // What was accepted is edited now, and is not suggested again.
  const left = new Set((await list()).suggestions.filter(({ field }) => field === 'bid').map(({ key }) => key));
  expect(
    suggestions.filter(({ key, effect, field }) => field === 'bid' && effect === 'immediate' && left.has(key)),
  ).toEqual([]);
  await client.workspace.undo({ workspaceId });
  expect(await cells()).toEqual(before);
});

test('the suggested bids of a whole list are counted and written as one step, however many rows it has', async () => {
  const before = await cells();
  const adGroup = at(await rowsOf(client, workspaceId, { kind: 'adGroup' }), 0);
  // Drafts without metrics make the list longer than a window of it.
  const drafts = Array.from({ length: WINDOW_MAX }, (_, at) => ({
    kind: 'keyword' as const,
    parent: { id: adGroup.id },
    values: { text: `draft ${at}`, matchType: 'broad', bid: 50 },
  }));
  await client.workspace.create({ workspaceId, label: 'Create', rows: drafts });
  const { viewId, length } = await client.workspace.openView({ workspaceId, view: { kind: 'keyword' } });
  const scope = { viewId };
  const suggested = (await list()).suggestions.filter(({ type, field }) => type === 'keyword' && field === 'bid');
  const counted = await client.suggestions.countBids({ workspaceId, scope });
  expect(length).toBeGreaterThan(WINDOW_MAX);
  expect(counted).toMatchObject({ rows: length, bids: suggested.length, hasGoal: true });
  expect(counted.effects.reduce((sum, { rows }) => sum + rows, 0)).toBe(suggested.length);
  const mean = suggested.reduce((sum, one) => sum + Number(one.suggested), 0) / suggested.length;
  expect(counted.average?.value).toBe(Math.round(mean));

  // The same bids as one by one, and nothing of a task that was canceled.
  const { revision } = await client.workspace.summary({ workspaceId });
  const stop = new AbortController();
  const canceled = client.suggestions.acceptBids({ workspaceId, scope, taskId: 'a' }, { signal: stop.signal });
  stop.abort();
  await expect(canceled).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await client.workspace.summary({ workspaceId })).revision).toBe(revision);
  const { accepted } = await client.suggestions.acceptBids({ workspaceId, scope, taskId: 'b' });
  expect(accepted).toBe(suggested.length);
  const all = await cells();
  await client.workspace.undo({ workspaceId });
  const keys = suggested.map(({ key }) => key);
  await client.suggestions.accept({ workspaceId, keys, lifted: true });
  expect(await cells()).toEqual(all);
  await client.workspace.undo({ workspaceId });
  await client.workspace.undo({ workspaceId });
  expect(await cells()).toEqual(before);
});

test('rows that are not suggested a bid, and rows of other kinds, have none', async () => {
  const { viewId } = await client.workspace.openView({ workspaceId, view: { kind: 'campaign' } });
  const scope = { viewId };
  expect(await client.suggestions.countBids({ workspaceId, scope })).toMatchObject({ bids: 0, average: null });
  const done = await client.suggestions.acceptBids({ workspaceId, scope, taskId: 'c' });
  expect(done).toMatchObject({ accepted: 0, rows: [] });
});

test('a dismissed suggestion is hidden until its evidence changes', async () => {
  const first = at((await list()).suggestions, 0);
  expect(await client.suggestions.dismiss({ workspaceId, keys: [first.key] })).toEqual({
    dismissed: 1,
    forgotten: 0,
  });
  const { suggestions, dropped } = await list();
  expect(suggestions.map(({ key }) => key)).not.toContain(first.key);
  expect(dropped).toContainEqual({ reason: 'dismissed', count: 1 });
  await client.suggestions.dismiss({ workspaceId, keys: [first.key], undo: true });
  expect((await list()).suggestions.map(({ key }) => key)).toContain(first.key);
});

test('beyond the limit, the oldest dismissed suggestion is listed again, and the answer says so', async () => {
  const [first, second] = pick((await list()).suggestions, 0, 1);
  const { workspace } = done(await core.open.get(workspaceId));
  await client.suggestions.dismiss({ workspaceId, keys: [first.key] });
  const day = Math.floor(Date.now() / 86_400_000) + 1000;
  const others = Array.from({ length: DISMISSALS_MAX - 1 }, (_, no) => ({ key: `other ${no}`, day, weight: 1 }));
  const settings = createSuggestionSettings(workspace);
  expect(await settings.dismiss(others, 0)).toBe(0);
  expect((await list()).suggestions.map(({ key }) => key)).not.toContain(first.key);
  expect(await client.suggestions.dismiss({ workspaceId, keys: [second.key] })).toEqual({ dismissed: 1, forgotten: 1 });
  const keys = (await list()).suggestions.map(({ key }) => key);
  expect([keys.includes(first.key), keys.includes(second.key)]).toEqual([true, false]);
  await workspace.setMeta('dismissed-suggestions', '[]');
});

test('a plan of the month has a projection, and one that is gone does not exist', async () => {
  await client.suggestions.setGoal({ workspaceId, scope: account, plan: 500_000 });
  const { plans } = await client.suggestions.pace({ workspaceId });
  expect(plans).toHaveLength(1);
  expect(plans[0]?.low).toBeLessThanOrEqual(plans[0]?.projected ?? 0);
  expect(plans[0]?.reason).toContain('of $5,000.00 is spent');
  await client.suggestions.setGoal({ workspaceId, scope: account, plan: null });
  expect((await client.suggestions.pace({ workspaceId })).plans).toEqual([]);
});

test('a goal or a monthly plan above the limit is refused with the limit, and all others stay', async () => {
  const { workspaceId: own } = await client.accounts.addPractice({ name: 'Many goals' });
  const { workspace } = done(await core.open.get(own));
  const scopes = Array.from({ length: 2000 }, (_, at) => ({ of: 'label', label: `Label ${at}` }) as const);
  const goal = { is: 'roas', target: 400 } as const;
  await workspace.setMeta('suggestion-goals', JSON.stringify(scopes.map((scope) => ({ scope, goal }))));
  await workspace.setMeta('month-plans', JSON.stringify(scopes.map((scope) => ({ scope, plan: 5000 }))));
  const refused = (what: string) => ({
    code: 'BAD_TOOL',
    data: { problem: `There are 2,000 ${what} already. Remove one first.` },
  });
  const set = (more: object) => client.suggestions.setGoal({ workspaceId: own, scope: account, ...more });
  await expect(set({ goal })).rejects.toMatchObject(refused('goals'));
  await expect(set({ plan: 9000 })).rejects.toMatchObject(refused('monthly plans'));
  await client.suggestions.setGoal({ workspaceId: own, scope: { of: 'label', label: 'Label 0' }, goal, plan: 6000 });
  const kept = await client.suggestions.goals({ workspaceId: own });
  expect([kept.goals.length, kept.plans.length, kept.plans.at(-1)?.plan]).toEqual([2000, 2000, 6000]);
});

test('a text that was added as another match type is not suggested again before it is sent', async () => {
  await client.suggestions.setGoal({ workspaceId, scope: account, goal: { is: 'roas', target: 50 } });
  const found = (await list()).suggestions.filter(({ kind }) => kind === 'harvest');
  const harvest = at(found, 0);
  const accept = () => client.suggestions.accept({ workspaceId, keys: [harvest.key], lifted: true, goal: null });
  expect(await accept()).toMatchObject({ accepted: 1 });
  expect((await list()).suggestions.map(({ key }) => key)).not.toContain(harvest.key);
  expect(await accept()).toMatchObject({ accepted: 0, dropped: [{ reason: 'gone', count: 1 }] });
  await client.workspace.undo({ workspaceId });
});

test('a campaign that has just started is not said to have had no impressions for a week', async () => {
  await client.practice.advance({ workspaceId, duration: 'P8D' });
  await client.sync.refresh({ workspaceId });
  const live = await rowsOf(client, workspaceId, { kind: 'campaign', filter: 'campaignState:live name:hose' });
  expect(live).toHaveLength(1);
  const alerts = (await list()).suggestions.filter(({ kind }) => kind === 'alert');
  expect(alerts.map(({ label }) => label)).not.toContain('Garden hose video: No impressions');
});

test('a keyword is not said to have had no impressions while it was paused, or before its campaign started', async () => {
  const [keyword] = await rowsOf(client, workspaceId, { kind: 'keyword', filter: 'text:flask match:phrase' });
  const ref = { kind: 'keyword' as const, id: asRowId(keyword?.id ?? 0) };
  const sendState = async (value: string) => {
    await client.workspace.edit({ workspaceId, label: 'State', changes: [{ ...ref, field: 'state', value }] });
    await client.sync.run({ workspaceId, submit: false });
    await expect.poll(async () => (await client.sync.report({ workspaceId }))?.state).not.toBe('running');
    expect(await client.workspace.row({ workspaceId, ref })).toMatchObject({ row: { dirty: 0 } });
  };
  const silentAfter = async (duration: string) => {
    await client.practice.advance({ workspaceId, duration });
    await client.sync.refresh({ workspaceId });
    await client.overview.request({ workspaceId, period: 'last-30', kind: 'keyword' });
    return (await list()).suggestions.filter(({ kind }) => kind === 'silent').map(({ label }) => label);
  };
  expect(await silentAfter('PT1M')).toEqual([]);
  await sendState('paused');
  expect(await silentAfter('P7D')).toEqual([]);
  expect(await silentAfter('P8D')).toEqual(['hose for garden']);
  await sendState('enabled');
  expect(await silentAfter('PT1M')).toEqual(['hose for garden']);
});
