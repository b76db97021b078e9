import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { csvCell } from '../../main/files/spreadsheet/csv.ts';
import { readSheetRows } from '../../main/files/spreadsheet/read-sheet.ts';
import { AS_PREVIEWED } from '../../main/files/spreadsheet/worker/line-outcomes.ts';
import { stageImport } from '../../main/files/spreadsheet/worker/stage-import.ts';
import { openDb } from '../../main/store/db/open-db.ts';
import { DATE_ORDERS, type DateOrder } from '../../shared/model/plain-date.ts';
import { aWorkbook } from '../faults/bad-sheets.ts';
import { testFolder } from '../folder.ts';
import { isFull, SEED } from '../share.ts';
import { anExchange, importSession, makeSpring, type TestExchange } from './an-exchange.ts';
import { rowCounter } from './count-rows.ts';
import { countXlsxRows } from './count-xlsx-rows.ts';

/**
 * The law of every import: the rows of the file are those added, changed, unchanged, in conflict, left
 * out and named in errors. `npm test` takes a sample of sheets; `npm run test:sheet-laws` takes 20,000 of them and one of a million
 * rows. A failing run says its seed; `SEED=...` repeats it.
 */
const SHEETS = isFull ? 20_000 : 200;
const folder = testFolder('sheet-laws');
let desk: TestExchange;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
  await makeSpring(
    desk,
    Array.from({ length: 20 }, (_, at) => `word${at}`),
  );
  return () => desk.close();
});

type Rows = NonNullable<Parameters<typeof importSession>[1]>;

function aFile(content: string | Uint8Array, suffix = 'csv'): string {
  const path = join(folder, `${randomUUID()}.${suffix}`);
  writeFileSync(path, content);
  return path;
}

const sessionOf = (path: string, linesAsRows = false, readRows?: Rows, dates: DateOrder | null = null) =>
  importSession({ path, database: desk.account.database, dates, linesAsRows }, readRows);

/** What an import of the file would do; the file is gone then. */
async function lookedAt(path: string, linesAsRows = false, readRows?: Rows) {
  const session = sessionOf(path, linesAsRows, readRows);
  const read = await session.read(() => undefined);
  rmSync(path);
  if (!read.ok) return { refused: read.error };
  const { rows, added, changed, removed, unchanged, conflicts, leftOut, errorRows } = read.value;
  const sum = added + changed + removed + unchanged + conflicts + leftOut + errorRows;
  return { refused: null, summary: read.value, rows, sum };
}

/** A line of a sheet as somebody wrote it: the cells of a keyword, each maybe in quotes, with whatever ends the line. */
interface Line {
  readonly cells: readonly string[];
  readonly isQuoted: boolean;
  readonly end: string;
}
const HEAD = ['Type', 'Campaign', 'Ad group', 'Keyword', 'Match type', 'Bid', 'Remark'];
const words = fc.oneof(
  fc.integer({ min: 0, max: 25 }).map((at) => `word${at}`),
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\n', '\r'), maxLength: 6 }),
);
const cellsOfRow = fc
  .tuple(
    fc.constantFrom('keyword', 'keyword', 'keyword', 'campaign', 'typo'),
    fc.constantFrom('Spring', 'Spring', 'Autumn'),
    fc.constantFrom('Main', 'Main', 'Other', ''),
    words,
    fc.constantFrom('exact', 'exact', 'broad', 'none'),
    fc.constantFrom('1.00', '1.20', '', 'dear'),
    words,
  )
  .chain((cells) =>
    fc.constantFrom(cells.length, cells.length, 3, 9).map((width) => [...cells, 'more', ''].slice(0, width)),
  );
const line: fc.Arbitrary<Line> = fc.record({
  cells: fc.oneof(
    { weight: 8, arbitrary: cellsOfRow },
    { weight: 1, arbitrary: fc.constantFrom([''], ['', ' ', ''], ['']) },
  ),
  isQuoted: fc.boolean(),
  end: fc.constantFrom('\n', '\r', '\r\n'),
});
const written = ({ cells, isQuoted, end }: Line, delimiter: string): string =>
  `${cells.map((cell) => (isQuoted ? `"${cell.replaceAll('"', '""')}"` : csvCell(cell, delimiter))).join(delimiter)}${end}`;
const isFilled = ({ cells }: Line): boolean => cells.some((cell) => cell.trim() !== '');

