import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { DATE_ORDERS } from '../../shared/model/plain-date.ts';
import { guardCell, plainNumber, unguardCell } from '../../shared/spreadsheet/cell-guard.ts';
import { COLUMNS } from '../../shared/spreadsheet/columns.ts';
import { parseSheet, type SheetOptions } from '../../shared/spreadsheet/parse-sheet.ts';
import { linkSheet } from '../../shared/spreadsheet/sheet-linker.ts';
import { sheetProblemText } from '../../shared/spreadsheet/sheet-row.ts';
import { aCampaign, aKeyword, anAdGroup, aTree, lookupOf } from './builders.ts';

const table = (text: string) => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

function read(text: string, trees: readonly CampaignTree[] = [], options: SheetOptions = {}) {
  const sheet = parseSheet(table(text), options);
  if (sheet.kind !== 'sheet') throw new Error(JSON.stringify(sheet));
  const linked = linkSheet(sheet.rows, lookupOf(trees));
  const problems = [...sheet.problems, ...linked.problems];
  return { ...linked, problems, sheet, texts: problems.map((p) => `${p.line} ${p.column}: ${sheetProblemText(p)}`) };
}

test('a new campaign comes in whole, its rows in any order and its headers in any spelling', () => {
  const changes =
    read(`TYPE|campaign name|adgroup|Campaign_Type|targetingType|keywordText|matchType|Bid|Item ID|Daily budget|Video
    keyword|Spring|Main|||paper towel|EXACT|1.65|||
    video profile|Spring|Main||||||||clips/spring.mp4
    ad item|Spring|Main|||||1.60|0012345678||
    ad group|Spring|Main||||||||
    campaign|Spring||video|manual|||||75|`);
  expect(changes.texts).toEqual([]);
  expect(changes).toMatchObject({ added: 5, changed: 0, unchanged: 0 });
  expect(changes.creates.map(({ kind, parent, values, line }) => ({ kind, parent, values, line }))).toEqual([
    {
      kind: 'campaign',
      parent: null,
      line: 6,
      values: { name: 'Spring', campaignType: 'video', targetingType: 'manual', dailyBudget: 7500, status: 'enabled' },
    },
    { kind: 'adGroup', parent: { at: 0 }, line: 5, values: { name: 'Main', status: 'enabled' } },
    {
      kind: 'keyword',
      parent: { at: 1 },
      line: 2,
      values: { text: 'paper towel', matchType: 'exact', bid: 165, state: 'enabled' },
    },
    { kind: 'videoProfile', parent: { at: 1 }, line: 3, values: { status: 'enabled' } },
    {
      kind: 'adItem',
      parent: { at: 1 },
      line: 4,
      values: { itemId: '0012345678', bid: 160, status: 'enabled', itemIdSource: 'import' },
    },
  ]);
  expect(changes.files).toEqual([
    { line: 3, kind: 'videoProfile', row: { at: 3 }, currentVideo: null, video: 'clips/spring.mp4' },
  ]);
});

const known = aTree({
  campaign: aCampaign({ name: 'Spring' }, { remote: '100' }),
  adGroups: [anAdGroup({ name: 'Main' }, { remote: '200' })],
  keywords: [aKeyword({}, { remote: '300' })],
});

test('a blank cell leaves a value, a pair of brackets erases it', () => {
  const changes = read('Type|Campaign|Daily budget|Total budget\ncampaign|Spring||[]', [known]);
  expect(changes.updates).toEqual([{ kind: 'campaign', id: 1, field: 'totalBudget', value: null, line: 2 }]);
});

test('a line number in a message has a thousands separator', () => {
  const row = 'keyword|||||2.00|300\n';
  const changes = read(`Type|Campaign|Ad group|Keyword|Match type|Bid|Row id\n${'\n'.repeat(1233)}${row}${row}`, [
    known,
  ]);
  expect(changes.texts).toEqual(['1236 Type: This row is already in line 1,235. Remove one of them.']);
});

