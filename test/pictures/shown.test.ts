import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createPictures, pictureHeader } from '../../main/files/pictures/pictures.ts';
import { addressRule } from '../../main/files/upload/upload-url-check.ts';
import { startSandbox } from '../../sandbox/start.ts';
import type { PictureOf, ShownPicture } from '../../shared/api/items.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addRows, aSharedCore } from '../core/a-core.ts';
import { openAccount } from '../sync/an-account.ts';
import { controlOf } from '../sync/control.ts';

/** What a window gets of the pictures that the service names: files of ours, over the contract and a preview handle. */
const { core, client } = await aSharedCore('shown');
const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
await client.sync.refresh({ workspaceId });

const show = (of: PictureOf): Promise<ShownPicture> => client.pictures.show({ workspaceId, of });

/** Kind and size of the picture that the window would draw. */
async function drawn({ url }: ShownPicture): Promise<unknown> {
  const handle = /^\/preview\/([a-f0-9]{32})$/.exec(url ?? '')?.[1];
  const file = handle === undefined ? null : await core.preview(handle);
  if (file === null) return null;
  const bytes = await buffer(file.open(0, file.bytes - 1));
  return { served: file.contentType, ...pictureHeader(bytes) };
}
const PNG = { served: 'image/png', contentType: 'image/png' };

test('items and their variants have pictures, links and names', async () => {
  const found = await client.items.search({ workspaceId, text: 'coffee', ids: null });
  const item = found.find(({ variants }) => variants.length > 0);
  const variant = item?.variants[0];
  if (item === undefined || variant === undefined) throw new Error('no item with variants');
  expect(item.pageUrl).toMatch(/^https:/);
  expect(await drawn(await show({ is: 'item', itemId: item.itemId }))).toEqual({ ...PNG, width: 200, height: 200 });
  expect(await drawn(await show({ is: 'item', itemId: variant.itemId }))).toEqual({ ...PNG, width: 200, height: 200 });
  expect(await client.items.get({ workspaceId, itemId: variant.itemId })).toEqual({
    itemId: variant.itemId,
    name: variant.name,
    pageUrl: item.pageUrl,
  });
});

test('a variant is added by the id that the search gave, and no rule doubts it', async () => {
  const found = await client.items.search({ workspaceId, text: 'lamp', ids: null });
  const variant = found.flatMap(({ variants }) => variants)[0];
  if (variant === undefined) throw new Error('no variant');
  const item = { itemId: variant.itemId, bid: 200, itemName: variant.name, itemIdSource: 'search' };
  const made = await addRows(client, workspaceId, 'Add a campaign', [
    { kind: 'campaign', parent: null, values: { name: 'Lamps', campaignType: 'sponsoredProducts' } },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Lamps' } },
    { kind: 'adItem', parent: { at: 1 }, values: item },
    { kind: 'adItem', parent: { at: 1 }, values: { itemId: '0000000007', bid: 200 } },
  ]);
  const { issues } = await (await opened()).workspace.issues(0, 1000, null);
  const doubted = issues.filter(({ rule }) => rule.endsWith('.id-unconfirmed')).map(({ id }) => id);
  expect(doubted).toEqual([made.touched[3]?.id]);
});

test('an item that no search has shown is asked about once; one that is not there is nothing', async () => {
  const [item] = await client.items.search({ workspaceId, text: 'hose', ids: null });
  expect(await client.items.get({ workspaceId, itemId: item?.itemId ?? '' })).toMatchObject({ name: item?.name });
  expect(await client.items.get({ workspaceId, itemId: 'prod1' })).toBeNull();
  const there = await client.items.find({ workspaceId, text: 'hose' });
  expect(there).toMatchObject({ isOffline: false });
  expect(there.items).toContainEqual(item);
  expect(await show({ is: 'item', itemId: 'prod1' })).toEqual({ url: null, why: 'none', host: '' });
});

const opened = async () => {
  const account = await core.open.get(workspaceId);
  if (!account.ok) throw new Error('the account is not open');
  return account.value;
};

