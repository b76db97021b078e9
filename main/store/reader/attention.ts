import { type Cell, textOrNull } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import { USER_RULE_PREFIX } from '../../../shared/rules/custom-rules.ts';
import { issueText } from '../../../shared/rules/messages.ts';
import { RULES } from '../../../shared/rules/registry.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { hasBit, hasErrorSql, issueBits } from '../check.ts';
import { asNumber, asText, asTextOrNull, type Db, numberOf, rowIdOf } from '../db/db.ts';
import { campaignNameSql, campaignNames } from '../rows/campaign-ids.ts';
import { fromStored } from '../rows/codec.ts';
import { readRows } from '../rows/read-rows.ts';
import { checkedRevision, currentRevision } from '../rows/revision.ts';
import {
  allTables,
  type Column,
  choiceCode,
  columnNamed,
  kindAt,
  sqlList,
  type Table,
  tableOf,
} from '../schema/tables.ts';
import type { IssuesReader } from './issues.ts';

/** The first of several rows with the same cause, with the names that users see. */
interface FirstRow {
  readonly id: RowId;
  readonly campaignId: RowId | null;
  readonly campaign: string;
  readonly label: string;
}

export interface RowsByCause extends FirstRow {
  readonly kind: Kind;
  readonly rows: number;
  readonly campaigns: number;
}

export interface RowsWithIssue extends RowsByCause {
  readonly rule: string;
  readonly field: string | null;
  /** The text of the first row's issue; empty while its check is pending. */
  readonly text: string;
}

export interface FailedRows extends RowsByCause {
  readonly message: string;
  readonly at: number;
}

interface FailedMore extends RowsByCause {
  readonly messages: number;
  readonly at: number;
}

export interface RejectedRow extends FirstRow {
  readonly kind: Kind;
  readonly reason: string | null;
}

/** The rows that need the user: from rows, checks and refusals of the service. */
export interface Attention {
  readonly issues: readonly RowsWithIssue[];
  /** Rows with any error, by kind. */
  readonly errors: readonly { readonly kind: Kind; readonly rows: number }[];
  /** The newest messages, each with its rows. */
  readonly failed: readonly FailedRows[];
  /** Kinds with messages that are not among them: how many, and all failed rows of the kind. */
  readonly failedMore: readonly FailedMore[];
  readonly rejected: readonly RejectedRow[];
}

/** Warnings that the user should settle before the next sync. */
const ASKED_FOR: ReadonlySet<string> = new Set(['item.id-unconfirmed']);
/** Stands for all custom rules with this severity, which share a bit. */
const OWN_ERRORS = `${USER_RULE_PREFIX}error`;
/** How many messages are listed one by one; an account with more usually has one cause for most of them. */
const LISTED_MAX = 200;

const WANTED = RULES.filter(({ id, severity }) => severity === 'error' || ASKED_FOR.has(id));

/** Reads what needs attention; the result is cached until rows or checks change. */
export function createAttention(db: Db, reader: IssuesReader) {
  let known: { readonly key: string; readonly found: Attention } | null = null;
  return async (nowMs: number): Promise<Attention> => {
    const refusals = db.get('SELECT count(*), total(at) FROM refusal') ?? [];
    const key = [currentRevision(db), checkedRevision(db), ...refusals].join('/');
    if (known?.key === key) return known.found;
    const issues = [];
    for (const issue of issueRows(db)) issues.push(await withSentence(reader, nowMs, issue));
    const errors = allTables().flatMap(({ kind, name }) => {
      const rows = numberOf(db, `SELECT count(*) FROM ${name} WHERE ${hasErrorSql(kind)}`);
      return rows === 0 ? [] : [{ kind, rows }];
    });
    const found = { issues, errors, ...failedRows(db), rejected: rejectedRows(db) };
    known = { key, found };
    return found;
  };
}

type Unsaid = Omit<RowsWithIssue, 'text'>;

