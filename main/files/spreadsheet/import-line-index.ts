import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';

export const LINES_DDL =
  'CREATE TABLE IF NOT EXISTS sheet_line(kind INTEGER, id INTEGER, line INTEGER NOT NULL, PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID';

/**
 * Stores the spreadsheet line of each imported row, so that issues and refusals can name it. A file beside the
 * workspace that is not essential: without it, rows have no line and nothing else changes. Imports write it
 * (`worker/entry.ts`).
 */
export function createImportLineIndex(path: string) {
  let db: DatabaseSync | null = null;
  const opened = (): DatabaseSync | null => {
    if (db === null && existsSync(path)) db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    return db;
  };
  return {
    /** The file, for the code that writes it. */
    path,
    /** Returns a function for the line of a row; null for rows that were not imported. */
    read: async (): Promise<(kind: Kind, id: number) => number | null> => {
      try {
        const line = opened()?.prepare('SELECT line FROM sheet_line WHERE kind = ? AND id = ?');
        return (kind, id) => {
          const found = line?.get(kindCode(kind), id)?.['line'];
          return typeof found === 'number' ? found : null;
        };
      } catch (error) {
        // A file that is damaged or not ours loses the lines, but no rows.
        if (error instanceof Error && 'errcode' in error) return () => null;
        throw error;
      }
    },
    close: () => {
      db?.close();
      db = null;
    },
  };
}
