import { mergeField } from '../../../shared/merge/merge.ts';
import { isCellOf } from '../../../shared/model/cell-text.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { asNumber, asTextOrNull, type Db, type DbBind, numberOf, rowIdOf, rowIdsOf } from '../db/db.ts';
import { recordShownIds } from '../remote/remote-ids.ts';
import { noteShown } from '../reviews/banners-shown.ts';
import { recordReviewResults } from '../reviews/review-history.ts';
import { toBound } from '../rows/codec.ts';
import { type Column, columnOf, sqlList, type Table, tableOf } from '../schema/tables.ts';
import type { RemoteRow } from '../types.ts';
import { noteSelection } from './removal.ts';
import { fillSelectionFrom } from './selection.ts';
import { dropEmptyBases, dropSettledConflicts } from './write-field.ts';
import type { AffectedRows } from './writer-store.ts';
import { takeIds } from './writer-store.ts';

/**
 * Merges values read from the service, field by field (base: the last service value):
 *
 *   unchanged here and on the service   nothing
 *   changed here only                   stays changed
 *   changed on the service only         the service's value, in row and base
 *   changed to the same on both         no longer changed
 *   changed differently on both         stays changed, and is a conflict until it is resolved
 *
 * Rows that only the service has are added, parents first.
 */
export function mergeRemoteRows(db: Db, rows: readonly RemoteRow[], nowMs: number, touched: AffectedRows): void {
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  for (const kind of KINDS) {
    const group = byKind.get(kind);
    if (group !== undefined) mergeKind(db, tableOf(kind), group, nowMs, touched);
  }
}

function mergeKind(db: Db, table: Table, rows: readonly RemoteRow[], nowMs: number, touched: AffectedRows): void {
  const { name, base } = table;
  const stage = stageRemote(db, table, rows);
  if (adoptNewRows(db, table, stage)) noteSelection(db, table, touched);
  if (normalizeEqualValues(db, table, stage)) touchStaged(db, table, stage, touched);
  const unseen =
    table.kind === 'sbaProfile'
      ? idsOf(db, `${stage} s WHERE s.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM banner_shown b WHERE b.row = s.id)`)
      : [];
  db.run(
    `DELETE FROM ${stage} WHERE seq IN (SELECT s.seq FROM ${stage} s CROSS JOIN ${name} k ON k.id = s.id
     LEFT JOIN ${base} b ON b.id = k.id WHERE NOT (${table.columns.map((c) => saysNews(table, c)).join(' OR ')}))`,
  );
  const updated = numberOf(db, `SELECT count(*) FROM ${stage} WHERE id IS NOT NULL`);
  if (updated > 0) updateRows(db, table, stage, nowMs);
  const added = addRows(db, table, stage);
  recordShownIds(db, table.kind, rows, nowMs);
  if (added > 0) touched.grown.add(table.kind);
  if (updated + added > 0) touchStaged(db, table, stage, touched);
  if (table.kind === 'sbaProfile' || table.kind === 'videoProfile') {
    recordReviewResults(db, table.kind, judgedIds(db, table, stage), nowMs, touched);
  }
  if (table.kind === 'sbaProfile') noteShown(db, [...unseen, ...idsOf(db, `${stage} s WHERE s.id IS NOT NULL`)], nowMs);
}

/** Rows whose review status the service has just returned. */
function judgedIds(db: Db, table: Table, stage: string): readonly RowId[] {
  const status = columnOf(table, 'reviewStatus');
  if (status === undefined) return [];
  return idsOf(db, `${stage} s WHERE s.id IS NOT NULL AND s.has & ${hasBitOf(table, status)}`);
}

const idsOf = (db: Db, from: string): readonly RowId[] => rowIdsOf(db, `SELECT s.id FROM ${from}`);

function touchStaged(db: Db, table: Table, stage: string, touched: AffectedRows): void {
  if (table.kind === 'media') {
    // Campaigns whose profiles use a file are checked again when its state changes.
    fillSelectionFrom(db, `SELECT id, NULL FROM ${stage} WHERE id IS NOT NULL`);
    noteSelection(db, table, touched);
    return;
  }
  touched.kinds.add(table.kind);
  if (table.parent === 'account') touched.account = true;
  const campaigns = db.all(
    `SELECT DISTINCT k.campaign_id FROM ${stage} s CROSS JOIN ${table.name} k ON k.id = s.id
     WHERE k.campaign_id IS NOT NULL`,
  );
  for (const [id] of campaigns) touched.campaign(rowIdOf(id));
}

/** SQL: the answer has the field, with another value than the last service value. */
function saysNews(table: Table, column: Column): string {
  const believed = column.mask === 0 ? `k.${column.sql}` : `iif(b.id IS NULL, k.${column.sql}, b.${column.sql})`;
  return `(s.has & ${hasBitOf(table, column)} AND s.${column.sql} IS NOT ${believed})`;
}