async function withSentence(reader: IssuesReader, nowMs: number, issue: Unsaid): Promise<RowsWithIssue> {
  const said = await reader.ofRows(nowMs, issue.kind, [issue.id]);
  const own = said.find(({ rule, severity }) =>
    issue.rule === OWN_ERRORS ? severity === 'error' && rule.startsWith(USER_RULE_PREFIX) : rule === issue.rule,
  );
  return { ...issue, field: own?.field ?? issue.field, text: own === undefined ? '' : issueText(own) };
}

function issueRows(db: Db): readonly Unsaid[] {
  return allTables().flatMap((table) => {
    const { kind, name } = table;
    // One pass over a large account shows which rules have issues at all.
    const found = db.all(`SELECT DISTINCT issues FROM ${name} WHERE issues <> 0`).map(([issues]) => asNumber(issues));
    const rules = WANTED.filter((rule) => rule.kind === kind).map(({ id, fields }) => ({
      id,
      field: fields[0] ?? null,
    }));
    return [...rules, { id: OWN_ERRORS, field: null }].flatMap(({ id, field }): Unsaid[] => {
      const bits = issueBits(kind, id);
      if (!found.some((issues) => hasBit(issues, bits))) return [];
      const where = `issues <> 0 AND issues & ${bits}`;
      const [rows, campaigns, first] =
        db.get(`SELECT count(*), count(DISTINCT campaign_id), min(id) FROM ${name} WHERE ${where}`) ?? [];
      const row = firstRow(db, table, rowIdOf(first));
      return [{ kind, rule: id, field, rows: asNumber(rows), campaigns: asNumber(campaigns), ...row }];
    });
  });
}

function failedRows(db: Db): Pick<Attention, 'failed' | 'failedMore'> {
  const sql = `SELECT kind, message, count(*), min(id) AS first, max(at) AS at FROM refusal GROUP BY kind, message
    ORDER BY max(at) DESC, min(id)`;
  const groups = db.all(`${sql} LIMIT ${LISTED_MAX}`).map(([code, message, rows, first, at]) => ({
    kind: kindAt(code),
    message: asText(message),
    rows: asNumber(rows),
    first: rowIdOf(first),
    at: asNumber(at),
  }));
  const failed = groups.map(({ kind, message, first, at }) => {
    // A search for the message also finds longer messages that contain it.
    const key = textKey(message);
    const found = groups.filter((group) => group.kind === kind && textKey(group.message).includes(key));
    const rows = found.reduce((sum, group) => sum + group.rows, 0);
    return { kind, message, at, rows, campaigns: 1, ...firstRow(db, tableOf(kind), first) };
  });
  if (groups.length < LISTED_MAX) return { failed, failedMore: [] };
  const others = `SELECT kind, count(*), min(first), max(at) FROM (${sql} LIMIT -1 OFFSET ${LISTED_MAX}) GROUP BY kind`;
  const failedMore = db.all(others).map(([code, messages, first, at]) => {
    const table = tableOf(kindAt(code));
    const rows = numberOf(db, 'SELECT count(*) FROM refusal WHERE kind = ?', table.code);
    const row = firstRow(db, table, rowIdOf(first));
    return { kind: table.kind, messages: asNumber(messages), at: asNumber(at), rows, campaigns: 1, ...row };
  });
  return { failed, failedMore };
}

/** Enabled rows that a review has rejected, without an open review. */
function rejectedRows(db: Db): readonly RejectedRow[] {
  return (['sbaProfile', 'videoProfile', 'adItem', 'keyword'] as const).flatMap((kind) => {
    const codeOf = (word: string): number => choiceCode(kind, 'reviewStatus', word);
    // The first condition makes SQLite use the index of rows that are not approved.
    const rejected = `k."reviewStatus" <> ${codeOf('approved')} AND k."reviewStatus" = ${codeOf('rejected')}`;
    // A review in an unknown state may still be open.
    const over = ['approved', 'rejected', 'cancelled'].map((word) => choiceCode('adGroup', 'reviewStatus', word));
    const open = `SELECT id FROM ad_group WHERE "reviewStatus" IS NOT NULL AND "reviewStatus" NOT IN (${over.join()})`;
    const rows = readRows(db, kind, `${rejected} AND k.ad_group_id NOT IN (${open})`) as readonly AnyRow[];
    const on = rows.filter(({ values }) => {
      const { state, status } = values as Readonly<Record<string, Cell>>;
      return (state ?? status ?? 'enabled') === 'enabled';
    });
    const names = campaignNames(db, on);
    return on.map((row) => ({
      kind,
      ...named(row, names),
      reason: textOrNull((row.values as Readonly<Record<string, Cell>>)['reviewReason']),
    }));
  });
}

