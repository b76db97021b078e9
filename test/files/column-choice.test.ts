import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { csvLine } from '../../main/files/spreadsheet/csv.ts';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '../../shared/spreadsheet/columns.ts';
import { testFolder } from '../folder.ts';
import { SEED } from '../share.ts';
import { done } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';
import { aLibrary, type Draft, drafts, type Files, rowsOf } from './random-workspace.ts';

/** Columns of an import that are left out, over random workspaces and random edits of their sheets. */
const folder = testFolder('columns');
let desk: TestExchange;
let files: Files;
let written = 0;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
  files = await aLibrary(desk, folder);
  return () => desk.close();
});

type Table = readonly (readonly string[])[];
const target = (): string => join(folder, `${written++}.csv`);

async function withRows<T>(made: readonly Draft[], check: () => Promise<T>): Promise<T> {
  const { workspace } = desk.account;
  done(await workspace.apply({ label: 'Law', source: 'user', creates: rowsOf(made, files) }));
  try {
    return await check();
  } finally {
    await call(workspace, 'workspace', 'undo');
  }
}

async function exported(): Promise<{ readonly path: string; readonly text: string }> {
  const path = target();
  await desk.export({ target: path, format: 'csv', view: null });
  return { path, text: readFileSync(path, 'utf8') };
}

async function exportedTable(): Promise<Table> {
  const read = done(await readSheet((await exported()).path));
  return read;
}

/** Imports a table without some columns and rows; the undo stays with the caller. */
async function imported(table: Table, out: readonly ImportColumn[], leaveOut: readonly number[] = []) {
  const path = target();
  writeFileSync(path, table.map((cells) => csvLine(cells, ',')).join(''));
  const { previewId } = await desk.preview(await desk.grant(path));
  const preview = await desk.leaveColumnsOut(previewId, out);
  return { preview, applied: await desk.apply(previewId, { leaveOut }) };
}

/** What the account says after `steps`, which are taken back. */
async function stateAfter(steps: () => Promise<readonly { readonly added: number; readonly changed: number }[]>) {
  const done = await steps();
  const { text } = await exported();
  for (const { added, changed } of done)
    if (added + changed > 0) await call(desk.account.workspace, 'workspace', 'undo');
  return text;
}

/** Another value for cells of a column, by its type of row. */
const OTHER: Readonly<Partial<Record<ImportColumn, (type: string) => string | null>>> = {
  'Daily budget': (type) => (type === 'campaign' ? '77.50' : null),
  End: (type) => (type === 'campaign' ? '2031-01-31' : null),
  Bid: (type) => (type === 'keyword' || type === 'ad item' ? '9.75' : null),
  Status: (type) =>
    ({ campaign: 'paused', 'ad group': 'disabled', 'ad item': 'disabled', keyword: 'paused' })[type] ?? null,
  Multiplier: (type) => (type === 'placement multiplier' ? '444' : null),
};

/** Every row of the table, with other values in the cells that `edits` hits. */
function edited(table: Table, edits: readonly (readonly [number, number])[]): Table {
  const [head = [], ...rows] = table;
  const columns = Object.entries(OTHER);
  const copies = rows.map((row) => [...row]);
  for (const [rowAt, columnAt] of edits) {
    const row = copies[rowAt % copies.length];
    const [column, other] = columns[columnAt % columns.length] ?? [];
    const value = other?.(row?.[head.indexOf('Type')] ?? '');
    if (row !== undefined && column !== undefined && value != null) row[head.indexOf(column)] = value;
  }
  return [head, ...copies];
}

const edits = fc.array(fc.tuple(fc.nat(10_000), fc.nat(100)), { minLength: 5, maxLength: 20 });
/** Rows that are here and rows that are not, in a sheet of which some cells are edited. */
const sheets = fc.record({ here: drafts, more: drafts, edits });
type Sheet = typeof sheets extends fc.Arbitrary<infer T> ? T : never;

async function withSheet(sheet: Sheet, check: (table: Table) => Promise<void>): Promise<void> {
  const whole = await withRows([...sheet.here, ...sheet.more], exportedTable);
  await withRows(sheet.here, () => check(edited(whole, sheet.edits)));
}

/** Caption and name travel with their video, so they stay in one part with it. */
const TOGETHER: readonly string[] = ['Video', 'Caption', 'Media name'];
const sideOf = (column: ImportColumn, sides: readonly boolean[]): boolean => {
  const at = IMPORT_COLUMNS.indexOf(TOGETHER.includes(column) ? 'Video' : column);
  return sides[at % sides.length] ?? false;
};

describe(`columns that are left out (seed ${SEED})`, () => {
  const options = { numRuns: 4, seed: SEED };
  const sides = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 });

  test('all of them: nothing changes, and every row that would have counts as left out', async () => {
    let rows = 0;
    const check = fc.asyncProperty(sheets, async (sheet) => {
      await withSheet(sheet, async (table) => {
        const before = (await exported()).text;
        const { preview, applied } = await imported(table, IMPORT_COLUMNS);
        expect(preview).toMatchObject({ added: 0, changed: 0, conflicts: 0, errorCount: 0 });
        expect(preview.leftOut + preview.unchanged).toBe(table.length - 1);
        expect(applied).toMatchObject({ added: 0, changed: 0 });
        expect((await exported()).text).toBe(before);
        rows += preview.leftOut;
      });
    });
    await fc.assert(check, options);
    expect(rows).toBeGreaterThan(20);
  });

  test('some of them, then the others: together they are the whole import', async () => {
    let parted = 0;
    const check = fc.asyncProperty(sheets, sides, async (sheet, cut) => {
      const first = IMPORT_COLUMNS.filter((column) => sideOf(column, cut));
      const second = IMPORT_COLUMNS.filter((column) => !sideOf(column, cut));
      await withSheet(sheet, async (table) => {
        const whole = await stateAfter(async () => [(await imported(table, [])).applied]);
        const inTwo = await stateAfter(async () => {
          const one = (await imported(table, second)).applied;
          const other = (await imported(table, first)).applied;
          if (one.changed + one.added > 0 && other.changed + other.added > 0) parted++;
          return [one, other];
        });
        expect(sorted(inTwo)).toEqual(sorted(whole));
      });
    });
    await fc.assert(check, options);
    expect(parted).toBeGreaterThan(0);
  });

  test('and rows that are left out as well: the same as a sheet that never had these rows', async () => {
    const leaf = new Set(['keyword', 'ad item', 'placement multiplier']);
    const check = fc.asyncProperty(sheets, sides, async (sheet, cut) => {
      const out = IMPORT_COLUMNS.filter((column) => sideOf(column, cut));
      await withSheet(sheet, async (table) => {
        const type = table[0]?.indexOf('Type') ?? -1;
        const isOut = (at: number): boolean => at % 2 === 0 && leaf.has(table[at]?.[type] ?? '');
        // The header is line 1.
        const lines = table.flatMap((_, at) => (isOut(at) ? [at + 1] : []));
        const chosen = await stateAfter(async () => [(await imported(table, out, lines)).applied]);
        const shorter = table.filter((_, at) => !isOut(at));
        expect(chosen).toBe(await stateAfter(async () => [(await imported(shorter, out)).applied]));
      });
    });
    await fc.assert(check, options);
  });
});

/** Lines of a sheet whatever their order: rows that came in two steps stand behind those that came in one. */
const sorted = (text: string): readonly string[] => text.split('\r\n').toSorted();
