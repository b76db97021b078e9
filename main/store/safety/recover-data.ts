import { statSync } from 'node:fs';
import { FIELD_BITS, NEW } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { asNumber, asText, type Db, type DbValue, numberOf } from '../db/db.ts';
import { type OpenDb, openDb } from '../db/open-db.ts';
import { notWritable } from '../not-writable.ts';
import { FILL_KNOWN } from '../schema/ddl.ts';
import { migrate } from '../schema/migrate.ts';
import { allTables } from '../schema/tables.ts';
import type { NotWritable } from '../types.ts';
import { findForeignWal } from './foreign-wal.ts';
import { freePages, openPages, type Pages, readTreePage, type StoredRow, type TreePage } from './pages.ts';

/** The result of recovering a damaged workspace into a new one. */
export interface RecoveredData {
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly lostRanges: number }[];
  /** Rows that were read but whose campaign or ad group was lost. */
  readonly orphans: number;
  /** Rows whose base was lost: their current values count as service values until they are read again. */
  readonly withoutBase: number;
  /** Missing bytes of the file, according to its header; null if the header is damaged. */
  readonly missingBytes: number | null;
  /** About how many rows were on unreadable pages; 0 if no table lost anything. */
  readonly lostRows: number;
}

const NOTHING_READ = notWritable('damaged', 'no row could be read');

/**
 * Reads a damaged workspace table by table into a new file. The damaged file is only read, page by page and not through
 * SQLite, which refuses a truncated file. The new file is consistent: contradicting rows are dropped and counted,
 * nothing is invented.
 *
 *   page 1 -> schema -> the tree of each table -> its rows
 *   leaves without a tree, because the pages above them are lost -> the table that fits their rows
 */
export function recoverData(damaged: string, target: string): Result<RecoveredData, NotWritable> {
  if (statSync(damaged, { throwIfNoEntry: false })?.isFile() !== true) return err(NOTHING_READ);
  const pages = openPages(damaged, findForeignWal(damaged) === null);
  const to = openDb(target);
  try {
    migrate(to);
    to.exec('PRAGMA foreign_keys = OFF');
    const { tables, lostRows } = copyTables(pages, to);
    // An empty account would be worse than a damaged one that can't be read.
    const kinds = new Set(allTables().map(({ name }) => name));
    if (lostRows > 0 && !tables.some(({ table, rows }) => rows > 0 && kinds.has(table))) return err(NOTHING_READ);
    if (tables.every(({ rows }) => rows === 0)) return err(NOTHING_READ);
    const orphans = to.tx(() => dropOrphans(to));
    const withoutBase = to.tx(() => repairBases(to));
    to.tx(() => to.exec(FILL_KNOWN));
    to.tx(() => repairCounters(to));
    to.exec('PRAGMA foreign_keys = ON; REINDEX');
    return ok({ tables, orphans, withoutBase, missingBytes: pages.missingBytes, lostRows });
  } finally {
    pages.close();
    to.close();
  }
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isFilled: boolean;
}

/** A table of the new file, and its storage in the damaged one. */
interface Stored {
  readonly name: string;
  readonly hasRowid: boolean;
  /** In record order. */
  readonly columns: readonly Column[];
  /** Names that also exist in the new table. */
  readonly shared: ReadonlySet<string>;
  /** Null if the schema lost it. */
  readonly root: number | null;
  /** The column that records leave empty because its value is the row ID; -1 for none. */
  readonly rowidAt: number;
}

interface Tally {
  rows: number;
  leaves: number;
  lostPages: number;
  lostCells: number;
}