function updateRows(db: Db, table: Table, stage: string, nowMs: number): void {
  const { name, base, code } = table;
  for (const column of table.userColumns) {
    db.run(
      `INSERT INTO conflict(kind, id, field, base, theirs, at)
       SELECT ${code}, k.id, ${column.code}, b.${column.sql}, s.${column.sql}, CAST(? AS INTEGER)
       FROM ${stage} s CROSS JOIN ${name} k ON k.id = s.id CROSS JOIN ${base} b ON b.id = k.id
       WHERE s.has & ${hasBitOf(table, column)} AND k.dirty & ${column.mask}
         AND s.${column.sql} IS NOT b.${column.sql} AND s.${column.sql} IS NOT k.${column.sql}
       ON CONFLICT DO UPDATE SET theirs = excluded.theirs, at = excluded.at`,
      nowMs,
    );
  }
  const sets = (columns: readonly Column[], target: string, unless: (column: Column) => string) =>
    columns
      .map((c) => `${c.sql} = iif(s.has & ${hasBitOf(table, c)}${unless(c)}, s.${c.sql}, ${target}.${c.sql})`)
      .join(', ');
  db.run(`UPDATE ${base} AS b SET ${sets(table.userColumns, 'b', () => '')} FROM ${stage} s WHERE b.id = +s.id`);
  const keepEdited = (column: Column) => (column.mask === 0 ? '' : ` AND k.dirty & ${column.mask} = 0`);
  db.run(
    `UPDATE ${name} AS k SET remote_id = coalesce(k.remote_id, s.remote_id), ${sets(table.columns, 'k', keepEdited)}
     FROM ${stage} s WHERE k.id = +s.id`,
  );
  foldKeys(db, table, stage);
  db.run(
    `UPDATE ${name} AS k SET dirty = (k.dirty & ~${FIELD_BITS}) | ${differingBitsSql(table)}
     FROM ${base} b, ${stage} s WHERE b.id = +s.id AND k.id = +s.id`,
  );
  dropEmptyBases(db, table, stage);
  for (const column of table.userColumns) dropSettledConflicts(db, table, column, stage);
}

/** Adds rows that only the service has. Rows with an unknown parent are added by a later read that has the parent. */
function addRows(db: Db, table: Table, stage: string): number {
  const fresh = numberOf(db, `SELECT count(*) FROM ${stage} WHERE id IS NULL`);
  if (fresh === 0) return 0;
  if (table.parent === 'adGroup') {
    db.run(`UPDATE ${stage} AS s SET campaign_id = (SELECT g.campaign_id FROM ad_group g WHERE g.id = s.ad_group_id)
      WHERE s.id IS NULL`);
  }
  const first = takeIds(db, fresh);
  db.run(
    `UPDATE ${stage} AS s SET id = n.id FROM (SELECT seq, ? - 1 + row_number() OVER (ORDER BY seq) AS id
     FROM ${stage} WHERE id IS NULL) n WHERE n.seq = s.seq`,
    first,
  );
  const parents = { account: 'NULL', campaign: 's.campaign_id', adGroup: 's.campaign_id' }[table.parent];
  const hasParent = {
    account: 'true',
    campaign: 'EXISTS (SELECT 1 FROM campaign c WHERE c.id = s.campaign_id)',
    adGroup: 's.campaign_id IS NOT NULL',
  }[table.parent];
  const group = table.parent === 'adGroup' ? 's.ad_group_id' : 'NULL';
  const { keyColumn } = table;
  return db.run(
    `INSERT INTO ${table.name}(id, campaign_id, ad_group_id, remote_id, ${sqlList(table.columns)}${keyColumn === null ? '' : ', sort_key'})
     SELECT s.id, ${table.kind === 'campaign' ? 's.id' : parents}, ${group}, s.remote_id, ${sqlList(table.columns, 's.')}${keyColumn === null ? '' : `, fold(s.${keyColumn.sql})`}
     FROM ${stage} s WHERE s.id >= ? AND s.id < ? AND ${hasParent} ORDER BY s.id`,
    first,
    first + fresh,
  );
}

function foldKeys(db: Db, table: Table, stage: string): void {
  const { keyColumn, name } = table;
  if (keyColumn === null) return;
  db.run(
    `UPDATE ${name} AS k SET sort_key = fold(k.${keyColumn.sql}) FROM ${stage} s
     WHERE k.id = +s.id AND s.has & ${hasBitOf(table, keyColumn)}`,
  );
}

/**
 * Handles texts that are equal in another spelling: spaces that the service trims, addresses it encodes, an open end it
 * stores as a far date (`shared/merge/merge.ts`). SQL compares exactly, so these few edited texts are handled before
 * the merge:
 *
 *   the edit equals the new or the last
 *   service value                        -> the service's spelling, no longer changed
 *   only the service values are equal    -> the base gets the new spelling, the edit stays changed
 *
 * @returns whether a field is no longer changed
 */
