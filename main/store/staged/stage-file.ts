import { rmSync } from 'node:fs';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';
import type { RowNotes } from '../../../shared/spreadsheet/sheet-row.ts';
import type { Db, DbBind } from '../db/db.ts';
import { openDb } from '../db/open-db.ts';
import { toBound, toStored } from '../rows/codec.ts';
import { allTables, columnNamed, sqlList, type Table, tableOf } from '../schema/tables.ts';
import type { EditBatch } from '../types.ts';

export interface StagedRow {
  readonly at: number;
  readonly kind: Kind;
  readonly campaign: number | null;
  readonly adGroup: number | null;
  readonly values: AnyValues;
  readonly line: number;
}

export const stagedTable = (table: Table): string => `new_${table.name}`;

/**
 * A large edit in a file of its own, which the writer applies with a few statements: a million rows need not be passed
 * between threads, and the writer's transaction is short.
 *
 *   new_<table>(at, campaign, ad group, line, fields ..., sort_key)     rows to create, in the order of `at`
 *   upd(kind, field, id, v, line)                                       cells to set
 *   del(kind, id, line)                                                 rows to delete
 *   note(kind, ref, notes)                                              comments and labels, as JSON
 *
 * A parent, or the row of a note, is the ID of an existing row, or -(n + 1) for the n-th new one.
 */
export function createStage(file: string) {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  const db = openDb(file);
  // The file is useless after a crash, so it needs no journal.
  db.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192',
  );
  db.exec(allTables().map(ddlOf).join('\n'));
  db.exec(`CREATE TABLE upd(kind INTEGER NOT NULL, field TEXT NOT NULL, id INTEGER NOT NULL, v ANY, line INTEGER NOT NULL,
    PRIMARY KEY(kind, field, id)) STRICT, WITHOUT ROWID;
    CREATE TABLE del(kind INTEGER NOT NULL, id INTEGER NOT NULL, line INTEGER NOT NULL, PRIMARY KEY(kind, id)) STRICT;
    CREATE TABLE note(kind INTEGER NOT NULL, ref INTEGER NOT NULL, notes TEXT NOT NULL) STRICT`);
  db.exec('BEGIN');
  const inserts = new Map<Kind, (row: StagedRow) => void>();
  const insertOf = (kind: Kind): ((row: StagedRow) => void) => {
    const known = inserts.get(kind) ?? insertInto(db, tableOf(kind));
    inserts.set(kind, known);
    return known;
  };
  return {
    create: (row: StagedRow) => insertOf(row.kind)(row),
    update: (kind: Kind, id: RowId, field: string, value: Cell, line: number) => {
      const table = tableOf(kind);
      const column = columnNamed(table, field);
      const stored = toStored(column.spec, value);
      // Bound numbers would be stored as REAL in a column of any type.
      const bound = typeof stored === 'number' ? 'CAST(? AS INTEGER)' : '?';
      db.run(`INSERT OR REPLACE INTO upd VALUES (?, ?, ?, ${bound}, ?)`, table.code, field, id, stored, line);
    },
    remove: (kind: Kind, id: RowId, line: number) =>
      void db.run('INSERT OR REPLACE INTO del VALUES (?, ?, ?)', kindCode(kind), id, line),
    note: (kind: Kind, ref: number, notes: RowNotes) =>
      void db.run('INSERT INTO note VALUES (?, ?, ?)', kindCode(kind), ref, JSON.stringify(notes)),
    /** Completes the file; after that the writer may use it. */
    end: () => {
      db.exec('COMMIT');
      db.close();
    },
  };
}

function ddlOf(table: Table): string {
  const columns = table.columns.map(({ sql, sqlType }) => `${sql} ${sqlType}`).join(', ');
  return `CREATE TABLE ${stagedTable(table)}(at INTEGER PRIMARY KEY, campaign INTEGER, ad_group INTEGER,
    line INTEGER NOT NULL, ${columns}, sort_key TEXT) STRICT;`;
}

function insertInto(db: ReturnType<typeof openDb>, table: Table): (row: StagedRow) => void {
  const { columns, keyColumn } = table;
  const sql = `INSERT INTO ${stagedTable(table)}(at, campaign, ad_group, line, ${sqlList(columns)}, sort_key)
    VALUES (${Array(columns.length + 5)
      .fill('?')
      .join(', ')})`;
  return ({ at, campaign, adGroup, line, values }) => {
    const bound: DbBind[] = [at, campaign, adGroup, line];
    for (const column of columns) bound.push(toBound(column, values[column.field] ?? null));
    const text = keyColumn === null ? null : (values[keyColumn.field] ?? null);
    bound.push(typeof text === 'string' ? textKey(text) : null);
    db.run(sql, ...bound);
  };
}

/**
 * Runs `work` while a file is attached as `stage`. Files can only be attached outside of transactions. Foreign keys are
 * not checked meanwhile: the stage was made for this revision and its parents were checked then.
 */
export function withStage<T>(db: Db, file: string, work: () => T): T {
  db.run('ATTACH DATABASE ? AS stage', file);
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    return work();
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
    db.exec('DETACH DATABASE stage');
  }
}

/** A large edit in a file of its own. */
export interface StagedEdit {
  readonly file: string;
  readonly label: string;
  readonly source: EditBatch['source'];
  /** Revision of the workspace for which the edit was made; any other makes it stale. */
  readonly revision: number;
}

export interface StagedOutcome {
  readonly revision: number;
  /** The ID of the first new row; the others follow in order. */
  readonly firstId: number;
  readonly rows: number;
}

/** The workspace was edited after the stage was made, so it must be made again. */
export interface StaleStage {
  readonly kind: 'stale';
  readonly revision: number;
}
