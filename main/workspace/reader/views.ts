import type { BulkScope } from '../../../shared/contract/bulk.ts';
import type { ViewGroup, ViewTotal } from '../../../shared/contract/views.ts';
import type { ViewSpec, WindowRow } from '../../../shared/contract/workspace.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { BulkRows, NoView } from '../bulk/bulk-rows.ts';
import type { Db, DbValue } from '../db/db.ts';
import { readIds } from '../db/read-ids.ts';
import { checkedRevision, currentRevision, type KindState, kindState } from '../rows/revision.ts';
import { type Table, tableOf } from '../schema/tables.ts';
import { type FilterProblem, filterSql } from './filter-sql.ts';
import { orderSql } from './order-sql.ts';
import { asksForFindings, createViewOrders } from './orders.ts';
import { createRowFigures, figureKey, type RowFigures } from './row-figures.ts';
import { type CampaignRuns, campaignRuns, namedRuns } from './view-groups.ts';
import { type NoColumn, type TextWish, type ViewText, viewText } from './view-text.ts';
import { viewTotals } from './view-totals.ts';
import { readWindowRows } from './window-rows.ts';

/** A view that was just opened, with the rows that were asked for together with it. */
export interface OpenedView {
  readonly viewId: number;
  readonly length: number;
  readonly revision: number;
  readonly rows: WindowRow[];
}

/**
 * A view is an order of row ids, made once and kept: a window anywhere in a million rows is then a look-up of its
 * ids, and rows do not jump while the column they are sorted by is edited. New rows are appended, rows that are
 * gone leave; the rest of the order stays until the view is opened anew.
 */
interface View {
  readonly table: Table;
  readonly sql: string;
  readonly bind: readonly DbValue[];
  /** It shows every row of its kind. */
  readonly isWhole: boolean;
  order: Int32Array;
  /** Revision of the last change that the order was made from. */
  readonly madeAt: number;
  /** Revision up to which rows that came and went are in the order. */
  membersAt: number;
  highestId: number;
  runs?: CampaignRuns & { readonly at: number };
}

export interface Window {
  readonly rows: WindowRow[];
  readonly length: number;
  readonly revision: number;
  readonly stale: boolean;
}

export interface Views {
  /** With the rows at these positions of it, as far as there are any. */
  open(spec: ViewSpec, from?: number, count?: number): Result<OpenedView, FilterProblem>;
  /** Null when the view is not open, or was closed because too many others were opened since. */
  read(viewId: number, from: number, count: number): Window | null;
  /** Where a row stands, null in it when it does not; null when the view is not open. */
  place(viewId: number, id: number): { readonly place: number | null } | null;
  /** Rows as lines of text; null when the view is not open. */
  text(viewId: number, from: number, count: number, wish: TextWish): Result<ViewText, NoColumn> | null;
  /** What its columns come to; null when the view is not open. */
  totals(viewId: number): Promise<readonly ViewTotal[]> | null;
  /** Runs of rows of one campaign in the order of the view. */
  groups(viewId: number, from: number, count: number): { total: number; groups: ViewGroup[] } | null;
  /** The rows at these positions of a view, or all of it, as ids in its order. */
  rows(scope: Extract<BulkScope, { viewId: number }>): Result<readonly BulkRows[], NoView>;
  close(viewId: number): void;
}

const VIEWS_KEPT = 100;

export function createViews(db: Db, figures: RowFigures = createRowFigures(db)): Views {
  const views = new Map<number, View>();
  const orders = createViewOrders(db);
  let lastId = 0;
  return {
    open: (spec, from = 0, count = 0) => {
      const table = tableOf(spec.kind);
      const conditions = filterSql(table, spec);
      if (!conditions.ok) return conditions;
      const order = orderSql(table, spec.sort, conditions.value, spec.group, (figure) =>
        figures.sourceOf(figureKey(spec, figure)),
      );
      if (!order.ok) return order;
      // The state is read first: a commit in between makes the view stale once too often, never once too rarely.
      const state = kindState(db, table);
      const madeAt = lastChange(db, order.value, state);
      const ids = orders.read(spec, conditions.value, order.value, state);
      const isWhole = conditions.value.length === 0;
      const view = { table, ...order.value, isWhole, order: ids, madeAt, membersAt: state.changed };
      const viewId = ++lastId;
      views.set(viewId, { ...view, highestId: highest(ids) });
      for (const id of views.keys()) if (views.size > VIEWS_KEPT) views.delete(id);
      const rows = count === 0 ? [] : readWindowRows(db, table, Array.from(ids.subarray(from, from + count)));
      return ok({ viewId, length: ids.length, revision: currentRevision(db), rows });
    },
    read: (viewId, from, count) => {
      const view = views.get(viewId);
      if (view === undefined) return null;
      const state = kindState(db, view.table);
      refreshMembers(db, view, state);
      const ids = Array.from(view.order.subarray(from, from + count));
      return {
        rows: readWindowRows(db, view.table, ids),
        length: view.order.length,
        revision: currentRevision(db),
        stale: lastChange(db, view, state) > view.madeAt,
      };
    },
    place: (viewId, id) => {
      const view = views.get(viewId);
      if (view === undefined) return null;
      refreshMembers(db, view, kindState(db, view.table));
      const place = view.order.indexOf(id);
      return { place: place < 0 ? null : place };
    },
    text: (viewId, from, count, wish) => {
      const view = views.get(viewId);
      if (view === undefined) return null;
      refreshMembers(db, view, kindState(db, view.table));
      const text = viewText(db, view.table, Array.from(view.order.subarray(from, from + count)), wish);
      return text.ok ? ok({ ...text.value, length: view.order.length }) : text;
    },
    totals: (viewId) => {
      const view = views.get(viewId);
      if (view === undefined) return null;
      refreshMembers(db, view, kindState(db, view.table));
      return viewTotals(db, view.table, view.isWhole ? null : view.order, view.highestId);
    },
    groups: (viewId, from, count) => {
      const view = views.get(viewId);
      if (view === undefined) return null;
      refreshMembers(db, view, kindState(db, view.table));
      if (view.runs?.at !== view.membersAt) {
        view.runs = { at: view.membersAt, ...campaignRuns(db, view.table, view.order) };
      }
      return { total: view.runs.from.length, groups: namedRuns(db, view.runs, view.order.length, from, count) };
    },
    rows: ({ viewId, ranges }) => {
      const view = views.get(viewId);
      if (view === undefined) return fail('NO_VIEW', { viewId });
      refreshMembers(db, view, kindState(db, view.table));
      const { order, table } = view;
      const ids =
        ranges === null
          ? order
          : ranges.map(({ from, count }) => order.subarray(from, from + count)).reduce(joined, new Int32Array(0));
      return ok([{ kind: table.kind, ids }]);
    },
    close: (viewId) => {
      views.delete(viewId);
    },
  };
}

/** When what the order of a view depends on last changed. */
const lastChange = (db: Db, { sql }: Pick<View, 'sql'>, { changed }: KindState): number =>
  asksForFindings(sql) ? Math.max(changed, checkedRevision(db)) : changed;

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

/** One bit per row id: a hundred times smaller than a Set, and as fast to ask. */
function bitmap(ids: Int32Array): Uint8Array {
  const bits = new Uint8Array((highest(ids) >> 3) + 1);
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  return bits;
}

const has = (bits: Uint8Array, id: number): boolean => ((bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
