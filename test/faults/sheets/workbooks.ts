import type { BadSheet } from './bad-sheet.ts';
import { aWorkbook, aZip } from './zip.ts';

const cells = (...texts: readonly string[]): string =>
  texts.map((text, i) => `<c r="${String.fromCharCode(65 + i)}1" t="inlineStr"><is><t>${text}</t></is></c>`).join('');
const worksheet = (rows: string): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const headRow = `<row r="1">${cells('Type', 'Campaign', 'Status')}</row>`;

/** Workbooks and archives that are too large, encrypted, broken or something else. */
export const WORKBOOKS_THAT_ARE_ODD: readonly BadSheet[] = [
  {
    id: '74',
    what: 'a workbook of 200,001 rows',
    content: aWorkbook(
      worksheet(`${headRow}<row r="200003"><c r="A200003" t="inlineStr"><is><t>campaign</t></is></c></row>`),
    ),
    expect: { refused: 'too-many-rows' },
  },
  {
    id: '87',
    what: 'a workbook that inflates to 300 MB',
    content: () => aZip({ 'xl/workbook.xml': ' '.repeat(300 * 1024 * 1024) }),
    expect: { refused: 'workbook-too-large' },
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
    expect: { refused: 'damaged-workbook' },
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
    expect: { refused: 'damaged-workbook' },
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
    expect: { refused: 'damaged-workbook' },
  },
];
