import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, fieldOf, idOf, outcomes } from './client.ts';
import { aProfile } from './sba-profiles.ts';
import { aCampaign, createWorld, setUpCampaign } from './world.ts';

const world = createWorld();
const section = 'Campaign status';
const owner = () => world.as('owner');
const statusOf = async (campaignId: number) =>
  fieldOf(await owner().get(`/api/v1/campaigns?campaignId=${campaignId}`), 'status');
const setStatus = async (campaignId: number, status: string, more = {}) =>
  codes(await owner().put('/api/v1/campaigns', [{ campaignId, status, ...more }]))[0];

async function reviewOutcome(name: string, decision: unknown): Promise<string> {
  const { campaignId, adGroupId } = await world.campaign(name);
  const review = await owner().post('/api/v1/review', [{ campaignId, adGroupId }]);
  await world.control('POST', `/reviews/${idOf(review, 'reviewId')}/decide`, decision);
  return String(await statusOf(campaignId));
}

for (const campaignType of ['video', 'sba']) {
  conform(section, `a new ${campaignType} campaign is enabled, then proposal at the next tick`, async () => {
    const campaignId = idOf(await owner().post('/api/v1/campaigns', [aCampaign({ campaignType })]), 'campaignId');
    expect(await statusOf(campaignId)).toBe('enabled');
    await world.advance('PT1S');
    expect(await statusOf(campaignId)).toBe('proposal');
    await world.advance('P30D');
    expect(await statusOf(campaignId)).toBe('proposal');
  }).proves('move.campaign.create (new)>enabled', 'move.campaign.settle enabled>proposal');
}

conform(section, 'a sponsoredProducts campaign is scheduled, no proposal, and starts on its date', async () => {
  const { campaignId } = await setUpCampaign(world, { campaignType: 'sponsoredProducts', startDate: '2026-05-08' });
  expect(await statusOf(campaignId)).toBe('scheduled');
  await world.control('POST', '/clock', { set: '2026-05-08T06:59:59Z' });
  expect(await statusOf(campaignId)).toBe('scheduled');
  await world.control('POST', '/clock', { set: '2026-05-08T07:00:00Z' });
  expect(await statusOf(campaignId)).toBe('live');
}).proves('move.campaign.schedule enabled>scheduled', 'move.campaign.start scheduled>live');

conform(section, 'the partner pauses a live campaign', async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  expect(await setStatus(campaignId, 'paused')).toBe('success');
  expect(await statusOf(campaignId)).toBe('paused');
}).proves('move.campaign.pause live>paused');

conform(section, 'a paused campaign that is eligible is enabled, then rescheduled, then live', async () => {
  const { campaignId } = await world.campaign('C-sba-paused');
  expect(await setStatus(campaignId, 'enabled')).toBe('success');
  expect(await statusOf(campaignId)).toBe('enabled');
  await world.advance('PT1S');
  expect(await statusOf(campaignId)).toBe('rescheduled');
  await world.advance('PT1H');
  expect(await statusOf(campaignId)).toBe('live');
}).proves(
  'move.campaign.enable paused>enabled',
  'move.campaign.reschedule enabled>rescheduled',
  'move.campaign.start rescheduled>live',
);

conform(section, 'a paused campaign with an open review cannot be enabled', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-paused');
  idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
  expect(await setStatus(campaignId, 'enabled')).toBe('failure');
  expect(await statusOf(campaignId)).toBe('paused');
}).proves('own.notEligible');

conform(section, 'a paused campaign is not scheduled by the system, whatever its review says', async () => {
  expect(await reviewOutcome('C-sba-paused', { all: 'approved' })).toBe('paused');
  await world.advance('P10D');
  expect((await world.campaign('C-sba-paused')).status).toBe('paused');
});

conform(section, 'a review that rejects the profile of a live campaign pauses it', async () => {
  expect(await reviewOutcome('C-vid-live', { all: 'rejected' })).toBe('paused');
}).proves('move.campaign.reject-profile live>paused', 'move.videoProfileReview.revise approved>rejected');

conform(section, 'a review that approves leaves a live campaign live', async () => {
  expect(await reviewOutcome('C-vid-live', { all: 'approved' })).toBe('live');
});

conform(section, 'a proposal whose criteria are not met stays a proposal', async () => {
  const { campaignId } = await world.campaign('C-sba-review');
  const reviewId = 3_300_001;
  await world.control('POST', `/reviews/${reviewId}/decide`, { all: 'rejected' });
  expect(await statusOf(campaignId)).toBe('proposal');
});

