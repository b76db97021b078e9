import type { ViewSpec } from '../../../shared/contract/workspace.ts';
import { nameKey } from '../../../shared/model/keyword-key.ts';
import { HELD } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { issueMask } from '../check.ts';
import type { DbValue } from '../db/db.ts';
import { columnOf, type Table } from '../schema/tables.ts';

/** A condition on the table alias `k`, with its values. */
export interface Condition {
  readonly sql: string;
  readonly bind: readonly DbValue[];
}

export interface FilterProblem {
  /** Position in the filter text. */
  readonly at: number;
  readonly problem: string;
}

/** Text that only machines read: hashes and the probe's findings. */
const NOT_SEARCHED: ReadonlySet<string> = new Set(['sha256', 'facts']);

/** Everything a view asks of its rows: the campaign, the marks, and the text. */
export function filterSql(table: Table, spec: ViewSpec): Result<readonly Condition[], FilterProblem> {
  const text = textConditions(table, spec.filter);
  if (!text.ok) return text;
  const conditions: Condition[] = [];
  if (spec.campaignId !== null) conditions.push({ sql: 'k.campaign_id = ?', bind: [spec.campaignId] });
  if (spec.only !== 'all') conditions.push({ sql: onlySql(table, spec.only), bind: [] });
  return ok([...conditions, ...text.value]);
}

function onlySql(table: Table, only: Exclude<ViewSpec['only'], 'all'>): string {
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
    case 'rejected': {
      const refused = `k.id IN (SELECT id FROM refusal WHERE kind = ${code})`;
      const review = columnOf(table, 'reviewStatus');
      if (review?.spec.type.is !== 'choice') return refused;
      return `(k.${review.sql} = ${review.spec.type.choices.indexOf('rejected')} OR ${refused})`;
    }
  }
}

/** Each word, or phrase in quotes, has to stand in one of the row's texts or be its id on the service. */
function textConditions(table: Table, filter: string): Result<readonly Condition[], FilterProblem> {
  const conditions: Condition[] = [];
  for (const match of filter.matchAll(/"([^"]*)("?)|[^\s"]+/gu)) {
    if (match[1] !== undefined && match[2] === '') {
      return err({ at: match.index, problem: 'The quotation mark is not closed. Add one where the phrase ends.' });
    }
    const word = nameKey(match[1] ?? match[0]);
    if (word !== '') conditions.push(wordCondition(table, word));
  }
  return ok(conditions);
}

function wordCondition(table: Table, word: string): Condition {
  const pattern = `%${word.replace(/[\\%_]/gu, '\\$&')}%`;
  const texts = table.columns
    .filter((column) => column.spec.type.is === 'text' && !NOT_SEARCHED.has(column.field))
    .map((column) => (column === table.keyColumn ? 'k.sort_key' : `fold(k.${column.sql})`));
  const alternatives = texts.map((text) => `${text} LIKE ? ESCAPE '\\'`);
  return {
    sql: `(${[...alternatives, 'k.remote_id = ?'].join(' OR ')})`,
    bind: [...texts.map(() => pattern), word],
  };
}
