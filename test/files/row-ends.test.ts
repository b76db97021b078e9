import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csvReader } from '../../main/files/spreadsheet/csv.ts';
import { readSheetRows } from '../../main/files/spreadsheet/read-sheet.ts';
import { parseSheet } from '../../shared/spreadsheet/parse-sheet.ts';
import { type RowRemark, sheetProblemText } from '../../shared/spreadsheet/sheet-row.ts';
import { testFolder } from '../folder.ts';
import { runs } from '../share.ts';
import { rowCounter } from './count-rows.ts';

const folder = testFolder('row-ends');

/** Rows of a file with what is said of them: their number, the column, and the sentence. */
async function read(content: string | Buffer, linesAsRows = false) {
  const path = join(folder, `${randomUUID()}.csv`);
  writeFileSync(path, content);
  const rows: (readonly string[])[] = [];
  const doubts: (readonly [line: number, column: string, message: string])[] = [];
  const take: Parameters<typeof readSheetRows>[1] = (cells, remarks = []) => {
    rows.push(cells);
    for (const remark of remarks) {
      if ('line' in remark) doubts.push([remark.line, remark.column, sheetProblemText(remark)]);
    }
  };
  const result = await readSheetRows(path, take, { linesAsRows });
  return { rows, doubts, counted: result.ok ? result.value.rows : null, error: result.ok ? null : result.error };
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const THREE = [
  ['Type', 'Name'],
  ['campaign', 'A'],
  ['campaign', 'B'],
  ['campaign', 'C'],
];

describe('every line end ends a row, whichever stands elsewhere', () => {
  test.each([
    ['CRLF behind the header, LF behind the rows', 'Type,Name\r\ncampaign,A\ncampaign,B\ncampaign,C\n'],
    ['LF behind the header, CR behind the rows', 'Type,Name\ncampaign,A\rcampaign,B\rcampaign,C'],
    ['one of each', 'Type,Name\rcampaign,A\ncampaign,B\r\ncampaign,C'],
    ['a byte order mark before them', '\uFEFFType,Name\r\ncampaign,A\ncampaign,B\rcampaign,C\r\n'],
    ['quotes around all cells', '"Type","Name"\r\n"campaign","A"\n"campaign","B"\r"campaign","C"\n'],
    ['UTF-16', utf16('Type,Name\r\ncampaign,A\ncampaign,B\rcampaign,C')],
    ['UTF-16, big end first', utf16('Type,Name\ncampaign,A\r\ncampaign,B\rcampaign,C').swap16()],
  ])('%s', async (_name, content) => {
    expect(await read(content)).toEqual({ rows: THREE, doubts: [], counted: 3, error: null });
  });

  test('blank rows keep their place and do not count', async () => {
    const { rows, counted } = await read('\r\nType,Name\n\r\n , \rcampaign,A\n"",""\n');
    expect(rows.map((cells) => cells.join('').trim())).toEqual(['', 'TypeName', '', '', 'campaignA', '']);
    expect(counted).toBe(1);
  });

  test.each([
    [
      'the delimiter in a quoted header',
      '"Type, of row";Name;"a,b,c,d"\n1;2;3',
      [
        ['Type, of row', 'Name', 'a,b,c,d'],
        ['1', '2', '3'],
      ],
    ],
    [
      'a line end in a quoted header',
      '"Type\nof row";Name,x;Bid\n1;2;3',
      [
        ['Type\nof row', 'Name,x', 'Bid'],
        ['1', '2', '3'],
      ],
    ],
    [
      'blank lines before the header',
      '\n\r\nType;Name,x;Bid\n1;2;3',
      [[''], [''], ['Type', 'Name,x', 'Bid'], ['1', '2', '3']],
    ],
    [
      'UTF-16, big end first',
      utf16('Type;Name,x;Bid\n1;2;3').swap16(),
      [
        ['Type', 'Name,x', 'Bid'],
        ['1', '2', '3'],
      ],
    ],
  ])('the delimiter is told in spite of %s', async (_name, content, rows) => {
    expect((await read(content)).rows).toEqual(rows);
  });

  test.each([
    [
      'a byte that is not UTF-8',
      Buffer.concat([Buffer.from('Type,Name\r"a\nb",A\rcampaign,caf'), Buffer.from([0xe9, 0x2c])]),
      3,
    ],
    [
      'the same behind a long piece',
      Buffer.concat([Buffer.from(`Type,Name\n${'campaign,é\r'.repeat(9000)}caf`), Buffer.from([0xe9])]),
      9002,
    ],
    ['a NUL', Buffer.from(`Type,Name\r\ncampaign,A\rcampaign,${'B'.repeat(5000)}\rcampaign,\u0000`), 4],
    [
      'half a pair of surrogates',
      Buffer.concat([utf16('Type,Name\ncampaign,A\r\n'), Buffer.from([0x3d, 0xd8, 0x41, 0x00])]),
      3,
    ],
  ])('%s is refused with the row it stands in', async (_name, content, line) => {
    expect((await read(content)).error).toMatchObject({ reason: 'not-text', params: { line } });
  });
});

describe('a quote', () => {
  const HEAD = 'Type,Campaign,Keyword,Bid\n';

  test('that is never closed is named, and no row behind it is lost', async () => {
    const { rows, doubts, counted } = await read(
      `${HEAD}keyword,A,one,1\nkeyword,A,"two,2\r\nkeyword,A,three,3\rkeyword,A,four,4`,
    );
    expect(rows.slice(1)).toEqual([
      ['keyword', 'A', 'one', '1'],
      ['keyword', 'A', '"two', '2'],
      ['keyword', 'A', 'three', '3'],
      ['keyword', 'A', 'four', '4'],
    ]);
    expect(doubts.map(([line, column]) => [line, column])).toEqual([
      [3, 'Keyword'],
      [4, ''],
      [5, ''],
    ]);
    for (const [, , message] of doubts) {
      expect(message).toContain('The quotation mark in row 3, column Keyword, cell 3 is not closed.');
    }
    expect(counted).toBe(4);
  });

  test('that is met by the quote of another cell is not closed by it', async () => {
    const { rows, doubts } = await read(
      `${HEAD}keyword,A,"one,1\nkeyword,A,two,2\nkeyword,A,"three, or 3",3\nkeyword,A,four,4\n`,
    );
    expect(rows.slice(1).map((cells) => cells[2])).toEqual(['"one', 'two', 'three, or 3', 'four']);
    expect(doubts.map(([line]) => line)).toEqual([2, 3, 4]);
  });

  test('that is closed much later by a stray one is told with the rows in between', async () => {
    const { rows, doubts, counted } = await read(
      `${HEAD}keyword,A,"one,1\nkeyword,A,two,2\r\nkeyword,A,three,3\nkeyword,A,four",4\nkeyword,A,five,5`,
    );
    expect(rows).toHaveLength(3);
    expect(doubts).toEqual([[2, 'Keyword', expect.stringContaining('rows 3 to 5')]]);
    expect(counted).toBe(2);
  });

  test('around several lines of a text is told from that', async () => {
    const { doubts, counted } = await read(`${HEAD}keyword,A,"one,\ntwo,\nthree",1\nkeyword,A,"1,\n2",2\n`);
    expect(doubts).toEqual([]);
    expect(counted).toBe(2);
  });

  test('around more lines than a cell may hold is not closed either', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `keyword,A,word ${at},1`);
    const { rows, doubts, counted, error } = await read(
      `${HEAD}keyword,A,"one,1\n${lines.join('\n')}\nkeyword,A,last",1`,
    );
    expect(error).toBeNull();
    expect([rows.length, counted, doubts.length]).toEqual([3003, 3002, 3002]);
  });

  test('with text behind it loses nothing of that', async () => {
    const { rows, doubts } = await read(`${HEAD}keyword,A,"12"" tea" pot,1\nkeyword,A,"roll"s,2\n`);
    expect(rows.slice(1).map((cells) => cells.slice(2))).toEqual([
      ['12" tea pot', '1'],
      ['rolls', '2'],
    ]);
    expect(doubts.map(([line, column]) => [line, column])).toEqual([
      [2, 'Keyword'],
      [3, 'Keyword'],
    ]);
  });

  test('within a text is a sign as any other', async () => {
    const { rows, doubts } = await read(`${HEAD}keyword,A,12" tea,1\nkeyword,A, "roll",2\n`);
    expect(rows.slice(1).map((cells) => cells[2])).toEqual(['12" tea', ' "roll"']);
    expect(doubts).toEqual([]);
  });

  test('is text when every line is a row', async () => {
    const text = `${HEAD}keyword,A,"one,1\nkeyword,A,two,2\nkeyword,A,four",4\nkeyword,A,"five, 5",5`;
    const { rows, counted } = await read(text, true);
    expect(rows.slice(1).map((cells) => cells[2])).toEqual(['"one', 'two', 'four"', 'five, 5']);
    expect(counted).toBe(4);
  });
});

