import { isCellOf } from '../../../shared/model/cell-text.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import type { Db, DbBind } from '../db/db.ts';
import { toBound, toStored } from '../rows/codec.ts';
import { type Column, sqlList, type Table } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';

/** What the service knows multipliers by, beside their campaign: they have no id of their own. */
const PAIR_FIELD: Readonly<Partial<Record<Kind, string>>> = {
  placementMultiplier: 'placement',
  platformMultiplier: 'platform',
};

/** Bit of a column in `has`: whether the answer of the service had the field. */
export const hasBitOf = (table: Table, column: Column): number => 2 ** table.columns.indexOf(column);

/**
 * Puts what the service said about rows of one kind into `temp.remote`, one column per field, and finds the local
 * rows they stand for. Later rows win over earlier ones for the same thing.
 *
 * @returns the name of the staging table
 */
export function stageRemote(db: Db, table: Table, rows: readonly RemoteRow[]): string {
  const stage = `temp.remote_${table.name}`;
  const columns = table.columns.map((column) => `${column.sql} ${column.sqlType}`).join(', ');
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS remote_${table.name}(seq INTEGER PRIMARY KEY, id INTEGER, remote_id TEXT,
    campaign_id INTEGER, ad_group_id INTEGER, has INTEGER NOT NULL, ${columns}) STRICT;
    CREATE INDEX IF NOT EXISTS temp.remote_${table.name}_id ON remote_${table.name}(id)`);
  db.run(`DELETE FROM ${stage}`);
  const insert = `INSERT INTO ${stage}(remote_id, campaign_id, ad_group_id, has, ${sqlList(table.columns)})
    VALUES (?, ?, ?, ?, ${table.columns.map(() => '?').join(', ')})`;
  for (const row of lastOfEach(table.kind, rows)) db.run(insert, ...stored(table, row));
  findLocalRows(db, table, stage);
  return stage;
}

function lastOfEach(kind: Kind, rows: readonly RemoteRow[]): Iterable<RemoteRow> {
  const pair = PAIR_FIELD[kind];
  const byKey = new Map<string, RemoteRow>();
  for (const row of rows) {
    const key = row.remoteId ?? (pair === undefined ? null : `${row.campaignId}/${row.values[pair]}`);
    if (key !== null) byKey.set(key, row);
  }
  return byKey.values();
}

/** A value that does not fit its field counts as not answered; words that this version does not know fit. */
function stored(table: Table, row: RemoteRow): DbBind[] {
  let has = 0;
  const values: DbBind[] = [];
  for (const column of table.columns) {
    const cell = row.values[column.field];
    const blank = cell === '' ? null : cell;
    const fits = blank !== undefined && isCellOf(column.spec, blank);
    if (fits) has += hasBitOf(table, column);
    values.push(fits ? toBound(column, toStored(column.spec, blank)) : null);
  }
  return [row.remoteId, row.campaignId, row.adGroupId, has, ...values];
}

function findLocalRows(db: Db, table: Table, stage: string): void {
  const { name } = table;
  db.run(
    `UPDATE ${stage} AS s SET id = (SELECT k.id FROM ${name} k WHERE k.remote_id = s.remote_id)
     WHERE s.remote_id IS NOT NULL`,
  );
  const pair = table.columns.find((column) => column.field === PAIR_FIELD[table.kind]);
  if (pair === undefined) return;
  db.run(
    `UPDATE ${stage} AS s SET id = (SELECT k.id FROM ${name} k WHERE k.campaign_id = s.campaign_id
       AND k.${pair.sql} IS s.${pair.sql} LIMIT 1) WHERE s.id IS NULL`,
  );
}

/**
 * A row made here that the service turns out to have is no longer new: what the service said is its base. Only
 * multipliers are found without an id, so only they can be both.
 *
 * @returns how many rows stopped being new
 */
export function adoptNewRows(db: Db, table: Table, stage: string): number {
  const { name, base } = table;
  db.run('DELETE FROM temp.sel');
  const found = db.run(
    `INSERT OR IGNORE INTO temp.sel(id) SELECT k.id FROM ${stage} s CROSS JOIN ${name} k ON k.id = s.id
     WHERE k.dirty & ${NEW}`,
  );
  if (found === 0) return 0;
  const baseCells = table.userColumns.map((c) => `iif(s.has & ${hasBitOf(table, c)}, s.${c.sql}, k.${c.sql})`);
  db.run(
    `INSERT INTO ${base}(id, ${sqlList(table.userColumns)}) SELECT k.id, ${baseCells.join(', ')}
     FROM temp.sel n CROSS JOIN ${name} k ON k.id = n.id CROSS JOIN ${stage} s ON s.id = k.id`,
  );
  db.run(
    `UPDATE ${name} AS k SET dirty = (k.dirty & ~${NEW}) | ${differingBitsSql(table)}
     FROM ${base} b, temp.sel n WHERE b.id = +n.id AND k.id = +n.id`,
  );
  db.run(
    `DELETE FROM ${base} WHERE id IN (SELECT k.id FROM temp.sel n CROSS JOIN ${name} k ON k.id = n.id
     WHERE k.dirty & ${FIELD_BITS} = 0)`,
  );
  return found;
}

/** SQL for the mask of the fields in which row `k` and its base `b` differ. */
export const differingBitsSql = (table: Table): string =>
  `(${table.userColumns.map((c) => `(k.${c.sql} IS NOT b.${c.sql}) * ${c.mask}`).join(' | ')})`;