test('without an id, a row is the one in use, and only an archived one if it is archived itself', () => {
  const texts = { text: 'mug', matchType: 'exact' } as const;
  const both = aTree({
    ...known,
    keywords: [
      aKeyword({ ...texts, state: 'archived' }, { id: 40, remote: '301' }),
      aKeyword({ ...texts, state: 'enabled' }, { id: 41, remote: '302' }),
      aKeyword({ ...texts, state: 'archived' }, { id: 42, remote: '303' }),
    ],
  });
  const head = 'Type|Campaign|Ad group|Keyword|Match type|Bid|Status';
  const changes = read(`${head}\nkeyword|Spring|Main|mug|exact|1.65|archived\nkeyword|Spring|Main|mug|exact|2.00|`, [
    both,
  ]);
  expect(changes.texts).toEqual([]);
  expect(changes.updates).toEqual([{ kind: 'keyword', id: 41, field: 'bid', value: 200, line: 3 }]);
  const unknown = read(`${head}\nkeyword|Spring|Main|cup|exact|1.65|archived`, [both]);
  expect(unknown.texts).toEqual(['2 Status: This keyword is archived, so it is skipped.']);
  expect(unknown.creates).toEqual([]);
});

test('rows are found by id or by what they are; only what differs is changed', () => {
  const changes = read(
    `Type|Campaign|Ad group|Keyword|Match type|Bid|Row id|Status
    keyword|||||2.00|300|
    keyword|Spring|Main|Paper  Towel|exact|1.65||enabled`,
    [known],
  );
  expect(changes.updates).toMatchObject([{ kind: 'keyword', id: 4, field: 'bid', value: 200 }]);
  expect(changes.texts).toEqual(['3 Type: This row is already in line 2. Remove one of them.']);
});

