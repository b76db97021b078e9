import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { autoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf, type LoggedRequest } from './control.ts';

/** What the catalogue says of an item is asked of the service, kept in the workspace, and judged by the rules. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let catalogue: Catalogue;

interface Catalogue {
  readonly available: readonly string[];
  readonly unpublished: readonly string[];
  readonly notOwned: readonly string[];
  readonly unreadable: readonly string[];
}

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  const state = (await (await fetch(`${sandbox.ready.controlUrl}/state`)).json()) as { catalogue: Catalogue };
  ({ catalogue } = state);
  account = await openAccount({ sandbox });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

/** A products campaign with one item for each id, as if they had been typed. */
async function draftOf(itemIds: readonly string[]): Promise<readonly RowId[]> {
  const [campaign, group] = autoDraft();
  if (campaign === undefined || group === undefined) throw new Error('no draft');
  const items = itemIds.map((itemId) => ({
    kind: 'adItem' as const,
    parent: { at: 1 },
    values: { itemId, bid: 160, status: 'enabled' },
  }));
  return (await account.create([campaign, group, ...items])).slice(2);
}

async function itemFindings(): Promise<readonly string[]> {
  const { findings } = await account.workspace.findings(0, 500, null);
  return findings.filter(({ kind }) => kind === 'adItem').map(({ rule }) => rule);
}

const one = (list: readonly string[]): string => {
  const [first] = list;
  if (first === undefined) throw new Error('the catalogue lacks such an item');
  return first;
};
const troubled = (): readonly string[] => [
  '0999999999',
  one(catalogue.unreadable),
  one(catalogue.unpublished),
  one(catalogue.notOwned),
];
const VERDICTS = ['item.not-in-catalogue', 'item.unreadable', 'item.unpublished', 'item.not-owned'];

test('typed ids are unconfirmed until they are looked up; then each has its verdict', async () => {
  await draftOf([one(catalogue.available), ...troubled()]);
  expect(await itemFindings()).toEqual(Array(5).fill('item.id-unconfirmed'));
  const confirmed = await account.sync.confirmItems();
  expect(confirmed).toEqual({ ok: true, value: { asked: 5, found: 1, refused: troubled().toSorted() } });
  expect((await itemFindings()).toSorted()).toEqual(VERDICTS.toSorted());
});

test('a confirmed item gets the name that the catalogue has', async () => {
  const [item] = await draftOf([one(catalogue.available)]);
  await account.sync.confirmItems();
  const row = await account.workspace.readRow({ kind: 'adItem', id: item as RowId });
  expect(row?.kind === 'adItem' && row.values.itemName).toMatch(/\w+/);
});

test('an item that a search by words has shown is confirmed for every row, also for later ones', async () => {
  const found = await account.sync.searchItems({ text: 'paper' });
  if (!found.ok) throw new Error('not searched');
  await draftOf(found.value.slice(0, 3).map(({ itemId }) => itemId));
  expect(await itemFindings()).toEqual([]);
});

test('a sync looks items up and sends none that the service would refuse', async () => {
  await draftOf([one(catalogue.available), '0999999999', one(catalogue.unpublished), one(catalogue.notOwned)]);
  const report = await account.run();
  expect(report).toMatchObject({ state: 'finished', refused: [], done: 3 });
  const log = (await control.requests()) as readonly (LoggedRequest & { readonly elementCodes: readonly string[] })[];
  const created = log.filter(({ method, path }) => method === 'POST' && path.endsWith('/adItems'));
  expect(created.flatMap(({ elementCodes }) => elementCodes)).toEqual(['success']);
  expect((await itemFindings()).toSorted()).toEqual(['item.not-in-catalogue', 'item.not-owned', 'item.unpublished']);
});

test('a verdict stays with the id through undo and redo of the edit that brought it', async () => {
  const [item] = await draftOf([one(catalogue.available)]);
  await account.sync.confirmItems();
  await account.sync.searchItems({ ids: [one(catalogue.unpublished)] });
  await account.edit('adItem', item as RowId, { itemId: one(catalogue.unpublished) });
  expect(await itemFindings()).toEqual(['item.unpublished']);
  await account.workspace.undo();
  expect(await itemFindings()).toEqual([]);
  await account.workspace.redo();
  expect(await itemFindings()).toEqual(['item.unpublished']);
});

test('an item that has become usable is looked up again, and goes', async () => {
  const itemId = one(catalogue.available);
  await draftOf([itemId]);
  await account.workspace.outbox.noteItems([{ itemId, verdict: 'unpublished', name: null }]);
  expect(await itemFindings()).toEqual(['item.unpublished']);
  expect(await account.run()).toMatchObject({ refused: [], done: 3 });
  expect(await itemFindings()).toEqual([]);
});

test('more items than one answer holds are asked for in several searches', async () => {
  await draftOf(Array.from({ length: 201 }, (_, at) => String(999_000_000 + at).padStart(10, '0')));
  expect(await account.sync.confirmItems()).toMatchObject({ ok: true, value: { asked: 201 } });
  const searches = (await control.requests()).filter(({ path }) => path.endsWith('/itemSearch'));
  expect(searches).toHaveLength(2);
  expect(new Set(await itemFindings())).toContain('item.not-in-catalogue');
  expect(new Set(await itemFindings())).not.toContain('item.id-unconfirmed');
});

test('what is confirmed is not asked for again', async () => {
  await draftOf([one(catalogue.available)]);
  await account.sync.confirmItems();
  expect(await account.sync.confirmItems()).toEqual({ ok: true, value: { asked: 0, found: 0, refused: [] } });
});
