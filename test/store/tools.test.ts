import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIntegrity } from '../../main/store/backup.ts';
import { previewTool } from '../../main/store/reader/preview-tool.ts';
import { readTrees } from '../../main/store/rows/read-trees.ts';
import { openWorkspace, type Workspace } from '../../main/store/workspace.ts';
import type { OwnStore } from '../../main/store/writer/create-store.ts';
import type { BulkTool } from '../../shared/api/bulk.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { changeImpact } from '../../shared/lifecycle/change-impact.ts';
import { DELETED, HELD, NEW } from '../../shared/model/row.ts';
import { runs } from '../share.ts';
import { aView } from './a-view.ts';
import {
  acceptAll,
  amount,
  aSmallCampaign,
  aStore,
  aWorkspace,
  contents,
  countOf,
  create,
  createAll,
  done,
  edit,
  pick,
  run,
} from './a-workspace.ts';
import { call } from './call.ts';

const keywordsOf = (refs: readonly RowRef[]): readonly RowRef[] => refs.filter((ref) => ref.kind === 'keyword');

const cellsOf = (store: OwnStore, refs: readonly RowRef[], field: string) =>
  refs.map((ref) => Reflect.get(store.readRow(ref)?.values ?? {}, field));

const dirtyOf = (store: OwnStore, ref: RowRef | undefined): number =>
  ref === undefined ? 0 : (store.readRow(ref)?.dirty ?? 0);

test('a sum that cannot be read is refused before anything is written', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  expect(run(store, amount('+ten'), refs)).toMatchObject({ ok: false, error: { code: 'BAD_TOOL', data: { at: 0 } } });
  expect(store.db.all('SELECT id FROM step')).toHaveLength(1);
});

test('filling down repeats the first row, and a row that is gone is counted', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  const [first, second] = pick(keywordsOf(refs), 0, 1);
  const gone: RowRef = { kind: 'keyword', id: 999 as RowRef['id'] };
  const outcome = done(run(store, { tool: 'fill-down', fields: ['bid', 'matchType'] }, [first, second, gone]));
  expect(outcome).toMatchObject({ cells: 2, refused: [{ why: 'gone', rows: 1 }] });
  expect(cellsOf(store, [second], 'bid')).toEqual([100]);
});

test('filling down from a row that is gone changes nothing', async () => {
  const store = aStore();
  const keywords = keywordsOf(createAll(store, aSmallCampaign()));
  const before = cellsOf(store, keywords, 'bid');
  const gone: RowRef = { kind: 'keyword', id: 999 as RowRef['id'] };
  const outcome = done(run(store, { tool: 'fill-down', fields: ['bid'] }, [gone, ...keywords]));
  expect(outcome).toMatchObject({ cells: 0, refused: [{ why: 'gone', rows: 1 }] });
  expect(cellsOf(store, keywords, 'bid')).toEqual(before);
});

test('a copied campaign is a new draft with all that hangs from it, under a name of its own', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign('Towels'));
  acceptAll(store, refs);
  const outcome = done(run(store, { tool: 'duplicate' }, refs));
  expect(outcome).toMatchObject({ created: 5, removed: 0, roots: [{ kind: 'campaign' }] });
  const [root] = outcome.roots;
  const copy = root === undefined ? null : (readTrees(store.db, [root.id])[0] ?? null);
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

test('a row with a final status is not copied: it would have the whole request refused', async () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign('Towels'));
  acceptAll(store, refs);
  const [item, keyword, other] = pick(refs, 2, 3, 4);
  const updates = [
    { ...item, field: 'status', value: 'deleted' },
    { ...keyword, field: 'state', value: 'archived' },
  ];
  done(store.apply({ label: 'Off', source: 'user', updates }));
  const context = { db: store.db, profile: store.profile, isCancelled: () => false };
  const groups = [{ kind: 'campaign', ids: Int32Array.of(refs[0]?.id ?? 0) }] as const;
  expect(done(await previewTool(context, groups, { tool: 'duplicate' }, 10)).created).toBe(3);
  const outcome = done(run(store, { tool: 'duplicate' }, refs));
  const copy = readTrees(store.db, [outcome.roots[0]?.id ?? item.id])[0];
  expect(copy?.adItems).toEqual([]);
  expect(copy?.keywords.map(({ values }) => [values.text, values.state])).toEqual([['kitchen roll', 'enabled']]);
  const alone = done(run(store, { tool: 'duplicate' }, [item, keyword, other]));
  expect(alone).toMatchObject({ created: 1, refused: [{ why: 'not-editable', rows: 2 }] });
});

