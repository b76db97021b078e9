import { setImmediate as yieldToQueue } from 'node:timers/promises';
import type { BulkScope } from '../../../shared/api/bulk.ts';
import type { GroupBy } from '../../../shared/api/choices.ts';
import type { MetricsQuery, ViewGroup, ViewTotal } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import { CAMPAIGN_STATES, STATUS_NAMES } from '../../../shared/lifecycle/states.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { totalOf } from '../../../shared/model/decimal.ts';
import { DELETED } from '../../../shared/model/row.ts';
import {
  metricField,
  metricFrom,
  metricOfField,
  type Summed,
  type Sums,
} from '../../../shared/reports/account-metrics.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import { tsvLines } from '../../../shared/spreadsheet/tsv.ts';
import type { BulkRows, NoView } from '../bulk/bulk-rows.ts';
import { asNumber, asTextOrNull, type Db, type DbValue, numberOf, readIds, rowIdOf, snapshot } from '../db/db.ts';
import { fromStored } from '../rows/codec.ts';
import { checkedRevision, currentRevision, type KindState, kindState } from '../rows/revision.ts';
import { readWindowRows } from '../rows/window-rows.ts';
import { type Column, columnOf, type Table, tableOf } from '../schema/tables.ts';
import { CAMPAIGN_PLACE, groupingSql, groupNames, type Outline, outlineOf } from './groups.ts';
import { lookOf, orderByMetric, type RowMetrics, rowMetricsOf, TOTALED } from './row-metrics.ts';
import { type Condition, type FilterProblem, filterSql, severitySql, stateSql } from './search-sql.ts';

/** Ranges of positions in a view; null for all rows. */
export type ViewRanges = readonly { readonly from: number; readonly count: number }[] | null;

const idsAt = (order: Int32Array, ranges: NonNullable<ViewRanges>): Int32Array =>
  ranges.map(({ from, count }) => order.subarray(from, from + count)).reduce(joined, new Int32Array(0));

/**
 * A view is a list of row IDs in order, made once. A window anywhere in a million rows is then a lookup of its IDs, and
 * rows don't jump while their sort column is edited. New rows are appended, deleted ones removed; the rest of the order
 * is kept until the view is opened again.
 */
interface View extends OrderedIds {
  readonly table: Table;
  readonly sql: string;
  readonly bind: readonly DbValue[];
  /** Whether it shows every row of its kind. */
  readonly isWhole: boolean;
  readonly group: GroupBy | null;
  outline?: Outline & { readonly at: number };
}

interface OrderedIds {
  order: Int32Array;
  /** Revision of the last change before the order was made. */
  readonly madeAt: number;
  /** Revision up to which added and deleted rows are applied. */
  membersAt: number;
  highestId: number;
}

const VIEWS_KEPT = 100;

