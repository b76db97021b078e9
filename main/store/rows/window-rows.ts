import type { WindowRow } from '../../../shared/api/workspace.ts';
import { CAMPAIGN_STATES } from '../../../shared/lifecycle/states.ts';
import { memo } from '../../../shared/memo.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { issueMask } from '../check.ts';
import { asNumber, asTextOrNull, type Db, type DbRow, idList, rowIdOf, rowIdOrNull } from '../db/db.ts';
import { LIVE } from '../outbox/schema.ts';
import { markedRowsOf, metricIssues } from '../reader/row-metrics.ts';
import { severitySql, stateSql } from '../reader/search-sql.ts';
import { sqlList, type Table, tableOf } from '../schema/tables.ts';
import type { EditOutcome } from '../types.ts';
import type { AffectedRows } from '../writer/writer-store.ts';
import { ACCOUNT, campaignNameSql } from './campaign-ids.ts';
import { cellsFrom } from './codec.ts';

const SEVERITIES = [null, 'advice', 'warning', 'error'] as const;
/** Columns before the fields in a row of a window. */
const HEAD_LENGTH = 14;

/** Reads the rows with these IDs, in this order. Deleted rows are left out. */
export function readWindowRows(db: Db, table: Table, ids: readonly number[]): WindowRow[] {
  const rows = db.all(windowSql(table)(sidesOf(db, table)), `[${ids.join(',')}]`);
  const marked = markedRowsOf(db, table.kind);
  return rows.map((row) => {
    const read = toWindowRow(table, row);
    const isMarked = read.severity === null && marked.some(({ ids: found }) => found.has(read.id));
    return isMarked ? { ...read, severity: 'advice' } : read;
  });
}

/**
 * The rows changed by the open transaction, as windows display them, once their checks are done or queued. Issues are
 * those of these checks.
 */
export function patchOf(db: Db, touched: AffectedRows): Omit<EditOutcome, 'revision' | 'touched'> {
  const moved = new Set([...touched.shuffled, ...touched.grown]);
  const named = touched.renamed ? NAMING_CAMPAIGNS : [];
  const pictured = touched.repictured || moved.has('adItem') ? PICTURED_KINDS : [];
  const reread = [...new Set([...moved, ...named, ...pictured])];
  if (touched.rows === null) return { rows: null, reread };
  const rows: PatchRow[] = [];
  const issuesById = new Map<number, Issue[]>();
  for (const ids of touched.rows.values()) for (const id of ids) issuesById.set(id, []);
  // Account issues first, in the same order as for readers of a row's issues.
  const ofAccount = touched.issues.get(ACCOUNT) ?? [];
  for (const issue of ofAccount) issuesById.get(issue.id)?.push(issue);
  for (const [kind, ids] of touched.rows) {
    for (const issue of metricIssues(db, kind, [...ids])) issuesById.get(issue.id)?.push(issue);
  }
  for (const issues of touched.issues.values()) {
    if (issues !== ofAccount) for (const issue of issues) issuesById.get(issue.id)?.push(issue);
  }
  for (const [kind, ids] of touched.rows) {
    const waiting = waitingForAccount(db, kind, ids, touched);
    for (const row of readWindowRows(db, tableOf(kind), [...ids])) {
      const waits = (row.campaignId !== null && !touched.issues.has(row.campaignId)) || waiting.has(row.id);
      rows.push({ kind, row, issues: waits ? null : (issuesById.get(row.id) ?? []) });
    }
  }
  return { rows, reread };
}

type PatchRow = NonNullable<EditOutcome['rows']>[number];

/** A campaign's own row is among the changed ones, and files have no campaign. */
const NAMING_CAMPAIGNS = KINDS.filter((kind) => kind !== 'campaign' && kind !== 'media');

/** Rows that may have account issues, if the account was not checked in this transaction. */
function waitingForAccount(db: Db, kind: Kind, ids: ReadonlySet<RowId>, touched: AffectedRows): ReadonlySet<number> {
  if ((kind !== 'media' && kind !== 'campaign') || touched.issues.has(ACCOUNT)) return NONE;
  const list = idList([...ids]);
  const found = db.all(
    `SELECT id FROM ${tableOf(kind).name} WHERE id ${list.sql} AND (issues & ?2 OR
       EXISTS (SELECT 1 FROM check_pending WHERE campaign_id = ?3))`,
    list.bind,
    issueMask(kind, 'account'),
    ACCOUNT,
  );
  return new Set(found.map(([id]) => asNumber(id)));
}

const NONE: ReadonlySet<number> = new Set();

/** Data displayed beside rows, in the order of its columns. */
interface Side {
  readonly of: (code: number) => string;
  readonly column: (code: number) => string;
}

