import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { aCampaign, createWorld } from './world.ts';

const world = createWorld();
const section = 'Campaign and ad group';
const create = (...bodies: readonly unknown[]) => world.as('owner').post('/api/v1/campaigns', bodies);

conform(section, 'creating a campaign returns its id; it is enabled', async () => {
  const answer = await create(aCampaign());
  expect(outcomes(answer)).toEqual(['success']);
  const shown = await world.as('owner').get(`/api/v1/campaigns?campaignId=${idOf(answer, 'campaignId')}`);
  expect(shown.body).toMatchObject([
    {
      name: 'Spring video A',
      campaignType: 'video',
      status: 'enabled',
      budget: 1500,
      totalBudget: 1500,
      budgetType: 'both',
      dailyBudget: 75,
    },
  ]);
});

conform(section, 'a bare object is answered as an array of one', async () => {
  expect(outcomes(await world.as('owner').post('/api/v1/campaigns', aCampaign()))).toEqual(['success']);
});

conform(section, 'the other dialect’s totalBudget is understood', async () => {
  const { budget: _budget, ...rest } = aCampaign();
  const answer = await create({ ...rest, totalBudget: 1200.5, budgetType: 'both' });
  const shown = await world.as('owner').get(`/api/v1/campaigns?campaignId=${idOf(answer, 'campaignId')}`);
  expect(fieldOf(shown, 'budget')).toBe(1200.5);
});

for (const field of ['advertiserId', 'name', 'campaignType', 'targetingType']) {
  conform(section, `a campaign without ${field} is a 400`, async () => {
    const { [field]: _left, ...rest } = aCampaign();
    expectRefusal(await create(rest), 400, `Field [${field}] not found in request`);
  }).proves('message.fieldMissing');
}

const invalid: Readonly<Record<string, unknown>> = {
  campaignType: 'banner',
  targetingType: 'Manual',
  startDate: '2026-02-30',
  endDate: '05/04/2026',
  budget: 'a lot',
  name: 7,
};
for (const [field, value] of Object.entries(invalid)) {
  conform(section, `${field} ${JSON.stringify(value)} is a malformed body`, async () => {
    expectRefusal(await create(aCampaign({ [field]: value })), 400, 'Invalid request parameter(s)');
  }).proves('message.invalidParameters');
}

const refused: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['a start before today', 'own.startInPast', { startDate: '2026-05-04' }],
  ['an end before the start', 'own.endNotAfterStart', { startDate: '2026-05-10', endDate: '2026-05-09' }],
  ['a daily budget above the total', 'own.dailyAboveTotal', { dailyBudget: 1500.01 }],
  ['a video campaign with automatic targeting', 'own.needsManualTargeting', { targetingType: 'auto' }],
  ['a video campaign without a daily budget', 'own.videoNeedsBothBudgets', { dailyBudget: null }],
  ['a campaign without any budget', 'own.budgetMissing', { budget: null, dailyBudget: null, campaignType: 'sba' }],
  ['a blank name', 'own.nameInvalid', { name: '   ' }],
  ['a name with a line feed', 'own.nameInvalid', { name: 'a\nb' }],
  ['a negative budget', 'own.budgetMissing', { budget: -1 }],
  ['an end on the day of the start', 'own.endNotAfterStart', { startDate: '2026-05-10', endDate: '2026-05-10' }],
  ['a total budget of nothing', 'own.budgetMissing', { budget: 0 }],
  ['a daily budget of nothing', 'own.budgetMissing', { dailyBudget: 0 }],
  ['a name of 256 characters', 'own.nameInvalid', { name: 'a'.repeat(256) }],
];
for (const [what, key, fields] of refused) {
  conform(section, `${what} fails its element`, async () => {
    const answer = await create(aCampaign(fields), aCampaign({ name: 'Neighbour' }));
    expect(codes(answer)).toEqual(['failure', 'success']);
    expect(fieldOf(answer, 'campaignId')).toBe(0);
  }).proves(key);
}

conform(section, 'what lies on the edge is accepted', async () => {
  const edges = [
    { startDate: '2026-05-05', endDate: '2026-05-06' },
    { budget: 75, dailyBudget: 75 },
    { budget: 0.01, dailyBudget: 0.01 },
    { name: 'a'.repeat(255) },
    { campaignType: 'sba', budget: null },
    { campaignType: 'sponsoredProducts', targetingType: 'auto', dailyBudget: null },
  ];
  const bodies = edges.map((fields, index) => aCampaign({ name: `Edge ${index}`, ...fields }));
  expect(outcomes(await create(...bodies))).toEqual(edges.map(() => 'success'));
});

conform(section, 'a name is used once per advertiser', async () => {
  expect(codes(await create(aCampaign(), aCampaign()))).toEqual(['success', 'failure']);
}).proves('own.nameTaken');

conform('Limits', 'the batch maximum is 50 elements', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => aCampaign({ name: `Campaign ${index}` }));
  expectRefusal(await create(...many(51)), 400, 'Maximum allowed size in batch is 50');
  expect(outcomes(await create(...many(50)))).toHaveLength(50);
}).proves('message.batchTooLarge', 'limit.batchMax');

conform(section, 'an HTTP-level refusal writes nothing of the batch', async () => {
  const before = await world.state();
  expect((await create(aCampaign(), { advertiserId: 900001 })).status).toBe(400);
  expect((await create(aCampaign(), aCampaign({ advertiserId: 900002 }))).status).toBe(403);
  expect((await world.state()).counts['campaign']).toBe(before.counts['campaign']);
});

