import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowFigures, figureKey, sortedFigures } from '../../main/store/reader/row-figures.ts';
import { createViews } from '../../main/store/reader/views.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { runs } from '../share.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { aSmallCampaign, aWorkspace, create, done } from './a-workspace.ts';

const byClicks = (changes: Partial<ViewSpec> = {}): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [{ column: 'report.clicks', descending: true }],
  campaignId: null,
  only: 'all',
  report: 'kept',
  ...changes,
});

/** A store with keywords the service knows, and what a report says of the clicks of each. */
function clickedKeywords(bids: readonly number[], clicks: readonly (number | null)[]) {
  const store = aStore();
  const keywords = bids.map((bid, i) => create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact', bid }));
  const group = aSmallCampaign().slice(0, 2);
  acceptAll(store, createAll(store, [...group, ...keywords]));
  const rows = store.db
    .all('SELECT id, remote_id, bid FROM keyword ORDER BY id')
    .map(([id, remoteId, bid], i) => ({ id: Number(id), remoteId: String(remoteId), bid, clicks: clicks[i] ?? null }));
  const told = rows.filter((row) => row.clicks !== null);
  const column = { remoteIds: told.map((row) => row.remoteId), values: told.map((row) => row.clicks ?? 0) };
  const figures = createRowFigures(store.db);
  const views = createViews(store.db, figures);
  const idsOf = (spec: ViewSpec): number[] => {
    const { viewId, length } = done(views.open(spec));
    return (views.read(viewId, 0, length)?.rows ?? []).map((row) => row.id);
  };
  return { store, rows, column, figures, idsOf };
}

test('rows stand in the order of a figure, whichever way, and those the report does not know stand last', () => {
  const clicks = fc.array(fc.option(fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(clicks, fc.boolean(), (said, descending) => {
      const { store, rows, column, figures, idsOf } = clickedKeywords(
        said.map((_, i) => 100 + (i % 3)),
        said,
      );
      const spec = byClicks({
        sort: [
          { column: 'report.clicks', descending },
          { column: 'bid', descending: false },
        ],
      });
      for (const figure of sortedFigures(spec)) figures.keep(figureKey(spec, figure), column);
      const way = descending ? -1 : 1;
      const expected = rows.toSorted(
        (a, b) =>
          Number(a.clicks === null) - Number(b.clicks === null) ||
          way * ((a.clicks ?? 0) - (b.clicks ?? 0)) ||
          Number(a.bid) - Number(b.bid) ||
          a.id - b.id,
      );
      expect(idsOf(spec)).toEqual(expected.map(({ id }) => id));
      store.db.close();
    }),
    { numRuns: runs(30, 10) },
  );
});

test('a view narrowed by a search is sorted by a figure too', () => {
  const { column, figures, idsOf, rows } = clickedKeywords([1, 2, 3, 4], [5, null, 9, 7]);
  const spec = byClicks({ filter: 'bid>0.01' });
  figures.keep(figureKey(spec, 'clicks'), column);
  const at = (i: number) => rows[i]?.id;
  expect(idsOf(spec)).toEqual([at(2), at(3), at(1)]);
});

test('without its report a view is in the order it would have without the figure', () => {
  const { idsOf, rows } = clickedKeywords([1, 2, 3], [1, 2, 3]);
  expect(idsOf(byClicks())).toEqual(rows.map(({ id }) => id));
  const { report: _, ...unnamed } = byClicks();
  expect(idsOf(unnamed)).toEqual(rows.map(({ id }) => id));
});

test('reports looked at long ago make room, and are asked for again', () => {
  const { figures, column } = clickedKeywords([1], [1]);
  const keys = Array.from({ length: 20 }, (_, i) => figureKey(byClicks({ report: `r${i}` }), 'clicks'));
  for (const key of keys) figures.keep(key, column);
  expect(figures.has(keys[19] ?? '')).toBe(true);
  expect(figures.has(keys[0] ?? '')).toBe(false);
});

test('the metrics of a long report are kept, of an id that is there twice the first', () => {
  const store = aStore();
  const rows = Array.from({ length: 60_000 }, (_, i) => ({ id: String((i * 7919) % 40_000), clicks: i % 997 }));
  const column = { remoteIds: rows.map(({ id }) => id), values: rows.map(({ clicks }) => clicks) };
  const figures = createRowFigures(store.db);
  figures.keep('long', column);
  const kept = store.db.all('SELECT remote_id, value FROM temp.row_figure WHERE source = ?', figures.sourceOf('long'));
  const expected = new Map(rows.toReversed().map(({ id, clicks }) => [id, clicks]));
  expect(expected.size).toBe(40_000);
  expect(Object.fromEntries(kept.map(([id, value]) => [String(id), value]))).toEqual(Object.fromEntries(expected));
  expect(kept.length).toBe(expected.size);
  store.db.close();
});

test('what is no figure is refused by name', async () => {
  const workspace = await aWorkspace();
  const opened = await workspace.openView(byClicks({ sort: [{ column: 'report.luck', descending: true }] }));
  expect(opened).toMatchObject({ ok: false, error: { problem: expect.stringContaining('report.luck') } });
});

test('a figure is read from its report once, on the thread that only reads', async () => {
  const workspace = await aWorkspace();
  done(await workspace.apply({ label: 'All', source: 'user', creates: aSmallCampaign() }));
  const asked: string[] = [];
  const figures = async (figure: string) => {
    asked.push(figure);
    return { remoteIds: ['k1'], values: [3] };
  };
  expect(done(await workspace.openView(byClicks(), { figures })).length).toBeGreaterThan(0);
  done(await workspace.openView(byClicks(), { figures }));
  expect(asked).toEqual(['clicks']);
});
