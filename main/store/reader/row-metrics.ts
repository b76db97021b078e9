import type { MetricsLook } from '../../../shared/api/metrics.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { FIRST_WINDOW, metricField, metricOfField } from '../../../shared/reports/account-metrics.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import { customPeriod, FIRST_COMPARISON, FIRST_PERIOD } from '../../../shared/reports/period.ts';
import { type CustomRule, ruleFilter, userRuleIssue } from '../../../shared/rules/custom-rules.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { asksForMetrics, periodNamedIn, type Query } from '../../../shared/search/query.ts';
import type { Db } from '../db/db.ts';
import { readRowsWithIds } from '../rows/read-rows.ts';
import { tableOf } from '../schema/tables.ts';

/**
 * Metrics by which rows are sorted, searched and added up. They are stored in another file, which another thread reads.
 * The metrics of a view are passed in as one number per row, indexed by row ID; NaN for a row without.
 */
export interface WantedMetric {
  readonly kind: Kind;
  readonly look: MetricsLook;
  /** A column of a grid, a signal of a search, or `has`: whether the row is in a report. */
  readonly column: string;
}

/** One number per row, indexed by row ID; NaN for a row without. */
export interface MetricColumn {
  readonly wanted: WantedMetric;
  readonly values: Float64Array;
}

const HAS = 'has';

/** The metrics in the totals of a view; ROAS is calculated from two of them. */
export const TOTALED = ['clicks', 'spend', 'orders', 'sales'] as const;

/** The cache key of a column. It does not contain the day, because its column has a version. */
export const metricKey = ({ kind, look, column }: WantedMetric): string =>
  [kind, look.period, look.comparison, look.window, look.settledOnly, column].join(' ');

/** The metrics settings of a view. Views saved by older versions have only a period. */
export const lookOf = ({ look, period }: Pick<ViewSpec, 'look' | 'period'>): MetricsLook =>
  look ?? { period: period ?? FIRST_PERIOD, comparison: FIRST_COMPARISON, window: FIRST_WINDOW, settledOnly: false };

/** The rows of a custom rule; their metrics use the same settings, whatever the window shows. */
export const viewOfRule = (rule: Pick<CustomRule, 'kind' | 'query'>): ViewSpec => ({
  kind: rule.kind,
  filter: ruleFilter(rule),
  sort: [],
  campaignId: null,
  only: 'all',
});

/** All metrics that a view is sorted or searched by. */
export function wantedMetrics(spec: ViewSpec): readonly WantedMetric[] {
  const { kind, sort } = spec;
  if (!isReported(kind)) return [];
  const look = lookOf(spec);
  const sorted = sort.flatMap(({ column }) => {
    const key = metricOfField(column);
    return key === null ? [] : [{ kind, look, column: metricField(key) }];
  });
  // Parsed only if the filter may contain metrics; most searches have none.
  const query = spec.filter === '' ? null : parseSearch(spec.filter, kind);
  return query?.ok === true
    ? [...sorted, ...searchedMetrics(kind, query.value, searchLook(query.value, look))]
    : sorted;
}

/** A search may name the days of its metrics. */
export function searchLook(query: Query, look: MetricsLook): MetricsLook {
  const period = periodNamedIn(query);
  return period === null ? look : { ...look, period };
}

function searchedMetrics(kind: Kind, query: Query, look: MetricsLook): readonly WantedMetric[] {
  if (query.is === 'not') return searchedMetrics(kind, query.part, look);
  if (query.is === 'and' || query.is === 'or') return query.parts.flatMap((part) => searchedMetrics(kind, part, look));
  const own = searchedMetric(kind, query, look);
  return own === null ? [] : [own];
}

/** The metric of one condition; null if it has none. */
export function searchedMetric(kind: Kind, query: Query, look: MetricsLook): WantedMetric | null {
  if (query.is === 'metrics') return { kind, look: { ...look, period: customPeriod(query) }, column: HAS };
  if (query.is === 'signal') return { kind, look, column: query.what };
  if (query.is !== 'metric') return null;
  return { kind, look, column: metricField({ name: query.name, window: null, isChange: false }) };
}

export const asksForDays = (query: Query): boolean =>
  asksForMetrics(query) ||
  query.is === 'metrics' ||
  (query.is === 'not'
    ? asksForDays(query.part)
    : (query.is === 'and' || query.is === 'or') && query.parts.some(asksForDays));

interface Column {
  /**
   * Numbers that stand for this column in SQL. The last is the current one; new values get a new number, so that an
   * order made from them differs from an older one.
   */
  readonly numbers: readonly number[];
  readonly version: string;
  readonly values: Float64Array;
}

/** Columns of 200,000 rows take about 2 MB each. */
const KEPT = 40;

/** The columns of a connection, and its SQL function `row_metric(number, id)`: null for a row without. */
export type RowMetrics = ReturnType<typeof createRowMetrics>;