function normalizeEqualValues(db: Db, table: Table, stage: string): boolean {
  let isSettled = false;
  for (const column of table.userColumns) {
    if (column.sqlType !== 'TEXT') continue;
    for (const { id, mine, base, theirs } of otherwiseSpelled(db, table, column, stage)) {
      const outcome = mergeField(table.kind, column.field, base, mine, theirs);
      const says = theirs === null ? 'NULL' : '?';
      const bind = theirs === null ? [] : [theirs];
      if (outcome === 'conflict') continue;
      db.run(`UPDATE ${table.base} SET ${column.sql} = ${says} WHERE id = ?`, ...bind, id);
      if (outcome === 'keep-mine') continue;
      const key = column === table.keyColumn ? `, sort_key = fold(${says})` : '';
      db.run(
        `UPDATE ${table.name} SET ${column.sql} = ${says}, dirty = dirty & ~${column.mask}${key} WHERE id = ?`,
        ...bind,
        ...(key === '' ? [] : bind),
        id,
      );
      db.run(
        `DELETE FROM conflict WHERE against = 0 AND kind = ${table.code} AND field = ${column.code} AND id = ?`,
        id,
      );
      isSettled = true;
    }
  }
  if (isSettled) dropEmptyBases(db, table, stage);
  return isSettled;
}

interface Spelled {
  readonly id: number;
  readonly mine: string | null;
  readonly base: string | null;
  readonly theirs: string | null;
}

function otherwiseSpelled(db: Db, table: Table, column: Column, stage: string): readonly Spelled[] {
  const { name, base } = table;
  const cells = ['k', 'b', 's'].map((alias) => sqlList([column], `${alias}.`)).join(', ');
  return db
    .all(
      `SELECT k.id, ${cells} FROM ${stage} s CROSS JOIN ${name} k ON k.id = s.id CROSS JOIN ${base} b ON b.id = k.id
       WHERE s.has & ${hasBitOf(table, column)} AND k.dirty & ${column.mask}`,
    )
    .map(([id, mine, before, theirs]) => ({
      id: asNumber(id),
      mine: asTextOrNull(mine),
      base: asTextOrNull(before),
      theirs: asTextOrNull(theirs),
    }))
    .filter(({ mine, base: before, theirs }) => theirs !== mine || theirs !== before);
}

/** Multipliers have no service ID; the service identifies them by this field and their campaign. */
const PAIR_FIELD: Readonly<Partial<Record<Kind, string>>> = {
  placementMultiplier: 'placement',
  platformMultiplier: 'platform',
};

/** Bit of a column in `has`: whether the service's answer had the field. */
const hasBitOf = (table: Table, column: Column): number => 2 ** table.columns.indexOf(column);

/**
 * Writes the service's values for rows of one kind into `temp.remote`, one column per field, and finds their local
 * rows. Later rows replace earlier ones for the same object.
 *
 * @returns the name of the staging table
 */
function stageRemote(db: Db, table: Table, rows: readonly RemoteRow[]): string {
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

/** A value of the wrong type counts as missing; words that this version does not know are accepted. */
function stored(table: Table, row: RemoteRow): DbBind[] {
  let has = 0;
  const values: DbBind[] = [];
  for (const column of table.columns) {
    const cell = row.values[column.field];
    const blank = cell === '' ? null : cell;
    const fits = blank !== undefined && isCellOf(column.spec, blank);
    if (fits) has += hasBitOf(table, column);
    values.push(fits ? toBound(column, blank) : null);
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
 * A new row that the service already has is no longer new: the service's values become its base. This occurs only for
 * multipliers, which are found without an ID.
 *
 * @returns whether a row is no longer new
 */
function adoptNewRows(db: Db, table: Table, stage: string): boolean {
  const { name, base } = table;
  const found = fillSelectionFrom(
    db,
    `SELECT k.id, NULL FROM ${stage} s CROSS JOIN ${name} k ON k.id = s.id
     WHERE k.dirty & ${NEW}`,
  );
  if (found === 0) return false;
  const baseCells = table.userColumns.map((c) => `iif(s.has & ${hasBitOf(table, c)}, s.${c.sql}, k.${c.sql})`);
  db.run(
    `INSERT INTO ${base}(id, ${sqlList(table.userColumns)}) SELECT k.id, ${baseCells.join(', ')}
     FROM temp.sel n CROSS JOIN ${name} k ON k.id = n.id CROSS JOIN ${stage} s ON s.id = k.id`,
  );
  db.run(
    `UPDATE ${name} AS k SET dirty = (k.dirty & ~${NEW}) | ${differingBitsSql(table)}
     FROM ${base} b, temp.sel n WHERE b.id = +n.id AND k.id = +n.id`,
  );
  dropEmptyBases(db, table);
  return true;
}

/** SQL for the mask of the fields in which row `k` and its base `b` differ. */
const differingBitsSql = (table: Table): string =>
  `(${table.userColumns.map((c) => `(k.${c.sql} IS NOT b.${c.sql}) * ${c.mask}`).join(' | ')})`;
