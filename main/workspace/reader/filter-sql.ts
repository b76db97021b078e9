import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import { HELD } from '../../../shared/model/row.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { issueMask } from '../check.ts';
import { LIVE } from '../outbox/schema.ts';
import { columnOf, type Table } from '../schema/tables.ts';
import { type Condition, searchSql } from './search-sql.ts';

export interface FilterProblem {
  /** Position in the filter text. */
  readonly at: number;
  readonly problem: string;
}

/** Everything a view asks of its rows: the campaign, the marks, and the text. */
export function filterSql(table: Table, spec: ViewSpec): Result<readonly Condition[], FilterProblem> {
  const query = parseSearch(spec.filter, table.kind);
  if (!query.ok) return query;
  const conditions: Condition[] = [];
  if (spec.campaignId !== null) conditions.push({ sql: 'k.campaign_id = ?', bind: [spec.campaignId] });
  if (spec.only !== 'all') conditions.push({ sql: onlySql(table, spec.only), bind: [] });
  if (query.value.is !== 'all') conditions.push(searchSql(table, query.value));
  return ok(conditions);
}

/** Something of the row is under way at the service: a request, a review, an upload. */
function waitingSql(table: Table): string {
  const parts = [`k.id IN (SELECT row_id FROM outbox_op WHERE kind = ${table.code} AND ${LIVE})`];
  for (const [field, words] of WAITING) {
    const column = columnOf(table, field);
    if (column?.spec.type.is !== 'choice') continue;
    const { choices } = column.spec.type;
    const codes = words.map((word) => choices.indexOf(word)).filter((code) => code >= 0);
    const indexed = field === 'reviewStatus' ? notApproved(column.sql, choices) : '';
    parts.push(`(${indexed}(k.${column.sql} IN (${codes.join(', ')}) OR typeof(k.${column.sql}) = 'text'))`);
  }
  return `(${parts.join(' OR ')})`;
}

/** SQL: what lets the index of the few rows that are not approved answer a question about reviews. */
const notApproved = (column: string, choices: readonly string[]): string =>
  `k.${column} <> ${choices.indexOf('approved')} AND `;

const WAITING: readonly (readonly [string, readonly string[]])[] = [
  ['reviewStatus', ['pending', 'in-progress']],
  ['mediaState', ['uploading', 'processing']],
];

export function onlySql(table: Table, only: Exclude<ViewSpec['only'], 'all'>): string {
  const { kind, code } = table;
  switch (only) {
    case 'changed':
      return `k.dirty <> 0 AND k.dirty & ${~HELD}`;
    case 'held':
      return `k.dirty <> 0 AND k.dirty & ${HELD}`;
    case 'errors':
      return `k.issues <> 0 AND k.issues & ${issueMask(kind, 'error')}`;
    case 'warnings':
      return `k.issues <> 0 AND k.issues & ${issueMask(kind, 'warning')}`;
    case 'conflicts':
      return `k.id IN (SELECT id FROM conflict WHERE kind = ${code})`;
    case 'in-doubt':
      return `k.id IN (SELECT row_id FROM outbox_op WHERE kind = ${code} AND state IN ('IN_DOUBT', 'NEEDS_USER'))`;
    case 'waiting':
      return waitingSql(table);
    case 'commented':
      return `k.id IN (SELECT row FROM comment WHERE kind = ${code} AND resolved_at IS NULL)`;
    case 'resolved':
      return `k.id IN (SELECT row FROM comment WHERE kind = ${code} AND resolved_at IS NOT NULL)`;
    case 'rejected': {
      const refused = `k.id IN (SELECT id FROM refusal WHERE kind = ${code})`;
      const review = columnOf(table, 'reviewStatus');
      if (review?.spec.type.is !== 'choice') return refused;
      return `((${notApproved(review.sql, review.spec.type.choices)}k.${review.sql} = ${review.spec.type.choices.indexOf('rejected')}) OR ${refused})`;
    }
  }
}