const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with its mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16, big end first': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
};
const sheet = fc.record({
  lines: fc.array(line, { maxLength: 12 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  encoding: fc.constantFrom(...Object.keys(encodings)),
  headEnd: fc.constantFrom('\n', '\r', '\r\n'),
  isCut: fc.boolean(),
  /** Where quotes get in that belong to nobody, as a share of the text. */
  strays: fc.oneof(
    { weight: 2, arbitrary: fc.constant<readonly number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }) },
  ),
  linesAsRows: fc.boolean(),
});

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Texts that the cells of a workbook share: one without content among them. */
const SHARED = {
  'xl/sharedStrings.xml': `<sst xmlns="${MAIN}"><si><t>a</t></si><si><t> </t><rPh sb="0" eb="1"><t>b</t></rPh></si><si/></sst>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
};

describe(`over random sheets (seed ${SEED})`, () => {
  test(`${SHEETS} sheets: every row is accounted for, and no word is lost`, async () => {
    const seen = { rows: 0, added: 0, changed: 0, unchanged: 0, errorRows: 0, open: 0, mixed: 0 };
    await fc.assert(
      fc.asyncProperty(sheet, async ({ lines, delimiter, encoding, headEnd, isCut, strays, linesAsRows }) => {
        let body = lines.map((one) => written(one, delimiter)).join('');
        if (isCut) body = body.replace(/\r?\n$|\r$/, '');
        for (const share of strays) {
          const at = Math.floor(share * body.length);
          // Where it begins a cell it does most harm.
          const start = body.slice(0, at).lastIndexOf(delimiter) + 1;
          body = `${body.slice(0, start)}"${body.slice(start)}`;
        }
        const text = `${HEAD.join(delimiter)}${headEnd}${body}`;
        const path = aFile(encodings[encoding]?.(text) ?? '');
        const cells: string[] = [];
        const read = await readSheetRows(path, (row) => void cells.push(...row), { linesAsRows });
        expect(read.ok).toBe(true);
        const letters = (of: string): string => of.replace(/[^a-zé0-9]/gi, '');
        expect(letters(cells.join(''))).toBe(letters(text));
        const { refused, summary, rows, sum } = await lookedAt(path, linesAsRows);
        expect(refused).toBeNull();
        expect(sum).toBe(rows);
        const counter = rowCounter(delimiter, linesAsRows);
        counter.push(text);
        expect(rows).toBe(counter.end() - 1);
        // What somebody wrote without a mistake is as many rows as they wrote.
        if (strays.length === 0 && !linesAsRows) expect(rows).toBe(lines.filter(isFilled).length);
        const named = new Set([...(summary?.errors ?? [])].map((problem) => problem.line));
        expect(named.size).toBe(summary?.errorRows);
        seen.rows += rows ?? 0;
        for (const key of ['added', 'changed', 'unchanged', 'errorRows'] as const) seen[key] += summary?.[key] ?? 0;
        seen.open += summary?.hasOpenQuotes === true ? 1 : 0;
        seen.mixed += new Set([headEnd, ...lines.map(({ end }) => end)]).size > 1 ? 1 : 0;
      }),
      { numRuns: SHEETS, seed: SEED },
    );
    expect(
      Object.entries(seen).filter(([, count]) => count === 0),
      'what no sheet had',
    ).toEqual([]);
  }, 3_600_000);

  test('dates in the order of a country: every row is accounted for, and is the row of the file with the year first', async () => {
    const seen = { asked: 0, proven: 0, late: 0 };
    const day = fc.date({ min: new Date('2030-01-01'), max: new Date('2039-12-31'), noInvalidDate: true });
    const isClear = (at: Date): boolean => at.getUTCDate() > 12;
    const rowsOf = async (days: readonly string[], order: DateOrder | null) => {
      const lines = days.map((start, at) => `campaign,Spring ${at},sponsoredProducts,manual,${start}`);
      const path = aFile(['Type,Campaign,Campaign type,Targeting,Start', ...lines].join('\n'));
      const session = sessionOf(path, false, undefined, order);
      const read = await session.read(() => undefined);
      const added = read.ok ? await session.window('added', 0, 100) : null;
      rmSync(path);
      return { read, added };
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...DATE_ORDERS),
        fc.constantFrom('/', '.'),
        async (days, order, mark) => {
          const written = days.map((at) => {
            const [month, date] = [at.getUTCMonth() + 1, at.getUTCDate()];
            return [...(order === 'month-first' ? [month, date] : [date, month]), at.getUTCFullYear()].join(mark);
          });
          const iso = await rowsOf(
            days.map((at) => at.toISOString().slice(0, 10)),
            null,
          );
          expect(iso.added?.total).toBe(days.length);
          expect((await rowsOf(written, order)).added).toEqual(iso.added);
          const alone = await rowsOf(written, null);
          if (alone.read.ok) expect(alone.added).toEqual(iso.added);
          else expect(alone.read.error.reason).toBe('needs-dates');
          const isProven = days.some(isClear);
          const isSame = days.every((at) => at.getUTCDate() === at.getUTCMonth() + 1);
          expect(alone.read.ok).toBe(isProven || isSame);
          if (!alone.read.ok) seen.asked++;
          if (isProven) seen.proven++;
          if (isProven && !isClear(days[0] ?? new Date())) seen.late++;
        },
      ),
      { numRuns: Math.ceil(SHEETS / 2), seed: SEED },
    );
    expect(Object.values(seen).every((count) => count > 0)).toBe(true);
  }, 3_600_000);

  test('workbooks: every row is accounted for', async () => {
    const runs = Math.ceil(SHEETS / 20);
    let rows = 0;
    const value = fc.constantFrom('keyword', 'Spring', 'word1', 'word2', ' ', '', 'a&b <c>', 1, 0, true, null);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(value, { maxLength: 8 }), { maxLength: 12 }), async (table) => {
        const bytes = await writeXlsx({
          sheets: [
            { name: 'Other', rows: [['x'], ['y']] },
            { name: 'One', rows: [HEAD, ...table] },
          ],
        });
        const seen = await lookedAt(aFile(bytes, 'xlsx'));
        expect(seen.refused).toBeNull();
        expect(seen.sum).toBe(seen.rows);
        expect(seen.rows).toBe(table.filter((cells) => cells.some((cell) => String(cell ?? '').trim() !== '')).length);
        rows += seen.rows ?? 0;
      }),
      { numRuns: runs, seed: SEED },
    );
    expect(rows).toBeGreaterThan(runs);
  }, 3_600_000);

  test('workbooks in every way of writing a cell: as many rows are counted as there are', async () => {
    const cell = fc.constantFrom(
      ...[
        '<v>1</v>',
        '<v/>',
        '<v> </v>',
        '',
        '<f>A1</f>',
        '<f>A1</f><v/>',
        '<f>A1</f><v>2</v>',
        '<v><![CDATA[ ]]></v>',
      ],
      ...['<f t="array" ref="A2:B4">A1</f><v>2</v>', '<v>&#32;</v>', '<!-- <v>1</v></row> -->', '<?x <v>1</v> ?>'],
      ...['<is><t>a</t></is>', '<is><t> _x000D_</t></is>', '<is><t/><rPh sb="0" eb="1"><t>b</t></rPh></is>'],
    );
    const type = fc.constantFrom('', ' t="str"', ' t="b"', " t='e'", ' t="inlineStr"', ' t="s"', ' s="1" t="n"');
    const row = fc.array(fc.tuple(type, cell), { maxLength: 3 });
    const runs = Math.ceil(SHEETS / 5);
    let filled = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), fc.boolean(), async (rows, isShort) => {
        const written = rows.map((cells) =>
          cells.map(([is, content]) => (isShort && content === '' ? `<c${is}/>` : `<c${is}>${content}</c>`)).join(''),
        );
        const body = written.map((cells) => (isShort && cells === '' ? '<row spans="1:3"/>' : `<row>${cells}</row>`));
        const head = '<row><c t="inlineStr"><is><t>Type</t></is></c></row>';
        const xml = `<worksheet xmlns="${MAIN}"><sheetData>${head}${body.join('')}</sheetData></worksheet>`;
        const path = aFile(aWorkbook(xml, SHARED), 'xlsx');
        let seen = 0;
        const read = await readSheetRows(path, (cells) => {
          if (cells.some((each) => each.trim() !== '')) seen++;
        });
        const counted = await countXlsxRows(path, 'xl/worksheets/sheet1.xml');
        rmSync(path);
        expect(read).toEqual({ ok: true, value: { rows: seen - 1 } });
        expect(counted).toBe(seen - 1);
        filled += seen - 1;
      }),
      { numRuns: runs, seed: SEED },
    );
    expect(filled).toBeGreaterThan(runs / 2);
  }, 3_600_000);

  if (isFull)
    test('a sheet of a million rows whose line ends alternate', async () => {
      const ends = ['\n', '\r', '\r\n'];
      const text = Array.from(
        { length: 1_000_000 },
        (_, at) => `keyword,Spring,Main,term ${at},exact,1.00,"a ""b"", c"${ends[at % 3]}`,
      );
      const seen = await lookedAt(aFile(`${HEAD.join(',')}\r\n${text.join('')}`));
      expect([seen.rows, seen.sum, seen.summary?.added]).toEqual([1_000_000, 1_000_000, 1_000_000]);
    }, 3_600_000);
});

