import { expect } from 'vitest';
import { conform } from './case.ts';
import { type Client, expectRefusal, readAnswer } from './client.ts';
import { aProfile } from './sba-profiles.ts';
import { aCampaign, createWorld } from './world.ts';

const world = createWorld();

/** One read and one write per family of messages, on things that exist, so that only access can refuse them. */
const calls: Readonly<
  Record<string, (client: Client) => Promise<{ status: number; body: unknown; headers: Headers }>>
> = {
  'SBA list': async (client) =>
    client.get(`/api/v2/sba_profile?adGroupId=${(await world.campaign('C-sba')).adGroupId}`),
  'SBA create': async (client) => client.post('/api/v2/sba_profile', [await aProfile(world, 'C-sba')]),
  'SBA update': async (client) =>
    client.put('/api/v2/sba_profile', [
      await aProfile(world, 'C-sba-paused', { sbaProfileId: 10_003, status: 'enabled' }),
    ]),
  'item list': async (client) => client.get(`/api/v1/adItems?campaignId=${(await world.campaign('C-man')).campaignId}`),
  'item create': async (client) =>
    client.post('/api/v1/adItems', [
      { ...(await world.campaign('C-man')), status: 'enabled', itemId: '1234567890', bid: 1 },
    ]),
  'multiplier list': async (client) =>
    client.get(`/api/v1/multipliers/placement?campaignId=${(await world.campaign('C-man')).campaignId}`),
  'multiplier create': async (client) =>
    client.post('/api/v1/multipliers/placement', [
      { campaignId: (await world.campaign('C-man')).campaignId, placementType: 'Search Ingrid', multiplier: 1 },
    ]),
  'multiplier update': async (client) =>
    client.put('/api/v1/multipliers/placement', [
      { campaignId: (await world.campaign('C-man')).campaignId, placementType: 'Search Ingrid', multiplier: 1 },
    ]),
  'item search': (client) => client.post('/api/v1/itemSearch', { advertiserId: 900001, searchText: 'lamp' }),
  'campaign create': (client) => client.post('/api/v1/campaigns', [aCampaign()]),
  'media list': (client) => client.get('/api/v1/media?advertiserId=900001'),
  'media upload': (client) => client.post('/api/v1/media/upload', { advertiserId: 900001 }),
  'review create': async (client) => client.post('/api/v1/review', [await world.campaign('C-vid-live')]),
  report: (client) => client.post('/api/v1/snapshot/report', { advertiserId: 900001, reportType: 'campaign' }),
};

const advertiser = "You don't have access to this advertiser";
const edit = "You don't have permission to edit this ad group.";
const view = 'You do not have access to view this campaign';
const change = 'You do not have access to change this bid multiplier';
const adOps = 'AdOps role does not access to any campaigns';

const keys: Readonly<Record<string, string>> = {
  [advertiser]: 'message.noAdvertiserAccess',
  [edit]: 'message.noAdGroupEdit',
  [view]: 'message.noCampaignView',
  [change]: 'message.noMultiplierChange',
  [adOps]: 'message.adOpsNoCampaigns',
};

/** What each principal is told; null where it is let in. */
const expected: Readonly<
  Record<string, Readonly<Record<'reader' | 'adOps' | 'stranger', readonly [number, string] | null>>>
> = {
  'SBA list': { reader: null, adOps: [403, adOps], stranger: [403, advertiser] },
  'SBA create': { reader: [403, advertiser], adOps: [403, adOps], stranger: [403, advertiser] },
  'SBA update': { reader: [403, advertiser], adOps: [403, adOps], stranger: [403, advertiser] },
  'item list': { reader: null, adOps: [403, adOps], stranger: [403, edit] },
  'item create': { reader: [403, edit], adOps: [403, adOps], stranger: [403, edit] },
  'multiplier list': { reader: null, adOps: [403, adOps], stranger: [403, view] },
  'multiplier create': { reader: [422, change], adOps: [422, adOps], stranger: [422, view] },
  'multiplier update': { reader: [403, change], adOps: [403, adOps], stranger: [403, view] },
  'item search': { reader: null, adOps: [403, adOps], stranger: [403, advertiser] },
  'campaign create': { reader: [403, advertiser], adOps: [403, adOps], stranger: [403, advertiser] },
  'media list': { reader: null, adOps: [403, adOps], stranger: [403, advertiser] },
  'media upload': { reader: [403, advertiser], adOps: [403, adOps], stranger: [403, advertiser] },
  'review create': { reader: [403, advertiser], adOps: [403, adOps], stranger: [403, advertiser] },
  report: { reader: null, adOps: [403, adOps], stranger: [403, advertiser] },
};

for (const [name, byRole] of Object.entries(expected)) {
  for (const role of ['reader', 'adOps', 'stranger'] as const) {
    const outcome = byRole[role];
    conform('Errors, 403 and 422', `${name} as ${role}: ${outcome === null ? 'allowed' : outcome[0]}`, async () => {
      const answer = await calls[name]?.(world.as(role));
      if (answer === undefined) throw new Error(`no call ${name}`);
      if (outcome === null) expect(answer.status).toBe(200);
      else expectRefusal(answer, outcome[0], outcome[1]);
    }).proves(...(outcome === null ? [] : [keys[outcome[1]] ?? '']));
  }
}

conform('Errors, 403 and 422', 'the owner of one advertiser is a stranger to another', async () => {
  const other = world.as('owner', 900002);
  expectRefusal(await other.get('/api/v1/media?advertiserId=900001'), 403, advertiser);
  expect((await other.get('/api/v1/media?advertiserId=900002')).status).toBe(200);
}).proves('message.noAdvertiserAccess');

conform('Order of checks', 'existence comes before access, fields before existence, size before fields', async () => {
  const stranger = world.as('stranger');
  const post = (body: unknown) => stranger.post('/api/v2/sba_profile', body);
  const profile = await aProfile(world, 'C-man');
  expectRefusal(await post([]), 400, 'empty input');
  expectRefusal(await post(Array(51).fill({})), 400, 'Maximum allowed size in batch is 50');
  expectRefusal(await post([profile, {}]), 400, 'CampaignId not found in request');
  expectRefusal(await post([profile, { ...profile, adGroupId: 1 }]), 404, 'AdGroup not found');
  expectRefusal(await post([profile]), 403, advertiser);
  expectRefusal(
    await world.as('owner').post('/api/v2/sba_profile', [profile]),
    422,
    'Cannot define SBA Profile for sponsoredProducts campaigns',
  );
});

conform('Order of checks', 'credentials come before the body', async () => {
  const response = await fetch(`${world.sandbox().ready.baseUrl}/api/v2/sba_profile`, { method: 'POST', body: '{' });
  expectRefusal(await readAnswer(response), 403, 'User not Authenticated');
}).proves('message.notAuthenticated');
