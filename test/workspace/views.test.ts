import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createViews } from '../../main/store/reader/views.ts';
import type { CreateRow } from '../../main/store/types.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { runs } from '../share.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { aSmallCampaign, create, done } from './a-workspace.ts';

const spec = (changes: Partial<ViewSpec> = {}): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

const manyKeywords = (bids: readonly number[], texts: readonly string[]): readonly CreateRow[] => [
  ...aSmallCampaign(),
  ...bids.map((bid, i) =>
    create('keyword', { at: 1 }, { text: texts[i % texts.length] ?? 'x', matchType: 'exact', bid }),
  ),
];

/** All ids of a view, read window by window. */
function idsOf(store: OwnStore, view: ViewSpec, size = 7): number[] {
  const views = createViews(store.db);
  const { viewId, length } = done(views.open(view));
  const ids: number[] = [];
  for (let from = 0; from < length; from += size) {
    for (const row of views.read(viewId, from, size)?.rows ?? []) ids.push(row.id);
  }
  return ids;
}

test('a view is what a plain query says, whatever the sort', () => {
  const bids = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 40 });
  const texts = fc.array(fc.constantFrom('apple', 'Äpfel', 'äpfel', 'Zebra', 'zoo  keeper', 'ﬁg'), { minLength: 1 });
  fc.assert(
    fc.property(bids, texts, fc.boolean(), (someBids, someTexts, descending) => {
      const store = aStore();
      createAll(store, manyKeywords(someBids, someTexts));
      const way = descending ? 'DESC' : 'ASC';
      for (const [column, sql] of [
        ['bid', `bid ${way}, id ${way}`],
        ['text', `sort_key ${way}, id ${way}`],
      ] as const) {
        const plain = store.db.all(`SELECT id FROM keyword ORDER BY ${sql}`).map((row) => row[0]);
        expect(idsOf(store, spec({ sort: [{ column, descending }] }))).toEqual(plain);
      }
      store.db.close();
    }),
    { numRuns: runs(20, 8) },
  );
});

test('words are found in any case and spelling of the letters, phrases as they stand', () => {
  const store = aStore();
  createAll(store, manyKeywords([1, 2, 3], ['Grüne ÄPFEL', 'grüne birnen', '100% cotton']));
  const found = (filter: string) => {
    const ids = new Set(idsOf(store, spec({ filter })));
    return store.db
      .all('SELECT id, text FROM keyword ORDER BY id')
      .filter((row) => ids.has(Number(row[0])))
      .map((row) => row[1]);
  };
  expect(found('äpfel')).toEqual(['Grüne ÄPFEL']);
  expect(found('GRÜNE')).toEqual(['Grüne ÄPFEL', 'grüne birnen']);
  expect(found('"grüne birnen"')).toEqual(['grüne birnen']);
  expect(found('birnen grüne')).toEqual(['grüne birnen']);
  expect(found('0%')).toEqual(['100% cotton']);
  expect(found('_')).toEqual([]);
});

test('a phrase that is not closed is answered with its place', () => {
  const views = createViews(aStore().db);
  expect(views.open(spec({ filter: 'mug "blue' }))).toMatchObject({ ok: false, error: { at: 4 } });
});

test('rows keep their place while the sorted column is edited, and the view says it is stale', () => {
  const store = aStore();
  const refs = createAll(store, manyKeywords([10, 20, 30], ['a', 'b', 'c']));
  const views = createViews(store.db);
  const { viewId } = done(views.open(spec({ sort: [{ column: 'bid', descending: false }] })));
  const before = views.read(viewId, 0, 10);
  const cheapest = refs[5];
  if (cheapest === undefined) throw new Error('no row');
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...cheapest, field: 'bid', value: 9999 }] }));
  const after = views.read(viewId, 0, 10);
  expect(before?.stale).toBe(false);
  expect(after?.stale).toBe(true);
  expect(after?.rows.map((row) => row.id)).toEqual(before?.rows.map((row) => row.id));
  expect(after?.rows[0]?.cells).toContain(9999);
});

test('new rows are appended, removed ones leave, and undo brings them back at the end', () => {
  const store = aStore();
  const refs = createAll(store, manyKeywords([30, 20, 10], ['a', 'b', 'c']));
  const views = createViews(store.db);
  const { viewId } = done(views.open(spec({ filter: 'a', sort: [{ column: 'bid', descending: false }] })));
  const texts = () => views.read(viewId, 0, 20)?.rows.map((row) => row.cells[0]);
  expect(texts()).toEqual(['a', 'Paper Towel']);
  const group = refs[1];
  const first = refs[5];
  if (group === undefined || first === undefined) throw new Error('no rows');
  createAll(store, [
    create('keyword', { id: group.id }, { text: 'banana' }),
    create('keyword', { id: group.id }, { text: 'kiwi' }),
  ]);
  expect(texts()).toEqual(['a', 'Paper Towel', 'banana']);
  done(store.apply({ label: 'Remove', source: 'user', deletes: [first] }));
  expect(texts()).toEqual(['Paper Towel', 'banana']);
  store.step('undo');
  expect(texts()).toEqual(['Paper Towel', 'banana', 'a']);
});

