import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../main/app/clock.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import { offeredSteps } from '../../shared/plan/offered-steps.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { autoDraft, sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/** The state that an account shows, through the real client and store, while the service lives through virtual time. */
const START = Date.parse('2030-03-01T20:00:00Z');
const TODAY = '2030-03-01' as PlainDate;
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let nowMs = START;
const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => performance.now(), sleep: async () => undefined };

const open = (capabilities = WITH_EXTENSIONS) => openAccount({ sandbox, capabilities, clock });
async function pass(hours: number): Promise<void> {
  nowMs += hours * 3_600_000;
  await control.advance(`PT${hours}H`);
}

beforeEach(async () => {
  nowMs = START;
  sandbox = await startSandbox({
    scenario: 'empty',
    clock: 'virtual',
    now: new Date(START).toISOString(),
    extensions: true,
  });
  control = controlOf(sandbox);
  account = await open();
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

async function shown(): Promise<string> {
  await account.workspace.rowsWithErrors();
  const [tree] = await account.workspace.readTrees('all');
  const { campaignState, stateSource } = tree?.campaign.values ?? {};
  return `${campaignState}, ${stateSource}`;
}
async function nextStep(campaignId: RowId) {
  const input = await account.sync.planInput([campaignId]);
  const [tree] = input.trees;
  return tree === undefined ? undefined : offeredSteps(tree, input).missing[0];
}
const refresh = async (): Promise<string> => {
  expect((await account.sync.refresh()).ok).toBe(true);
  return shown();
};
const onService = async (): Promise<string> => (await control.state()).campaigns[0]?.status ?? '';

test('from draft to extended: each read of the list is a report, and each write makes an estimate until the next', async () => {
  const rows = autoDraft().map((row) =>
    row.kind === 'campaign' ? { ...row, values: { ...row.values, startDate: TODAY, endDate: addDays(TODAY, 9) } } : row,
  );
  const [campaignId = 0 as RowId] = await account.create(rows);
  expect(await shown()).toBe('draft, local');
  await account.run();
  await pass(2);
  expect([await refresh(), await onService()]).toEqual(['live, service', 'live']);

  await account.edit('campaign', campaignId, { status: 'paused' });
  // What was not sent changes nothing.
  expect(await shown()).toBe('live, service');
  await account.run();
  expect([await shown(), await onService()]).toEqual(['paused, service', 'paused']);

  const enable = await nextStep(campaignId);
  expect(enable).toMatchObject({ step: 'enable', fix: { way: 'write', values: { status: 'enabled' } } });
  if (enable?.fix.way !== 'write') throw new Error('nothing to write');
  await account.edit('campaign', campaignId, enable.fix.values);
  expect(await nextStep(campaignId)).toMatchObject({ step: 'sync' });
  expect(await account.run()).toMatchObject({ refused: [] });
  await pass(1);
  expect([await refresh(), await onService()]).toEqual(['live, service', 'live']);

  // Nobody reads the list, and its last day passes.
  await pass(24 * 10);
  expect(await shown()).toBe('ended, estimated');
  expect([await refresh(), await onService()]).toEqual(['ended, service', 'completed']);

  const extend = await nextStep(campaignId);
  expect(extend).toMatchObject({ step: 'extend', fix: { way: 'write', values: { endDate: '2030-03-20' } } });
  if (extend?.fix.way !== 'write') throw new Error('nothing to write');
  await account.edit('campaign', campaignId, { ...extend.fix.values });
  expect(await account.run()).toMatchObject({ refused: [] });
  await pass(1);
  expect([await refresh(), await onService()]).toEqual(['live, service', 'live']);
});

test('a review that moves ends a report, and the list is read again in the same refresh', async () => {
  const start = addDays(TODAY, 5);
  const [campaignId = 0 as RowId] = await account.create(
    sbaDraft(null).map((row) =>
      row.kind === 'campaign' ? { ...row, values: { ...row.values, startDate: start } } : row,
    ),
  );
  await account.run({ submit: true });
  await pass(1);
  await account.run({ submit: true });
  expect(await shown()).toBe('in-review, estimated');
  const [review] = await account.sync.reviews.list();
  await control.decideAll(String(review?.reviewId), 'approved');
  expect([await refresh(), await onService()]).toEqual(['scheduled, service', 'scheduled']);
  await pass(24 * 6);
  expect(await shown()).toBe('live, estimated');
  expect(await refresh()).toBe('live, service');
  const before = await account.workspace.readRow({ kind: 'campaign', id: campaignId });
  await pass(1);
  await refresh();
  const after = await account.workspace.readRow({ kind: 'campaign', id: campaignId });
  if (before?.kind !== 'campaign' || after?.kind !== 'campaign') throw new Error('the campaign is gone');
  // A read that finds nothing new is still a newer read.
  expect(Date.parse(after.values.stateAsOf ?? '')).toBe(Date.parse(before.values.stateAsOf ?? '') + 3_600_000);
});

test('with documented calls only somebody in the console is told to enable it, and the count of live campaigns is of states', async () => {
  await account.close();
  account = await open(DOCUMENTED_ONLY);
  const [campaignId = 0 as RowId] = await account.create(
    sbaDraft(null).map((row) =>
      row.kind === 'campaign' ? { ...row, values: { ...row.values, startDate: TODAY } } : row,
    ),
  );
  const decide = async (verdict: 'approved' | 'rejected'): Promise<void> => {
    const [review] = (await account.sync.reviews.list()).filter(({ status }) => status !== 'approved');
    await control.decideAll(String(review?.reviewId), verdict);
    expect((await account.sync.reviews.poll()).ok).toBe(true);
  };
  await account.run({ submit: true });
  await pass(1);
  await account.run({ submit: true });
  const asOf = async (): Promise<string | null> =>
    (await account.workspace.readTrees([campaignId]))[0]?.campaign.values.stateAsOf ?? null;
  await pass(1);
  expect((await account.sync.reviews.poll()).ok).toBe(true);
  // The review is where it was, and that was said just now.
  expect([await shown(), await asOf()]).toEqual(['in-review, estimated', new Date(nowMs).toISOString()]);
  await decide('approved');
  await pass(1);
  expect([await shown(), await onService()]).toEqual(['live, estimated', 'live']);
  expect((await account.workspace.outbox.standing()).live).toBe(1);
  const group = (await account.workspace.readTrees([campaignId]))[0]?.adGroups[0];
  await account.create([
    {
      kind: 'keyword',
      parent: { id: group?.id ?? (0 as RowId) },
      values: { text: 'more rolls', matchType: 'exact', bid: 185, state: 'enabled' },
    },
  ]);
  await account.run({ submit: true });
  expect([await shown(), await onService()]).toEqual(['live, estimated', 'live']);
  await decide('rejected');
  expect([await shown(), await onService()]).toEqual(['rejected, estimated', 'paused']);
  const profile = (await account.workspace.readTrees([campaignId]))[0]?.sbaProfiles[0];
  await account.edit('sbaProfile', profile?.id ?? (0 as RowId), { headline: 'Rolls for the better days' });
  await account.run({ submit: true });
  expect([await shown(), await onService()]).toEqual(['paused, estimated', 'paused']);
  await decide('approved');
  expect([await shown(), await onService()]).toEqual(['paused, estimated', 'paused']);
  expect(await nextStep(campaignId)).toMatchObject({ step: 'enable', fix: { way: 'outside' } });
});
