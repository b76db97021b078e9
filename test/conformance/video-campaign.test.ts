import { expect } from 'vitest';
import { conform } from './case.ts';
import { type Answer, fieldOf, idOf, readAnswer } from './client.ts';
import { aVideo, captions } from './files.ts';
import { aCampaign, createWorld } from './world.ts';

const world = createWorld();

const put = async (url: unknown, body: BodyInit, type: string): Promise<Answer> =>
  readAnswer(await fetch(String(url), { method: 'PUT', body, headers: { 'content-type': type } }));

conform('What the service does, sponsored video campaigns', 'from the upload to a live campaign', async () => {
  const owner = world.as('owner');
  const upload = await owner.post('/api/v1/media/upload?advertiserId=900001&mediaType=video', {
    advertiserId: 900001,
    mediaType: 'video',
  });
  const mediaUploadRequestId = idOf(upload, 'mediaUploadRequestId');
  expect((await put(fieldOf(upload, 'uploadUrl'), new Uint8Array(aVideo(20)), 'video/mp4')).status).toBe(201);
  expect((await put(fieldOf(upload, 'captionUrl'), captions, 'text/vtt')).status).toBe(201);
  const completed = await owner.put('/api/v1/media/complete', {
    advertiserId: 900001,
    mediaUploadRequestId,
    mediaName: 'Spring cut 20s',
  });
  const mediaId = idOf(completed, 'mediaId');
  const mediaPath = `/api/v1/media?advertiserId=900001&mediaId=${mediaId}`;
  await world.advance('PT29M');
  expect((await owner.get(mediaPath)).body).toMatchObject([{ status: 'processing', thumbnail: null }]);
  await world.advance('PT1M');
  expect((await owner.get(mediaPath)).body).toMatchObject([
    { mediaId, status: 'available', name: 'Spring cut 20s', attached: false },
  ]);

  const campaignId = idOf(
    await owner.post('/api/v1/campaigns', [aCampaign({ startDate: '2026-05-10' })]),
    'campaignId',
  );
  const adGroupId = idOf(
    await owner.post('/api/v1/adGroups', [{ name: 'Video group', campaignId, status: 'enabled' }]),
    'adGroupId',
  );
  const profile = await owner.post('/api/v1/adGroup/media', [{ advertiserId: 900001, campaignId, adGroupId, mediaId }]);
  expect(profile.body).toMatchObject([{ code: 'success', details: '' }]);
  const found = await owner.post('/api/v1/itemSearch', { advertiserId: 900001, searchText: 'paper' });
  const items = [0, 1, 2].map((index) => ({
    campaignId,
    adGroupId,
    itemId: fieldOf(found, 'itemId', index),
    bid: 1.6,
    status: 'enabled',
  }));
  expect((await owner.post('/api/v1/adItems', items)).body).toMatchObject([
    { code: 'success' },
    { code: 'success' },
    { code: 'success' },
  ]);
  const keywords = await owner.post('/api/v1/keywords', {
    campaignId,
    adGroupId,
    keywords: ['paper towel', 'kitchen roll'],
    matchType: 'exact',
    bid: 1.65,
  });
  expect(keywords.body).toMatchObject({ keywordIds: [expect.any(Number), expect.any(Number)] });

  await world.advance('PT1S');
  expect(await statusOf(campaignId)).toBe('proposal');
  const review = await owner.post('/api/v1/review', [{ campaignId, adGroupId }]);
  expect(review.body).toMatchObject([{ code: 'success', details: '', status: 'submitted' }]);
  const decided = await world.control('POST', `/reviews/${idOf(review, 'reviewId')}/decide`, { all: 'approved' });
  expect(decided.body).toMatchObject({ reviewStatus: 'approved' });
  expect(await statusOf(campaignId)).toBe('scheduled');
  await world.control('POST', '/clock', { set: '2026-05-09T23:59:59-07:00' });
  expect(await statusOf(campaignId)).toBe('scheduled');
  await world.control('POST', '/clock', { set: '2026-05-10T00:00:00-07:00' });
  expect(await statusOf(campaignId)).toBe('live');
}).proves(
  'move.campaign.settle enabled>proposal',
  'move.campaign.approve proposal>enabled',
  'move.campaign.start scheduled>live',
  'move.media.finish processing>available',
  'limit.mediaProcessingMinutes',
);

async function statusOf(campaignId: number): Promise<unknown> {
  return fieldOf(await world.as('owner').get(`/api/v1/campaigns?campaignId=${campaignId}`), 'status');
}
