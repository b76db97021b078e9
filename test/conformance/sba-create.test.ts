import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { aProfile, listProfiles } from './sba-profiles.ts';
import { createWorld, setUpCampaign } from './world.ts';

const world = createWorld();
const path = '/api/v2/sba_profile';
const owner = () => world.as('owner');
const create = (...elements: readonly unknown[]) => owner().post(path, elements);

conform('SBA profiles (V2), create', 'the first is enabled, the second is not; both are pending', async () => {
  const other = await aProfile(world, 'C-sba', { searchAmpName: 'Other' });
  const answer = await create(await aProfile(world, 'C-sba'), other);
  expect(answer.body).toEqual([0, 1].map(() => ({ code: 'success', details: '', sbaProfileId: expect.any(Number) })));
  const { campaignId, adGroupId } = await world.campaign('C-sba');
  expect((await listProfiles(world, 'C-sba')).body).toEqual([
    {
      searchAmpName: 'Northwind',
      headlineText: 'Paper that lasts',
      logoUrl: '',
      clickUrl: 'https://shop.example/browse/northwind',
      reviewStatus: 'pending',
      reviewReason: null,
      sbaProfileId: idOf(answer, 'sbaProfileId'),
      status: 'enabled',
      campaignId,
      adGroupId,
    },
    expect.objectContaining({ searchAmpName: 'Other', status: 'disabled' }),
  ]);
}).proves(
  'move.sbaProfile.create (new)>enabled',
  'move.sbaProfile.create (new)>disabled',
  'move.sbaProfileReview.create (new)>pending',
);

conform('SBA profiles (V2), create', 'the first element that succeeds is the enabled one', async () => {
  const tooLong = await aProfile(world, 'C-sba', { searchAmpName: 'a'.repeat(36) });
  const answer = await create(tooLong, await aProfile(world, 'C-sba'));
  expect(codes(answer)).toEqual(['failure', 'success']);
  expect((await listProfiles(world, 'C-sba')).body).toMatchObject([{ status: 'enabled' }]);
});

conform('SBA profiles (V2), create', 'a later request enables its first, too', async () => {
  await create(await aProfile(world, 'C-sba'));
  await create(await aProfile(world, 'C-sba'));
  expect((await listProfiles(world, 'C-sba')).body).toMatchObject([{ status: 'enabled' }, { status: 'enabled' }]);
});

conform('SBA profiles (V2), create', 'the headline may be left out', async () => {
  expect(outcomes(await create(await aProfile(world, 'C-sba', { headlineText: undefined })))).toEqual(['success']);
});

conform('Limits', 'two profiles per ad group', async () => {
  const profile = await aProfile(world, 'C-sba');
  expectRefusal(await create(profile, profile, profile), 422, 'Cannot be more than 2 sba profiles in an adGroup');
  expect((await listProfiles(world, 'C-sba')).body).toEqual([]);
  await create(profile, profile);
  expectRefusal(await create(profile), 422, 'Cannot be more than 2 sba profiles in an adGroup');
}).proves('limit.sbaMaxProfiles', 'message.tooManySbaProfiles');

