import { expect } from 'vitest';
import { conform } from './case.ts';
import { type Answer, codes, expectRefusal, fieldOf, idOf, outcomes } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Item and ad item endpoints';
const owner = () => world.as('owner');

/** Elements for the group of a campaign, one per item id. */
async function elementsFor(name: string, ids: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  const { campaignId, adGroupId } = await world.campaign(name);
  return ids.map((itemId) => ({ campaignId, adGroupId, itemId, bid: 1.6, status: 'enabled', ...more }));
}
const catalogue = async () => (await world.state()).catalogue;
const add = async (elements: readonly unknown[]): Promise<Answer> => owner().post('/api/v1/adItems', elements);
const list = async (name: string) =>
  owner().get(`/api/v1/adItems?campaignId=${(await world.campaign(name)).campaignId}`);

conform(section, 'items are added one result per element; a new item is pending', async () => {
  const { available } = await catalogue();
  const answer = await add(await elementsFor('C-man', available.slice(0, 3)));
  expect(answer.body).toEqual([0, 1, 2].map(() => ({ adItemId: expect.any(Number), code: 'success', details: '' })));
  expect((await list('C-man')).body).toMatchObject([
    { adItemId: idOf(answer, 'adItemId'), itemId: available[0], bid: 1.6, status: 'enabled', reviewStatus: 'pending' },
    { itemId: available[1] },
    { itemId: available[2] },
  ]);
}).proves('limit.adItemsMin');

conform(section, 'a partial failure is a 200: the neighbor is kept, the failed one has the id 0', async () => {
  const { available } = await catalogue();
  const answer = await add(await elementsFor('C-man', [available[0], 'prod4455']));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual([
    { adItemId: expect.any(Number), code: 'success', details: '' },
    { adItemId: 0, code: 'failure', details: 'ITEMID_NOT_FOUND, Input id: prod4455' },
  ]);
}).proves('message.itemIdWrongFormat');

const failures: readonly (readonly [
  string,
  string,
  'unpublished' | 'notOwned' | 'unreadable',
  (id: string) => string,
])[] = [
  [
    'an unpublished item',
    'message.itemUnpublished',
    'unpublished',
    (id) => `Cannot upload unpublished item, Input id: ${id}`,
  ],
  [
    'somebody else’s item',
    'message.itemNotOwned',
    'notOwned',
    (id) => `Cannot upload item. item or base item not owned by you, Input id: ${id}`,
  ],
  ['an unreadable item', 'message.itemUnreadable', 'unreadable', (id) => `Item not found, Input id: ${id}`],
];
for (const [what, key, kind, details] of failures) {
  conform('Per-element failures', `${what} fails with its text`, async () => {
    const id = (await catalogue())[kind][0] ?? '';
    expect(outcomes(await add(await elementsFor('C-man', [id])))).toEqual([details(id)]);
  }).proves(key);
}

conform('Per-element failures', 'an item that is not in the catalog', async () => {
  expect(outcomes(await add(await elementsFor('C-man', ['0000000000'])))).toEqual(['Item Id not found.']);
}).proves('message.itemIdNotFound');

conform('Per-element failures', 'an item without a bid, and one below the floor', async () => {
  const { available } = await catalogue();
  const [id = ''] = available;
  const elements = [
    ...(await elementsFor('C-man', [id], { bid: null })),
    ...(await elementsFor('C-man', [id], { bid: 0.19 })),
    ...(await elementsFor('C-man', [id], { bid: -1 })),
    ...(await elementsFor('C-man', [id], { bid: 0.2 })),
  ];
  expect(outcomes(await add(elements))).toEqual([
    `Item is missing bid value, Input id: ${id}`,
    'Bid should be higher than : 0.20',
    'Bid should be higher than : 0.20',
    'success',
  ]);
}).proves('message.itemBidMissing', 'message.bidBelowFloor', 'limit.itemBidFloorCents');

conform('Limits', 'ten items per ad group, the eleventh fails alone', async () => {
  const { available } = await catalogue();
  const answer = await add(await elementsFor('C-man', available.slice(0, 12)));
  expect(codes(answer)).toEqual([...Array(10).fill('success'), 'failure', 'failure']);
}).proves('limit.adItemsMax', 'own.tooManyItems');

conform(section, 'the same item twice in a group fails', async () => {
  const { available } = await catalogue();
  expect(codes(await add(await elementsFor('C-man', [available[0], available[0]])))).toEqual(['success', 'failure']);
}).proves('own.duplicateItem');

conform(section, 'a deleted item leaves its place to another and stays as history', async () => {
  const { available } = await catalogue();
  await add(await elementsFor('C-man', available.slice(0, 10)));
  expect(
    outcomes(await owner().put('/api/v1/adItems', await elementsFor('C-man', [available[0]], { status: 'deleted' }))),
  ).toEqual(['success']);
  expect(outcomes(await add(await elementsFor('C-man', [available[11]])))).toEqual(['success']);
  expect((await list('C-man')).body).toHaveLength(11);
  expectRefusal(
    await owner().put('/api/v1/adItems', await elementsFor('C-man', [available[0]])),
    404,
    'AdGroupItem not found.',
  );
}).proves('move.adItem.delete enabled>deleted');

