import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDuplicates } from '../../main/store/reader/duplicates.ts';
import { createViews } from '../../main/store/reader/views.ts';
import { readWindowRows } from '../../main/store/rows/window-rows.ts';
import { tableOf } from '../../main/store/schema/tables.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { DuplicateGroup } from '../../shared/api/views.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { normalizedText } from '../../shared/model/text.ts';
import { parseSearch } from '../../shared/search/parse-search.ts';
import { compilePredicate } from '../../shared/search/predicate.ts';
import { runs } from '../share.ts';
import { acceptAll, aSmallCampaign, aStore, create, createAll, done } from './a-workspace.ts';

/** Keywords in two campaigns: with and without bids, new, changed, held, deleted, refused, disputed, in doubt. */
function aVariedStore(): OwnStore {
  const store = aStore();
  const refs = createAll(store, [
    ...aSmallCampaign('Bath Textiles'),
    ...['Blue  Mug', 'grüne ÄPFEL', '100% cotton', 'paper_towel', 'x'].map((text, i) =>
      create(
        'keyword',
        { at: 1 },
        { text, matchType: i % 2 === 0 ? 'exact' : 'broad', ...(i === 2 ? {} : { bid: 50 * i }) },
      ),
    ),
  ]);
  acceptAll(store, refs);
  createAll(store, aSmallCampaign('Kitchen'));
  const [a, b, c, d, e] = refs.slice(5);
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined)
    throw new Error('no rows');
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...a, field: 'bid', value: 11 }] }));
  const disputed = store.readRow(a);
  store.mergeRemoteRows([
    { kind: 'keyword', remoteId: disputed?.remoteId ?? null, campaignId: null, adGroupId: null, values: { bid: 12 } },
  ]);
  store.hold([b], true);
  done(store.apply({ label: 'Remove', source: 'user', deletes: [c] }));
  store.setRefusal(d, 'Keyword is not allowed.');
  store.setServiceFields([{ ...e, field: 'reviewStatus', value: 'rejected' }]);
  store.db.run(`INSERT INTO outbox_batch(id, kind, verb, method, path, attempt, epoch, correlation_id, body, body_sha256,
    sent_at, last_moment_at) VALUES (1, 'keyword', 'update', 'PUT', '/', 0, 0, 'c', '', '', 0, 0)`);
  store.db.run(
    `INSERT INTO outbox_op(batch_id, idx, kind, row_id, verb, state, sent) VALUES (1, 0, 3, ?, 'update', 'IN_DOUBT', '{}')`,
    d.id,
  );
  return store;
}

const leaf = fc.constantFrom(
  '"blue mug"',
  ...'mug äpfel % _ bath text:towel text=x text!=x text<m bid<60 bid>=50 bid=0.50 bid!=1 bid:none'.split(' '),
  ...'bid!=none matchType:exact matchType!=exact matchType:exact,broad reviewStatus:rejected'.split(' '),
  ...'reviewStatus:none campaign:kitchen changed:yes new:yes held:no is:deleted is:conflict'.split(' '),
  ...'is:in-doubt is:refused is:question error:yes warning:no advice:yes id:900006'.split(' '),
);
const search = fc
  .array(fc.tuple(fc.constantFrom('', '-', 'OR '), leaf), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([prefix, text], i) => (i === 0 && prefix === 'OR ' ? text : prefix + text)).join(' '));

test('a search finds the same rows in the tables as in memory', () => {
  const store = aVariedStore();
  const table = tableOf('keyword');
  const rows = store.db.all('SELECT id FROM keyword ORDER BY id').map((row) => Number(row[0]));
  const shown = readWindowRows(store.db, table, rows);
  const views = createViews(store.db);
  const hits = { some: 0, none: 0 };
  fc.assert(
    fc.property(search, (filter) => {
      const matches = compilePredicate(done(parseSearch(filter, 'keyword')), 'keyword');
      const expected = shown.filter((window) => {
        const row = store.readRow({ kind: 'keyword', id: asRowId(window.id) });
        return (
          row !== null &&
          matches({ row, campaignName: window.campaignName, severity: window.severity, outbox: window.outbox })
        );
      });
      const spec = { kind: 'keyword', filter, sort: [], campaignId: null, only: 'all' } as const;
      const { viewId } = done(views.open({ ...spec, sort: [] }));
      const found = views.read(viewId, 0, 100)?.rows.map((row) => row.id);
      expect(found).toEqual(expected.map((row) => row.id));
      hits[expected.length === 0 ? 'none' : 'some']++;
    }),
    { numRuns: runs(400) },
  );
  expect(hits.some).toBeGreaterThan(runs(50, 10));
});

test('a filter may have as many conditions as its text has room for', () => {
  const store = aVariedStore();
  const views = createViews(store.db);
  const bids = Array.from({ length: 400 }, (_, at) => at / 100);
  const filters = [Array(1000).fill('e').join(' '), `bid:${bids.join(',')}`, Array(400).fill('e').join(' OR ')];
  const found = filters.map((filter) => {
    expect(filter.length).toBeLessThanOrEqual(2000);
    const { viewId } = done(views.open({ kind: 'keyword', filter, sort: [], campaignId: null, only: 'all' }));
    return views.read(viewId, 0, 100)?.rows.length;
  });
  expect(found).toEqual([9, 8, 9]);
});

