import { crc32, deflateRawSync } from 'node:zlib';

/**
 * Sheets that are wrong in one way each, and what an import makes of them. The account they are imported into has the
 * campaign "Spring" (sponsored products, manual) with the ad group "Main" and the keyword "tea" (exact, 1.00).
 */
export interface BadSheet {
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

const HEAD = 'Type,Campaign,Ad group,Keyword,Match type,Bid';
const keyword = (text: string, bid = '1.00', match = 'exact'): string => `keyword,Spring,Main,${text},${match},${bid}`;
const sheet = (...rows: readonly string[]): string => [HEAD, ...rows].join('\n');
const item = (id: string): string => `Type,Campaign,Ad group,Item id,Bid\nad item,Spring,Main,${id},0.60`;
const campaign = (cells: string, columns: string): string => `Type,Campaign,${columns}\ncampaign,New,${cells}`;

/** A workbook with one sheet of this XML, in the fewest parts that readers ask for. */
export function aWorkbook(sheetXml: string, more: Readonly<Record<string, string>> = {}): Buffer {
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

export function aZip(parts: Readonly<Record<string, string>>, flags = 0): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const data = deflateRawSync(content);
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
      record.writeUInt32LE(crc32(content), from);
      record.writeUInt32LE(data.length, from + 4);
      record.writeUInt32LE(content.length, from + 8);
      record.writeUInt16LE(name.length, from + 12);
    }
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), data);
    entries.push(entry, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length / 2, 8);
  end.writeUInt16LE(entries.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}

const cells = (...texts: readonly string[]): string =>
  texts.map((text, i) => `<c r="${String.fromCharCode(65 + i)}1" t="inlineStr"><is><t>${text}</t></is></c>`).join('');
const worksheet = (rows: string): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const headRow = `<row r="1">${cells('Type', 'Campaign', 'Status')}</row>`;

