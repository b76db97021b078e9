import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { stateTriggers } from './states.ts';
import { type NewRow, type RowOf, SCHEMA_VERSION, schema, type TableName, tables } from './tables.ts';

/**
 * The state of the simulated service: one SQLite database, in memory or in a file. A call runs in one transaction, so
 * the database guarantees that a refused batch writes nothing. It also enforces the state tables of `states.ts`.
 */
export type Row = Record<string, SQLOutputValue>;

export interface Store {
  /** The first row, or undefined. The caller names the type, since only it knows the selected columns. */
  readonly one: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => T | undefined;
  readonly all: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => readonly T[];
  /** Runs a statement and returns the ID of an inserted row. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => number;
  /** The row with this key, which is the first column of its table. A null key finds nothing. */
  readonly find: <N extends TableName>(table: N, key: Key | null) => RowOf<N> | undefined;
  /** Rows with these values, oldest first. */
  readonly list: <N extends TableName>(table: N, where?: Readonly<Partial<RowOf<N>>>) => readonly RowOf<N>[];
  /** @returns the id of the new row */
  readonly insert: <N extends TableName>(table: N, row: NewRow<N>) => number;
  readonly update: <N extends TableName>(table: N, key: Key, changes: Readonly<Partial<RowOf<N>>>) => void;
  /** Adds an SQL function to this connection. */
  readonly define: (name: string, work: () => string) => void;
  readonly inTransaction: <T>(work: () => T) => T;
  readonly readSetting: (key: string) => string | null;
  readonly writeSetting: (key: string, value: string) => void;
  readonly close: () => void;
}

type Key = number | string;
/** Values by column; the caller checks the column names. */
type Values = Readonly<Record<string, unknown>>;

const keyOf = (table: TableName): string => Object.keys(tables[table].columns)[0] ?? 'rowid';
const bound = (values: Values): readonly SQLInputValue[] => Object.values(values) as SQLInputValue[];
/** `a = ?, b = ?` */
const equalities = (values: Values, between: string): string =>
  Object.keys(values)
    .map((column) => `${column} = ?`)
    .join(between);

/** @param path a file, or `:memory:` */
export function openStore(path: string): Store {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  requireVersion(database, path);
  database.exec(schema);
  database.exec(stateTriggers());
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const one = <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) =>
    prepare(sql).get(...values) as T | undefined;
  const run = (sql: string, ...values: readonly SQLInputValue[]) => Number(prepare(sql).run(...values).lastInsertRowid);
  const all = <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => prepare(sql).all(...values) as T[];
  let depth = 0;

  return {
    one,
    all,
    run,
    find: (table, key) => one<never>(`SELECT * FROM ${table} WHERE ${keyOf(table)} = ?`, key),
    list: (table, where: Values = {}) => {
      const condition = Object.keys(where).length === 0 ? '' : `WHERE ${equalities(where, ' AND ')}`;
      return all<never>(`SELECT * FROM ${table} ${condition} ORDER BY rowid`, ...bound(where));
    },
    insert: (table, row: Values) => {
      const columns = Object.keys(row);
      const places = columns.map(() => '?').join(', ');
      return run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...bound(row));
    },
    update: (table, key, changes: Values) => {
      run(`UPDATE ${table} SET ${equalities(changes, ', ')} WHERE ${keyOf(table)} = ?`, ...bound(changes), key);
    },
    define: (name, work) => database.function(name, work),
    inTransaction: (work) => {
      if (depth > 0) return work();
      prepare('BEGIN IMMEDIATE').run();
      depth += 1;
      try {
        const result = work();
        prepare('COMMIT').run();
        return result;
      } catch (problem) {
        prepare('ROLLBACK').run();
        throw problem;
      } finally {
        depth -= 1;
      }
    },
    readSetting: (key) => one<{ value: string }>('SELECT value FROM setting WHERE key = ?', key)?.value ?? null,
    writeSetting: (key, value) => {
      run(
        'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        value,
      );
    },
    close: () => database.close(),
  };
}

/** A new file has version 0. Data of an older sandbox is not converted: it is practice data and easily made again. */
function requireVersion(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version === 0 || version === SCHEMA_VERSION) return;
  database.close();
  throw new Error(
    `${path} is from another version of the sandbox (${version}; this one reads ${SCHEMA_VERSION}). ` +
      'Delete its folder to start over, or choose another folder.',
  );
}
