import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createViews } from '../../main/store/reader/views.ts';
import { editText } from '../../renderer/app/locale/cells.ts';
import { localeOf } from '../../renderer/app/locale/locale.ts';
import { columnsOf, lockOf } from '../../renderer/grid/columns.ts';
import { pasteChanges } from '../../renderer/grid/paste.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { parseCell } from '../../shared/model/cell-text.ts';
import { NEW } from '../../shared/model/row.ts';
import { endTsv, formatTsv, parseTsv } from '../../shared/spreadsheet/tsv.ts';
import { runs } from '../share.ts';
import { aStore, createAll } from './a-store.ts';
import { aSmallCampaign, create, done } from './a-workspace.ts';

const COLUMNS = columnsOf('keyword', true);
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
      const part = views.text(viewId, from, size, { columns: FIELDS, decimal });
      if (part === null) throw new Error('The view is closed.');
      expect(done(part)).toMatchObject({ length: rows.length, rows: Math.min(size, rows.length - from) });
      parts.push(done(part).lines);
    }
    return endTsv(parts.join('\n'));
  };
  return { store, views, viewId, inParts, window: views.read(viewId, 0, rows.length)?.rows ?? [] };
}

const textOf = (row: WindowRow, tag: string): readonly string[] =>
  COLUMNS.map(({ cell, field }) =>
    cell === null ? row.campaignName : editText('keyword', field, row.cells[cell] ?? null, localeOf(tag)),
  );

test('lines of a view, in parts of any size, are what the window copies of its rows, in any language', () => {
  fc.assert(
    fc.property(keywords, fc.integer({ min: 1, max: 5 }), fc.constantFrom('en-GB', 'de-DE'), (rows, size, tag) => {
      const { store, inParts, window } = shown(rows);
      expect(inParts(size, localeOf(tag).style.decimal)).toBe(formatTsv(window.map((row) => textOf(row, tag))));
      store.db.close();
    }),
    { numRuns: runs(30, 10) },
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

test('a column that the rows do not have is named, and a view that is closed has no text', () => {
  const { store, views, viewId } = shown([{ text: 'kettle' }]);
  expect(views.text(viewId, 0, 1, { columns: ['text', 'colour'], decimal: '.' })).toEqual({
    ok: false,
    error: { code: 'BAD_FILTER', data: { at: 0, problem: 'There is no column colour.' } },
  });
  views.close(viewId);
  expect(views.text(viewId, 0, 1, { columns: ['text'], decimal: '.' })).toBeNull();
  store.db.close();
});
