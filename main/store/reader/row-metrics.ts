import type { MetricsLook } from '../../../shared/api/metrics.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { FIRST_WINDOW, metricField, metricOfField } from '../../../shared/reports/account-metrics.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import { customPeriod, FIRST_COMPARISON, FIRST_PERIOD } from '../../../shared/reports/period.ts';
import { type CustomRule, ruleFilter, userFinding } from '../../../shared/rules/custom-rules.ts';
import type { Finding } from '../../../shared/rules/rule.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { asksForMetrics, periodNamedIn, type Query } from '../../../shared/search/query.ts';
import type { Db } from '../db/db.ts';
import { readRowsWithIds } from '../rows/read-rows.ts';
import { tableOf } from '../schema/tables.ts';

/**
 * Metrics that rows are sorted, searched and added up by. They are kept in a file of their own, which another thread reads; what
 * a view needs of them is handed over as one number for every row, by its id. NaN stands for a row without.
 */
export interface WantedMetric {
  readonly kind: Kind;
  readonly look: MetricsLook;
  /** A column of a grid, a signal of a search, or `has`: whether there is anything about the row. */
  readonly column: string;
}

/** One number for every row by its id, NaN for a row without. */
export interface MetricColumn {
  readonly wanted: WantedMetric;
  readonly values: Float64Array;
}

const HAS = 'has';

/** The metrics that are added up below the rows; ROAS is made of two of them. */
export const TOTALED = ['clicks', 'spend', 'orders', 'sales'] as const;

/** What a column is kept under. It says nothing of the day: what it stands for has a version. */
export const metricKey = ({ kind, look, column }: WantedMetric): string =>
  [kind, look.period, look.comparison, look.window, look.settledOnly, column].join(' ');

/** How the metrics of a view are looked at. Views that were saved before there was a choice have a period alone. */
export const lookOf = ({ look, period }: Pick<ViewSpec, 'look' | 'period'>): MetricsLook =>
  look ?? { period: period ?? FIRST_PERIOD, comparison: FIRST_COMPARISON, window: FIRST_WINDOW, settledOnly: false };

/** The rows of a rule that the user wrote; their metrics are looked at alike, whatever the window shows. */
export const viewOfRule = (rule: Pick<CustomRule, 'kind' | 'query'>): ViewSpec => ({
  kind: rule.kind,
  filter: ruleFilter(rule),
  sort: [],
  campaignId: null,
  only: 'all',
});

/** Everything of metrics that a view is sorted or searched by. */
export function wantedMetrics(spec: ViewSpec): readonly WantedMetric[] {
  const { kind, sort } = spec;
  if (!isReported(kind)) return [];
  const look = lookOf(spec);
  const sorted = sort.flatMap(({ column }) => {
    const key = metricOfField(column);
    return key === null ? [] : [{ kind, look, column: metricField(key) }];
  });
  // Most searches ask for none, and need not be read for it.
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

/** What one condition asks for; null for one about something else. */
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
  /** The last one stands for it in SQL: another one for other values, so that an order made of them is told from an older one. */
  readonly numbers: readonly number[];
  readonly version: string;
  readonly values: Float64Array;
}

/** Columns of 200,000 rows take some 2 MB each. */
const KEPT = 40;

/** The columns that a connection has, and in its SQL `row_metric(number, id)`: null for a row without. */
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
      // Views that are open ask for the earlier ones when rows come and go.
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
    /** The rules with metrics whose rows are marked, of one kind. */
    marksOf: (kind: Kind): readonly MarkedRows[] => marks.filter(({ rule }) => rule.kind === kind),
    mark: (marked: readonly MarkedRows[]): void => {
      marks = marked;
      marksNumber++;
    },
    /** SQL for whether a row of the kind is marked; null where none is. Its number tells an order made of other marks. */
    markedSql: (kind: Kind): string | null =>
      marks.some(({ rule }) => rule.kind === kind) ? `row_marked(${tableOf(kind).code}, k.id, ${marksNumber})` : null,
  };
}

const made = new WeakMap<Db, RowMetrics>();

/** Those of a connection; each has its own. */
export function rowMetricsOf(db: Db): RowMetrics {
  const known = made.get(db) ?? createRowMetrics(db);
  made.set(db, known);
  return known;
}

/**
 * Rows in the order of their metric, by ID where it is the same; those without it are last, whichever way the others are sorted.
 * Comparing numbers in SQL takes several times as long, since each of them is asked for by a call.
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
    // Value and place as one number: those are sorted without a call for each pair.
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

/** A rule with metrics, and the rows that it found when it was searched last. */
export interface MarkedRows {
  readonly rule: CustomRule;
  readonly ids: ReadonlySet<number>;
}

/** The rules with metrics whose rows a connection marks, of one kind. The writer has them too, for the rows of its patches. */
export const markedRowsOf = (db: Db, kind: Kind): readonly MarkedRows[] => rowMetricsOf(db).marksOf(kind);

/** What the marked rules with metrics say about these rows. */
export const metricFindings = (db: Db, kind: Kind, ids: readonly RowId[]): readonly Finding[] =>
  markedRowsOf(db, kind).flatMap(({ rule, ids: found }) => {
    const own = ids.filter((id) => found.has(id));
    return own.length === 0 ? [] : readRowsWithIds(db, kind, own).map((row) => userFinding(rule, row as AnyRow));
  });

export const setMarkedRows = (db: Db, marked: readonly MarkedRows[]): void => rowMetricsOf(db).mark(marked);
