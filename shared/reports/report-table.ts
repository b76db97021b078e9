import { parseDecimal } from '../model/decimal.ts';
import { plainDate } from '../model/plain-date.ts';
import {
  ATTRIBUTION_WINDOWS,
  columnOf,
  METRICS,
  type MetricColumn,
  type MetricUnit,
  metricOf,
  partsOf,
  quotient,
} from './metric.ts';

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

/** One figure that can be shown: sent by the service, or computed from figures that were. */
export interface Figure extends MetricColumn {
  readonly column: string;
}

/** Rows that share a value of the grouping column, put together. */
export interface Group {
  /** What they share, such as a campaign's name; empty for the whole report. */
  readonly label: string;
  readonly rows: number;
  /** By column name; a figure that cannot be told is not there. */
  readonly figures: ReadonlyMap<string, number>;
}

/** Every figure that this report can show, in the order of the metric table; those that are not in it come last. */
export function figuresOf(table: ReportTable): readonly Figure[] {
  const sent = new Set(table.columns.filter((column) => column.is === 'metric').map(({ name }) => name));
  const unknown = table.columns.flatMap((column) =>
    column.is === 'metric' && !column.metric.known ? [{ ...column, column: column.name }] : [],
  );
  const known = METRICS.flatMap((metric) => {
    const windows = metric.attributed ? [...ATTRIBUTION_WINDOWS, null] : [null];
    return windows
      .map((window) => ({ metric, window, column: columnOf(metric.name, window) }))
      .filter((figure) => {
        const parts = partsOf(figure);
        return (
          sent.has(figure.column) ||
          (metric.derived && parts !== null && sent.has(parts.above) && sent.has(parts.below))
        );
      });
  });
  return [...known, ...unknown.map(({ column, metric, window }) => ({ column, metric, window }))];
}

/** The columns rows can be put together by: words, days, and whole numbers of which nobody knows what they count. */
export const groupingsOf = (table: ReportTable): readonly ReportColumn[] =>
  table.columns.filter((column) => column.is !== 'metric' || (!column.metric.known && column.metric.unit === 'count'));

/** All rows as one group. */
export const totalOf = (table: ReportTable, rows = table.rows): Group => adderFor(table)('', rows);

/** Rows put together by what they have in a column, in the order of first appearance. */
export function groupBy(table: ReportTable, column: string, rows = table.rows): readonly Group[] {
  const at = table.columns.findIndex(({ name }) => name === column);
  const add = adderFor(table);
  const groups = Map.groupBy(rows, (row) => String(row[at] ?? ''));
  return [...groups].map(([label, members]) => add(label, members));
}

/**
 * Sums what can be summed and computes rates again from the sums: an average of rates would weigh a day of ten
 * impressions like one of a million. A rate sent without its two figures has no total, nor has one nobody knows.
 */
function adderFor(table: ReportTable): (label: string, rows: ReportTable['rows']) => Group {
  const summed = table.columns.flatMap((column, at) =>
    column.is === 'metric' && partsOf(column) === null ? [{ at, name: column.name, adds: column.metric.adds }] : [],
  );
  const rates = figuresOf(table).flatMap((figure) => {
    const parts = partsOf(figure);
    return parts === null ? [] : [{ ...parts, column: figure.column, unit: figure.metric.unit }];
  });
  return (label, rows) => {
    const figures = new Map<string, number>();
    for (const { at, name, adds } of summed) {
      if (!adds && rows.length > 1) continue;
      const cells = rows.map((row) => row[at]).filter((cell) => typeof cell === 'number');
      if (cells.length > 0)
        figures.set(
          name,
          cells.reduce((sum, cell) => sum + cell, 0),
        );
    }
    for (const { column, above, below, unit } of rates) {
      const [top, bottom] = [figures.get(above), figures.get(below)];
      const value = top === undefined || bottom === undefined ? null : quotient(unit, top, bottom);
      if (value !== null) figures.set(column, value);
    }
    return { label, rows: rows.length, figures };
  };
}

/** Groups by one of their figures; those without it come last, equal ones keep their order. */
export function sortGroups(groups: readonly Group[], column: string, descending: boolean): readonly Group[] {
  const sign = descending ? -1 : 1;
  const rank = (group: Group): number | undefined => group.figures.get(column);
  return groups.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
}
