import { expect, test } from 'vitest';
import { openDb } from '../../main/store/db/open-db.ts';
import { takeOwnership } from '../../main/store/outbox/unconfirmed.ts';
import { insertCampaign, listRemoteIds } from '../../main/store/remote/remote-ids.ts';
import { readTrees } from '../../main/store/rows/read-trees.ts';
import { recoverData } from '../../main/store/safety/recover-data.ts';
import { APPLICATION_ID, migrate, migrations } from '../../main/store/schema/migrate.ts';
import { kindCode } from '../../shared/model/kinds.ts';
import { acceptAll, aFolder, aSmallCampaign, aStore, createAll, done, remote } from './a-workspace.ts';

/** The ledger of ids that no documented read lists: every id has one source for good, and a time of its last proof. */
const NOON = Date.UTC(2026, 4, 4, 12);
type Store = ReturnType<typeof aStore>;

const ledger = (store: Store, words = '') =>
  listRemoteIds(store.db, 0, 100, words).ids.map(({ kind, id, source, confirmedAt }) => [
    kind,
    id,
    source,
    confirmedAt,
  ]);

const taken = (store: Store, id: string, groups: readonly string[] = [], name: string | null = null) =>
  store.tx(() =>
    insertCampaign(store, {
      epoch: takeOwnership(store).epoch,
      source: 'typed',
      campaign: { id: remote(id), values: { name } },
      adGroups: groups.map((group) => ({ id: remote(group), values: {} })),
    }),
  );

const shows = (store: Store, id: string, name: string): unknown =>
  store.mergeRemoteRows([
    { kind: 'campaign', remoteId: remote(id), campaignId: null, adGroupId: null, values: { name } },
  ]);

test('an id that was sent from here says so, and a list that shows it later confirms it and changes no source', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  const id = String(900_000 + (refs[0]?.id ?? 0));
  expect(ledger(store)).toEqual([
    ['campaign', id, 'made', null],
    ['adGroup', String(900_000 + (refs[1]?.id ?? 0)), 'made', null],
  ]);
  shows(store, id, 'Towels');
  expect(ledger(store)[0]).toEqual(['campaign', id, 'made', NOON]);
});

test('an id that a list shows first came from that list, even when a person names it later', () => {
  const store = aStore();
  shows(store, '77', 'Mugs');
  taken(store, '77');
  expect(ledger(store)).toEqual([['campaign', '77', 'list', NOON]]);
});

test('a confirmation never goes back, though the clock does', () => {
  const store = aStore();
  shows(store, '77', 'Mugs');
  store.setNow(NOON - 60_000);
  shows(store, '77', 'Mugs');
  expect(ledger(store)).toEqual([['campaign', '77', 'list', NOON]]);
});

test('what is taken in is unread and unchanged: no mark, no base, no error', () => {
  const store = aStore();
  const { campaignId } = taken(store, '77', ['88']);
  expect(campaignId).not.toBeNull();
  const tree = readTrees(store.db, [campaignId ?? (0 as never)])[0] ?? null;
  expect([tree?.campaign.dirty, tree?.campaign.base, tree?.campaign.values.dailyBudget]).toEqual([0, null, null]);
  expect([tree?.adGroups[0]?.remoteId, tree?.adGroups[0]?.dirty]).toEqual(['88', 0]);
  expect(store.db.all('SELECT error FROM finding_count WHERE error > 0')).toEqual([]);
});

test('taking in twice makes one row, fills what is empty and replaces nothing, an edit least of all', () => {
  const store = aStore();
  const { campaignId: id } = taken(store, '77');
  if (id === null) throw new Error('not taken');
  done(
    store.apply({ label: 'Name', source: 'user', updates: [{ kind: 'campaign', id, field: 'name', value: 'Mine' }] }),
  );
  expect(taken(store, '77', ['88'], 'Theirs').campaignId).toBe(id);
  const tree = readTrees(store.db, [id])[0] ?? null;
  expect([tree?.campaign.values.name, tree?.adGroups.length]).toEqual(['Mine', 1]);
  expect(store.listConflicts().map(({ field, theirs }) => [field, theirs])).toEqual([['name', 'Theirs']]);
});

test('a process that was taken over takes nothing in', () => {
  const store = aStore();
  const { epoch } = store.tx(() => takeOwnership(store));
  store.tx(() => takeOwnership(store));
  const campaign = { id: remote('77'), values: {} };
  expect(
    store.tx(() => insertCampaign(store, { epoch, source: 'typed', campaign, adGroups: [] })).campaignId,
  ).toBeNull();
  expect(ledger(store)).toEqual([]);
});

test('the ledger is searched by id, by name and by campaign', () => {
  const store = aStore();
  taken(store, '77', ['88'], 'Winter Mugs');
  taken(store, '99', [], 'Towels');
  expect(ledger(store, 'mugs').map(([, id]) => id)).toEqual(['77', '88']);
  expect(ledger(store, '99').map(([, id]) => id)).toEqual(['99']);
  expect(ledger(store, 'mugs 88').map(([, id]) => id)).toEqual(['88']);
});

test('a file from before the ledger gets an entry for every id it has: sent from here, or else shown by a list', () => {
  const db = openDb(`${aFolder()}/workspace.db`);
  // The seventh step made the ledger.
  const before = 6;
  db.tx(() => {
    for (const step of migrations().slice(0, before)) step(db);
    db.exec(`PRAGMA user_version = ${before}; PRAGMA application_id = ${APPLICATION_ID}`);
  });
  for (const [id, remoteId] of [
    [1, '77'],
    [2, '78'],
    [3, null],
  ] as const) {
    db.run(`INSERT INTO campaign(id, campaign_id, name, remote_id) VALUES (?, ?, 'C', ?)`, id, id, remoteId);
  }
  db.run(`INSERT INTO outbox_batch(id, kind, verb, method, path, attempt, epoch, correlation_id, body, body_sha256, sent_at,
    last_moment_at) VALUES (1, 'campaign', 'create', 'POST', '/api/v1/campaigns', 1, 1, 'c', '[]', '', 0, 0)`);
  db.run(
    `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent) VALUES (1, 0, ?, 1, 'create', 'DONE', '{}')`,
    kindCode('campaign'),
  );
  migrate(db);
  expect(listRemoteIds(db, 0, 10, '').ids.map(({ id, source, at }) => [id, source, at])).toEqual([
    ['77', 'made', null],
    ['78', 'list', null],
  ]);
  db.close();
});

test('what is salvaged of a damaged file has an entry for every id, though the ledger itself was lost', () => {
  const store = aStore();
  taken(store, '77', ['88']);
  store.db.exec('DELETE FROM known_id');
  const file = store.db.get(`SELECT file FROM pragma_database_list WHERE name = 'main'`)?.[0];
  store.db.close();
  const target = `${aFolder()}/salvaged.db`;
  expect(recoverData(String(file), target).ok).toBe(true);
  const saved = openDb(target, { readOnly: true });
  expect(listRemoteIds(saved, 0, 10, '').ids.map(({ kind, id }) => [kind, id])).toEqual([
    ['campaign', '77'],
    ['adGroup', '88'],
  ]);
  saved.close();
});