describe('a reader that loses a row is found out before anything comes in', () => {
  const ROWS = ['word0,exact,1.00', 'word1,exact,1.20', 'new,exact,1.00', 'other,exact,1.00'];
  const TABLE = [HEAD.slice(0, 6), ...ROWS.map((cells) => `keyword,Spring,Main,${cells}`.split(','))];
  const csv = () => aFile(TABLE.map((cells) => cells.join(',')).join('\n'));
  const xlsx = async () =>
    aFile(
      await writeXlsx({
        sheets: [
          { name: 'Other', rows: [['x'], ['y']] },
          { name: 'One', rows: TABLE },
        ],
      }),
      'xlsx',
    );

  /** Reads as the product does, and hands on what `change` makes of the rows. */
  const planted =
    (change: (rows: (readonly string[])[]) => readonly (readonly string[])[]): Rows =>
    async (path, take, options) => {
      const rows: (readonly string[])[] = [];
      const read = await readSheetRows(path, (cells) => void rows.push(cells), options);
      for (const cells of change(rows)) take(cells);
      return read;
    };
  const PLANTS = [
    ['drops the last row', planted((rows) => rows.slice(0, -1)), 3],
    ['merges two rows', planted(([head = [], one = [], two = [], ...rest]) => [head, [...one, ...two], ...rest]), 3],
    ['skips the sheet behind its header', planted((rows) => rows.slice(0, 1)), 0],
    ['skips a part of the sheet', planted((rows) => [...rows.slice(0, 2), ...rows.slice(4)]), 2],
    ['hands a row on twice', planted((rows) => [...rows, ['keyword', 'Spring', 'Main', 'more', 'exact', '1.00']]), 5],
  ] as const;

  test.each(PLANTS)('%s', async (_what, readRows, found) => {
    for (const path of [csv(), await xlsx()]) {
      const { refused } = await lookedAt(path, false, readRows);
      expect(refused).toEqual({ reason: 'rows-missed', params: { rows: 4, found } });
    }
  });

  test('nothing is planted, and the same sheets come in', async () => {
    for (const path of [csv(), await xlsx()]) {
      const { refused, summary } = await lookedAt(
        path,
        false,
        planted((rows) => rows),
      );
      expect(refused).toBeNull();
      expect(summary).toMatchObject({ rows: 4, added: 2, changed: 1, unchanged: 1, errorRows: 0 });
    }
  });

  test('a row that gets lost only when the import is carried out stops that', async () => {
    // Longer than what is kept between two looks, so that the file is read once more.
    const many = Array.from({ length: 20_001 }, (_, at) => `keyword,Spring,Main,term ${at},exact,1.00`);
    const path = aFile(`${HEAD.slice(0, 6).join(',')}\n${many.join('\n')}`);
    let readings = 0;
    const later: Rows = (...order) =>
      (++readings === 1 ? readSheetRows : planted((rows) => rows.slice(0, -1)))(...order);
    const session = sessionOf(path, false, later);
    expect(await session.read(() => undefined)).toMatchObject({ ok: true, value: { rows: 20_001, added: 20_001 } });
    const stage = join(folder, 'stage.db');
    const order = { database: desk.account.database, stage, rows: AS_PREVIEWED, attached: [] };
    const staged = await stageImport(session, order, () => undefined);
    expect(staged).toEqual({ ok: false, error: { reason: 'rows-missed', params: { rows: 20_001, found: 20_000 } } });
    const db = openDb(desk.account.database, { readOnly: true });
    expect(db.get("SELECT count(*) FROM keyword WHERE text LIKE 'term %'")?.[0]).toBe(0);
    db.close();
  });
});

