import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { apiOf, openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

test.each([
  ['documented calls alone', DOCUMENTED_ONLY],
  ['the extensions', WITH_EXTENSIONS],
])('with %s a draft of every kind goes live: synced, its video awaited, reviewed, started', async (_, capabilities) => {
  account = await openAccount({ sandbox, capabilities });
  await account.create(sbaDraft(await addLogo(account)));
  await account.create(videoDraft(await addVideo(account)));
  await account.create(autoDraft());

  const first = await account.run({ submit: true });
  expect(first).toMatchObject({ state: 'finished', refused: [], inDoubt: 0, questions: 0, uploads: 1 });
  await control.advance('PT31M');
  const second = await account.run({ submit: true });
  expect(second).toMatchObject({ state: 'finished', refused: [], untouched: 0, reviews: 2, inReview: 2 });
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0, questions: 0 });

  await control.advance('P4D');
  const polled = await account.sync.reviews.poll();
  expect(polled.ok && polled.value.map(({ status }) => status)).toEqual(['approved', 'approved']);
  await control.advance('P1900D');
  const states = (await control.state()).campaigns.map(({ name, status }) => `${name}: ${status}`);
  expect(states.toSorted()).toEqual(['Rolls auto: live', 'Rolls brand: live', 'Rolls video: live']);
});

test('a second sync without changes sends nothing', async () => {
  account = await openAccount({ sandbox });
  await account.create(autoDraft());
  await account.run();
  const before = (await control.requests()).length;
  const again = await account.run();
  expect(again).toMatchObject({ state: 'finished', done: 0, requests: 0 });
  expect(await control.requests()).toHaveLength(before);
});

test('an edited bid travels as one update, and so does a deleted item', async () => {
  account = await openAccount({ sandbox });
  const ids = await account.create(autoDraft());
  await account.run();
  const [first, second] = ids.slice(2);
  await account.edit('adItem', first as never, { bid: 199 });
  await account.workspace.apply({ label: 'x', source: 'user', deletes: [{ kind: 'adItem', id: second as never }] });
  const report = await account.run();
  expect(report).toMatchObject({ done: 2, refused: [] });
  const trees = await account.workspace.readTrees('all');
  expect(trees[0]?.adItems.map(({ values }) => [values.bid, values.status])).toEqual([
    [199, 'enabled'],
    [160, 'deleted'],
  ]);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0 });
});

test('what somebody else changed meanwhile becomes a conflict and is not overwritten', async () => {
  account = await openAccount({ sandbox });
  const ids = await account.create(autoDraft());
  await account.run();
  const row = await account.workspace.readRow({ kind: 'adItem', id: ids[2] as never });
  await control.console(`ad-items/${row?.remoteId}`, { bid: 7.25 });
  await account.edit('adItem', ids[2] as never, { bid: 199 });
  const report = await account.run();
  expect(report).toMatchObject({ done: 0 });
  expect(await account.sync.conflicts()).toMatchObject([{ field: 'bid', base: 160, mine: 199, theirs: 725 }]);
  const resolved = await account.sync.resolve([
    { ref: { kind: 'adItem', id: ids[2] as never }, field: 'bid', take: 'mine' },
  ]);
  expect(resolved.ok).toBe(true);
  expect(await account.run()).toMatchObject({ done: 1, refused: [] });
});

test('a review can be cancelled, and asked for again', async () => {
  account = await openAccount({ sandbox });
  const ids = await account.create(sbaDraft(await addLogo(account)));
  await account.run();
  await control.advance('PT1M');
  const campaignIds = [ids[0] as never];
  await account.sync.reviews.submit(campaignIds);
  expect(await account.sync.idle()).toMatchObject({ reviews: 1, refused: [] });
  await account.sync.reviews.cancel(campaignIds);
  expect(await account.sync.idle()).toMatchObject({ state: 'finished', done: 1, refused: [] });
  expect((await account.sync.reviews.list()).map(({ status }) => status)).toEqual(['cancelled']);
  await account.sync.reviews.submit(campaignIds);
  expect(await account.sync.idle()).toMatchObject({ reviews: 1, refused: [] });
});