const contents: readonly (readonly [string, string, Readonly<Record<string, unknown>>, boolean])[] = [
  ['a brand name of 35 characters', 'limit.brandMaxCharacters', { searchAmpName: 'é'.repeat(35) }, true],
  ['a brand name of 36 characters', 'own.brandTooLong', { searchAmpName: 'a'.repeat(36) }, false],
  ['a headline of 45 characters', 'limit.headlineMaxCharacters', { headlineText: 'a'.repeat(45) }, true],
  ['a headline of 46 characters', 'own.headlineTooLong', { headlineText: 'a'.repeat(46) }, false],
  ['an http click URL', 'own.clickUrlInvalid', { clickUrl: 'http://shop.example/browse' }, false],
  ['a click URL on another host', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example.evil.test/' }, false],
  ['a click URL with user info', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example@evil.test/' }, false],
  ['a click URL with a port', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example:8443/browse' }, false],
  ['a colon that is not encoded', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/search?q=a:b' }, false],
  ['an encoded colon', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/search?q=a%3Ab' }, true],
  ['a plus that is not encoded', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/search?q=a+b' }, false],
  ['a broken bar that is not encoded', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/search?q=a¦b' }, false],
  ['an encoded broken bar', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/search?q=a%7C%7Cb' }, true],
  ['a typeahead parameter', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/search?q=a&typeahead=b' }, false],
  ['typeahead behind the hash', 'own.clickUrlInvalid', { clickUrl: 'https://shop.example/a?b#?typeahead=c' }, true],
];
for (const [what, key, fields, isFine] of contents) {
  conform('SBA profile content rules', `${what} is ${isFine ? 'accepted' : 'refused for its element'}`, async () => {
    expect(codes(await create(await aProfile(world, 'C-sba', fields)))).toEqual([isFine ? 'success' : 'failure']);
  }).proves(...(key === 'own.clickUrlInvalid' && isFine ? [] : [key]));
}

conform('SBA create (V2), 400', 'missing fields', async () => {
  const profile = await aProfile(world, 'C-sba');
  for (const [field, value, message] of [
    ['campaignId', undefined, 'CampaignId not found in request'],
    ['adGroupId', 0, 'adGroupId not found in request'],
    ['searchAmpName', undefined, 'Field [searchAmpName] not found in request'],
    ['clickUrl', null, 'Field [clickUrl] not found in request'],
  ] as const) {
    expectRefusal(await create({ ...profile, [field]: value }), 400, message);
  }
}).proves('message.campaignIdMissing', 'message.adGroupIdMissing', 'message.fieldMissing');

conform('SBA create (V2), 404', 'campaign first, then ad group', async () => {
  const profile = await aProfile(world, 'C-sba');
  const other = await world.campaign('C-sba-live');
  expectRefusal(await create({ ...profile, campaignId: 1, adGroupId: 1 }), 404, 'Campaign not found');
  expectRefusal(await create({ ...profile, adGroupId: other.adGroupId }), 404, 'AdGroup not found');
}).proves('message.campaignNotFound', 'message.adGroupNotFound');

conform('SBA create (V2), 422', 'sponsoredProducts campaigns have no SBA profile', async () => {
  const answer = await create(await aProfile(world, 'C-man'));
  expectRefusal(answer, 422, 'Cannot define SBA Profile for sponsoredProducts campaigns');
}).proves('message.sbaWrongCampaignType');

conform('SBA list (V2)', 'the ad group is required, the campaign is not', async () => {
  const { adGroupId, campaignId } = await world.campaign('C-sba-live');
  expect((await owner().get(`${path}?adGroupId=${adGroupId}&campaignId=${campaignId}`)).body).toHaveLength(2);
  expect((await owner().get(`${path}?adGroupId=${adGroupId}`)).body).toHaveLength(2);
});

const aV1Profile = async (name: string) => {
  const { adGroupId } = await world.campaign(name);
  return {
    adGroupId,
    headline: 'Paper that lasts',
    brandName: 'Northwind',
    logoUrl: 'https://shop.example/logo.png',
    clickUrl: 'https://shop.example/browse',
  };
};

conform('V1 SBA create', 'headline, brandName and logoUrl make a pending profile', async () => {
  const answer = await owner().post('/api/v1/sba_profile', [await aV1Profile('C-sba')]);
  expect(answer.body).toEqual([{ code: 'success', details: '', sbaProfileId: expect.any(Number), status: 'pending' }]);
  expect(fieldOf(await listProfiles(world, 'C-sba'), 'logoUrl')).toBe('https://shop.example/logo.png');
});

conform('V1 SBA create', 'a field left out is named in the words of V1', async () => {
  const { brandName: _left, ...rest } = await aV1Profile('C-sba');
  expectRefusal(await owner().post('/api/v1/sba_profile', [rest]), 400, 'Field [brandName] not found in request');
  // The words of V2 are understood as well.
  expect(outcomes(await owner().post('/api/v1/sba_profile', [{ ...rest, searchAmpName: 'Northwind' }]))).toEqual([
    'success',
  ]);
}).proves('message.fieldMissing');

conform('V1 SBA create', 'several profiles at once are for V2', async () => {
  const profile = await aV1Profile('C-sba');
  const answer = await owner().post('/api/v1/sba_profile', [profile, profile]);
  expectRefusal(answer, 422, 'Please use V2 endpoints for multiple sba profiles');
}).proves('message.useV2');

conform('SBA create (V2)', 'a batch over two groups enables the first of each', async () => {
  const other = await setUpCampaign(world, { campaignType: 'sba', name: 'Second SBA' });
  const profile = await aProfile(world, 'C-sba');
  const elsewhere = { ...profile, campaignId: other.campaignId, adGroupId: other.adGroupId };
  expect(outcomes(await create(profile, elsewhere))).toEqual(['success', 'success']);
  expect(fieldOf(await listProfiles(world, 'C-sba'), 'status')).toBe('enabled');
  expect(fieldOf(await listProfiles(world, 'Second SBA'), 'status')).toBe('enabled');
});
