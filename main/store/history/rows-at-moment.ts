import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, isDeleted } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asText, type Db, rowIdOf } from '../db/db.ts';
import { fromStored } from '../rows/codec.ts';
import { readRows, readRowsOfCampaigns } from '../rows/read-rows.ts';
import { partAt, type Table, tableOf } from '../schema/tables.ts';
import { cellsAtStepSql, changedSince, removedRow, rowsSince } from './read-log.ts';

/**
 * Rows of a kind right after a step, including those removed since. Writes nothing.
 *
 * @param moment ID of a stored step; 0 for before the oldest
 * @param campaignIds null for all campaigns
 */
export function rowsAtMoment(
  db: Db,
  kind: Kind,
  moment: number,
  campaignIds: readonly RowId[] | null,
): readonly AnyRow[] {
  const table = tableOf(kind);
  const now = campaignIds === null ? readRows(db, kind, 'true') : readRowsOfCampaigns(db, kind, campaignIds);
  const rows = new Map<number, AnyRow>(now.map((row) => [row.id, row as AnyRow]));
  const removed = removedSince(db, table, moment, campaignIds);
  for (const [id, made] of db.all(rowsSince(table), moment)) {
    if (made === 1) rows.delete(asNumber(id));
    else if (!rows.has(asNumber(id))) {
      const content = removed.get(asNumber(id));
      if (content !== undefined) rows.set(asNumber(id), removedRow(table, rowIdOf(id), content));
    }
  }
  for (const { code } of changedSince(db, moment).filter((changed) => changed.table === table)) {
    const { mark, column } = partAt(table, code);
    for (const [id, stored] of db.all(cellsAtStepSql(table, code), moment)) {
      const row = rows.get(asNumber(id));
      if (row === undefined) continue;
      const changed =
        column === null
          ? { ...row, dirty: stored === 1 ? row.dirty | mark : row.dirty & ~mark }
          : { ...row, values: { ...row.values, [column.field]: fromStored(column.spec, stored) } };
      rows.set(row.id, changed as AnyRow);
    }
  }
  return [...rows.values()].filter((row) => !isDeleted(row));
}

/**
 * Rows removed since the moment, as they were when removed, as JSON. Read at once: steps have no index by row, so each
 * single row would read all steps again.
 */
function removedSince(
  db: Db,
  table: Table,
  moment: number,
  campaignIds: readonly RowId[] | null,
): ReadonlyMap<number, string> {
  const found = db.all(
    `SELECT id, content, min(step) FROM step_row WHERE step > ?1 AND kind = ?2 AND made = 0 AND content IS NOT NULL
     AND (?3 IS NULL OR json_extract(content, '$."campaign_id"') IN (SELECT value FROM json_each(?3))) GROUP BY id`,
    moment,
    table.code,
    campaignIds === null ? null : JSON.stringify(campaignIds),
  );
  return new Map(found.map(([id, content]) => [asNumber(id), asText(content)]));
}
