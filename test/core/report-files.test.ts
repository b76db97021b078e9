import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readReportFile } from '../../main/reports/read-report-file.ts';
import { renamed, withEntry, zipOf } from './zip-of.ts';

const TABLE = 'keyword,impressions\r\n"paper, towel",12\r\n';
const ROWS = [
  ['keyword', 'impressions'],
  ['paper, towel', '12'],
];

/** Packed data may become as much here; what is real is tested where files are fetched. */
const LIMIT = 1024 * 1024;

/** What the file is called in the problem it is refused with. */
const unreadable = (found: string) => ({ error: { kind: 'not-readable', found: expect.stringContaining(found) } });

describe('a report file is told by its bytes', () => {
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['plain CSV', () => Buffer.from(TABLE), 'text/csv'],
    ['CSV that begins with a mark of its order of bytes', () => Buffer.from(`\uFEFF${TABLE}`), 'text/csv'],
    ['gzip', () => gzipSync(TABLE), 'application/gzip'],
    ['JSON', () => Buffer.from('[{"keyword":"paper, towel","impressions":12}]'), 'application/json'],
    [
      'JSON of lists',
      () => Buffer.from('{"rows":[["keyword","impressions"],["paper, towel",12]]}'),
      'application/json',
    ],
    ['ZIP with one file', () => zipOf({ 'without-an-ending': TABLE }), 'application/zip'],
    [
      'ZIP with JSON',
      () => zipOf({ 'a.json': '{"rows":[{"keyword":"paper, towel","impressions":12}]}' }),
      'application/zip',
    ],
    ['ZIP with gzip in it', () => zipOf({ 'a.csv.gz': gzipSync(TABLE) }), 'application/zip'],
  ])('%s', async (_what, make, mediaType) => {
    const file = await make();
    const asked = await readReportFile(file);
    expect(asked).toEqual({ ok: true, value: { rows: ROWS, mediaType, parts: [] } });
  });

  test('files of an archive with the same columns are one table, whatever lies beside them', async () => {
    const more = 'keyword,impressions\r\nkitchen roll,7\r\n';
    const file = await zipOf({
      'may/1.csv': TABLE,
      'may/2.csv': more,
      '__MACOSX/may/._1.csv': 'x',
      'readme.txt': 'Figures.\r\n',
    });
    expect(await readReportFile(file)).toMatchObject({
      value: {
        rows: [...ROWS, ['kitchen roll', '7']],
        parts: [
          { name: 'may/1.csv', rows: 1, used: true },
          { name: 'may/2.csv', rows: 1, used: true },
          { name: 'readme.txt', rows: 0, used: false },
        ],
      },
    });
  });

  test('where columns differ, the table with the most rows counts and the others are listed', async () => {
    const file = await zipOf({ 'totals.csv': 'total,spend\r\nall,9\r\n', 'a.csv': TABLE, 'b.csv': TABLE });
    expect(await readReportFile(file)).toMatchObject({
      value: {
        rows: [...ROWS, ROWS[1]],
        parts: [
          { name: 'totals.csv', rows: 1, used: false },
          { name: 'a.csv', used: true },
          { name: 'b.csv', used: true },
        ],
      },
    });
  });
});

describe('an archive that is not what it should be is refused in words of its own', () => {
  const one = () => zipOf({ 'report-of-may.csv': TABLE });
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['an archive in an archive', async () => zipOf({ 'inner.zip': await one() }), 'another one in it (inner.zip)'],
    [
      'a name that climbs',
      async () => renamed(await one(), 'report-of-may.csv', '../report-may.csv'),
      'leads out of its folder',
    ],
    [
      'an absolute name',
      async () => renamed(await one(), 'report-of-may.csv', '/eport-of-may.csv'),
      'leads out of its folder',
    ],
    ['a bomb that states its size', () => zipOf({ 'a.csv': Buffer.alloc(3 * LIMIT) }), 'more than 1 MB'],
    [
      'a bomb that states a small size',
      async () => withEntry(await zipOf({ 'a.csv': Buffer.alloc(3 * LIMIT) }), 24, [9, 0, 0, 0]),
      'damaged',
    ],
    ['two files that are too much together', () => zipOf({ 'a.csv': HALF, 'b.csv': HALF }), 'more than 1 MB'],
    [
      'too many files',
      () => zipOf(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.csv`, 'a']))),
      '1000 files',
    ],
    ['a password', async () => withEntry(await one(), 8, [9, 0]), 'an encrypted ZIP archive'],
    ['strong encryption', async () => withEntry(await one(), 8, [0x41, 0]), 'an encrypted ZIP archive'],
    ['a checksum that does not agree', async () => withEntry(await one(), 16, [1, 2, 3, 4]), 'not what was packed'],
    ['a packing nobody knows', async () => withEntry(await one(), 10, [99, 0]), 'packed in a way'],
    ['an end that is missing', async () => (await one()).subarray(0, 60), 'cut short'],
    ['bytes in the middle that are missing', async () => cut(await one()), 'damaged'],
    ['no file at all', () => zipOf({}), 'without a file'],
    ['no table at all', () => zipOf({ 'a.txt': 'Figures.', 'b.txt': 'More.' }), 'without a table'],
    ['gzip that is cut off', () => gzipSync(TABLE).subarray(0, 20), 'a damaged archive'],
    ['gzip in gzip', () => gzipSync(gzipSync(TABLE)), 'an archive within an archive'],
    ['a web page', () => Buffer.from('<!doctype html><title>Sign in</title>'), 'a web page'],
    ['a picture', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'neither text nor an archive'],
    ['JSON that breaks off', () => Buffer.from('[{"keyword":"a'), 'not JSON'],
    ['gzip that is too much', () => gzipSync(Buffer.alloc(3 * LIMIT)), 'more than 1 MB'],
    ['JSON that is too much to be read losslessly', () => Buffer.from(`["${'a'.repeat(5_000_000)}"]`), 'ask for CSV'],
    ['JSON without rows', () => Buffer.from('{"message":"later"}'), 'JSON without rows'],
  ])('%s', async (_what, make, found) => {
    expect(await readReportFile(await make(), LIMIT)).toMatchObject(unreadable(found));
  });
});

const HALF = Buffer.alloc(0.6 * LIMIT, 'a');
const cut = (zip: Buffer): Buffer => Buffer.concat([zip.subarray(0, 20), zip.subarray(30)]);
