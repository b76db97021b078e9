import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import Papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeSheet } from '../../main/files/spreadsheet/csv.ts';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';
import { aZip } from '../faults/bad-sheets.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';

describe('read sheet', () => {
  const folder = testFolder('sheet');
  const read = (content: string | Buffer) => {
    const path = join(folder, `${randomUUID()}.csv`);
    writeFileSync(path, content);
    return readSheet(path);
  };

  test('a sheet is read with quotes, line ends inside cells and blank rows in their place', async () => {
    expect(await read('a,b\r\n"x ""y""","1\n2"\r\n\r\nlast,\r\n')).toEqual({
      ok: true,
      value: [['a', 'b'], ['x "y"', '1\n2'], [''], ['last', '']],
    });
  });
  test.each([
    ['tabs', 'a\tb\n1\t2'],
    ['semicolons', 'a;b\n1;2'],
    ['a byte order mark', '\uFEFFa,b\n1,2'],
  ])('%s are understood', async (_name, text) => {
    expect(await read(text)).toEqual({
      ok: true,
      value: [
        ['a', 'b'],
        ['1', '2'],
      ],
    });
  });
  test.each([
    ['a title', 'Export of Agency, North\nKampagne;Gebot\na;1,5\n', [[], ['Kampagne', 'Gebot'], ['a', '1,5']]],
    ['a title in cells', 'Export;;\n\nKampagne;Gebot;\na;1;\n', [[], [''], ['Kampagne', 'Gebot', ''], ['a', '1', '']]],
    ['a title and a period', 'Export\nMay 4\na,b\n1,2\n', [[], [], ['a', 'b'], ['1', '2']]],
  ])('%s above the headings is read as a blank row', async (_name, text, value) => {
    expect(await read(text)).toEqual({ ok: true, value });
  });
  test.each([
    ['one column', 'Suchbegriff\nglass bottle\nthermos\n', [['Suchbegriff'], ['glass bottle'], ['thermos']]],
    ['one column that is known', 'Keyword\na,b\n', [['Keyword'], ['a', 'b']]],
    [
      'decimal commas',
      'Gebot;Max\n1,5;2,5\n1,6;2,6\n',
      [
        ['Gebot', 'Max'],
        ['1,5', '2,5'],
        ['1,6', '2,6'],
      ],
    ],
  ])('the first row of a sheet with %s is its header', async (_name, text, value) => {
    expect(await read(text)).toEqual({ ok: true, value });
  });
  test('UTF-16 is read by its byte order mark', async () => {
    expect(await read(Buffer.from('\uFEFFname,brand\nä,ß', 'utf16le'))).toMatchObject({ value: [{}, ['ä', 'ß']] });
  });
  test('other encodings are refused with the line', async () => {
    expect(await read(Buffer.from('a\nb\nCaf\xe9\n', 'latin1'))).toMatchObject({ error: { reason: 'not-text' } });
  });
  test.each([
    ['nothing', '', 'empty'],
    ['a broken spreadsheet file', 'PK\u0003\u0004', 'damaged-workbook'],
    ['a web page', '<html></html>', 'not-a-sheet'],
    ['too many columns', ','.repeat(300), 'too-many-columns'],
    ['a cell without end', `a,b\n1,${'x'.repeat(40_000)}`, 'cell-too-long'],
    ['a line without end', `a\n"${'x'.repeat(9_000_000)}`, 'cell-too-long'],
  ])('%s is refused', async (_name, text, reason) => expect(await read(text)).toMatchObject({ error: { reason } }));
  test('a missing file is refused', async () => {
    expect(await readSheet(join(folder, 'none'))).toMatchObject({ error: { reason: 'cannot-read' } });
  });
  test('a column named __proto__ is a column', async () => {
    expect(await read('__proto__,b\n1,2')).toMatchObject({
      value: [
        ['__proto__', 'b'],
        ['1', '2'],
      ],
    });
    expect(Object.keys({})).toEqual([]);
  });
  test('what was written is read back the same, whatever the cells hold', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@\'"1.5,\n\t;xäß€ ') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 6 }), async (cells) => {
        const rows = [['Type', 'Campaign', 'Comment'], ...cells];
        expect(await read(writeSheet(rows))).toEqual({ ok: true, value: rows });
      }),
      { numRuns: 60 },
    );
  });
});

