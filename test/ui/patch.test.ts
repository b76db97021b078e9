import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { listenToMain, type WindowEvent } from '../../renderer/app/queries.ts';
import type { Client } from '../../renderer/app/transport/connection.ts';
import { createOpenView, createWindowSource, type ViewRequest } from '../../renderer/grid/window.ts';
import type { CellSchema } from '../../shared/api/scalars.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { aCoreWithPractice, addRows, rowsOf } from '../core/a-core.ts';
import { aCampaignOfKettles } from './an-account.ts';
import { type Answers, clientWith } from './answering.ts';

type Core = Awaited<ReturnType<typeof aCoreWithPractice>>;
type Cell = ReturnType<(typeof CellSchema)['parse']>;

const cellOf = (kind: Kind, field: string): number => fieldNames(kind).indexOf(field);
const BID = cellOf('keyword', 'bid');
const KEYWORDS: ViewRequest = { kind: 'keyword', filter: '', only: 'all', sort: [], campaignId: null };

/** One window on a core: a port of its own as in the desktop program, its news, and the calls that it has made. */
async function aWindow(core: Core, request = KEYWORDS, answers: (usual: Client) => Answers = () => ({})) {
  const { workspaceId } = core;
  const { port1, port2 } = new MessageChannel();
  createDispatch(core.router(), () => {}).servePort(port2);
  port2.start();
  const calls: string[] = [];
  const link = new RPCLink({
    port: port1,
    interceptors: [
      ({ path, next }) => {
        calls.push(path.join('.'));
        return next();
      },
    ],
  });
  const usual: Client = createORPCClient(link);
  const client = clientWith(usual, answers(usual));
  port1.start();
  const news: WindowEvent[] = [];
  const events = listenToMain({
    client,
    files: { grant: async () => fileError('none', fileRefusal('no-path')).error },
    state: () => 'open',
    onState: () => () => {},
  });
  events.on((event) => news.push(event));
  // The stream of news has no greeting: the campaign is held and released until that is heard of.
  const rows = await rowsOf(core.client(), workspaceId, { kind: 'campaign' }, 1);
  const held = rows.map(({ id }) => ({ kind: 'campaign' as const, id }));
  await expect
    .poll(async () => {
      await core.client().workspace.hold({ workspaceId, rows: held, held: true });
      await core.client().workspace.hold({ workspaceId, rows: held, held: false });
      return news.length;
    })
    .toBeGreaterThan(0);
  await settled(core, news);
  const source = createWindowSource(client, workspaceId, request);
  const view = createOpenView(source, workspaceId);
  events.on(view.hear);
  onTestFinished(() => {
    source.close();
    events.close();
    port1.close();
  });
  await expect.poll(() => source.ready()).toBe(true);
  await source.wantIssues(0, 100);
  calls.length = 0;
  const row = (at: number) => {
    const found = source.rowAt(at);
    if (found === undefined) throw new Error(`there is no row ${at}`);
    return found;
  };
  const set = (at: number, field: string, value: Cell, painted: Cell = value) =>
    view.inPlace(
      () => edit(client, core, [{ kind: request.kind, id: row(at).id, field, value }]),
      [{ id: row(at).id, cell: cellOf(request.kind, field), value: painted }],
    );
  return { client, source, view, calls, news, row, set };
}

/** Waits until the news of everything that was done so far has come. */
async function settled(core: Core, news: readonly WindowEvent[]): Promise<void> {
  const { revision } = await core.client().workspace.summary({ workspaceId: core.workspaceId });
  await expect
    .poll(() => news.some((event) => event.type === 'workspace.changed' && event.revision >= revision))
    .toBe(true);
}

type Change = Parameters<Client['workspace']['edit']>[0]['changes'][number];

/** An edit, or null where main refuses it, as actions answer it. */
async function edit(client: Client, { workspaceId }: Core, changes: Change[]) {
  try {
    return await client.workspace.edit({ workspaceId, label: 'Edit', changes });
  } catch {
    return null;
  }
}

