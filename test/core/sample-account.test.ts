import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import type { Client } from '../../main/hosts/cli/command.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';
import { startCore } from './a-core.ts';

const whole = { from: 0, count: 100 } as const;

test('a sample account has one mistake, syncs the rest, and its first steps are completed by what happens', async () => {
  const core = await startCore(testFolder('sample'));
  try {
    const client: Client = createRouterClient(core.router);
    const added = await client.accounts.addSample({ name: 'Northwind Home' });
    expect(added).toMatchObject({ practice: true, isSample: true, targetRoas: 4 });
    const { workspaceId } = added;
    const at = { workspaceId };

    const summary = await client.workspace.summary(at);
    expect(summary.issues).toEqual({ error: 1, warning: 0, advice: 0 });
    expect(summary.rows).toMatchObject({ campaign: 6, sbaProfile: 3, videoProfile: 2 });
    expect(summary.rows.keyword).toBeGreaterThanOrEqual(30);
    const { issues } = await client.workspace.issues({ ...at, ...whole });
    expect(issues).toMatchObject([{ rule: 'sba.headline-length', params: { length: 48, max: 45 } }]);
    const { launches } = await client.launch.list({ ...at, ...whole });
    expect(Object.fromEntries(launches.map(({ name, state }) => [name, state]))).toEqual({
      'Water bottles manual': 'live',
      'Paper towels auto': 'live',
      'Northwind garden brand': 'live',
      'Garden hose video': 'scheduled',
      'Kitchen roll video': 'in-review',
      'Northwind paper brand': 'draft',
    });
    // A file of the library is uploaded and is no change.
    const { changes } = await client.workspace.changes({ ...at, ...whole });
    const rows = changes.filter(({ kind }) => kind !== 'media');
    expect([rows.length, rows.filter(({ lane }) => lane === 'ready').length]).toEqual([11, 10]);
    const { snapshots } = await client.reports.list(at);
    expect(snapshots.map(({ reportType }) => reportType).toSorted()).toEqual(['adItem', 'campaign', 'keyword']);

    // What the lens of the grid shows of rows is what their details say, one by one.
    for (const kind of ['campaign', 'keyword', 'sbaProfile', 'videoProfile'] as const) {
      const opened = await client.workspace.openView({ ...at, view: { kind }, window: whole });
      const shown = await client.workspace.impacts({ ...at, kind, ids: opened.rows.map(({ id }) => id) });
      expect(shown.rows).toHaveLength(opened.rows.length);
      for (const { id, impacts } of shown.rows) {
        expect(impacts).toEqual((await client.workspace.row({ ...at, ref: { kind, id } })).impacts);
      }
    }

    const goal = { is: 'roas' as const, target: 400 };
    const bids = await client.suggestions.list({ ...at, ...whole, kinds: ['bid'], goal });
    expect(bids.total).toBeGreaterThanOrEqual(5);
    const { tiles } = await client.overview.get({ ...at, period: 'last-28' });
    expect(tiles.roas.now).toBeGreaterThan(250);
    expect(tiles.roas.now).toBeLessThan(550);

    const steps = async () => (await client.checklist.get(at))?.done;
    expect(await steps()).toEqual([]);
    await client.checklist.seeOverview(at);
    await fixHeadline();
    await raiseBids();
    await addFoundItem();
    await expect.poll(steps).toEqual(['overview', 'error', 'bids', 'item']);

    const sync = await done(await core.open.get(workspaceId)).sync();
    const { rollback } = await client.sync.plan({ ...at, submit: true });
    const { runId } = await client.sync.run({ ...at, submit: true });
    const report = await sync.idle();
    expect(report).toMatchObject({ state: 'finished', refused: [], inDoubt: 0, questions: 0 });
    expect((await client.workspace.summary(at)).changed).toBe(0);
    // A review was submitted as well, and is no row.
    const { total, ...results } = report?.changes ?? { total: 0 };
    expect(total).toBeGreaterThan(0);
    expect(report?.done).toBeGreaterThan(total);
    expect((await client.overview.get({ ...at, period: 'last-28' })).lastSync).toMatchObject(results);
    // What was rehearsed before the sync is what a rollback does after it.
    const { changes: back, forGood } = await client.rollback.preview({ ...at, runId });
    expect([back, forGood]).toEqual([rollback.changes, rollback.forGood]);
    expect(back).toBeGreaterThan(0);
    await client.practice.advance({ ...at, duration: 'P3D' });
    await client.sync.refresh(at);
    await expect.poll(steps).toEqual(['overview', 'error', 'bids', 'item', 'sync', 'live']);
    expect(await client.checklist.setClosed({ ...at, closed: true })).toMatchObject({ closed: true });

    async function fixHeadline(): Promise<void> {
      const [issue] = issues;
      const cell = { kind: 'sbaProfile' as const, id: issue?.id ?? 0, field: 'headline' };
      await client.workspace.edit({
        ...at,
        label: 'Shorten',
        changes: [{ ...cell, value: 'Soft napkins and strong towels' }],
      });
    }
    async function raiseBids(): Promise<void> {
      const opened = await client.workspace.openView({ ...at, view: { kind: 'keyword' }, window: whole });
      const changes = opened.rows
        .slice(0, 3)
        .map(({ id }) => ({ kind: 'keyword' as const, id, field: 'bid', value: 250 }));
      await client.workspace.edit({ ...at, label: 'Raise', changes: changes.slice(0, 2) });
      await client.checklist.get(at);
      await client.workspace.edit({ ...at, label: 'Raise', changes });
    }
    async function addFoundItem(): Promise<void> {
      const [item] = await client.items.search({ ...at, ids: null, text: 'Storage Box' });
      const view = { kind: 'adGroup' as const, filter: 'campaign:"Paper towels auto"' };
      const { rows: groups } = await client.workspace.openView({ ...at, view, window: whole });
      const values = { itemId: item?.itemId ?? '', itemName: item?.name ?? '', itemIdSource: 'search', bid: 60 };
      const parent = { id: groups[0]?.id ?? 0 };
      await client.workspace.create({ ...at, label: 'Add', rows: [{ kind: 'adItem', parent, values }] });
    }
  } finally {
    await core.close();
  }
});

