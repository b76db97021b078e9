import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { aProfile } from './sba-profiles.ts';
import { aCampaign, createWorld, setUpCampaign } from './world.ts';

const world = createWorld();
const section = 'Review';
const path = '/api/v1/review';
const owner = () => world.as('owner');
const submit = async (name: string) => {
  const { campaignId, adGroupId } = await world.campaign(name);
  return owner().post(path, [{ campaignId, adGroupId }]);
};
const list = async (name: string) =>
  owner().get(`${path}?advertiserId=900001&adGroupId=${(await world.campaign(name)).adGroupId}`);

const begins = ['move.review.create (new)>pending', 'move.reviewComponent.create (new)>pending'];
conform(section, 'creating a review returns its id and the status submitted', async () => {
  const answer = await submit('C-vid-live');
  expect(answer.body).toEqual([{ code: 'success', details: '', reviewId: expect.any(Number), status: 'submitted' }]);
  expect((await list('C-vid-live')).body).toMatchObject([
    { reviewId: idOf(answer, 'reviewId'), reviewStatus: 'pending' },
  ]);
}).proves(...begins);

conform(section, 'a review covers the profile, ad items and keywords', async () => {
  const components = fieldOf(await list('C-sba-review'), 'components') as {
    type: string;
    status: string;
    reason: unknown;
  }[];
  const types = components.map((component) => component.type);
  expect(types).toEqual(['sbaProfile', 'adItem', 'adItem', 'adItem', 'keyword', 'keyword', 'keyword']);
  for (const component of components) expect(component).toMatchObject({ status: 'pending', reason: null });
});

conform(section, 'a review covers every profile of the group', async () => {
  const answer = await submit('C-sba-live');
  expect(fieldOf(answer, 'code')).toBe('success');
  const components = fieldOf(await list('C-sba-live'), 'components') as { type: string }[];
  expect(components.filter((component) => component.type === 'sbaProfile')).toHaveLength(2);
});

conform('Limits', 'a review takes 1 to 3 days', async () => {
  await world.advance('PT6H');
  expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('in-progress');
  await world.advance('PT17H');
  expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('in-progress');
  await world.advance('PT49H');
  expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toMatch(/approved|rejected/);
}).proves('limit.reviewMinDays', 'limit.reviewMaxDays');

conform('Limits', 'reviews are decided on any day from the first to the third', async () => {
  const hours: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const reviewId = idOf(await submit('C-sba-paused'), 'reviewId');
    let waited = 0;
    const isOpen = async () => {
      const { adGroupId } = await world.campaign('C-sba-paused');
      const shown = await owner().get(`${path}?adGroupId=${adGroupId}&reviewId=${reviewId}`);
      return /pending|in-progress/.test(String(fieldOf(shown, 'reviewStatus')));
    };
    for (; await isOpen(); waited += 6) await world.advance('PT6H');
    hours.push(waited);
  }
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(24);
  expect(Math.min(...hours)).toBeLessThan(48);
  expect(Math.max(...hours)).toBeGreaterThan(48);
  expect(Math.max(...hours)).toBeLessThanOrEqual(72);
}).proves('limit.reviewMinDays', 'limit.reviewMaxDays');

conform(section, 'the outcome is shown per component with a reason', async () => {
  const shown = await list('C-sba-review');
  const [profile, item] = fieldOf(shown, 'components') as { type: string; id: number }[];
  await world.control('POST', `/reviews/${idOf(shown, 'reviewId')}/decide`, {
    components: [
      { ...profile, status: 'rejected', reason: 'Blurred' },
      { ...item, status: 'approved' },
    ],
  });
  const partly = await list('C-sba-review');
  expect(fieldOf(partly, 'reviewStatus')).toBe('in-progress');
  expect(fieldOf(partly, 'components')).toMatchObject([
    { status: 'rejected', reason: 'Blurred' },
    { status: 'approved', reason: null },
    { status: 'pending' },
    {},
    {},
    {},
    {},
  ]);
  await world.advance('P3D');
  expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('rejected');
  const { adGroupId } = await world.campaign('C-sba-review');
  expect((await owner().get(`/api/v2/sba_profile?adGroupId=${adGroupId}`)).body).toMatchObject([
    { reviewStatus: 'complete', reviewReason: 'Blurred' },
  ]);
});