test('only what is changed, held, wrong or disputed is listed on request', () => {
  const store = aStore();
  const refs = createAll(store, manyKeywords([10, 20, 30], ['a', 'b', 'c']));
  acceptAll(store, refs);
  const [a, b, c] = refs.slice(5);
  if (a === undefined || b === undefined || c === undefined) throw new Error('no rows');
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...a, field: 'bid', value: 11 }] }));
  store.hold([b], true);
  const row = store.readRow(a);
  const parents = { campaignId: null, adGroupId: row?.adGroupId ?? null };
  store.mergeRemoteRows([{ kind: 'keyword', remoteId: row?.remoteId ?? null, ...parents, values: { bid: 12 } }]);
  store.setRefusal(c, 'Keyword is not allowed.');
  expect(idsOf(store, spec({ only: 'changed' }))).toEqual([a.id]);
  expect(idsOf(store, spec({ only: 'held' }))).toEqual([b.id]);
  expect(idsOf(store, spec({ only: 'conflicts' }))).toEqual([a.id]);
  expect(idsOf(store, spec({ only: 'rejected' }))).toEqual([c.id]);
});

test('windows are what a plain query over the effective rows says, whatever filter, sort and group', () => {
  const columns = [
    ['bid', 'k.bid'],
    ['text', 'k.sort_key'],
    ['matchType', 'k.matchType'],
    ['reviewStatus', 'k.reviewStatus'],
    ['campaignName', 'c.sort_key, k.campaign_id, k.ad_group_id'],
    ['dirty', '(k.dirty <> 0)'],
  ] as const;
  const filters = [
    ['', 'true'],
    ['bid>1', 'k.bid > 100'],
    ['-towel', `NOT (k.sort_key LIKE '%towel%' OR c.sort_key LIKE '%towel%')`],
    ['matchType:exact', 'k.matchType = 0'],
    ['changed:yes', 'k.dirty & ~4194304 <> 0'],
    ['reviewStatus:none', 'k.reviewStatus IS NULL'],
  ] as const;
  const store = aStore();
  const refs = createAll(store, [
    ...manyKeywords([90, 110, 130, 90, 110, 250], ['paper towel', 'Roll', 'tea']),
    ...aSmallCampaign('Alpha').map((row) =>
      row.parent !== null && 'at' in row.parent ? { ...row, parent: { at: row.parent.at + 11 } } : row,
    ),
  ]);
  acceptAll(store, refs.slice(0, 8));
  const words = ['pending', 'approved', 'rejected', null] as const;
  const reviewed = refs.filter((ref) => ref.kind === 'keyword');
  store.setServiceFields(
    reviewed.map((ref, i) => ({ ...ref, field: 'reviewStatus', value: words[i % words.length] ?? null })),
  );
  const hits = { some: 0 };
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ at: fc.nat(columns.length - 1), descending: fc.boolean() }), {
        selector: ({ at }) => at,
        maxLength: 3,
      }),
      fc.nat(filters.length - 1),
      fc.boolean(),
      fc.record({ row: fc.nat(8), bid: fc.integer({ min: 80, max: 140 }) }),
      (sort, which, isGrouped, { row, bid }) => {
        const edited = reviewed[row];
        if (edited !== undefined) {
          store.apply({ label: 'Bid', source: 'user', updates: [{ ...edited, field: 'bid', value: bid }] });
        }
        const [filter, where] = filters[which] ?? ['', 'true'];
        const terms = sort.flatMap(({ at, descending }) =>
          (columns[at]?.[1] ?? '').split(/, (?![^(]*\))/u).map((term) => `${term} ${descending ? 'DESC' : 'ASC'}`),
        );
        const last = sort.at(-1)?.descending === true ? 'DESC' : 'ASC';
        const order = [...(isGrouped ? ['c.sort_key', 'k.campaign_id'] : []), ...terms, `k.id ${last}`].join(', ');
        const plain = store.db.all(
          `SELECT k.id FROM keyword k JOIN campaign c ON c.id = k.campaign_id WHERE ${where} ORDER BY ${order}`,
        );
        const view = spec({
          filter,
          sort: sort.map(({ at, descending }) => ({ column: columns[at]?.[0] ?? '', descending })),
          ...(isGrouped ? { group: 'campaign' } : {}),
        });
        expect(idsOf(store, view, 3)).toEqual(plain.map(([id]) => id));
        hits.some += Number(plain.length > 0);
      },
    ),
    { numRuns: 200 },
  );
  expect(hits.some).toBeGreaterThan(50);
});

test('going back to an order that was looked at before does not show what was there before an edit', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const views = createViews(store.db);
  const byBid = spec({ sort: [{ column: 'bid', descending: false }] });
  const byMatch = spec({ sort: [{ column: 'matchType', descending: true }] });
  const [first, second] = refs.slice(3);
  if (first === undefined || second === undefined) throw new Error('two keywords');
  const shown = (view: ViewSpec) => views.read(done(views.open(view)).viewId, 0, 9)?.rows.map((row) => row.id);
  expect([shown(byBid), shown(byMatch)]).toEqual([
    [first.id, second.id],
    [second.id, first.id],
  ]);
  expect(shown(byBid)).toEqual([first.id, second.id]);
  done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...first, field: 'bid', value: 900 }] }));
  expect([shown(byBid), shown(byMatch)]).toEqual([
    [second.id, first.id],
    [second.id, first.id],
  ]);
});
