import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { DELETED, HELD, NEW } from '../../shared/model/row.ts';
import { acceptAll, aStore, contents, countOf, createAll } from './a-store.ts';
import { amount, run } from './a-tool.ts';
import { aSmallCampaign, aWorkspace, create, done, edit } from './a-workspace.ts';

const keywordsOf = (refs: readonly RowRef[]): readonly RowRef[] => refs.filter((ref) => ref.kind === 'keyword');

const cellsOf = (store: OwnStore, refs: readonly RowRef[], field: string) =>
  refs.map((ref) => Reflect.get(store.readRow(ref)?.values ?? {}, field));

const dirtyOf = (store: OwnStore, ref: RowRef | undefined): number =>
  ref === undefined ? 0 : (store.readRow(ref)?.dirty ?? 0);

test('bid maths over rows keeps its bounds and says which rows it left alone', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const outcome = done(run(store, amount('+50%', { max: 155, roundTo: 5 }), refs));
  expect(outcome).toMatchObject({ cells: 3, created: 0, removed: 0 });
  expect(outcome.refused).toEqual([{ why: 'no-such-field', rows: 2 }]);
  expect(cellsOf(store, refs.slice(2), 'bid')).toEqual([60, 150, 155]);
});

test('a sum that cannot be read is refused before anything is written', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  expect(run(store, amount('+ten'), refs)).toMatchObject({ ok: false, error: { code: 'BAD_TOOL', data: { at: 0 } } });
  expect(store.db.all('SELECT id FROM step')).toHaveLength(1);
});

test('find and replace, append and case work on the texts of many rows', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const words = keywordsOf(refs);
  done(
    run(
      store,
      { tool: 'replace', field: 'text', find: 'towel', replace: 'Roll', matchCase: false, wholeCell: false },
      words,
    ),
  );
  done(run(store, { tool: 'append', field: 'text', before: '', after: ' big' }, words));
  done(run(store, { tool: 'case', field: 'text', to: 'lower' }, words));
  expect(cellsOf(store, words, 'text')).toEqual(['paper roll big', 'kitchen roll big']);
  expect(checkIntegrity(store.db)).toEqual([]);
});

test('filling down repeats the first row, and a row that is gone is counted', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const [first, second] = keywordsOf(refs);
  if (first === undefined || second === undefined) throw new Error('two keywords');
  const gone: RowRef = { kind: 'keyword', id: 999 as RowRef['id'] };
  const outcome = done(run(store, { tool: 'fill-down', fields: ['bid', 'matchType'] }, [first, second, gone]));
  expect(outcome).toMatchObject({ cells: 2, refused: [{ why: 'gone', rows: 1 }] });
  expect(cellsOf(store, [second], 'bid')).toEqual([100]);
});

test('a copied campaign is a new draft with all that hangs from it, under a name of its own', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign('Towels'));
  acceptAll(store, refs);
  const outcome = done(run(store, { tool: 'duplicate' }, refs));
  expect(outcome).toMatchObject({ created: 5, removed: 0, roots: [{ kind: 'campaign' }] });
  const [root] = outcome.roots;
  const copy = root === undefined ? null : store.readTree(root.id);
  expect(copy?.campaign).toMatchObject({
    remoteId: null,
    dirty: NEW,
    values: { name: 'Towels copy', dailyBudget: 5000 },
  });
  expect(copy?.keywords.map((row) => row.values.text)).toEqual(['Paper Towel', 'kitchen roll']);
  expect(copy?.adItems.every((row) => row.remoteId === null && row.campaignId === root?.id)).toBe(true);
  done(run(store, { tool: 'duplicate' }, refs));
  const names = store.db.all('SELECT name FROM campaign ORDER BY id').map(([name]) => name);
  expect(names).toEqual(['Towels', 'Towels copy', 'Towels copy 2']);
});

test('keywords go to the only ad group of a campaign they are dropped on; a move leaves the service to forget them', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign('From'));
  acceptAll(store, refs);
  const [target, group] = createAll(store, [
    create('campaign', null, { name: 'To', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
    create('adGroup', { at: 0 }, { name: 'Group' }),
  ]);
  if (target === undefined || group === undefined) throw new Error('no target');
  const outcome = done(run(store, { tool: 'move', to: target }, keywordsOf(refs)));
  expect(outcome).toMatchObject({ created: 2, removed: 2, refused: [] });
  for (const ref of outcome.roots)
    expect(store.readRow(ref)).toMatchObject({ campaignId: target.id, adGroupId: group.id });
  for (const ref of keywordsOf(refs)) expect((store.readRow(ref)?.dirty ?? 0) & DELETED).toBe(DELETED);
  const back = done(run(store, { tool: 'copy', to: null }, outcome.roots));
  expect(back.refused).toEqual([{ why: 'wrong-parent', rows: 2 }]);
});

