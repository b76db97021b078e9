import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient, safe } from '@orpc/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Core } from '../../main/core/core.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { requestsOf } from '../../main/hosts/cli/commands/plan.ts';
import type { RowId, WorkspaceId } from '../../shared/model/scalars.ts';
import { copyAccount } from '../prepared-account.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { addRows, onlyAccount, startCore } from './a-core.ts';

/** Plan files as a window saves, opens and runs them. */
let folder: string;
let core: Core;
let client: Client;
let workspaceId: WorkspaceId;
let itemId: RowId;
const AUTO = {
  campaignType: 'sponsoredProducts',
  targetingType: 'auto',
  status: 'enabled',
  dailyBudget: 3750,
  startDate: '2030-03-04',
};

beforeEach(async () => {
  folder = aFolder();
  copyAccount(join(folder, 'data'));
  core = await startCore(join(folder, 'data'));
  client = createRouterClient(core.router);
  workspaceId = await onlyAccount(client);
  const { touched } = await addRows(client, workspaceId, 'Create', [
    { kind: 'campaign', parent: null, values: { name: 'Rolls', ...AUTO } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Rolls group', status: 'enabled' } },
    { kind: 'adItem', parent: { at: 1 }, values: { itemId: '0799650557', bid: 160, status: 'enabled' } },
  ]);
  const item = touched.find(({ kind }) => kind === 'adItem');
  if (item === undefined) throw new Error('no item');
  itemId = item.id;
});
afterEach(() => core.close());

const setBid = (value: number) =>
  client.workspace.edit({ workspaceId, label: 'Bid', changes: [{ kind: 'adItem', id: itemId, field: 'bid', value }] });

/** Saves the plan of everything to a file of the user's. */
async function save(): Promise<string> {
  const { planId } = await client.sync.plan({ workspaceId, submit: false });
  const saved = await client.sync.savePlan({ workspaceId, planId });
  expect(saved).toMatchObject({ fileName: 'plan.adslate-plan', rows: 3 });
  const offered = core.offered(saved.url.replace('/preview/', ''));
  const path = join(folder, saved.fileName);
  writeFileSync(path, readFileSync(offered?.path ?? ''));
  return path;
}

async function open(path: string, account = workspaceId) {
  const file = done(await core.grants.grantPath(path));
  return client.sync.openPlan({ workspaceId: account, grant: file.grant });
}

async function run(planId: string) {
  await client.sync.run({ workspaceId, planId });
  const account = done(await core.open.get(workspaceId));
  return (await account.sync()).idle();
}

test('a saved plan is opened as it was, with what was wished, and is sent', async () => {
  const opened = await open(await save());
  expect(opened).toMatchObject({
    fileName: 'plan.adslate-plan',
    draftsOf: expect.stringMatching(/^\d{4}-.*Z$/),
    submit: false,
    campaigns: null,
    rows: null,
    plan: { requests: 3, creates: 3, reviews: 0 },
    changed: { lines: [], more: 0 },
  });
  expect(await run(opened.plan.planId)).toMatchObject({ state: 'finished', done: 3, refused: [] });
});

test('what was edited since is listed; the plan that was shown is sent, or nothing when another edit came in between', async () => {
  const path = await save();
  await setBid(185);
  const opened = await open(path);
  const row = { kind: 'adItem', id: itemId, label: expect.any(String) };
  expect(opened.changed).toEqual({
    lines: [
      { sign: '-', line: expect.stringContaining('"bid":1.60'), ...row },
      { sign: '+', line: expect.stringContaining('"bid":1.85'), ...row },
    ],
    more: 0,
  });
  await setBid(195);
  expect(await run(opened.plan.planId)).toMatchObject({
    done: 0,
    stoppedBy: { cause: 'plan-changed', changed: { lines: [{ sign: '-' }, { sign: '+' }] } },
  });
  const again = await open(path);
  expect(await run(again.plan.planId)).toMatchObject({ state: 'finished', done: 3 });
});

test('Send refuses what came in after the plan was shown, and sends the plan that was looked at again', async () => {
  const send = (shownPlan: string) => safe(client.sync.run({ workspaceId, submit: false, shownPlan }));
  const plan = () => client.sync.plan({ workspaceId, submit: false });
  const { planId } = await plan();
  await setBid(185);
  await addRows(client, workspaceId, 'Create', [{ kind: 'campaign', parent: null, values: { name: 'Late', ...AUTO } }]);
  const changed = (changes: number | null) => ({ code: 'PLAN_CHANGED', data: { changes } });
  expect((await send(planId)).error).toMatchObject(changed(2));
  const scheduled = await safe(client.sync.schedule({ workspaceId, submit: false, shownPlan: planId }));
  expect(scheduled.error).toMatchObject(changed(2));
  const again = await plan();
  expect((await send(planId)).error).toMatchObject(changed(null));
  // An edit that is undone leaves the plan as it was.
  await setBid(190);
  await setBid(185);
  // Nor is it another plan because a second window has looked at some other one.
  await client.sync.plan({ workspaceId, campaignIds: [] });
  expect((await send(again.planId)).error).toBeNull();
  const account = done(await core.open.get(workspaceId));
  expect(await (await account.sync()).idle()).toMatchObject({ state: 'finished', done: 4 });
});

test('the requests of what was sent can be read until the next sync, whatever plan is made meanwhile', async () => {
  const { planId } = await client.sync.plan({ workspaceId, submit: false });
  const read = () => safe(client.sync.planBatches({ workspaceId, planId, from: 0, count: 10 }));
  const { batches } = (await read()).data ?? {};
  expect(batches).toHaveLength(3);
  await client.sync.run({ workspaceId, submit: false, shownPlan: planId });
  const sync = await done(await core.open.get(workspaceId)).sync();
  expect(await sync.idle()).toMatchObject({ state: 'finished', done: 3 });
  await setBid(185);
  const next = await client.sync.plan({ workspaceId, submit: false });
  expect(next.planId).not.toBe(planId);
  expect((await read()).data).toEqual({ batches });
  await client.sync.run({ workspaceId, submit: false, shownPlan: next.planId });
  await sync.idle();
  expect((await read()).error).toMatchObject({ code: 'NO_PLAN' });
});

test('a plan that is no longer the one shown is neither saved nor sent', async () => {
  const { planId } = await client.sync.plan({ workspaceId });
  expect(await client.sync.plan({ workspaceId })).toMatchObject({ planId });
  await client.sync.plan({ workspaceId, campaignIds: [] });
  const gone = { code: 'NO_PLAN', data: { planId } };
  expect((await safe(client.sync.savePlan({ workspaceId, planId }))).error).toMatchObject(gone);
  expect((await safe(client.sync.run({ workspaceId, planId }))).error).toMatchObject(gone);
});

test('a file of another account, and one that is no plan, are refused with the reason', async () => {
  const path = await save();
  const { workspaceId: other } = await client.accounts.addPractice({ name: 'Trial' });
  const params = { account: 'Shop', advertiser: '900001', here: 'Trial', advertiserHere: '900003' };
  expect((await safe(open(path, other))).error).toMatchObject({
    code: 'BAD_FILE',
    data: { fileName: 'plan.adslate-plan', reason: 'other-accounts-plan', params },
  });
  const notes = join(folder, 'notes.txt');
  writeFileSync(notes, 'Meeting notes\n');
  expect((await safe(open(notes))).error).toMatchObject({ code: 'BAD_FILE', data: { reason: 'no-plan' } });
});

test('requests that a plan counts and does not have end the reading', async () => {
  const plan = await client.sync.plan({ workspaceId, submit: false });
  expect(await requestsOf(client, workspaceId, plan, false)).toHaveLength(plan.requests);
  const more = requestsOf(client, workspaceId, { ...plan, requests: plan.requests + 1 }, false);
  await expect(more).rejects.toThrow(`has ${plan.requests} requests`);
});
