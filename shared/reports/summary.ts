import { ATTRIBUTION_WINDOWS, columnOf, METRICS, type MetricColumn, partsOf, quotient } from './metric.ts';
import type { ReportColumn, ReportTable } from './report-table.ts';

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
 * Sums what can be summed and computes rates anew from the sums: an average of rates would weigh a day of ten
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
