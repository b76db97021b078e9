import { beforeEach, expect, test } from 'vitest';
import type { RowId } from '../../shared/model/scalars.ts';
import { autoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';
import { freshAccount } from './fresh-account.ts';

/** Reading the service anew, whole or of some campaigns, never takes an edit away. */
let control: Control;
let account: TestAccount;

beforeEach(async () => {
  ({ control, account } = await freshAccount());
});

const bidOf = async (id: RowId) => (await account.workspace.readRow({ kind: 'adItem', id }))?.values;
const raise = async (id: RowId): Promise<void> => {
  const row = await account.workspace.readRow({ kind: 'adItem', id });
  await control.console(`ad-items/${row?.remoteId}`, { bid: 7.25 });
};

test('one campaign is read with all that hangs from it, and no other', async () => {
  const [first, , firstItem] = (await account.create(autoDraft('First'))) as [RowId, RowId, RowId];
  const [, , secondItem] = (await account.create(autoDraft('Second'))) as [RowId, RowId, RowId];
  await account.run();
  await raise(firstItem);
  await raise(secondItem);
  const asked = (await control.requests()).length;
  const before = (await account.workspace.summary()).lastRefreshAt;
  expect((await account.sync.refresh([first])).ok).toBe(true);
  expect(await bidOf(firstItem)).toMatchObject({ bid: 725 });
  expect(await bidOf(secondItem)).toMatchObject({ bid: 160 });
  expect((await account.sync.refresh()).ok).toBe(true);
  expect(await bidOf(secondItem)).toMatchObject({ bid: 725 });
  expect((await control.requests()).slice(asked).every(({ method }) => method === 'GET')).toBe(true);
  expect((await account.workspace.summary()).lastRefreshAt).toBeGreaterThanOrEqual(before ?? 0);
});

test('a hundred edits before are the same hundred edits after, of the campaign that is read and of all', async () => {
  const ids = (await account.create(autoDraft())) as [RowId, RowId, RowId, ...RowId[]];
  await account.run();
  const [campaignId, groupId, itemId] = ids;
  await account.edit('adItem', itemId, { bid: 190 });
  const words = Array.from({ length: 99 }, (_, i) => ({ text: `word ${i}`, matchType: 'exact', bid: 150 + i }));
  await account.create(words.map((values) => ({ kind: 'keyword', parent: { id: groupId }, values })));
  const edits = await account.workspace.changes(0, 200);
  expect(edits.total).toBe(100);
  expect((await account.sync.refresh([campaignId])).ok).toBe(true);
  expect((await account.workspace.changes(0, 200)).changes).toEqual(edits.changes);
  expect((await account.sync.refresh()).ok).toBe(true);
  expect((await account.workspace.changes(0, 200)).changes).toEqual(edits.changes);
});
