import { asTextOrNull, type Db } from '../db/db.ts';

/** Meta key of the last time something was read from the service, in milliseconds since 1970. */
export const LAST_REFRESH_KEY = 'last-refresh-at';

/** A small setting of the workspace, or null when it was never set. */
export const readMeta = (db: Db, key: string): string | null =>
  asTextOrNull(db.get('SELECT value FROM meta WHERE key = ?', key)?.[0]);

export const writeMeta = (db: Db, key: string, value: string): void => {
  db.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value);
};
