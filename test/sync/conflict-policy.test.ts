import { beforeEach, expect, test } from 'vitest';
import { POLICY_KEY } from '../../main/sync/conflicts.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { autoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';
import { freshAccount } from './fresh-account.ts';

/** A saved policy settles what a read finds changed on both sides; both values stay in the history. */
let control: Control;
let account: TestAccount;
let groupId: RowId;
let itemId: RowId;

beforeEach(async () => {
  ({ control, account } = await freshAccount());
  const ids = await account.create(autoDraft());
  [, groupId, itemId] = ids as [RowId, RowId, RowId];
  await account.run();
  await account.edit('adItem', itemId, { bid: 190 });
  await account.edit('adGroup', groupId, { name: 'Mine' });
  const group = await account.workspace.readRow({ kind: 'adGroup', id: groupId });
  const item = await account.workspace.readRow({ kind: 'adItem', id: itemId });
  await control.console(`ad-groups/${group?.remoteId}`, { name: 'Theirs' });
  await control.console(`ad-items/${item?.remoteId}`, { bid: 2.5 });
});

const bid = async () => (await account.workspace.readRow({ kind: 'adItem', id: itemId }))?.values;
const group = async () => (await account.workspace.readRow({ kind: 'adGroup', id: groupId }))?.values;
const log = async (kind: 'adGroup' | 'adItem', id: RowId) =>
  (await account.workspace.log(0, 10, { stepId: null, campaignId: null, ref: { kind, id } })).entries
    .filter(({ field }) => field === 'bid' || field === 'name')
    .map(({ step, source, before, after }) => [step, source, before, after]);
const notices = () => account.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

test('without a policy every conflict is asked', async () => {
  await account.sync.refresh();
  expect(await account.sync.conflicts()).toHaveLength(2);
  expect(notices()).toEqual([]);
});

test('each field goes by its rule, the rule is named in the history beside both values, and a note says so', async () => {
  await account.workspace.setMeta(POLICY_KEY, 'bid=mine,other=theirs');
  await account.sync.refresh();
  expect(await account.sync.conflicts()).toEqual([]);
  expect(await bid()).toMatchObject({ bid: 190 });
  expect(await group()).toMatchObject({ name: 'Theirs' });
  expect(await log('adItem', itemId)).toMatchObject([
    ['Keep mine: bid (policy bid=mine)', 'sync', 250, 190],
    ['What the service has of bid (policy bid=mine)', 'sync', 190, 250],
    ['test', 'user', 160, 190],
  ]);
  expect(await log('adGroup', groupId)).toMatchObject([
    ['Take theirs: name (policy other=theirs)', 'sync', 'Mine', 'Theirs'],
    ['test', 'user', 'Rolls auto group', 'Mine'],
  ]);
  expect(notices()).toHaveLength(1);
  expect(notices()[0]).toMatch(/bid=mine \(1\).*other=theirs \(1\)|other=theirs \(1\).*bid=mine \(1\)/);
  // Mine is still a change that waits for a sync; theirs is none any more.
  expect(await account.workspace.summary()).toMatchObject({ changed: 1, conflicts: 0 });
});

test('a sync settles what its own read finds, and sends mine in the same run', async () => {
  await account.workspace.setMeta(POLICY_KEY, 'other=mine,gone=ask');
  expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
  await account.sync.refresh();
  expect(await bid()).toMatchObject({ bid: 190 });
  expect(await group()).toMatchObject({ name: 'Mine' });
});

test('what the policy leaves to the user stays open, and the choice of the user holds both values as well', async () => {
  await account.workspace.setMeta(POLICY_KEY, 'bid=ask,other=theirs');
  await account.sync.refresh();
  const open = await account.sync.conflicts();
  expect(open).toMatchObject([{ field: 'bid', mine: 190, theirs: 250 }]);
  await account.sync.resolve(open.map(({ ref, field }) => ({ ref, field, take: 'mine' as const })));
  expect((await log('adItem', itemId)).map(([step]) => step)).toEqual([
    'Keep mine: bid',
    'What the service has of bid',
    'test',
  ]);
  await account.workspace.undo();
  expect(await bid()).toMatchObject({ bid: 250 });
});