test('rows in doubt come back in a sheet of their own, with what stood beyond the header, and can be corrected there', async () => {
  const path = join(folder, 'doubt.csv');
  const head = 'Type,Campaign,Ad group,Keyword,Match type,Bid';
  const rows = ['"rolls', 'pots', 'cups'].map((word) => `keyword,Spring,Main,${word},exact,1.00`);
  writeFileSync(
    path,
    `${head}\r\nkeyword,Spring,Main,first,exact,1.00\n${rows.join('\r')}\r\nkeyword,Spring,Main,last,none,1,50`,
  );
  const file = await desk.grant(path);
  const preview = await desk.preview(file);
  expect(preview).toMatchObject({ rows: 5, added: 1, errorRows: 4, errorCount: 4, hasOpenQuotes: true });
  const failed = join(folder, 'failed.csv');
  expect(await desk.failed(preview.previewId, failed, 'csv')).toBe(4);
  await desk.dismiss(preview.previewId);
  const text = readFileSync(failed, 'utf8');
  expect(text).toContain('keyword,Spring,Main,"""rolls",exact,1.00,');
  expect(text).toContain(',50\r\n');
  writeFileSync(failed, text.replace('"""rolls"', 'rolls').replace(',none,', ',exact,'));
  const corrected = await desk.preview(await desk.grant(failed));
  expect(corrected).toMatchObject({ rows: 4, added: 4, errorRows: 0, warningCount: 1 });
  await desk.dismiss(corrected.previewId);
});
