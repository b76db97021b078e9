import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import { createActions, type NextStep, runEdit } from '../../renderer/app/actions.ts';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { replaceUses } from '../../renderer/features/media/MediaUsage.tsx';
import { syncDialogActions } from '../../renderer/features/sync/sync-actions.ts';
import { teamActions } from '../../renderer/features/team/team-actions.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { aCoreWithPractice, addRows } from '../core/a-core.ts';

/** The messages of a window with this account open, and what its failures offer to do. */
function aListener() {
  const told: string[] = [];
  const again: NextStep[] = [];
  const toasts = {
    tell: (text: string) => void told.push(text),
    fail: (_: string, next?: NextStep) => void again.push(...(next === undefined ? [] : [next])),
    offer: () => {},
  };
  const store = createAppStore();
  store.getState().openWorkspace('pots');
  return { told, again, toasts, store };
}

test('an edit that waits for the one before it stays in the account in which it was made', async () => {
  const { store, toasts, told, again } = aListener();
  const context = { store, toasts, inOrder: createSerialQueue() };
  const first = Promise.withResolvers<string>();
  const edits = [runEdit(context, () => first.promise), runEdit(context, async (workspaceId) => workspaceId)];
  store.getState().openWorkspace('pans');
  first.resolve('typed first');
  expect(await Promise.all(edits)).toEqual(['typed first', 'pots']);
  expect(await runEdit(context, async (workspaceId) => workspaceId)).toBe('pans');
  expect([told, again]).toEqual([[], []]);
});

test('a refresh that failed offers to try again in its account, also when another one is open by then', async () => {
  const asked: string[] = [];
  const { store, toasts, told, again } = aListener();
  const refresh = async (input: { readonly workspaceId: string; readonly campaignIds?: number[] }) => {
    asked.push(`${input.workspaceId} ${input.campaignIds?.join() ?? 'all'}`);
    if (asked.length < 3) throw new ORPCError('UNREACHABLE', { data: { detail: '' } });
  };
  const sync = { refresh };
  const actions = createActions({ store, toasts, connection: { client: { sync }, files: {} } } as never);
  expect(await actions.refreshAll()).toBe(false);
  expect(await actions.refreshCampaigns([asRowId(7)])).toBe(false);
  expect(again.map(({ name }) => name)).toEqual(['Try again', 'Try again']);
  store.getState().openWorkspace('pans');
  for (const { run } of again) run();
  await expect.poll(() => told).toHaveLength(2);
  expect(asked).toEqual(['pots all', 'pots 7', 'pots all', 'pots 7']);
});

test('a check and a look at the reviews that failed at the service offer to try again in their account', async () => {
  const asked: string[] = [];
  const { store, toasts, told, again } = aListener();
  const failing = (what: string) => async (input: { readonly workspaceId: string }) => {
    asked.push(`${what} ${input.workspaceId}`);
    if (asked.length < 3) throw new ORPCError('UNREACHABLE', { data: { detail: '' } });
  };
  const summary = async () => ({ issues: { error: 1, warning: 0 } });
  const client = { sync: { refresh: failing('refresh') }, review: { poll: failing('poll') }, workspace: { summary } };
  const api = { rules: { check: { queryOptions: (options: object) => options } } };
  const queries = { fetchQuery: async () => ({}) };
  const actions = createActions({ api, queries, store, toasts, connection: { client, files: {} } } as never);
  await actions.check();
  expect(await actions.pollReviews()).toBe(false);
  expect(again.map(({ name }) => name)).toEqual(['Try again', 'Try again']);
  store.getState().openWorkspace('pans');
  for (const { run } of again) run();
  await expect.poll(() => told).toHaveLength(2);
  expect(asked).toEqual(['refresh pots', 'poll pots', 'refresh pots', 'poll pots']);
  expect(told.map((text) => text.split(':')[0])).toEqual(['Checked without the service', 'Checked']);
});

test('what stays behind in a team that is left is told in the right number', async () => {
  const { store, toasts, told } = aListener();
  const leave = async () => ({ notShared: told.length + 1 });
  const actions = teamActions({ store, toasts, connection: { client: { team: { leave } }, files: {} } } as never);
  await actions.leave();
  await actions.leave();
  expect(told).toEqual([
    'You left the team. 1 edit stays in your copy.',
    'You left the team. 2 edits stay in your copy.',
  ]);
});

