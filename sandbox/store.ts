import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { SCHEMA_VERSION, schema } from './schema.ts';
import { stateTriggers } from './states.ts';

/**
 * The state of the simulated service: one SQLite database, in memory or in a file. A call runs in one transaction, so
 * "nothing of the batch was written" is the database's promise and not ours; and so is that states change along the tables
 * of `states.ts` only.
 */
export type Row = Record<string, SQLOutputValue>;

export interface Store {
  /** The first row, or undefined. The caller names the shape, since only it knows the columns it asked for. */
  readonly one: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => T | undefined;
  readonly all: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => readonly T[];
  /** Runs a statement and gives the id of the row it inserted, if it did. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => number;
  readonly inTransaction: <T>(work: () => T) => T;
  readonly readSetting: (key: string) => string | null;
  readonly writeSetting: (key: string, value: string) => void;
  readonly close: () => void;
}

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
  let depth = 0;

  return {
    one,
    all: <T extends Row>(sql: string, ...values: readonly SQLInputValue[]) => prepare(sql).all(...values) as T[],
    run,
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

/** A new file has version 0. What an older sandbox stored is not converted: it is practice data, and easily made again. */
function requireVersion(database: DatabaseSync, path: string): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version === 0 || version === SCHEMA_VERSION) return;
  database.close();
  throw new Error(
    `${path} is from another version of the sandbox (${version}; this one reads ${SCHEMA_VERSION}). ` +
      'Delete its folder to start over, or choose another folder.',
  );
}
