import { asRowId, type RowId } from '../../../shared/model/scalars.ts';

/** What goes into and comes out of a statement. Numbers are whole; the tables are STRICT and refuse anything else. */
export type DbValue = string | number | null;
export type DbRow = readonly DbValue[];
/** What a statement is given: a whole number as a bigint stays one in a column of any type. */
export type DbBind = DbValue | bigint;

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
