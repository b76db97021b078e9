import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSheet, sheetOf } from '../../main/files/spreadsheet/read-sheet.ts';
import { fileRefusalText } from '../../shared/media/file-refusal.ts';
import { aWorkbook, aZip } from '../faults/bad-sheets.ts';
import { testFolder } from '../folder.ts';
import { share } from '../share.ts';
import { done } from '../store/a-workspace.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';

const folder = testFolder('workbooks');
let desk: TestExchange;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
  return () => desk.close();
});

let files = 0;
function kept(bytes: Uint8Array, ending = 'xlsx'): string {
  const path = join(folder, `${files++}.${ending}`);
  writeFileSync(path, bytes);
  return path;
}
const look = async (bytes: Uint8Array, sheet?: string) => desk.tryPreview(await desk.grant(kept(bytes)), { sheet });
const previewOf = async (bytes: Uint8Array, sheet?: string) => done(await look(bytes, sheet));
async function refusalOf(bytes: Uint8Array, sheet?: string): Promise<string> {
  const preview = await look(bytes, sheet);
  return preview.ok ? 'taken' : fileRefusalText('a.xlsx', preview.error.reason, preview.error.params);
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGED = 'http://schemas.openxmlformats.org/package/2006';
const text = (place: string, words: string): string => `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`;
const worksheet = (rows: string): string => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
const HEAD = ['Type', 'Campaign', 'Campaign type', 'Daily budget'];
const headRow = `<row r="1">${HEAD.map((name, at) => text(`${'ABCD'[at]}1`, name)).join('')}</row>`;
const campaignRow = (line: number, name: string, budget: string): string =>
  `<row r="${line}">${text(`A${line}`, 'campaign')}${name}${text(`C${line}`, 'Sponsored Products')}${budget}</row>`;
const named = (line: number, name: string): string => text(`B${line}`, name);

describe('a formula', () => {
  const sheetWith = (cell: string, more = ''): Buffer =>
    aWorkbook(
      worksheet(
        headRow +
          campaignRow(2, named(2, 'Spring'), cell) +
          campaignRow(3, named(3, 'Fall'), '<c r="D3"><v>60</v></c>') +
          more,
      ),
    );
  const formula =
    'D2 contains a formula without a saved value. Open the file in a spreadsheet program, save it, and import it again.';
  test.each([
    ['without a value', '<c r="D2"><f>25*2</f></c>', formula],
    ['with an empty value', '<c r="D2"><f>25*2</f><v></v></c>', formula],
    ['with an empty value in short', '<c r="D2"><f>25*2</f><v/></c>', formula],
    ['that is to give a text and has none', '<c r="D2" t="str"><f>A1</f></c>', formula],
    ['that is shared and leaves its value out', '<c r="D2"><f t="shared" si="0"/></c>', formula],
    ['of an array without a value', '<c r="D2"><f t="array" ref="D2">C1:C2</f></c>', formula],
    [
      'that ended in an error',
      '<c r="D2" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      'D2 contains the error #DIV/0! instead of a value. Correct it in the spreadsheet, save the file, and import it again.',
    ],
    [
      'whose error was pasted as a value',
      '<c r="D2" t="e"><v>#REF!</v></c>',
      'D2 contains the error #REF! instead of a value. Correct it in the spreadsheet, save the file, and import it again.',
    ],
  ])('%s is an error with its cell, and the other rows come in', async (_name, cell, message) => {
    const preview = await previewOf(sheetWith(cell));
    expect(preview.errors).toEqual([{ line: 2, column: 'Daily budget', message }]);
    expect(preview).toMatchObject({ added: 1, formulaCount: 0 });
    const without = await desk.leaveColumnsOut(preview.previewId, ['Daily budget']);
    expect(without).toMatchObject({ added: 2, errorCount: 0 });
    await desk.dismiss(preview.previewId);
  });
  test('that stands for a name is an error, never a name', async () => {
    const rows = `${headRow}${campaignRow(2, '<c r="B2" t="str"><f>UPPER("a")</f></c>', '')}`;
    const preview = await previewOf(aWorkbook(worksheet(rows)));
    expect(preview.errors).toMatchObject([
      { line: 2, column: 'Campaign', message: expect.stringMatching(/^B2 contains a formula/) },
    ]);
    expect(preview.added).toBe(0);
  });
  test('that stands for the type of its row is an error of that cell alone', async () => {
    const rows = `${headRow}<row r="2"><c r="A2"><f>"campaign"</f></c>${named(2, 'Spring')}</row>`;
    const { errors } = await previewOf(aWorkbook(worksheet(rows)));
    expect(errors).toMatchObject([
      { line: 2, column: 'Type', message: expect.stringMatching(/^A2 contains a formula/) },
    ]);
  });
  test('alone in its row is an error, not a blank row', async () => {
    const { errors } = await previewOf(sheetWith('', '<row r="4"><c r="D4"><f>SUM(D2:D3)</f></c></row>'));
    expect(errors).toMatchObject([{ line: 4, column: 'Daily budget' }]);
  });
  test('in a column that is none of ours says nothing about its row', async () => {
    const rows = `${headRow}${campaignRow(2, named(2, 'Spring'), '<c r="Z2"><f>NOW()</f></c>')}`;
    expect(await previewOf(aWorkbook(worksheet(rows)))).toMatchObject({ added: 1, errorCount: 0 });
  });
  test('that fills a range and left its values out is an error in each of its rows', async () => {
    const array = '<c r="D2"><f t="array" ref="D2:D3">D5:D6</f></c>';
    const rows = `${headRow}${campaignRow(2, named(2, 'A'), array)}${campaignRow(3, named(3, 'B'), '')}${campaignRow(4, named(4, 'C'), '')}`;
    // Row 3 has no cell in the column at all, and row 4 is below the range.
    const wide = rows.replace(
      text('C3', 'Sponsored Products'),
      `${text('C3', 'Sponsored Products')}${text('E3', 'x')}`,
    );
    const { errors, added } = await previewOf(aWorkbook(worksheet(wide)));
    expect(errors.map(({ line, column }) => [line, column])).toEqual([
      [2, 'Daily budget'],
      [3, 'Daily budget'],
    ]);
    expect(added).toBe(1);
  });
  test.each([
    ['counts by its value', '<c r="D2"><f>25*2</f><v>50</v></c>', 50],
    ['that found an empty text is a blank cell', '<c r="D2" t="str"><f>IF(A1="","",1)</f><v></v></c>', null],
    ['is read with the digits that its program shows', '<c r="D2"><f>1.15*30</f><v>34.499999999999996</v></c>', 34.5],
  ])('%s', async (_name, cell, wanted) => {
    const preview = await previewOf(sheetWith(cell));
    const { rows } = await desk.rows(preview.previewId, 'added', 0, 1);
    const budget = rows[0]?.cells.find(({ column }) => column === 'Daily budget')?.after ?? null;
    expect(budget).toBe(wanted === null ? null : wanted * 100);
    expect(preview).toMatchObject({ errorCount: 0, warningCount: 0 });
  });
  test('in a workbook that nobody has worked out counts as one without a value, whatever stands beside it', async () => {
    const index = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="124519" fullCalcOnLoad="1"/></workbook>`;
    const rows = headRow + campaignRow(2, named(2, 'Spring'), '<c r="D2"><f>25*2</f><v>0</v></c>');
    const { errors } = await previewOf(aWorkbook(worksheet(rows), { 'xl/workbook.xml': index }));
    expect(errors).toMatchObject([{ line: 2, message: formula }]);
  });
  test('is written into the sheet of rows to correct, where it cannot pass for a blank', async () => {
    const preview = await previewOf(sheetWith('<c r="D2"><f>25*2</f></c>'));
    const target = join(folder, 'failed.csv');
    expect(await desk.failed(preview.previewId, target, 'csv')).toBe(1);
    const again = await readSheet(target);
    expect(again.ok && again.value[1]?.[3]).toBe("'=25*2");
  });
  test('in the header is written into the sheet of rows to correct as text', async () => {
    const path = join(folder, 'formula-header.csv');
    writeFileSync(path, 'Type,Campaign,=HYPERLINK("https://a.test"),Daily budget\ncampaign,Spring,x,none\n');
    const preview = await desk.preview(await desk.grant(path));
    const target = join(folder, 'formula-header-failed.csv');
    expect(await desk.failed(preview.previewId, target, 'csv')).toBe(1);
    expect(readFileSync(target, 'utf8')).toContain(`Campaign,"'=HYPERLINK(""https://a.test"")",`);
  });
});

interface SheetMade {
  readonly name: string;
  readonly rows: string;
  readonly state?: string;
  readonly type?: string;
}

/** A workbook of sheets as their programs save them; without `rows` the part of a sheet is missing. */
function bookOf(sheets: readonly SheetMade[], more: Readonly<Record<string, string>> = {}): Buffer {
  const entries = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="r${at}"/>`,
  );
  const relations = sheets.map(
    ({ type = 'worksheet' }, at) =>
      `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="/xl/sheets/s${at}.xml"/>`,
  );
  const index = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${entries.join('')}</sheets></workbook>`;
  return aWorkbook(worksheet(''), {
    'xl/workbook.xml': index,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGED}/relationships">${relations.join('')}</Relationships>`,
    ...Object.fromEntries(sheets.map(({ rows }, at) => [`xl/sheets/s${at}.xml`, worksheet(rows)])),
    ...more,
  });
}
const spring = headRow + campaignRow(2, named(2, 'Spring'), '');
const fall = headRow + campaignRow(2, named(2, 'Fall'), '') + campaignRow(3, named(3, 'Winter'), '');
const notes = `<row r="3">${text('A3', 'Read me first')}</row>`;

const made = (name: string, rows: string, more: Partial<SheetMade> = {}): SheetMade => ({ name, rows, ...more });

describe('of several sheets', () => {
  test.each([
    ['the first visible one with a Type is read', [made('Notes', notes), made('Plan', spring)]],
    ['hidden ones stay aside', [made('Old', fall, { state: 'hidden' }), made('Plan', spring)]],
    ['very hidden ones stay aside', [made('Old', fall, { state: 'veryHidden' }), made('Plan', spring)]],
    ['empty ones are passed over', [made('Sheet1', ''), made('Plan', spring)]],
    ['the first of two with a Type is read', [made('Plan', spring), made('Next', fall)]],
    ['charts are no sheets of rows', [made('Chart', '', { type: 'chartsheet' }), made('Plan', spring)]],
    ['a hidden one is read when it alone holds rows', [made('Plan', spring, { state: 'hidden' }), made('B', '')]],
  ] as readonly (readonly [string, readonly SheetMade[]])[])('%s', async (_name, sheets) => {
    expect(await previewOf(bookOf(sheets))).toMatchObject({ sheet: 'Plan', added: 1 });
  });
  test('the one that was read and the others are named with their rows', async () => {
    const book = bookOf([
      { name: 'Notes', rows: notes },
      { name: 'Plan', rows: spring },
      { name: 'Old', rows: fall, state: 'hidden' },
    ]);
    expect(await previewOf(book)).toMatchObject({
      sheet: 'Plan',
      otherSheets: [
        { name: 'Notes', hidden: false, rows: 1 },
        { name: 'Old', hidden: true, rows: 3 },
      ],
    });
    expect(await sheetOf(kept(book), null)).toMatchObject({ value: { name: 'Plan' } });
    const other = await previewOf(book, 'old');
    expect(other).toMatchObject({ sheet: 'Old', added: 2, otherSheets: [{ name: 'Notes' }, { name: 'Plan' }] });
    expect((await desk.rows(other.previewId, 'all', 0, 9)).rows.map(({ campaign }) => campaign)).toEqual([
      'Fall',
      'Winter',
    ]);
    expect(await desk.apply(other.previewId)).toMatchObject({ added: 2 });
  });
  test('one that there is not is refused with the names of those there are', async () => {
    const book = bookOf([
      { name: 'Notes', rows: notes },
      { name: 'Plan &amp; more', rows: spring },
    ]);
    expect(await refusalOf(book, 'Budget')).toBe(
      'a.xlsx has no sheet named "Budget". Choose one of its sheets: "Notes", "Plan & more".',
    );
  });
  test('one that is chosen and empty is refused by its name', async () => {
    const book = bookOf([
      { name: 'Plan', rows: spring },
      { name: 'Blank', rows: '' },
    ]);
    expect(await refusalOf(book, 'Blank')).toMatch(/^The sheet "Blank" of a\.xlsx is empty\./);
  });
  test('a file of one table has none to choose from', async () => {
    const path = kept(Buffer.from('Type,Campaign\ncampaign,Spring\n'), 'csv');
    expect(await desk.tryPreview(await desk.grant(path), { sheet: 'Plan' })).toMatchObject({
      error: { reason: 'one-table' },
    });
    const plain = await desk.preview(await desk.grant(path));
    expect(plain).toMatchObject({ sheet: null, otherSheets: [] });
  });
});

const partsWith = (missing: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': `<Relationships><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="S" r:id="b"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="b" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': worksheet(spring),
    }).filter(([name]) => name !== missing),
  );