conform('Item endpoints HTTP errors', 'a field that is missing is a 400', async () => {
  const [element = {}] = await elementsFor('C-man', ['1234567890']);
  for (const field of ['campaignId', 'adGroupId', 'itemId']) {
    for (const method of ['post', 'put'] as const) {
      const answer = await owner()[method]('/api/v1/adItems', [{ ...element, [field]: undefined }]);
      expectRefusal(answer, 400, `Field [${field}] not found in request`);
    }
  }
}).proves('message.fieldMissing');

conform('Item endpoints HTTP errors', 'a malformed body is a 400', async () => {
  for (const body of ['{', '"text"', '[1]', '[[]]', 'null', '']) {
    expectRefusal(await owner().send('POST', '/api/v1/adItems', body), 400, 'Invalid request parameter(s)');
  }
}).proves('message.invalidParameters');

conform(section, 'a bid change needs no new review and takes effect at once', async () => {
  const shown = await list('C-vid-live');
  const itemId = fieldOf(shown, 'itemId');
  const answer = await owner().put('/api/v1/adItems', await elementsFor('C-vid-live', [itemId], { bid: 7.25 }));
  expect(outcomes(answer)).toEqual(['success']);
  expect((await list('C-vid-live')).body).toMatchObject([{ itemId, bid: 7.25, reviewStatus: 'approved' }, {}, {}]);
});

conform('Ad items, keywords and video profile', 'disabling is free, re-enabling costs a review', async () => {
  const itemId = fieldOf(await list('C-vid-live'), 'itemId');
  const put = async (status: string) =>
    owner().put('/api/v1/adItems', await elementsFor('C-vid-live', [itemId], { status }));
  await put('disabled');
  expect((await list('C-vid-live')).body).toMatchObject([{ status: 'disabled', reviewStatus: 'approved' }, {}, {}]);
  await put('enabled');
  expect((await list('C-vid-live')).body).toMatchObject([{ status: 'enabled', reviewStatus: 'pending' }, {}, {}]);
}).proves(
  'move.adItem.disable enabled>disabled',
  'move.adItem.enable disabled>enabled',
  'move.adItemReview.re-enable approved>pending',
);

conform('Review status', 'during a review items may be disabled and re-priced, not added or re-enabled', async () => {
  const { available } = await catalogue();
  const itemId = fieldOf(await list('C-sba-review'), 'itemId');
  const put = async (more: object) =>
    outcomes(await owner().put('/api/v1/adItems', await elementsFor('C-sba-review', [itemId], { ...more })));
  expect(await put({ bid: 3 })).toEqual(['success']);
  expect(await put({ status: 'disabled' })).toEqual(['success']);
  expect(await put({ status: 'enabled' })).toEqual(['Campaign is Under review, adding is not allowed']);
  expect(outcomes(await add(await elementsFor('C-sba-review', [available[20]])))).toEqual([
    'Campaign is Under review, adding is not allowed',
  ]);
}).proves('message.underReviewAdd');

conform(section, 'the list needs a campaign that exists', async () => {
  expectRefusal(await owner().get('/api/v1/adItems'), 400, 'Field [campaignId] not found in request');
  expectRefusal(await owner().get('/api/v1/adItems?campaignId=1'), 404, 'Campaign not found');
});

conform('Endpoints', 'adgroupId and adGroupId are both read', async () => {
  const { available } = await catalogue();
  const { campaignId, adGroupId } = await world.campaign('C-man');
  const answer = await add([{ campaignId, adgroupId: adGroupId, itemId: available[0], bid: 1 }]);
  expect(outcomes(answer)).toEqual(['success']);
  const { adGroupId: sbaGroup } = await world.campaign('C-sba-live');
  expect((await owner().get(`/api/v2/sba_profile?adgroupId=${sbaGroup}`)).body).toHaveLength(2);
});

conform('Ad item', 'items of sponsoredProducts campaigns are approved without a review', async () => {
  const { available } = await catalogue();
  await add(await elementsFor('C-man', [available[0]]));
  await world.advance('PT1H');
  expect(fieldOf(await list('C-man'), 'reviewStatus')).toBe('approved');
}).proves('move.adItemReview.approve pending>approved');

conform('Order of checks', 'an item that is not in the group is told before access is', async () => {
  const { available } = await catalogue();
  const elements = await elementsFor('C-man', [available[5]]);
  expectRefusal(await world.as('reader').put('/api/v1/adItems', elements), 404, 'AdGroupItem not found.');
}).proves('message.adGroupItemNotFound');
