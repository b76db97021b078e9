import { type FileHandle, open } from 'node:fs/promises';
import { addDays } from '../../shared/model/plain-date.ts';
import type { DaySpan } from '../../shared/reports/period.ts';
import { guardCell } from '../../shared/spreadsheet/cell-guard.ts';
import { csvLine } from '../files/spreadsheet/csv.ts';
import type { Cube } from './cube.ts';

/** The result of an export: one row per day and row of the report. */
interface Exported {
  readonly rows: number;
  /** Days with metrics, and unknown days of the span. */
  readonly days: number;
  readonly missing: number;
}

/** One day, column by column. */
export interface DayTable {
  readonly day: string;
  readonly rows: number;
  /** Key columns of the rows and their names. */
  readonly texts: readonly (readonly string[])[];
  /** In the smallest unit: cents, whole counts. */
  readonly numbers: readonly Float64Array[];
}

export interface ExportHead {
  readonly texts: readonly string[];
  readonly numbers: readonly { readonly name: string; readonly isCount: boolean }[];
}

/** Writes the days to a file of some format. */
export interface ExportTarget {
  begin(head: ExportHead): Promise<void>;
  day(table: DayTable): Promise<void>;
  /** Also called after a failure. */
  end(): Promise<void>;
}

/** Exports the days of a span one after the other, so that memory is needed for one day only. */
export async function exportMetrics(
  cube: Pick<Cube, 'dayRows' | 'entities'>,
  reportType: string,
  { from, to }: DaySpan,
  target: ExportTarget,
): Promise<Exported> {
  const days: string[] = [];
  let missing = 0;
  const units = new Map<string, boolean>();
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const found = await cube.dayRows(reportType, day);
    if (found === null) missing++;
    else days.push(day);
    for (const { name, unit } of found?.columns ?? []) units.set(name, unit === 'count');
  }
  const entities = await cube.entities(reportType, null);
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const texts = [...new Set(entities.flatMap(({ keys, words }) => [...Object.keys(keys), ...Object.keys(words)]))];
  const numbers = Array.from(units, ([name, isCount]) => ({ name, isCount }));
  let rows = 0;
  try {
    await target.begin({ texts, numbers });
    for (const day of days) {
      const found = await cube.dayRows(reportType, day);
      // The day was found damaged after it was counted.
      if (found === null) continue;
      const own = Array.from(found.ids, (id) => byId.get(id));
      const columns = new Map(found.columns.map(({ name, values }) => [name, values]));
      await target.day({
        day,
        rows: own.length,
        texts: texts.map((name) => own.map((entity) => entity?.keys[name] ?? entity?.words[name] ?? '')),
        numbers: numbers.map(({ name }) => columns.get(name) ?? new Float64Array(own.length)),
      });
      rows += own.length;
    }
  } finally {
    await target.end();
  }
  return { rows, days: days.length, missing };
}

const BYTE_ORDER_MARK = '\uFEFF';
const PIECE_ROWS = 5000;

/** CSV for spreadsheets: IDs as text, no cell is a formula, amounts with two decimals. */
export function csvTarget(path: string): ExportTarget {
  let file: FileHandle | null = null;
  let isCount: readonly boolean[] = [];
  const write = async (text: string): Promise<void> => await file?.appendFile(text);
  return {
    begin: async ({ texts, numbers }) => {
      file = await open(path, 'w');
      isCount = numbers.map((column) => column.isCount);
      await write(BYTE_ORDER_MARK + csvLine(['date', ...texts, ...numbers.map(({ name }) => name)], ','));
    },
    day: async ({ day, rows, texts, numbers }) => {
      let piece = '';
      for (let row = 0; row < rows; row++) {
        const words = texts.map((column) => guardCell(column[row] ?? ''));
        const values = numbers.map((column, at) => numberText(column[row] ?? 0, isCount[at] === true));
        piece += csvLine([day, ...words, ...values], ',');
        if (row % PIECE_ROWS < PIECE_ROWS - 1) continue;
        await write(piece);
        piece = '';
      }
      await write(piece);
    },
    end: async () => file?.close(),
  };
}

const numberText = (value: number, isCount: boolean): string => (isCount ? String(value) : (value / 100).toFixed(2));