export function createViews(db: Db) {
  const views = new Map<number, () => View>();
  const metrics = rowMetricsOf(db);
  const orders = createViewOrders(db, metrics);
  let lastId = 0;
  /** The view with added and deleted rows applied; undefined if it is not open. */
  const current = (viewId: number): View | undefined => {
    const view = views.get(viewId)?.();
    if (view !== undefined) refreshMembers(db, view, kindState(db, view.table));
    return view;
  };
  /** Runs `read` on the view; null if it is not open. */
  const inView = <T>(viewId: number, read: (view: View) => T): T | null => {
    const view = current(viewId);
    return view === undefined ? null : read(view);
  };
  /** The metrics columns that the totals include. */
  const totaled = (wish: MetricsQuery | null): readonly TotaledMetric[] => {
    if (wish === null) return [];
    const look = lookOf(wish);
    return TOTALED.flatMap((name) => {
      const values = metrics.valuesOf({
        kind: wish.kind,
        look,
        column: metricField({ name, window: null, isChange: false }),
      });
      return values === null ? [] : [{ name, values }];
    });
  };
  return {
    /** Opens a view with the rows at these positions, as far as they exist. */
    open: (spec: ViewSpec, from = 0, count = 0) => {
      const table = tableOf(spec.kind);
      const conditions = filterSql(table, spec, metrics);
      if (!conditions.ok) return conditions;
      const order = orderSql(table, spec, conditions.value, metrics);
      if (!order.ok) return order;
      const isWhole = conditions.value.length === 0;
      const { group = null } = spec;
      const viewOf = (found: OrderedIds): View => ({ table, ...order.value, isWhole, group, ...found });
      const make = (): View => {
        // The state is read first: a commit in between then makes the view stale once too often, never too rarely.
        const state = kindState(db, table);
        const madeAt = lastChange(db, order.value, state);
        const ids = orders.read(spec, conditions.value, order.value, state);
        return viewOf({ order: ids, madeAt, membersAt: state.changed, highestId: highest(ids) });
      };
      const viewId = ++lastId;
      const revision = currentRevision(db);
      const isKnown = orders.isKept(order.value, kindState(db, table));
      const first = isWhole && !isKnown && count > 0 ? firstRows(db, table, order.value.sql, from, count) : null;
      let made = first === null ? make() : null;
      views.set(viewId, () => {
        made ??= make();
        return made;
      });
      for (const id of views.keys()) if (views.size > VIEWS_KEPT) views.delete(id);
      if (first !== null) return ok({ viewId, revision, ...first });
      const ids = made?.order ?? new Int32Array(0);
      const rows = count === 0 ? [] : readWindowRows(db, table, Array.from(ids.subarray(from, from + count)));
      return ok({ viewId, length: ids.length, revision, rows });
    },
    /** Null if the view is not open, or was closed because too many others were opened since. */
    read: (viewId: number, from: number, count: number) => {
      const view = views.get(viewId)?.();
      if (view === undefined) return null;
      // All from one snapshot, so that the revision matches the rows.
      return snapshot(db, () => {
        const state = kindState(db, view.table);
        refreshMembers(db, view, state);
        const ids = Array.from(view.order.subarray(from, from + count));
        return {
          rows: readWindowRows(db, view.table, ids),
          length: view.order.length,
          revision: currentRevision(db),
          stale: lastChange(db, view, state) > view.madeAt,
        };
      });
    },
    /** The position of a row, null inside if it is not in the view; null if the view is not open. */
    place: (viewId: number, id: number) =>
      inView(viewId, ({ order }) => {
        const place = order.indexOf(id);
        return { place: place < 0 ? null : place };
      }),
    /** Rows as lines of text; null if the view is not open. */
    text: (viewId: number, from: number, count: number, wish: TextOptions) =>
      inView(viewId, ({ table, order }) => {
        const text = viewText(db, table, Array.from(order.subarray(from, from + count)), wish);
        return text.ok ? ok({ ...text.value, length: order.length }) : text;
      }),
    /** Totals of the columns; null if the view is not open. */
    totals: (viewId: number, wish: MetricsQuery | null = null, ranges: ViewRanges = null) =>
      inView(viewId, (view) => {
        const ids = ranges === null ? (view.isWhole ? null : view.order) : idsAt(view.order, ranges);
        return viewTotals(db, view, ids, totaled(wish));
      }),
    /**
     * Sums of metrics columns over the rows of a view that the next sync does not delete; null if it is not open.
     *
     * @param columns indexed by row ID; NaN for a row without metrics
     */
    metricSums: (viewId: number, ranges: ViewRanges, columns: readonly Float64Array[]) =>
      inView(viewId, ({ order, table }) => {
        const ids = ranges === null ? order : idsAt(order, ranges);
        return metricSums(ids, columns, deletedRows(db, table));
      }),
    /** The start positions of the view's groups; null if it is not open. */
    outline: (viewId: number) => inView(viewId, (view) => outlined(db, view)),
    /** Some of its groups with their totals; null if the view is not open. */
    groups: async (viewId: number, from: number, count: number, wish: MetricsQuery | null): Promise<Groups | null> => {
      const view = current(viewId);
      if (view === undefined) return null;
      const { from: starts, keys } = outlined(db, view);
      // The order at the time of the outline: another call may replace it while totals are awaited.
      const { order } = view;
      const wanted = Array.from(keys.subarray(from, from + count));
      const names = groupNames(db, view.group ?? 'campaign', wanted);
      const groups: ViewGroup[] = [];
      for (const [i, key] of wanted.entries()) {
        const start = starts[from + i] ?? 0;
        const end = starts[from + i + 1] ?? order.length;
        const ids = order.subarray(start, end);
        const totals = await viewTotals(db, view, ids, totaled(wish));
        const named = names.get(key) ?? { name: '', state: null, picture: null, campaignId: null };
        groups.push({ key, ...named, from: start, count: end - start, totals: [...totals] });
      }
      return { total: starts.length, groups };
    },
    /** Row IDs of a view in its order: those at these positions, or all. */
    rows: ({ viewId, ranges }: Extract<BulkScope, { viewId: number }>): Result<readonly BulkRows[], NoView> => {
      const view = current(viewId);
      if (view === undefined) return fail('NO_VIEW', { viewId });
      const { order, table } = view;
      const ids = ranges === null ? order : idsAt(order, ranges);
      return ok([{ kind: table.kind, ids }]);
    },
    close: (viewId: number) => {
      views.delete(viewId);
    },
  };
}

