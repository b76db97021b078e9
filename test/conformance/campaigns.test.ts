import { expect } from 'vitest';
import { conform } from './case.ts';
import { fieldOf, idOf } from './client.ts';
import { codes, expectRefusal, outcomes } from './expectations.ts';
import { aCampaign, createWorld } from './world.ts';

const world = createWorld();
const section = 'Campaign and ad group';
const create = (...bodies: readonly unknown[]) => world.as('owner').post('/api/v1/campaigns', bodies);

conform(section, 'creating a campaign returns its id; it is enabled', [], async () => {
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

conform(section, 'a bare object is answered as an array of one', [], async () => {
  expect(outcomes(await world.as('owner').post('/api/v1/campaigns', aCampaign()))).toEqual(['success']);
});

conform(section, 'the other dialect’s totalBudget is understood', [], async () => {
  const { budget: _budget, ...rest } = aCampaign();
  const answer = await create({ ...rest, totalBudget: 1200.5, budgetType: 'both' });
  const shown = await world.as('owner').get(`/api/v1/campaigns?campaignId=${idOf(answer, 'campaignId')}`);
  expect(fieldOf(shown, 'budget')).toBe(1200.5);
});

for (const field of ['advertiserId', 'name', 'campaignType', 'targetingType']) {
  conform(section, `a campaign without ${field} is a 400`, ['message.fieldMissing'], async () => {
    const { [field]: _left, ...rest } = aCampaign();
    expectRefusal(await create(rest), 400, `Field [${field}] not found in request`);
  });
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
  conform(section, `${field} ${JSON.stringify(value)} is a malformed body`, ['message.invalidParameters'], async () => {
    expectRefusal(await create(aCampaign({ [field]: value })), 400, 'Invalid request parameter(s)');
  });
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
];
for (const [what, key, fields] of refused) {
  conform(section, `${what} fails its element`, [key], async () => {
    const answer = await create(aCampaign(fields), aCampaign({ name: 'Neighbour' }));
    expect(codes(answer)).toEqual(['failure', 'success']);
    expect(fieldOf(answer, 'campaignId')).toBe(0);
  });
}

conform(section, 'a name is used once per advertiser', ['own.nameTaken'], async () => {
  expect(codes(await create(aCampaign(), aCampaign()))).toEqual(['success', 'failure']);
});

conform('Limits', 'the batch maximum is 50 elements', ['message.batchTooLarge', 'limit.batchMax'], async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => aCampaign({ name: `Campaign ${index}` }));
  expectRefusal(await create(...many(51)), 400, 'Maximum allowed size in batch is 50');
  expect(outcomes(await create(...many(50)))).toHaveLength(50);
});

conform(section, 'an HTTP-level refusal writes nothing of the batch', [], async () => {
  const before = await world.state();
  expect((await create(aCampaign(), { advertiserId: 900001 })).status).toBe(400);
  expect((await create(aCampaign(), aCampaign({ advertiserId: 900002 }))).status).toBe(403);
  expect((await world.state()).counts['campaign']).toBe(before.counts['campaign']);
});

conform(section, 'amounts are cut after two decimals, never rounded', [], async () => {
  const answer = await create(aCampaign({ budget: '1500.999', dailyBudget: 0.29 }));
  const shown = await world.as('owner').get(`/api/v1/campaigns?campaignId=${idOf(answer, 'campaignId')}`);
  expect(shown.body).toMatchObject([{ budget: 1500.99, dailyBudget: 0.29 }]);
});

conform(
  section,
  'only one ad group is permitted per campaign',
  ['own.secondAdGroup', 'limit.adGroupsPerCampaign'],
  async () => {
    const owner = world.as('owner');
    const campaignId = idOf(await create(aCampaign()), 'campaignId');
    const group = { name: 'Video group', campaignId, status: 'enabled' };
    expect(codes(await owner.post('/api/v1/adGroups', [group, group]))).toEqual(['success', 'failure']);
    expect(codes(await owner.post('/api/v1/adGroups', [group]))).toEqual(['failure']);
  },
);

conform(section, 'an ad group needs its campaign', ['message.campaignNotFound'], async () => {
  const owner = world.as('owner');
  expectRefusal(await owner.post('/api/v1/adGroups', [{ name: 'G', campaignId: 1 }]), 404, 'Campaign not found');
  expectRefusal(await owner.post('/api/v1/adGroups', [{ name: 'G' }]), 400, 'Field [campaignId] not found in request');
  expectRefusal(await owner.post('/api/v1/adGroups', [{ campaignId: 1 }]), 400, 'Field [name] not found in request');
});

conform('Versioning', 'ids are accepted as text, and one beyond 2^53 is nobody’s', [], async () => {
  const owner = world.as('owner');
  const campaignId = idOf(await create(aCampaign()), 'campaignId');
  const answer = await owner.send('POST', '/api/v1/adGroups', `[{"name":"G","campaignId":"${campaignId}"}]`);
  expect(outcomes(answer)).toEqual(['success']);
  const huge = await owner.send('POST', '/api/v1/adGroups', '[{"name":"G","campaignId":9007199254740993}]');
  expectRefusal(huge, 404, 'Campaign not found');
});

conform(section, 'campaigns and ad groups can be read and updated by extension', [], async () => {
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
