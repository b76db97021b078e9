import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CreateRow } from '../../main/workspace/port.ts';
import { createViews } from '../../main/workspace/reader/views.ts';
import type { OwnStore } from '../../main/workspace/writer/create-store.ts';
import type { ViewSpec } from '../../shared/contract/workspace.ts';
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
    { numRuns: 20 },
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
