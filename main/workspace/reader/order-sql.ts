import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { issueMask } from '../check.ts';
import type { DbValue } from '../db/db.ts';
import { columnOf, type Table } from '../schema/tables.ts';
import type { FilterProblem } from './filter-sql.ts';
import type { Condition } from './search-sql.ts';

interface SortTerm {
  /** SQL over `k`, and over `c`, the row's campaign, where that is joined. */
  readonly sql: string;
  readonly needsCampaign?: true;
}

/** The statement that lists the ids of a view in its order. Ids break ties, so the order is the same every time. */
export function orderSql(
  table: Table,
  sort: ViewSpec['sort'],
  conditions: readonly Condition[],
  group?: ViewSpec['group'],
): Result<{ readonly sql: string; readonly bind: readonly DbValue[] }, FilterProblem> {
  const terms: string[] = [];
  let needsCampaign = false;
  let direction = '';
  // Groups stand in the order of their names, whichever way their rows are sorted.
  const grouped = group === undefined ? [] : [{ column: 'group', descending: false }];
  for (const { column, descending } of [...grouped, ...sort]) {
    const found = sortTerms(table, column);
    if (found === null) return err({ at: 0, problem: `There is no column "${column}" to sort by.` });
    direction = descending ? ' DESC' : '';
    // With a condition to check, walking an index in sort order is the slow way; the plus sign rules it out.
    const plus = conditions.length > 0 ? '+' : '';
    for (const term of found) {
      terms.push(`${plus}${term.sql}${direction}`);
      needsCampaign ||= term.needsCampaign === true;
    }
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}`;
  const join = needsCampaign ? 'LEFT JOIN campaign c ON c.id = k.campaign_id' : '';
  return ok({
    sql: `SELECT k.id AS id FROM ${table.name} k ${join} ${where} ORDER BY ${[...terms, `k.id${direction}`].join(', ')}`,
    bind: conditions.flatMap((condition) => condition.bind),
  });
}

function sortTerms(table: Table, name: string): readonly SortTerm[] | null {
  switch (name) {
    case 'group':
      return [{ sql: 'c.sort_key', needsCampaign: true }, { sql: 'k.campaign_id' }];
    case 'path':
    case 'campaignName':
      return [
        { sql: 'c.sort_key', needsCampaign: true },
        { sql: 'k.campaign_id' },
        ...(table.parent === 'adGroup' ? [{ sql: 'k.ad_group_id' }] : []),
      ];
    case 'id':
      return [{ sql: 'k.id' }];
    case 'remoteId':
      return [{ sql: 'length(k.remote_id)' }, { sql: 'k.remote_id' }];
    case 'dirty':
      return [{ sql: '(k.dirty <> 0)' }];
    case 'severity':
      return [{ sql: severitySql(table) }];
  }
  const column = columnOf(table, name);
  if (column === undefined) return null;
  if (column === table.keyColumn) return [{ sql: 'k.sort_key' }];
  const isProse = column.spec.type.is === 'text' && !/(id|sha256)$/iu.test(column.field);
  return [{ sql: isProse ? `fold(k.${column.sql})` : `k.${column.sql}` }];
}

/** SQL for how bad the findings of a row are: 0 nothing, 1 advice, 2 warning, 3 error. */
export const severitySql = ({ kind }: Table): string =>
  `CASE WHEN k.issues = 0 THEN 0 WHEN k.issues & ${issueMask(kind, 'error')} THEN 3
   WHEN k.issues & ${issueMask(kind, 'warning')} THEN 2 ELSE 1 END`;
