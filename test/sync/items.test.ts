import { beforeEach, describe, expect, test } from 'vitest';
import { accountIdFormat, type IdLocation, scanIds } from '../../main/files/item-ids/scan-item-ids.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { at, done, pick } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { autoDraft } from './a-draft.ts';
import { hastyClock, type TestAccount } from './an-account.ts';
import type { LoggedRequest } from './control.ts';
import { practiceService } from './practice-service.ts';

let account: TestAccount;

describe('item facts', () => {
  /** What the catalogue says of an item is asked of the service, kept in the workspace, and judged by the rules. */
  const sandbox = practiceService();
  const { control } = sandbox;
  let catalogue: Catalogue;

  interface Catalogue {
    readonly available: readonly string[];
    readonly unpublished: readonly string[];
    readonly notOwned: readonly string[];
    readonly unreadable: readonly string[];
  }

  beforeEach(async () => {
    const state = (await (await fetch(`${sandbox.ready.controlUrl}/state`)).json()) as { catalogue: Catalogue };
    ({ catalogue } = state);
    account = await sandbox.open();
  });

  /** A products campaign with one item for each id, as if they had been typed. */
  async function draftOf(itemIds: readonly string[]): Promise<readonly RowId[]> {
    const [campaign, group] = pick(autoDraft(), 0, 1);
    const items = itemIds.map((itemId) => ({
      kind: 'adItem' as const,
      parent: { at: 1 },
      values: { itemId, bid: 160, status: 'enabled' },
    }));
    return (await account.create([campaign, group, ...items])).slice(2);
  }

  async function itemIssues(): Promise<readonly string[]> {
    const { issues } = await account.workspace.issues(0, 500, null);
    return issues.filter(({ kind }) => kind === 'adItem').map(({ rule }) => rule);
  }

  const one = (list: readonly string[]): string => at(list, 0);
  const troubled = (): readonly string[] => [
    '0999999999',
    one(catalogue.unreadable),
    one(catalogue.unpublished),
    one(catalogue.notOwned),
  ];
  const VERDICTS = ['item.not-in-catalogue', 'item.unreadable', 'item.unpublished', 'item.not-owned'];

  test('typed ids are unconfirmed until they are looked up; then each has its verdict', async () => {
    await draftOf([one(catalogue.available), ...troubled()]);
    expect(await itemIssues()).toEqual(Array(5).fill('item.id-unconfirmed'));
    const confirmed = await account.sync.confirmItems();
    expect(confirmed).toEqual({ ok: true, value: { asked: 5, found: 1, refused: troubled().toSorted() } });
    expect((await itemIssues()).toSorted()).toEqual(VERDICTS.toSorted());
  });

  test('a confirmed item gets the name that the catalogue has', async () => {
    const [item] = await draftOf([one(catalogue.available)]);
    await account.sync.confirmItems();
    const row = await account.workspace.readRow({ kind: 'adItem', id: item as RowId });
    expect(row?.kind === 'adItem' && row.values.itemName).toMatch(/\w+/);
  });

  test('an item that a search by words has shown is confirmed for every row, also for later ones', async () => {
    const found = done(await account.sync.searchItems({ text: 'paper' }));
    await draftOf(found.slice(0, 3).map(({ itemId }) => itemId));
    expect(await itemIssues()).toEqual([]);
  });

  test('a sync looks items up and sends none that the service would refuse', async () => {
    await draftOf([one(catalogue.available), '0999999999', one(catalogue.unpublished), one(catalogue.notOwned)]);
    const report = await account.run();
    expect(report).toMatchObject({ state: 'finished', refused: [], done: 3 });
    const log = (await control.requests()) as readonly (LoggedRequest & { readonly elementCodes: readonly string[] })[];
    const created = log.filter(({ method, path }) => method === 'POST' && path.endsWith('/adItems'));
    expect(created.flatMap(({ elementCodes }) => elementCodes)).toEqual(['success']);
    expect((await itemIssues()).toSorted()).toEqual(['item.not-in-catalogue', 'item.not-owned', 'item.unpublished']);
  });

  test('a verdict stays with the id through undo and redo of the edit that brought it', async () => {
    const [item] = await draftOf([one(catalogue.available)]);
    await account.sync.confirmItems();
    await account.sync.searchItems({ ids: [one(catalogue.unpublished)] });
    await account.edit('adItem', item as RowId, { itemId: one(catalogue.unpublished) });
    expect(await itemIssues()).toEqual(['item.unpublished']);
    await call(account.workspace, 'workspace', 'undo');
    expect(await itemIssues()).toEqual([]);
    await call(account.workspace, 'workspace', 'redo');
    expect(await itemIssues()).toEqual(['item.unpublished']);
  });

  test('an item that has become usable is looked up again, and goes', async () => {
    const itemId = one(catalogue.available);
    await draftOf([itemId]);
    await account.workspace.outbox.noteItems([{ itemId, verdict: 'unpublished', name: null }]);
    expect(await itemIssues()).toEqual(['item.unpublished']);
    expect(await account.run()).toMatchObject({ refused: [], done: 3 });
    expect(await itemIssues()).toEqual([]);
  });

  test('more items than one answer holds are asked for in several searches', async () => {
    await draftOf(Array.from({ length: 201 }, (_, at) => String(999_000_000 + at).padStart(10, '0')));
    expect(await account.sync.confirmItems()).toMatchObject({ ok: true, value: { asked: 201 } });
    const searches = (await control.requests()).filter(({ path }) => path.endsWith('/itemSearch'));
    expect(searches).toHaveLength(2);
    expect(new Set(await itemIssues())).toContain('item.not-in-catalogue');
    expect(new Set(await itemIssues())).not.toContain('item.id-unconfirmed');
  });

  test('what is confirmed is not asked for again', async () => {
    await draftOf([one(catalogue.available)]);
    await account.sync.confirmItems();
    expect(await account.sync.confirmItems()).toEqual({ ok: true, value: { asked: 0, found: 0, refused: [] } });
  });
});