/** Sums in the order of the columns, null if no row has a value, and the number of rows with any. */
export interface MetricSums {
  readonly rows: number;
  readonly sums: readonly (number | null)[];
}

function metricSums(ids: Int32Array, columns: readonly Float64Array[], deleted: Uint8Array): MetricSums {
  const isThere = new Uint8Array(ids.length);
  // Column by column, so that each is read sequentially.
  const sums = columns.map((values) => {
    let sum: number | null = null;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      const value = values[id] ?? Number.NaN;
      if (Number.isNaN(value) || has(deleted, id)) continue;
      sum = (sum ?? 0) + value;
      isThere[at] = 1;
    }
    return sum;
  });
  let rows = 0;
  for (const is of isThere) rows += is;
  return { rows, sums };
}

/** The revision at which the data that a view's order depends on last changed. */
const lastChange = (db: Db, { sql }: Pick<View, 'sql'>, { changed }: KindState): number =>
  asksForIssues(sql) ? Math.max(changed, checkedRevision(db)) : changed;

export interface Groups {
  readonly total: number;
  readonly groups: ViewGroup[];
}

function outlined(db: Db, view: View): Outline {
  if (view.outline?.at !== view.membersAt) {
    view.outline = { at: view.membersAt, ...outlineOf(db, view.table, view.group ?? 'campaign', view.order) };
  }
  return view.outline;
}

/**
 * The first rows of an order of all rows, if an index has that order: they are available before all others are sorted.
 * Null if every row would have to be sorted; campaigns may be sorted by name.
 */
function firstRows(db: Db, table: Table, sql: string, from: number, count: number) {
  const limited = `${sql} LIMIT ?1 OFFSET ?2`;
  const plan = db.all(`EXPLAIN QUERY PLAN ${limited}`, count, from);
  const isSorted = plan.some(([, parent, , step]) => parent === 0 && String(step).includes('TEMP B-TREE'));
  if (from > FIRST_MAX || isSorted) return null;
  return snapshot(db, () => {
    const ids = db.all(limited, count, from).map(([id]) => asNumber(id));
    const length = numberOf(db, `SELECT count(*) FROM ${table.name}`);
    return { length, rows: readWindowRows(db, table, ids) };
  });
}
/** Rows before the offset are skipped one by one. */
const FIRST_MAX = 10_000;

function refreshMembers(db: Db, view: View, state: KindState): void {
  if (Math.max(state.shuffled, state.grown) <= view.membersAt) return;
  if (state.shuffled > view.membersAt) {
    const alive = bitmap(readIds(db, `SELECT id FROM ${view.table.name}`));
    const kept = view.order.filter((id) => has(alive, id));
    const known = bitmap(kept);
    const others = readIds(db, view.sql, ...view.bind).filter((id) => !has(known, id));
    view.order = joined(kept, others);
  } else {
    const sql = `SELECT id FROM (${view.sql}) WHERE id > ?`;
    view.order = joined(view.order, readIds(db, sql, ...view.bind, view.highestId));
  }
  view.membersAt = state.changed;
  view.highestId = Math.max(view.highestId, highest(view.order));
}

