import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, outcomes } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const owner = () => world.as('owner');
const idOfCampaign = async (name: string) => (await world.campaign(name)).campaignId;

const kinds = [
  {
    kind: 'placement',
    Kind: 'Placement',
    typeField: 'placementType',
    idField: 'placementMultiplierId',
    type: 'Search Ingrid',
  },
  { kind: 'platform', Kind: 'Platform', typeField: 'platformType', idField: 'platformMultiplierId', type: 'App' },
] as const;

for (const { kind, Kind, typeField, idField, type } of kinds) {
  const section = `${Kind} multipliers`;
  const path = `/api/v1/multipliers/${kind}`;
  const element = async (multiplier: unknown, name = 'C-man', of: string = type) => ({
    campaignId: await idOfCampaign(name),
    [typeField]: of,
    multiplier,
  });
  const list = async (name = 'C-man') => owner().get(`${path}?campaignId=${await idOfCampaign(name)}`);

  conform(section, 'a multiplier is created, listed and updated', async () => {
    const created = await owner().post(path, [await element(25.5)]);
    expect(created.body).toEqual([{ code: 'success', details: '', [idField]: expect.any(Number) }]);
    const campaignId = await idOfCampaign('C-man');
    expect((await list()).body).toEqual([{ campaignId, [typeField]: type, multiplier: 25.5 }]);
    expect(outcomes(await owner().put(path, [await element(40)]))).toEqual(['success']);
    expect((await list()).body).toEqual([{ campaignId, [typeField]: type, multiplier: 40 }]);
  });

  conform(section, 'digits beyond two decimals are cut, not rounded', async () => {
    const cuts = {
      '0.29': 0.29,
      '0.57': 0.57,
      '1.15': 1.15,
      '4.35': 4.35,
      '8.2': 8.2,
      '19.99': 19.99,
      '64.1': 64.1,
      '12.349': 12.34,
      '100.999': 100.99,
      '49999.999': 49999.99,
      '33.329999999999998': 33.32,
      '0.009': 0,
      '1.5E3': 1500,
      '-0.00': 0,
    };
    const campaignId = await idOfCampaign('C-man');
    for (const [sent, kept] of Object.entries(cuts)) {
      const body = `[{"campaignId":${campaignId},"${typeField}":"${type}","multiplier":${sent}}]`;
      expect(outcomes(await owner().send('POST', path, body))).toEqual(['success']);
      expect([sent, fieldOf(await list(), 'multiplier')]).toEqual([sent, kept]);
    }
  });

  conform(section, 'the range is 0 to 50000, checked before the cut', async () => {
    const low = `The ${kind} bid% cannot be less than 0 for ${Kind}Type: ${type}`;
    const high = `The ${kind} bid% out of range for ${Kind}Type: ${type}`;
    const sent = [-0.001, -5, 0, 50000, 50000.009, 50001];
    const elements = await Promise.all(sent.map((multiplier) => element(multiplier)));
    const answer = await owner().post(path, elements);
    expect(outcomes(answer)).toEqual([low, low, 'success', 'success', high, high]);
    expect(fieldOf(answer, idField)).toBe(0);
  }).proves('limit.multiplierMaxHundredths', `message.${kind}Negative`, `message.${kind}OutOfRange`);

  conform(section, 'an unknown type fails its element', async () => {
    const details = `Invalid ${Kind} Type found`;
    const answer = await owner().post(path, [await element(1, 'C-man', 'Elsewhere'), await element(1)]);
    expect(outcomes(answer)).toEqual([details, 'success']);
    expect(outcomes(await owner().post(path, [await element(1, 'C-man', type.toLowerCase())]))).toEqual([details]);
  }).proves(`message.${kind}Invalid`);

  conform(section, 'SBA campaigns have none', async () => {
    const answer = await owner().post(path, [await element(1, 'C-sba')]);
    expect(outcomes(answer)).toEqual(['You cannot define bid multipliers for this campaign']);
    expectRefusal(await list('C-sba'), 404, 'No bid multipliers for this campaign type');
  }).proves('message.multipliersNotForCampaign', 'message.multipliersNotForType');

  conform(section, 'creating an existing pair overwrites it; updating an absent one fails', async () => {
    expect(codes(await owner().put(path, [await element(1)]))).toEqual(['failure']);
    expect(outcomes(await owner().post(path, [await element(1), await element(2)]))).toEqual(['success', 'success']);
    expect(fieldOf(await list(), 'multiplier')).toBe(2);
  }).proves('own.multiplierAbsent');

  conform(section, 'incomplete elements', async () => {
    for (const [field, value, message] of [
      ['campaignId', undefined, 'CampaignId not found in request'],
      ['multiplier', undefined, 'Field [multiplier] not found in request'],
      ['multiplier', 'many', 'Invalid request parameter(s)'],
    ] as const) {
      const body = [{ ...(await element(1)), [field]: value }];
      for (const method of ['post', 'put'] as const) expectRefusal(await owner()[method](path, body), 400, message);
    }
  }).proves('message.campaignIdMissing', 'message.fieldMissing', 'message.invalidParameters');
}

conform('Placement multipliers', 'auto campaigns have both placements, manual ones Search Ingrid only', async () => {
  const both = async (name: string) => {
    const campaignId = await idOfCampaign(name);
    return ['Search Ingrid', 'Buy-Box'].map((placementType) => ({ campaignId, placementType, multiplier: 10 }));
  };
  expect(outcomes(await owner().post('/api/v1/multipliers/placement', await both('C-auto')))).toEqual([
    'success',
    'success',
  ]);
  expect(outcomes(await owner().post('/api/v1/multipliers/placement', await both('C-man')))).toEqual([
    'success',
    'Invalid Placement Type found',
  ]);
}).proves('limit.placements');

conform('Platform multipliers', 'Desktop, Mobile and App; the update also reads placementType', async () => {
  const campaignId = await idOfCampaign('C-auto');
  const elements = ['Desktop', 'Mobile', 'App'].map((platformType) => ({ campaignId, platformType, multiplier: 5 }));
  expect(outcomes(await owner().post('/api/v1/multipliers/platform', elements))).toEqual([
    'success',
    'success',
    'success',
  ]);
  const renamed = [{ campaignId, placementType: 'Mobile', multiplier: 6 }];
  expect(outcomes(await owner().put('/api/v1/multipliers/platform', renamed))).toEqual(['success']);
}).proves('limit.platforms');
