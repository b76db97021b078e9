import { setImmediate as yieldToQueue } from 'node:timers/promises';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { textKey } from '../../../shared/model/text.ts';

/** What goes into and comes out of a statement. Numbers are whole; the tables are STRICT and refuse anything else. */
export type DbValue = string | number | null;
export type DbRow = readonly DbValue[];
/** What a statement is given: a whole number as a bigint stays one in a column of any type. */
export type DbBind = DbValue | bigint | Uint8Array;

/**
 * Whether a commit waits until the disk has it. `unflushed` is for what can be worked out again: a power cut may undo
 * it, as a whole, unless a flushed commit came after it, which flushes both.
 */
export type Commit = 'flushed' | 'unflushed';

/**
 * The only surface of the database the store sees, so that the driver below it can be exchanged. Rows are arrays
 * in the order of the select list; statements are cached by their text.
 */
export interface Db {
  exec(sql: string): void;
  all(sql: string, ...bind: readonly DbBind[]): readonly DbRow[];
  get(sql: string, ...bind: readonly DbBind[]): DbRow | undefined;
  /** Runs one statement and answers how many rows it changed. */
  run(sql: string, ...bind: readonly DbBind[]): number;
  /** BEGIN IMMEDIATE, COMMIT, and ROLLBACK when `work` throws. Refuses nesting. */
  tx<T>(work: () => T, commit?: Commit): T;
  /** Adds a function to the SQL of this connection; NULL in, NULL out is up to it. */
  define(name: string, of: (...values: readonly DbValue[]) => DbValue): void;
  readonly inTransaction: boolean;
  readonly readOnly: boolean;
  close(): void;
}

/** The number in a column that holds nothing but integers. */
export function asNumber(value: DbValue | undefined): number {
  if (typeof value === 'number') return value;
  throw new Error(`expected a number from the database, got ${value === undefined ? 'no column' : typeof value}`);
}

/** The row that a column of row numbers names. */
export const rowIdOf = (value: DbValue | undefined): RowId => asRowId(asNumber(value));
export const rowIdOrNull = (value: DbValue | undefined): RowId | null =>
  value === undefined || value === null ? null : rowIdOf(value);

export function asText(value: DbValue | undefined): string {
  if (typeof value === 'string') return value;
  throw new Error(`expected a text from the database, got ${value === undefined ? 'no column' : typeof value}`);
}

export const asTextOrNull = (value: DbValue | undefined): string | null => (typeof value === 'string' ? value : null);
export const asNumberOrNull = (value: DbValue | undefined): number | null => (typeof value === 'number' ? value : null);

/** The number in the first column of the first row. */
export const numberOf = (db: Db, sql: string, ...bind: readonly DbBind[]): number =>
  asNumber(db.get(sql, ...bind)?.[0]);

/** The rows that a SELECT of their numbers names. */
export const rowIdsOf = (db: Db, sql: string, ...bind: readonly DbBind[]): readonly RowId[] =>
  db.all(sql, ...bind).map(([id]) => rowIdOf(id));

const PIECE_ROWS = 2000;

/**
 * Rows in pieces, so that what is made of each is gone before the next: a list of all of them would outlive its use by long.
 *
 * @param sql a SELECT whose first column is a positive number, ordered by it, of the rows above `?1` and at most `?2` of them
 */
export function* rowsInPieces(db: Db, sql: string, ...bind: readonly DbBind[]): Iterable<DbRow> {
  for (let last = 0; ; ) {
    const rows = db.all(sql, last, PIECE_ROWS, ...bind);
    yield* rows;
    if (rows.length < PIECE_ROWS) return;
    last = asNumber(rows.at(-1)?.[0]);
  }
}

/** The same for a reader that takes long: windows are answered between pieces of some 10 ms. */
export async function* rowsInTurns(db: Db, sql: string, ...bind: readonly DbBind[]): AsyncGenerator<DbRow> {
  let count = 0;
  for (const row of rowsInPieces(db, sql, ...bind)) {
    yield row;
    count++;
    if (count % PIECE_ROWS === 0) await yieldToQueue();
  }
}

/** What stands behind a column that is to be one of some ids, and the one value bound for it, as `?1`. */
interface IdList {
  readonly sql: '= ?1' | 'IN (SELECT value FROM json_each(?1))';
  readonly bind: DbValue;
}

/** A list costs as much again as the few rows of one campaign, which is what most edits look at, so one is compared. */
export function idList(ids: readonly number[]): IdList {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return { sql: '= ?1', bind: only };
  return { sql: 'IN (SELECT value FROM json_each(?1))', bind: JSON.stringify(ids) };
}

/**
 * Remembers what was made for each key, for as long as the program runs; for keys of which there are few. For texts of statements: to put one together
 * again costs as much as to run it for a few rows, and a text that is another object each time has to be compared
 * letter by letter with the one that was prepared.
 */
export function memo<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

/** What `LIKE` with `ESCAPE '\\'` finds folded texts by that have this in them. */
export const likePattern = (text: string): string => `%${textKey(text).replace(/[\\%_]/gu, '\\$&')}%`;

export const wordsIn = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/** The same for each word of a text. */
export const likePatterns = (words: string): readonly string[] => wordsIn(textKey(words)).map(likePattern);

const COMMA = 44;
const ZERO = 48;

/**
 * Reads a column of row ids without one JavaScript object per row: SQLite joins them to one text, and the digits
 * are read from it. About four times as fast as reading rows, at a million ids.
 *
 * @param sql a SELECT of exactly one column named `id`, in the wanted order
 */
export function readIds(db: Db, sql: string, ...bind: readonly DbValue[]): Int32Array {
  const joined = db.get(`SELECT group_concat(id) FROM (${sql})`, ...bind)?.[0];
  if (typeof joined !== 'string') return new Int32Array(0);
  let count = 1;
  for (let i = 0; i < joined.length; i++) if (joined.charCodeAt(i) === COMMA) count++;
  const ids = new Int32Array(count);
  let at = 0;
  let id = 0;
  for (let i = 0; i < joined.length; i++) {
    const unit = joined.charCodeAt(i);
    if (unit === COMMA) {
      ids[at++] = id;
      id = 0;
    } else {
      id = id * 10 + unit - ZERO;
    }
  }
  ids[at] = id;
  return ids;
}

/** Runs several reads on one state of the database, whatever is committed meanwhile. For connections that only read. */
export function snapshot<T>(db: Db, reads: () => T): T {
  // In the writer's own connection nothing is committed between two statements of one call.
  if (db.inTransaction || !db.readOnly) return reads();
  db.exec('BEGIN');
  try {
    return reads();
  } finally {
    db.exec('COMMIT');
  }
}
