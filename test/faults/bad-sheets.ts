import { constants, crc32, deflateRawSync } from 'node:zlib';

/**
 * Sheets that are wrong in one way each, and what an import makes of them. The account they are imported into has the
 * campaign "Spring" (sponsored products, manual) with the ad group "Main" and the keyword "tea" (exact, 1.00).
 */
interface BadSheet {
  /** The row of the table of faults, or a number of our own. */
  readonly id: string;
  readonly what: string;
  /** Made when it is asked for: some are large. */
  readonly content: string | Buffer | (() => Buffer);
  readonly expect:
    | { readonly refused: string }
    | { readonly error: readonly [line: number, message: RegExp]; readonly others?: number }
    | { readonly unknown: readonly string[] }
    | { readonly formulas: number; readonly added: number }
    | { readonly fine: { readonly added?: number; readonly changed?: number; readonly unchanged?: number } };
}

export const HEAD = 'Type,Campaign,Ad group,Keyword,Match type,Bid';
export const keyword = (text: string, bid = '1.00', match = 'exact'): string =>
  `keyword,Spring,Main,${text},${match},${bid}`;
export const sheet = (...rows: readonly string[]): string => [HEAD, ...rows].join('\n');
export const item = (id: string): string => `Type,Campaign,Ad group,Item id,Bid\nad item,Spring,Main,${id},0.60`;
export const campaign = (cells: string, columns: string): string => `Type,Campaign,${columns}\ncampaign,New,${cells}`;
export const bad = (id: string, what: string, content: BadSheet['content'], expect: BadSheet['expect']): BadSheet => ({
  id,
  what,
  content,
  expect,
});

/** A workbook with one sheet of this XML, in the fewest parts that readers ask for. */
export function aWorkbook(sheetXml: string | Buffer, more: Readonly<Record<string, string>> = {}): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packaged = 'http://schemas.openxmlformats.org/package/2006';
  return aZip({
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheetXml,
    ...more,
  });
}

/** Hundreds of megabytes of one character take a sixth of the time, and no more room. */
const QUICKLY = { level: 1, strategy: constants.Z_RLE };
const LARGE_BYTES = 1_000_000;