async function aCoreWithKettles(count: number): Promise<Core> {
  const core = await aCoreWithPractice();
  await aCampaignOfKettles(core.client(), core.workspaceId, count);
  return core;
}

test('an edit is on screen with its issues after one call, and its news causes no other', async () => {
  const core = await aCoreWithKettles(50);
  const { set, row, source, calls, news } = await aWindow(core);
  expect(source.issuesOf(row(0)) ?? []).toEqual([]);
  expect(await set(0, 'bid', null)).toBe(true);
  expect(row(0).cells[BID]).toBeNull();
  expect(row(0).severity).toBe('error');
  expect(source.issuesOf(row(0))?.map(({ rule }) => rule)).toContain('keyword.bid-required');
  await settled(core, news);
  source.want(0, 50);
  await source.wantIssues(0, 50);
  expect(calls).toEqual(['workspace.edit']);
  await set(0, 'bid', 170);
  expect(row(0).severity).toBeNull();
  expect(source.issuesOf(row(0))).toBeUndefined();
});

test('another window shows the edit and its issues from the news alone', async () => {
  const core = await aCoreWithKettles(50);
  const mine = await aWindow(core);
  const other = await aWindow(core);
  await mine.set(7, 'bid', null);
  await settled(core, other.news);
  expect(other.row(7)).toEqual(mine.row(7));
  expect(other.source.issuesOf(other.row(7))).toEqual(mine.source.issuesOf(mine.row(7)));
  await mine.client.workspace.undo({ workspaceId: core.workspaceId });
  await settled(core, other.news);
  expect(other.row(7).cells[BID]).toBe(157);
  await other.source.wantIssues(0, 50);
  expect(other.calls).toEqual([]);
});

test('a page that was read before an edit and arrives after it shows the edit', async () => {
  const core = await aCoreWithKettles(250);
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  const { source, view, client, row, news } = await aWindow(core, KEYWORDS, ({ workspace }) => ({
    'workspace.readWindow': async (...call) => {
      const answer = await workspace.readWindow(...call);
      isHeld = true;
      await gate.promise;
      return answer;
    },
  }));
  const [late] = (
    await core.client().workspace.readWindow({
      workspaceId: core.workspaceId,
      viewId: source.viewId(),
      from: 150,
      count: 1,
    })
  ).rows;
  source.want(100, 200);
  await expect.poll(() => isHeld).toBe(true);
  await view.inPlace(() =>
    edit(client, core, [{ kind: 'keyword', id: asRowId(late?.id ?? 0), field: 'bid', value: 9 }]),
  );
  await settled(core, news);
  gate.resolve();
  await expect.poll(() => source.rowAt(150)?.id).toBe(late?.id);
  expect(row(150).cells[BID]).toBe(9);
});

test('a refused edit takes what was painted back and reads the row again', async () => {
  const core = await aCoreWithKettles(50);
  const { set, row, calls } = await aWindow(core);
  const refused = set(1, 'bid', 'much', 999);
  expect(row(1).cells[BID]).toBe(999);
  expect(await refused).toBe(false);
  expect(row(1).cells[BID]).toBe(151);
  expect(calls).toEqual(['workspace.edit', 'workspace.readWindow']);
});

test('what is painted stays until its own answer, whatever another answer brings for the row', async () => {
  const core = await aCoreWithKettles(20);
  const { view, client, row, source } = await aWindow(core);
  const end = source.paint([{ id: row(2).id, cell: cellOf('keyword', 'state'), value: 'paused' }]);
  await view.inPlace(() => edit(client, core, [{ kind: 'keyword', id: row(2).id, field: 'bid', value: 333 }]));
  expect(row(2).cells[BID]).toBe(333);
  expect(row(2).cells[cellOf('keyword', 'state')]).toBe('paused');
  end('back');
  expect(row(2).cells[cellOf('keyword', 'state')]).toBe('enabled');
  expect(row(2).cells[BID]).toBe(333);
});