describe('read xlsx', () => {
  const folder = testFolder('xlsx');
  const read = (bytes: Uint8Array) => {
    const path = join(folder, `${randomUUID()}.xlsx`);
    writeFileSync(path, bytes);
    return readSheet(path);
  };
  const workbook = (rows: CellValue[][]) => writeXlsx({ sheets: [{ name: 'Sheet', rows }] });

  /** An archive of one entry whose directory states a size of our choice. */
  function anArchive(name: string, content: Buffer, statedBytes: number, flags = 0): Buffer {
    const zip = aZip({ [name]: content }, flags);
    zip.writeUInt32LE(statedBytes, zip.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    return zip;
  }

  test('the example sheet reads the same from XLSX as from CSV', async () => {
    const csv = readFileSync('examples/campaigns.csv', 'utf8');
    const rows = Papa.parse<string[]>(csv, { skipEmptyLines: true }).data;
    const fromXlsx = done(await read(await workbook(rows)));
    const width = rows[0]?.length ?? 0;
    const padded = fromXlsx.map((row) => [...row, ...Array<string>(width).fill('')].slice(0, width));
    expect(padded).toEqual(rows);
  });
  test('numbers keep their decimals, dates become plain dates, and a damaged id shows', async () => {
    const rows: CellValue[][] = [
      ['Type', 'Bid', 'Start', 'Item id'],
      ['ad item', 1.65, new Date(Date.UTC(2030, 2, 4)), '0799650557'],
      ['ad item', 0.29, null, 12_345_678_901_234_568],
    ];
    expect(await read(await workbook(rows))).toMatchObject({
      value: [{}, ['ad item', '1.65', '2030-03-04', '0799650557'], ['ad item', '0.29', '', '1.2345678901234568E+16']],
    });
  });
  test('an archive that unpacks to more than it says is refused before it is read', async () => {
    const bomb = anArchive('_rels/.rels', Buffer.alloc(300 * 1024 * 1024, ' '), 1000);
    expect(bomb.length).toBeLessThan(400_000);
    expect(await read(bomb)).toMatchObject({ error: { reason: 'workbook-too-large' } });
  });
  test.each([
    ['an encrypted archive', anArchive('a', Buffer.from('x'), 1, 1), /encrypted/],
    ['an encrypted workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /encrypted/],
    [
      'an archive of something else',
      anArchive('readme.txt', Buffer.from('hello'), 5),
      /ZIP archive without a workbook/,
    ],
  ])('%s is refused and named', async (_name, bytes, found) => {
    expect(await read(bytes)).toMatchObject({
      error: { reason: 'not-a-sheet', params: { found: expect.stringMatching(found) } },
    });
  });
});

describe('libreoffice', () => {
  /**
   * Exports that LibreOffice 7.4 opened and saved, read back into the account of `source.csv`: `saved.xlsx` as XLSX,
   * `from-ods.csv` by way of ODS, `semicolons.csv` by a German LibreOffice (decimal commas), `utf-16.tsv` with tabs,
   * `from-csv.xlsx` from the CSV export opened as it comes, which drops leading zeros of IDs.
   */
  const saved = (name: string): string => join(import.meta.dirname, 'from-libreoffice', name);
  const folder = testFolder('office');
  let desk: TestExchange;
  let rows: number;
  beforeAll(async () => {
    desk = await anExchange(join(folder, 'data'));
    const preview = await desk.preview(await desk.grant(saved('source.csv')));
    if (preview.errorCount > 0) throw new Error(JSON.stringify(preview.errors));
    rows = preview.added;
    await desk.apply(preview.previewId);
    return () => desk.close();
  });

  test.each([
    ['saved.xlsx', undefined],
    ['from-ods.csv', undefined],
    ['utf-16.tsv', undefined],
    ['semicolons.csv', 'comma'],
  ] as const)('%s comes back without damage', async (name, decimals) => {
    const preview = await desk.preview(await desk.grant(saved(name)), decimals);
    await desk.dismiss(preview.previewId);
    expect(preview).toMatchObject({ added: 0, changed: 0, conflicts: 0, errors: [], unchanged: rows });
    expect(rows).toBe(15);
  });

  test('decimal commas are asked about, not guessed', async () => {
    expect(await desk.tryPreview(await desk.grant(saved('semicolons.csv')))).toMatchObject({
      error: { reason: 'needs-decimals' },
    });
  });

  test('an id that lost its zeros on the way is refused by its line; nothing else is harmed', async () => {
    const preview = await desk.preview(await desk.grant(saved('from-csv.xlsx')));
    await desk.dismiss(preview.previewId);
    expect(preview.errors).toMatchObject([{ column: 'Item id', message: expect.stringContaining('leading zeros') }]);
    expect(preview.unchanged + preview.errorCount).toBeGreaterThan(rows - 4);
  });
});