conform(section, 'amounts are cut after two decimals, never rounded', async () => {
  const answer = await create(aCampaign({ budget: '1500.999', dailyBudget: 0.29 }));
  const shown = await world.as('owner').get(`/api/v1/campaigns?campaignId=${idOf(answer, 'campaignId')}`);
  expect(shown.body).toMatchObject([{ budget: 1500.99, dailyBudget: 0.29 }]);
});

conform(section, 'only one ad group is permitted per campaign', async () => {
  const owner = world.as('owner');
  const campaignId = idOf(await create(aCampaign()), 'campaignId');
  const group = { name: 'Video group', campaignId, status: 'enabled' };
  expect(codes(await owner.post('/api/v1/adGroups', [group, group]))).toEqual(['success', 'failure']);
  expect(codes(await owner.post('/api/v1/adGroups', [group]))).toEqual(['failure']);
}).proves('own.secondAdGroup', 'limit.adGroupsPerCampaign');

conform(section, 'an ad group needs its campaign', async () => {
  const owner = world.as('owner');
  expectRefusal(await owner.post('/api/v1/adGroups', [{ name: 'G', campaignId: 1 }]), 404, 'Campaign not found');
  expectRefusal(await owner.post('/api/v1/adGroups', [{ name: 'G' }]), 400, 'Field [campaignId] not found in request');
  expectRefusal(await owner.post('/api/v1/adGroups', [{ campaignId: 1 }]), 400, 'Field [name] not found in request');
}).proves('message.campaignNotFound');

conform('Versioning', 'ids are accepted as text, and one beyond 2^53 is nobody’s', async () => {
  const owner = world.as('owner');
  const campaignId = idOf(await create(aCampaign()), 'campaignId');
  const answer = await owner.send('POST', '/api/v1/adGroups', `[{"name":"G","campaignId":"${campaignId}"}]`);
  expect(outcomes(answer)).toEqual(['success']);
  const huge = await owner.send('POST', '/api/v1/adGroups', '[{"name":"G","campaignId":9007199254740993}]');
  expectRefusal(huge, 404, 'Campaign not found');
});

conform(section, 'campaigns and ad groups can be read and updated by extension', async () => {
  const owner = world.as('owner');
  const { campaignId, adGroupId } = await world.campaign('C-man');
  expect(outcomes(await owner.put('/api/v1/campaigns', [{ campaignId, dailyBudget: 80.5, name: 'Renamed' }]))).toEqual([
    'success',
  ]);
  expect(outcomes(await owner.put('/api/v1/adGroups', [{ adGroupId, name: 'New name', status: 'disabled' }]))).toEqual([
    'success',
  ]);
  expect((await owner.get(`/api/v1/campaigns?campaignId=${campaignId}`)).body).toMatchObject([
    { name: 'Renamed', dailyBudget: 80.5 },
  ]);
  expect((await owner.get(`/api/v1/adGroups?campaignId=${campaignId}`)).body).toEqual([
    { adGroupId, campaignId, name: 'New name', status: 'disabled' },
  ]);
  expectRefusal(await owner.put('/api/v1/campaigns', [{ campaignId: 1 }]), 404, 'Campaign not found');
  expectRefusal(await owner.put('/api/v1/adGroups', [{ adGroupId: 1 }]), 404, 'AdGroup not found');
});

conform(section, 'an update that breaks a rule changes nothing, and what stays as it was is no change', async () => {
  const owner = world.as('owner');
  const { campaignId } = await world.campaign('C-man');
  const show = async () => (await owner.get(`/api/v1/campaigns?campaignId=${campaignId}`)).body;
  const before = await show();
  for (const fields of [
    { name: 'C-auto' },
    { dailyBudget: 1500.01 },
    { endDate: '2026-04-21' },
    { startDate: '2026-05-04' },
  ]) {
    expect(codes(await owner.put('/api/v1/campaigns', [{ campaignId, ...fields }]))).toEqual(['failure']);
    expect(await show()).toEqual(before);
  }
  // A record sent back whole: its start lies in the past, its name is taken by itself, its state is the one it is in.
  const [record] = before as readonly Readonly<Record<string, unknown>>[];
  const whole = { ...record, status: undefined };
  expect(outcomes(await owner.put('/api/v1/campaigns', [whole]))).toEqual(['success']);
  expect(await show()).toEqual(before);
}).proves('own.nameTaken', 'own.dailyAboveTotal', 'own.endNotAfterStart', 'own.startInPast');

conform(section, 'lists give what belongs to the advertiser, all of it or one', async () => {
  const owner = world.as('owner');
  const other = world.as('owner', 900002);
  const { campaignId, adGroupId } = await world.campaign('C-man');
  expect((await owner.get('/api/v1/campaigns')).body).toHaveLength(8);
  expect((await owner.get('/api/v1/campaigns?advertiserId=900001')).body).toHaveLength(8);
  expect((await other.get('/api/v1/campaigns')).body).toHaveLength(1);
  expect((await owner.get('/api/v1/adGroups')).body).toHaveLength(8);
  expect((await owner.get(`/api/v1/adGroups?adGroupId=${adGroupId}`)).body).toMatchObject([{ adGroupId, campaignId }]);
  for (const path of ['campaigns?campaignId=', 'adGroups?campaignId=', 'keywords?campaignId=']) {
    expectRefusal(await other.get(`/api/v1/${path}${campaignId}`), 403, "You don't have access to this advertiser");
  }
  expectRefusal(
    await other.put('/api/v1/campaigns', [{ campaignId }]),
    403,
    "You don't have access to this advertiser",
  );
  expectRefusal(await other.put('/api/v1/adGroups', [{ adGroupId }]), 403, "You don't have access to this advertiser");
}).proves('message.noAdvertiserAccess');