describe('item ids', () => {
  /** An account of the practice service that has not been migrated yet. */
  const NOT_MIGRATED = 900002;
  /** A week before the item ids of everybody change their form. */
  const BEFORE = '2026-07-20T12:00:00Z';
  const sandbox = practiceService({ now: BEFORE });
  const { control } = sandbox;

  beforeEach(async () => {
    account = await sandbox.open({
      advertiserId: NOT_MIGRATED,
      migrated: false,
      clock: hastyClock(Date.parse(BEFORE) - Date.now()),
    });
  });

  const placesOf = async (): Promise<readonly IdLocation[]> =>
    (await account.workspace.outbox.itemProvenance()).drafts.map(({ id, itemId, name, campaign }) => ({
      ...{ text: itemId, id, line: null, campaign, name },
    }));

  async function scan() {
    const provenance = await account.workspace.outbox.itemProvenance();
    const form = accountIdFormat(null, provenance, '2026-05-01', '2026-07-31');
    return { form, ...(await scanIds(await placesOf(), provenance, form, account.sync.searchItems)) };
  }

  test('after the migration an old id is told by what the service made of the same item', async () => {
    const found = done(await account.sync.searchItems({ text: 'a' }));
    const first = at(found, 0).itemId;
    expect(first).toMatch(/^prod\d+$/);
    const draft = (name: string) =>
      autoDraft(name)
        .slice(0, 3)
        .map((row) => (row.kind === 'adItem' ? { ...row, values: { ...row.values, itemId: first } } : row));
    await account.create(draft('Sent before'));
    expect(await account.run()).toMatchObject({ refused: [] });
    expect((await scan()).form).toEqual({ oldIsOver: false, newIsEarly: true });

    await account.create(draft('Drafted before'));
    await control.migrate(NOT_MIGRATED);
    await account.sync.refresh();
    const { form, damaged, notSearched } = await scan();
    expect(form).toEqual({ oldIsOver: true, newIsEarly: false });
    expect(notSearched).toBeNull();
    expect(damaged).toMatchObject([{ itemId: first, damage: 'legacy', rows: 1 }]);
    const [one] = damaged;
    expect(one?.candidates[0]).toMatchObject({ source: 'service', itemId: one?.proposed });
    expect(one?.proposed).toMatch(/^\d{10}$/);
  });

  test('without the service the account still proposes what it knows, and says that nobody was asked', async () => {
    await account.create(autoDraft());
    const provenance = await account.workspace.outbox.itemProvenance();
    const form = { oldIsOver: true, newIsEarly: false };
    const place = { id: null, line: 3, campaign: 'C', name: null };
    const known = [{ itemId: '3952870123', name: 'Towels' }];
    const places = [
      { ...place, text: '3.95287E+09' },
      { ...place, text: '12345678' },
    ];
    const scanned = await scanIds(places, { ...provenance, known }, form, async () => ({
      ok: false,
      error: { kind: 'unreachable', cause: 'no network' },
    }));
    expect(scanned).toMatchObject({
      notSearched: 'no network',
      damaged: [
        { itemId: '3.95287E+09', proposed: '3952870123', candidates: [{ source: 'account', name: 'Towels' }] },
        { itemId: '12345678', proposed: null, candidates: [] },
      ],
    });
  });
});
