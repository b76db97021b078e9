import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createViews } from '../../main/store/reader/views.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { runs } from '../share.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { aSmallCampaign, aWorkspace, create, done } from './a-workspace.ts';

const spec = (kind: Kind, changes: Partial<ViewSpec> = {}): ViewSpec => ({
  kind,
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

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
      const { viewId } = done(views.open(spec('keyword', { filter })));
      expect(await views.totals(viewId)).toEqual([
        {
          field: 'bid',
          of: 'average',
          count: counted.length,
          value: counted.length === 0 ? null : Math.floor(sum / counted.length),
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
  const { viewId } = done(await workspace.openView(spec('campaign')));
  const dailyOf = async () => (await workspace.viewTotals(viewId))?.find(({ field }) => field === 'dailyBudget');
  expect(await dailyOf()).toMatchObject({ of: 'sum', count: 2, value: 12_000 });
  await make(campaign('Three', 100));
  expect(await dailyOf()).toMatchObject({ count: 3, value: 12_100 });
});

test('a kind without money has no totals, and a closed view has none to tell', async () => {
  const workspace = await aWorkspace();
  const { viewId } = done(await workspace.openView(spec('adGroup')));
  expect(await workspace.viewTotals(viewId)).toEqual([]);
  await workspace.closeView(viewId);
  expect(await workspace.viewTotals(viewId)).toBeNull();
});
