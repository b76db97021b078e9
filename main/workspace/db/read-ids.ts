import type { Db, DbValue } from './db.ts';

const COMMA = 44;
const ZERO = 48;

/**
 * Reads a column of row ids without one JavaScript object per row: SQLite joins them to one text, and the digits
 * are read from it. About four times as fast as reading rows, at a million ids.
 *
 * @param sql a SELECT of exactly one column named `id`, in the wanted order
 */
export function readIds(db: Db, sql: string, ...bind: readonly DbValue[]): Int32Array {
  const joined = db.get(`SELECT group_concat(id) FROM (${sql})`, ...bind)?.[0];
  if (typeof joined !== 'string') return new Int32Array(0);
  let count = 1;
  for (let i = 0; i < joined.length; i++) if (joined.charCodeAt(i) === COMMA) count++;
  const ids = new Int32Array(count);
  let at = 0;
  let id = 0;
  for (let i = 0; i < joined.length; i++) {
    const unit = joined.charCodeAt(i);
    if (unit === COMMA) {
      ids[at++] = id;
      id = 0;
    } else {
      id = id * 10 + unit - ZERO;
    }
  }
  ids[at] = id;
  return ids;
}
