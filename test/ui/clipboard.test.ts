import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from '../../renderer/grid/columns.ts';
import { fillChanges, pasteChanges, pasteDoubt, pasteRange } from '../../renderer/grid/edits.ts';
import { NEW } from '../../shared/model/row.ts';
import { formatTsv, parseTsv } from '../../shared/spreadsheet/tsv.ts';
import { aWindowRow } from './a-window-row.ts';

const keywords = [1, 2, 3].map((n) =>
  aWindowRow('keyword', n, { text: `kettle ${n}`, matchType: 'exact', bid: 149 + n, state: 'enabled' }, NEW),
);
const columns = columnsOf('keyword', false);
const bidAt = columns.findIndex((column) => column.field === 'bid');

test('a table copied and pasted is the same table, with tabs, quotes and line ends in its cells', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'é') });
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(table, (rows) => {
      expect(parseTsv(formatTsv(rows))).toEqual(rows);
    }),
  );
});

test('the line end after the last row of a spreadsheet starts no new row', () => {
  expect(parseTsv('1\t2\r\n3\t4\r\n')).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('a quote that never closes is text', () => {
  expect(parseTsv('"12 inch\tx')).toEqual([['"12 inch', 'x']]);
});

test('one value pasted over a range fills the range', () => {
  const range = pasteRange([['2.00']], { top: 0, bottom: 2, left: bidAt, right: bidAt });
  expect(range).toEqual({ top: 0, bottom: 2, left: bidAt, right: bidAt });
  const pasted = pasteChanges('keyword', [['2.00']], columns, bidAt, keywords);
  expect(pasted.changes.map((change) => change.value)).toEqual([200, 200, 200]);
});

test('a table that does not repeat evenly both ways is pasted once', () => {
  const bids = [['1'], ['2'], ['3']];
  const rows = { top: 0, bottom: 7, left: 0, right: 3 };
  expect(pasteRange(bids, rows), 'bids over whole rows').toEqual({ top: 0, bottom: 2, left: 0, right: 0 });
  expect(pasteRange(bids, { ...rows, bottom: 5 })).toEqual({ ...rows, bottom: 5 });
});

test('a row pasted beside many rows is pasted in each of them', () => {
  const row = [['1', '2', '3']];
  expect(pasteRange(row, { top: 0, bottom: 9, left: 1, right: 1 })).toEqual({ top: 0, bottom: 9, left: 1, right: 3 });
});

test('a table larger than the selection grows it', () => {
  const range = pasteRange([['1'], ['2'], ['3']], { top: 4, bottom: 4, left: 1, right: 1 });
  expect(range.bottom).toBe(6);
});

test('values that do not fit and cells that cannot be edited are counted and left alone', () => {
  const sent = keywords.map((row) => ({ ...row, dirty: 0 }));
  const pasted = pasteChanges('keyword', [['kettle', 'exact', '1,50']], columns, 0, sent.slice(0, 1));
  expect(pasted).toEqual({ changes: [], misfits: 1, locked: 2 });
});

test('filling writes only the cells that differ', () => {
  const bid = columns.slice(bidAt, bidAt + 1);
  const changes = fillChanges('keyword', bid, keywords, () => 151);
  expect(changes.map((change) => change.id)).toEqual([keywords[0]?.id, keywords[2]?.id]);
});

test('each row of a table reaches a row of its own', () => {
  const pasted = pasteChanges('keyword', [['1.60'], ['1.70'], ['1.80']], columns, bidAt, keywords);
  expect(pasted.changes.map((change) => change.value)).toEqual([160, 170, 180]);
});

test('cells of the service are neither filled nor pasted into', () => {
  const own = columnsOf('campaign', false).filter(({ spec }) => spec?.owner === 'service');
  const row = aWindowRow('campaign', 1);
  expect(own.length).toBeGreaterThan(0);
  expect(fillChanges('campaign', own, [row], () => 'paused')).toEqual([]);
  const pasted = pasteChanges('campaign', [own.map(() => 'paused')], own, 0, [row]);
  expect(pasted).toEqual({ changes: [], misfits: 0, locked: own.length });
});

test('a table that goes on after the last row, or begins with names of columns, is asked about', () => {
  const at = { top: 1, bottom: 1, left: 0, right: 0 };
  const rows = [
    ['iron kettle', 'exact', '1.50'],
    ['steel kettle', 'broad', '1.60'],
  ];
  expect(pasteDoubt(rows, columns, at, 3)).toBeNull();
  expect(pasteDoubt(rows, columns, at, 2)).toBe('too-tall');
  expect(pasteDoubt([['Keyword', 'Match type', 'Bid'], ...rows], columns, { ...at, top: 0 }, 3)).toBe('headed');
  expect(pasteDoubt([['Bid']], columns, at, 3), 'a keyword may be called so').toBeNull();
});

test('a table of more rows than a call can have arguments is measured', () => {
  const table = Array.from({ length: 200_000 }, () => ['1.50', '2.00']);
  expect(pasteRange(table, { top: 0, bottom: 0, left: 0, right: 0 })).toEqual({
    top: 0,
    bottom: 199_999,
    left: 0,
    right: 1,
  });
});
