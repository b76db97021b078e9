import { afterEach, beforeEach, expect, test } from 'vitest';
import { changesAfterReview } from '../../main/sync/reviews.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addLogo, sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/** Edits made while a review is open: kept, never sent, and gone together once it is over or cancelled. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let campaignId: RowId;
let groupId: RowId;
let profileId: RowId;
let keywordId: RowId;
const profile = defaultDeploymentSettings('shop.example');

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS, profile });
  const ids = await account.create(sbaDraft(await addLogo(account)));
  [campaignId, groupId, profileId, , keywordId] = ids as [RowId, RowId, RowId, RowId, RowId];
  await account.run();
  // A new campaign becomes a proposal a moment later, and only then takes a review.
  await control.advance('PT31M');
  await account.run({ submit: true });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

const kept = () => changesAfterReview({ workspace: account.workspace, profile });
const sent = async (from: number) => (await control.requests()).slice(from).filter(({ method }) => method !== 'GET');
const reviewId = async (): Promise<string> => (await account.sync.reviews.list())[0]?.reviewId ?? '';

/** A headline and a keyword that the review closes, and a bid that it does not. */
async function editInReview(): Promise<void> {
  await account.edit('sbaProfile', profileId, { headline: 'Rolls for every kitchen' });
  await account.edit('keyword', keywordId, { bid: 210 });
  const text = { text: 'soft roll', matchType: 'exact', bid: 170, state: 'enabled' };
  await account.create([{ kind: 'keyword', parent: { id: groupId }, values: text }]);
}

test('while the review is open they stand in a lane of their own, and a sync sends what is free and nothing of them', async () => {
  await editInReview();
  expect(await kept()).toMatchObject([
    { campaignId, campaign: 'Rolls brand', state: 'locked', outcome: null, rows: 2, days: { min: 1, max: 3 } },
  ]);
  expect((await kept())[0]?.askedAt).toBeGreaterThan(0);
  const before = await account.workspace.changes(0, 10);
  expect(before.lanes).toEqual({ ready: 1, queued: 0, 'after-review': 2, blocked: 0, held: 0 });
  expect(before.changes.map(({ lane }) => lane)).toEqual(['ready', 'after-review', 'after-review']);

  const asked = (await control.requests()).length;
  await account.run({ submit: true });
  expect((await sent(asked)).map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /api/v1/keywords']);
  expect((await kept())[0]).toMatchObject({ state: 'locked', rows: 2 });
  expect((await account.workspace.changes(0, 10, '', 'after-review')).total).toBe(2);
});

test('once it is over they are free, and one sync sends and submits them', async () => {
  await editInReview();
  await control.decideAll(await reviewId(), 'rejected');
  await account.sync.reviews.poll();
  expect(await kept()).toMatchObject([{ state: 'free', outcome: 'rejected', rows: 2, askedAt: null }]);
  expect((await account.workspace.changes(0, 10)).lanes).toMatchObject({ ready: 3, 'after-review': 0 });

  const report = await account.run({ submit: true, campaignIds: [campaignId] });
  expect(report).toMatchObject({ refused: [], reviews: 1 });
  expect(await kept()).toEqual([]);
});

test('what is held is held after the review as well', async () => {
  await editInReview();
  await account.workspace.hold([{ kind: 'sbaProfile', id: profileId }], true);
  expect((await kept())[0]).toMatchObject({ rows: 1, first: [{ kind: 'keyword' }] });
  expect((await account.workspace.changes(0, 10)).lanes).toMatchObject({ 'after-review': 1, held: 1 });
});

test('cancelling and submitting anew is one plan: the review back, the edits, the review again', async () => {
  await editInReview();
  const options = { submit: true, campaignIds: [campaignId], cancelReviews: true };
  const { plan } = await account.sync.planned(options);
  expect(plan.batches.map(({ index, kind, verb }) => [index, kind, verb])).toEqual([
    [0, 'review', 'cancel'],
    [1, 'keyword', 'update'],
    [2, 'keyword', 'create'],
    [3, 'sbaProfile', 'update'],
    [4, 'review', 'submit'],
  ]);
  expect(plan.leftOut).toEqual([]);

  const asked = (await control.requests()).length;
  const first = await reviewId();
  const report = await account.run(options);
  expect(report).toMatchObject({ state: 'finished', refused: [] });
  expect((await sent(asked)).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /api/v1/review',
    'PUT /api/v1/keywords',
    'POST /api/v1/keywords',
    'PUT /api/v2/sba_profile',
    'POST /api/v1/review',
  ]);
  expect(await reviewId()).not.toBe(first);
  expect(await kept()).toEqual([]);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0 });
});

test('a reviewed plan that begins with cancelling is sent exactly, and when it changed not even the review is cancelled', async () => {
  await editInReview();
  const options = { submit: true, campaignIds: [campaignId], cancelReviews: true };
  const plan = planText((await account.sync.planned(options)).plan);
  const first = await reviewId();
  const asked = (await control.requests()).length;
  const other = plan.replace('"bid":', '"bid":9');
  expect(other).not.toBe(plan);
  const stopped = await account.run({ ...options, plan: other });
  expect(stopped).toMatchObject({ state: 'stopped', done: 0, stoppedBy: { cause: 'plan-changed' } });
  expect(stopped.stoppedBy?.changed?.lines.map(({ sign, kind }) => `${sign} ${kind}`)).toEqual([
    '- keyword',
    '+ keyword',
  ]);
  expect(await sent(asked)).toEqual([]);
  expect(await reviewId()).toBe(first);

  expect(await account.run({ ...options, plan })).toMatchObject({ state: 'finished', refused: [] });
  expect(await reviewId()).not.toBe(first);
  expect(await kept()).toEqual([]);
});

test('a review that cannot be cancelled keeps its edits here', async () => {
  await editInReview();
  await control.fault({
    match: { method: 'PUT', path: '/api/v1/review' },
    times: 1,
    kind: 'status',
    status: 400,
    body: { error: 'The review cannot be cancelled now' },
  });
  const asked = (await control.requests()).length;
  const report = await account.run({ submit: true, campaignIds: [campaignId], cancelReviews: true });
  expect(report.refused).toMatchObject([{ kind: 'adGroup', id: groupId }]);
  expect((await sent(asked)).map(({ path }) => path)).not.toContain('/api/v2/sba_profile');
  expect(await kept()).toMatchObject([{ state: 'locked', rows: 2 }]);
});

test('without a name of a campaign nothing is cancelled', async () => {
  await editInReview();
  const { plan } = await account.sync.planned({ submit: true, campaignIds: null, cancelReviews: true });
  expect(plan.batches.map(({ kind }) => kind)).toEqual(['keyword']);
  const asked = (await control.requests()).length;
  await account.run({ submit: true, cancelReviews: true });
  expect((await sent(asked)).map(({ path }) => path)).toEqual(['/api/v1/keywords']);
});
