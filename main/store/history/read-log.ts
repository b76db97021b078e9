import type { LogEntry } from '../../../shared/api/history.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { asNumber, asText, type Db, type DbRow, type DbValue, numberOf, rowIdOf } from '../db/db.ts';
import { ofMember } from '../reader/summary.ts';
import { campaignNames } from '../rows/campaign-ids.ts';
import { fromStored } from '../rows/codec.ts';
import { readRowsByIds } from '../rows/read-rows.ts';
import { allTables, columnByCode, DELETED_CODE, HELD_CODE, kindAt, type Table, tableOf } from '../schema/tables.ts';

export interface LogFilter {
  readonly stepId: number | null;
  readonly ref: RowRef | null;
  readonly campaignId: RowId | null;
  /** Member of the team. */
  readonly member?: number | null;
}

export interface LogPage {
  readonly total: number;
  readonly entries: LogEntry[];
}

/** Codes instead of a field for rows that were created or removed as a whole. */
const MADE = 200;
const REMOVED = 201;

/** Entries of the steps that match `where`: cells, then rows. */
const entriesSql = (where: string): string =>
  `SELECT step, kind, id, field, old, new FROM step_cell c WHERE ${where}
   UNION ALL SELECT step, kind, id, iif(made, ${MADE}, ${REMOVED}), NULL, NULL FROM step_row c WHERE ${where}`;

/** The log of changes, newest step first, row by row within a step. */
export function readLog(db: Db, from: number, count: number, filter: LogFilter): LogPage {
  const { stepId, ref, campaignId, member = null } = filter;
  if (ref === null && campaignId === null && stepId === null && member === null) return readAll(db, from, count);
  const bind: number[] = [];
  const bound = (value: number): string => `?${bind.push(value)}`;
  const conditions: string[] = [];
  if (stepId !== null) conditions.push(`step = ${bound(stepId)}`);
  if (ref !== null) conditions.push(`kind = ${kindCode(ref.kind)} AND id = ${bound(ref.id)}`);
  if (campaignId !== null) conditions.push(inCampaign(bound(campaignId)));
  if (member !== null) {
    const of = bound(member);
    conditions.push(`step IN (SELECT id FROM step WHERE ${ofMember(of, of)})`);
  }
  const sql = entriesSql(conditions.join(' AND '));
  const total = numberOf(db, `SELECT count(*) FROM (${sql})`, ...bind);
  const page = `LIMIT ${bound(count)} OFFSET ${bound(from)}`;
  const rows = db.all(`SELECT * FROM (${sql}) ORDER BY step DESC, kind, id, field ${page}`, ...bind);
  return { total, entries: entries(db, rows) };
}

/** The whole log: steps store their number of entries, so only those on the page are read. */
function readAll(db: Db, from: number, count: number): LogPage {
  const found: DbRow[] = [];
  let at = 0;
  for (const [step, size] of db.all('SELECT id, entries FROM step ORDER BY id DESC')) {
    const first = Math.max(0, from - at);
    if (first < asNumber(size) && found.length < count) {
      const sql = `${entriesSql('step = ?1')} ORDER BY kind, id, field LIMIT ?2 OFFSET ?3`;
      found.push(...db.all(sql, asNumber(step), count - found.length, first));
    }
    at += asNumber(size);
  }
  return { total: at, entries: entries(db, found) };
}

/** SQL: the row belongs to the campaign of this parameter, now or when it was removed. */
function inCampaign(campaign: string): string {
  const rows = allTables().map(({ name, code }) => `SELECT ${code}, id FROM ${name} WHERE campaign_id = ${campaign}`);
  const gone = `SELECT kind, id FROM step_row WHERE json_extract(content, '$."campaign_id"') = ${campaign}`;
  return `(kind, id) IN (${[...rows, gone].join(' UNION ')})`;
}

function entries(db: Db, rows: readonly DbRow[]): LogEntry[] {
  const ids = JSON.stringify([...new Set(rows.map(([step]) => step))]);
  const steps = new Map(
    db
      .all(
        'SELECT id, label, source, who, at, state, member, desk FROM step WHERE id IN (SELECT value FROM json_each(?))',
        ids,
      )
      .map((step) => [step[0], step] as const),
  );
  const changes = rows.map(([, kind, id, code, before, after]): RawChange => {
    const table = tableOf(kindAt(kind));
    const what = code === MADE ? 'made' : code === REMOVED ? 'removed' : 'cell';
    return { table, id: rowIdOf(id), what, code: asNumber(code), before, after };
  });
  const reasons = new Map(
    db
      .all('SELECT step, kind, id, reason FROM step_reason WHERE step IN (SELECT value FROM json_each(?))', ids)
      .map(([step, kind, id, reason]) => [`${step} ${kind} ${id}`, asText(reason)]),
  );
  return described(db, changes).map((difference, i) => {
    const [id, label, source, who, at, state, member, desk] = steps.get(rows[i]?.[0] ?? null) ?? [];
    const reason = reasons.get(`${id} ${kindCode(difference.kind)} ${difference.id}`);
    return {
      stepId: asNumber(id),
      step: asText(label),
      source: asText(source),
      who: asText(who),
      at: asNumber(at),
      undone: state === 1,
      ...(reason === undefined ? {} : { reason }),
      ...(member == null ? {} : { member: asNumber(member) }),
      ...(desk == null ? {} : { desk: asNumber(desk) }),
      ...difference,
    };
  });
}