test('a refresh brings what the service has into an empty workspace', async () => {
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS });
  await account.create(sbaDraft(await addLogo(account)));
  await account.create(autoDraft());
  await account.run();
  await account.close();
  account = await openAccount({ sandbox, capabilities: 'probe' });
  expect((await account.sync.refresh()).ok).toBe(true);
  const trees = await account.workspace.readTrees('all');
  const counts = trees.map((tree) => [
    tree.campaign.values.name,
    tree.adGroups.length,
    tree.adItems.length,
    tree.keywords.length,
    tree.sbaProfiles.length,
    tree.placementMultipliers.length + tree.platformMultipliers.length,
  ]);
  expect(counts).toEqual([
    ['Rolls brand', 1, 1, 2, 1, 0],
    ['Rolls auto', 1, 2, 0, 0, 2],
  ]);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
});

test('wrong credentials stop the run with nothing sent, and nothing is lost', async () => {
  const { accounts } = sandbox.ready;
  const broken = { ...sandbox, ready: { ...sandbox.ready, accounts: accounts.map((one) => ({ ...one, token: 'x' })) } };
  account = await openAccount({ sandbox: broken });
  await account.create(autoDraft());
  const report = await account.run();
  expect(report).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'credentials' }, done: 0, inDoubt: 0 });
  expect((await account.workspace.summary()).changed).toBe(6);
});

test('a service that cannot be reached stops the run with nothing sent', async () => {
  account = await openAccount({ sandbox: { ...sandbox, ready: { ...sandbox.ready, baseUrl: 'http://127.0.0.1:9' } } });
  await account.create(autoDraft());
  expect(await account.run()).toMatchObject({ state: 'stopped', stoppedBy: { cause: 'unreachable' }, inDoubt: 0 });
  expect((await account.sync.standing()).reachable).toBe(false);
});

test('a cancelled run settles what is under way, and the next one goes on where it ended', async () => {
  account = await openAccount({ sandbox });
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) await account.create(autoDraft(name));
  const started = await account.sync.run({ submit: false, campaignIds: null });
  expect(started.ok).toBe(true);
  expect((await account.sync.run({ submit: false, campaignIds: null })).ok).toBe(false);
  while ((await control.requests()).length < 6) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(account.sync.cancel()).toBe(true);
  const report = await account.sync.idle();
  expect(report).toMatchObject({ state: 'cancelled', inDoubt: 0, questions: 0 });
  expect(report?.done).toBeLessThan(48);
  expect(await account.run()).toMatchObject({ state: 'finished', done: 48 - (report?.done ?? 0), refused: [] });
  expect(account.sync.cancel()).toBe(false);
});

test('a profile on the service that looks like one of ours, and is not, is told about', async () => {
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS });
  await account.create(sbaDraft(await addLogo(account)));
  await account.run();
  const [campaign] = (await control.state()).campaigns;
  const adGroupId = campaign?.adGroups[0]?.adGroupId;
  const body = JSON.stringify([
    {
      campaignId: campaign?.campaignId,
      adGroupId,
      searchAmpName: 'Northwind',
      headlineText: 'Rolls for every day',
      clickUrl: 'https://shop.example/browse/rolls',
    },
  ]);
  const api = apiOf(sandbox);
  const shape = { elements: 1, idNames: ['sbaProfileId'], needsId: true, isTaken: () => false };
  await api.send({ method: 'POST', path: '/api/v2/sba_profile', body, correlationId: 'somebody-else', shape });
  api.close();
  await account.sync.refresh();
  const notices = account.events.filter((event) => event.type === 'notice').map(({ message }) => message);
  expect(notices).toEqual([expect.stringContaining('another brand profile "Northwind: Rolls for every day"')]);
});