test('all conflicts of a long list are resolved, in as many calls as the contract allows', async () => {
  const sent: number[] = [];
  const resolve = async ({ choices }: { readonly choices: readonly unknown[] }) => void sent.push(choices.length);
  const { store } = aListener();
  const actions = syncDialogActions({ store, connection: { client: { sync: { resolve } } } } as never);
  const choice = { ref: { kind: 'keyword', id: 1 }, field: 'bid', take: 'mine' } as const;
  expect(await actions.resolve(Array(10_001).fill(choice))).toBe(true);
  expect(sent).toEqual([10_000, 1]);
});

test('a step that ends before the last change or issue says so', async () => {
  const { store, toasts, told } = aListener();
  const sent: number[] = [];
  let total = 200_001;
  const page = (from: number, count: number) =>
    Array.from({ length: Math.min(count, total - from) }, (_, at) => from + at);
  const fix = { field: 'bid', value: 100 };
  const asked = { from: 0, count: 0 };
  const workspace = {
    changes: async ({ from, count } = asked) => ({
      total,
      changes: page(from, count).map((id) => ({ kind: 'keyword', id, what: 'field' })),
    }),
    issues: async ({ from, count } = asked) => ({
      total,
      issues: page(from, count).map((id) => ({ kind: 'keyword', id, fix })),
    }),
    revert: async ({ rows }: { readonly rows: readonly unknown[] }) => sent.push(rows.length),
    edit: async ({ changes }: { readonly changes: readonly unknown[] }) => sent.push(changes.length),
  };
  const connection = { client: { workspace }, files: {} };
  const actions = createActions({ store, toasts, connection, inOrder: createSerialQueue() } as never);
  await actions.revertAll();
  await actions.fixAll('bid.min', null);
  total = 12_000;
  await actions.revertAll();
  await actions.fixAll('bid.min', null);
  expect(sent).toEqual([200_000, 200_000, 12_000, 12_000]);
  const rest = 'The first 200,000 at once. Repeat the command for the others.';
  expect(told).toEqual([
    rest,
    `200,000 issues fixed. Press Ctrl+Z to undo. ${rest}`,
    '12,000 issues fixed. Press Ctrl+Z to undo.',
  ]);
});

test('another logo is used by every profile of the one before, as one step, and a failure is told', async () => {
  const core = await aCoreWithPractice();
  const { workspaceId } = core;
  const client = core.client();
  const count = 620;
  const logos = ['old.png', 'new.png'].map((fileName) => ({
    kind: 'media' as const,
    parent: null,
    values: { mediaType: 'logo', fileName },
  }));
  const { touched } = await addRows(client, workspaceId, 'Logos', [
    ...logos,
    { kind: 'campaign', parent: null, values: { name: 'Banners', campaignType: 'sba' } },
    { kind: 'adGroup', parent: { at: 2 }, values: { name: 'Banners' } },
  ]);
  const [old, fresh, , group] = touched.map(({ id }) => id);
  if (old === undefined || fresh === undefined || group === undefined) throw new Error('nothing was created');
  await client.workspace.create({
    workspaceId,
    label: 'Profiles',
    rows: Array.from({ length: count }, (_, at) => ({
      kind: 'sbaProfile' as const,
      parent: { id: group },
      values: { headline: `Banner ${at}`, logo: old },
    })),
  });
  const using = async (logo: number) =>
    (await client.workspace.openView({ workspaceId, view: { kind: 'sbaProfile', filter: `logo=${logo}` } })).length;
  expect(await using(old)).toBe(count);
  const told: string[] = [];
  const note = (text: string) => void told.push(text);
  const context = {
    store: createAppStore(),
    toasts: { tell: note, fail: note, offer: () => {} },
    inOrder: createSerialQueue(),
    connection: { client } as Parameters<typeof replaceUses>[0]['connection'],
  };
  const uses = { workspaceId, mediaType: 'logo', mediaId: old, label: 'Replace logo' } as const;
  expect(await replaceUses(context, { ...uses, by: fresh })).toBe(true);
  expect([await using(old), await using(fresh)]).toEqual([0, count]);
  await client.workspace.undo({ workspaceId });
  expect(await using(old)).toBe(count);
  expect(told).toEqual([]);
  expect(await replaceUses(context, { ...uses, by: 7_777_777 })).toBe(false);
  expect(told).toHaveLength(1);
});
