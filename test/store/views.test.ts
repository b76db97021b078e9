import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricKey, rowMetricsOf, wantedMetrics } from '../../main/store/reader/row-metrics.ts';
import { createViews } from '../../main/store/reader/views.ts';
import type { CreateRow } from '../../main/store/types.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import { editText } from '../../renderer/app/locale/cells.ts';
import { localeOf } from '../../renderer/app/locale/locale.ts';
import { cellText, columnsOf, lockOf } from '../../renderer/grid/columns.ts';
import { pasteChanges } from '../../renderer/grid/edits.ts';
import type { ViewSpec, WindowRow } from '../../shared/api/workspace.ts';
import { parseCell } from '../../shared/model/cell-text.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { NEW } from '../../shared/model/row.ts';
import { ok } from '../../shared/result.ts';
import { endTsv, formatTsv, parseTsv } from '../../shared/spreadsheet/tsv.ts';
import { runs } from '../share.ts';
import { aView } from './a-view.ts';
import { acceptAll, aSmallCampaign, aStore, at, aWorkspace, create, createAll, done, pick } from './a-workspace.ts';
import { call } from './call.ts';

describe('views', () => {
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

  test('words are found in any case and spelling of the letters, phrases as they stand', () => {
    const store = aStore();
    createAll(store, manyKeywords([1, 2, 3], ['Grüne ÄPFEL', 'grüne birnen', '100% cotton']));
    const found = (filter: string) => {
      const ids = new Set(idsOf(store, aView({ filter })));
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
    expect(views.open(aView({ filter: 'mug "blue' }))).toMatchObject({ ok: false, error: { at: 4 } });
  });

  test('rows keep their place while the sorted column is edited, and the view says it is stale', () => {
    const store = aStore();
    const refs = createAll(store, manyKeywords([10, 20, 30], ['a', 'b', 'c']));
    const views = createViews(store.db);
    const { viewId } = done(views.open(aView({ sort: [{ column: 'bid', descending: false }] })));
    const before = views.read(viewId, 0, 10);
    const cheapest = at(refs, 5);
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
    const { viewId } = done(views.open(aView({ filter: 'a', sort: [{ column: 'bid', descending: false }] })));
    const texts = () => views.read(viewId, 0, 20)?.rows.map((row) => row.cells[0]);
    expect(texts()).toEqual(['a', 'Paper Towel']);
    const [group, first] = pick(refs, 1, 5);
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
    const [a, b, c] = pick(refs.slice(5), 0, 1, 2);
    done(store.apply({ label: 'Bid', source: 'user', updates: [{ ...a, field: 'bid', value: 11 }] }));
    store.hold([b], true);
    const row = store.readRow(a);
    const parents = { campaignId: null, adGroupId: row?.adGroupId ?? null };
    store.mergeRemoteRows([{ kind: 'keyword', remoteId: row?.remoteId ?? null, ...parents, values: { bid: 12 } }]);
    store.setRefusal(c, 'Keyword is not allowed.');
    expect(idsOf(store, aView({ only: 'changed' }))).toEqual([a.id]);
    expect(idsOf(store, aView({ only: 'held' }))).toEqual([b.id]);
    expect(idsOf(store, aView({ only: 'conflicts' }))).toEqual([a.id]);
    expect(idsOf(store, aView({ only: 'rejected' }))).toEqual([c.id]);
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
          const view = aView({
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

  test('campaigns stand in the order of the numbers in their names, in their list and as groups and a column', () => {
    const store = aStore();
    const creates = ['Campaign 10', 'Campaign 2', 'campaign 100', 'Campaign 1'].flatMap((name, at) =>
      aSmallCampaign(name).map((row) =>
        row.parent !== null && 'at' in row.parent ? { ...row, parent: { at: row.parent.at + 5 * at } } : row,
      ),
    );
    createAll(store, creates);
    const views = createViews(store.db);
    const names = (view: ViewSpec): readonly string[] => {
      const opened = done(views.open(view, 0, 50));
      const read = views.read(opened.viewId, 0, 50)?.rows ?? [];
      expect(opened.rows.map(({ id }) => id)).toEqual(read.map(({ id }) => id));
      const nameOf = (id: number) => store.db.get('SELECT name FROM campaign WHERE id = ?', id)?.[0];
      return [...new Set(read.map(({ id, campaignId }) => String(nameOf(campaignId ?? id))))];
    };
    const inOrder = ['Campaign 1', 'Campaign 2', 'Campaign 10', 'campaign 100'];
    expect(names(aView({ kind: 'campaign', sort: [{ column: 'name', descending: false }] }))).toEqual(inOrder);
    expect(names(aView({ kind: 'campaign', sort: [{ column: 'name', descending: true }] }))).toEqual(
      inOrder.toReversed(),
    );
    expect(names(aView({ group: 'campaign' }))).toEqual(inOrder);
    expect(names(aView({ group: 'campaign', sort: [{ column: 'bid', descending: true }] }))).toEqual(inOrder);
    expect(names(aView({ sort: [{ column: 'campaignName', descending: true }] }))).toEqual(inOrder.toReversed());
  });

  test('groups belong to the rows of one moment, whatever is deleted while they are added up', async () => {
    const store = aStore();
    const refs = createAll(store, aSmallCampaign('A'));
    createAll(store, aSmallCampaign('B'));
    const views = createViews(store.db);
    const { viewId } = done(views.open(aView({ group: 'campaign', sort: [{ column: 'bid', descending: false }] })));
    const adding = views.groups(viewId, 0, 10, null);
    done(store.apply({ label: 'Delete', source: 'user', deletes: [at(refs, 3)] }));
    views.read(viewId, 0, 10);
    expect((await adding)?.groups).toMatchObject([
      { name: 'A', count: 2 },
      { name: 'B', from: 2, count: 2, totals: [{ field: 'bid', count: 2 }] },
    ]);
  });

  test('going back to an order that was looked at before does not show what was there before an edit', () => {
    const store = aStore();
    const refs = createAll(store, aSmallCampaign());
    const views = createViews(store.db);
    const byBid = aView({ sort: [{ column: 'bid', descending: false }] });
    const byMatch = aView({ sort: [{ column: 'matchType', descending: true }] });
    const [first, second] = pick(refs.slice(3), 0, 1);
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
});

describe('view totals', () => {
  test('bids of a view are averaged, whatever narrows it, and rows on their way out are left out', async () => {
    const bids = fc.array(fc.record({ bid: fc.option(fc.integer({ min: 2, max: 900 })), isGone: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(bids, fc.constantFrom('', 'bid>=1.00', 'word'), async (rows, filter) => {
        const store = aStore();
        const keywords = rows.map(({ bid }, i) =>
          create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact', ...(bid === null ? {} : { bid }) }),
        );
        const refs = createAll(store, [...aSmallCampaign().slice(0, 2), ...keywords]);
        acceptAll(store, refs);
        const deletes = refs.slice(2).filter((_, i) => rows[i]?.isGone === true);
        if (deletes.length > 0) done(store.apply({ label: 'Delete', source: 'user', deletes }));
        const kept = rows.flatMap(({ bid, isGone }) => (isGone || bid === null ? [] : [bid]));
        const counted = filter === 'bid>=1.00' ? kept.filter((bid) => bid >= 100) : kept;
        const sum = counted.reduce((total, bid) => total + bid, 0);
        const views = createViews(store.db);
        const { viewId } = done(views.open(aView({ filter })));
        expect(await views.totals(viewId)).toEqual([
          {
            field: 'bid',
            of: 'average',
            count: counted.length,
            value: counted.length === 0 ? null : Math.round(sum / counted.length),
          },
        ]);
        store.db.close();
      }),
      { numRuns: runs(25, 10) },
    );
  });

  test('budgets of a view are added up, rows that came since it was opened among them', async () => {
    const workspace = await aWorkspace();
    const campaign = (name: string, dailyBudget: number) =>
      create('campaign', null, { name, campaignType: 'sponsoredProducts', dailyBudget });
    const make = async (...creates: ReturnType<typeof campaign>[]) =>
      done(await workspace.apply({ label: 'Make', source: 'user', creates }));
    await make(campaign('One', 5000), campaign('Two', 7000));
    const { viewId } = done(await workspace.openView(aView({ kind: 'campaign' })));
    const dailyOf = async () => (await workspace.viewTotals(viewId))?.find(({ field }) => field === 'dailyBudget');
    expect(await dailyOf()).toMatchObject({ of: 'sum', count: 2, value: 12_000 });
    await make(campaign('Three', 100));
    expect(await dailyOf()).toMatchObject({ count: 3, value: 12_100 });
    // An amount that no row has is unknown, and no zero.
    expect(await workspace.viewTotals(viewId)).toContainEqual({
      field: 'totalBudget',
      of: 'sum',
      count: 0,
      value: null,
    });
  });

  test('the size of a view is the number of its rows, and values of a column add up to it', async () => {
    const workspace = await aWorkspace();
    const bidOf = { Pot: 100, pot: 200, 'two pots': 200, lid: 300 };
    const creates = [
      ...aSmallCampaign(),
      ...Object.entries(bidOf).map(([text, bid]) => create('keyword', { at: 1 }, { text, matchType: 'exact', bid })),
    ];
    done(await workspace.apply({ label: 'Make', source: 'user', creates }));
    const filters = ['', 'bid>1.50', 'pot', 'bid>', 'matchType:exact -text:lid'];
    const opened = await Promise.all(filters.map((filter) => workspace.openView(aView({ filter }))));
    const lengths = opened.map((view) => (view.ok ? view.value.length : null));
    expect(await call(workspace, 'views', 'sizes', { views: filters.map((filter) => aView({ filter })) })).toEqual(
      ok({ sizes: lengths }),
    );
    expect(lengths[3]).toBeNull();
    for (const [i, filter] of filters.entries()) {
      for (const field of ['text', 'bid', 'matchType', 'path']) {
        const found = await call(workspace, 'views', 'values', { view: aView({ filter }), field, words: '' });
        expect(found.ok ? found.value.rows : null).toBe(lengths[i]);
      }
    }
    const bids = done(await call(workspace, 'views', 'values', { view: aView(), field: 'bid', words: '' }));
    expect(bids.values.find(({ value }) => value === 200)).toEqual({ value: 200, count: 2 });
    // As a filter, too, texts that differ in case alone are the same.
    const texts = done(await call(workspace, 'views', 'values', { view: aView(), field: 'text', words: 'pot' }));
    expect(texts.values.map(({ count }) => count)).toEqual([2, 1]);
    expect(await call(workspace, 'views', 'values', { view: aView(), field: 'color', words: '' })).toMatchObject({
      ok: false,
    });
  });

  test('a kind without money has no totals, and a closed view has none to tell', async () => {
    const workspace = await aWorkspace();
    const { viewId } = done(await workspace.openView(aView({ kind: 'adGroup' })));
    expect(await workspace.viewTotals(viewId)).toEqual([]);
    await workspace.closeView(viewId);
    expect(await workspace.viewTotals(viewId)).toBeNull();
  });
});

const COLUMNS = columnsOf('keyword', true).filter(({ figure }) => figure === null);
const FIELDS = COLUMNS.map(({ field }) => field);
const typed = fc
  .string({ unit: fc.constantFrom('a', '"', "'", ',', ' ', 'é', '='), minLength: 1, maxLength: 6 })
  .map((text) => parseCell('keyword', 'text', text))
  .filter((read) => read.ok && read.value !== null)
  .map((read) => String(done(read)));
const keywords = fc.array(
  fc.record({
    text: typed,
    matchType: fc.option(fc.constantFrom('exact', 'broad', 'phrase')),
    bid: fc.option(fc.integer({ min: 0, max: 2_000_000 })),
  }),
  { minLength: 1, maxLength: 12 },
);

function shown(rows: readonly Readonly<Record<string, string | number | null>>[]) {
  const store = aStore();
  const creates = rows.map((values) => create('keyword', { at: 1 }, values));
  createAll(store, [...aSmallCampaign().slice(0, 2), ...creates]);
  const views = createViews(store.db);
  const spec = { kind: 'keyword' as const, filter: '', sort: [], campaignId: null, only: 'all' as const };
  const { viewId } = done(views.open(spec));
  const inParts = (size: number, decimal: string): string => {
    const parts: string[] = [];
    for (let from = 0; from < rows.length; from += size) {
      const part = views.text(viewId, from, size, { columns: FIELDS, decimal, withIds: false });
      if (part === null) throw new Error('The view is closed.');
      expect(done(part)).toMatchObject({ length: rows.length, rows: Math.min(size, rows.length - from) });
      parts.push(done(part).lines);
    }
    return endTsv(parts.join('\n'));
  };
  return { store, views, viewId, inParts, window: views.read(viewId, 0, rows.length)?.rows ?? [] };
}

const textOf = (row: WindowRow, tag: string): readonly string[] =>
  COLUMNS.map((column) => {
    const { cell, field } = column;
    if (cell === null) return cellText('keyword', column, row, new Map());
    return editText('keyword', field, row.cells[cell] ?? null, localeOf(tag));
  });

test('lines of a view, in parts of any size, are what the window copies of its rows, in any language', () => {
  fc.assert(
    fc.property(keywords, fc.integer({ min: 1, max: 5 }), fc.constantFrom('en-GB', 'de-DE'), (rows, size, tag) => {
      const { store, inParts, window } = shown(rows);
      expect(inParts(size, localeOf(tag).style.decimal)).toBe(formatTsv(window.map((row) => textOf(row, tag))));
      store.db.close();
    }),
    { numRuns: runs(60, 15) },
  );
});

test('what is copied is what is pasted: each cell that can be edited is as it was', () => {
  fc.assert(
    fc.property(keywords, (rows) => {
      const { store, inParts, window } = shown(rows);
      const blank = window.map((row) => ({ ...row, dirty: NEW, cells: row.cells.map(() => null) }));
      const pasted = pasteChanges('keyword', parseTsv(inParts(5, '.')), COLUMNS, 0, blank);
      const expected = window.flatMap((row, at) =>
        COLUMNS.flatMap((column) =>
          lockOf(column, blank[at] ?? row) === null && column.cell !== null
            ? [{ kind: 'keyword', id: row.id, field: column.field, value: row.cells[column.cell] ?? null }]
            : [],
        ),
      );
      expect(expected.length).toBeGreaterThan(0);
      expect(pasted).toMatchObject({ changes: expected, misfits: 0 });
      store.db.close();
    }),
    { numRuns: runs(30, 10) },
  );
});

test('a column without a name stays empty, and the IDs of the rows come along if they are asked for', () => {
  const { store, views, viewId } = shown([{ text: 'kettle', bid: 125 }, { text: 'a "pan"\tor two' }]);
  store.db.run(`UPDATE keyword SET remote_id = '77' WHERE "text" = 'kettle'`);
  const wish = { columns: ['', 'text', '', 'bid'], decimal: '.' };
  const [first, second] = views.read(viewId, 0, 2)?.rows ?? [];
  expect(views.text(viewId, 0, 2, { ...wish, withIds: true })).toMatchObject({
    ok: true,
    value: {
      lines: '\tkettle\t\t1.25\n\t"a ""pan""\tor two"\t\t',
      ids: [
        { id: first?.id, remoteId: '77' },
        { id: second?.id, remoteId: null },
      ],
    },
  });
  expect(views.text(viewId, 0, 2, { ...wish, withIds: false })).toMatchObject({ value: { rows: 2, ids: [] } });
  store.db.close();
});

test('every column of a list that is no metric can be copied', () => {
  const { store, views } = shown([{ text: 'kettle' }]);
  for (const kind of KINDS) {
    const spec = { kind, filter: '', sort: [], campaignId: null, only: 'all' as const };
    const { viewId } = done(views.open(spec));
    const columns = columnsOf(kind, kind !== 'campaign' && kind !== 'media').flatMap(({ field, figure }) =>
      figure === null ? [field] : [],
    );
    expect(views.text(viewId, 0, 5, { columns, decimal: '.', withIds: false }), kind).toMatchObject({ ok: true });
  }
  store.db.close();
});

test('a column that the rows do not have is named, and a view that is closed has no text', () => {
  const { store, views, viewId } = shown([{ text: 'kettle' }]);
  expect(views.text(viewId, 0, 1, { columns: ['text', 'colour'], decimal: '.', withIds: false })).toEqual({
    ok: false,
    error: { code: 'BAD_FILTER', data: { at: 0, problem: 'There is no column colour.' } },
  });
  views.close(viewId);
  expect(views.text(viewId, 0, 1, { columns: ['text'], decimal: '.', withIds: false })).toBeNull();
  store.db.close();
});

const byClicks = (changes: Partial<ViewSpec> = {}): ViewSpec =>
  aView({ sort: [{ column: 'metric.clicks', descending: true }], period: 'last-30', ...changes });

/** A store with keywords, and the clicks of each. */
function clickedKeywords(bids: readonly number[], clicks: readonly (number | null)[]) {
  const store = aStore();
  const keywords = bids.map((bid, i) => create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact', bid }));
  const group = aSmallCampaign().slice(0, 2);
  acceptAll(store, createAll(store, [...group, ...keywords]));
  const rows = store.db
    .all('SELECT id, bid FROM keyword ORDER BY id')
    .map(([id, bid], i) => ({ id: Number(id), bid, clicks: clicks[i] ?? null }));
  const values = new Float64Array(Math.max(...rows.map(({ id }) => id)) + 1).fill(Number.NaN);
  for (const { id, clicks } of rows) values[id] = clicks ?? Number.NaN;
  const views = createViews(store.db);
  const keep = (spec: ViewSpec, version = '1'): void => {
    for (const wanted of wantedMetrics(spec)) rowMetricsOf(store.db).keep(metricKey(wanted), version, values);
  };
  const idsOf = (spec: ViewSpec): number[] => {
    const { viewId, length } = done(views.open(spec));
    return (views.read(viewId, 0, length)?.rows ?? []).map((row) => row.id);
  };
  return { store, rows, values, keep, views, idsOf };
}

test('rows stand in the order of a metric, whichever way, and those without it stand last', () => {
  const plain = fc.integer({ min: -3, max: 9 });
  const wide = fc.oneof(plain, fc.maxSafeInteger(), fc.constantFrom(0.25, -0.5, 1e300));
  const clicks = fc.constantFrom(plain, wide).chain((of) => fc.array(fc.option(of), { minLength: 1, maxLength: 30 }));
  fc.assert(
    fc.property(clicks, fc.boolean(), fc.boolean(), (said, descending, isAlone) => {
      const { store, rows, keep, idsOf } = clickedKeywords(
        said.map((_, i) => 100 + (i % 3)),
        said,
      );
      const spec = byClicks({
        sort: [{ column: 'metric.clicks', descending }, ...(isAlone ? [] : [{ column: 'bid', descending: false }])],
      });
      keep(spec);
      const way = descending ? -1 : 1;
      const expected = rows.toSorted(
        (a, b) =>
          Number(a.clicks === null) - Number(b.clicks === null) ||
          way * ((a.clicks ?? 0) - (b.clicks ?? 0)) ||
          (isAlone ? way * (a.id - b.id) : Number(a.bid) - Number(b.bid) || a.id - b.id),
      );
      expect(idsOf(spec)).toEqual(expected.map(({ id }) => id));
      store.db.close();
    }),
    { numRuns: runs(30, 10) },
  );
});

test('a view is searched by a metric, in its own period, and sorted by it too', () => {
  const { keep, idsOf, rows, views } = clickedKeywords([1, 2, 3, 4], [5, null, 9, 7]);
  const at = (...places: readonly number[]) => places.map((place) => rows[place]?.id);
  const sorted = byClicks({ filter: 'bid>0.01' });
  keep(sorted);
  expect(idsOf(sorted)).toEqual(at(2, 3, 1));
  const asked = byClicks({ filter: 'clicks>=7 period:28d' });
  expect(views.open(asked)).toMatchObject({ ok: false, error: { problem: expect.stringContaining('metrics') } });
  keep(asked);
  expect(idsOf(asked)).toEqual(at(2, 3));
  for (const [filter, expected] of [
    ['-clicks>=7', at(0, 1)],
    ['clicks:none', at(1)],
    ['clicks!=5', at(2, 3, 1)],
    ['metrics:2026-05-01', at(2, 3, 0)],
  ] as const) {
    const spec = byClicks({ filter });
    keep(spec);
    expect([filter, idsOf(spec)]).toEqual([filter, expected]);
  }
});

test('without its metrics a view is in the order it would have without the sort', () => {
  const { idsOf, rows } = clickedKeywords([1, 2, 3], [1, 2, 3]);
  expect(idsOf(byClicks())).toEqual(rows.map(({ id }) => id));
});

test('an order follows the metrics when they change, and what was looked at long ago makes room', () => {
  const { keep, idsOf, rows, values, store } = clickedKeywords([1, 2], [1, 2]);
  keep(byClicks());
  const [first, second] = rows.map(({ id }) => id);
  expect(idsOf(byClicks())).toEqual([second, first]);
  values[first ?? 0] = 3;
  keep(byClicks(), '2');
  expect(idsOf(byClicks())).toEqual([first, second]);
  for (let days = 31; days <= 75; days++) keep(byClicks({ period: `last-${days}` }));
  expect(wantedMetrics(byClicks()).map((wanted) => rowMetricsOf(store.db).numberOf(wanted))).toEqual([null]);
});

test('what is no metric is refused by name', async () => {
  const workspace = await aWorkspace();
  const opened = await workspace.openView(byClicks({ sort: [{ column: 'metric.luck', descending: true }] }));
  expect(opened).toMatchObject({ ok: false, error: { problem: expect.stringContaining('metric.luck') } });
});

test('a metric is handed over once, to the thread that only reads', async () => {
  const workspace = await aWorkspace();
  done(await workspace.apply({ label: 'All', source: 'user', creates: aSmallCampaign() }));
  const asked: string[] = [];
  const metrics = {
    version: async () => '1',
    read: async ({ column }: { readonly column: string }) => {
      asked.push(column);
      return Float64Array.of(Number.NaN, 3);
    },
  };
  expect(done(await workspace.openView(byClicks(), { metrics })).length).toBeGreaterThan(0);
  done(await workspace.openView(byClicks(), { metrics }));
  expect(asked).toEqual(['metric.clicks']);
});
