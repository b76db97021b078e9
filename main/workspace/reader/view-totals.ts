import type { ViewTotal } from '../../../shared/contract/views.ts';
import { totalOf } from '../../../shared/model/decimal.ts';
import { DELETED } from '../../../shared/model/row.ts';
import { asNumber, type Db, type DbValue } from '../db/db.ts';
import type { Table } from '../schema/tables.ts';
import { yieldToQueue } from './let-others-pass.ts';

/** Rows of a table by their ids, or as many ids in a row: either takes some 10 ms. */
const SPAN = 100_000;
const IDS = 10_000;

/**
 * What the columns of a view come to, slice by slice, so that windows are answered meanwhile. A commit in between is
 * followed by an event and then by another question.
 *
 * @param ids the rows of the view; null when it shows every row of its kind
 */
export async function viewTotals(
  db: Db,
  table: Table,
  ids: Int32Array | null,
  highestId: number,
): Promise<readonly ViewTotal[]> {
  const columns = table.columns.flatMap(({ field, sql }) => {
    const of = totalOf(table.kind, field);
    return of === null ? [] : [{ field, sql, of, count: 0, sum: 0 }];
  });
  if (columns.length === 0) return [];
  const amounts = columns.map(({ sql }) => `count(k.${sql}), total(k.${sql})`).join(', ');
  const select = `SELECT ${amounts} FROM ${table.name} k WHERE k.dirty & ${DELETED} = 0 AND`;
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
  return columns.map(({ field, of, count, sum }) => ({ field, of, count, value: amountOf(of, count, sum) }));
}

/** Averages are cut to whole cents, as those of a selection are. */
function amountOf(of: ViewTotal['of'], count: number, sum: number): number | null {
  if (of === 'sum') return sum;
  return count === 0 ? null : Math.floor(sum / count);
}