/** A change as stored in the history: codes and stored values. */
export interface RawChange {
  readonly table: Table;
  readonly id: RowId;
  readonly what: 'cell' | 'made' | 'removed';
  /** The field or mark of a cell. */
  readonly code: number;
  readonly before: DbValue | undefined;
  readonly after: DbValue | undefined;
}

type Known = Pick<AnyRow, 'campaignId'> & { readonly label: string };

type Difference = Omit<LogEntry, 'stepId' | 'step' | 'source' | 'who' | 'member' | 'desk' | 'at' | 'undone' | 'reason'>;

/** Changes for display: names of row and field, and cells of the model. */
export function described(db: Db, changes: readonly RawChange[]): Difference[] {
  const rows = knownRows(db, changes);
  const names = campaignNames(db, [...rows.values()]);
  return changes.map(({ table, id, what, code, before, after }) => {
    const row = rows.get(`${table.kind} ${id}`);
    const campaignId = row?.campaignId ?? null;
    const head = {
      kind: table.kind,
      id,
      label: row?.label ?? '',
      campaignId,
      campaignName: campaignId === null ? '' : (names.get(campaignId) ?? ''),
    };
    if (what !== 'cell') return { ...head, what, field: null, before: null, after: null };
    if (code === DELETED_CODE || code === HELD_CODE) {
      const mark = code === HELD_CODE ? 'held' : 'deleted';
      return { ...head, what: mark, field: null, before: Number(before), after: Number(after) };
    }
    const { field, spec } = columnByCode(table, code);
    return { ...head, what: 'field', field, before: fromStored(spec, before), after: fromStored(spec, after) };
  });
}

/** Existing rows, and removed rows as they last were. */
function knownRows(db: Db, changes: readonly RawChange[]): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const table of new Set(changes.map((change) => change.table))) {
    const ids = [...new Set(changes.filter((change) => change.table === table).map(({ id }) => id))];
    for (const row of readRowsByIds(db, table.kind, Int32Array.from(ids))) {
      known.set(`${table.kind} ${row.id}`, { campaignId: row.campaignId, label: rowLabel(row) });
    }
    const gone = ids.filter((id) => !known.has(`${table.kind} ${id}`));
    if (gone.length === 0) continue;
    const sql = `SELECT id, content, max(step) FROM step_row WHERE kind = ${table.code} AND content IS NOT NULL
      AND id IN (SELECT value FROM json_each(?)) GROUP BY id`;
    for (const [id, content] of db.all(sql, JSON.stringify(gone))) {
      const row = removedRow(table, rowIdOf(id), asText(content));
      known.set(`${table.kind} ${row.id}`, { campaignId: row.campaignId, label: rowLabel(row) });
    }
  }
  return known;
}

/** A removed row, from its JSON. Columns are stored as in the table. */
export function removedRow(table: Table, id: RowId, content: string): AnyRow {
  const columns: Readonly<Record<string, DbValue>> = JSON.parse(content);
  const values: Record<string, Cell> = {};
  for (const { field, spec } of table.columns) values[field] = fromStored(spec, columns[field]);
  const { campaign_id, ad_group_id, remote_id, dirty } = columns;
  const row: unknown = {
    kind: table.kind,
    id,
    campaignId: table.kind === 'campaign' ? id : (campaign_id ?? null),
    adGroupId: ad_group_id ?? null,
    remoteId: remote_id ?? null,
    values,
    base: null,
    dirty: dirty ?? 0,
  };
  // Built from the same columns as a row that is read.
  return row as AnyRow;
}

/** The step does not exist, or it has been pruned. */
export type HistoryNotFound = Failure<'NO_MOMENT'>;

/** True for a stored step, and for 0, which means before all steps. */
export const isKnownStep = (db: Db, step: number): boolean =>
  step === 0 || db.get('SELECT 1 FROM step WHERE id = ?', step) !== undefined;

const AFTER = 'step > ? AND step IN (SELECT id FROM step WHERE state = 0)';

/**
 * SQL to be bound to a moment: IDs with the value that a field (or mark, by its code) had at the moment, if it changed
 * since. The oldest change after the moment has the value in `old`. Undone steps don't count. Merges with the service
 * are not steps, so a cell that only the service changed shows its current value.
 *
 *   moment        now
 *   --|--a->b--b->c--|    at the moment: a
 */
export const cellsAtStepSql = (table: Table, code: number): string =>
  `SELECT id, old AS v, min(step) FROM step_cell
   WHERE ${AFTER} AND kind = ${table.code} AND field = ${code} GROUP BY id`;

/**
 * SQL to be bound to a moment: IDs of rows that were created or removed since, with `made` 1 for rows that did not
 * exist then.
 */
export const rowsSince = (table: Table): string =>
  `SELECT id, made, min(step) FROM step_row WHERE ${AFTER} AND kind = ${table.code} GROUP BY id`;

/** Kinds with the codes of fields and marks that changed since the moment. */
export function changedSince(db: Db, moment: number): readonly { readonly table: Table; readonly code: number }[] {
  const rows = db.all(`SELECT DISTINCT kind, field FROM step_cell WHERE ${AFTER} ORDER BY kind, field`, moment);
  return rows.map(([kind, code]) => ({ table: tableOf(kindAt(kind)), code: asNumber(code) }));
}