function joined(first: Int32Array, second: Int32Array): Int32Array {
  if (second.length === 0) return first;
  const all = new Int32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function highest(ids: Int32Array): number {
  let most = 0;
  for (const id of ids) if (id > most) most = id;
  return most;
}

/** One bit per row ID: a hundred times smaller than a Set, and equally fast. */
function bitmap(ids: Int32Array): Uint8Array {
  const bits = new Uint8Array((highest(ids) >> 3) + 1);
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  return bits;
}

const has = (bits: Uint8Array, id: number): boolean => ((bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;

interface SortTerm {
  /** SQL over `k`, and over its campaign `c` if that is joined. */
  readonly sql: string;
  readonly needsCampaign?: true;
  /** A further join that it needs. */
  readonly join?: string;
  /** True if the order does not depend on the sort direction. */
  readonly fixed?: true;
}

/** The statement that lists the IDs of a view in order. IDs break ties, so the order is always the same. */
function orderSql(
  table: Table,
  spec: Pick<ViewSpec, 'kind' | 'sort' | 'group' | 'look' | 'period'>,
  conditions: readonly Condition[],
  metrics: RowMetrics,
): Result<{ readonly sql: string; readonly bind: readonly DbValue[] }, FilterProblem> {
  const { sort, group } = spec;
  const terms: string[] = [];
  const joins = new Set<string>();
  let needsCampaign = false;
  let direction = '';
  // After a joined metric, sorting by the plain ID would make SQLite walk some index with random access to rows.
  let tie = 'k.id';
  // Groups are in name order, whatever the sort direction of their rows.
  const grouping = group === undefined ? null : groupingSql(table, group);
  if (grouping === null && group !== undefined) return err({ at: 0, problem: `Rows can't be grouped by ${group}.` });
  if (group === 'campaign' && sort.length === 0 && conditions.length === 0) {
    // Campaigns in name order, with the rows of each from their index: no row is sorted. The limit keeps SQLite from
    // dropping the campaigns' order, and the cross join from reading rows first.
    return ok({
      sql: `SELECT k.id AS id FROM (SELECT id FROM campaign ORDER BY natural(sort_key), id LIMIT -1) c
        CROSS JOIN ${table.name} k INDEXED BY ${table.name}_campaign ON k.campaign_id = c.id`,
      bind: [],
    });
  }
  for (const term of grouping?.order ?? []) terms.push(conditions.length > 0 ? `+${term}` : term);
  needsCampaign ||= grouping?.needsCampaign ?? false;
  if (grouping?.join !== undefined) joins.add(grouping.join);
  for (const { column, descending } of sort) {
    const found = sortTerms(table, column, spec, metrics);
    if (found === null) return err({ at: 0, problem: `There is no column "${column}" to sort by.` });
    // A metric that was not passed in does not sort anything, not even the IDs.
    if (found.length === 0) continue;
    direction = descending ? ' DESC' : '';
    // With conditions, walking an index in sort order is slow; the plus sign prevents it.
    const plus = conditions.length > 0 ? '+' : '';
    for (const term of found) {
      terms.push(`${plus}${term.sql}${term.fixed ? '' : direction}`);
      needsCampaign ||= term.needsCampaign === true;
      if (term.join !== undefined) {
        joins.add(term.join);
        tie = '+k.id';
      }
    }
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`;
  if (needsCampaign) joins.add('LEFT JOIN campaign c ON c.id = k.campaign_id');
  return ok({
    sql: `SELECT k.id AS id FROM ${table.name} k ${[...joins].join(' ')} ${where} ORDER BY ${[...terms, `${tie}${direction}`].join(', ')}`,
    bind: conditions.flatMap((condition) => condition.bind),
  });
}

function sortTerms(
  table: Table,
  name: string,
  spec: Pick<ViewSpec, 'kind' | 'look' | 'period'>,
  metrics: RowMetrics,
): readonly SortTerm[] | null {
  const metric = metricOfField(name);
  if (metric !== null) {
    return metricTerms(metrics.numberOf({ kind: spec.kind, look: lookOf(spec), column: metricField(metric) }));
  }
  switch (name) {
    case 'path':
    case 'campaignName':
      return [CAMPAIGN_PLACE, ...(table.parent === 'adGroup' ? [{ sql: 'k.ad_group_id' }] : [])];
    case 'rowState': {
      const state = stateSql(table);
      return state === null ? null : [{ sql: state, needsCampaign: true }];
    }
    case 'id':
      return [{ sql: 'k.id' }];
    case 'remoteId':
      return [{ sql: 'length(k.remote_id)' }, { sql: 'k.remote_id' }];
    case 'dirty':
      return [{ sql: '(k.dirty <> 0)' }];
    case 'severity':
      return [{ sql: severitySql(table, metrics.markedSql(spec.kind)) }];
  }
  const column = columnOf(table, name);
  if (column === undefined) return null;
  if (column === table.keyColumn) return [{ sql: isLong(table) ? 'k.sort_key' : 'natural(k.sort_key)' }];
  const isProse = column.spec.type.is === 'text' && !/(id|sha256)$/iu.test(column.field);
  return [{ sql: isProse ? `fold(k.${column.sql})` : `k.${column.sql}` }];
}

/**
 * Whether text is sorted by the index, without natural order of numbers: 20 ms for 200,000 keywords instead of a
 * second. Users number campaigns, ad groups and files, of which there are far fewer.
 */
const isLong = ({ kind }: Table): boolean => kind === 'keyword' || kind === 'adItem';

/** Rows without the metric are last, whatever the sort direction. */
function metricTerms(number: number | null): readonly SortTerm[] {
  if (number === null) return [];
  const sql = `row_metric(${number}, k.id)`;
  return [{ sql: `(${sql} IS NULL)`, fixed: true }, { sql }];
}

/** Slice sizes: a span of a table's IDs, or a number of IDs. Each takes about 10 ms. */
const SPAN = 100_000;
const IDS = 10_000;

/**
 * Totals of a view's columns, calculated in slices so that other calls can run. A commit in between triggers an event,
 * and windows ask again.
 *
 * @param ids the rows of the view; null if it shows every row of its kind
 */
async function viewTotals(
  db: Db,
  { table, highestId }: Pick<View, 'table' | 'highestId'>,
  ids: Int32Array | null,
  totaled: readonly TotaledMetric[],
): Promise<readonly ViewTotal[]> {
  const columns = table.columns.flatMap(({ field, sql }) => {
    const of = totalOf(table.kind, field);
    return of === null ? [] : [{ field, value: `k.${sql}`, of, count: 0, sum: 0 }];
  });
  if (columns.length + totaled.length === 0) return [];
  const amounts = columns.map(({ value }) => `count(${value}), total(${value})`).join(', ');
  const select = `SELECT ${amounts || '0'} FROM ${table.name} k WHERE k.dirty & ${DELETED} = 0 AND`;
  const add = (where: string, ...bind: readonly DbValue[]): void => {
    const row = db.get(`${select} ${where}`, ...bind) ?? [];
    for (const [i, column] of columns.entries()) {
      column.count += asNumber(row[2 * i]);
      column.sum += asNumber(row[2 * i + 1]);
    }
  };
  if (ids === null) {
    for (let from = 0; from <= highestId; from += SPAN) {
      add('k.id BETWEEN ? AND ?', from, from + SPAN - 1);
      await yieldToQueue();
    }
  } else {
    for (let from = 0; from < ids.length; from += IDS) {
      add('k.id IN (SELECT value FROM json_each(?))', `[${ids.subarray(from, from + IDS).join(',')}]`);
      await yieldToQueue();
    }
  }
  const totals: ViewTotal[] = columns.map(({ field, of, count, sum }) => ({
    field,
    of,
    count,
    value: amountOf(of, count, sum),
  }));
  if (totaled.length === 0) return totals;
  const rows = ids ?? readIds(db, `SELECT id FROM ${table.name}`);
  return [...totals, ...metricTotals(rows, totaled, deletedRows(db, table))];
}

/** Sums of metrics and their ROAS. Rows that are in no report are left out. */
function metricTotals(ids: Int32Array, totaled: readonly TotaledMetric[], deleted: Uint8Array): readonly ViewTotal[] {
  const { rows, sums } = metricSums(
    ids,
    totaled.map(({ values }) => values),
    deleted,
  );
  const byName: Sums = Object.fromEntries(totaled.map(({ name }, at) => [name, sums[at] ?? undefined]));
  const fieldOf = (name: Summed | 'roas'): string => metricField({ name, window: null, isChange: false });
  const own = totaled.map(
    ({ name }): ViewTotal => ({ field: fieldOf(name), of: 'sum', count: rows, value: byName[name] ?? null }),
  );
  // ROAS is calculated from the sums: an average of ratios would give a row of ten cents the weight of one of a
  // thousand dollars.
  return [...own, { field: fieldOf('roas'), of: 'ratio', count: rows, value: metricFrom('roas', byName) }];
}

const deletedRows = (db: Db, table: Table): Uint8Array =>
  bitmap(readIds(db, `SELECT id FROM ${table.name} WHERE dirty & ${DELETED} <> 0`));

/** A metric to sum, indexed by row ID. */
interface TotaledMetric {
  readonly name: Summed;
  readonly values: Float64Array;
}

/** Averages are rounded to whole cents, like those of a selection and of a tool's preview. */
function amountOf(of: 'sum' | 'average', count: number, sum: number): number | null {
  if (count === 0) return null;
  return of === 'sum' ? sum : Math.round(sum / count);
}

/** Whether a check may change the order. */
const asksForIssues = (sql: string): boolean => sql.includes('k.issues');

interface OrderSql {
  readonly sql: string;
  readonly bind: readonly DbValue[];
}

/** Number of cached orders. Each takes four bytes a row: at a million rows, 32 MB in all. */
const ORDERS_KEPT = 8;

/**
 * Makes the orders of views and caches the last few, so that returning to a recent sort is free while its rows and the
 * campaign names are unchanged. Orders are never modified, so views may share one.
 */
function createViewOrders(db: Db, metrics: RowMetrics) {
  const kept = new Map<string, { readonly at: string; readonly ids: Int32Array }>();
  const made = (spec: ViewSpec, conditions: readonly Condition[], { sql, bind }: OrderSql): Int32Array => {
    const table = tableOf(spec.kind);
    const descending = spec.sort[0]?.descending === true;
    const column = choiceSorted(table, spec, conditions);
    if (column !== null) return choiceOrder(db, table, column, descending);
    const values = metricSorted(spec);
    const byId = values === null ? null : orderSql(table, { ...spec, sort: [] }, conditions, metrics);
    if (values === null || byId?.ok !== true) return readIds(db, sql, ...bind);
    return orderByMetric(readIds(db, byId.value.sql, ...byId.value.bind), values, descending);
  };
  /** The numbers of a view that is sorted by one metric only, or null. */
  const metricSorted = (spec: ViewSpec): Float64Array | null => {
    const [only, second] = spec.sort;
    const metric = only === undefined || second !== undefined ? null : metricOfField(only.column);
    if (metric === null || spec.group !== undefined) return null;
    return metrics.valuesOf({ kind: spec.kind, look: lookOf(spec), column: metricField(metric) });
  };
  const keyOf = ({ sql, bind }: OrderSql): string => `${sql} ${JSON.stringify(bind)}`;
  const stateOf = ({ sql }: OrderSql, state: KindState): string => {
    const checked = asksForIssues(sql) ? checkedRevision(db) : 0;
    return `${state.changed}/${kindState(db, tableOf('campaign')).changed}/${checked}`;
  };
  return {
    isKept: (order: OrderSql, state: KindState): boolean => kept.get(keyOf(order))?.at === stateOf(order, state),
    read: (spec: ViewSpec, conditions: readonly Condition[], order: OrderSql, state: KindState): Int32Array => {
      // Sends and labels change without a revision of the rows.
      if (order.sql.includes('outbox_op') || order.sql.includes('row_label')) return made(spec, conditions, order);
      const key = keyOf(order);
      const at = stateOf(order, state);
      const known = kept.get(key);
      kept.delete(key);
      const fresh = known?.at === at ? known : { at, ids: made(spec, conditions, order) };
      kept.set(key, fresh);
      for (const oldest of kept.keys()) if (kept.size > ORDERS_KEPT) kept.delete(oldest);
      return fresh.ids;
    },
  };
}

/** The position of unknown words, after all choices. */
const UNKNOWN = 254;

/**
 * The column, if a whole table is sorted by one choice column only; else null. Such a column has few different values
 * and no index; SQLite sorts a million of them four times slower than they are counted here.
 */
function choiceSorted(table: Table, spec: ViewSpec, conditions: readonly Condition[]): Column | null {
  const [only, second] = spec.sort;
  if (only === undefined || second !== undefined || conditions.length > 0 || spec.group !== undefined) return null;
  const column = columnOf(table, only.column);
  return column?.spec.type.is === 'choice' ? column : null;
}

/**
 * IDs in the order of the column, empty cells first, then by ID; reversed for `descending`. Words that this version
 * does not know are after the others, by ID.
 */
function choiceOrder(db: Db, table: Table, column: Column, descending: boolean): Int32Array {
  // Both from one snapshot: otherwise a commit in between would assign cells to the wrong rows.
  const [ids, codes] = snapshot(db, () => [
    readIds(db, `SELECT id FROM ${table.name} ORDER BY id`),
    readIds(
      db,
      `SELECT iif(typeof(${column.sql}) = 'text', ${UNKNOWN}, coalesce(${column.sql} + 1, 0)) AS id FROM ${table.name} k ORDER BY k.id`,
    ),
  ]);
  const starts = new Int32Array(UNKNOWN + 2);
  for (const code of codes) starts[code + 1] = (starts[code + 1] ?? 0) + 1;
  for (let code = 1; code < starts.length; code++) starts[code] = (starts[code] ?? 0) + (starts[code - 1] ?? 0);
  const order = new Int32Array(ids.length);
  for (let at = 0; at < ids.length; at++) {
    const code = codes[at] ?? 0;
    const place = starts[code] ?? 0;
    starts[code] = place + 1;
    order[place] = ids[at] ?? 0;
  }
  return descending ? order.reverse() : order;
}

/**
 * Options for rows as clipboard text: fields of the kind in any order, `path` for the campaign's name, `rowState` for
 * the status, an empty text for an empty column.
 */
export interface TextOptions {
  readonly columns: readonly string[];
  readonly withIds: boolean;
  /** The decimal separator in amounts. */
  readonly decimal: string;
}

/** Lines of the rows with these IDs, in this order; deleted rows are left out. */
function viewText(db: Db, table: Table, ids: readonly number[], { columns, decimal, withIds }: TextOptions) {
  const { kind, name } = table;
  const hasCampaign = kind !== 'campaign' && kind !== 'media';
  const state = stateSql(table);
  const found = columns.map((column) => {
    if (column === '') return 'empty';
    if (column === 'path' && hasCampaign) return 'path';
    return column === 'rowState' && state !== null ? 'rowState' : columnOf(table, column);
  });
  const missing = found.indexOf(undefined);
  if (missing >= 0) {
    return fail('BAD_FILTER', { at: 0, problem: `There is no column ${columns[missing]}.` });
  }
  const wanted = found.filter((column) => column !== undefined);
  const sqlOf = (column: (typeof wanted)[number]): string => {
    if (column === 'empty') return 'NULL';
    if (column === 'path') return 'c.name';
    return column === 'rowState' ? (state ?? 'NULL') : `k.${column.sql}`;
  };
  const selected = ['k.id', 'k.remote_id', ...wanted.map(sqlOf)].join(', ');
  const isJoined = wanted.some((column) => column === 'path' || column === 'rowState');
  const join = isJoined ? 'LEFT JOIN campaign c ON c.id = k.campaign_id' : '';
  const rows = db.all(
    `SELECT ${selected} FROM json_each(?) j CROSS JOIN ${name} k ON k.id = j.value ${join} ORDER BY j.key`,
    JSON.stringify(ids),
  );
  const texts = rows.map(([, , ...row]) =>
    wanted.map((column, at) => {
      if (column === 'empty') return '';
      if (column === 'path') return String(row[at] ?? '');
      if (column === 'rowState') return STATUS_NAMES[CAMPAIGN_STATES[asNumber(row[at])] ?? 'draft'];
      return formatCell(kind, column.field, fromStored(column.spec, row[at]), decimal);
    }),
  );
  const shown = withIds ? rows.map(([id, remoteId]) => ({ id: rowIdOf(id), remoteId: asTextOrNull(remoteId) })) : [];
  return ok({ lines: tsvLines(texts), rows: rows.length, ids: shown });
}
