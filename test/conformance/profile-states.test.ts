import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf } from './client.ts';
import { listProfiles } from './sba-profiles.ts';
import { createWorld } from './world.ts';

/** The life of SBA and video profiles: switched by the partner, decided by ad operations, reopened by new content. */
const world = createWorld();
const owner = () => world.as('owner');

const submit = async (name: string): Promise<number> => {
  const { campaignId, adGroupId } = await world.campaign(name);
  return idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
};
const decide = async (reviewId: number, all: 'approved' | 'rejected') =>
  expect((await world.control('POST', `/reviews/${reviewId}/decide`, { all })).status).toBe(200);

const sba = 'SBA profile';
const sbaReview = async (name: string) => {
  const list = await listProfiles(world, name);
  return [fieldOf(list, 'reviewStatus'), fieldOf(list, 'reviewReason')];
};
const putSba = async (name: string, fields: Readonly<Record<string, unknown>>) => {
  const list = await listProfiles(world, name);
  const [record] = list.body as readonly object[];
  return codes(await owner().put('/api/v2/sba_profile', [{ ...record, ...fields }]))[0];
};

conform(sba, 'PUT sets the status to either value, and a change of status alone is no change of content', async () => {
  for (const status of ['disabled', 'enabled']) {
    expect(await putSba('C-sba-paused', { status })).toBe('success');
    expect(fieldOf(await listProfiles(world, 'C-sba-paused'), 'status')).toBe(status);
    expect(await sbaReview('C-sba-paused')).toEqual(['complete', null]);
  }
}).proves('move.sbaProfile.disable enabled>disabled', 'move.sbaProfile.enable disabled>enabled');

for (const outcome of ['approved', 'rejected'] as const) {
  conform(
    sba,
    `a pending profile that is ${outcome} is complete, ${outcome === 'approved' ? 'without' : 'with'} a reason`,
    async () => {
      expect(await sbaReview('C-sba-review')).toEqual(['pending', null]);
      await decide(3_300_001, outcome);
      expect(await sbaReview('C-sba-review')).toEqual([
        'complete',
        outcome === 'approved' ? null : expect.stringMatching(/./),
      ]);
    },
  ).proves(
    'move.sbaProfileReview.complete pending>complete',
    `move.review.${outcome === 'approved' ? 'approve' : 'reject'} pending>${outcome}`,
  );
}

conform(sba, 'new content of a profile is pending and has no reason any more', async () => {
  await decide(3_300_001, 'rejected');
  expect(await putSba('C-sba-review', { headlineText: 'Another line' })).toBe('success');
  expect(await sbaReview('C-sba-review')).toEqual(['pending', null]);
}).proves('move.sbaProfileReview.change complete>pending');

conform(sba, 'a rejected profile that is submitted again is pending; an approved one stays in use', async () => {
  await decide(3_300_001, 'rejected');
  await submit('C-sba-review');
  expect(await sbaReview('C-sba-review')).toEqual(['pending', null]);
  await submit('C-sba-live');
  expect(await sbaReview('C-sba-live')).toEqual(['complete', null]);
}).proves('move.sbaProfileReview.resubmit complete>pending');

const video = 'Video profile';
const path = '/api/v1/adGroup/media';
const showVideo = async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid-live');
  return owner().get(`${path}?campaignId=${campaignId}&adGroupId=${adGroupId}`);
};
const videoReview = async () => fieldOf(await showVideo(), 'reviewStatus');
const pause = async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  expect(codes(await owner().put('/api/v1/campaigns', [{ campaignId, status: 'paused' }]))).toEqual(['success']);
};
const putVideo = async (fields: Readonly<Record<string, unknown>>) => {
  const [record] = (await showVideo()).body as readonly object[];
  return codes(await owner().put(path, [{ ...record, ...fields }]))[0];
};
/** The film of the profile, or the other one of the scenario. */
const otherFilm = async () => {
  const media = await owner().get('/api/v1/media?advertiserId=900001');
  const present = fieldOf(await showVideo(), 'mediaId');
  return [idOf(media, 'mediaId', 0), idOf(media, 'mediaId', 1)].find((id) => id !== present);
};

conform(video, 'it is switched off and on without a new review', async () => {
  await pause();
  for (const status of ['disabled', 'enabled']) {
    expect(await putVideo({ status })).toBe('success');
    expect([fieldOf(await showVideo(), 'status'), await videoReview()]).toEqual([status, 'approved']);
  }
}).proves('move.videoProfile.disable enabled>disabled', 'move.videoProfile.enable disabled>enabled');