const criteria: readonly (readonly [missing: string, type: string])[] = [
  ['the profile', 'sbaProfile'],
  ['every ad item', 'adItem'],
  ['every keyword', 'keyword'],
];
for (const [what, type] of criteria) {
  conform(section, `a review that rejects ${what} does not schedule the campaign`, async () => {
    const { campaignId, adGroupId } = await world.campaign('C-sba-review');
    const shown = await owner().get(`/api/v1/review?advertiserId=900001&adGroupId=${adGroupId}`);
    const components = fieldOf(shown, 'components') as { type: string; id: number }[];
    const decisions = components.map((one) => ({ ...one, status: one.type === type ? 'rejected' : 'approved' }));
    await world.control('POST', `/reviews/${idOf(shown, 'reviewId')}/decide`, { components: decisions });
    await world.advance('P1D');
    expect(await statusOf(campaignId)).toBe('proposal');
  });
}

conform(section, 'one approved item and one approved keyword are enough beside the profile', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-review');
  const shown = await owner().get(`/api/v1/review?advertiserId=900001&adGroupId=${adGroupId}`);
  const components = fieldOf(shown, 'components') as { type: string; id: number }[];
  const seen = new Set<string>();
  const decisions = components.map((one) => {
    const isFirst = !seen.has(one.type);
    seen.add(one.type);
    return { ...one, status: isFirst ? 'approved' : 'rejected' };
  });
  await world.control('POST', `/reviews/${idOf(shown, 'reviewId')}/decide`, { components: decisions });
  expect(await statusOf(campaignId)).toBe('scheduled');
  await world.advance('PT1S');
  expect(await statusOf(campaignId)).toBe('live');
}).proves('move.campaign.approve proposal>enabled');

conform(section, 'the sequence for a new campaign is enabled, proposal, enabled, scheduled, live', async () => {
  const { campaignId, adGroupId } = await setUpCampaign(world, { campaignType: 'sba', name: 'New' });
  await owner().post('/api/v2/sba_profile', [await aProfile(world, 'New')]);
  const { available } = (await world.state()).catalogue;
  await owner().post('/api/v1/adItems', [{ campaignId, adGroupId, itemId: available[0], bid: 1, status: 'enabled' }]);
  await owner().post('/api/v1/keywords', { campaignId, adGroupId, keywords: ['a'], matchType: 'exact', bid: 1 });
  const review = await owner().post('/api/v1/review', [{ campaignId, adGroupId }]);
  await world.control('POST', `/reviews/${idOf(review, 'reviewId')}/decide`, { all: 'approved' });
  await world.advance('PT1S');
  const answer = await world.control('GET', `/campaigns/${campaignId}/moves`);
  const moves = fieldOf(answer, 'moves') as { from: string; to: string }[];
  expect(moves.map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'enabled > proposal',
    'proposal > enabled',
    'enabled > scheduled',
    'scheduled > live',
  ]);
}).proves(
  'move.campaign.settle enabled>proposal',
  'move.campaign.approve proposal>enabled',
  'move.campaign.schedule enabled>scheduled',
  'move.campaign.start scheduled>live',
);

conform(section, 'a scheduled campaign whose profile is rejected does not go live', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-review');
  await owner().put('/api/v1/campaigns', [{ campaignId, startDate: '2026-06-01' }]);
  await world.control('POST', '/reviews/3300001/decide', { all: 'approved' });
  expect(await statusOf(campaignId)).toBe('scheduled');
  const again = await owner().post('/api/v1/review', [{ campaignId, adGroupId }]);
  await world.control('POST', `/reviews/${idOf(again, 'reviewId')}/decide`, { all: 'rejected' });
  expect(await statusOf(campaignId)).toBe('proposal');
  await world.control('POST', '/clock', { set: '2026-06-02T00:00:00-07:00' });
  expect(await statusOf(campaignId)).toBe('proposal');
}).proves('move.campaign.reject-profile scheduled>proposal');

conform(section, 'a rescheduled campaign whose profile is rejected is paused', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid-live');
  await setStatus(campaignId, 'completed');
  await setStatus(campaignId, 'extend', { endDate: '2026-09-01' });
  expect(await statusOf(campaignId)).toBe('rescheduled');
  const review = await owner().post('/api/v1/review', [{ campaignId, adGroupId }]);
  await world.control('POST', `/reviews/${idOf(review, 'reviewId')}/decide`, { all: 'rejected' });
  expect(await statusOf(campaignId)).toBe('paused');
}).proves('move.campaign.reject-profile rescheduled>paused');

