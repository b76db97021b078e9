import { expect, test } from 'vitest';
import { createAppStore } from '../../renderer/app/store/app-store.ts';
import { rangeOf } from '../../renderer/app/store/selection-slice.ts';

const chosen = () => {
  const store = createAppStore();
  store.getState().goTo({ kind: 'keyword', campaignId: null });
  store.getState().setFilter('bid<0.80');
  store.getState().selectRows(0, 3_459);
  return store;
};

test('when other rows come into the places of those selected, one cell is selected and nothing else', () => {
  const ways: readonly ((state: ReturnType<ReturnType<typeof createAppStore>['getState']>) => void)[] = [
    (state) => state.setFilter(''),
    (state) => state.setOnly('errors'),
    (state) => state.sortBy('bid'),
    (state) => state.setSort([{ column: 'bid', descending: true }]),
  ];
  for (const change of ways) {
    const store = chosen();
    change(store.getState());
    const { active, anchor, wholeRows } = store.getState();
    expect(active.row).toBe(0);
    expect(anchor).toEqual(active);
    expect(wholeRows).toBe(false);
  }
});

test('all rows are selected around the cell that is active, until another one is', () => {
  const { getState } = createAppStore();
  getState().select({ row: 40, col: 2 }, false);
  getState().selectAll(3_460);
  expect(getState().active).toEqual({ row: 40, col: 2 });
  expect(rangeOf(getState(), 9)).toEqual({ top: 0, bottom: 3_459, left: 0, right: 8 });
  getState().setFilter('bid<0.80');
  expect(rangeOf(getState(), 9)).toEqual({ top: 40, bottom: 40, left: 2, right: 2 });
  getState().selectAll(3_460);
  getState().select({ row: 41, col: 2 }, true);
  expect(rangeOf(getState(), 9)).toEqual({ top: 40, bottom: 41, left: 2, right: 2 });
  getState().selectAll(3_460);
  getState().beginComment(null);
  expect(rangeOf(getState(), 9)).toEqual({ top: 41, bottom: 41, left: 2, right: 2 });
});

test('a filter that is set to what it is leaves the selection alone', () => {
  const store = chosen();
  store.getState().setFilter('bid<0.80');
  expect(store.getState().anchor.row).toBe(0);
  expect(store.getState().wholeRows).toBe(true);
});

test('what was picked up in one account is let go in another, where its numbers are those of other rows', () => {
  const store = chosen();
  store.getState().openWorkspace('pots');
  store.getState().setRowsToMove({ kind: 'keyword', rows: [], move: true });
  store.getState().openSuggestions(null, 'campaign:7');
  store.getState().openWorkspace('pans');
  expect(store.getState().rowsToMove).toBeNull();
  expect(store.getState().goalFor).toBeNull();
});

test('a confirmation about rows, or an import, closes when another account is opened behind it', () => {
  const store = createAppStore();
  store.getState().openWorkspace('pots');
  store.getState().show({ name: 'confirm', title: 'Delete 3 rows?', text: '', keep: '', button: '', run: () => {} });
  store.getState().openWorkspace('pans');
  expect(store.getState().dialog).toBeNull();
  store.getState().show({ name: 'shortcuts' });
  store.getState().openWorkspace('pots');
  expect(store.getState().dialog).not.toBeNull();
  for (const dialog of [
    { name: 'paste' },
    { name: 'views' },
    { name: 'media', files: [] },
    { name: 'sheet', file: null, media: [] },
  ] as const) {
    store.getState().show(dialog);
    store.getState().openWorkspace(store.getState().workspaceId === 'pots' ? 'pans' : 'pots');
    expect(store.getState().dialog, dialog.name).toBeNull();
  }
});

test('a file that is opened before any account waits for the first one', () => {
  const store = createAppStore();
  store.getState().show({ name: 'sheet', file: null, media: [] });
  store.getState().openWorkspace('pots');
  expect(store.getState().dialog).not.toBeNull();
});