function copyTables(pages: Pages, to: OpenDb) {
  const seen = new Set<number>();
  const schema = readSchema(pages, seen);
  const stored = tablesOf(to, schema.tables);
  const tallies = new Map(stored.map(({ name }) => [name, { rows: 0, leaves: 0, lostPages: 0, lostCells: 0 }]));
  const tallyOf = (table: Stored): Tally => tallies.get(table.name) as Tally;
  for (const table of stored) {
    const tally = tallyOf(table);
    if (table.root === null) continue;
    to.tx(() => {
      const lost = walk(pages, table.root ?? 0, table.hasRowid, seen, ({ rows, lostCells, is }) => {
        tally.lostCells += lostCells;
        if (is === 'table-leaf') tally.leaves += 1;
        for (const row of rows) putRow(to, table, row, 'REPLACE', tally);
      });
      tally.lostPages += lost;
    });
  }
  const isWhole = !schema.hasHoles && stored.every(({ name }) => tallies.get(name)?.lostPages === 0);
  let strange = 0;
  if (!isWhole) {
    const free = freePages(pages);
    for (let page = 2; page <= pages.count; page += 1) {
      if (seen.has(page) || free.has(page)) continue;
      const found = readTreePage(pages, page);
      if (found?.is !== 'table-leaf' || found.rows.length === 0 || found.rows.every(isOfSchema)) continue;
      const [table, ...others] = tablesLike(stored, found.rows);
      if (table === undefined || others.length > 0) {
        strange += found.rows.length;
        continue;
      }
      const tally = tallyOf(table);
      tally.leaves += 1;
      tally.lostPages = Math.max(0, tally.lostPages - 1);
      tally.lostCells += found.lostCells;
      // Rows in a tree are newer than those on abandoned pages.
      to.tx(() => {
        for (const row of found.rows) putRow(to, table, row, 'IGNORE', tally);
      });
    }
  }
  const tables = [...tallies].map(([table, { rows, lostPages, lostCells }]) => ({
    table,
    rows,
    lostRanges: lostPages + lostCells,
  }));
  const lostRows = [...tallies.values()].reduce(
    (sum, { rows, leaves, lostPages, lostCells }) =>
      sum + lostCells + lostPages * Math.max(1, Math.ceil(rows / Math.max(1, leaves))),
    strange,
  );
  return { tables, lostRows };
}

/** Visits all existing pages of a tree. @returns how many are missing */
function walk(
  pages: Pages,
  root: number,
  isTable: boolean,
  seen: Set<number>,
  visit: (page: TreePage) => void,
): number {
  const waiting = [root];
  let lost = 0;
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    // Damage can make a tree circular.
    if (seen.has(page)) continue;
    const found = readTreePage(pages, page);
    if (found === null || found.is.startsWith('table') !== isTable) {
      lost += 1;
      continue;
    }
    seen.add(page);
    visit(found);
    waiting.push(...found.below);
  }
  return lost;
}

interface SchemaRow {
  readonly root: number;
  readonly sql: string;
}

/** The tables according to the file; leaves of the schema are used even if the page above them is lost. */
function readSchema(pages: Pages, seen: Set<number>) {
  const tables = new Map<string, SchemaRow>();
  const take = (rows: readonly StoredRow[]): void => {
    for (const { values } of rows) {
      const [type, name, , root, sql] = values;
      if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number' || typeof sql !== 'string') continue;
      if (!tables.has(name)) tables.set(name, { root, sql });
    }
  };
  let lostCells = 0;
  const lost = walk(pages, 1, true, seen, (page) => {
    lostCells += page.lostCells;
    take(page.rows);
  });
  const hasHoles = lost + lostCells > 0;
  if (hasHoles) {
    for (let page = 2; page <= pages.count; page += 1) {
      const found = seen.has(page) ? null : readTreePage(pages, page);
      if (found?.is === 'table-leaf' && found.rows.length > 0 && found.rows.every(isOfSchema)) take(found.rows);
    }
  }
  return { tables, hasHoles };
}

const SCHEMA_TYPES: ReadonlySet<unknown> = new Set(['table', 'index', 'view', 'trigger']);
const isOfSchema = ({ values }: StoredRow): boolean =>
  values.length === 5 && SCHEMA_TYPES.has(values[0]) && typeof values[1] === 'string';