test('deleting and holding through a tool take what hangs below along, or leave it', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const campaign = refs.slice(0, 1);
  expect(done(run(store, { tool: 'hold', held: true }, campaign)).cells).toBe(1);
  expect(dirtyOf(store, refs[0]) & HELD).toBe(HELD);
  expect(done(run(store, { tool: 'delete' }, campaign)).removed).toBe(5);
  expect(countOf(store, 'keyword')).toBe(0);
});

test('a tool that is stopped has done nothing', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const before = contents(store);
  const stopped = run(store, amount('9.99'), refs, { isCancelled: () => true, progress: () => {} });
  expect(stopped).toEqual({ ok: false, error: { code: 'CANCELLED', data: {} } });
  expect(contents(store)).toEqual(before);
  expect(store.db.all('SELECT id FROM step')).toHaveLength(1);
});

test('what a preview announces is what the tool then does, over a view and over named rows', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, {
    creates: [...aSmallCampaign('A'), create('keyword', { at: 1 }, { text: 'b' })],
  });
  const { viewId } = done(
    await workspace.openView({ kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' }),
  );
  const scope = { viewId, ranges: null };
  const preview = done(await workspace.previewTool(scope, amount('+10%'), 1));
  expect(preview).toMatchObject({ rows: 3, cells: 2, refused: [{ why: 'empty', rows: 1 }] });
  expect(preview.pairs).toMatchObject([
    { campaignName: 'A', label: 'Paper Towel, exact', field: 'bid', before: 100, value: 110 },
  ]);
  const applied = done(await workspace.applyTool(scope, amount('+10%'), 'Raise', { jobId: 'a' }));
  expect(applied).toMatchObject({ cells: preview.cells, refused: preview.refused });
  expect((await workspace.history(0, 1)).steps).toMatchObject([{ label: 'Raise', rows: 2 }]);
  const rows = { rows: [{ kind: 'campaign' as const, ids: touched.slice(0, 1).map((ref) => ref.id) }] };
  for (const tool of [{ tool: 'duplicate' }, { tool: 'delete' }] as const) {
    const told = done(await workspace.previewTool(rows, tool, 10));
    const made = done(await workspace.applyTool(rows, tool, tool.tool, { jobId: 'b' }));
    expect(told).toMatchObject({ created: made.created, removed: made.removed });
    expect(made.created + made.removed).toBe(6);
  }
  expect(await workspace.previewTool({ viewId: 99, ranges: null }, { tool: 'delete' }, 1)).toEqual({
    ok: false,
    error: { code: 'NO_VIEW', data: { viewId: 99 } },
  });
});

test('a job is stopped by its signal, before or while it runs', async () => {
  const workspace = await aWorkspace();
  await edit(workspace, { creates: aSmallCampaign() });
  const { viewId } = done(
    await workspace.openView({ kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' }),
  );
  const signal = AbortSignal.abort();
  const stopped = await workspace.applyTool({ viewId, ranges: null }, amount('1'), 'Bids', { jobId: 'x', signal });
  expect(stopped).toEqual({ ok: false, error: { code: 'CANCELLED', data: {} } });
  expect((await workspace.history(0, 10)).total).toBe(1);
});

test('a tool over many rows says how far it is, and is stopped between two slices with nothing done', () => {
  const store = aStore();
  const refs = createAll(store, [
    create('campaign', null, { name: 'Many', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
    create('adGroup', { at: 0 }, { name: 'Group' }),
    ...Array.from({ length: 25_000 }, (_, i) =>
      create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact' }),
    ),
  ]);
  const words = keywordsOf(refs);
  const told: (readonly [number, number])[] = [];
  const job = {
    progress: (done: number, total: number) => void told.push([done, total]),
    isCancelled: () => told.length === 2,
  };
  expect(run(store, amount('0.75'), words, job)).toEqual({ ok: false, error: { code: 'CANCELLED', data: {} } });
  expect(told).toEqual([
    [10_000, 25_000],
    [20_000, 25_000],
  ]);
  expect(store.db.get('SELECT count(*) FROM keyword WHERE bid IS NOT NULL')).toEqual([0]);
  expect(store.db.all('SELECT label FROM step')).toHaveLength(1);
  expect(done(run(store, amount('0.75'), words)).cells).toBe(25_000);
});
