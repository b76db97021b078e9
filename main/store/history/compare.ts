import type { Difference } from '../../../shared/api/history.ts';
import { DELETED, HELD } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { asNumber, type Db, rowIdOf } from '../db/db.ts';
import { allTables, columnByCode, DELETED_CODE, HELD_CODE, type Table } from '../schema/tables.ts';
import { described, type RawChange } from './describe.ts';
import { cellsAtStepSql, changedSince, type HistoryNotFound, isKnownStep, rowsSince } from './history-state.ts';

export interface ComparePage {
  readonly total: number;
  readonly differences: Difference[];
}

/**
 * What differs between two moments; `after` null is now. Each is taken back from now, so only what has changed since
 * the earlier one is looked at. A row that came or went in between is one difference, without its cells.
 */
export function compareMoments(
  db: Db,
  before: number,
  after: number | null,
  campaignId: RowId | null,
  from: number,
  count: number,
): Result<ComparePage, HistoryNotFound> {
  for (const step of [before, after ?? 0]) if (!isKnownStep(db, step)) return fail('NO_MOMENT', { step });
  const changes = differing(db, before, after ?? Number.MAX_SAFE_INTEGER);
  const wanted = campaignId === null ? changes : changes.filter((change) => change.campaignId === campaignId);
  wanted.sort((a, b) => a.campaignId - b.campaignId || a.table.code - b.table.code || a.id - b.id || a.code - b.code);
  return ok({ total: wanted.length, differences: described(db, wanted.slice(from, from + count)) });
}

type Placed = RawChange & { readonly campaignId: number };

function differing(db: Db, before: number, after: number): Placed[] {
  const found: Placed[] = [];
  const cameOrWent = new Set<string>();
  for (const table of allTables()) {
    for (const change of rowDifferences(db, table, before, after)) {
      cameOrWent.add(`${table.code} ${change.id}`);
      if (change.what !== 'cell') found.push(change);
    }
  }
  for (const { table, code } of changedSince(db, before)) {
    for (const change of cellDifferences(db, table, code, before, after)) {
      if (!cameOrWent.has(`${table.code} ${change.id}`)) found.push(change);
    }
  }
  return found;
}

/** Rows that are there at one of the two moments only; `cell` stands for rows that are there at neither. */
function rowDifferences(db: Db, table: Table, before: number, after: number): Placed[] {
  const sql = `SELECT b.id, b.made, a.made, k.id, coalesce(k.campaign_id, ${parked(table, 'campaign_id')}, 0)
    FROM (${rowsSince(table)}) b LEFT JOIN (${rowsSince(table)}) a ON a.id = b.id
    LEFT JOIN ${table.name} k ON k.id = b.id`;
  return db.all(sql, before, after).flatMap(([id, sinceBefore, sinceAfter, present, campaign]) => {
    const wasThere = sinceBefore === 0;
    const isThere = sinceAfter === null ? present !== null : sinceAfter === 0;
    if (wasThere && isThere) return [];
    const what = wasThere ? 'removed' : isThere ? 'made' : 'cell';
    return [
      {
        table,
        id: rowIdOf(id),
        what,
        code: 0,
        before: null,
        after: null,
        campaignId: asNumber(campaign),
      } as const,
    ];
  });
}

function cellDifferences(db: Db, table: Table, code: number, before: number, after: number): Placed[] {
  const mark = code === DELETED_CODE ? DELETED : code === HELD_CODE ? HELD : null;
  const column = mark === null ? columnByCode(table, code) : null;
  const present = column === null ? `(k.dirty & ${mark}) <> 0` : `k.${column.sql}`;
  const left = column === null ? `(${parked(table, 'dirty')} & ${mark}) <> 0` : parked(table, column.field);
  const sql = `SELECT * FROM (
      SELECT b.id, b.v AS was, iif(a.id IS NOT NULL, a.v, iif(k.id IS NULL, ${left}, ${present})) AS is_now,
        coalesce(k.campaign_id, ${parked(table, 'campaign_id')}, 0)
      FROM (${cellsAtStepSql(table, code)}) b LEFT JOIN (${cellsAtStepSql(table, code)}) a ON a.id = b.id
      LEFT JOIN ${table.name} k ON k.id = b.id) WHERE was IS NOT is_now`;
  return db.all(sql, before, after).map(([id, was, isNow, campaign]) => ({
    table,
    id: rowIdOf(id),
    what: 'cell',
    code,
    before: was,
    after: isNow,
    campaignId: asNumber(campaign),
  }));
}

/** SQL: a column of a row that is not in its table any more, as it was when it left the last time. */
const parked = (table: Table, column: string): string =>
  `(SELECT json_extract(r.content, '$."${column}"') FROM step_row r WHERE r.kind = ${table.code} AND r.id = b.id
    AND r.content IS NOT NULL ORDER BY r.step DESC LIMIT 1)`;