function createRowMetrics(db: Db) {
  const columns = new Map<string, Column>();
  let marks: readonly MarkedRows[] = [];
  let marksNumber = 0;
  db.define('row_marked', (code, id) =>
    Number(marks.some(({ rule, ids }) => tableOf(rule.kind).code === code && ids.has(Number(id)))),
  );
  const byNumber: (Float64Array | undefined)[] = [];
  db.define('row_metric', (number, id) => {
    const value = byNumber[Number(number)]?.[Number(id)] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  });
  return {
    has: (key: string, version: string): boolean => columns.get(key)?.version === version,
    keep: (key: string, version: string, values: Float64Array): void => {
      const numbers = [...(columns.get(key)?.numbers ?? []), byNumber.length];
      // Open views use the earlier numbers when rows are added or removed.
      for (const number of numbers) byNumber[number] = values;
      columns.delete(key);
      columns.set(key, { numbers, version, values });
      for (const [oldest, column] of columns) {
        if (columns.size <= KEPT) break;
        columns.delete(oldest);
        for (const number of column.numbers) byNumber[number] = undefined;
      }
    },
    numberOf: (wanted: WantedMetric): number | null => columns.get(metricKey(wanted))?.numbers.at(-1) ?? null,
    valuesOf: (wanted: WantedMetric): Float64Array | null => columns.get(metricKey(wanted))?.values ?? null,
    /** The rules with metrics whose rows are marked, for one kind. */
    marksOf: (kind: Kind): readonly MarkedRows[] => marks.filter(({ rule }) => rule.kind === kind),
    mark: (marked: readonly MarkedRows[]): void => {
      marks = marked;
      marksNumber++;
    },
    /**
     * SQL for whether a row of the kind is marked; null if none is. Its number changes with the marks, so that orders
     * made from other marks differ.
     */
    markedSql: (kind: Kind): string | null =>
      marks.some(({ rule }) => rule.kind === kind) ? `row_marked(${tableOf(kind).code}, k.id, ${marksNumber})` : null,
  };
}

const made = new WeakMap<Db, RowMetrics>();

/** The columns of a connection; each connection has its own. */
export function rowMetricsOf(db: Db): RowMetrics {
  const known = made.get(db) ?? createRowMetrics(db);
  made.set(db, known);
  return known;
}

/**
 * Sorts rows by metric, then by ID. Rows without the metric are last in both directions. Sorting in SQL takes several
 * times as long, because each comparison calls the function.
 *
 * @param ids ascending
 */
export function orderByMetric(ids: Int32Array, values: Float64Array, descending: boolean): Int32Array {
  const metricAt = (id: number): number => values[id] ?? Number.NaN;
  const known = ids.filter((id) => !Number.isNaN(metricAt(id)));
  const without = ids.filter((id) => Number.isNaN(metricAt(id)));
  const count = known.length;
  let most = 0;
  for (const id of known) most = Math.max(most, Math.abs(metricAt(id)), Number.isInteger(metricAt(id)) ? 0 : Infinity);
  const sorted = new Int32Array(count);
  if ((most + 1) * count <= Number.MAX_SAFE_INTEGER) {
    // Value and position are combined into one number, so that sorting needs no compare function.
    const keys = Float64Array.from(known, (id, place) => metricAt(id) * count + place).sort();
    for (let at = 0; at < count; at++) {
      const place = (keys[at] ?? 0) % count;
      sorted[at] = known[place < 0 ? place + count : place] ?? 0;
    }
  } else {
    sorted.set(known);
    sorted.sort((a, b) => metricAt(a) - metricAt(b) || a - b);
  }
  const order = new Int32Array(ids.length);
  order.set(descending ? sorted.reverse() : sorted);
  order.set(descending ? without.reverse() : without, count);
  return order;
}

/** A rule with metrics and the rows found by its last search. */
export interface MarkedRows {
  readonly rule: CustomRule;
  readonly ids: ReadonlySet<number>;
}

/**
 * The rules with metrics whose rows a connection marks, for one kind. The writer has them too, for the rows in its
 * patches.
 */
export const markedRowsOf = (db: Db, kind: Kind): readonly MarkedRows[] => rowMetricsOf(db).marksOf(kind);

/** Issues of the marked rules with metrics for these rows. */
export const metricIssues = (db: Db, kind: Kind, ids: readonly RowId[]): readonly Issue[] =>
  markedRowsOf(db, kind).flatMap(({ rule, ids: found }) => {
    const own = ids.filter((id) => found.has(id));
    return own.length === 0 ? [] : readRowsWithIds(db, kind, own).map((row) => userRuleIssue(rule, row as AnyRow));
  });

export const setMarkedRows = (db: Db, marked: readonly MarkedRows[]): void => rowMetricsOf(db).mark(marked);
