import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { conform } from './case.ts';
import { type Account, type Answer, codes, createClient, fieldOf, idOf, outcomes } from './client.ts';
import { aCampaign, createWorld, START } from './world.ts';

const world = createWorld();
const section = 'Control';
const owner = () => world.as('owner');

conform(section, 'the scenario has its campaigns, each with one ad group', async () => {
  const { campaigns } = await world.state();
  const names = campaigns.map((campaign) => campaign.name);
  expect(names).toEqual([
    'C-sba',
    'C-sba-live',
    'C-sba-paused',
    'C-sba-review',
    'C-auto',
    'C-man',
    'C-vid',
    'C-vid-live',
    'L-man',
  ]);
  for (const campaign of campaigns) expect(campaign.adGroups).toHaveLength(1);
});

conform(section, 'the catalogue has at least 2,000 items and every kind that fails', async () => {
  const { counts, catalogue } = await world.state();
  expect(counts['item']).toBeGreaterThan(2000);
  for (const lists of [catalogue, ...Object.values(catalogue.byAdvertiser)]) {
    for (const ids of [lists.unpublished, lists.notOwned, lists.unreadable]) expect(ids.length).toBeGreaterThan(3);
  }
});

conform(section, 'the same seed makes the same ids', async () => {
  const before = await world.state();
  await world.control('POST', '/reset', { scenario: 'conformance' });
  expect((await world.state()).catalogue).toEqual(before.catalogue);
});

conform(section, 'time moves forward only, and by a duration or to an instant', async () => {
  const move = async (body: unknown) => (await world.control('POST', '/clock', body)).status;
  expect(await move({ advance: 'PT30M' })).toBe(200);
  expect((await world.state()).now).toBe('2026-05-05T19:30:00.000Z');
  expect(await move({ set: '2026-05-06T00:00:00-07:00' })).toBe(200);
  expect((await world.state()).now).toBe('2026-05-06T07:00:00.000Z');
  for (const body of [
    { set: '2026-05-05T00:00:00Z' },
    { advance: 'soon' },
    {},
    { advance: 'P1D', set: '2027-01-01T00:00:00Z' },
    [],
  ]) {
    expect(await move(body)).toBe(400);
  }
});

conform(section, 'a reset puts back clock, campaigns, faults and the log of requests', async () => {
  await world.advance('P9D');
  await owner().post('/api/v1/campaigns', [aCampaign({ startDate: '2026-06-01' })]);
  await world.control('POST', '/faults', { kind: 'status', status: 500 });
  await world.control('POST', '/reset', {});
  const state = await world.state();
  expect(state.now).toBe('2026-05-05T19:00:00.000Z');
  expect(state.campaigns).toHaveLength(9);
  expect((await world.control('GET', '/requests')).body).toEqual({ requests: [], last: 0 });
  expect((await owner().get('/api/v1/media')).status).toBe(200);
});

conform(section, 'scenarios: empty has no campaigns, demo has a shop', async () => {
  await world.control('POST', '/reset', { scenario: 'empty' });
  expect((await world.state()).campaigns).toEqual([]);
  await world.control('POST', '/reset', { scenario: 'demo' });
  const { campaigns, counts } = await world.state();
  expect(campaigns.length).toBeGreaterThan(30);
  expect(new Set(campaigns.map((campaign) => campaign.status)).size).toBe(7);
  expect(counts['review']).toBe(2);
});

conform(section, 'the log numbers every call with its elements and their codes', async () => {
  await owner().get('/api/v1/media');
  await owner().post('/api/v1/campaigns', [aCampaign(), aCampaign()]);
  const { requests } = (await world.control('GET', '/requests?since=1')).body as { requests: unknown[] };
  expect(requests).toEqual([
    {
      n: 2,
      at: '2026-05-05T19:00:00.000Z',
      method: 'POST',
      path: '/api/v1/campaigns',
      status: 200,
      correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      principal: expect.objectContaining({ advertiserId: 900001, role: 'owner' }),
      elementCount: 2,
      elementCodes: ['success', 'failure'],
      fault: null,
    },
  ]);
});

conform(section, 'another person edits rows in the console', async () => {
  const { campaignId } = await world.campaign('C-vid-live');
  const items = () => owner().get(`/api/v1/adItems?campaignId=${campaignId}`);
  const adItemId = idOf(await items(), 'adItemId');
  expect((await world.control('POST', `/console/ad-items/${adItemId}`, { bid: 7.25 })).status).toBe(200);
  expect((await world.control('POST', `/console/ad-items/${adItemId}`, { status: 'disabled' })).status).toBe(200);
  expect((await items()).body).toMatchObject([{ bid: 7.25, status: 'disabled' }, {}, {}]);
  expect((await world.control('POST', `/console/ad-items/${adItemId}`, { colour: 'red' })).status).toBe(400);
  expect((await world.control('POST', '/console/ad-items/1', { bid: 1 })).status).toBe(404);
  expect((await world.control('POST', `/console/campaigns/${campaignId}`, { dailyBudget: 81 })).body).toMatchObject({
    dailyBudget: 81,
  });
});

