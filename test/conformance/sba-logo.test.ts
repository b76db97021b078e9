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
  expect(outcomes(await upload('C-sba-paused', { fileField: 'logo' }))).toEqual(['Missing FILE']);
}).proves('message.missingFile');

conform(
  'Endpoints, upload logo',
  'the JSON part is read under both documented names, and another casing gets the message that names it',
  async () => {
    expect(outcomes(await upload('C-sba-paused', { partName: 'SBABaseProfileRequest' }))).toEqual(['success']);
    expect(outcomes(await upload('C-sba-paused', { partName: 'sbaBaseProfileRequest' }))).toEqual(['success']);
    const answer = await upload('C-sba-paused', { partName: 'sbabaseprofilerequest' });
    expect(outcomes(answer)).toEqual(['Missing form param <SBABaseProfileRequest>']);
  },
).proves('message.missingFormPart');

const withMessage: readonly (readonly [string, string, Upload])[] = [
  ['Missing FILE', 'message.missingFile', { withoutFile: true }],
  ['Missing form param <SBABaseProfileRequest>', 'message.missingFormPart', { part: null }],
  ['Unable to upload the image.', 'message.imageNotUploadable', { bytes: aLogo().subarray(0, 20) }],
];
for (const [message, key, choices] of withMessage) {
  conform(section, `200 with "${message}"`, async () => {
    const answer = await upload('C-sba-paused', choices);
    expect(answer.body).toEqual([{ code: 'failure', details: message, sbaProfileId: 0 }]);
  }).proves(key);
}

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
const refusals: readonly (readonly [string, string, Upload])[] = [
  ['File name cannot be empty', 'message.fileNameEmpty', { fileName: '' }],
  ['File size exceeds maximum limit of 1024 Kb', 'message.fileTooLarge', { bytes: aLogo(100, 100, 1024 * kilobyte) }],
  [
    'File size exceeds maximum limit of 1024 Kb',
    'limit.logoUploadMaxBytes',
    { bytes: Buffer.alloc(5 * 1024 * kilobyte) },
  ],
  ['Invalid ContentType. Media Type image/png allowed only', 'message.logoNotPng', { type: 'image/jpeg' }],
  [
    'ContentType and mimeType does not match',
    'message.logoTypeMismatch',
    { bytes: Buffer.from('\xff\xd8\xff\xe0 JFIF', 'latin1') },
  ],
  ['empty input', 'message.emptyInputSba', { part: '' }],
  ['Invalid request parameter(s)', 'message.invalidParameters', { part: '{' }],
];
for (const [message, key, choices] of refusals) {
  conform(section, `400 "${message}" (${key})`, async () => {
    expectRefusal(await upload('C-sba-paused', choices), 400, message);
  }).proves(key);
}

for (const [field, message, key] of [
  ['campaignId', 'Campaign Id validation failed', 'message.campaignIdInvalid'],
  ['adGroupId', 'AdGroup Id validation failed', 'message.adGroupIdInvalid'],
  ['sbaProfileId', 'Sba Profile Id validation failed', 'message.sbaProfileIdInvalid'],
] as const) {
  conform(section, `400 "${message}"`, async () => {
    for (const value of [undefined, 0, 'x', -5]) {
      const part = { campaignId: 1, adGroupId: 1, sbaProfileId: 1, [field]: value };
      expectRefusal(await upload('C-sba-paused', { part }), 400, message);
    }
  }).proves(key);
}

conform(section, 'a file of exactly 1024 Kb is accepted', async () => {
  const bytes = aLogo(100, 100, 1024 * kilobyte - aLogo(100, 100, 1).length + 1);
  expect(bytes.length).toBe(1024 * kilobyte);
  expect(outcomes(await upload('C-sba-paused', { bytes }))).toEqual(['success']);
}).proves('limit.logoUploadMaxBytes');

conform('SBA profile content rules', 'a logo of 100 x 100 px and 200 Kb passes the review', async () => {
  const bytes = aLogo(100, 100, 200 * kilobyte - aLogo(100, 100, 1).length + 1);
  expect(bytes.length).toBe(200 * kilobyte);
  expect(outcomes(await upload('C-sba-paused', { bytes }))).toEqual(['success']);
  const { campaignId, adGroupId } = await world.campaign('C-sba-paused');
  idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
  await world.advance('P3D');
  expect((await listProfiles(world, 'C-sba-paused')).body).toMatchObject([
    { reviewStatus: 'complete', reviewReason: null },
  ]);
}).proves('limit.logoContentMaxBytes', 'limit.logoPixels');

for (const [what, bytes, reason] of [
  ['is 101 px wide', aLogo(101, 100), 'Logo is not 100 x 100 px'],
  [
    'has one byte more than 200 Kb',
    aLogo(100, 100, 200 * kilobyte - aLogo(100, 100, 1).length + 2),
    'Logo is larger than 200 Kb',
  ],
] as const) {
  conform('SBA profile content rules', `the upload takes a logo that ${what}; the review rejects it`, async () => {
    expect(outcomes(await upload('C-sba-paused', { bytes }))).toEqual(['success']);
    const { campaignId, adGroupId } = await world.campaign('C-sba-paused');
    idOf(await owner().post('/api/v1/review', [{ campaignId, adGroupId }]), 'reviewId');
    await world.advance('P3D');
    expect((await listProfiles(world, 'C-sba-paused')).body).toMatchObject([
      { reviewStatus: 'complete', reviewReason: reason },
    ]);
  }).proves('limit.logoContentMaxBytes', 'limit.logoPixels');
}

conform(section, 'the one 404, the profile of another group, and 422 as for the update', async () => {
  const { campaignId } = await world.campaign('C-sba-paused');
  const video = await world.campaign('C-vid-live');
  const manual = await world.campaign('C-man');
  expectRefusal(
    await upload('C-sba-paused', { part: { campaignId, adGroupId: 1, sbaProfileId: 1 } }),
    404,
    'AdGroup not found',
  );
  expectRefusal(
    await upload('C-sba', { part: { ...(await world.campaign('C-sba')), sbaProfileId: 1 } }),
    400,
    'Sba Profile Id validation failed',
  );
  expectRefusal(
    await upload('C-sba-paused', { part: { campaignId: 1, adGroupId: video.adGroupId, sbaProfileId: 1 } }),
    404,
    'AdGroup not found',
  );
  expectRefusal(
    await upload('C-sba-paused', { part: { campaignId, adGroupId: video.adGroupId, sbaProfileId: 1 } }),
    404,
    'AdGroup not found',
  );
  expectRefusal(await upload('C-sba-review'), 422, 'Campaign is Under review, modifying is not allowed');
  expectRefusal(
    await upload('C-sba-live'),
    422,
    'You cannot update the enabled one for campaigns which are scheduled or currently live',
  );
  expectRefusal(
    await upload('C-sba', { part: { ...video, sbaProfileId: 1 } }),
    422,
    'Please use AdGroupMedia endpoints for AdGroupMedia',
  );
  expectRefusal(
    await upload('C-sba', { part: { ...manual, sbaProfileId: 1 } }),
    422,
    'Cannot define adGroup media for these campaigns',
  );
}).proves(
  'message.adGroupNotFound',
  'message.sbaProfileIdInvalid',
  'message.underReviewModify',
  'message.enabledNotUpdatable',
  'message.useMediaEndpoints',
  'message.mediaWrongCampaignType',
);

conform(section, 'the disabled profile of a live campaign takes a new logo', async () => {
  expect(outcomes(await upload('C-sba-live', {}, 1))).toEqual(['success']);
});
