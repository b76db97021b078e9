import type { ViewSpec } from '../../../shared/api/workspace.ts';
import { CAMPAIGN_STATES, type CampaignState } from '../../../shared/lifecycle/states.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { DELETED, HELD, NEW } from '../../../shared/model/row.ts';
import { textKey } from '../../../shared/model/text.ts';
import { err, ok, type Result, unreachable } from '../../../shared/result.ts';
import { USER_RULE_PREFIX } from '../../../shared/rules/custom-rules.ts';
import { parseSearch } from '../../../shared/search/parse-search.ts';
import { type Comparison, type Mark, type Query, SIGNALS, searchedFields } from '../../../shared/search/query.ts';
import { issueBits, issueMask } from '../check.ts';
import type { DbValue } from '../db/db.ts';
import { likePattern } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { toStored } from '../rows/codec.ts';
import { type Column, columnNamed, columnOf, type Table } from '../schema/tables.ts';
import { asksForDays, lookOf, type RowMetrics, searchedMetric, searchLook, wantedMetrics } from './row-metrics.ts';

/** A condition on the table alias `k` with its bound values. It is 0 or 1, never NULL, so that it can be negated. */
export interface Condition {
  readonly sql: string;
  readonly bind: readonly DbValue[];
}

/** Data that is not in the store's rows. */
interface Beside {
  /** The value of a metrics condition; null if the metrics were not passed in. */
  readonly metric: (query: Query) => string | null;
  /** SQL for whether a rule with metrics marks the row; null if none does. */
  readonly marked: string | null;
}
const NOTHING: Beside = { metric: () => null, marked: null };

/** Converts a search to SQL. `compilePredicate` evaluates the same tree on rows in memory; a test compares both. */
export function searchSql(table: Table, query: Query, beside: Beside = NOTHING): Condition {
  const { metric, marked } = beside;
  switch (query.is) {
    case 'all':
      return { sql: 'true', bind: [] };
    case 'and':
      return joined(
        query.parts.map((part) => searchSql(table, part, beside)),
        ' AND ',
      );
    case 'or':
      return joined(
        query.parts.map((part) => searchSql(table, part, beside)),
        ' OR ',
      );
    case 'not': {
      const { sql, bind } = searchSql(table, query.part, beside);
      return { sql: `NOT ${sql}`, bind };
    }
    case 'text':
      return anyText(table, query.text);
    case 'contains':
      return like(textOf(table, columnNamed(table, query.field)), query.text);
    case 'compare':
      return compared(table, columnNamed(table, query.field), query.op, query.value);
    case 'one-of': {
      const column = columnNamed(table, query.field);
      return joined(
        query.values.map((value) => compared(table, column, '=', value)),
        ' OR ',
      );
    }
    case 'empty':
      return { sql: `(k.${columnNamed(table, query.field).sql} IS NULL)`, bind: [] };
    case 'campaign':
      return inCampaign(query.text);
    case 'id':
      return { sql: '(k.remote_id IS ?)', bind: [query.id] };
    case 'note':
      return noted(table, query);
    case 'issue': {
      const stored = `k.issues <> 0 AND k.issues & ${issueBits(table.kind, query.rule)} <> 0`;
      const isOfMetrics = marked !== null && query.rule === `${USER_RULE_PREFIX}advice`;
      return { sql: isOfMetrics ? `((${stored}) OR ${marked})` : `(${stored})`, bind: [] };
    }
    case 'failed': {
      const failed = `SELECT id FROM refusal WHERE kind = ${table.code} AND fold(message) LIKE ? ESCAPE '\\'`;
      return { sql: `(k.id IN (${failed}))`, bind: [likePattern(query.text)] };
    }
    case 'metrics':
      return { sql: `(${metric(query) ?? 'NULL'} IS NOT NULL)`, bind: [] };
    case 'metric': {
      const { op, value } = query;
      if (value === null) return { sql: `(${metric(query) ?? 'NULL'} IS ${op === '=' ? '' : 'NOT '}NULL)`, bind: [] };
      const left = metric(query) ?? 'NULL';
      if (op === '=' || op === '!=') return { sql: `(${left} IS ${op === '=' ? '' : 'NOT '}?)`, bind: [value] };
      return { sql: `((${left} ${op} ?) IS TRUE)`, bind: [value] };
    }
    case 'signal': {
      const words: readonly string[] = SIGNALS[query.what];
      const code = words.indexOf(query.word);
      return { sql: `(ifnull(${metric(query) ?? 'NULL'}, ${words.indexOf('none')}) = ${code})`, bind: [] };
    }
    case 'period':
      return { sql: 'true', bind: [] };
    case 'mark':
      return { sql: `(${markSql(table, query.mark, marked)})`, bind: [] };
    default:
      return unreachable(query);
  }
}

/** Many conditions are joined in halves: SQLite accepts no more than 1,000 one after the other. */
function joined(conditions: readonly Condition[], word: ' AND ' | ' OR '): Condition {
  if (conditions.length > 100) {
    const half = conditions.length / 2;
    return joined([joined(conditions.slice(0, half), word), joined(conditions.slice(half), word)], word);
  }
  return { sql: `(${conditions.map(({ sql }) => sql).join(word)})`, bind: conditions.flatMap(({ bind }) => bind) };
}

