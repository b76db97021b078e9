import { type BadSheet, HEAD, keyword, sheet } from './bad-sheet.ts';

/** Sheets whose bytes, lines or headers are not what a reader hopes for. */
export const FILES_THAT_ARE_ODD: readonly BadSheet[] = [
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
    expect: { error: [2, /row 2, column Keyword, cell 4, is never closed/] },
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
];