conform(section, 'a live campaign is completed when its end date is over', async () => {
  const { campaignId } = await world.campaign('C-auto');
  expect(outcomes(await owner().put('/api/v1/campaigns', [{ campaignId, endDate: '2026-05-20' }]))).toEqual([
    'success',
  ]);
  await world.control('POST', '/clock', { set: '2026-05-20T23:59:59-07:00' });
  expect(await statusOf(campaignId)).toBe('live');
  await world.control('POST', '/clock', { set: '2026-05-21T00:00:00-07:00' });
  expect(await statusOf(campaignId)).toBe('completed');
}).proves('move.campaign.end live>completed');

conform(section, 'a completed campaign that is extended is rescheduled, and live per its start date', async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  expect(await setStatus(campaignId, 'completed')).toBe('success');
  expect(await setStatus(campaignId, 'extend', { endDate: '2026-04-22' })).toBe('failure');
  expect(await setStatus(campaignId, 'extend', { endDate: '2026-07-01' })).toBe('success');
  expect(await statusOf(campaignId)).toBe('rescheduled');
  await world.advance('PT1M');
  expect(await statusOf(campaignId)).toBe('live');
  await world.control('POST', '/clock', { set: '2026-07-02T00:00:00-07:00' });
  expect(await statusOf(campaignId)).toBe('completed');
}).proves(
  'move.campaign.end live>completed',
  'own.endInPast',
  'move.campaign.extend completed>rescheduled',
  'move.campaign.start rescheduled>live',
);

conform(section, 'a campaign is extended to today at the earliest', async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  expect(await setStatus(campaignId, 'completed')).toBe('success');
  expect(await setStatus(campaignId, 'extend', { endDate: '2026-05-04' })).toBe('failure');
  expect(await setStatus(campaignId, 'extend', { endDate: '2026-05-05' })).toBe('success');
}).proves('own.endInPast');

for (const [status, word] of [
  ['proposal', 'paused'],
  ['proposal', 'completed'],
  ['proposal', 'enabled'],
  ['proposal', 'extend'],
  ['paused', 'completed'],
  ['paused', 'extend'],
  ['live', 'enabled'],
  ['live', 'extend'],
] as const) {
  conform(section, `a campaign that is ${status} refuses the status ${word}`, async () => {
    const name = status === 'proposal' ? 'C-sba' : status === 'paused' ? 'C-sba-paused' : 'C-vid-live';
    const { campaignId } = await world.campaign(name);
    expect(await setStatus(campaignId, word, { endDate: '2027-01-01' })).toBe('failure');
    expect(await statusOf(campaignId)).toBe(status);
  }).proves('own.moveNotAllowed');
}

conform(section, 'the retailer’s console pauses, enables, ends and extends', async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  const act = async (body: unknown) =>
    fieldOf(await world.control('POST', `/console/campaigns/${campaignId}`, body), 'status');
  expect(await act({ action: 'pause' })).toBe('paused');
  expect(await act({ action: 'enable' })).toBe('enabled');
  await world.advance('PT1H');
  expect(await act({ action: 'end' })).toBe('completed');
  expect(await act({ action: 'extend', endDate: '2026-08-01' })).toBe('rescheduled');
});

conform(section, 'a live campaign whose enabled SBA profile is rejected is paused', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-live');
  const review = await owner().post('/api/v1/review', [{ campaignId, adGroupId }]);
  const shown = await owner().get(`/api/v1/review?adGroupId=${adGroupId}`);
  const [enabled, disabled] = fieldOf(shown, 'components') as { type: string; id: number }[];
  const components = [
    { ...enabled, status: 'rejected' },
    { ...disabled, status: 'approved' },
  ];
  await world.control('POST', `/reviews/${idOf(review, 'reviewId')}/decide`, { components });
  expect(await statusOf(campaignId)).toBe('paused');
}).proves('move.campaign.reject-profile live>paused');

conform(section, 'moving the clock in one step or in many ends in the same state', async () => {
  const after = async (durations: readonly string[]) => {
    await world.control('POST', '/reset', { scenario: 'demo' });
    for (const duration of durations) await world.advance(duration);
    return (await world.state()).campaigns.map((campaign) => [campaign.name, campaign.status]);
  };
  const once = await after(['P30D']);
  expect(await after(Array(30).fill('P1D'))).toEqual(once);
  expect(await after(['PT1S', 'P3D', 'PT7H', 'PT17H', 'P13D', 'PT23H59M59S', 'P12D'])).toEqual(once);
});
