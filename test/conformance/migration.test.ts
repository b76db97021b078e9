import { expect } from 'vitest';
import { conform } from './case.ts';
import { fieldOf, outcomes } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Item identifier migration';
const legacyOwner = () => world.as('owner', 900002);
const search = () => legacyOwner().post('/api/v1/itemSearch', { advertiserId: 900002, searchText: 'lamp' });

async function addItem(itemId: unknown) {
  const { campaignId, adGroupId } = await world.campaign('L-man');
  return legacyOwner().post('/api/v1/adItems', [{ campaignId, adGroupId, itemId, bid: 1.2, status: 'enabled' }]);
}
const list = async () => legacyOwner().get(`/api/v1/adItems?campaignId=${(await world.campaign('L-man')).campaignId}`);

conform(section, 'an account that is not migrated sees legacy ids', async () => {
  expect(fieldOf(await search(), 'itemId')).toMatch(/^prod\d+$/);
});

conform(section, 'an account that is not migrated is refused a US id', async () => {
  expect(outcomes(await addItem('0012345678'))).toEqual(['ITEMID_NOT_FOUND, Input id: 0012345678']);
}).proves('message.itemIdWrongFormat');

conform(section, 'a legacy id works, and after the migration the same row shows the new id', async () => {
  const legacyId = fieldOf(await search(), 'itemId');
  expect(outcomes(await addItem(legacyId))).toEqual(['success']);
  const before = await list();
  expect(fieldOf(before, 'itemId')).toBe(legacyId);
  await world.control('POST', '/accounts/900002/migrate', {});
  const after = await list();
  expect(fieldOf(after, 'adItemId')).toBe(fieldOf(before, 'adItemId'));
  expect(fieldOf(after, 'itemId')).toMatch(/^\d{10}$/);
  expect(outcomes(await addItem(legacyId))).toEqual([`ITEMID_NOT_FOUND, Input id: ${String(legacyId)}`]);
}).proves('message.itemIdWrongFormat', 'move.account.migrate 0>1');

conform(section, 'at the cutover every account is migrated, to the second', async () => {
  await world.control('POST', '/clock', { set: '2026-07-31T06:59:59Z' });
  expect(fieldOf(await search(), 'itemId')).toMatch(/^prod\d+$/);
  await world.control('POST', '/clock', { set: '2026-07-31T07:00:00Z' });
  expect(fieldOf(await search(), 'itemId')).toMatch(/^\d{10}$/);
}).proves('limit.cutoverDate', 'limit.businessZone', 'move.account.migrate 0>1');

conform(section, 'reports carry item ids in the account’s format', async () => {
  const legacyId = fieldOf(await search(), 'itemId');
  await addItem(legacyId);
  await world.advance('P3D');
  const report = () =>
    legacyOwner().post('/api/v1/snapshot/report', {
      advertiserId: 900002,
      reportType: 'adItem',
      startDate: '2026-05-06',
      endDate: '2026-05-07',
    });
  expect(fieldOf(await report(), 'itemId')).toBe(legacyId);
  await world.control('POST', '/accounts/900002/migrate', {});
  expect(fieldOf(await report(), 'itemId')).toMatch(/^\d{10}$/);
});