conform(video, 'another film is pending until its review approves it', async () => {
  await pause();
  expect(await putVideo({ mediaId: await otherFilm() })).toBe('success');
  expect(await videoReview()).toBe('pending');
  await decide(await submit('C-vid-live'), 'rejected');
  expect(await videoReview()).toBe('rejected');
  expect(fieldOf(await showVideo(), 'reviewReason')).toMatch(/./);
  expect(await putVideo({ mediaId: await otherFilm() })).toBe('success');
  expect([await videoReview(), fieldOf(await showVideo(), 'reviewReason')]).toEqual(['pending', null]);
  await decide(await submit('C-vid-live'), 'approved');
  expect(await videoReview()).toBe('approved');
}).proves(
  'move.videoProfileReview.change approved>pending',
  'move.videoProfileReview.reject pending>rejected',
  'move.videoProfileReview.change rejected>pending',
  'move.videoProfileReview.approve pending>approved',
);

conform(video, 'a rejected one that is submitted again is pending; an approved one stays in use', async () => {
  const reviewId = await submit('C-vid-live');
  expect(await videoReview()).toBe('approved');
  await decide(reviewId, 'rejected');
  expect(await videoReview()).toBe('rejected');
  await submit('C-vid-live');
  expect(await videoReview()).toBe('pending');
}).proves('move.videoProfileReview.resubmit rejected>pending', 'move.videoProfileReview.revise approved>rejected');

conform(video, 'ad operations may let a rejected one pass after all', async () => {
  await decide(await submit('C-vid-live'), 'rejected');
  const id = idOf(await showVideo(), 'adGroupMediaId');
  await world.control('POST', `/console/video-profiles/${id}`, { reviewStatus: 'approved', reviewReason: null });
  expect(await videoReview()).toBe('approved');
}).proves('move.videoProfileReview.revise rejected>approved');

conform('Campaign status', 'a scheduled campaign whose new film is not approved does not go live', async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  const set = async (fields: object) =>
    expect(codes(await owner().put('/api/v1/campaigns', [{ campaignId, ...fields }]))).toEqual(['success']);
  await set({ status: 'completed' });
  await set({ status: 'extend', endDate: '2026-09-01' });
  expect(await putVideo({ mediaId: await otherFilm() })).toBe('success');
  await world.advance('P2D');
  expect((await world.campaign('C-vid-live')).status).toBe('rescheduled');
  await decide(await submit('C-vid-live'), 'approved');
  await world.advance('PT1S');
  expect((await world.campaign('C-vid-live')).status).toBe('live');
}).proves('move.campaign.start rescheduled>live');

conform('Campaign status', 'a campaign on the schedule without an approved item waits for one', async () => {
  const { campaignId } = await world.campaign('C-sba-review');
  await owner().put('/api/v1/campaigns', [{ campaignId, startDate: '2026-05-08' }]);
  await decide(3_300_001, 'approved');
  const items = await owner().get(`/api/v1/adItems?campaignId=${campaignId}`);
  const ids = (items.body as { adItemId: number }[]).map((item) => item.adItemId);
  const judge = async (id: number, reviewStatus: string) =>
    expect((await world.control('POST', `/console/ad-items/${id}`, { reviewStatus })).status).toBe(200);
  for (const id of ids) await judge(id, 'rejected');
  await world.control('POST', '/clock', { set: '2026-05-09T00:00:00-07:00' });
  expect((await world.campaign('C-sba-review')).status).toBe('scheduled');
  await judge(ids[0] ?? 0, 'approved');
  await world.advance('PT1S');
  expect((await world.campaign('C-sba-review')).status).toBe('live');
}).proves('move.campaign.start scheduled>live', 'move.adItemReview.revise rejected>approved');

conform('Campaign status', 'the video profile of a scheduled campaign cannot be updated', async () => {
  const ids = await world.campaign('C-vid');
  await owner().put('/api/v1/campaigns', [{ campaignId: ids.campaignId, startDate: '2026-06-01' }]);
  const media = await owner().get('/api/v1/media?advertiserId=900001');
  const profile = { ...ids, status: 'enabled', mediaId: idOf(media, 'mediaId', 1) };
  expect(codes(await owner().post(path, [profile]))).toEqual(['success']);
  const { available } = (await world.state()).catalogue;
  await owner().post('/api/v1/adItems', [{ ...ids, itemId: available[0], bid: 2, status: 'enabled' }]);
  await owner().post('/api/v1/keywords', [{ ...ids, keywordText: 'towel', matchType: 'exact', bid: 2 }]);
  await decide(await submit('C-vid'), 'approved');
  expect((await world.campaign('C-vid')).status).toBe('scheduled');
  expectRefusal(
    await owner().put(path, [{ ...profile, mediaId: idOf(media, 'mediaId', 0) }]),
    422,
    'You cannot update the enabled one for campaigns which are scheduled or currently live',
  );
}).proves('message.enabledNotUpdatable', 'move.campaign.schedule enabled>scheduled');
