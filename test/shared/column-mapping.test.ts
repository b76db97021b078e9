import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textKey } from '../../shared/model/text.ts';
import {
  type ChosenColumn,
  COLUMN_CHOICES,
  type ColumnMapping,
  columnName,
  type Heading,
  MAPPED_COLUMNS,
  matchColumns,
  NO_MAPPING,
  namedColumns,
  REMEMBERED_MAX,
  rememberColumns,
} from '../../shared/spreadsheet/column-mapping.ts';
import { parseSheet } from '../../shared/spreadsheet/parse-sheet.ts';
import { sheetProblemText } from '../../shared/spreadsheet/sheet-row.ts';
import { SEED } from '../share.ts';

const options = { seed: SEED };
const heading = fc.oneof(
  fc.constantFrom(...MAPPED_COLUMNS, 'CPC', 'Search phrase', 'CPC limit', 'cpc  LIMIT', '__proto__', 'constructor'),
  fc.string({ maxLength: 8 }),
);
const choices = fc.array(
  fc.record(
    { heading, nth: fc.integer({ min: 1, max: 3 }), as: fc.constantFrom(...COLUMN_CHOICES) },
    { requiredKeys: ['heading', 'as'] },
  ),
  { maxLength: 12 },
);
const headings = fc.array(heading, { maxLength: 12 });
const matchHeadings = (texts: readonly string[], mapping: ColumnMapping): readonly Heading[] =>
  matchColumns(namedColumns(texts), mapping);
const taken = (found: readonly Heading[]) => found.flatMap(({ column }) => (column === null ? [] : [column]));
const isUnique = (found: readonly Heading[]): boolean => new Set(taken(found)).size === taken(found).length;

