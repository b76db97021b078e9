import type { Difference } from '../../../shared/api/history.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { asNumber, asText, type Db, type DbValue, rowIdOrNull } from '../db/db.ts';
import { campaignNames } from '../rows/campaign-ids.ts';
import { fromStored } from '../rows/codec.ts';
import { readRowsByIds } from '../rows/read-rows.ts';
import { columnByCode, DELETED_CODE, HELD_CODE, type Table } from '../schema/tables.ts';

/** A change as the history keeps it: codes and stored values. */
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

/** The changes in words: which row, which field, and cells as the model has them. */
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

/** Rows as they are, and those that have left as they were the last time. */
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
      known.set(`${table.kind} ${asNumber(id)}`, parked(table, asText(content)));
    }
  }
  return known;
}

/** What the JSON of a row that has left says of it. Its columns are stored as in the table. */
function parked(table: Table, content: string): Known {
  const columns: Readonly<Record<string, DbValue>> = JSON.parse(content);
  const values: Record<string, Cell> = {};
  for (const { field, spec } of table.columns) values[field] = fromStored(spec, columns[field]);
  const row: unknown = { kind: table.kind, values };
  return { campaignId: rowIdOrNull(columns['campaign_id']), label: rowLabel(row as AnyRow) };
}
