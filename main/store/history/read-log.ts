import type { LogEntry } from '../../../shared/api/history.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { kindCode } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, type Db, type DbRow, numberOf, rowIdOf } from '../db/db.ts';
import { allTables } from '../schema/tables.ts';
import { described, type RawChange } from './describe.ts';
import { tableNumbered } from './history-state.ts';

export interface LogFilter {
  readonly stepId: number | null;
  readonly ref: RowRef | null;
  readonly campaignId: RowId | null;
}

export interface LogPage {
  readonly total: number;
  readonly entries: LogEntry[];
}

/** Codes in the place of a field for rows that were made or removed as a whole. */
const MADE = 200;
const REMOVED = 201;

/** Entries of a step, or of all steps `where` picks, with the rows of the step behind those of cells. */
const entriesSql = (where: string): string =>
  `SELECT step, kind, id, field, old, new FROM step_cell c WHERE ${where}
   UNION ALL SELECT step, kind, id, iif(made, ${MADE}, ${REMOVED}), NULL, NULL FROM step_row c WHERE ${where}`;

/** The log of what was done, newest step first, row by row within a step. */
export function readLog(db: Db, from: number, count: number, filter: LogFilter): LogPage {
  const { stepId, ref, campaignId } = filter;
  if (ref === null && campaignId === null && stepId === null) return readAll(db, from, count);
  const bind: number[] = [];
  const bound = (value: number): string => `?${bind.push(value)}`;
  const conditions: string[] = [];
  if (stepId !== null) conditions.push(`step = ${bound(stepId)}`);
  if (ref !== null) conditions.push(`kind = ${kindCode(ref.kind)} AND id = ${bound(ref.id)}`);
  if (campaignId !== null) conditions.push(inCampaign(bound(campaignId)));
  const sql = entriesSql(conditions.join(' AND '));
  const total = numberOf(db, `SELECT count(*) FROM (${sql})`, ...bind);
  const page = `LIMIT ${bound(count)} OFFSET ${bound(from)}`;
  const rows = db.all(`SELECT * FROM (${sql}) ORDER BY step DESC, kind, id, field ${page}`, ...bind);
  return { total, entries: entries(db, rows) };
}

/** Everything: the steps say how many entries each has, so that only those on the page are read. */
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

/** SQL: the row belongs to the campaign of this parameter, now or when it left. */
function inCampaign(campaign: string): string {
  const rows = allTables().map(({ name, code }) => `SELECT ${code}, id FROM ${name} WHERE campaign_id = ${campaign}`);
  const gone = `SELECT kind, id FROM step_row WHERE json_extract(content, '$."campaign_id"') = ${campaign}`;
  return `(kind, id) IN (${[...rows, gone].join(' UNION ')})`;
}

function entries(db: Db, rows: readonly DbRow[]): LogEntry[] {
  const ids = JSON.stringify([...new Set(rows.map(([step]) => step))]);
  const steps = new Map(
    db
      .all('SELECT id, label, source, who, at, state FROM step WHERE id IN (SELECT value FROM json_each(?))', ids)
      .map((step) => [step[0], step] as const),
  );
  const changes = rows.map(([, kind, id, code, before, after]): RawChange => {
    const table = tableNumbered(kind);
    const what = code === MADE ? 'made' : code === REMOVED ? 'removed' : 'cell';
    return { table, id: rowIdOf(id), what, code: asNumber(code), before, after };
  });
  return described(db, changes).map((difference, i) => {
    const [id, label, source, who, at, state] = steps.get(rows[i]?.[0] ?? null) ?? [];
    return {
      stepId: asNumber(id),
      step: asText(label),
      source: asText(source),
      who: asText(who),
      at: asNumber(at),
      undone: state === 1,
      ...difference,
    };
  });
}
