import { beforeEach, expect, test } from 'vitest';
import type { RowId } from '../../shared/model/scalars.ts';
import { autoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import { freshAccount } from './fresh-account.ts';

/** Which campaigns the service may have something else of by now: counted before anything is read, and no others are read. */
let account: TestAccount;

beforeEach(async () => {
  ({ account } = await freshAccount());
});

const outdated = (hours: number) =>
  account.workspace.outbox.outdatedCampaigns({ readBefore: account.clock.nowMs() - hours * 3_600_000 });
const NONE = { old: 0, touched: 0, inReview: 0, processing: 0, keptFresh: 0 };

test('campaigns never read are old, and none is once all are read; a draft was never there', async () => {
  await account.create(autoDraft('First'));
  await account.create(autoDraft('Second'));
  expect(await outdated(1)).toEqual({ campaignIds: [], all: 0, why: NONE });
  await account.run();
  expect(await outdated(1)).toMatchObject({ all: 2, why: { ...NONE, old: 2 } });
  expect((await account.sync.refresh()).ok).toBe(true);
  expect(await outdated(1)).toEqual({ campaignIds: [], all: 2, why: NONE });
  await account.clock.sleep(2 * 3_600_000);
  expect(await outdated(1)).toMatchObject({ why: { ...NONE, old: 2 } });
  expect(await outdated(3)).toMatchObject({ campaignIds: [] });
});

test('what was touched and what is labelled to be kept fresh count whatever was read, each campaign once', async () => {
  const [first, , item] = (await account.create(autoDraft('First'))) as [RowId, RowId, RowId];
  const [second] = (await account.create(autoDraft('Second'))) as [RowId];
  await account.create(autoDraft('Third'));
  await account.run();
  await account.sync.refresh();
  await account.edit('adItem', item, { bid: 190 });
  const label = await account.workspace.note({ do: 'save-label', id: null, name: 'Keep Fresh', color: 'teal' });
  if (!label.ok) throw new Error('no label');
  const rows = [{ kind: 'campaign' as const, ids: [first, second] }];
  await account.workspace.note({ do: 'label', rows, add: [label.value.id], remove: [] });
  expect(await outdated(1)).toEqual({
    campaignIds: [first, second].sort((one, other) => one - other),
    all: 3,
    why: { ...NONE, touched: 1, keptFresh: 2 },
  });
});