test('a row shows the picture whose address the service gave', async () => {
  const [item] = await client.items.search({ workspaceId, text: 'bath mat', ids: null });
  const { outbox, readTrees, readMedia } = (await opened()).workspace;
  const { epoch } = await outbox.takeOwnership();
  const remote = { campaignId: null, adGroupId: null };
  const id = (text: string): RemoteId => text as RemoteId;
  await outbox.merge({
    epoch,
    rows: [
      { kind: 'campaign', remoteId: id('77'), ...remote, values: { name: 'Theirs', campaignType: 'sba' } },
      {
        kind: 'media',
        remoteId: id('66'),
        ...remote,
        values: { mediaType: 'video', thumbnailUrl: item?.imageUrl ?? null },
      },
    ],
  });
  const theirs = (await readTrees('all')).find(({ campaign }) => campaign.remoteId === '77');
  const campaignId = theirs?.campaign.id ?? null;
  await outbox.merge({
    epoch,
    rows: [{ kind: 'adGroup', remoteId: id('78'), campaignId, adGroupId: null, values: {} }],
  });
  const adGroupId =
    (await readTrees('all')).find(({ campaign }) => campaign.remoteId === '77')?.adGroups[0]?.id ?? null;
  const values = { brand: 'Northwind', logoUrl: item?.imageUrl ?? null };
  await outbox.merge({ epoch, rows: [{ kind: 'sbaProfile', remoteId: id('79'), campaignId, adGroupId, values }] });
  const profile = (await readTrees('all')).flatMap(({ sbaProfiles }) => sbaProfiles)[0];
  const [video] = await readMedia();
  if (profile === undefined || video === undefined) throw new Error('no rows');
  const size = { width: 200, height: 200 };
  expect(await drawn(await show({ is: 'row', kind: 'sbaProfile', id: profile.id }))).toEqual({ ...PNG, ...size });
  expect(await drawn(await show({ is: 'row', kind: 'media', id: video.id }))).toEqual({ ...PNG, ...size });
});

test.each([
  ['documented calls only', false],
  ['extensions', true],
])('the logos and thumbnails of a service are pictures that can be shown: %s', async (_name, extensions) => {
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'demo', clock: 'virtual', extensions });
  const cache = mkdtempSync(join(tmpdir(), 'adslate-shown-cache-'));
  const account = await openAccount({ sandbox, capabilities: extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY });
  const pictures = createPictures({
    folder: cache,
    rule: async () => addressRule(sandbox.ready.baseUrl, []),
    monotonicMs: () => 0,
  });
  try {
    const state = await controlOf(sandbox).state();
    const brand = state.campaigns.filter(({ name }) => /brand|sba/i.test(name)).slice(0, 3);
    const wanted = brand.map(({ campaignId, adGroups }) => ({
      id: String(campaignId),
      name: null,
      campaignType: 'sba' as const,
      targetingType: null,
      adGroups: adGroups.map(({ adGroupId }) => String(adGroupId)),
    }));
    await account.sync.addCampaigns(wanted, 'pasted');
    expect((await account.sync.refresh()).ok).toBe(true);
    const trees = await account.workspace.readTrees('all');
    const logos = trees.flatMap(({ sbaProfiles }) => sbaProfiles.map(({ values }) => values.logoUrl));
    const thumbnails = (await account.workspace.readMedia()).map(({ values }) => values.thumbnailUrl);
    const addresses = [...logos, ...thumbnails].filter((address) => address !== null && address !== '').slice(0, 12);
    expect([logos.length > 0, thumbnails.length > 0]).toEqual([true, true]);
    const shown = await Promise.all(addresses.map((address) => pictures.show(address ?? '')));
    expect(shown.map(({ ok }) => ok)).toEqual(addresses.map(() => true));
  } finally {
    await pictures.close();
    await account.close();
    await sandbox.close();
    rmSync(cache, { recursive: true, force: true });
  }
});

test('an address of a host that nobody has allowed is not asked, and the host is told', async () => {
  const account = await opened();
  const item = { itemId: 'elsewhere', name: 'Roll', pageUrl: null };
  await account.pictures.noteItems([{ ...item, imageUrl: 'https://tracker.example/pixel.png' }]);
  expect(await show({ is: 'item', itemId: 'elsewhere' })).toEqual({ url: null, why: 'host', host: 'tracker.example' });
});
