import type { DbValue } from './db.ts';

/** What stands behind a column that is to be one of some ids, and the one value bound for it, as `?1`. */
export interface IdList {
  readonly sql: '= ?1' | 'IN (SELECT value FROM json_each(?1))';
  readonly bind: DbValue;
}

/** A list costs as much again as the few rows of one campaign, which is what most edits look at, so one is compared. */
export function idList(ids: readonly number[]): IdList {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return { sql: '= ?1', bind: only };
  return { sql: 'IN (SELECT value FROM json_each(?1))', bind: JSON.stringify(ids) };
}