test('a row without an ad group goes to the only one, or to one made for the campaign', () => {
  const found = read('Type|Campaign|Item id|Bid\nad item|Spring|0012345678|1', [known]);
  expect(found.creates).toMatchObject([{ kind: 'adItem', parent: { id: 2 } }]);
  const made = read('Type|Campaign|Item id|Bid|Campaign type\nad item|Autumn|0012345678|1|\ncampaign|Autumn|||sba');
  expect(made.creates).toMatchObject([
    { kind: 'campaign' },
    { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Autumn group' } },
    { kind: 'adItem', parent: { at: 1 } },
  ]);
  expect(made.added).toBe(2);
});

test('orphans, unknown ids and wrong parents are named by line and column while the rest goes on', () => {
  const changes = read(
    `Type|Campaign|Ad group|Item id|Bid|Row id|Campaign id|Status
    ad item|Autumn||0012345678|1|||
    ad item|Spring|Side|0012345678|1|||
    ad item|Other||0012345678|1||100|
    campaign||||||999|paused
    ad item|Spring|Main|0012345679|1|||`,
    [known],
  );
  expect(changes.texts).toEqual([
    '2 Campaign: This account has no campaign "Autumn", and the file has no row without errors for it. Add or correct that row, or correct the name.',
    '3 Ad group: This account has no ad group "Side", and the file has no row without errors for it. Add or correct that row, or correct the name.',
    '4 Campaign id: The row with ID 100 belongs to "Spring". Correct the ID or the name.',
    '5 Campaign id: This account has no row with ID 999. Refresh first, or clear the ID to create a new row.',
  ]);
  expect(changes.added).toBe(1);
});

test('a row of a file without a Campaign column is told to name its campaign', () => {
  const { texts } = read('Type|Keyword|Bid\nkeyword|tea|1', [known]);
  expect(texts).toEqual([
    '2 Campaign: The row has no campaign. Fill in the Campaign column, or add this column to the file.',
  ]);
});

test('a renamed campaign is found by its id, and its rows by the new name', () => {
  const changes = read(
    'Type|Campaign|Campaign id|Item id|Bid\nad item|Summer||0012345678|1\ncampaign|Summer|100||\nad item|Summer|100|0012345679|1',
    [known],
  );
  expect(changes.texts).toEqual([]);
  expect(changes.updates).toMatchObject([{ kind: 'campaign', id: 1, field: 'name', value: 'Summer' }]);
  expect(changes.creates).toMatchObject([{ parent: { id: 2 } }, { parent: { id: 2 } }]);
});

test('ids that a spreadsheet program damaged are refused, never repaired', () => {
  const changes = read(`Type|Campaign|Item id|Campaign id
    ad item|Spring|1.23457E+9|
    ad item|Spring|12345678|
    ad item|Spring|0012345678|9.04E+11`);
  expect(changes.problems.map((p) => [p.line, p.column, p.problem.kind])).toEqual([
    [2, 'Item id', 'damaged-id'],
    [3, 'Item id', 'lost-zeros'],
    [4, 'Campaign id', 'damaged-id'],
  ]);
});

test('numbers that could be read in two ways are asked about once for the whole sheet', () => {
  const text = 'Type|Campaign|Daily budget|Total budget\ncampaign|A|1,50|1.500,00\ncampaign|B|$2,50|1.5';
  expect(parseSheet(table(text))).toEqual({ kind: 'needs-decimal-locale', examples: ['1,50', '1.500,00', '$2,50'] });
  const comma = read(text, [], { decimals: 'comma' });
  expect(comma.creates.map((row) => [row.values['dailyBudget'], row.values['totalBudget']])).toEqual([
    [150, 150_000],
    [250, 150],
  ]);
});

const dated = (...days: readonly string[]): string =>
  ['Type|Campaign|Start', ...days.map((day, at) => `campaign|${at}|${day}`)].join('\n');
const startsIn = (text: string, options: SheetOptions = {}) =>
  read(text, [], options).creates.map((row) => row.values['startDate']);

test('a date that can have one order only decides for the whole sheet, wherever it is', () => {
  const american = ['2026-05-04', '2026-05-04', '2026-12-15', '2026-07-07', '2026-05-04', '2026-05-04'];
  expect(startsIn(dated('5/4/2026', '2026-05-04', '12/15/2026', '7/7/2026', '05.04.2026', '2026/5/4'))).toEqual(
    american,
  );
  const european = ['2026-04-05', '2026-05-04', '2026-12-15', '2026-07-07', '2026-04-05', '2026-05-04'];
  expect(startsIn(dated('5/4/2026', '2026-05-04', '15.12.2026', '7/7/2026', '05-04-2026', '2026.05.04'))).toEqual(
    european,
  );
});

test('dates that can all mean two days are asked about once; those with one meaning are not', () => {
  const text = dated('7/7/2026', '5/4/2026', '5/6/2026');
  const example = { text: '5/4/2026', line: 3, column: 'Start' };
  expect(parseSheet(table(text))).toEqual({ kind: 'needs-date-order', example });
  expect(startsIn(text, { dates: 'month-first' })).toEqual(['2026-07-07', '2026-05-04', '2026-05-06']);
  expect(startsIn(text, { dates: 'day-first' })).toEqual(['2026-07-07', '2026-04-05', '2026-06-05']);
  expect(startsIn(dated('7/7/2026', '2026-5-4', ''))).toEqual(['2026-07-07', '2026-05-04', undefined]);
});

test('dates in different orders prove nothing: the order is asked for, and the others are errors by their lines', () => {
  const text = dated('5/4/2026', '12/15/2026', '15/12/2026', '31.12.2026');
  const example = { text: '15/12/2026', line: 4, column: 'Start' };
  expect(parseSheet(table(text))).toEqual({ kind: 'needs-date-order', example, other: '12/15/2026' });
  const american = read(text, [], { dates: 'month-first' });
  expect(american.creates.map((row) => row.values['startDate'])).toEqual(['2026-05-04', '2026-12-15']);
  const other = (shown: string, order: string): string =>
    `"${shown}" can't be read as ${order}, the order of the dates in this file. Correct the date, or enter year-month-day, such as 2026-05-04.`;
  expect(american.texts).toEqual([
    `4 Start: ${other('15/12/2026', 'month/day/year')}`,
    `5 Start: ${other('31.12.2026', 'month/day/year')}`,
  ]);
  expect(read(text, [], { dates: 'day-first' }).texts).toEqual([`3 Start: ${other('12/15/2026', 'day/month/year')}`]);
});

test('a date that does not exist and a year of two digits are errors of their rows, and prove no order', () => {
  const text = dated('2/30/2026', '31/4/2026', '12/15/26', '5/4/2026', '45/45/2026', '26-05-04');
  expect(parseSheet(table(text))).toMatchObject({ kind: 'needs-date-order', example: { line: 5 } });
  const { texts } = read(text, [], { dates: 'day-first' });
  expect(texts).toEqual([
    '2 Start: "2/30/2026" is not a date. Enter year-month-day, such as 2026-05-04.',
    '3 Start: "31/4/2026" is not a date. Enter year-month-day, such as 2026-05-04.',
    '4 Start: "12/15/26" has a year of 2 digits. Enter 4 digits, or year-month-day, such as 2026-05-04.',
    '6 Start: "45/45/2026" is not a date. Enter year-month-day, such as 2026-05-04.',
    '7 Start: "26-05-04" has a year of 2 digits. Enter 4 digits, or year-month-day, such as 2026-05-04.',
  ]);
});

test('midnight after a date is dropped, and any other time is an error of its row', () => {
  const midnights = ['12/15/2026 00:00', '12/15/2026 12:00:00 AM', '2026-12-15T00:00:00.000Z', '2026-12-15 00:00:00'];
  expect(startsIn(dated(...midnights, '5/4/2026 0:00'))).toEqual([...midnights.map(() => '2026-12-15'), '2026-05-04']);
  const timed = ['2026-12-15T14:30:00', '12/15/2026 12:00 PM', '5/4/2026 00:01'];
  expect(read(dated(...timed, '12/15/26 00:00')).texts).toEqual([
    ...timed.map(
      (text, at) => `${at + 2} Start: "${text}" has a time of day. Enter only the date, such as 2026-05-04.`,
    ),
    '5 Start: "12/15/26 00:00" has a year of 2 digits. Enter 4 digits, or year-month-day, such as 2026-05-04.',
  ]);
});

test('dates in either order read as the same days as with the year first, or are asked about', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  const mark = fc.constantFrom('/', '.', '-', ' / ');
  fc.assert(
    fc.property(fc.array(fc.tuple(day, mark, fc.boolean())), fc.constantFrom(...DATE_ORDERS), (days, order) => {
      const iso = days.map(([at]) => at.toISOString().slice(0, 10));
      const written = days.map(([at, by, isLong]) => {
        const parts = [at.getUTCMonth() + 1, at.getUTCDate()].map((n) => String(n).padStart(isLong ? 2 : 1, '0'));
        return [...(order === 'month-first' ? parts : parts.reverse()), at.getUTCFullYear()].join(by);
      });
      expect(startsIn(dated(...written), { dates: order })).toEqual(iso);
      const isProven = days.some(([at]) => at.getUTCDate() > 12);
      const isSame = days.every(([at]) => at.getUTCDate() === at.getUTCMonth() + 1);
      if (isProven || isSame) expect(startsIn(dated(...written))).toEqual(iso);
      else expect(parseSheet(table(dated(...written)))).toMatchObject({ kind: 'needs-date-order' });
    }),
  );
});