test('the mistake of a sample account is fixed, whatever errors imported campaigns have', async () => {
  const core = await startCore(testFolder('sample'));
  try {
    const client: Client = createRouterClient(core.router);
    const { workspaceId } = await client.accounts.addSample({ name: 'Northwind Home' });
    const at = { workspaceId };
    const values = {
      name: 'Imported',
      campaignType: 'sponsoredProducts',
      targetingType: 'manual',
      status: 'enabled',
    };
    const keyword = {
      kind: 'keyword' as const,
      parent: { at: 1 },
      values: { text: 'pot', matchType: 'exact', bid: 100 },
    };
    const rows = [
      { kind: 'campaign' as const, parent: null, values },
      { kind: 'adGroup' as const, parent: { at: 0 }, values: { name: 'Imported group' } },
      keyword,
      keyword,
    ];
    await client.workspace.create({ ...at, label: 'Create', rows });
    const { issues } = await client.workspace.issues({ ...at, ...whole, rule: 'sba.headline-length' });
    const cell = { kind: 'sbaProfile' as const, id: issues[0]?.id ?? 0, field: 'headline' };
    await client.workspace.edit({ ...at, label: 'Shorten', changes: [{ ...cell, value: 'Soft napkins' }] });
    await expect.poll(async () => (await client.checklist.get(at))?.done).toEqual(['error']);
    expect((await client.workspace.summary(at)).issues.error).toBeGreaterThan(0);
  } finally {
    await core.close();
  }
});

test('two practice accounts share no advertiser and no ID, and an archive of one names its account in the other', async () => {
  const core = await startCore(testFolder('two-practice-accounts'));
  try {
    const client: Client = createRouterClient(core.router);
    const one = await client.accounts.addSample({ name: 'One' });
    const two = await client.accounts.addSample({ name: 'Two' });
    const three = await client.accounts.addPractice({ name: 'Three' });
    const added = [one, two, three].map(({ advertiserId }) => advertiserId);
    expect(added).toEqual(['900001', '900003', '900005']);
    const remoteIds = async ({ workspaceId }: { readonly workspaceId: string }) => {
      const ids: string[] = [];
      for (const kind of ['campaign', 'adGroup', 'adItem', 'keyword', 'sbaProfile', 'videoProfile'] as const) {
        const { rows } = await client.workspace.openView({ workspaceId, view: { kind }, window: whole });
        for (const { remoteId } of rows) if (remoteId !== null) ids.push(`${kind} ${remoteId}`);
      }
      return ids;
    };
    const own = await remoteIds(one);
    expect(own.length).toBeGreaterThan(40);
    expect((await remoteIds(two)).filter((id) => own.includes(id))).toEqual([]);

    const { workspaceId } = one;
    const exported = await client.exchange.export({ workspaceId, format: 'archive', view: null });
    const { path = '' } = core.offered(exported.url.slice('/preview/'.length)) ?? {};
    const previewIn = async (account: typeof one) => {
      const { grant } = done(await core.grants.grantPath(path));
      return client.exchange.preview({ workspaceId: account.workspaceId, grant });
    };
    expect(await previewIn(one)).toMatchObject({ otherAccount: null });
    expect(await previewIn(two)).toMatchObject({ otherAccount: 'One', changed: 0 });

    // The account that is removed leaves its number to the next one.
    await client.accounts.remove({ workspaceId: two.workspaceId });
    expect(await client.accounts.addPractice({ name: 'Four' })).toMatchObject({ advertiserId: '900003' });
  } finally {
    await core.close();
  }
});