function tablesOf(to: OpenDb, schema: ReadonlyMap<string, SchemaRow>): readonly Stored[] {
  return to
    .all(`SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .map(([table, withoutRowid]) => {
      const name = asText(table);
      const row = schema.get(name) ?? null;
      const current = columnsOf(to, name);
      // Older versions made some tables with fewer columns, or in another order.
      const columns = (row === null ? null : columnsBySql(name, row.sql)) ?? current;
      const hasRowid = withoutRowid === 0;
      const isKey = columns.filter(({ key }) => key > 0);
      const rowidAt = hasRowid && isKey.length === 1 && isKey[0]?.type === 'INTEGER' ? columns.indexOf(isKey[0]) : -1;
      return {
        name,
        hasRowid,
        // A table without row IDs stores the columns of its key first.
        columns: hasRowid
          ? columns
          : [...isKey.toSorted((a, b) => a.key - b.key), ...columns.filter(({ key }) => key === 0)],
        shared: new Set(current.map((column) => column.name)),
        root: row?.root ?? null,
        rowidAt,
      };
    });
}

interface KeyedColumn extends Column {
  /** The position in the primary key, from 1; 0 for other columns. */
  readonly key: number;
}

const columnsOf = (db: Db, table: string): readonly KeyedColumn[] =>
  db.all('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', table).map(([name, type, filled, key]) => ({
    name: asText(name),
    type: asText(type),
    isFilled: filled === 1,
    key: asNumber(key),
  }));

/** Null for a text that does not create this table. */
function columnsBySql(table: string, sql: string): readonly KeyedColumn[] | null {
  const scratch = openDb(':memory:');
  try {
    scratch.exec(sql);
    const columns = columnsOf(scratch, table);
    return columns.length === 0 ? null : columns;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) return null;
    throw error;
  } finally {
    scratch.close();
  }
}

/** The tables whose columns fit all of these rows; rows from before a column was added are shorter. */
function tablesLike(stored: readonly Stored[], rows: readonly StoredRow[]): readonly Stored[] {
  const like = stored.filter((table) => table.hasRowid && rows.every((row) => fits(table, row)));
  const exact = like.filter(({ columns }) => rows.every(({ values }) => values.length === columns.length));
  return exact.length > 0 ? exact : like;
}

function fits({ columns, rowidAt }: Stored, { values }: StoredRow): boolean {
  if (values.length > columns.length || columns.slice(values.length).some(({ isFilled }) => isFilled)) return false;
  return values.every((value, at) => {
    const column = columns[at];
    if (value === null) return at === rowidAt || column?.isFilled !== true;
    if (at === rowidAt) return false;
    if (column?.type === 'INTEGER') return Number.isInteger(value);
    return column?.type !== 'TEXT' || typeof value === 'string';
  });
}

function putRow(to: Db, table: Stored, row: StoredRow, otherwise: 'REPLACE' | 'IGNORE', tally: Tally): void {
  const names: string[] = [];
  const values: DbValue[] = [];
  row.values.forEach((value, at) => {
    const column = table.columns[at];
    if (column === undefined || !table.shared.has(column.name)) return;
    names.push(`"${column.name}"`);
    values.push(at === table.rowidAt ? row.rowid : value);
  });
  const places = names.map(() => '?').join(', ');
  try {
    const changed = to.run(
      `INSERT OR ${otherwise} INTO ${table.name}(${names.join(', ')}) VALUES (${places})`,
      ...values,
    );
    if (changed > 0) tally.rows += 1;
  } catch (error) {
    // The column can't hold such a value: the bytes were no row of this table.
    if (!(error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === CONSTRAINT)) throw error;
    tally.lostCells += 1;
  }
}

/** SQLite's primary result code for a violated constraint. */
const CONSTRAINT = 19;

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

function repairBases(to: Db): number {
  let repaired = 0;
  for (const { name, base, userColumns, keyColumn } of allTables()) {
    to.run(`DELETE FROM ${base} WHERE id NOT IN (SELECT id FROM ${name} WHERE NOT dirty & ${NEW})`);
    repaired += to.run(
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
  return repaired;
}

/** IDs and revisions continue after the highest remaining one; every campaign is checked again. */
function repairCounters(to: Db): void {
  const highest = Math.max(...allTables().map(({ name }) => numberOf(to, `SELECT coalesce(max(id), 0) FROM ${name}`)));
  to.run(
    `INSERT OR REPLACE INTO counter VALUES ('row', max(?, coalesce((SELECT value FROM counter WHERE name = 'row'), 0)))`,
    highest,
  );
  to.run(`INSERT OR IGNORE INTO counter VALUES ('revision', 0)`);
  to.run(`UPDATE counter SET value = value + 1 WHERE name = 'revision'`);
  to.run(`INSERT OR IGNORE INTO check_pending SELECT id FROM campaign`);
  // The history may refer to lost rows, which undo would invent.
  to.exec(`DELETE FROM step; DELETE FROM step_cell; DELETE FROM step_row; DELETE FROM step_reason; DELETE FROM step_kept;
    UPDATE counter SET value = 0 WHERE name = 'history-bytes'`);
}