interface Written {
  readonly campaign: 0 | 1;
  readonly text: string;
  readonly matchType: 'exact' | 'broad';
}

const profile = defaultDeploymentSettings('shop.example');
const group = (name: string, at: number) => [
  create('campaign', null, { name, campaignType: 'sponsoredProducts', targetingType: 'manual' }),
  create('adGroup', { at }, { name: `${name} group` }),
];

/** Two campaigns with these keywords. */
function storeWith(keywords: readonly Written[]): OwnStore {
  const store = aStore();
  createAll(store, [
    ...group('Pots', 0),
    ...group('Pans', 2),
    ...keywords.map(({ campaign, text, matchType }) =>
      create('keyword', { at: campaign * 2 + 1 }, { text, matchType, bid: 100, state: 'enabled' }),
    ),
  ]);
  return store;
}

const texts = ({ rows }: DuplicateGroup): readonly string[] => rows.map(({ text }) => text);

test.each([
  ['Red-Pot', 'red pot'],
  ['red,  pot!', 'red pot'],
  ["pot's lid", 'pots lid'],
  ['Grüne ÄPFEL', 'grüne äpfel'],
  ['redpot', 'redpot'],
  ['!!!', '!!!'],
])('"%s" is the same as "%s" for a shopper', (text, key) => expect(normalizedText(text)).toBe(key));

test('within an ad group case, blanks and signs do not tell keywords apart, match types and groups do', async () => {
  const store = storeWith([
    { campaign: 0, text: 'Red-Pot', matchType: 'exact' },
    { campaign: 0, text: 'red pot', matchType: 'exact' },
    { campaign: 0, text: 'red pot', matchType: 'broad' },
    { campaign: 1, text: 'red pot', matchType: 'exact' },
  ]);
  const own = await findDuplicates(store.db, profile, { kind: 'keyword', within: 'adGroup', campaignId: null });
  expect(own.groups.map(texts)).toEqual([['Red-Pot', 'red pot']]);
  expect(own).toMatchObject({ total: 1, rows: 2, distinctMax: 200, groups: [{ matchType: 'exact', count: 2 }] });
  expect(
    own.fullness.map(({ distinct }) => distinct),
    'the service tells signs apart',
  ).toEqual([2]);
  const all = await findDuplicates(store.db, profile, { kind: 'keyword', within: 'account', campaignId: null });
  expect(all.groups.map(texts)).toEqual([['Red-Pot', 'red pot', 'red pot']]);
  expect(all.groups[0]?.rows.map(({ campaignName }) => campaignName)).toEqual(['Pots', 'Pots', 'Pans']);
  store.db.close();
});

test('what is found is what comparing every row with every other finds', async () => {
  const written = fc.record({
    campaign: fc.constantFrom(0 as const, 1 as const),
    text: fc.constantFrom('pot', 'Pot', 'pot!', 'pan', 'pan lid', 'pan-lid', 'wok', ' '),
    matchType: fc.constantFrom('exact' as const, 'broad' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(written, { maxLength: 30 }), fc.boolean(), async (keywords, everywhere) => {
      const store = storeWith(keywords);
      const within = everywhere ? 'account' : 'adGroup';
      const found = await findDuplicates(store.db, profile, { kind: 'keyword', within, campaignId: null });
      const same = (a: Written, b: Written): boolean =>
        a !== b &&
        normalizedText(a.text) !== '' &&
        normalizedText(a.text) === normalizedText(b.text) &&
        a.matchType === b.matchType &&
        (everywhere || a.campaign === b.campaign);
      const expected = keywords.filter((one) => keywords.some((other) => same(one, other))).map(({ text }) => text);
      expect(found.groups.flatMap(texts).toSorted()).toEqual(expected.toSorted());
      expect(found.rows).toBe(expected.length);
      store.db.close();
    }),
    { numRuns: runs(40, 15) },
  );
});

test('what is archived or deleted on the service is no duplicate of what replaced it', async () => {
  const store = aStore();
  const refs = createAll(store, [
    ...group('Pots', 0),
    ...['archived', 'enabled', 'paused'].map((state) =>
      create('keyword', { at: 1 }, { text: state === 'paused' ? 'pan' : 'pot', matchType: 'exact', state }),
    ),
    create('keyword', { at: 1 }, { text: 'pan', matchType: 'exact', state: 'enabled' }),
    ...['deleted', 'enabled'].map((status) => create('adItem', { at: 1 }, { itemId: '77', status })),
  ]);
  acceptAll(store, refs);
  const found = async (kind: 'keyword' | 'adItem') =>
    (await findDuplicates(store.db, profile, { kind, within: 'account', campaignId: null })).groups.map(texts);
  expect(await found('keyword')).toEqual([['pan', 'pan']]);
  expect(await found('adItem')).toEqual([]);
  store.db.close();
});

test('the same item twice is found by its id', async () => {
  const store = aStore();
  const item = (at: number, itemId: string) => create('adItem', { at }, { itemId, bid: 40 });
  createAll(store, [...group('Pots', 0), ...group('Pans', 2), item(1, '77'), item(3, '77'), item(3, '78')]);
  const found = await findDuplicates(store.db, profile, { kind: 'adItem', within: 'account', campaignId: null });
  expect(found.groups.map(texts)).toEqual([['77', '77']]);
  expect(found.fullness).toEqual([]);
  store.db.close();
});