test('cells beyond the header are told, and blank ones are not', async () => {
  const { doubts } = await read('Type,Campaign,Bid\nkeyword,A,1,50\nkeyword,A,1,,\nkeyword,A\n');
  expect(doubts).toEqual([[2, '', expect.stringContaining('4 cells, but the header has 3')]]);
});

describe('whatever the text', () => {
  const parse = (pieces: readonly string[], delimiter: string, linesAsRows: boolean) => {
    const rows: (readonly [readonly string[], readonly RowRemark[]])[] = [];
    const reader = csvReader({ delimiter, linesAsRows }, (cells, remarks = []) => void rows.push([cells, remarks]));
    for (const piece of pieces) reader.push(piece);
    reader.end();
    return rows;
  };
  const count = (pieces: readonly string[], delimiter: string, linesAsRows: boolean) => {
    const counter = rowCounter(delimiter, linesAsRows);
    for (const piece of pieces) counter.push(piece);
    return counter.end();
  };
  const signs = fc.string({
    unit: fc.constantFrom('"', ',', '\r', '\n', 'a', ' ', '\t', '""', 'b"', '\r\n'),
    maxLength: 12,
  });

  test('where its pieces are cut changes nothing, the rows are as many as are counted, and no letter is lost', () => {
    const seen = new Set<unknown>();
    fc.assert(
      fc.property(
        fc.array(signs, { maxLength: 8 }),
        fc.constantFrom(',', '\t'),
        fc.boolean(),
        (pieces, delimiter, lines) => {
          const whole = pieces.join('');
          const rows = parse([whole], delimiter, lines);
          expect(parse(pieces, delimiter, lines)).toEqual(rows);
          expect(parse([...whole], delimiter, lines)).toEqual(rows);
          const filled = rows.filter(([cells]) => cells.some((cell) => cell.trim() !== '')).length;
          for (const cut of [[whole], pieces, [...whole]]) expect(count(cut, delimiter, lines)).toBe(filled);
          const letters = (text: string): number => text.replace(/[^ab]/g, '').length;
          expect(letters(rows.map(([cells]) => cells.join('')).join(''))).toBe(letters(whole));
          for (const [, remarks] of rows) for (const { problem } of remarks) seen.add(problem.kind);
        },
      ),
      { numRuns: runs(3000, 300) },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['cells-beyond-header', 'open-quote', 'text-after-quote']));
  });

  test('rows as a library writes them, with one kind of line end, are read as it reads them', () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', 'ä', ' ') });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('\r\n', '\n', '\r'),
        (table, newline) => {
          const text = Papa.unparse(table, { newline });
          const peer = Papa.parse<string[]>(text, { delimiter: ',', newline }).data;
          expect(peer).toEqual(table);
          expect(parse([text], ',', false).map(([cells]) => cells)).toEqual(table);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('a sign that ends no row of a sheet', () => {
  test.each([
    ['U+000C', '\f'],
    ['U+000B', '\v'],
    ['U+0085', '\u0085'],
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
  ])('%s behind the header is refused by name, so that no row is lost in it', (name, mark) => {
    const result = parseSheet([`Type,Campaign${mark}campaign,A${mark}`.split(',')]);
    const problems = result.kind === 'bad-header' ? result.problems : [];
    expect(problems.map((problem) => sheetProblemText(problem)).join()).toContain(`contains ${name}`);
  });
});
