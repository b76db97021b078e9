import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { writeSheet } from '../../main/files/spreadsheet/csv.ts';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';

const folder = mkdtempSync(join(tmpdir(), 'adslate-sheet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
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