function anyText(table: Table, text: string): Condition {
  const fields = searchedFields(table.kind).map((field) => like(textOf(table, columnNamed(table, field)), text));
  return joined([...fields, inCampaign(text), { sql: '(k.remote_id IS ?)', bind: [text] }], ' OR ');
}

/** Campaigns are looked up once per search, not once per row. */
const inCampaign = (text: string): Condition => ({
  sql: `((k.campaign_id IN (SELECT id FROM campaign WHERE sort_key LIKE ? ESCAPE '\\')) IS TRUE)`,
  bind: [likePattern(text)],
});

const like = (textSql: string, text: string): Condition => ({
  sql: `((${textSql} LIKE ? ESCAPE '\\') IS TRUE)`,
  bind: [likePattern(text)],
});

/** Folded text of a column: stored for the kind's main text, calculated for the others. */
export function textOf(table: Table, column: Column): string {
  return column === table.keyColumn ? 'k.sort_key' : `fold(k.${column.sql})`;
}

function compared(table: Table, column: Column, op: Comparison, value: Exclude<Cell, null>): Condition {
  const isText = column.spec.type.is === 'text';
  const left = isText ? textOf(table, column) : `k.${column.sql}`;
  const right = isText ? textKey(String(value)) : toStored(column.spec, value);
  if (op === '=' || op === '!=') return { sql: `(${left} ${op === '=' ? 'IS' : 'IS NOT'} ?)`, bind: [right] };
  return { sql: `((${left} ${op} ?) IS TRUE)`, bind: [right] };
}

/** Notes are looked up once per search; they are few, whatever the number of rows. */
function noted({ code }: Table, { what, text, field }: Extract<Query, { readonly is: 'note' }>): Condition {
  const state = what === 'comment' ? 'IS NULL' : 'IS NOT NULL';
  const from =
    what === 'label'
      ? `SELECT r.id FROM label l JOIN row_label r ON r.label = l.id WHERE r.kind = ${code} AND l.name_key`
      : `SELECT row FROM comment WHERE kind = ${code} AND resolved_at ${state} AND text_key`;
  const about = field === undefined ? { sql: '', bind: [] } : { sql: ' AND field IS ?', bind: [field] };
  return { sql: `(k.id IN (${from} LIKE ? ESCAPE '\\'${about.sql}))`, bind: [likePattern(text), ...about.bind] };
}

function markSql(table: Table, mark: Mark, marked: string | null): string {
  const { code } = table;
  const asked = `k.id IN (SELECT row_id FROM outbox_op WHERE kind = ${code} AND state = 'NEEDS_USER')`;
  const inDoubt = `k.id IN (SELECT row_id FROM outbox_op WHERE kind = ${code} AND state = 'IN_DOUBT')`;
  const disputed = `k.id IN (SELECT id FROM conflict WHERE kind = ${code})`;
  const refused = `k.id IN (SELECT id FROM refusal WHERE kind = ${code})`;
  switch (mark) {
    case 'changed':
      return `k.dirty <> 0 AND k.dirty & ${~HELD} <> 0`;
    case 'new':
      return `k.dirty <> 0 AND k.dirty & ${NEW} <> 0`;
    case 'deleted':
      return `k.dirty <> 0 AND k.dirty & ${DELETED} <> 0`;
    case 'held':
      return `k.dirty <> 0 AND k.dirty & ${HELD} <> 0`;
    case 'error':
      return `k.issues <> 0 AND ${severitySql(table)} = 3`;
    case 'warning':
      return `k.issues <> 0 AND ${severitySql(table)} = 2`;
    case 'advice':
      return marked === null ? `k.issues <> 0 AND ${severitySql(table)} = 1` : `${severitySql(table, marked)} = 1`;
    // A row shows one outbox state, the most urgent one; these conditions use the same precedence.
    case 'question':
      return asked;
    case 'in-doubt':
      return `${inDoubt} AND NOT ${asked}`;
    case 'conflict':
      return `${disputed} AND NOT ${inDoubt} AND NOT ${asked}`;
    case 'refused':
      return `${refused} AND NOT ${disputed} AND NOT ${inDoubt} AND NOT ${asked}`;
    default:
      return unreachable(mark);
  }
}

/**
 * SQL for the severity of a row's issues: 0 none, 1 suggestion, 2 warning, 3 error.
 *
 * @param marked SQL for whether a rule with metrics marks the row, which is a suggestion
 */
export const severitySql = ({ kind }: Table, marked: string | null = null): string =>
  `CASE WHEN k.issues = 0 THEN ${marked ?? 0} WHEN k.issues & ${issueMask(kind, 'error')} THEN 3
   WHEN k.issues & ${issueMask(kind, 'warning')} THEN 2 ELSE 1 END`;

/**
 * SQL for the status of an item or a keyword, as its position among campaign statuses, over `k` and its campaign `c`.
 * It uses the service values, so local changes don't affect it. Null for other kinds.
 */
