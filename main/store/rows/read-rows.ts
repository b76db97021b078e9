import type { RowRef } from '../../../shared/api/scalars.ts';
import { memo } from '../../../shared/memo.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { type AnyRow, FIELD_BITS, type Row, rowKey } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, type Db, type DbRow, type DbValue, idList, snapshot } from '../db/db.ts';
import { sqlList, type Table, tableOf } from '../schema/tables.ts';
import { readValues } from './codec.ts';

/** Columns before the fields in every completely read row. */
const HEAD = 'k.id, k.campaign_id, k.ad_group_id, k.remote_id, k.dirty';
/** Same with null instead of the service ID. */
const HEAD_WITHOUT_REMOTE_ID = HEAD.replace('k.remote_id', 'NULL');
const HEAD_LENGTH = 5;
const DIRTY_AT = 4;

/**
 * Reads complete rows of a kind with their base, ordered by ID.
 *
 * @param where condition on the table alias `k`, written by the store; values go through `bind`
 */
export function readRows<K extends Kind>(
  db: Db,
  kind: K,
  where: string,
  ...bind: readonly DbValue[]
): readonly Row<K>[] {
  return readOrdered(db, kind, `${where} ORDER BY k.id`, bind);
}

/** Reads the rows with these IDs; deleted ones are left out. */
export const readRowsWithIds = <K extends Kind>(
  db: Db,
  kind: K,
  ids: readonly number[] | Int32Array,
): readonly Row<K>[] => readRows(db, kind, 'k.id IN (SELECT value FROM json_each(?))', `[${ids.join(',')}]`);

/**
 * Rows of campaigns, campaign by campaign. The index has this order, so nothing is sorted.
 *
 * @param head `without remote id` leaves `remoteId` null in the result
 */
export function readRowsOfCampaigns<K extends Kind>(
  db: Db,
  kind: K,
  campaignIds: readonly RowId[],
  head: 'whole' | 'without remote id' = 'whole',
): readonly Row<K>[] {
  const list = idList(campaignIds);
  const select = head === 'whole' ? selectSql : selectWithoutRemoteIdSql;
  return readOrdered(db, kind, `k.campaign_id ${list.sql} ORDER BY k.campaign_id, k.id`, [list.bind], select);
}

function readOrdered<K extends Kind>(
  db: Db,
  kind: K,
  where: string,
  bind: readonly DbValue[],
  select = selectSql,
): readonly Row<K>[] {
  const table = tableOf(kind);
  const sql = select(table)(where);
  return snapshot(db, () => {
    const rows = db.all(sql, ...bind);
    const bases = readBases(db, table, rows);
    return rows.map((row) => toRow(table, kind, row, bases.get(asNumber(row[0]))));
  });
}

const selecting = (head: string) =>
  memo((table: Table) =>
    memo((where: string) => `SELECT ${head}, ${sqlList(table.columns, 'k.')} FROM ${table.name} k WHERE ${where}`),
  );
const selectSql = selecting(HEAD);
const selectWithoutRemoteIdSql = selecting(HEAD_WITHOUT_REMOTE_ID);

/** The bases of rows that have one according to their marks: usually few. */
function readBases(db: Db, table: Table, rows: readonly DbRow[]): ReadonlyMap<number, DbRow> {
  const ids: number[] = [];
  for (const row of rows) if ((asNumber(row[DIRTY_AT]) & FIELD_BITS) !== 0) ids.push(asNumber(row[0]));
  if (ids.length === 0) return NO_BASES;
  const list = idList(ids);
  const found = db.all(basesSql(table)(list.sql), list.bind);
  return new Map(found.map((base) => [asNumber(base[0]), base]));
}

const basesSql = memo((table: Table) =>
  memo((which: string) => `SELECT id, ${sqlList(table.userColumns)} FROM ${table.base} WHERE id ${which}`),
);
const NO_BASES: ReadonlyMap<number, DbRow> = new Map();

function toRow<K extends Kind>(table: Table, kind: K, row: DbRow, base: DbRow | undefined): Row<K> {
  const values: Record<string, Cell> = {};
  readValues(table.columns, row, HEAD_LENGTH, values);
  let baseValues: Record<string, Cell> | null = null;
  if (base !== undefined) {
    // Fields that only the service changes have no base value, so the base has the current one.
    baseValues = { ...values };
    readValues(table.userColumns, base, 1, baseValues);
  }
  const made: unknown = {
    kind,
    id: row[0],
    campaignId: row[1],
    adGroupId: row[2],
    remoteId: row[3],
    values,
    base: baseValues,
    dirty: row[4],
  };
  // The tables are generated from the field declarations that `Row` is derived from, and STRICT enforces the types.
  return made as Row<K>;
}

/**
 * Reads rows without their base, in the order of the IDs. Deleted rows are left out.
 *
 * @param fields the fields to read, or null for all; the others are null in the result
 */
export function readRowsByIds(
  db: Db,
  kind: Kind,
  ids: Int32Array,
  fields: readonly string[] | null = null,
): readonly AnyRow[] {
  const table = tableOf(kind);
  const columns = fields === null ? table.columns : table.columns.filter(({ field }) => fields.includes(field));
  const partial = { ...table, columns };
  const list = columns.length === 0 ? '' : `, ${sqlList(columns, 'k.')}`;
  const rows = db.all(
    `SELECT ${HEAD}${list} FROM json_each(?) j CROSS JOIN ${table.name} k ON k.id = j.value ORDER BY j.rowid`,
    `[${ids.join(',')}]`,
  );
  return rows.map((row) => toRow(partial, kind, row, undefined) as AnyRow);
}

/** Rows of any kinds by their `rowKey`, without their base; deleted rows are left out. */
export function readRowsOf(
  db: Db,
  refs: readonly RowRef[],
  fields: readonly string[] | null = null,
): ReadonlyMap<string, AnyRow> {
  const byKind = Map.groupBy(refs, ({ kind }) => kind);
  const rows = [...byKind].flatMap(([kind, some]) =>
    readRowsByIds(
      db,
      kind,
      Int32Array.from(some, ({ id }) => id),
      fields,
    ),
  );
  return new Map(rows.map((row) => [rowKey(row.kind, row.id), row]));
}

/** One row of any kind, or null if no row has that ID. */
export function readRow(db: Db, ref: RowRef): AnyRow | null {
  const [row] = readRows(db, ref.kind, 'k.id = ?', ref.id);
  return row === undefined ? null : (row as AnyRow);
}

export const exists = (db: Db, ref: RowRef): boolean =>
  db.get(`SELECT 1 FROM ${tableOf(ref.kind).name} WHERE id = ?`, ref.id) !== undefined;
