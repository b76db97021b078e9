import { expect } from 'vitest';
import { conform } from './case.ts';
import { expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { aLogo, type Upload, uploadLogo } from './files.ts';
import { listProfiles } from './sba-profiles.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'SBA logo upload (V2)';
const owner = () => world.as('owner');

const upload = (campaignName: string, choices: Upload = {}, index = 0) =>
  uploadLogo(world, owner(), campaignName, choices, index);

conform(section, 'a logo is stored, shown at its address, and reviewed anew', async () => {
  const bytes = aLogo();
  expect(outcomes(await upload('C-sba-paused', { bytes }))).toEqual(['success']);
  const list = await listProfiles(world, 'C-sba-paused');
  expect(fieldOf(list, 'reviewStatus')).toBe('pending');
  const shown = await fetch(String(fieldOf(list, 'logoUrl')));
  expect(shown.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true);
}).proves('limit.logoPixels');

conform(section, 'a file in a form field of another name is no file', async () => {
  const answer = await upload('C-sba-paused', { fileField: 'logo' });
  expect(answer.body).toEqual([{ code: 'failure', details: 'Missing FILE', sbaProfileId: 0 }]);
}).proves('message.missingFile');

conform('Endpoints, upload logo', 'the JSON part is read under both documented names, in no other casing', async () => {
  expect(outcomes(await upload('C-sba-paused', { partName: 'SBABaseProfileRequest' }))).toEqual(['success']);
  expect(outcomes(await upload('C-sba-paused', { partName: 'sbaBaseProfileRequest' }))).toEqual(['success']);
  const answer = await upload('C-sba-paused', { partName: 'sbabaseprofilerequest' });
  expect(outcomes(answer)).toEqual(['Missing form param <SBABaseProfileRequest>']);
}).proves('message.missingFormPart');

for (const [what, type, body] of [
  ['JSON instead of a form', 'application/json', '{}'],
  ['a form without a boundary', 'multipart/form-data', 'x'],
  [
    'a form that ends in the middle',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc',
  ],
] as const) {
  conform(section, `200 with "Invalid Upload Request": ${what}`, async () => {
    const answer = await owner().send('POST', '/api/v2/sba_profile_image_upload', body, { 'content-type': type });
    expect(outcomes(answer)).toEqual(['Invalid Upload Request']);
  }).proves('message.invalidUpload');
}

const kilobyte = 1024;

conform(section, '400: ids that are none', async () => {
  for (const [field, name] of [
    ['campaignId', 'Campaign'],
    ['adGroupId', 'AdGroup'],
    ['sbaProfileId', 'Sba Profile'],
  ]) {
    for (const value of [undefined, 0, 'x', -5]) {
      const part = { campaignId: 1, adGroupId: 1, sbaProfileId: 1, [String(field)]: value };
      expectRefusal(await upload('C-sba-paused', { part }), 400, `${name} Id validation failed`);
    }
  }
}).proves('message.campaignIdInvalid', 'message.adGroupIdInvalid', 'message.sbaProfileIdInvalid');

conform(section, '400: a file of 5 Mb, bytes of another type, and a part that is no JSON', async () => {
  for (const [message, choices] of [
    ['File size exceeds maximum limit of 1024 Kb', { bytes: Buffer.alloc(5 * 1024 * kilobyte) }],
    ['ContentType and mimeType does not match', { bytes: Buffer.from('\xff\xd8\xff\xe0 JFIF', 'latin1') }],
    ['Invalid request parameter(s)', { part: '{' }],
  ] as const) {
    expectRefusal(await upload('C-sba-paused', choices), 400, message);
  }
}).proves('limit.logoUploadMaxBytes', 'message.logoTypeMismatch', 'message.invalidParameters');

/** A logo of 100 x 100 px and this many bytes. */
const aLogoOf = (bytes: number) => aLogo(100, 100, bytes - aLogo(100, 100, 1).length + 1);

conform(section, 'a file of exactly 1024 Kb is accepted', async () => {
  const bytes = aLogoOf(1024 * kilobyte);
  expect(bytes.length).toBe(1024 * kilobyte);
  expect(outcomes(await upload('C-sba-paused', { bytes }))).toEqual(['success']);
}).proves('limit.logoUploadMaxBytes');

for (const [what, bytes, reason] of [
  ['a logo of 100 x 100 px and 200 Kb passes the review', aLogoOf(200 * kilobyte), null],
  ['the upload takes a logo that is 101 px wide; the review rejects it', aLogo(101, 100), 'Logo is not 100 x 100 px'],
  [
    'the upload takes a logo that has one byte more than 200 Kb; the review rejects it',
    aLogoOf(200 * kilobyte + 1),
    'Logo is larger than 200 Kb',
  ],
] as const) {
  conform('SBA profile content rules', what, async () => {
    expect(outcomes(await upload('C-sba-paused', { bytes }))).toEqual(['success']);
    const { campaignId, adGroupId } = await world.campaign('C-sba-paused');
    idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
    await world.advance('P3D');
    expect((await listProfiles(world, 'C-sba-paused')).body).toMatchObject([
      { reviewStatus: 'complete', reviewReason: reason },
    ]);
  }).proves('limit.logoContentMaxBytes', 'limit.logoPixels');
}

conform(section, 'a group of another campaign, and the profile of another group', async () => {
  const { campaignId } = await world.campaign('C-sba-paused');
  const { adGroupId } = await world.campaign('C-vid-live');
  for (const part of [
    { campaignId: 1, adGroupId, sbaProfileId: 1 },
    { campaignId, adGroupId, sbaProfileId: 1 },
  ]) {
    expectRefusal(await upload('C-sba-paused', { part }), 404, 'AdGroup not found');
  }
  const part = { ...(await world.campaign('C-sba')), sbaProfileId: 1 };
  expectRefusal(await upload('C-sba', { part }), 400, 'Sba Profile Id validation failed');
}).proves('message.adGroupNotFound', 'message.sbaProfileIdInvalid');

conform(section, 'the disabled profile of a live campaign takes a new logo', async () => {
  expect(outcomes(await upload('C-sba-live', {}, 1))).toEqual(['success']);
});