test('an edit of more rows than its news carries is on screen with its answer, and nothing is read', async () => {
  const core = await aCoreWithKettles(200);
  const { source, view, client, row, calls, news } = await aWindow(core);
  const rows = await source.readRows(0, 200);
  calls.length = 0;
  await view.inPlace(() =>
    edit(
      client,
      core,
      rows.map(({ id }) => ({ kind: 'keyword', id, field: 'bid', value: 555 })),
    ),
  );
  expect(row(99).cells[BID]).toBe(555);
  await settled(core, news);
  expect(news.findLast(({ type }) => type === 'workspace.changed')).not.toHaveProperty('patch');
  source.want(0, 100);
  expect(calls).toEqual(['workspace.edit']);
});

test('an edit of more rows than an answer brings is read, and shows no old value meanwhile', async () => {
  const core = await aCoreWithKettles(600);
  const { source, view, client, row, calls } = await aWindow(core);
  const rows = await source.readRows(0, 600);
  calls.length = 0;
  const seen = new Set<unknown>();
  source.subscribe(() => seen.add(source.rowAt(5)?.cells[BID]));
  const changes = rows.map(({ id }) => ({ kind: 'keyword' as const, id, field: 'bid', value: 444 }));
  await view.inPlace(
    () => edit(client, core, changes),
    rows.map(({ id }) => ({ id, cell: BID, value: 444 })),
  );
  await expect.poll(() => calls).toContain('workspace.readWindow');
  await expect.poll(() => row(5).dirty).not.toBe(0);
  expect([...seen]).toEqual([444]);
});

test('rows keep their places in a sorted list, which is out of order only when the sorted field changed', async () => {
  const core = await aCoreWithKettles(30);
  const sorted = { ...KEYWORDS, sort: [{ column: 'bid', descending: true }] };
  const mine = await aWindow(core, sorted);
  const other = await aWindow(core, sorted);
  const first = mine.row(0).id;
  await mine.set(0, 'state', 'paused');
  expect(mine.source.isOutOfOrder()).toBe(false);
  await mine.set(0, 'bid', 1);
  expect(mine.source.isOutOfOrder()).toBe(true);
  expect(mine.row(0).id).toBe(first);
  await settled(core, mine.news);
  expect(mine.calls).toEqual(['workspace.edit', 'workspace.edit']);
  // Nobody edits there, so the row goes where it belongs.
  await expect.poll(() => other.row(29).id).not.toBe(other.row(0).id);
  await expect.poll(() => other.source.rowAt(0)?.id).not.toBe(first);
  expect(other.calls.filter((call) => call === 'workspace.openView')).toHaveLength(1);
});

test('a list of rows with problems drops the row that was mended elsewhere', async () => {
  const core = await aCoreWithKettles(30);
  const mine = await aWindow(core);
  const other = await aWindow(core, { ...KEYWORDS, only: 'errors' });
  const before = other.source.length();
  await mine.set(3, 'bid', 100);
  await expect.poll(() => other.source.length()).toBe(before - 1);
});

test('a renamed campaign shows its new name in rows of other kinds, and rows that come are seen', async () => {
  const core = await aCoreWithKettles(10);
  const { workspaceId } = core;
  const keywords = await aWindow(core);
  const campaigns = await aWindow(core, { ...KEYWORDS, kind: 'campaign', filter: 'kettles' });
  await campaigns.set(0, 'name', 'Pans');
  await expect.poll(() => keywords.source.rowAt(0)?.campaignName).toBe('Pans');
  const adGroup = keywords.row(0).adGroupId;
  if (adGroup === null) throw new Error('a keyword without an ad group');
  await addRows(campaigns.client, workspaceId, 'One more', [
    { kind: 'keyword', parent: { id: adGroup }, values: { text: 'pan', matchType: 'exact', bid: 100 } },
  ]);
  await expect.poll(() => keywords.source.length()).toBe(11);
  await keywords.client.workspace.remove({ workspaceId, rows: [{ kind: 'keyword', id: keywords.row(0).id }] });
  await expect.poll(() => keywords.source.length()).toBe(10);
});