export function stateSql(table: Table): string | null {
  const flag = table.kind === 'keyword' ? 'state' : 'status';
  const column = columnOf(table, flag);
  const review = columnOf(table, 'reviewStatus')?.spec.type;
  if ((table.kind !== 'keyword' && table.kind !== 'adItem') || column?.spec.bit == null || review?.is !== 'choice') {
    return null;
  }
  const of = (state: CampaignState): number => CAMPAIGN_STATES.indexOf(state);
  const sent = `iif(k.dirty & ${1 << column.spec.bit}, (SELECT b.${column.sql} FROM ${table.base} b WHERE b.id = k.id), k.${column.sql})`;
  return `CASE WHEN k.remote_id IS NULL OR coalesce(c."campaignState", 0) = ${of('draft')} THEN ${of('draft')}
    WHEN c."campaignState" = ${of('ended')} THEN ${of('ended')}
    WHEN k."reviewStatus" = ${review.choices.indexOf('rejected')} THEN ${of('rejected')}
    WHEN ${sent} <> 0 THEN ${of('paused')}
    WHEN k."reviewStatus" = ${review.choices.indexOf('pending')} THEN ${of('in-review')}
    ELSE c."campaignState" END`;
}

export interface FilterProblem {
  /** Position in the filter text. */
  readonly at: number;
  readonly problem: string;
}

/** All conditions of a view: the campaign, the marks, and the filter text. */
export function filterSql(
  table: Table,
  spec: ViewSpec,
  metrics: Pick<RowMetrics, 'numberOf' | 'markedSql'>,
): Result<readonly Condition[], FilterProblem> {
  const query = parseSearch(spec.filter, table.kind);
  if (!query.ok) return query;
  const isHere =
    !asksForDays(query.value) || wantedMetrics({ ...spec, sort: [] }).every((each) => metrics.numberOf(each) !== null);
  if (!isHere) return err({ at: 0, problem: 'These rows cannot be searched by metrics here.' });
  const look = searchLook(query.value, lookOf(spec));
  const beside: Beside = {
    metric: (part) => {
      const wanted = searchedMetric(table.kind, part, look);
      const number = wanted === null ? null : metrics.numberOf(wanted);
      return number === null ? null : `row_metric(${number}, k.id)`;
    },
    marked: metrics.markedSql(table.kind),
  };
  const conditions: Condition[] = [];
  if (spec.campaignId !== null) conditions.push({ sql: 'k.campaign_id = ?', bind: [spec.campaignId] });
  if (spec.only !== 'all') conditions.push({ sql: onlySql(table, spec.only), bind: [] });
  if (query.value.is !== 'all') conditions.push(searchSql(table, query.value, beside));
  return ok(conditions);
}

/** SQL for rows with something in progress at the service: a request, a review, an upload. */
function waitingParts(table: Table): string[] {
  const parts = [`k.id IN (SELECT row_id FROM outbox_op WHERE kind = ${table.code} AND ${LIVE})`];
  for (const [field, words] of WAITING) {
    const column = columnOf(table, field);
    if (column?.spec.type.is !== 'choice') continue;
    const { choices } = column.spec.type;
    const codes = words.map((word) => choices.indexOf(word)).filter((code) => code >= 0);
    const indexed = field === 'reviewStatus' ? notApproved(column.sql, choices) : '';
    parts.push(`(${indexed}(k.${column.sql} IN (${codes.join(', ')}) OR typeof(k.${column.sql}) = 'text'))`);
  }
  return parts;
}

/** SQL that makes SQLite use the index of the few rows that are not approved. */
const notApproved = (column: string, choices: readonly string[]): string =>
  `k.${column} <> ${choices.indexOf('approved')} AND `;

const WAITING: readonly (readonly [string, readonly string[]])[] = [
  ['reviewStatus', ['pending', 'in-progress']],
  ['mediaState', ['uploading', 'processing']],
];

/** Rows that need a decision or a correction. */
const ATTENTION = ['errors', 'conflicts', 'in-doubt', 'rejected'] as const;

/** The conditions of a quick filter, of which any one must match, each with its own index. */
export function onlyParts(table: Table, only: Exclude<ViewSpec['only'], 'all'>): string[] {
  if (only === 'waiting') return waitingParts(table);
  if (only === 'attention') return ATTENTION.map((each) => `(${onlySql(table, each)})`);
  return [onlySql(table, only)];
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
    case 'commented':
      return `k.id IN (SELECT row FROM comment WHERE kind = ${code} AND resolved_at IS NULL)`;
    case 'resolved':
      return `k.id IN (SELECT row FROM comment WHERE kind = ${code} AND resolved_at IS NOT NULL)`;
    case 'waiting':
    case 'attention':
      return `(${onlyParts(table, only).join(' OR ')})`;
    case 'rejected': {
      const refused = `k.id IN (SELECT id FROM refusal WHERE kind = ${code})`;
      const review = columnOf(table, 'reviewStatus');
      if (review?.spec.type.is !== 'choice') return refused;
      return `((${notApproved(review.sql, review.spec.type.choices)}k.${review.sql} = ${review.spec.type.choices.indexOf('rejected')}) OR ${refused})`;
    }
  }
}
