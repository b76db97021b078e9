import { asNumber, asTextOrNull, type Db, numberOf } from '../db/db.ts';
import type { Table } from '../schema/tables.ts';

/** Number of the last commit with changes; it identifies the state of views and events. */
export const currentRevision = (db: Db): number => numberOf(db, `SELECT value FROM counter WHERE name = 'revision'`);

/** Data that only users write: steps of the history, undone or not, and notes. Steps of a sync are excluded. */
const MARKS = [
  `SELECT max(id) FROM step WHERE source <> 'sync'`,
  'SELECT count(*) FROM step WHERE state = 1',
  'SELECT max(id) || count(*) || total(length(text)) || total(resolved_at) FROM comment',
  'SELECT count(*) || total(id * 31 + label) FROM row_label',
  'SELECT group_concat(name_key || color) FROM label',
  'SELECT group_concat(name_key || view || layout) FROM saved_view',
];

/** A text that changes when a user edits, undoes or notes something. */
export const editVersion = (db: Db): string => JSON.stringify(MARKS.map((sql) => db.get(sql)?.[0] ?? null));

const CHECKED = 'checked';

/**
 * The revision at which delayed checks last changed issues. Orders and counts that don't depend on issues are not
 * affected.
 */
export const checkedRevision = (db: Db): number =>
  numberOf(db, 'SELECT total(value) FROM counter WHERE name = ?', CHECKED);

export const noteChecked = (db: Db, revision: number): void =>
  void db.run('INSERT INTO counter VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2', CHECKED, revision);

/**
 * The revisions at which rows of a kind last changed, rows with higher IDs were added, or rows were added or removed
 * among the others.
 */
export interface KindState {
  readonly changed: number;
  readonly grown: number;
  readonly shuffled: number;
}

export function kindState(db: Db, table: Table): KindState {
  const row = db.get('SELECT changed, grown, shuffled FROM kind_state WHERE kind = ?', table.code);
  if (row === undefined) return { changed: 0, grown: 0, shuffled: 0 };
  return { changed: asNumber(row[0]), grown: asNumber(row[1]), shuffled: asNumber(row[2]) };
}

/** Meta key of the last read from the service, in milliseconds since 1970. */
export const LAST_REFRESH_KEY = 'last-refresh-at';

/** A small setting of the workspace, or null if it was never set. */
export const readMeta = (db: Db, key: string): string | null =>
  asTextOrNull(db.get('SELECT value FROM meta WHERE key = ?', key)?.[0]);

export const writeMeta = (db: Db, key: string, value: string): void => {
  db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
};

/** The learned hourly limit (`outbox/change-limit.ts`). */
export const CHANGE_LIMIT_KEY = 'change-limit';