describe('a workbook that cannot be read says what is wrong with it:', () => {
  const shared = (value: string) => worksheet(`<row r="1"><c r="A1" t="s"><v>${value}</v></c></row>`);
  const plain = aWorkbook(worksheet(spring));
  const spoiled = Buffer.from(plain);
  const at = spoiled.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
  spoiled.writeUInt8((spoiled[at + 40] ?? 0) ^ 0x10, at + 40);
  const blanks = (text: string): Buffer => {
    const bytes = Buffer.alloc(257 * 1024 * 1024, ' ');
    bytes.write(text);
    return bytes;
  };
  const BOMBS: readonly (readonly [string, () => Buffer])[] = [
    ['a bomb', () => aZip({ ...partsWith(''), 'xl/workbook.xml': blanks('') })],
    ['a bomb in its sheet', () => aWorkbook(blanks('<worksheet>'))],
  ];
  test.each(share('bombs', BOMBS, 2))('%s', async (_name, bomb) => {
    const wanted = /is suspiciously large when unpacked \(a part of more than 256 MB\)/;
    expect(await refusalOf(bomb())).toMatch(wanted);
  });
  test.each([
    [
      'a text without an end',
      aWorkbook(`<worksheet>${' '.repeat(30 * 1024 * 1024)}`),
      /\(one text of more than 8 MB\)/,
    ],
    ['broken XML', aWorkbook('<worksheet><sheetData><row><c'), /damaged workbook.*sheet1\.xml is broken XML/],
    ['XML that ends too early', aWorkbook(worksheet(fall).replace('</sheetData></worksheet>', '')), /broken XML/],
    ['broken XML behind a row', aWorkbook(worksheet(`${fall}<row><c></row>`)), /broken XML/],
    [
      'bytes that are no text',
      aZip({
        ...partsWith('xl/worksheets/sheet1.xml'),
        'xl/worksheets/sheet1.xml': Buffer.from('<a>\xff\xfe</a>', 'latin1'),
      }),
      /is not readable text/,
    ],
    ['no sheets', bookOf([]), /is a workbook with no sheets\./],
    ['charts alone', bookOf([{ name: 'C', rows: '', type: 'chartsheet' }]), /is a workbook with charts and no cells\./],
    [
      'nothing in any sheet',
      bookOf([
        { name: 'A', rows: '' },
        { name: 'B', rows: '<row r="9"/>' },
      ]),
      /The sheets of a\.xlsx are empty/,
    ],
    ['a sheet without its part', aZip(partsWith('xl/worksheets/sheet1.xml')), /the part of its sheet "S" is missing/],
    ['no list of sheets', aZip(partsWith('xl/workbook.xml')), /its list of sheets is missing/],
    ['no list of parts', aZip(partsWith('xl/_rels/workbook.xml.rels')), /workbook\.xml\.rels is missing/],
    ['texts that are missing', aWorkbook(shared('3')), /the text of its cell A1 is missing/],
    ['data that was altered', spoiled, /damaged workbook/],
    ['the end cut off', plain.subarray(0, -40), /damaged workbook \(it is cut short\)/],
    ['a row twice', aWorkbook(worksheet(`${spring}<row r="2"/>`)), /row 2 is out of order/],
    [
      'a cell twice',
      aWorkbook(worksheet(`<row r="1">${text('A1', 'a')}${text('A1', 'b')}</row>`)),
      /the cell A1 twice/,
    ],
    ['a cell of another row', aWorkbook(worksheet(`<row r="1">${text('A2', 'a')}</row>`)), /row 1 has a cell A2/],
    ['a part twice', aZip({ ...partsWith(''), 'XL/Workbook.xml': '' }), /the part XL\/Workbook\.xml twice/],
    ['a part outside of it', aZip({ ...partsWith(''), '../evil.xml': '' }), /damaged workbook/],
    ['a document type', aWorkbook(`<!DOCTYPE x>${worksheet(spring)}`), /a workbook that defines entities/],
  ])('%s', async (_name, bytes, wanted) => expect(await refusalOf(bytes)).toMatch(wanted));
  test.each([
    ['a binary workbook', { 'xl/workbook.bin': '' }, 'a binary workbook (XLSB)'],
    [
      'an OpenDocument spreadsheet',
      { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' },
      'an OpenDocument spreadsheet (ODS)',
    ],
    ['a text document', { '[Content_Types].xml': '', 'word/document.xml': '' }, 'a text document (DOCX)'],
    ['a presentation', { '[Content_Types].xml': '', 'ppt/presentation.xml': '' }, 'a presentation (PPTX)'],
    ['an archive of something else', { 'readme.txt': 'hello' }, 'a ZIP archive without a workbook in it'],
  ] as readonly (readonly [string, Readonly<Record<string, string>>, string])[])(
    '%s under the name of one',
    async (_name, parts, found) => {
      expect(await refusalOf(aZip(parts))).toBe(
        `a.xlsx is ${found}, not a CSV, TSV or XLSX file. Save it as CSV (UTF-8), then import it again.`,
      );
    },
  );
  test.each([
    ['Workbook', 'a workbook of the old form (XLS)'],
    ['EncryptedPackage', 'a workbook that asks for a password'],
    ['WordDocument', 'an old text document (DOC)'],
  ])('an old container with %s', async (stream, found) =>
    expect(await refusalOf(anOldContainer(stream))).toContain(found),
  );
});

describe('a workbook is read as its program meant it:', () => {
  test('the size of each part stands beside it in 64 bits, as some programs write them', async () => {
    const preview = await previewOf(inZip64(worksheet(spring)));
    expect(preview.added).toBe(1);
  });
  test('texts are shared, in runs, spoken, and with characters that XML cannot hold', async () => {
    const strings = `<sst xmlns="${MAIN}"><si><t>Type</t></si><si><r><t>Cam</t></r><r><rPr><b/></rPr><t>paign</t></r></si><si><t>campaign</t></si><si><t>東</t><rPh sb="0" eb="1"><t>ひがし</t></rPh></si><si><t>a_x0026_b</t></si></sst>`;
    const cells = (line: number, ...at: readonly number[]): string =>
      `<row r="${line}">${at.map((value) => `<c t="s"><v>${value}</v></c>`).join('')}</row>`;
    const rels = `<Relationships xmlns="${PACKAGED}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;
    const book = aWorkbook(worksheet(cells(1, 0, 1) + cells(2, 2, 3) + cells(3, 2, 4)), {
      'xl/sharedStrings.xml': strings,
      'xl/_rels/workbook.xml.rels': rels,
    });
    const read = await readSheet(kept(book));
    expect(read).toEqual({
      ok: true,
      value: [
        ['Type', 'Campaign'],
        ['campaign', '東'],
        ['campaign', 'a&b'],
      ],
    });
  });
  test('in UTF-16, with names of its own for the parts of XML', async () => {
    const xml = `\uFEFF<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row><x:c t="str"><x:v>Type</x:v></x:c><x:c t="b"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const book = aZip({
      ...partsWith('xl/worksheets/sheet1.xml'),
      'xl/worksheets/sheet1.xml': Buffer.from(xml, 'utf16le'),
    });
    expect(await readSheet(kept(book))).toEqual({ ok: true, value: [['Type', 'TRUE']] });
  });
  test('dates by their styles, from both beginnings of time', async () => {
    const made = await writeXlsx({ sheets: [{ name: 'S', rows: [['Type', new Date(Date.UTC(2030, 2, 4)), 47546]] }] });
    expect(await readSheet(kept(made))).toEqual({ ok: true, value: [['Type', '2030-03-04', '47546']] });
  });
  test('the time of a date as the cell shows it', async () => {
    const hour = new Date(Date.UTC(2030, 2, 4, 9, 30));
    const formats = ['yyyy-mm-dd hh:mm', 'yyyy-mm-dd hh:mm', '"the" d mmm yyyy'];
    const cells = new Map(formats.map((numFmt, at) => [`0,${at}`, { style: { numFmt } }]));
    const rows = [[hour, new Date(Date.UTC(2030, 2, 4)), hour]];
    const made = await writeXlsx({ sheets: [{ name: 'S', rows, cells }] });
    expect(await readSheet(kept(made))).toEqual({
      ok: true,
      value: [['2030-03-04 09:30:00', '2030-03-04', '2030-03-04']],
    });
  });
});

/** A compound file with one stream of that name; its directory stands in the second sector. */
function anOldContainer(stream: string): Buffer {
  const bytes = Buffer.alloc(512 * 3);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  Buffer.from(stream, 'utf16le').copy(bytes, 512 * 2 + 128);
  return bytes;
}

/** A workbook whose directory leaves sizes and places to fields of 64 bits. */
const inZip64 = (sheet: string): Buffer => aZip({ ...partsWith(''), 'xl/worksheets/sheet1.xml': sheet }, 0, true);
