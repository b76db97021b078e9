import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { aVideo, uploadVideo } from './files.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Video profile';
const path = '/api/v1/adGroup/media';
const owner = () => world.as('owner');

async function profile(name: string, fields: Readonly<Record<string, unknown>> = {}) {
  const media = await owner().get('/api/v1/media?advertiserId=900001');
  return {
    advertiserId: 900001,
    ...(await world.campaign(name)),
    status: 'enabled',
    mediaId: idOf(media, 'mediaId', 1),
    ...fields,
  };
}
const list = async (name: string) => {
  const { campaignId, adGroupId } = await world.campaign(name);
  return owner().get(`${path}?campaignId=${campaignId}&adGroupId=${adGroupId}`);
};

const begins = ['move.videoProfile.create (new)>enabled', 'move.videoProfileReview.create (new)>pending'];
conform(section, 'a profile is created enabled with review pending', async () => {
  const element = await profile('C-vid');
  const answer = await owner().post(path, [element]);
  expect(answer.body).toEqual([{ code: 'success', details: '', adGroupMediaId: expect.any(Number) }]);
  expect((await list('C-vid')).body).toMatchObject([
    {
      adGroupMediaId: idOf(answer, 'adGroupMediaId'),
      mediaId: element.mediaId,
      mediaName: 'Ready to attach',
      status: 'enabled',
      reviewStatus: 'pending',
      reviewReason: null,
      thumbnail: expect.stringContaining('http'),
    },
  ]);
  expect(fieldOf(await owner().get(`/api/v1/media?advertiserId=900001&mediaId=${element.mediaId}`), 'attached')).toBe(
    true,
  );
}).proves(...begins);

conform(section, 'a profile may be created disabled', async () => {
  expect(outcomes(await owner().post(path, [await profile('C-vid', { status: 'disabled' })]))).toEqual(['success']);
  expect(fieldOf(await list('C-vid'), 'status')).toBe('disabled');
}).proves('move.videoProfile.create (new)>disabled');

conform('Limits', 'one video profile per campaign', async () => {
  const text = 'AdGroup already has media defined, please update existing instead of defining new one';
  const element = await profile('C-vid');
  expectRefusal(await owner().post(path, [element, element]), 422, text);
  expectRefusal(await owner().post(path, [await profile('C-vid-live')]), 422, text);
}).proves('message.mediaAlreadyDefined', 'limit.videoProfilesPerCampaign');

conform(section, 'only media that is available can be attached', async () => {
  const mediaId = await uploadVideo(owner(), aVideo(20));
  expect(codes(await owner().post(path, [await profile('C-vid', { mediaId })]))).toEqual(['failure']);
  expect(codes(await owner().post(path, [await profile('C-vid', { mediaId: 1 })]))).toEqual(['failure']);
  await world.advance('PT31M');
  expect(codes(await owner().post(path, [await profile('C-vid', { mediaId })]))).toEqual(['success']);
}).proves('own.mediaNotAvailable', 'own.mediaNotFound');

conform('Errors, 422', 'other campaigns have no video profile', async () => {
  expectRefusal(
    await owner().post(path, [await profile('C-man')]),
    422,
    'Cannot define adGroup media for these campaigns',
  );
  expectRefusal(
    await owner().post(path, [await profile('C-sba')]),
    422,
    'Please use sbaProfile endpoints for sbaProfile',
  );
  expectRefusal(await list('C-sba'), 422, 'Please use sbaProfile endpoints for sbaProfile');
  expectRefusal(await list('C-man'), 404, 'This endpoint is not allowed for this campaign type');
}).proves('message.mediaWrongCampaignType', 'message.useSbaEndpoints');

conform('Errors, 404', 'there is nothing to update yet', async () => {
  expectRefusal(await owner().put(path, [await profile('C-vid')]), 404, 'AdGroup Media not found for AdGroup');
}).proves('message.adGroupMediaNotFound');

conform('Campaign status', 'the profile of a live campaign cannot be updated: pause, update, review', async () => {
  const element = await profile('C-vid-live');
  expectRefusal(
    await owner().put(path, [element]),
    422,
    'You cannot update the enabled one for campaigns which are scheduled or currently live',
  );
  await owner().put('/api/v1/campaigns', [{ campaignId: element.campaignId, status: 'paused' }]);
  expect(outcomes(await owner().put(path, [element]))).toEqual(['success']);
  expect((await list('C-vid-live')).body).toMatchObject([{ mediaId: element.mediaId, reviewStatus: 'pending' }]);
  expect(
    codes(await owner().put('/api/v1/campaigns', [{ campaignId: element.campaignId, status: 'enabled' }])),
  ).toEqual(['failure']);
}).proves('message.enabledNotUpdatable');

conform('Review status', 'nothing is attached or exchanged under review', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid-live');
  idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
  expectRefusal(
    await owner().put(path, [await profile('C-vid-live')]),
    422,
    'Campaign is Under review, modifying is not allowed',
  );
}).proves('message.underReviewModify');

conform('Errors, 400 and 404', 'missing ids and groups', async () => {
  const element = await profile('C-vid');
  expectRefusal(await owner().post(path, [{ ...element, adGroupId: null }]), 400, 'adGroupId not found in request');
  expectRefusal(await owner().post(path, [{ ...element, mediaId: 0 }]), 400, 'Field [mediaId] not found in request');
  expectRefusal(await owner().post(path, [{ ...element, adGroupId: 1 }]), 404, 'AdGroup not found');
  expectRefusal(await owner().get(path), 400, 'adGroupId not found in request');
}).proves('message.adGroupIdMissing', 'message.fieldMissing', 'message.adGroupNotFound');