for (const when of ['pending', 'in-progress']) {
  conform('Review status', `a review that is ${when} can be cancelled, and submitted anew`, async () => {
    if (when === 'in-progress') await world.advance('PT6H');
    const { campaignId, adGroupId } = await world.campaign('C-sba-review');
    const reviewId = idOf(await list('C-sba-review'), 'reviewId');
    expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe(when);
    expect(outcomes(await owner().put(path, [{ campaignId, adGroupId, reviewId }]))).toEqual(['success']);
    expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('cancelled');
    expect(codes(await owner().put(path, [{ campaignId, adGroupId, reviewId }]))).toEqual(['failure']);
    expect(codes(await submit('C-sba-review'))).toEqual(['success']);
    expect((await list('C-sba-review')).body).toMatchObject([
      { reviewStatus: 'cancelled' },
      { reviewStatus: 'pending' },
    ]);
  }).proves(`move.review.cancel ${when}>cancelled`);
}

conform('Review status', 'after a cancellation items and keywords may be added', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-review');
  await owner().put(path, [{ campaignId, adGroupId, reviewId: fieldOf(await list('C-sba-review'), 'reviewId') }]);
  const { available } = (await world.state()).catalogue;
  const item = { campaignId, adGroupId, itemId: available[30], bid: 1, status: 'enabled' };
  expect(outcomes(await owner().post('/api/v1/adItems', [item]))).toEqual(['success']);
  const keyword = { campaignId, adGroupId, keywordText: 'new', matchType: 'exact', bid: 1 };
  expect(outcomes(await owner().post('/api/v1/keywords', [keyword]))).toEqual(['success']);
  // The old review would have been decided by now; nothing comes of it.
  await world.advance('P4D');
  expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('cancelled');
});

conform('Review status', 'a finished review cannot be cancelled', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-review');
  const reviewId = idOf(await list('C-sba-review'), 'reviewId');
  await world.control('POST', `/reviews/${reviewId}/decide`, { all: 'approved' });
  expect(
    codes(
      await owner().put(path, [
        { campaignId, adGroupId, reviewId },
        { campaignId, adGroupId, reviewId: 1 },
      ]),
    ),
  ).toEqual(['failure', 'failure']);
}).proves('own.reviewNotCancellable', 'own.reviewNotFound');

conform(section, 'one open review per ad group', async () => {
  expect(codes(await submit('C-sba-review'))).toEqual(['failure']);
}).proves('own.reviewOpen');

conform(section, 'profile and at least one enabled item are needed', async () => {
  expect(codes(await submit('C-sba'))).toEqual(['failure']);
  await owner().post('/api/v2/sba_profile', [await aProfile(world, 'C-sba')]);
  expect(codes(await submit('C-sba'))).toEqual(['failure']);
  const { available } = (await world.state()).catalogue;
  await owner().post('/api/v1/adItems', [
    { ...(await world.campaign('C-sba')), status: 'enabled', itemId: available[0], bid: 1 },
  ]);
  expect(codes(await submit('C-sba'))).toEqual(['success']);
}).proves('own.reviewNeedsProfile', 'own.reviewNeedsItem', 'limit.adItemsMin');

conform(section, 'not for campaigns that need none, are new, or are over', async () => {
  expect(codes(await submit('C-man'))).toEqual(['failure']);
  const fresh = idOf(await owner().post('/api/v1/campaigns', [aCampaign({ name: 'New' })]), 'campaignId');
  await owner().post('/api/v1/adGroups', [{ name: 'Group', campaignId: fresh, status: 'enabled' }]);
  expect(outcomes(await submit('New'))).toEqual(['A campaign that is enabled cannot be submitted for review']);
  const { campaignId } = await world.campaign('C-vid-live');
  await owner().put('/api/v1/campaigns', [{ campaignId, status: 'completed' }]);
  expect(codes(await submit('C-vid-live'))).toEqual(['failure']);
}).proves('own.reviewNotForType', 'own.reviewNotAllowed');

conform(section, 'a paused and a live campaign may be reviewed', async () => {
  for (const name of ['C-sba-paused', 'C-sba-live', 'C-vid-live'])
    expect(codes(await submit(name))).toEqual(['success']);
});

