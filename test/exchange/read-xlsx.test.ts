import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import Papa from 'papaparse';
import { afterAll, expect, test } from 'vitest';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';

const folder = mkdtempSync(join(tmpdir(), 'adslate-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (bytes: Uint8Array) => {
  const path = join(folder, `${randomUUID()}.xlsx`);
  writeFileSync(path, bytes);
  return readSheet(path);
};
const workbook = (rows: CellValue[][]) => writeXlsx({ sheets: [{ name: 'Sheet', rows }] });

/** An archive of one entry whose directory states a size of our choice. */
function anArchive(name: string, content: Buffer, statedBytes: number, flags = 0): Buffer {
  const data = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(statedBytes, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, Buffer.from(name), data, entry, Buffer.from(name), end]);
}

test('the example sheet reads the same from XLSX as from CSV', async () => {
  const csv = readFileSync('examples/campaigns.csv', 'utf8');
  const rows = Papa.parse<string[]>(csv, { skipEmptyLines: true }).data;
  const fromXlsx = await read(await workbook(rows));
  if (!fromXlsx.ok) throw new Error(fromXlsx.error.reason);
  const width = rows[0]?.length ?? 0;
  const padded = fromXlsx.value.map((row) => [...row, ...Array<string>(width).fill('')].slice(0, width));
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
  ['an archive of something else', anArchive('readme.txt', Buffer.from('hello'), 5), /ZIP archive without a workbook/],
])('%s is refused and named', async (_name, bytes, found) => {
  expect(await read(bytes)).toMatchObject({
    error: { reason: 'not-a-sheet', params: { found: expect.stringMatching(found) } },
  });
});