describe(`columns that a user maps (seed ${SEED})`, () => {
  test('what is remembered never makes two columns one, and is never said of a column that was chosen', () => {
    fc.assert(
      fc.property(headings, choices, choices, (texts, chosen, remembered) => {
        const without = matchHeadings(texts, { chosen, remembered: [] });
        const found = matchHeadings(texts, { chosen, remembered });
        expect(found.map((each) => each.heading)).toEqual(texts);
        if (isUnique(without)) expect(isUnique(found)).toBe(true);
        for (const [at, { by }] of without.entries()) if (by === 'chosen') expect(found[at]).toEqual(without[at]);
      }),
      options,
    );
  });

  test('a choice is what is imported, and `auto` is as if nothing had been said', () => {
    fc.assert(
      fc.property(headings, fc.constantFrom(...COLUMN_CHOICES), choices, (texts, as, remembered) => {
        const [first] = texts;
        if (first === undefined) return;
        const [found] = matchHeadings(texts, { chosen: [{ heading: first, nth: 1, as }], remembered });
        if (as === 'auto') expect(found).toEqual(matchHeadings(texts, NO_MAPPING)[0]);
        else expect(found).toMatchObject({ heading: first, column: as === 'skip' ? null : as, by: 'chosen' });
      }),
      options,
    );
  });

  test('a file whose headings are others reads as the same rows once each is mapped', () => {
    const columns = ['Type', 'Campaign', 'Ad group', 'Keyword', 'Match type', 'Bid'] as const;
    const rows = fc.array(
      fc.tuple(fc.constantFrom('pot', 'pan', '"odd" pan'), fc.constantFrom('1.50', '2', '', 'much')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(rows, fc.uniqueArray(fc.nat(5)), (texts, renamed) => {
        const table = texts.map(([text, bid]) => ['keyword', 'Pots', 'Group', text, 'exact', bid]);
        const other = columns.map((column, at) => (renamed.includes(at) ? `File column ${at}` : column));
        const chosen = renamed.map((at) => said(`FILE  column ${at}`, columns[at] ?? 'skip'));
        const plain = parseSheet([columns, ...table]);
        const mapped = parseSheet([other, ...table], { mapping: { chosen, remembered: [] } });
        expect({ ...mapped, headings: [] }).toEqual({ ...plain, headings: [] });
        expect(mapped.kind === 'sheet' ? taken(mapped.headings) : []).toEqual(columns);
      }),
      options,
    );
  });

  test('what is remembered is what a name does not say, once for each heading, and can be forgotten', () => {
    fc.assert(
      fc.property(choices, choices, (known, chosen) => {
        const kept = rememberColumns(rememberColumns([], known), chosen);
        expect(rememberColumns(kept, kept)).toEqual(kept);
        expect(new Set(kept.map((each) => `${each.nth} ${textKey(each.heading)}`)).size).toBe(kept.length);
        for (const { heading: name, nth } of kept) {
          const [plain] = matchHeadings([name], NO_MAPPING);
          const [mapped] = matchHeadings([name], { chosen: [], remembered: kept });
          if (nth === undefined && !kept.some((each) => each.nth === 1)) expect(mapped?.column).not.toBe(plain?.column);
          const forgotten = rememberColumns(kept, [said(name, 'auto')]);
          expect(forgotten.some((each) => textKey(each.heading) === textKey(name))).toBe(false);
          expect(matchHeadings([name], { chosen: [], remembered: forgotten })).toEqual([plain]);
        }
      }),
      options,
    );
    expect(rememberColumns([], [said('Bid', 'Bid'), said('CPC', 'Bid'), said('Region', 'skip')])).toEqual([]);
    const many = Array.from({ length: REMEMBERED_MAX + 5 }, (_, at) => said(`Column ${at}`, 'Bid'));
    expect(rememberColumns([], many)).toEqual(many.slice(5));
  });
});

const said = (name: string, as: ChosenColumn['as']): ChosenColumn => ({ heading: name, as });

test('two columns for one are refused with both headings, and the columns are told all the same', () => {
  const table = [
    ['Type', 'Campaign', 'Bid', 'CPC limit'],
    ['keyword', 'Pots', '1', '2'],
  ];
  const sheet = parseSheet(table, { mapping: { chosen: [said('CPC limit', 'Bid')], remembered: [] } });
  expect(sheet.kind).toBe('bad-header');
  if (sheet.kind !== 'bad-header') return;
  expect(sheet.problems.map(sheetProblemText)).toEqual([
    '"Bid" and "CPC limit" are both imported as Bid. Import one of them as another column, or skip it.',
  ]);
  expect(sheet.headings.map(({ by, example }) => [by, example])).toEqual([
    ['name', 'keyword'],
    ['name', 'Pots'],
    ['name', '1'],
    ['chosen', '2'],
  ]);
  const remembered = [said('CPC limit', 'Bid')];
  expect(parseSheet(table, { mapping: { chosen: [], remembered } })).toMatchObject({
    kind: 'sheet',
    headings: [{}, {}, {}, { heading: 'CPC limit', column: null, by: 'none' }],
  });
});

test('two columns with one heading are mapped apart, are remembered apart, and are forgotten apart', () => {
  const table = [
    ['Type', 'Campaign', 'Ad group', 'Value', 'value', 'Match type'],
    ['keyword', 'Pots', 'Group', 'iron pot', '1.50', 'exact'],
  ];
  const chosen = [
    { heading: 'Value', nth: 1, as: 'Keyword' },
    { heading: 'Value', nth: 2, as: 'Bid' },
  ] as const;
  const remembered = rememberColumns([], chosen);
  for (const mapping of [
    { chosen, remembered: [] },
    { chosen: [], remembered },
  ]) {
    const sheet = parseSheet(table, { mapping });
    expect(sheet).toMatchObject({ kind: 'sheet', problems: [], rows: [{ cells: { text: 'iron pot', bid: 150 } }] });
    const names = sheet.kind === 'sheet' ? sheet.headings.map(columnName) : [];
    expect(names).toEqual(['Type', 'Campaign', 'Ad group', 'Value[1]', 'value[2]', 'Match type']);
  }
  expect(rememberColumns(remembered, [{ heading: 'VALUE', nth: 2, as: 'auto' }])).toEqual([chosen[0]]);
  // What is said of all columns with a heading counts for those of which nothing is said by itself.
  const [first, second] = matchHeadings(['Value', 'Value'], {
    chosen: [said('Value', 'Bid'), chosen[0]],
    remembered: [],
  });
  expect([first?.column, second?.column]).toEqual(['Keyword', 'Bid']);
  const twice = parseSheet([['Type', 'Campaign', 'Bid', 'Bid']]);
  expect(twice.kind === 'bad-header' ? twice.problems.map(sheetProblemText) : []).toEqual([
    '"Bid[1]" and "Bid[2]" are both imported as Bid. Import one of them as another column, or skip it.',
  ]);
});

test('one type for all rows stands in for a column of types, and gives way to one', () => {
  const rows = [['Pots', 'iron pot', 'exact']];
  const head = ['Campaign', 'Keyword', 'Match type'];
  expect(parseSheet([head, ...rows])).toMatchObject({ problems: [{ problem: { kind: 'missing-column' } }] });
  const mapping = { ...NO_MAPPING, rowType: 'keyword' as const };
  expect(parseSheet([head, ...rows], { mapping })).toMatchObject({ rows: [{ kind: 'keyword' }], problems: [] });
  const typed = [
    ['Type', ...head],
    ['campaign', 'Pots', '', ''],
  ];
  expect(parseSheet(typed, { mapping })).toMatchObject({ rows: [{ kind: 'campaign' }] });
});