/** @param isWide leaves sizes and places to fields of 64 bits */
export function aZip(parts: Readonly<Record<string, string | Buffer>>, flags = 0, isWide = false): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = typeof text === 'string' ? Buffer.from(text) : text;
    const data = deflateRawSync(content, content.length > LARGE_BYTES ? QUICKLY : {});
    const check = crc32(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(8, 8);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    for (const [record, from] of [
      [local, 14],
      [entry, 16],
    ] as const) {
      record.writeUInt32LE(check, from);
      record.writeUInt32LE(data.length, from + 4);
      record.writeUInt32LE(content.length, from + 8);
      record.writeUInt16LE(name.length, from + 12);
    }
    entry.writeUInt32LE(at, 42);
    const wide = Buffer.alloc(isWide ? 28 : 0);
    if (isWide) {
      for (const place of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, place);
      entry.writeUInt16LE(wide.length, 30);
      wide.writeUInt16LE(1, 0);
      wide.writeUInt16LE(24, 2);
      for (const [n, value] of [content.length, data.length, at].entries())
        wide.writeBigUInt64LE(BigInt(value), 4 + 8 * n);
    }
    locals.push(local, Buffer.from(name), data);
    entries.push(Buffer.concat([entry, Buffer.from(name), wide]));
    at += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** Cells that a spreadsheet program damaged, that would run, or that their field cannot hold. */
const CELLS_THAT_ARE_ODD: readonly BadSheet[] = [
  bad('79', 'a cell that is a formula', sheet(keyword('=HYPERLINK(x)')), { formulas: 1, added: 1 }),
  bad('I11', 'a formula behind an at sign', sheet(keyword('@SUM(A1)')), { formulas: 1, added: 1 }),
  bad('I12', 'a formula behind a plus', sheet(keyword('+cmd')), { formulas: 1, added: 1 }),
  bad('I13', 'an apostrophe of an export', sheet(keyword("'=green tea")), { fine: { added: 1 } }),
  bad('81', 'an id in scientific notation', item('1.23457E+9'), { error: [2, /changed by a spreadsheet program/] }),
  bad('I14', 'an id in scientific notation with a comma', item('"1,23457E+9"'), {
    error: [2, /changed by a spreadsheet program/],
  }),
  bad('I15', 'an id that has lost its zeros', item('79965055'), { error: [2, /leading zeros/] }),
  bad('I16', 'an id of the service in scientific notation', 'Type,Campaign id\ncampaign,9.04E+11', {
    error: [2, /changed by a spreadsheet program/],
  }),
  bad('I17', 'an id of the service that is no number', 'Type,Campaign,Campaign id\ncampaign,Spring,abc', {
    error: [2, /is not a service ID/],
  }),
  bad('I18', 'an id that the account does not have', 'Type,Campaign,Campaign id\ncampaign,Spring,904100200301', {
    error: [2, /has no row with ID/],
  }),
  bad('I19', 'an id of 30 digits', `Type,Campaign,Campaign id\ncampaign,Spring,${'9'.repeat(30)}`, {
    error: [2, /is not a service ID/],
  }),
  bad('82', 'a decimal comma', sheet(keyword('tea', '"1,50"')), { refused: 'needs-decimals' }),
  bad('I20', 'a mark of thousands and a decimal comma', sheet(keyword('tea', '"1.500,00"')), {
    refused: 'needs-decimals',
  }),
  bad('I21', 'an amount in another currency', sheet(keyword('tea', '€1.50')), { refused: 'needs-decimals' }),
  bad('I22', 'an amount that is a word', sheet(keyword('tea', 'much'), keyword('roll')), {
    error: [2, /much/],
    others: 1,
  }),
  bad('I23', 'a negative bid', sheet(keyword('tea', '-1.00')), { error: [2, /./] }),
  bad('I24', 'an amount of forty digits', sheet(keyword('tea', '9'.repeat(40))), { error: [2, /./] }),
  bad('86', 'a column named __proto__', `${HEAD},__proto__\n${keyword('blue tea')},x`, { unknown: ['__proto__'] }),
  bad('I25', 'columns named constructor and toString', `${HEAD},constructor,toString\n${keyword('blue tea')},x,y`, {
    unknown: ['constructor', 'toString'],
  }),
  bad('I26', 'a campaign named __proto__', 'Type,Campaign,Campaign type\ncampaign,__proto__,sba', {
    fine: { added: 1 },
  }),
  bad('I43', 'a keyword without a text', sheet(keyword('')), { error: [2, /need a Keyword/] }),
  bad('I44', 'a keyword of blanks only', sheet(keyword('"   "')), { error: [2, /need a Keyword/] }),
  bad('I45', 'a keyword without a match type', sheet(keyword('tea', '1.00', '')), { error: [2, /need a Match type/] }),
  bad('I46', 'a match type that is none', sheet(keyword('tea', '1.00', 'fuzzy')), { error: [2, /fuzzy/] }),
  bad('I47', 'a cell that its row has no use for', `${HEAD},Headline\n${keyword('tea')},Buy`, {
    error: [2, /no Headline/],
  }),
  bad('I48', 'a date that does not exist', campaign('2030-02-31', 'Start'), { error: [2, /2030-02-31/] }),
  bad('I49', 'a date that can mean two days', campaign('4/5/2030', 'Start'), { refused: 'needs-dates' }),
  bad('I68', 'dates in different orders', campaign('31/12/2030,12/31/2031', 'Start,End'), { refused: 'mixed-dates' }),
  bad('I69', 'a date with a year of two digits', campaign('31/12/30', 'Start'), { error: [2, /4 digits/] }),
  bad('I70', 'a date of another country that does not exist', campaign('2/30/2030', 'Start'), {
    error: [2, /2\/30\/2030/],
  }),
  bad('I50', 'a state that is none', campaign('sleeping', 'Status'), { error: [2, /sleeping/] }),
  bad('I51', 'an escape sign in a name', 'Type,Campaign,Status\ncampaign,"A\u001b[31mB",enabled', { error: [2, /./] }),
  bad('I52', 'a line break in a name', 'Type,Campaign,Status\ncampaign,"A\nB",enabled', { error: [2, /./] }),
  bad(
    'I53',
    'half a pair of surrogates',
    Buffer.from('\uFEFFType,Campaign,Status\ncampaign,A\ud800,enabled', 'utf16le'),
    { refused: 'not-text' },
  ),
  bad('I54', 'a name from right to left', 'Type,Campaign,Campaign type\ncampaign,حملة الربيع,sba', {
    fine: { added: 1 },
  }),
  bad('I55', 'a name that is markup', 'Type,Campaign,Campaign type\ncampaign,<img src=x onerror=alert(1)>,sba', {
    fine: { added: 1 },
  }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the name is meant to look like code.
  bad('I56', 'a name that is a template', 'Type,Campaign,Campaign type\ncampaign,${7*7}{{7*7}}%n,sba', {
    fine: { added: 1 },
  }),
];

/** Rows that are no rows, mean nothing that is there, or name files they may not have. */
const ROWS_THAT_ARE_ODD: readonly BadSheet[] = [
  bad('I37', 'an unknown type of row', sheet('banner,Spring,Main,tea,exact,1.00', keyword('roll')), {
    error: [2, /banner/],
    others: 1,
  }),
  bad('I38', 'a row without a type', sheet(',Spring,Main,tea,exact,1.00'), { error: [2, /is not a row type/] }),
  bad('I39', 'a campaign that is nowhere', sheet('keyword,Autumn,Main,tea,exact,1.00', keyword('roll')), {
    error: [2, /no campaign "Autumn"/],
    others: 1,
  }),
  bad('I40', 'an ad group that is nowhere', sheet('keyword,Spring,Other,tea,exact,1.00'), {
    error: [2, /no ad group "Other"/],
  }),
  bad('I41', 'the same row twice', sheet(keyword('roll'), keyword('roll')), { error: [3, /line 2/], others: 1 }),
  bad('I42', 'the same row twice in other letters', sheet(keyword('roll'), keyword('ROLL')), {
    error: [3, /line 2/],
    others: 1,
  }),
  bad(
    'I57',
    'a file above the folder of the sheet',
    'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,../../secret.png',
    { error: [2, /outside of the sheet's folder/] },
  ),
  bad('I58', 'a file by its whole path', 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,/etc/passwd', {
    error: [2, /outside of the sheet's folder/],
  }),
  bad(
    'I59',
    'a file by a path of Windows',
    'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,C:\\secret.png',
    { error: [2, /outside of the sheet's folder/] },
  ),
  bad('I60', 'a file that is nowhere', 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,none.png', {
    error: [2, /neither beside the sheet/],
  }),
  bad(
    'I61',
    'rows in the wrong order',
    'Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid\nkeyword,Late,G,,tea,exact,1\nad group,Late,G,,,,\ncampaign,Late,,sponsoredProducts,,,',
    { fine: { added: 3 } },
  ),
  bad('I65', 'a row that says what is there already', sheet(keyword('tea')), { fine: { unchanged: 1 } }),
  bad('I66', 'fewer cells than columns', sheet('keyword,Spring,Main,roll,exact'), { fine: { added: 1 } }),
  bad('I67', 'more cells than columns', sheet(`${keyword('roll')},,,more`), { fine: { added: 1 } }),
];

/** Sheets whose bytes, lines or headers are not what a reader hopes for. */
const FILES_THAT_ARE_ODD: readonly BadSheet[] = [
  bad('75', 'one line of nine million characters', `${HEAD}\nkeyword,Spring,Main,"${'x'.repeat(9_000_000)}"`, {
    refused: 'cell-too-long',
  }),
  bad(
    '77',
    'bytes of Windows-1252',
    Buffer.concat([Buffer.from(`${HEAD}\nkeyword,Spring,Main,caf`), Buffer.from([0xe9]), Buffer.from(',exact,1.00')]),
    { refused: 'not-text' },
  ),
  bad('I1', 'UTF-16 with its mark', Buffer.from(`\uFEFF${sheet(keyword('thé'))}`, 'utf16le'), { fine: { added: 1 } }),
  bad('I2', 'UTF-8 with its mark', `\uFEFF${sheet(keyword('thé'))}`, { fine: { added: 1 } }),
  bad('I3', 'UTF-16, big end first', Buffer.from(`\uFEFF${sheet(keyword('roll'))}`, 'utf16le').swap16(), {
    fine: { added: 1 },
  }),
  bad('I4', 'a NUL between the letters', sheet('keyword,Spring,Main,te\u0000a,exact,1.00'), { refused: 'not-a-sheet' }),
  bad('78', 'a header twice', `Type,Campaign,Bid,Bid\nkeyword,Spring,1,1`, { error: [1, /both imported as Bid/] }),
  bad('I5', 'the same column under two names', `Type,Campaign,Bid,CPC\nkeyword,Spring,1,1`, {
    error: [1, /both imported as Bid/],
  }),
  bad('I6', 'an unknown column', `${HEAD},Colour\n${keyword('red tea')},red`, { unknown: ['Colour'] }),
  bad('I7', 'no header at all', 'keyword,Spring,Main,tea,exact,1.00', { error: [1, /no column "Type"/] }),
  bad('I8', 'nothing but a header', HEAD, { fine: { added: 0, changed: 0 } }),
  bad('I9', 'an empty file', '', { refused: 'empty' }),
  bad('I10', 'blank lines only', '\n\n\n', { error: [1, /no header/] }),
  bad('I31', 'an image under the name of a sheet', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {
    refused: 'not-a-sheet',
  }),
  bad('I32', 'a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', { refused: 'not-a-sheet' }),
  bad('I33', 'a PDF', '%PDF-1.7 \u0001', { refused: 'not-a-sheet' }),
  bad('I34', '300 columns', `Type${','.repeat(299)}\nkeyword`, { refused: 'too-many-columns' }),
  bad('I35', 'a cell of 40,000 characters', sheet(keyword('x'.repeat(40_000))), { refused: 'cell-too-long' }),
  bad(
    'I36',
    'a quote that is never closed',
    `${HEAD}\nkeyword,Spring,Main,"tea,exact,1.00\nkeyword,Spring,Main,roll,exact,1.00`,
    { error: [2, /row 2, column Keyword, cell 4 is not closed/] },
  ),
  bad('I62', 'lines that end as on an old Mac', sheet(keyword('roll')).replaceAll('\n', '\r'), { fine: { added: 1 } }),
  bad('I63', 'cells between semicolons', sheet(keyword('roll')).replaceAll(',', ';'), { fine: { added: 1 } }),
  bad('I64', 'cells between tabs', sheet(keyword('roll')).replaceAll(',', '\t'), { fine: { added: 1 } }),
];

const cells = (...texts: readonly string[]): string =>
  texts.map((text, i) => `<c r="${String.fromCharCode(65 + i)}1" t="inlineStr"><is><t>${text}</t></is></c>`).join('');
const worksheet = (rows: string): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const headRow = `<row r="1">${cells('Type', 'Campaign', 'Status')}</row>`;

/** Workbooks and archives that are too large, encrypted, broken or something else. */
const WORKBOOKS_THAT_ARE_ODD: readonly BadSheet[] = [
  bad(
    '74',
    'a workbook of 200,001 rows',
    aWorkbook(worksheet(`${headRow}<row r="200003"><c r="A200003" t="inlineStr"><is><t>campaign</t></is></c></row>`)),
    { refused: 'too-many-rows' },
  ),
  bad('87', 'a workbook that inflates to 300 MB', () => aZip({ 'xl/workbook.xml': ' '.repeat(300 * 1024 * 1024) }), {
    refused: 'workbook-too-large',
  }),
  bad(
    '89',
    'a workbook with a DTD and an entity from outside',
    aWorkbook(
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${worksheet(`${headRow}<row r="2">${'<c r="A2" t="inlineStr"><is><t>&e;</t></is></c>'}</row>`)}`,
    ),
    { refused: 'not-a-sheet' },
  ),
  bad(
    '90',
    'a cell far beyond the last column',
    aWorkbook(worksheet('<row r="1"><c r="ZZZ99999999" t="inlineStr"><is><t>Type</t></is></c></row>')),
    { refused: 'damaged-workbook' },
  ),
  bad('91', 'an encrypted workbook', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]), {
    refused: 'not-a-sheet',
  }),
  bad('I27', 'an encrypted archive', aZip({ 'xl/workbook.xml': 'x' }, 1), { refused: 'not-a-sheet' }),
  bad('I28', 'an archive cut short', aWorkbook(worksheet(headRow)).subarray(0, 300), { refused: 'damaged-workbook' }),
  bad('I29', 'an archive that is no workbook', aZip({ 'readme.txt': 'hello' }), { refused: 'not-a-sheet' }),
  bad('I30', 'a workbook whose XML is broken', aWorkbook('<worksheet><sheetData><row><c'), {
    refused: 'damaged-workbook',
  }),
];

/** Every sheet that is wrong in one way. */
export const BAD_SHEETS: readonly BadSheet[] = [
  ...FILES_THAT_ARE_ODD,
  ...CELLS_THAT_ARE_ODD,
  ...ROWS_THAT_ARE_ODD,
  ...WORKBOOKS_THAT_ARE_ODD,
];