test('each country writes its numbers its own way', () => {
  expect(['1,500.25', '$1,500', '1500', "1'500.5"].map((text) => plainNumber(text, 'point'))).toEqual([
    '1500.25',
    '1500',
    '1500',
    '1500.5',
  ]);
  expect(['1.500,25', '1 500,25 €', '1500', '12,5%'].map((text) => plainNumber(text, 'comma'))).toEqual([
    '1500.25',
    '1500.25',
    '1500',
    '12.5%',
  ]);
});

test('a mark that parts no thousands is never taken out of a number', () => {
  const slips = ['1 5', '12 34', "2'50", '1 000’000', '1,00', '0,005', '1,0000'];
  expect(slips.map((text) => plainNumber(text, 'point'))).toEqual(slips);
  expect(['0.005', '2.5', '1.0000'].map((text) => plainNumber(text, 'comma'))).toEqual(['0.005', '2.5', '1.0000']);
  const changes = read('Type|Campaign|Daily budget|Total budget\ncampaign|A|1 5|0,005\ncampaign|B|1 500|1,500', [], {
    decimals: 'point',
  });
  expect(changes.problems.map(({ line, column, problem }) => [line, column, problem.kind])).toEqual([
    [2, 'Daily budget', 'unclear-number'],
    [2, 'Total budget', 'unclear-number'],
  ]);
  expect(changes.creates.map((row) => row.values['totalBudget'])).toEqual([150_000]);
});

