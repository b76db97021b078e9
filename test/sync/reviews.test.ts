import { beforeEach, describe, expect, test } from 'vitest';
import { createUploadHosts } from '../../main/files/upload/upload-url-check.ts';
import { listPending } from '../../main/sync/pending.ts';
import { checkInBackground } from '../../main/sync/poll-scheduler.ts';
import { changesAfterReview, newReviewResults } from '../../main/sync/reviews.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import type { Review } from '../../shared/api/reviews.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { asRowId, asWorkspaceId, type RowId } from '../../shared/model/scalars.ts';
import { planText } from '../../shared/plan/plan-text.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { at, changesOf } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { hastyClock, type TestAccount } from './an-account.ts';
import { practiceService } from './practice-service.ts';

describe('after review', () => {
  /** Edits made while a review is open: kept, never sent, and gone together once it is over or cancelled. */
  const sandbox = practiceService();
  const { control } = sandbox;
  let account: TestAccount;
  let campaignId: RowId;
  let groupId: RowId;
  let profileId: RowId;
  let keywordId: RowId;
  const profile = defaultDeploymentSettings('shop.example');

  beforeEach(async () => {
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS, profile });
    const ids = await account.create(sbaDraft(await addLogo(account)));
    [campaignId, groupId, profileId, , keywordId] = ids as [RowId, RowId, RowId, RowId, RowId];
    await account.run();
    // A new campaign becomes a proposal a moment later, and only then takes a review.
    await control.advance('PT31M');
    await account.run({ submit: true });
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
    const before = await changesOf(account.workspace, { from: 0, count: 10 });
    expect(before.lanes).toEqual({ ready: 1, queued: 0, 'after-video': 0, 'after-review': 2, blocked: 0, held: 0 });
    expect(before.changes.map(({ lane }) => lane)).toEqual(['ready', 'after-review', 'after-review']);

    const asked = (await control.requests()).length;
    await account.run({ submit: true });
    expect((await sent(asked)).map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /api/v1/keywords']);
    expect((await kept())[0]).toMatchObject({ state: 'locked', rows: 2 });
    expect((await changesOf(account.workspace, { from: 0, count: 10, lane: 'after-review' })).total).toBe(2);
  });

  test('once it is over they are free, and one sync sends and submits them', async () => {
    await editInReview();
    await control.decideAll(await reviewId(), 'rejected');
    await account.sync.reviews.poll();
    expect(await kept()).toMatchObject([{ state: 'free', outcome: 'rejected', rows: 2, askedAt: null }]);
    expect((await changesOf(account.workspace, { from: 0, count: 10 })).lanes).toMatchObject({
      ready: 3,
      'after-review': 0,
    });

    const report = await account.run({ submit: true, campaignIds: [campaignId] });
    expect(report).toMatchObject({ refused: [], reviews: 1 });
    expect(await kept()).toEqual([]);
  });

  test('a kept headline that a rule blocks once the campaign is scheduled is not counted as ready', async () => {
    await editInReview();
    await control.decideAll(await reviewId(), 'approved');
    await account.sync.reviews.poll();
    await account.sync.refresh();
    expect(await kept()).toMatchObject([{ state: 'free', outcome: 'approved', rows: 2, blocked: 1 }]);
    expect((await changesOf(account.workspace, { from: 0, count: 10 })).lanes).toMatchObject({ ready: 2, blocked: 1 });

    expect(await account.run({ submit: true, campaignIds: [campaignId] })).toMatchObject({ refused: [] });
    expect(await kept()).toMatchObject([{ rows: 1, blocked: 1, first: [{ kind: 'sbaProfile', id: profileId }] }]);
  });

  test('what is held is held after the review as well', async () => {
    await editInReview();
    await call(account.workspace, 'workspace', 'hold', { rows: [{ kind: 'sbaProfile', id: profileId }], held: true });
    expect((await kept())[0]).toMatchObject({ rows: 1, first: [{ kind: 'keyword' }] });
    expect((await changesOf(account.workspace, { from: 0, count: 10 })).lanes).toMatchObject({
      'after-review': 1,
      held: 1,
    });
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
    await control.answer('PUT', '/api/v1/review', 400, { body: { error: 'The review cannot be cancelled now' } });
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
});

const review = (group: number, status: string, reviewId = `r${group}`): Review => ({
  campaignId: asRowId(1),
  adGroupId: asRowId(group),
  campaign: 'Spring',
  reviewId,
  status,
  components: [],
});

test('reviews that were decided between two looks are counted by how', () => {
  const before = [review(1, 'pending'), review(2, 'in-progress'), review(3, 'approved'), review(4, 'pending')];
  const after = [review(1, 'approved'), review(2, 'rejected'), review(3, 'approved'), review(4, 'in-progress')];
  expect(newReviewResults(before, after)).toEqual({ approved: 1, rejected: 1 });
});

test('a look that finds nothing new counts nothing', () => {
  const reviews = [review(1, 'rejected'), review(2, 'pending')];
  expect(newReviewResults(reviews, reviews)).toEqual({ approved: 0, rejected: 0 });
});

test('a second review of the same ad group counts again, and so does one that was not there before', () => {
  expect(newReviewResults([review(1, 'rejected')], [review(1, 'rejected', 'r9'), review(2, 'approved')])).toEqual({
    approved: 1,
    rejected: 1,
  });
});

describe('waiting', () => {
  /** After a sync everything that is not where it is meant to be says what it waits for, and until when. */
  const sandbox = practiceService();
  const { control } = sandbox;
  let account: TestAccount;
  const profile = {
    ...defaultDeploymentSettings('shop.example'),
    rate: { ...defaultDeploymentSettings('shop.example').rate, opsPerHour: 60 },
  };
  let aheadMs = 0;

  beforeEach(async () => {
    aheadMs = 0;
    const clock = hastyClock();
    const nowMs = (): number => clock.nowMs() + aheadMs;
    account = await sandbox.open({ capabilities: WITH_EXTENSIONS, profile, clock: { ...clock, nowMs } });
  });

  async function waits() {
    const { workspace, sync, clock } = account;
    const hosts = createUploadHosts(workspace, () => clock.nowMs());
    const found = await listPending({ workspace, sync, hosts, profile, nowMs: () => clock.nowMs() });
    return found.map(({ reason, until, elements, first, nextAt }) => {
      const minutes = nextAt === null ? null : Math.round((nextAt - clock.nowMs()) / 60_000);
      return { reason, until, elements, first: first.map(({ label }) => label), minutes };
    });
  }

  test('a video that is worked on, then a review, then the first day of the campaign', async () => {
    await account.create(videoDraft(await addVideo(account)));
    await account.run({ submit: true });
    const [video, profileRow, ...others] = await waits();
    expect(video).toMatchObject({ reason: 'video-processing', until: 'time', elements: 1 });
    expect(video?.minutes).toBeGreaterThan(20);
    expect(video?.minutes).toBeLessThan(34);
    expect(profileRow).toMatchObject({ reason: 'waits-for-media', until: 'time', elements: 1, first: ['Rolls video'] });
    expect(others).toEqual([]);

    await control.advance('PT31M');
    await account.run({ submit: true });
    expect(await waits()).toMatchObject([{ reason: 'review-going-on', elements: 1, first: ['Rolls video'] }]);

    await control.advance('P3D');
    await account.sync.reviews.poll();
    await account.sync.refresh();
    const [scheduled] = await waits();
    expect(scheduled).toMatchObject({ reason: 'scheduled', until: 'time', elements: 1, first: ['Rolls video'] });
    const at = account.clock.nowMs() + (scheduled?.minutes ?? 0) * 60_000;
    expect(dateInZone(at + 60_000, profile.business.zone)).toBe('2030-03-04');
  });

  test('a video that is worked on for more than two hours is told apart', async () => {
    await account.create(videoDraft(await addVideo(account)));
    await account.run();
    aheadMs = 125 * 60_000;
    expect((await waits())[0]).toMatchObject({ reason: 'video-overdue', until: 'time', elements: 1 });
  });

  test('edits that were made since, what the hour does not allow, and what only the user can clear', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']) await account.create(autoDraft(name));
    await account.run({ campaignIds: [] });
    const ids = await account.create(autoDraft('J').slice(0, 1));
    await call(account.workspace, 'workspace', 'hold', { rows: [{ kind: 'campaign', id: at(ids, 0) }], held: true });
    const [changed, ...others] = await waits();
    expect(changed).toMatchObject({ reason: 'changed', until: 'sync', elements: 54 });
    expect(changed?.first.slice(0, 10)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'A group']);
    expect(others).toMatchObject([{ reason: 'held', until: 'user', elements: 1 }]);
    await account.create(autoDraft('K'));
    await account.create(autoDraft('L'));
    expect(await waits()).toMatchObject([
      { reason: 'changed', elements: 60, minutes: null },
      { reason: 'budget', until: 'sync', elements: 6, minutes: 60 },
      { reason: 'held', elements: 1 },
    ]);
  });
});

