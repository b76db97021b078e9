import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import { figureOfField } from '../../../shared/reports/figure-column.ts';
import { metricOf } from '../../../shared/reports/metric.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { DbValue } from '../db/db.ts';
import { columnOf, type Table } from '../schema/tables.ts';
import type { FilterProblem } from './filter-sql.ts';
import { type Condition, severitySql } from './search-sql.ts';

interface SortTerm {
  /** SQL over `k`, and over `c`, the row's campaign, where that is joined. */
  readonly sql: string;
  readonly needsCampaign?: true;
  /** What else has to be joined for it. */
  readonly join?: string;
  /** True where the order is the same whichever way the column is sorted. */
  readonly fixed?: true;
}

/** The number under which a figure of a report stands in `temp.row_figure`; null when it is not here. */
export type FigureSource = (figure: string) => number | null;

/** The statement that lists the ids of a view in its order. Ids break ties, so the order is the same every time. */
export function orderSql(
  table: Table,
  sort: ViewSpec['sort'],
  conditions: readonly Condition[],
  group: ViewSpec['group'] | undefined,
  figureSource: FigureSource,
): Result<{ readonly sql: string; readonly bind: readonly DbValue[] }, FilterProblem> {
  const terms: string[] = [];
  const joins = new Set<string>();
  let needsCampaign = false;
  let direction = '';
  // Behind a joined metric SQLite takes a bare id for a reason to walk some index, row after row out of place.
  let tie = 'k.id';
  // Groups stand in the order of their names, whichever way their rows are sorted.
  const grouped = group === undefined ? [] : [{ column: 'group', descending: false }];
  for (const { column, descending } of [...grouped, ...sort]) {
    const found = sortTerms(table, column, figureSource);
    if (found === null) return err({ at: 0, problem: `There is no column "${column}" to sort by.` });
    // A figure of a report that is not here puts nothing in order, the ids neither.
    if (found.length === 0) continue;
    direction = descending ? ' DESC' : '';
    // With a condition to check, walking an index in sort order is the slow way; the plus sign rules it out.
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

function sortTerms(table: Table, name: string, figureSource: FigureSource): readonly SortTerm[] | null {
  const figure = figureOfField(name);
  if (figure !== null) return metricOf(figure) === null ? null : figureTerms(figureSource(figure));
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

/** Rows the report says nothing of stand last, whichever way the others are sorted. */
function figureTerms(source: number | null): readonly SortTerm[] {
  if (source === null) return [];
  const name = `f${source}`;
  const join = `LEFT JOIN temp.row_figure ${name} ON ${name}.source = ${source} AND ${name}.remote_id = k.remote_id`;
  return [{ sql: `(${name}.value IS NULL)`, fixed: true, join }, { sql: `${name}.value` }];
}
