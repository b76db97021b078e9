import { expect, test } from 'vitest';
import type { ViewSpec } from '../../shared/contract/workspace.ts';
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
