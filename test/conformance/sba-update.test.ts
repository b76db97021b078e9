import { expect } from 'vitest';
import { conform } from './case.ts';
import { codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { aProfile, listProfiles, liveProfileIds } from './sba-profiles.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'SBA update (V2)';
const path = '/api/v2/sba_profile';
const owner = () => world.as('owner');
const update = (...elements: readonly unknown[]) => owner().put(path, elements);

/** The stored record of a profile, with the fields a case changes: what a client sends back. */
async function record(name: string, index: number, fields: Readonly<Record<string, unknown>> = {}) {
  const list = await listProfiles(world, name);
  const element: unknown = Array.isArray(list.body) ? list.body[index] : undefined;
  return { ...(element as Readonly<Record<string, unknown>>), ...fields };
}

const enabledRefusal = 'You cannot update the enabled one for campaigns which are scheduled or currently live';
const notApproved =
  'Disabled one cannot be enabled without approval for campaigns which are scheduled or currently live';

conform(section, 'texts, address and status are updated; new content is pending again', async () => {
  const fields = { searchAmpName: 'New', headlineText: 'New line', clickUrl: 'https://shop.example/search?q=new' };
  expect(outcomes(await update(await record('C-sba-paused', 0, fields)))).toEqual(['success']);
  expect((await listProfiles(world, 'C-sba-paused')).body).toMatchObject([
    { ...fields, status: 'enabled', reviewStatus: 'pending' },
  ]);
}).proves('move.sbaProfileReview.change complete>pending');

conform(section, 'sending a record back unchanged keeps its approval', async () => {
  expect(outcomes(await update(await record('C-sba-paused', 0)))).toEqual(['success']);
  expect(fieldOf(await listProfiles(world, 'C-sba-paused'), 'reviewStatus')).toBe('complete');
});

conform(section, 'enabling one profile disables the other', async () => {
  await owner().post(path, [await aProfile(world, 'C-sba'), await aProfile(world, 'C-sba')]);
  expect(outcomes(await update(await record('C-sba', 1, { status: 'enabled' })))).toEqual(['success']);
  expect((await listProfiles(world, 'C-sba')).body).toMatchObject([{ status: 'disabled' }, { status: 'enabled' }]);
}).proves('move.sbaProfile.enable disabled>enabled', 'move.sbaProfile.disable enabled>disabled');

for (const fields of [{ headlineText: 'Changed' }, { status: 'disabled' }, {}]) {
  conform(section, `on a live campaign the enabled one is not updated: ${JSON.stringify(fields)}`, async () => {
    expectRefusal(await update(await record('C-sba-live', 0, fields)), 422, enabledRefusal);
  }).proves('message.enabledNotUpdatable');
}

conform(section, 'a scheduled campaign is locked; a rescheduled one is not, and waits for a review', async () => {
  const { campaignId } = await world.campaign('C-sba-review');
  await owner().put('/api/v1/campaigns', [{ campaignId, startDate: '2026-06-01' }]);
  await world.control('POST', '/reviews/3300001/decide', { all: 'approved' });
  expect((await world.campaign('C-sba-review')).status).toBe('scheduled');
  expectRefusal(await update(await record('C-sba-review', 0, { headlineText: 'Changed' })), 422, enabledRefusal);

  const live = await world.campaign('C-sba-live');
  await owner().put('/api/v1/campaigns', [{ campaignId: live.campaignId, status: 'completed' }]);
  await owner().put('/api/v1/campaigns', [{ campaignId: live.campaignId, status: 'extend', endDate: '2026-09-01' }]);
  expect((await world.campaign('C-sba-live')).status).toBe('rescheduled');
  expect(outcomes(await update(await record('C-sba-live', 0, { headlineText: 'Changed' })))).toEqual(['success']);
  await world.advance('P1D');
  expect((await world.campaign('C-sba-live')).status).toBe('rescheduled');
}).proves('message.enabledNotUpdatable', 'move.campaign.extend completed>rescheduled');

conform(section, 'on a live campaign an approved disabled one may be enabled', async () => {
  expect(outcomes(await update(await record('C-sba-live', 1, { status: 'enabled' })))).toEqual(['success']);
  expect((await listProfiles(world, 'C-sba-live')).body).toMatchObject([{ status: 'disabled' }, { status: 'enabled' }]);
});

conform(section, 'on a live campaign a disabled one may change, and then not be enabled without approval', async () => {
  expect(outcomes(await update(await record('C-sba-live', 1, { headlineText: 'Changed' })))).toEqual(['success']);
  expect(fieldOf(await listProfiles(world, 'C-sba-live'), 'reviewStatus', 1)).toBe('pending');
  expectRefusal(await update(await record('C-sba-live', 1, { status: 'enabled' })), 422, notApproved);
}).proves('message.disabledNotEnableable');

conform(section, 'a live campaign’s profile is updated by pausing, updating and submitting for review', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-sba-live');
  await owner().put('/api/v1/campaigns', [{ campaignId, status: 'paused' }]);
  expect(outcomes(await update(await record('C-sba-live', 0, { headlineText: 'Changed' })))).toEqual(['success']);
  const review = await owner().post('/api/v1/review', [{ campaignId, adGroupId }]);
  await world.control('POST', `/reviews/${idOf(review, 'reviewId')}/decide`, { all: 'approved' });
  expect(codes(await owner().put('/api/v1/campaigns', [{ campaignId, status: 'enabled' }]))).toEqual(['success']);
  await world.advance('PT1H');
  expect((await world.campaign('C-sba-live')).status).toBe('live');
});

conform(section, '400: a profile id that is none', async () => {
  const element = await record('C-sba-paused', 0);
  for (const sbaProfileId of [undefined, null, 0, -1, 1.5, 'abc', '', [], {}]) {
    expectRefusal(await update({ ...element, sbaProfileId }), 400, 'Sba Profile Id validation failed');
  }
}).proves('message.sbaProfileIdInvalid');

conform(section, 'all fields are required', async () => {
  for (const field of ['searchAmpName', 'headlineText', 'clickUrl', 'status']) {
    const answer = await update(await record('C-sba-paused', 0, { [field]: undefined }));
    expectRefusal(answer, 400, `Field [${field}] not found in request`);
  }
}).proves('message.fieldMissing');

conform(section, '404: a profile of another group', async () => {
  const [sbaProfileId] = await liveProfileIds(world);
  const answer = await update(await record('C-sba-paused', 0, { sbaProfileId }));
  expectRefusal(answer, 404, 'SBA Profile details not found for AdGroup');
}).proves('message.sbaProfileNotFound');

conform(section, 'content rules fail the element alone', async () => {
  const tooLong = await record('C-sba-paused', 0, { searchAmpName: 'a'.repeat(36) });
  expect(codes(await update(tooLong))).toEqual(['failure']);
  expect(fieldOf(await listProfiles(world, 'C-sba-paused'), 'searchAmpName')).toBe('Northwind');
});