conform(section, 'the ad group is required and must exist', async () => {
  expectRefusal(await owner().post(path, [{}]), 400, 'adGroupId not found in request');
  expectRefusal(await owner().post(path, [{ adGroupId: 1 }]), 404, 'AdGroup not found');
  expectRefusal(await owner().get(path), 400, 'adGroupId not found in request');
}).proves('message.adGroupIdMissing', 'message.adGroupNotFound');

conform(section, 'by itself the clock approves a campaign in order, which then goes live on its date', async () => {
  const { campaignId, adGroupId } = await setUpCampaign(world, {
    campaignType: 'sba',
    name: 'By the clock',
    startDate: '2026-05-20',
  });
  await owner().post('/api/v2/sba_profile', [await aProfile(world, 'By the clock')]);
  const { available } = (await world.state()).catalogue;
  const items = available.slice(0, 3).map((itemId) => ({ campaignId, adGroupId, itemId, bid: 1, status: 'enabled' }));
  await owner().post('/api/v1/adItems', items);
  await owner().post('/api/v1/keywords', { campaignId, adGroupId, keywords: ['a', 'b'], matchType: 'exact', bid: 1 });
  await submit('By the clock');
  await world.advance('P3D');
  expect((await world.campaign('By the clock')).status).toBe('scheduled');
  await world.control('POST', '/clock', { set: '2026-05-20T00:00:00-07:00' });
  expect((await world.campaign('By the clock')).status).toBe('live');
}).proves(
  'move.campaign.approve proposal>enabled',
  'move.campaign.start scheduled>live',
  'move.review.begin pending>in-progress',
  'move.review.approve in-progress>approved',
);

for (const outcome of ['approved', 'rejected'] as const) {
  conform(
    'Review status',
    `a review in progress that is decided as ${outcome} is ${outcome}, and its parts are`,
    async () => {
      await world.advance('PT6H');
      expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('in-progress');
      const decided = await world.control('POST', '/reviews/3300001/decide', { all: outcome });
      expect(decided.body).toMatchObject({ reviewStatus: outcome, components: Array(7).fill({ status: outcome }) });
      expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe(outcome);
      expect((await world.control('POST', '/reviews/3300001/decide', { all: 'approved' })).status).toBe(409);
    },
  ).proves(
    'move.review.begin pending>in-progress',
    `move.review.${outcome === 'approved' ? 'approve' : 'reject'} in-progress>${outcome}`,
  );
}

conform(section, 'the clock rejects a few keywords, never the first, and schedules the campaign', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid');
  const media = await owner().get('/api/v1/media?advertiserId=900001');
  await owner().post('/api/v1/adGroup/media', [{ campaignId, adGroupId, mediaId: idOf(media, 'mediaId', 1) }]);
  const { available } = (await world.state()).catalogue;
  await owner().post('/api/v1/adItems', [{ campaignId, adGroupId, itemId: available[0], bid: 2, status: 'enabled' }]);
  const keywords = Array.from({ length: 200 }, (_, index) => `keyword ${index}`);
  await owner().post('/api/v1/keywords', { campaignId, adGroupId, keywords, matchType: 'exact', bid: 2 });
  await owner().put('/api/v1/campaigns', [{ campaignId, startDate: '2026-06-01' }]);
  await submit('C-vid');
  await world.advance('P3D');
  const parts = fieldOf(await list('C-vid'), 'components') as { type: string; status: string; reason: unknown }[];
  expect(parts.slice(0, 3).map((part) => part.status)).toEqual(['approved', 'approved', 'approved']);
  const rejected = parts.filter((part) => part.status === 'rejected');
  expect(rejected.length).toBeGreaterThan(2);
  expect(rejected.length).toBeLessThan(30);
  for (const part of rejected) expect(part).toMatchObject({ type: 'keyword', reason: expect.stringMatching(/./) });
  expect((await world.campaign('C-vid')).status).toBe('scheduled');
});

conform('Review status', 'the first decision about a part takes a pending review up', async () => {
  const [component] = fieldOf(await list('C-sba-review'), 'components') as object[];
  await world.control('POST', '/reviews/3300001/decide', { components: [{ ...component, status: 'approved' }] });
  expect(fieldOf(await list('C-sba-review'), 'reviewStatus')).toBe('in-progress');
}).proves('move.review.begin pending>in-progress');