function firstRow(db: Db, { kind }: Table, id: RowId): FirstRow {
  const [row] = readRows(db, kind, 'k.id = ?', id) as readonly AnyRow[];
  return row === undefined ? { id, campaignId: null, campaign: '', label: '' } : named(row, campaignNames(db, [row]));
}

const named = (row: AnyRow, names: ReadonlyMap<number, string>): FirstRow => ({
  id: row.id,
  campaignId: row.campaignId,
  campaign: row.campaignId === null ? '' : (names.get(row.campaignId) ?? ''),
  label: rowLabel(row),
});

/** The fields of a campaign that sums need, without the rest of the row. */
export interface CampaignFacts {
  readonly id: RowId;
  readonly remoteId: string | null;
  readonly name: string;
  readonly campaignType: string | null;
  readonly state: string | null;
  /** In cents. */
  readonly dailyBudget: number | null;
  readonly totalBudget: number | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

const FACTS = ['campaignType', 'campaignState', 'dailyBudget', 'totalBudget', 'startDate', 'endDate'] as const;

export function readCampaignFacts(db: Db): readonly CampaignFacts[] {
  const table = tableOf('campaign');
  const columns = FACTS.map((field) => columnNamed(table, field));
  return db
    .all(`SELECT id, remote_id, ${campaignNameSql('campaign')}, ${sqlList(columns)} FROM campaign ORDER BY id`)
    .map(([id, remoteId, name, ...cells]) => {
      const [campaignType, state, dailyBudget, totalBudget, startDate, endDate] = columns.map(({ spec }, at) =>
        fromStored(spec, cells[at]),
      );
      return {
        id: rowIdOf(id),
        remoteId: textOrNull(remoteId as Cell),
        name: asTextOrNull(name) ?? '',
        campaignType: textOrNull(campaignType),
        state: textOrNull(state),
        dailyBudget: numberOrNull(dailyBudget),
        totalBudget: numberOrNull(totalBudget),
        startDate: textOrNull(startDate),
        endDate: textOrNull(endDate),
      };
    });
}

/** Daily budgets on the service in cents, by campaign, without ended campaigns; 0 while paused. */
export function readServiceBudgets(db: Db): ReadonlyMap<RowId, number> {
  const table = tableOf('campaign');
  const budget = columnNamed(table, 'dailyBudget');
  const status = columnNamed(table, 'status');
  const state = columnNamed(table, 'campaignState');
  const onService = ({ mask, sql }: Column): string => `iif(c.dirty & ${mask}, b.${sql}, c.${sql})`;
  const rows = db.all(
    `SELECT c.id, ${onService(budget)}, ${onService(status)}, c.${state.sql}
     FROM campaign c LEFT JOIN ${table.base} b ON b.id = c.id WHERE c.remote_id IS NOT NULL`,
  );
  return new Map(
    rows.flatMap(([id, cents, wanted, is]): [RowId, number][] => {
      if (fromStored(state.spec, is) === 'ended') return [];
      const isOff = ['paused', 'completed'].includes(String(fromStored(status.spec, wanted)));
      return [[rowIdOf(id), isOff ? 0 : (numberOrNull(fromStored(budget.spec, cents)) ?? 0)]];
    }),
  );
}

const numberOrNull = (cell: Cell | undefined): number | null => (typeof cell === 'number' ? cell : null);

export const readFirstItems = (db: Db, campaignIds: readonly RowId[]) =>
  db
    .all(
      `SELECT campaign_id, itemId, min(id) FROM ad_item
       WHERE campaign_id IN (SELECT value FROM json_each(?)) AND itemId IS NOT NULL GROUP BY campaign_id`,
      JSON.stringify(campaignIds),
    )
    .map(([campaignId, itemId]) => ({ campaignId: rowIdOf(campaignId), itemId: asText(itemId) }));
