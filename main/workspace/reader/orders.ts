import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import type { Db, DbValue } from '../db/db.ts';
import { readIds } from '../db/read-ids.ts';
import { checkedRevision, type KindState, kindState } from '../rows/revision.ts';
import { tableOf } from '../schema/tables.ts';
import { choiceOrder, choiceSorted } from './choice-order.ts';
import type { Condition } from './search-sql.ts';

/** Whether an order may be another one after a check. */
export const asksForFindings = (sql: string): boolean => sql.includes('k.issues');

interface OrderSql {
  readonly sql: string;
  readonly bind: readonly DbValue[];
}

/**
 * Makes the orders of views, and remembers the last few: going back to a sort that was looked at a moment ago costs
 * nothing while its rows, and the names of campaigns, are as they were. Orders are never written to, so that views
 * may share one.
 */
export interface ViewOrders {
  read(spec: ViewSpec, conditions: readonly Condition[], order: OrderSql, state: KindState): Int32Array;
}

/** Four bytes a row each: at a million rows, 32 MB. */
const ORDERS_KEPT = 8;

export function createViewOrders(db: Db): ViewOrders {
  const kept = new Map<string, { readonly at: string; readonly ids: Int32Array }>();
  const made = (spec: ViewSpec, conditions: readonly Condition[], { sql, bind }: OrderSql): Int32Array => {
    const column = choiceSorted(tableOf(spec.kind), spec, conditions);
    if (column === null) return readIds(db, sql, ...bind);
    return choiceOrder(db, tableOf(spec.kind), column, spec.sort[0]?.descending === true);
  };
  return {
    read: (spec, conditions, order, state) => {
      // What is being sent changes without a revision of the rows.
      if (order.sql.includes('outbox_op')) return made(spec, conditions, order);
      const key = `${order.sql} ${JSON.stringify(order.bind)}`;
      const checked = asksForFindings(order.sql) ? checkedRevision(db) : 0;
      const at = `${state.changed}/${kindState(db, tableOf('campaign')).changed}/${checked}`;
      const known = kept.get(key);
      kept.delete(key);
      const fresh = known?.at === at ? known : { at, ids: made(spec, conditions, order) };
      kept.set(key, fresh);
      for (const oldest of kept.keys()) if (kept.size > ORDERS_KEPT) kept.delete(oldest);
      return fresh.ids;
    },
  };
}