conform(section, 'a person in the console knows no words outside the tables of states', async () => {
  const { campaignId, adGroupId } = await world.campaign('C-vid-live');
  const adItemId = idOf(await owner().get(`/api/v1/adItems?campaignId=${campaignId}`), 'adItemId');
  const edit = async (path: string, body: unknown) => (await world.control('POST', `/console/${path}`, body)).status;
  expect(await edit(`ad-items/${adItemId}`, { status: 'odd' })).toBe(400);
  expect(await edit(`ad-items/${adItemId}`, { status: null })).toBe(400);
  expect(await edit(`ad-groups/${adGroupId}`, { status: 'live' })).toBe(400);
  expect(await edit(`ad-items/${adItemId}`, { status: 'deleted' })).toBe(200);
  expect(await edit(`ad-items/${adItemId}`, { status: 'enabled' })).toBe(409);
});

conform(section, 'floors, ranges and content rules hold in the console, too', async () => {
  const video = await world.campaign('C-vid-live');
  const manual = await world.campaign('C-man');
  const itemId = idOf(await owner().get(`/api/v1/adItems?campaignId=${video.campaignId}`), 'adItemId');
  const keywordId = idOf(await owner().get(`/api/v1/keywords?adGroupId=${video.adGroupId}`), 'keywordId');
  const live = await world.campaign('C-sba-live');
  const profileId = idOf(await owner().get(`/api/v2/sba_profile?adGroupId=${live.adGroupId}`), 'sbaProfileId');
  const multiplier = { campaignId: manual.campaignId, placementType: 'Search Ingrid', multiplier: 10 };
  const multipliers = await owner().post('/api/v1/multipliers/placement', [multiplier]);
  const multiplierId = idOf(multipliers, 'placementMultiplierId');
  const edit = async (path: string, body: unknown) => (await world.control('POST', `/console/${path}`, body)).status;
  expect(await edit(`ad-items/${itemId}`, { bid: 0.19 })).toBe(409);
  expect(await edit(`keywords/${keywordId}`, { bid: 1.49 })).toBe(409);
  expect(await edit(`keywords/${keywordId}`, { bid: 1.5 })).toBe(200);
  expect(await edit(`multipliers/${multiplierId}`, { multiplier: 50_000.01 })).toBe(409);
  expect(await edit(`multipliers/${multiplierId}`, { multiplier: 50_000 })).toBe(200);
  expect(await edit(`sba-profiles/${profileId}`, { searchAmpName: 'a'.repeat(36) })).toBe(409);
  expect(await edit(`ad-groups/${video.adGroupId}`, { name: ' ' })).toBe(409);
  // Nothing of a refused edit is kept.
  expect(fieldOf(await owner().get(`/api/v1/adItems?campaignId=${video.campaignId}`), 'bid')).not.toBe(0.19);
}).proves('message.bidBelowFloor', 'message.placementOutOfRange', 'own.brandTooLong', 'own.nameInvalid');

conform(section, 'switching an SBA profile on in the console switches the other off', async () => {
  const { adGroupId } = await world.campaign('C-sba-live');
  const profiles = () => owner().get(`/api/v2/sba_profile?adGroupId=${adGroupId}`);
  const second = fieldOf(await profiles(), 'sbaProfileId', 1);
  await world.control('POST', `/console/sba-profiles/${String(second)}`, { status: 'enabled' });
  expect((await profiles()).body).toMatchObject([{ status: 'disabled' }, { status: 'enabled' }]);
});

const formats = ['move.account.create (new)>0', 'move.account.create (new)>1'];
conform(section, 'a further principal gets its own credentials, or brings its own key', async () => {
  const { baseUrl } = world.sandbox().ready;
  const migrated = (await world.control('POST', '/accounts', { advertiserId: 900078, migrated: true })).body as Account;
  const search = { advertiserId: 900078, searchText: 'box' };
  const present = await createClient(baseUrl, migrated).post('/api/v1/itemSearch', search);
  expect(fieldOf(present, 'itemId')).toMatch(/^\d{10}$/);
  const made = (await world.control('POST', '/accounts', { advertiserId: 900077, migrated: false, role: 'owner' }))
    .body as Account;
  const client = createClient(baseUrl, made);
  const found = await client.post('/api/v1/itemSearch', { advertiserId: 900077, searchText: 'box' });
  expect(fieldOf(found, 'itemId')).toMatch(/^prod/);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const brought = (
    await world.control('POST', '/accounts', { advertiserId: 900001, role: 'reader', publicKeyPem: publicKey })
  ).body as Account;
  expect(brought.privateKeyPem).toBe('');
  const reader = createClient(baseUrl, { ...brought, privateKeyPem: privateKey });
  expect((await reader.get('/api/v1/media?advertiserId=900001')).status).toBe(200);
  expect((await world.control('POST', '/accounts', { advertiserId: 900001, publicKeyPem: 'x' })).status).toBe(400);
}).proves(...formats);

