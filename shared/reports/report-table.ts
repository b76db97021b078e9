import { parseDecimal } from '../model/decimal.ts';
import { plainDate } from '../model/plain-date.ts';
import { type MetricColumn, metricOf } from './metric.ts';

/** A column of a report: a known metric, the day, or words (names, ids, and whatever the service adds one day). */
export type ReportColumn =
  | ({ readonly is: 'metric'; readonly name: string } & MetricColumn)
  | { readonly is: 'day'; readonly name: string }
  | { readonly is: 'words'; readonly name: string };

/** A figure in its smallest step (cents, hundredths of a percent, whole counts), words, or nothing. */
export type ReportCell = number | string | null;

export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly ReportCell[])[];
  /** How many cells of metric columns held something that is no number; they are empty in `rows`. */
  readonly unreadable: number;
}

const DAY_COLUMN = /^(date|reportDate)$/i;

/**
 * Reads a report as it came: a row of column names, then rows of text. Unknown columns are kept as words, surplus
 * decimals are cut, and a short row is filled up with nothing.
 */
export function readReport(text: readonly (readonly string[])[]): ReportTable {
  const [names = [], ...lines] = text;
  const columns = names.map(columnFor);
  let unreadable = 0;
  const cell = (column: ReportColumn, value: string): ReportCell => {
    const trimmed = value.trim();
    if (trimmed === '') return null;
    if (column.is === 'day') return plainDate(trimmed.slice(0, 10)) ?? trimmed;
    if (column.is === 'words') return trimmed;
    const read = parseDecimal(trimmed.replace(/%$/u, ''), placesOf(column));
    if (read.ok) return read.value.units;
    unreadable += 1;
    return null;
  };
  const rows = lines.map((line) => columns.map((column, at) => cell(column, line[at] ?? '')));
  return { columns, rows, unreadable };
}

function columnFor(name: string): ReportColumn {
  const metric = metricOf(name);
  if (metric !== null) return { is: 'metric', name, ...metric };
  return { is: DAY_COLUMN.test(name) ? 'day' : 'words', name };
}

/** Decimals a figure is kept with: none for counts, two for everything else. */
export const placesOf = ({ metric }: MetricColumn): number => (metric.unit === 'count' ? 0 : 2);
