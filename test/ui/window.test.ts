import { expect, test } from 'vitest';
import { createWindowSource } from '../../renderer/grid/window.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { aCoreWithPractice } from '../core/a-core.ts';
import { aCampaignOfKettles } from './an-account.ts';

const keywords = { kind: 'keyword', filter: '', only: 'all', sort: [], campaignId: null } as const;

async function openKeywords(count: number) {
  const core = await aCoreWithPractice();
  const { workspaceId } = core;
  const client = core.client();
  await aCampaignOfKettles(client, workspaceId, count);
  const source = createWindowSource(client, workspaceId, keywords);
  await expect.poll(() => source.ready()).toBe(true);
  return { client, workspaceId, source };
}

test('only wanted pages are read, and they arrive', async () => {
  const { source } = await openKeywords(5000);
  expect(source.length()).toBe(5000);
  expect(source.rowAt(0)).toBeDefined();
  expect(source.rowAt(4000)).toBeUndefined();
  source.want(3990, 4010);
  await expect.poll(() => source.rowAt(4001)?.cells[0]).toBe('kettle 4002');
  expect(source.rowAt(2000)).toBeUndefined();
});

test('until all groups are known the first one has its name, and no count that would be wrong', async () => {
  const { client, workspaceId } = await openKeywords(50);
  const gate = Promise.withResolvers<void>();
  const slow = {
    workspace: client.workspace,
    views: { outline: (input) => gate.promise.then(() => client.views.outline(input)) },
  } as Parameters<typeof createWindowSource>[0];
  const source = createWindowSource(slow, workspaceId, { ...keywords, group: 'campaign' });
  await expect.poll(() => source.ready()).toBe(true);
  expect([source.lines().groups, source.lines().countOf(0), source.rowAt(0)?.campaignName]).toEqual([
    1,
    null,
    expect.stringMatching(/./),
  ]);
  gate.resolve();
  await expect.poll(() => source.lines().countOf(0)).toBe(50);
});

test('a row is found by its id at any depth', async () => {
  const { source } = await openKeywords(2000);
  const [last] = await source.readRows(1999, 2000);
  expect(await source.indexOf(asRowId(last?.id ?? 0))).toBe(1999);
  expect(await source.indexOf(asRowId(7_777_777))).toBeNull();
});

test('rows beyond one part of a long read are all there, each once and in order', async () => {
  const { source } = await openKeywords(1200);
  const names = (await source.readRows(10, 1150)).map(({ cells }) => String(cells[0]).replace(/ +/, ' '));
  expect(names).toEqual(Array.from({ length: 1140 }, (_, i) => `kettle ${i + 11}`));
});

test('a long read goes on in its view when that is opened anew, so that no row is missed or read twice', async () => {
  const { client, workspaceId } = await openKeywords(1200);
  const views: number[] = [];
  const reordered = {
    views: client.views,
    workspace: {
      openView: client.workspace.openView,
      closeView: client.workspace.closeView,
      readWindow: async (input) => {
        const part = await client.workspace.readWindow(input);
        views.push(input.viewId);
        if (views.length === 1) await source.reopen();
        return part;
      },
    },
  } as Parameters<typeof createWindowSource>[0];
  const source = createWindowSource(reordered, workspaceId, keywords);
  await expect.poll(() => source.ready()).toBe(true);
  const rows = await source.readRows(0, 1200);
  expect(rows).toHaveLength(1200);
  expect(new Set(views).size).toBe(1);
  expect(source.viewId()).not.toBe(views[0]);
  const [view = 0] = views;
  const readOld = () => client.workspace.readWindow({ workspaceId, viewId: view, from: 0, count: 1 });
  await expect
    .poll(() =>
      readOld().then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
});

test('a refresh keeps old rows on screen until new ones are there', async () => {
  const { client, workspaceId, source } = await openKeywords(50);
  const id = source.rowAt(0)?.id ?? 0;
  await client.workspace.edit({
    workspaceId,
    label: 'Edit bid',
    changes: [{ kind: 'keyword', id: asRowId(id), field: 'bid', value: 999 }],
  });
  source.refresh();
  expect(source.rowAt(0)?.cells[2]).toBe(150);
  await expect.poll(() => source.rowAt(0)?.cells[2]).toBe(999);
});

test('rows that came or went are seen after the view is opened anew', async () => {
  const { client, workspaceId, source } = await openKeywords(50);
  const id = source.rowAt(0)?.id ?? 0;
  await client.workspace.remove({ workspaceId, rows: [{ kind: 'keyword', id: asRowId(id) }] });
  await source.reopen();
  expect(source.length()).toBe(49);
  expect(source.rowAt(0)?.cells[0]).toBe('kettle 2');
});

test('a painted value shows at once', async () => {
  const { source } = await openKeywords(5);
  source.paint([{ id: source.rowAt(1)?.id ?? 0, cell: 2, value: 777 }]);
  expect(source.rowAt(1)?.cells[2]).toBe(777);
});

test('a list that is opened anew after it has become shorter shows its end', async () => {
  const { client, workspaceId, source } = await openKeywords(450);
  source.want(430, 450);
  await expect.poll(() => source.rowAt(449)).toBeDefined();
  const gone = (await source.readRows(100, 450)).map(({ id }) => ({ kind: 'keyword', id }) as const);
  await client.workspace.remove({ workspaceId, rows: gone });
  await source.reopen();
  expect(source.length()).toBe(100);
  expect(source.rowAt(99)?.cells[0]).toBe('kettle 100');
});

test('rows grouped by campaign stay where they are when the groups of all others are known', async () => {
  const { client, workspaceId } = await openKeywords(300);
  await aCampaignOfKettles(client, workspaceId, 40);
  const grouped = createWindowSource(client, workspaceId, { ...keywords, group: 'campaign' });
  const firstLines = () => Array.from({ length: 60 }, (_, line) => grouped.lines().at(line));
  const early = new Promise<ReturnType<typeof firstLines>>((resolve) => {
    const stop = grouped.subscribe(() => {
      if (!grouped.ready()) return;
      resolve(firstLines());
      stop();
    });
  });
  const shown = await early;
  expect(shown[0]).toEqual({ is: 'group', group: 0 });
  await expect.poll(() => grouped.lines().groups).toBe(2);
  expect(firstLines()).toEqual(shown);
  grouped.close();
});