conform(section, 'the status page is one document that loads nothing from elsewhere', async () => {
  const page = await fetch(world.sandbox().ready.controlUrl);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const text = await page.text();
  expect(text).not.toMatch(/(?:src|href)="?http/);
  expect(text).not.toContain('PRIVATE KEY');
});

conform(section, 'pages of other sites and other host names cannot steer', async () => {
  const { controlUrl } = world.sandbox().ready;
  const foreign = await fetch(`${controlUrl}/state`, { headers: { origin: 'https://evil.test' } });
  expect(foreign.status).toBe(403);
});

conform('Rate', 'changed elements per hour are counted, not calls', async () => {
  expect(fieldOf(await world.control('GET', '/state'), 'operationsPerHour')).toBe(3000);
  await world.control('POST', '/rate', { operationsPerHour: 3 });
  const create = (name: string) => owner().post('/api/v1/campaigns', [aCampaign({ name })]);
  await owner().post('/api/v1/campaigns', [aCampaign({ name: ' ' })]);
  for (const name of ['A', 'B', 'C']) expect(outcomes(await create(name))).toEqual(['success']);
  const refused = await create('D');
  expect([refused.status, refused.body]).toEqual([429, { error: 'Rate limit exceeded: 3 operations per hour' }]);
  expect(refused.headers.get('retry-after')).toBe('3600');
  // A part of a second counts as a whole one: whoever waits as told is not too early.
  await world.control('POST', '/clock', { set: new Date(Date.parse(START) + 500).toISOString() });
  expect((await create('D')).headers.get('retry-after')).toBe('3600');
  expect((await owner().get('/api/v1/media')).status).toBe(200);
  expect(
    (await world.as('owner', 900002).post('/api/v1/campaigns', [aCampaign({ advertiserId: 900002 })])).status,
  ).toBe(200);
  await world.advance('PT1H');
  expect(codes(await create('D'))).toEqual(['success']);
  await world.control('POST', '/rate', { operationsPerHour: null });
  expect(codes(await create('E'))).toEqual(['success']);
  await world.control('POST', '/reset', {});
  expect(fieldOf(await world.control('GET', '/state'), 'operationsPerHour')).toBe(3000);
}).proves('limit.operationsPerHour', 'message.rateExceeded');

conform('Lists', 'in pages when asked: the token is repeated until there is none', async () => {
  await world.control('POST', '/wire', { paging: { size: 2, listName: 'data', tokenName: 'nextPageToken' } });
  const { adGroupId } = await world.campaign('C-vid-live');
  const path = `/api/v1/keywords?adGroupId=${adGroupId}`;
  const first = await owner().get(path);
  expect(fieldOf(first, 'data')).toHaveLength(2);
  const second = await owner().get(`${path}&nextPageToken=${String(fieldOf(first, 'nextPageToken'))}`);
  expect(fieldOf(second, 'data')).toHaveLength(1);
  expect(fieldOf(second, 'nextPageToken')).toBeUndefined();
  expect((await owner().get(`${path}&nextPageToken=x`)).status).toBe(400);
});

conform('Ids', 'beyond 2^53 when asked, lossless both ways', async () => {
  const { baseUrl } = world.sandbox().ready;
  const text = async (answer: Promise<Answer>) => JSON.stringify((await answer).body);
  await world.control('POST', '/wire', { largeIds: true });
  const client = createClient(baseUrl, world.account('owner'), { asText: true });
  const list = await text(client.get('/api/v1/campaigns'));
  const [, campaignId = ''] = /campaignId\\":(\d+),\\"advertiserId\\":\d+,\\"name\\":\\"C-man/.exec(list) ?? [];
  expect(BigInt(campaignId)).toBeGreaterThan(2n ** 53n);
  expect(list).toContain('advertiserId\\":900001,');
  const groups = await text(client.get(`/api/v1/adGroups?campaignId=${campaignId}`));
  const [, adGroupId = ''] = /adGroupId\\":(\d+)/.exec(groups) ?? [];
  const body = `[{"campaignId":${campaignId},"adGroupId":"${adGroupId}","keywordText":"a","matchType":"exact","bid":1.005}]`;
  expect(await text(client.send('POST', '/api/v1/keywords', body))).toMatch(/keywordId\\":900719\d+/);
  // An id that a float has damaged is nobody's.
  const damaged = body.replace(/\d(?=,"adGroupId)/, (digit) => String((Number(digit) + 1) % 10));
  expect((await client.send('POST', '/api/v1/keywords', damaged)).status).toBe(404);
});