test('names of copies made at once differ not only in capitals', () => {
  const store = aStore();
  const refs = ['Towels', 'TOWELS'].flatMap((name) => createAll(store, aSmallCampaign(name)));
  done(run(store, { tool: 'duplicate' }, refs));
  const names = store.db.all('SELECT name FROM campaign ORDER BY id').map(([name]) => name);
  expect(names).toEqual(['Towels', 'TOWELS', 'Towels copy', 'TOWELS copy 2']);
});

test('rows are not moved below an ad group or a campaign that is marked as deleted', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign('From'));
  const to = createAll(store, aSmallCampaign('To'));
  acceptAll(store, to);
  const [campaign, group] = pick(to, 0, 1);
  store.apply({ label: 'Delete', source: 'user', deletes: [campaign] });
  const tools = [
    { rows: keywordsOf(refs), to: group },
    { rows: refs.filter((ref) => ref.kind === 'adGroup'), to: campaign },
  ];
  for (const { rows, to: place } of tools) {
    const why = { why: 'deleted', rows: rows.length };
    expect(done(run(store, { tool: 'move', to: place }, rows))).toMatchObject({
      created: 0,
      removed: 0,
      refused: [why],
    });
  }
});

test('keywords go to the only ad group of a campaign they are dropped on; a move leaves the service to forget them', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign('From'));
  acceptAll(store, refs);
  const there = createAll(store, [
    create('campaign', null, { name: 'To', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
    create('adGroup', { at: 0 }, { name: 'Group' }),
  ]);
  const [target, group] = pick(there, 0, 1);
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

test('what a preview announces is what the tool then does, over a view and over named rows', async () => {
  const workspace = await aWorkspace();
  const { touched } = await edit(workspace, {
    creates: [...aSmallCampaign('A'), create('keyword', { at: 1 }, { text: 'b' })],
  });
  const { viewId } = done(await workspace.openView(aView()));
  const scope = { viewId, ranges: null };
  const preview = done(await call(workspace, 'bulk', 'preview', { scope, tool: amount('+10%'), count: 1 }));
  expect(preview).toMatchObject({ rows: 3, cells: 2, refused: [{ why: 'empty', rows: 1 }] });
  expect(preview.effects).toEqual([{ cost: 'with-create', rows: 2 }]);
  expect(preview.pairs).toMatchObject([
    { campaignName: 'A', label: 'Paper Towel, exact', field: 'bid', before: 100, value: 110, by: 10 },
  ]);
  const applied = done(await workspace.applyTool(scope, amount('+10%'), 'Raise', { taskId: 'a' }));
  expect(applied).toMatchObject({ cells: preview.cells, refused: preview.refused });
  expect((await workspace.history(0, 1)).steps).toMatchObject([{ label: 'Raise', rows: 2 }]);
  const rows = { rows: [{ kind: 'campaign' as const, ids: touched.slice(0, 1).map((ref) => ref.id) }] };
  for (const tool of [{ tool: 'duplicate' }, { tool: 'delete' }] as const) {
    const told = done(await call(workspace, 'bulk', 'preview', { scope: rows, tool, count: 10 }));
    const made = done(await workspace.applyTool(rows, tool, tool.tool, { taskId: 'b' }));
    expect(told).toMatchObject({ created: made.created, removed: made.removed });
    expect(made.created + made.removed).toBe(6);
  }
  expect(
    await call(workspace, 'bulk', 'preview', {
      scope: { viewId: 99, ranges: null },
      tool: { tool: 'delete' },
      count: 1,
    }),
  ).toEqual({
    ok: false,
    error: { code: 'NO_VIEW', data: { viewId: 99 } },
  });
});

test('how a change of many rows would take effect is what each row says of itself', async () => {
  const store = aStore();
  const live = createAll(store, [...aSmallCampaign('A'), create('sbaProfile', { at: 1 }, { headline: 'Soft' })]);
  acceptAll(store, live);
  const refs = [...live, ...createAll(store, aSmallCampaign('B'))];
  const [keyword] = keywordsOf(live);
  run(
    store,
    { tool: 'set', values: { state: 'paused' } },
    pick(
      [keyword].flatMap((ref) => ref ?? []),
      0,
    ),
  );
  const values = [
    ['keyword', 'bid', 777],
    ['keyword', 'state', 'enabled'],
    ['adItem', 'status', 'disabled'],
    ['sbaProfile', 'headline', 'Softer'],
    ['campaign', 'status', 'paused'],
  ] as const;
  for (const [kind, field, value] of values) {
    const own = refs.filter((ref) => ref.kind === kind);
    const expected = new Map<string, number>();
    for (const ref of own) {
      const row = store.readRow(ref);
      const tree = row?.campaignId == null ? null : (readTrees(store.db, [row.campaignId])[0] ?? null);
      if (row === null || tree === null || Reflect.get(row.values, field) === value) continue;
      const { cost } = changeImpact(kind, field, tree, ref.id);
      expected.set(cost, (expected.get(cost) ?? 0) + 1);
    }
    const groups = [{ kind, ids: Int32Array.from(own, ({ id }) => id) }];
    const tool = { tool: 'set' as const, values: { [field]: value } };
    const context = { db: store.db, profile: defaultDeploymentSettings('shop.example'), isCancelled: () => false };
    const told = done(await previewTool(context, groups, tool, 0));
    expect(expected.size, `${kind} ${field}`).toBeGreaterThan(0);
    expect(new Map(told.effects.map(({ cost, rows }) => [cost, rows])), `${kind} ${field}`).toEqual(expected);
  }
});

test('a job is stopped by its signal, before or while it runs', async () => {
  const workspace = await aWorkspace();
  await edit(workspace, { creates: aSmallCampaign() });
  const { viewId } = done(await workspace.openView(aView()));
  const signal = AbortSignal.abort();
  const stopped = await workspace.applyTool({ viewId, ranges: null }, amount('1'), 'Bids', { taskId: 'x', signal });
  expect(stopped).toEqual({ ok: false, error: { code: 'CANCELLED', data: {} } });
  expect((await workspace.history(0, 10)).total).toBe(1);
});

test('a preview ends early once nobody waits for it, and others are answered', async () => {
  const workspace = await aWorkspace();
  await edit(workspace, { creates: aSmallCampaign() });
  const { viewId } = done(await workspace.openView(aView()));
  const preview = (signal: AbortSignal) =>
    workspace.callReader(
      ['bulk', 'preview'],
      { scope: { viewId, ranges: null }, tool: amount('1'), count: 0 },
      { signal },
    );
  const [stopped, answered] = await Promise.all([preview(AbortSignal.abort()), preview(new AbortController().signal)]);
  expect(stopped).toEqual({ ok: false, error: { code: 'CANCELLED', data: {} } });
  expect(answered).toMatchObject({ ok: true, value: { rows: 2 } });
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

const TOOLS: readonly BulkTool[] = [
  { tool: 'set', values: { bid: 333, status: 'disabled', state: 'paused' } },
  { tool: 'set', values: { name: null } },
  { tool: 'replace', field: 'text', find: 'roll', replace: '[keyword]!', matchCase: true, wholeCell: false },
  { tool: 'append', field: 'name', before: 'New ', after: ' [campaign]' },
  { tool: 'case', field: 'text', to: 'title' },
  amount('*1.37+0.01'),
  { tool: 'fill-down', fields: ['bid', 'status'] },
  { tool: 'duplicate' },
  { tool: 'delete' },
  { tool: 'hold', held: true },
  { tool: 'hold', held: false },
  { tool: 'revert', field: null },
  { tool: 'revert', field: 'bid' },
];

/** Each tool alone over all rows and over two keywords that were sent, so that no draw of acts leaves one out. */
const EACH_TOOL = Array.from({ length: TOOLS.length + 2 }, (_, tool) => tool).flatMap((tool) =>
  [Array.from({ length: 16 }, (_, at) => at), [3, 4]].map((rows): [{ tool: number; rows: number[] }[], boolean] => [
    [{ tool, rows }],
    true,
  ]),
);

test('undo then redo is identity for every tool, over rows old and new in any order', () => {
  const changed = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.record({ tool: fc.nat(TOOLS.length + 1), rows: fc.array(fc.nat(15), { minLength: 1 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.boolean(),
      (acts, isSent) => {
        const store = aStore();
        const first = createAll(store, aSmallCampaign('One'));
        if (isSent) acceptAll(store, first);
        const refs = [...first, ...createAll(store, aSmallCampaign('Two')), ...createAll(store, aSmallCampaign('One'))];
        // Something to revert from the start.
        run(store, { tool: 'set', values: { bid: 77, name: 'Renamed' } }, first);
        for (const act of acts) {
          const picked = [...new Set(act.rows)].flatMap((at) => refs[at] ?? []);
          const target = refs[6];
          if (target === undefined || picked.length === 0) continue;
          const tool: BulkTool = TOOLS[act.tool] ?? {
            tool: act.tool === TOOLS.length ? 'copy' : 'move',
            to: { ...target },
          };
          const before = contents(store);
          const outcome = run(store, tool, picked);
          // The target itself may be among what an earlier tool has deleted.
          if (!outcome.ok) {
            expect(outcome.error.code).toBe('NO_ROW');
            continue;
          }
          const after = contents(store);
          const { cells, created, removed } = outcome.value;
          if (cells + created + removed === 0) {
            expect(after).toEqual(before);
            continue;
          }
          changed.add(tool.tool);
          expect(store.step('undo').ok).toBe(true);
          expect(contents(store)).toEqual(before);
          expect(store.step('redo').ok).toBe(true);
          expect(contents(store)).toEqual(after);
          expect(checkIntegrity(store.db)).toEqual([]);
        }
        store.db.close();
      },
    ),
    { numRuns: EACH_TOOL.length + runs(50, 20), examples: EACH_TOOL },
  );
  expect([...changed].sort()).toEqual([
    'amount',
    'append',
    'case',
    'copy',
    'delete',
    'duplicate',
    'fill-down',
    'hold',
    'move',
    'replace',
    'revert',
    'set',
  ]);
});

const CAMPAIGNS = runs(200, 25);
const KEYWORDS = 500;

/** Keywords in campaigns of 500, created through the port. */
async function aBigWorkspace(
  campaigns: number,
  open?: typeof openWorkspace,
): Promise<{ workspace: Workspace; keywords: readonly RowRef[] }> {
  const workspace = await aWorkspace(undefined, undefined, open);
  const keywords: RowRef[] = [];
  for (let first = 0; first < campaigns; first += 50) {
    const creates = Array.from({ length: Math.min(50, campaigns) }, (_, i) => first + i).flatMap((c, i) => [
      create('campaign', null, { name: `Campaign ${c}`, campaignType: 'sponsoredProducts', targetingType: 'manual' }),
      create('adGroup', { at: i * (KEYWORDS + 2) }, { name: 'Group' }),
      ...Array.from({ length: KEYWORDS }, (__, k) =>
        create('keyword', { at: i * (KEYWORDS + 2) + 1 }, { text: `word ${k}`, matchType: 'exact', bid: 100 }),
      ),
    ]);
    const { touched } = await edit(workspace, { creates });
    keywords.push(...touched.filter((ref) => ref.kind === 'keyword'));
  }
  return { workspace, keywords };
}

test(`a bulk edit of ${CAMPAIGNS * KEYWORDS} rows is one step, windows are read during it, and undo takes it back`, async () => {
  const { workspace, keywords } = await aBigWorkspace(CAMPAIGNS, openWorkspace);
  const { viewId, length } = done(await workspace.openView(aView()));
  expect(length).toBe(CAMPAIGNS * KEYWORDS);
  const order: string[] = [];
  const updates = keywords.map((ref, i) => ({ ...ref, field: 'bid', value: 200 + (i % 7) }));
  const editing = workspace.apply({ label: 'Raise', source: 'user', updates }).then((outcome) => {
    order.push('edit');
    return outcome;
  });
  await workspace.readWindow(viewId, length / 2, 100);
  order.push('window');
  expect(done(await editing).touched).toHaveLength(length);
  expect(order).toEqual(['window', 'edit']);
  const bids = async () => {
    const window = await workspace.readWindow(viewId, length - 3, 3);
    return window?.rows.map((row) => row.cells[2]);
  };
  expect(await bids()).toEqual([length - 3, length - 2, length - 1].map((i) => 200 + (i % 7)));
  expect((await workspace.history(0, 1)).steps).toMatchObject([{ label: 'Raise', rows: length, undone: false }]);
  done(await call(workspace, 'workspace', 'undo'));
  expect(await bids()).toEqual([100, 100, 100]);
  done(await call(workspace, 'workspace', 'redo'));
  expect(await bids()).not.toContain(100);
  expect(await workspace.verify()).toEqual([]);
});

test('checks that a bulk edit leaves for later are done before anybody asks for errors', async () => {
  const { workspace, keywords } = await aBigWorkspace(20);
  const updates = keywords.map((ref) => ({ ...ref, field: 'bid', value: null }));
  done(await workspace.apply({ label: 'Clear bids', source: 'user', updates }));
  const wrong = await workspace.rowsWithErrors();
  expect(wrong.filter((ref) => ref.kind === 'keyword')).toHaveLength(keywords.length);
});