export const BAD_SHEETS: readonly BadSheet[] = [
  {
    id: '74',
    what: 'a workbook of 200,001 rows',
    content: aWorkbook(
      worksheet(`${headRow}<row r="200003"><c r="A200003" t="inlineStr"><is><t>campaign</t></is></c></row>`),
    ),
    expect: { refused: 'too-many-rows' },
  },
  {
    id: '75',
    what: 'one line of nine million characters',
    content: `${HEAD}\nkeyword,Spring,Main,"${'x'.repeat(9_000_000)}"`,
    expect: { refused: 'cell-too-long' },
  },
  {
    id: '77',
    what: 'bytes of Windows-1252',
    content: Buffer.concat([
      Buffer.from(`${HEAD}\nkeyword,Spring,Main,caf`),
      Buffer.from([0xe9]),
      Buffer.from(',exact,1.00'),
    ]),
    expect: { refused: 'not-text' },
  },
  {
    id: 'I1',
    what: 'UTF-16 with its mark',
    content: Buffer.from(`\uFEFF${sheet(keyword('thé'))}`, 'utf16le'),
    expect: { fine: { added: 1 } },
  },
  { id: 'I2', what: 'UTF-8 with its mark', content: `\uFEFF${sheet(keyword('thé'))}`, expect: { fine: { added: 1 } } },
  {
    id: 'I3',
    what: 'UTF-16, big end first',
    content: Buffer.from(`\uFEFF${sheet(keyword('roll'))}`, 'utf16le').swap16(),
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I4',
    what: 'a NUL between the letters',
    content: sheet('keyword,Spring,Main,te\u0000a,exact,1.00'),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: '78',
    what: 'a header twice',
    content: `Type,Campaign,Bid,Bid\nkeyword,Spring,1,1`,
    expect: { error: [1, /twice/] },
  },
  {
    id: 'I5',
    what: 'the same column under two names',
    content: `Type,Campaign,Bid,CPC\nkeyword,Spring,1,1`,
    expect: { error: [1, /twice/] },
  },
  {
    id: 'I6',
    what: 'an unknown column',
    content: `${HEAD},Colour\n${keyword('red tea')},red`,
    expect: { unknown: ['Colour'] },
  },
  {
    id: 'I7',
    what: 'no header at all',
    content: 'keyword,Spring,Main,tea,exact,1.00',
    expect: { error: [1, /no column "Type"/] },
  },
  { id: 'I8', what: 'nothing but a header', content: HEAD, expect: { fine: { added: 0, changed: 0 } } },
  { id: 'I9', what: 'an empty file', content: '', expect: { refused: 'empty' } },
  { id: 'I10', what: 'blank lines only', content: '\n\n\n', expect: { error: [1, /no header/] } },
  {
    id: '79',
    what: 'a cell that is a formula',
    content: sheet(keyword('=HYPERLINK(x)')),
    expect: { formulas: 1, added: 1 },
  },
  {
    id: 'I11',
    what: 'a formula behind an at sign',
    content: sheet(keyword('@SUM(A1)')),
    expect: { formulas: 1, added: 1 },
  },
  { id: 'I12', what: 'a formula behind a plus', content: sheet(keyword('+cmd')), expect: { formulas: 1, added: 1 } },
  {
    id: 'I13',
    what: 'an apostrophe of an export',
    content: sheet(keyword("'=green tea")),
    expect: { fine: { added: 1 } },
  },
  {
    id: '81',
    what: 'an id in scientific notation',
    content: item('1.23457E+9'),
    expect: { error: [2, /changed by a spreadsheet program/] },
  },
  {
    id: 'I14',
    what: 'an id in scientific notation with a comma',
    content: item('"1,23457E+9"'),
    expect: { error: [2, /changed by a spreadsheet program/] },
  },
  {
    id: 'I15',
    what: 'an id that has lost its zeros',
    content: item('79965055'),
    expect: { error: [2, /leading zeros/] },
  },
  {
    id: 'I16',
    what: 'an id of the service in scientific notation',
    content: 'Type,Campaign id\ncampaign,9.04E+11',
    expect: { error: [2, /changed by a spreadsheet program/] },
  },
  {
    id: 'I17',
    what: 'an id of the service that is no number',
    content: 'Type,Campaign,Campaign id\ncampaign,Spring,abc',
    expect: { error: [2, /not an id/] },
  },
  {
    id: 'I18',
    what: 'an id that the account does not have',
    content: 'Type,Campaign,Campaign id\ncampaign,Spring,904100200301',
    expect: { error: [2, /no such row/] },
  },
  {
    id: 'I19',
    what: 'an id of 30 digits',
    content: `Type,Campaign,Campaign id\ncampaign,Spring,${'9'.repeat(30)}`,
    expect: { error: [2, /not an id/] },
  },
  {
    id: '82',
    what: 'a decimal comma',
    content: sheet(keyword('tea', '"1,50"')),
    expect: { refused: 'needs-decimals' },
  },
  {
    id: 'I20',
    what: 'a mark of thousands and a decimal comma',
    content: sheet(keyword('tea', '"1.500,00"')),
    expect: { refused: 'needs-decimals' },
  },
  {
    id: 'I21',
    what: 'an amount with a currency',
    content: sheet(keyword('tea', '$1.50')),
    expect: { refused: 'needs-decimals' },
  },
  {
    id: 'I22',
    what: 'an amount that is a word',
    content: sheet(keyword('tea', 'much'), keyword('roll')),
    expect: { error: [2, /much/], others: 1 },
  },
  { id: 'I23', what: 'a negative bid', content: sheet(keyword('tea', '-1.00')), expect: { error: [2, /./] } },
  {
    id: 'I24',
    what: 'an amount of forty digits',
    content: sheet(keyword('tea', '9'.repeat(40))),
    expect: { error: [2, /./] },
  },
  {
    id: '86',
    what: 'a column named __proto__',
    content: `${HEAD},__proto__\n${keyword('blue tea')},x`,
    expect: { unknown: ['__proto__'] },
  },
  {
    id: 'I25',
    what: 'columns named constructor and toString',
    content: `${HEAD},constructor,toString\n${keyword('blue tea')},x,y`,
    expect: { unknown: ['constructor', 'toString'] },
  },
  {
    id: 'I26',
    what: 'a campaign named __proto__',
    content: 'Type,Campaign,Campaign type\ncampaign,__proto__,sba',
    expect: { fine: { added: 1 } },
  },
  {
    id: '87',
    what: 'a workbook that inflates to 300 MB',
    content: () => aZip({ 'xl/workbook.xml': ' '.repeat(300 * 1024 * 1024) }),
    expect: { refused: 'too-large' },
  },
  {
    id: '89',
    what: 'a workbook with a DTD and an entity from outside',
    content: aWorkbook(
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${worksheet(`${headRow}<row r="2">${'<c r="A2" t="inlineStr"><is><t>&e;</t></is></c>'}</row>`)}`,
    ),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: '90',
    what: 'a cell far beyond the last column',
    content: aWorkbook(worksheet('<row r="1"><c r="ZZZ99999999" t="inlineStr"><is><t>Type</t></is></c></row>')),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: '91',
    what: 'an encrypted workbook',
    content: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: 'I27',
    what: 'an encrypted archive',
    content: aZip({ 'xl/workbook.xml': 'x' }, 1),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: 'I28',
    what: 'an archive cut short',
    content: aWorkbook(worksheet(headRow)).subarray(0, 300),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: 'I29',
    what: 'an archive that is no workbook',
    content: aZip({ 'readme.txt': 'hello' }),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: 'I30',
    what: 'a workbook whose XML is broken',
    content: aWorkbook('<worksheet><sheetData><row><c'),
    expect: { refused: 'empty' },
  },
  {
    id: 'I31',
    what: 'an image under the name of a sheet',
    content: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    expect: { refused: 'not-a-sheet' },
  },
  {
    id: 'I32',
    what: 'a web page',
    content: '<!DOCTYPE html><html><body>Sign in</body></html>',
    expect: { refused: 'not-a-sheet' },
  },
  { id: 'I33', what: 'a PDF', content: '%PDF-1.7 \u0001', expect: { refused: 'not-a-sheet' } },
  {
    id: 'I34',
    what: '300 columns',
    content: `Type${','.repeat(299)}\nkeyword`,
    expect: { refused: 'too-many-columns' },
  },
  {
    id: 'I35',
    what: 'a cell of 40,000 characters',
    content: sheet(keyword('x'.repeat(40_000))),
    expect: { refused: 'cell-too-long' },
  },
  {
    id: 'I36',
    what: 'a quote that is never closed',
    content: `${HEAD}\nkeyword,Spring,Main,"tea,exact,1.00\nkeyword,Spring,Main,roll,exact,1.00`,
    expect: { error: [2, /./] },
  },
  {
    id: 'I37',
    what: 'an unknown type of row',
    content: sheet('banner,Spring,Main,tea,exact,1.00', keyword('roll')),
    expect: { error: [2, /banner/], others: 1 },
  },
  {
    id: 'I38',
    what: 'a row without a type',
    content: sheet(',Spring,Main,tea,exact,1.00'),
    expect: { error: [2, /type of row/] },
  },
  {
    id: 'I39',
    what: 'a campaign that is nowhere',
    content: sheet('keyword,Autumn,Main,tea,exact,1.00', keyword('roll')),
    expect: { error: [2, /no campaign "Autumn"/], others: 1 },
  },
  {
    id: 'I40',
    what: 'an ad group that is nowhere',
    content: sheet('keyword,Spring,Other,tea,exact,1.00'),
    expect: { error: [2, /no ad group "Other"/] },
  },
  {
    id: 'I41',
    what: 'the same row twice',
    content: sheet(keyword('roll'), keyword('roll')),
    expect: { error: [3, /line 2/], others: 1 },
  },
  {
    id: 'I42',
    what: 'the same row twice in other letters',
    content: sheet(keyword('roll'), keyword('ROLL')),
    expect: { error: [3, /line 2/], others: 1 },
  },
  {
    id: 'I43',
    what: 'a keyword without a text',
    content: sheet(keyword('')),
    expect: { error: [2, /needs a Keyword/] },
  },
  {
    id: 'I44',
    what: 'a keyword of blanks only',
    content: sheet(keyword('"   "')),
    expect: { error: [2, /needs a Keyword/] },
  },
  {
    id: 'I45',
    what: 'a keyword without a match type',
    content: sheet(keyword('tea', '1.00', '')),
    expect: { error: [2, /needs a Match type/] },
  },
  {
    id: 'I46',
    what: 'a match type that is none',
    content: sheet(keyword('tea', '1.00', 'fuzzy')),
    expect: { error: [2, /fuzzy/] },
  },
  {
    id: 'I47',
    what: 'a cell that its row has no use for',
    content: `${HEAD},Headline\n${keyword('tea')},Buy`,
    expect: { error: [2, /no Headline/] },
  },
  {
    id: 'I48',
    what: 'a date that does not exist',
    content: campaign('2030-02-31', 'Start'),
    expect: { error: [2, /2030-02-31/] },
  },
  { id: 'I49', what: 'a date in another order', content: campaign('31/12/2030', 'Start'), expect: { error: [2, /./] } },
  {
    id: 'I50',
    what: 'a state that is none',
    content: campaign('sleeping', 'Status'),
    expect: { error: [2, /sleeping/] },
  },
  {
    id: 'I51',
    what: 'an escape sign in a name',
    content: 'Type,Campaign,Status\ncampaign,"A\u001b[31mB",enabled',
    expect: { error: [2, /./] },
  },
  {
    id: 'I52',
    what: 'a line break in a name',
    content: 'Type,Campaign,Status\ncampaign,"A\nB",enabled',
    expect: { error: [2, /./] },
  },
  {
    id: 'I53',
    what: 'half a pair of surrogates',
    content: Buffer.from('\uFEFFType,Campaign,Status\ncampaign,A\ud800,enabled', 'utf16le'),
    expect: { refused: 'not-text' },
  },
  {
    id: 'I54',
    what: 'a name from right to left',
    content: 'Type,Campaign,Campaign type\ncampaign,حملة الربيع,sba',
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I55',
    what: 'a name that is markup',
    content: 'Type,Campaign,Campaign type\ncampaign,<img src=x onerror=alert(1)>,sba',
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I56',
    what: 'a name that is a template',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the name is meant to look like code.
    content: 'Type,Campaign,Campaign type\ncampaign,${7*7}{{7*7}}%n,sba',
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I57',
    what: 'a file above the folder of the sheet',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,../../secret.png',
    expect: { error: [2, /outside of the sheet's folder/] },
  },
  {
    id: 'I58',
    what: 'a file by its whole path',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,/etc/passwd',
    expect: { error: [2, /outside of the sheet's folder/] },
  },
  {
    id: 'I59',
    what: 'a file by a path of Windows',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,C:\\secret.png',
    expect: { error: [2, /outside of the sheet's folder/] },
  },
  {
    id: 'I60',
    what: 'a file that is nowhere',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,none.png',
    expect: { error: [2, /neither beside the sheet/] },
  },
  {
    id: 'I61',
    what: 'rows in the wrong order',
    content:
      'Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid\nkeyword,Late,G,,tea,exact,1\nad group,Late,G,,,,\ncampaign,Late,,sponsoredProducts,,,',
    expect: { fine: { added: 3 } },
  },
  {
    id: 'I62',
    what: 'lines that end as on an old Mac',
    content: sheet(keyword('roll')).replaceAll('\n', '\r'),
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I63',
    what: 'cells between semicolons',
    content: sheet(keyword('roll')).replaceAll(',', ';'),
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I64',
    what: 'cells between tabs',
    content: sheet(keyword('roll')).replaceAll(',', '\t'),
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I65',
    what: 'a row that says what is there already',
    content: sheet(keyword('tea')),
    expect: { fine: { unchanged: 1 } },
  },
  {
    id: 'I66',
    what: 'fewer cells than columns',
    content: sheet('keyword,Spring,Main,roll,exact'),
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I67',
    what: 'more cells than columns',
    content: sheet(`${keyword('roll')},,,more`),
    expect: { fine: { added: 1 } },
  },
];
