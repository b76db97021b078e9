import { expect, test } from 'vitest';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { aWorkspace, create, done } from './a-workspace.ts';

/** More rows than are checked together with the edit that makes them, and one of them without the bid it needs. */
const KEYWORDS = 4500;

const view = (changes: Partial<ViewSpec> = {}): ViewSpec => ({
  kind: 'keyword',
  filter: '',
  sort: [],
  campaignId: null,
  only: 'all',
  ...changes,
});

async function aLargeEdit() {
  const workspace = await aWorkspace();
  const heard: { readonly revision: number; readonly only: 'findings' | null }[] = [];
  workspace.onChanged((revision, _, only) => heard.push({ revision, only }));
  const creates = [
    create('campaign', null, { name: 'C', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
    create('adGroup', { at: 0 }, { name: 'G' }),
    ...Array.from({ length: KEYWORDS }, (_, i) =>
      create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact', ...(i === 0 ? {} : { bid: 100 }) }),
    ),
  ];
  const { revision } = done(await workspace.apply({ label: 'All', source: 'user', creates }));
  return { workspace, heard, revision };
}

test('what is found after a large edit is told apart from the edit, and after it', async () => {
  const { workspace, heard, revision } = await aLargeEdit();
  await workspace.rowsWithErrors();
  expect(heard[0]).toEqual({ revision, only: null });
  expect(heard.length).toBeGreaterThan(1);
  for (const later of heard.slice(1)) {
    expect(later.only).toBe('findings');
    expect(later.revision).toBeGreaterThan(revision);
  }
});

test('what is found of rows is told of all of them at once, as it is told of each', async () => {
  const { workspace } = await aLargeEdit();
  const wrong = await workspace.rowsWithErrors();
  const kinds = [...new Set(wrong.map(({ kind }) => kind))];
  expect(kinds).toContain('keyword');
  for (const kind of kinds) {
    const ids = wrong.flatMap((ref) => (ref.kind === kind ? [ref.id] : [])).slice(0, 12);
    const each = await Promise.all(ids.map((id) => workspace.rowDetail({ kind, id })));
    const together = await workspace.rowFindings(kind, ids);
    expect(together.length).toBeGreaterThan(0);
    expect(together).toEqual(expect.arrayContaining(each.flatMap((detail) => detail?.findings ?? [])));
    expect(together).toHaveLength(each.reduce((sum, detail) => sum + (detail?.findings.length ?? 0), 0));
  }
});

test('counts of findings follow the checks, and are those of views that are opened then', async () => {
  const { workspace } = await aLargeEdit();
  const before = await workspace.viewCounts('keyword', null);
  await workspace.rowsWithErrors();
  const after = await workspace.viewCounts('keyword', null);
  for (const only of ['errors', 'warnings'] as const) {
    expect(after[only]).toBe(done(await workspace.openView(view({ only }))).length);
  }
  expect(after.errors).toBeGreaterThan(before.errors);
  expect({ ...after, errors: 0, warnings: 0 }).toEqual({ ...before, errors: 0, warnings: 0 });
});

test('rows that come along with a view are those of its window, and a row is found in it by its id', async () => {
  const { workspace } = await aLargeEdit();
  const { viewId, rows, length } = done(await workspace.openView(view(), { window: { from: KEYWORDS - 3, count: 5 } }));
  expect(length).toBe(KEYWORDS);
  expect(rows).toHaveLength(3);
  expect(rows).toEqual((await workspace.readWindow(viewId, KEYWORDS - 3, 5))?.rows);
  const last = rows.at(-1);
  if (last === undefined || last.campaignId === null) throw new Error('a keyword stands in a campaign');
  expect(await workspace.viewPlace(viewId, last.id)).toEqual({ place: KEYWORDS - 1 });
  expect(await workspace.viewPlace(viewId, last.campaignId)).toEqual({ place: null });
  expect(await workspace.viewPlace(viewId + 1, last.id)).toBeNull();
});

test('checks leave a view in order, unless it asks for what they find', async () => {
  const { workspace } = await aLargeEdit();
  const views = {
    all: view(),
    errors: view({ only: 'errors' }),
    worst: view({ sort: [{ column: 'severity', descending: true }] }),
  };
  const opened = await Promise.all(
    Object.values(views).map(async (spec) => done(await workspace.openView(spec)).viewId),
  );
  await workspace.rowsWithErrors();
  const stale = await Promise.all(opened.map(async (id) => (await workspace.readWindow(id, 0, 1))?.stale));
  expect(stale).toEqual([false, true, true]);
  const again = done(await workspace.openView(views.errors));
  expect(again.length).toBeGreaterThan(0);
  expect((await workspace.viewCounts('keyword', null)).errors).toBe(again.length);
});
