import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { countThings, onTheService } from './on-the-service.ts';

/** A sync of some rows only, on the practice service: what was not chosen is neither sent nor forgotten. */
let sandbox: RunningSandbox;
let account: TestAccount;
let ids: readonly RowId[];

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  account = await openAccount({ sandbox });
  // Campaign, ad group, profile, item, two keywords; and a second campaign that nobody chooses.
  ids = await account.create([...sbaDraft(null)]);
  await account.create([...sbaDraft(null, 'Later')]);
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

const at = (place: number): RowId => {
  const id = ids[place];
  if (id === undefined) throw new Error('no such row');
  return id;
};

test('one chosen keyword of a draft goes with its new campaign and ad group; the rest waits for the next sync', async () => {
  const chosen = { rows: [{ kind: 'keyword' as const, ids: [at(5)] }], below: false };
  const view = await account.sync.plan({ submit: true, campaignIds: null, chosen });
  expect(view).toMatchObject({ creates: 3, reviews: 0 });
  expect(view.added).toMatchObject([
    { reason: 'parent', rows: 2, first: [{ label: 'Rolls brand' }, { kind: 'adGroup' }] },
  ]);
  expect(view.leftOut).toMatchObject([{ reason: 'not-chosen', rows: 3 }]);

  expect(await account.run({ submit: true, chosen })).toMatchObject({ done: 3, refused: [], reviews: 0 });
  expect(countThings(await onTheService(sandbox))).toEqual({
    'campaign Rolls brand / Rolls brand': 1,
    'adGroup Rolls brand / Rolls brand group': 1,
    'keyword Rolls brand / paper towel, exact': 1,
  });
  expect((await account.workspace.readRow({ kind: 'keyword', id: at(4) }))?.remoteId).toBeNull();

  expect(await account.run()).toMatchObject({ refused: [] });
  const things = countThings(await onTheService(sandbox));
  expect(Object.keys(things)).toHaveLength(12);
  expect(new Set(Object.values(things))).toEqual(new Set([1]));
});

test('a chosen change goes alone, also when its campaign was changed as well', async () => {
  await account.run();
  await account.edit('keyword', at(5), { bid: 300 });
  await account.edit('adItem', at(3), { bid: 400 });
  const chosen = { rows: [{ kind: 'adItem' as const, ids: [at(3)] }], below: false };
  expect(await account.run({ chosen })).toMatchObject({ done: 1, refused: [] });
  const bids = (await onTheService(sandbox)).filter(({ campaign, bid }) => campaign === 'Rolls brand' && bid !== null);
  expect(bids.map(({ kind, bid }) => `${kind} ${bid}`).sort()).toEqual(['adItem 400', 'keyword 185', 'keyword 185']);
  expect((await account.workspace.readRow({ kind: 'keyword', id: at(5) }))?.dirty).not.toBe(0);
});
