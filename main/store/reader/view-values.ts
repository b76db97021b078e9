import { setImmediate as yieldToQueue } from 'node:timers/promises';
import { VALUES_MAX } from '../../../shared/api/limits.ts';
import type { ColumnValues } from '../../../shared/api/views.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { textKey } from '../../../shared/model/text.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { asNumber, containsWords, type Db, type DbValue, numberOf, wordsIn } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { fromStored } from '../rows/codec.ts';
import { checkedRevision, kindState } from '../rows/revision.ts';
import { type Column, columnOf, type Table, tableOf } from '../schema/tables.ts';
import { rowMetricsOf } from './row-metrics.ts';
import { type Condition, type FilterProblem, filterSql, textOf } from './search-sql.ts';

/** How many counts are cached; each is valid until its rows, checks or sends change. */
const SIZES_KEPT = 200;

/** Counts the rows of views without sorting them. Yields to other calls in between. */
export function createViewSizes(db: Db): (views: readonly ViewSpec[]) => Promise<(number | null)[]> {
  const kept = new Map<string, { readonly at: string; readonly size: number }>();
  const sizeOf = (spec: ViewSpec): number | null => {
    const table = tableOf(spec.kind);
    const conditions = filterSql(table, spec, rowMetricsOf(db));
    if (!conditions.ok) return null;
    const { sql, bind } = selectSql(table, conditions.value, 'count(*)');
    const key = `${sql} ${JSON.stringify(bind)}`;
    const live = db.get(`SELECT count(*), total(id), total(length(state)) FROM outbox_op WHERE ${LIVE}`) ?? [];
    const states = [table, tableOf('campaign')].map((each) => kindState(db, each).changed);
    const at = [...states, checkedRevision(db), ...live].join('/');
    const known = kept.get(key);
    kept.delete(key);
    const size = known?.at === at ? known.size : numberOf(db, sql, ...bind);
    kept.set(key, { at, size });
    for (const oldest of kept.keys()) if (kept.size > SIZES_KEPT) kept.delete(oldest);
    return size;
  };
  return async (views) => {
    const sizes: (number | null)[] = [];
    for (const view of views) {
      sizes.push(sizeOf(view));
      await yieldToQueue();
    }
    return sizes;
  };
}

/**
 * The values of a column in the rows of a view, the most frequent first. Texts that differ only in case are one value.
 */
export function readColumnValues(
  db: Db,
  spec: ViewSpec,
  field: string,
  words: string,
): Result<ColumnValues, FilterProblem> {
  const table = tableOf(spec.kind);
  const conditions = filterSql(table, spec, rowMetricsOf(db));
  if (!conditions.ok) return conditions;
  const column = field === 'path' ? 'path' : columnOf(table, field);
  if (column === undefined) return err({ at: 0, problem: `There is no column "${field}".` });
  const isText = column === 'path' || column.spec.type.is === 'text';
  const key = column === 'path' ? 'c.sort_key' : isText ? textOf(table, column) : `k.${column.sql}`;
  const searched = isText ? [containsWords(key, words)] : [];
  const shown = column === 'path' ? 'min(c.name)' : isText ? `min(k.${column.sql})` : key;
  const { sql, bind } = selectSql(table, [...conditions.value, ...searched], `${key} AS sorted, ${shown} AS value`);
  const grouped = `${sql.replace(' AS value', ' AS value, count(*) AS n')} GROUP BY 1`;
  // Other types have few values, and their displayed words are unknown to SQL.
  const atMost = isText ? `LIMIT ${VALUES_MAX}` : '';
  const rows = db.all(
    `SELECT value, n, count(*) OVER (), sum(n) OVER () FROM (${grouped}) ORDER BY n DESC, sorted ${atMost}`,
    ...bind,
  );
  const found = rows.map(([value, n]) => ({ value: cellOf(column, value), count: asNumber(n) }));
  const [, , total = 0, all = 0] = rows[0] ?? [];
  if (isText) return ok({ total: asNumber(total), rows: asNumber(all), values: found });
  const wanted = wordsIn(textKey(words));
  const matching =
    wanted.length === 0
      ? found
      : found.filter(({ value }) => {
          const text = textKey(formatCell(spec.kind, column.field, value));
          return wanted.every((word) => text.includes(word));
        });
  const sum = matching.reduce((many, { count }) => many + count, 0);
  return ok({ total: matching.length, rows: sum, values: matching.slice(0, VALUES_MAX) });
}

const cellOf = (column: Column | 'path', stored: DbValue | undefined) =>
  column === 'path' ? (typeof stored === 'string' ? stored : null) : fromStored(column.spec, stored ?? null);

export function selectSql(table: Table, conditions: readonly Condition[], what: string): Condition {
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const join = what.includes('c.') ? 'LEFT JOIN campaign c ON c.id = k.campaign_id' : '';
  return {
    sql: `SELECT ${what} FROM ${table.name} k ${join} ${where === '' ? '' : `WHERE ${where}`}`,
    bind: conditions.flatMap(({ bind }) => bind),
  };
}
