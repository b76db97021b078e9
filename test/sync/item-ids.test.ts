import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountIdFormat, type IdLocation, scanIds } from '../../main/files/item-ids/scan-item-ids.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { autoDraft } from './a-draft.ts';
import { hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/** What an account knows of item ids by itself, and what the service has made of them. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;

/** An account of the practice service that has not been migrated yet. */
const NOT_MIGRATED = 900002;
/** A week before the item ids of everybody change their form. */
const BEFORE = '2026-07-20T12:00:00Z';

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', now: BEFORE, extensions: true });
  control = controlOf(sandbox);
  account = await openAccount({
    sandbox,
    advertiserId: NOT_MIGRATED,
    migrated: false,
    clock: hastyClock(Date.parse(BEFORE) - Date.now()),
  });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
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
  const found = await account.sync.searchItems({ text: 'a' });
  if (!found.ok) throw new Error('the search failed');
  const [first, second] = found.value.map(({ itemId }) => itemId);
  if (first === undefined || second === undefined) throw new Error('the catalogue is empty');
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