describe('look around', () => {
  const sandbox = practiceService();
  const { control } = sandbox;
  let account: TestAccount;
  let isTokenOver = false;

  beforeEach(async () => {
    isTokenOver = false;
    account = await sandbox.open({
      fetch: (input, init) => {
        const request = new Request(input, init);
        if (isTokenOver) request.headers.set('Authorization', 'Bearer over');
        return fetch(request);
      },
    });
  });

  async function looked(): Promise<readonly AppEvent[]> {
    const told: AppEvent[] = [];
    const { workspace, sync } = account;
    const deps = { workspaceId: asWorkspaceId('w1'), workspace, reviews: sync.reviews.list };
    await checkInBackground({ ...deps, emit: (event) => void told.push(event) }, () => sync.reviews.poll());
    return told;
  }

  test('a video that got ready meanwhile is told of, once', async () => {
    await account.create(videoDraft(await addVideo(account)));
    await account.run();
    expect(await looked()).toEqual([]);
    await control.advance('PT31M');
    expect(await looked()).toEqual([{ type: 'media.finished', workspaceId: 'w1', ready: 1, failed: 0 }]);
    expect(await looked()).toEqual([]);
  });

  test('a token that is over is told of once, and again after it was good in between', async () => {
    await account.create(videoDraft(await addVideo(account)));
    await account.run();
    const told = () => account.events.filter(({ type }) => type === 'access.refused').length;
    expect(told()).toBe(0);
    isTokenOver = true;
    await account.sync.refresh();
    await account.sync.refresh();
    expect(told()).toBe(1);
    isTokenOver = false;
    await account.sync.refresh();
    isTokenOver = true;
    await account.run();
    expect(told()).toBe(2);
  });
});
