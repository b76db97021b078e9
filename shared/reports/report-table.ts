import { parseDecimal } from '../model/decimal.ts';
import { plainDate } from '../model/plain-date.ts';
import { ATTRIBUTION_WINDOWS, type MetricColumn, type MetricUnit, metricOf } from './metric.ts';

/** A column of a report: a metric, also one that only the service knows, the day, or words (names, ids, and whatever else comes). */
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
 * Reads a report as it came: a row of column names, then rows of text. Unknown columns are kept: those of numbers as metrics
 * under their wire names, the others as words. Surplus decimals are cut, and a short row is filled up with nothing.
 */
export function readReport(text: readonly (readonly string[])[]): ReportTable {
  const [names = [], ...lines] = text;
  const columns = names.map((name, at) => columnFor(name, () => lines.map((line) => line[at]?.trim() ?? '')));
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

function columnFor(name: string, cells: () => readonly string[]): ReportColumn {
  const known = metricOf(name);
  if (known !== null) return { is: 'metric', name, ...known };
  if (DAY_COLUMN.test(name)) return { is: 'day', name };
  const unknown = unknownMetric(
    name,
    cells().filter((cell) => cell !== ''),
  );
  return unknown === null ? { is: 'words', name } : { is: 'metric', name, ...unknown };
}

/** Decimals a figure is kept with: none for counts, two for everything else. */
export const placesOf = ({ metric }: MetricColumn): number => (metric.unit === 'count' ? 0 : 2);

const NUMBER = /^-?\d{1,12}(?:\.\d+)?\s*%?$/;
/** Digits that are a name: item ids, postal codes. */
const LEADING_ZERO = /^-?0\d/;
/** Numbers that say which row it is, or how it is set up. */
const NO_METRIC =
  /(?:^|[a-z0-9_])(?:Ids?|Name|Text|Type|Code|Sku|Upc|Bid|Budget|Rank|Status|Version)$|^(?:ids?|bid|budget|rank|hour|week|month|year)$/;
const SHARE = /rate|percent|share|ctr|acos|roas|average|avg/i;
const MONEY = /sales|revenue|spend|cost/i;

/**
 * A column that is in no table of metrics and holds numbers and nothing else: a metric that the deployment knows. It keeps its
 * wire name; its unit and whether it adds up are told by name and cells.
 *
 * @param cells those that are not empty
 * @returns null for words
 */
function unknownMetric(column: string, cells: readonly string[]): MetricColumn | null {
  const areNumbers = cells.every((cell) => NUMBER.test(cell) && !LEADING_ZERO.test(cell));
  if (cells.length === 0 || !areNumbers || NO_METRIC.test(column)) return null;
  const window = ATTRIBUTION_WINDOWS.find((each) => column.endsWith(each) && column !== each) ?? null;
  const name = window === null ? column : column.slice(0, -window.length);
  const isShare = SHARE.test(name) || cells.some((cell) => cell.endsWith('%'));
  const unit = unitOf(name, cells, isShare);
  const metric = { name, unit, attributed: window !== null, of: null, derived: false, adds: !isShare, known: false };
  return { metric, window };
}

function unitOf(name: string, cells: readonly string[], isShare: boolean): MetricUnit {
  if (isShare) return cells.some((cell) => cell.endsWith('%')) ? 'percent' : 'ratio';
  if (MONEY.test(name)) return 'money';
  return cells.every((cell) => /^-?\d+$/.test(cell)) ? 'count' : 'ratio';
}