const SIDES: readonly Side[] = [
  {
    of: (code) => `SELECT 1 FROM outbox_op WHERE kind = ${code} AND ${LIVE}`,
    column: (code) => `(SELECT group_concat(state) FROM outbox_op WHERE kind = ${code} AND row_id = k.id AND ${LIVE})`,
  },
  {
    of: (code) => `SELECT 1 FROM conflict WHERE kind = ${code}`,
    column: (code) => `(SELECT 'conflict' FROM conflict x WHERE x.kind = ${code} AND x.id = k.id LIMIT 1)`,
  },
  {
    of: (code) => `SELECT 1 FROM refusal WHERE kind = ${code}`,
    column: (code) => `(SELECT 'refused' FROM refusal x WHERE x.kind = ${code} AND x.id = k.id)`,
  },
  {
    of: (code) => `SELECT 1 FROM row_label WHERE kind = ${code}`,
    column: (code) => `(SELECT group_concat(label) FROM row_label WHERE kind = ${code} AND id = k.id)`,
  },
  {
    of: (code) => `SELECT 1 FROM comment WHERE kind = ${code} AND resolved_at IS NULL`,
    column: (code) => `(SELECT json_group_array(coalesce(field, '')) FROM comment
      WHERE kind = ${code} AND row = k.id AND resolved_at IS NULL HAVING count(*) > 0)`,
  },
];

/**
 * Which of these exist for any row of the kind, as a 0 or 1 for each. Usually none does; asking once per window costs a
 * tenth of asking per row.
 */
const sidesOf = (db: Db, { code }: Table): string => db.get(sidesSql(code))?.join('') ?? '';
const sidesSql = memo((code: number) => `SELECT ${SIDES.map((side) => `EXISTS (${side.of(code)})`).join(', ')}`);

/** SQL of a campaign's first item, whose picture represents it; `campaign` is the column with the campaign's ID. */
const pictureSql = (campaign: string): string =>
  `(SELECT i."itemId" FROM ad_item i WHERE i.campaign_id = k.${campaign} ORDER BY i.id LIMIT 1)`;
const PICTURED: Readonly<Partial<Record<Kind, string>>> = {
  campaign: pictureSql('id'),
  sbaProfile: pictureSql('campaign_id'),
  videoProfile: pictureSql('campaign_id'),
};
const PICTURED_KINDS = KINDS.filter((kind) => PICTURED[kind] !== undefined);

const windowSql = memo((table: Table) => memo((present: string) => windowSqlOf(table, present)));

function windowSqlOf(table: Table, present: string): string {
  const { name, code, kind } = table;
  const campaign = kind === 'campaign' ? 'k' : 'c';
  const campaignName = kind === 'media' ? 'NULL' : campaignNameSql(campaign);
  // Any item would do; the first one never changes its place.
  const picture = PICTURED[kind] ?? 'NULL';
  const join = kind === 'campaign' || kind === 'media' ? '' : 'LEFT JOIN campaign c ON c.id = k.campaign_id';
  const sides = SIDES.map((side, i) => (present[i] === '1' ? side.column(code) : 'NULL'));
  return `SELECT k.id, k.campaign_id, k.ad_group_id, k.remote_id, ${campaignName}, k.dirty,
      ${severitySql(table)}, ${sides.join(', ')}, ${stateSql(table) ?? 'NULL'}, ${picture}, ${sqlList(table.columns, 'k.')}
    FROM json_each(?) j CROSS JOIN ${name} k ON k.id = j.value ${join} ORDER BY j.key`;
}

function toWindowRow(table: Table, row: DbRow): WindowRow {
  const [
    id,
    campaignId,
    adGroupId,
    remoteId,
    campaignName,
    dirty,
    severity,
    live,
    disputed,
    refused,
    labels,
    comments,
    state,
    picture,
  ] = row;
  return {
    id: rowIdOf(id),
    campaignId: rowIdOrNull(campaignId),
    adGroupId: rowIdOrNull(adGroupId),
    remoteId: asTextOrNull(remoteId),
    campaignName: asTextOrNull(campaignName) ?? '',
    dirty: asNumber(dirty),
    severity: SEVERITIES[asNumber(severity)] ?? null,
    outbox: outboxState(asTextOrNull(live), asTextOrNull(disputed) ?? asTextOrNull(refused)),
    ...(typeof labels === 'string' ? { labels: labels.split(',').map(Number) } : {}),
    ...(typeof comments === 'string' ? { comments: countsOf(comments) } : {}),
    ...(state === null || state === undefined ? {} : { state: CAMPAIGN_STATES[Number(state)] ?? 'draft' }),
    ...(typeof picture === 'string' ? { picture } : {}),
    cells: cellsFrom(table.columns, row, HEAD_LENGTH),
  };
}

/** @param fields the field of each open comment, as a JSON array */
function countsOf(fields: string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const field of JSON.parse(fields) as readonly string[]) counts.set(field, (counts.get(field) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The most urgent state: a question, then unconfirmed, then a conflict or refusal, then in progress. */
function outboxState(live: string | null, problem: string | null): WindowRow['outbox'] {
  if (live?.includes('NEEDS_USER') === true) return 'question';
  if (live?.includes('IN_DOUBT') === true) return 'in-doubt';
  if (problem === 'conflict' || problem === 'refused') return problem;
  return live === null ? null : 'sent';
}
