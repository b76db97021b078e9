import { expect } from 'vitest';
import { conform } from './case.ts';
import { type Answer, expectRefusal, fieldOf } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'POST /api/v1/itemSearch';
const search = (body: unknown) => world.as('owner').post('/api/v1/itemSearch', body);

conform(section, 'a text finds items with all their fields', async () => {
  const answer = await search({ advertiserId: 900001, searchText: 'coffee maker' });
  expect(answer.status).toBe(200);
  expect(fieldOf(answer, 'itemName')).toMatch(/Coffee Maker/);
  const first: unknown = Array.isArray(answer.body) ? answer.body[0] : null;
  expect(first).toEqual({
    itemId: expect.stringMatching(/^\d{10}$/),
    itemName: expect.any(String),
    suggestedBid: expect.any(Number),
    itemImageUrl: expect.stringMatching(/\/assets\/items\/\d{10}\.png$/),
    itemPageUrl: expect.stringMatching(/^https:/),
    variantItems: expect.any(Array),
  });
});

conform(section, 'variants carry ids in the same format', async () => {
  const answer = await search({ advertiserId: 900001, searchText: 'box' });
  const found = answer.body as {
    variantItems: { variantItemId: string; variantItemName: string; variantImageUrl: string }[];
  }[];
  const variants = found.flatMap((item) => item.variantItems);
  expect(variants.length).toBeGreaterThan(5);
  for (const variant of variants) expect(variant.variantItemId).toMatch(/^\d{10}$/);
});

conform(section, 'the name of a variant finds the item it belongs to', async () => {
  const all = (await search({ advertiserId: 900001, searchText: '' })).body as {
    itemId: string;
    variantItems: { variantItemName: string }[];
  }[];
  const base = all.find((item) => item.variantItems.length > 0);
  const answer = await search({ advertiserId: 900001, searchText: base?.variantItems[0]?.variantItemName });
  expect(fieldOf(answer, 'itemId')).toBe(base?.itemId);
});

conform(section, 'every item and variant has a picture, also after the migration of the account', async () => {
  const owner = world.as('owner', 900002);
  const find = async () => owner.post('/api/v1/itemSearch', { advertiserId: 900002, searchText: 'box' });
  const before = await find();
  const pictureOf = async (answer: Answer) => {
    const response = await fetch(String(fieldOf(answer, 'itemImageUrl')));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    return Buffer.from(await response.arrayBuffer()).toString('latin1');
  };
  expect(await pictureOf(before)).toMatch(/^.PNG\r\n/);
  await world.control('POST', '/accounts/900002/migrate', {});
  // Addresses that were stored before go on showing the same picture.
  expect(await pictureOf(before)).toBe(await pictureOf(await find()));
  const variants = fieldOf(before, 'variantItems') as { variantImageUrl: string }[];
  for (const { variantImageUrl } of variants) expect((await fetch(variantImageUrl)).status).toBe(200);
  expect((await fetch(`${world.sandbox().ready.baseUrl}/assets/items/prod1.png`)).status).toBe(404);
});

conform(section, 'ids find items unchanged; one that fails is an element with a code', async () => {
  const { available, notOwned } = (await world.state()).catalogue;
  const answer = await search({ advertiserId: 900001, searchItemIds: [available[0], notOwned[0], 'prod1'] });
  expect(answer.body).toMatchObject([
    { itemId: available[0] },
    { code: 'failure', details: `Cannot upload item. item or base item not owned by you, Input id: ${notOwned[0]}` },
    { code: 'failure', details: 'ITEMID_NOT_FOUND, Input id: prod1' },
  ]);
});

conform(section, 'exactly one of searchText and searchItemIds', async () => {
  expectRefusal(await search({ advertiserId: 900001 }), 400, 'Field [searchText] not found in request');
  expectRefusal(
    await search({ advertiserId: 900001, searchText: 'a', searchItemIds: ['1'] }),
    400,
    'Invalid request parameter(s)',
  );
  expectRefusal(await search({ searchText: 'a' }), 400, 'Field [advertiserId] not found in request');
});

conform(section, 'at most 200 results', async () => {
  const answer = await search({ advertiserId: 900001, searchText: '' });
  expect(answer.body).toHaveLength(200);
}).proves('limit.itemSearchMax');

conform(section, 'an item that is found can be advertised', async () => {
  const owner = world.as('owner');
  const { campaignId, adGroupId } = await world.campaign('C-man');
  const itemId = fieldOf(await search({ advertiserId: 900001, searchText: 'lamp' }), 'itemId');
  const answer = await owner.post('/api/v1/adItems', [{ campaignId, adGroupId, itemId, bid: 1 }]);
  expect(fieldOf(answer, 'code')).toBe('success');
});

conform('The catalogue', 'a migrated account has an item whose id begins with a zero', async () => {
  const answer = await search({ advertiserId: 900001, searchText: '' });
  const ids = (answer.body as { itemId: string }[]).map((item) => item.itemId);
  expect(ids.some((id) => id.startsWith('0'))).toBe(true);
});
