import { FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { asNumberOrNull, asText, type Db, type DbRow, numberOf } from '../db/db.ts';
import { type OpenDb, openDb } from '../db/open-db.ts';
import { FILL_KNOWN } from '../known/schema.ts';
import { notWritableFrom } from '../not-writable.ts';
import type { NotWritable } from '../port.ts';
import { migrate } from '../schema/migrate.ts';
import { allTables } from '../schema/tables.ts';

/** What could be read out of a damaged workspace into a sound one. */
export interface Salvaged {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly lostRanges: number }[];
  /** Rows that were read but had lost the campaign or ad group they hang from. */
  readonly orphans: number;
  /** Rows whose base was lost: what they hold now counts as what the service said, until it is read again. */
  readonly withoutBase: number;
}

const NOTHING_READ: NotWritable = { kind: 'not-writable', why: 'damaged', detail: 'no row could be read' };

/** Rows are read in ranges of ids; one that cannot be read is halved until what is lost is as little as can be. */
const RANGE = 4096;

/**
 * Reads a damaged workspace table by table into a new file. The damaged file is only read. The new one keeps the
 * store's promises again: what contradicts them is dropped and counted, never made up.
 */
export function salvage(damaged: string, target: string): Result<Salvaged, NotWritable> {
  const from = openDb(damaged, { readOnly: true });
  const to = openDb(target);
  try {
    migrate(to);
    to.exec('PRAGMA foreign_keys = OFF');
    const tables = tablesOf(to).map((table) => to.tx(() => copyTable(from, to, table)));
    // An empty account in the place of one that nobody can read would be worse than the damage.
    if (tables.every(({ rows }) => rows === 0)) return err(NOTHING_READ);
    const orphans = to.tx(() => dropOrphans(to));
    const withoutBase = to.tx(() => mendBases(to));
    to.tx(() => to.exec(FILL_KNOWN));
    to.tx(() => mendCounters(to));
    to.exec('PRAGMA foreign_keys = ON; REINDEX');
    return ok({ tables, orphans, withoutBase });
  } finally {
    from.close();
    to.close();
  }
}

interface Stored {
  readonly name: string;
  readonly columns: readonly string[];
  readonly hasRowid: boolean;
}

function tablesOf(to: Db): readonly Stored[] {
  return to
    .all(`SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .map(([name, withoutRowid]) => ({
      name: asText(name),
      columns: to.all('SELECT name FROM pragma_table_info(?)', asText(name)).map(([column]) => `"${asText(column)}"`),
      hasRowid: withoutRowid === 0,
    }));
}

function copyTable(from: OpenDb, to: OpenDb, { name, columns, hasRowid }: Stored) {
  const list = columns.join(', ');
  const insert = `INSERT OR REPLACE INTO ${name}(${list}) VALUES (${columns.map(() => '?').join(', ')})`;
  let rows = 0;
  let lostRanges = 0;
  const take = (found: readonly DbRow[]): void => {
    for (const row of found) rows += to.run(insert, ...row) > 0 ? 1 : 0;
  };
  const takeRange = (first: number, last: number): void => {
    const found = readable(() =>
      from.all(`SELECT ${list} FROM ${name} NOT INDEXED WHERE rowid BETWEEN ? AND ?`, first, last),
    );
    if (found !== null) {
      take(found);
    } else if (first === last) {
      lostRanges += 1;
    } else {
      const middle = Math.floor((first + last) / 2);
      takeRange(first, middle);
      takeRange(middle + 1, last);
    }
  };
  if (hasRowid) {
    const last = readable(() => from.get(`SELECT max(rowid) FROM ${name} NOT INDEXED`));
    const counted = readable(() => from.get(`SELECT max(value) FROM counter`));
    const end = asNumberOrNull(last?.[0]) ?? asNumberOrNull(counted?.[0]) ?? 0;
    for (let first = 1; first <= end; first += RANGE) takeRange(first, Math.min(end, first + RANGE - 1));
  } else {
    const found = readable(() => from.all(`SELECT ${list} FROM ${name}`));
    if (found === null) lostRanges += 1;
    else take(found);
  }
  return { table: name, rows, lostRanges };
}

/** Null for what the file can no longer tell; anything but damage goes on to the caller. */
function readable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    const isMissing = error instanceof Error && /no such (table|column)/u.test(error.message);
    if (isMissing || notWritableFrom(error)?.why === 'damaged') return null;
    throw error;
  }
}

function dropOrphans(to: Db): number {
  let dropped = 0;
  for (const { name, parent } of allTables()) {
    if (parent !== 'account') {
      dropped += to.run(`DELETE FROM ${name} WHERE campaign_id NOT IN (SELECT id FROM campaign)`);
    }
    if (parent === 'adGroup')
      dropped += to.run(`DELETE FROM ${name} WHERE ad_group_id NOT IN (SELECT id FROM ad_group)`);
  }
  return dropped;
}

function mendBases(to: Db): number {
  let mended = 0;
  for (const { name, base, userColumns, keyColumn } of allTables()) {
    to.run(`DELETE FROM ${base} WHERE id NOT IN (SELECT id FROM ${name} WHERE NOT dirty & ${NEW})`);
    mended += to.run(
      `UPDATE ${name} SET dirty = dirty & ~${FIELD_BITS}
        WHERE dirty & ${FIELD_BITS} AND NOT EXISTS (SELECT 1 FROM ${base} b WHERE b.id = ${name}.id)`,
    );
    const bits = userColumns.map(({ sql, mask }) => `(b.${sql} IS NOT ${name}.${sql}) * ${mask}`);
    const differing = bits.length === 0 ? '0' : bits.join(' + ');
    to.run(
      `UPDATE ${name} SET dirty = (dirty & ~${FIELD_BITS}) | (${differing}) FROM ${base} b WHERE b.id = ${name}.id`,
    );
    to.run(`DELETE FROM ${base} WHERE id IN (SELECT id FROM ${name} WHERE NOT dirty & ${FIELD_BITS})`);
    if (keyColumn !== null) to.run(`UPDATE ${name} SET sort_key = fold(${keyColumn.sql})`);
  }
  return mended;
}

/** Ids and revisions go on behind the highest that is left; every campaign is checked again. */
function mendCounters(to: Db): void {
  const highest = Math.max(...allTables().map(({ name }) => numberOf(to, `SELECT coalesce(max(id), 0) FROM ${name}`)));
  to.run(
    `INSERT OR REPLACE INTO counter VALUES ('row', max(?, coalesce((SELECT value FROM counter WHERE name = 'row'), 0)))`,
    highest,
  );
  to.run(`INSERT OR IGNORE INTO counter VALUES ('revision', 0)`);
  to.run(`UPDATE counter SET value = value + 1 WHERE name = 'revision'`);
  to.run(`INSERT OR IGNORE INTO check_pending SELECT id FROM campaign`);
  // The history may name rows that are gone; undoing into nothing would make rows up.
  to.exec(`DELETE FROM step; DELETE FROM step_cell; DELETE FROM step_row`);
}