test('a percent sign behind an amount is an error of its row, and no question about the decimals of the sheet', () => {
  const changes = read('Type|Campaign|Daily budget|Total budget\ncampaign|A|2%|100\ncampaign|B|2|100');
  expect(changes.problems.map(({ line, problem }) => [line, problem.kind])).toEqual([[2, 'not-a-number']]);
  expect(changes.creates.length).toBe(1);
});

test('what is wrong in a row is said by column; a column that its type does not have is not dropped in silence', () => {
  const changes = read(`Type|Campaign|Bid|Match type|Start|Campaign type
    campaign|A|1.50|||
    keyword|A||fuzzy||
    campaign|B|||30.02.2026|
    thing|B||||`);
  expect(changes.problems.map((p) => [p.line, p.column, p.problem.kind])).toEqual([
    [2, 'Bid', 'column-not-used'],
    [3, 'Match type', 'not-a-choice'],
    [4, 'Start', 'not-a-date'],
    [5, 'Type', 'unknown-type'],
  ]);
});

test('a header without types, with a column twice, or missing is refused; foreign columns are listed', () => {
  expect(parseSheet([['Campaign']])).toMatchObject({ kind: 'bad-header' });
  expect(parseSheet([['Type', 'Bid', 'CPC']])).toMatchObject({ problems: [{ problem: { kind: 'column-twice' } }] });
  expect(parseSheet([])).toMatchObject({ problems: [{ problem: { kind: 'no-header' } }] });
  expect(parseSheet([['\ufeffType', '__proto__', 'Region']])).toMatchObject({
    kind: 'sheet',
    headings: [{ by: 'name' }, { heading: '__proto__', by: 'none' }, { heading: 'Region', by: 'none' }],
  });
});

test('a formula is read as text and its line is reported', () => {
  const sheet = parseSheet([
    ['Type', 'Campaign'],
    ['campaign', '=HYPERLINK("http://x")'],
  ]);
  expect(sheet).toMatchObject({ formulaLines: [2], rows: [{ campaign: { name: '=HYPERLINK("http://x")' } }] });
});

test('a text keeps its signs through export and import, also where a spreadsheet would run it', () => {
  expect(guardCell('=1+1')).toBe("'=1+1");
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom("'=", "''-x", '[]', "'[]", '@a', '+', "'")), (text) => {
      expect(unguardCell(guardCell(text))).toBe(text);
      expect(guardCell(text)).not.toMatch(/^(?:[=+\-@]|\[\]$)/);
    }),
  );
});

test('what is fixed on the service is refused in a sheet too', () => {
  const changes = read('Type|Campaign|Campaign type|Campaign id\ncampaign|Spring|sba|100', [known]);
  expect(changes.texts).toEqual([
    "2 Campaign type: Campaign type can't be changed after the row is created on the service. Restore the old value, or add a new row.",
  ]);
});

test('any table of text is read without throwing, and every problem has a line and a sentence', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...COLUMNS, 'campaign', 'keyword', '[]', '1,5', '1.2E+9', ''),
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 6 }),
      fc.constantFrom('point', 'comma'),
      (rows, decimals) => {
        const sheet = parseSheet([['Type', 'Campaign', 'Bid', 'Item id', 'Status', 'Row id'], ...rows], {
          decimals: decimals === 'point' ? 'point' : 'comma',
        });
        if (sheet.kind !== 'sheet') return;
        const all = [...sheet.problems, ...linkSheet(sheet.rows, lookupOf([])).problems];
        for (const problem of all) {
          expect(problem.line).toBeGreaterThan(1);
          expect(sheetProblemText(problem)).toMatch(/[.]$/);
        }
      },
    ),
  );
});
