import { parseDecimal } from '../model/decimal.ts';
import { plainDate } from '../model/plain-date.ts';
import {
  ATTRIBUTION_WINDOWS,
  columnOf,
  METRICS,
  type MetricColumn,
  type MetricUnit,
  metricUnder,
  partsOf,
  quotient,
} from './metric.ts';

/** A column of a report: a metric, also an unknown one, the day, or text (names, IDs, and any other). */
export type ReportColumn =
  | ({ readonly is: 'metric'; readonly name: string } & MetricColumn)
  | { readonly is: 'day'; readonly name: string }
  | { readonly is: 'words'; readonly name: string };

/** A number in its smallest unit (cents, hundredths of a percent, whole counts), a text, or empty. */
export type ReportCell = number | string | null;

export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly ReportCell[])[];
  /** Number of cells in metric columns that were no number; they are empty in `rows`. */
  readonly unreadable: number;
}

const DAY_COLUMN = /^(date|reportDate)$/i;

/**
 * Reads a report: a row of column names, then rows of text. Known metrics get their names on the wire. Unknown columns
 * are included: those of numbers as metrics under their names in the report, the others as texts. Surplus decimals are
 * cut, and missing cells of a short row are empty.
 */
export function readReport(text: readonly (readonly string[])[]): ReportTable {
  const [names = [], ...lines] = text;
  const columns = names.map((name, at) => columnFor(name.trim(), () => lines.map((line) => line[at]?.trim() ?? '')));
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
  const known = metricUnder(name);
  if (known !== null) return { is: 'metric', name: columnOf(known.metric.name, known.window), ...known };
  if (DAY_COLUMN.test(name)) return { is: 'day', name };
  const unknown = unknownMetric(
    name,
    cells().filter((cell) => cell !== ''),
  );
  return unknown === null ? { is: 'words', name } : { is: 'metric', name, ...unknown };
}

/** Decimals of a metric: none for counts, two for any other. */
export const placesOf = ({ metric }: MetricColumn): number => (metric.unit === 'count' ? 0 : 2);

const NUMBER = /^-?\d{1,12}(?:\.\d+)?\s*%?$/;
/** Digits that are a name: item ids, postal codes. */
const LEADING_ZERO = /^-?0\d/;
/** Names of numbers that identify a row or are a setting of it. */
const NO_METRIC = /(?:^|[a-z0-9_])(?:Ids?|Name|Text|Type|Code|Sku|Upc|Bid|Budget|Rank|Status|Version)$/;
/** The same in other capitals. Other words end in these letters too, such as "paid". */
const NO_METRIC_IN_ANY_CASE =
  /^(?:bid|budget|rank|hour|week|month|year)$|(?:^|[\s_-]|campaign|group|item|keyword|profile|advertiser)ids?$/i;
const SHARE = /rate|percent|share|ctr|acos|roas|average|avg/i;
const MONEY = /sales|revenue|spend|cost/i;

/**
 * Creates a metric for an unknown column that has only numbers. It keeps its name in the report; its unit and whether
 * it can be summed are inferred from name and cells.
 *
 * @param cells the cells that are not empty
 * @returns null for texts
 */
function unknownMetric(column: string, cells: readonly string[]): MetricColumn | null {
  const areNumbers = cells.every((cell) => NUMBER.test(cell) && !LEADING_ZERO.test(cell));
  if (cells.length === 0 || !areNumbers || NO_METRIC.test(column)) return null;
  if (NO_METRIC_IN_ANY_CASE.test(column)) return null;
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

/** Rows with the same value of the grouping column, combined. */
export interface Group {
  /** The shared value, such as a campaign's name; empty for the whole report. */
  readonly label: string;
  readonly rows: number;
  /** By column name; without metrics that can't be computed. */
  readonly figures: ReadonlyMap<string, number>;
}

/** All metrics of this report, in the order of the metric table; unknown ones come last. */
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

/** The columns by which rows can be grouped: texts, days, and unknown integers. */
export const groupingsOf = (table: ReportTable): readonly ReportColumn[] =>
  table.columns.filter((column) => column.is !== 'metric' || (!column.metric.known && column.metric.unit === 'count'));

/** All rows as one group. */
export const totalOf = (table: ReportTable, rows = table.rows): Group => adderFor(table)('', rows);

/** Rows grouped by their value in a column, in the order of first appearance. */
export function groupBy(table: ReportTable, column: string, rows = table.rows): readonly Group[] {
  const at = table.columns.findIndex(({ name }) => name === column);
  const add = adderFor(table);
  const groups = Map.groupBy(rows, (row) => String(row[at] ?? ''));
  return [...groups].map(([label, members]) => add(label, members));
}

/**
 * Sums the columns that can be summed and computes rates from the sums: an average of rates would weight a day of ten
 * impressions like one of a million. A rate without its numerator and denominator has no total, nor has an unknown
 * one.
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

/** Sorts groups by a metric; those without it come last, equal ones keep their order. */
export function sortGroups(groups: readonly Group[], column: string, descending: boolean): readonly Group[] {
  const sign = descending ? -1 : 1;
  const rank = (group: Group): number | undefined => group.figures.get(column);
  return groups.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
}
