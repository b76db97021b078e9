import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Kind, kindCode } from '../../../shared/model/kinds.ts';

export const LINES_DDL =
  'CREATE TABLE IF NOT EXISTS sheet_line(kind INTEGER, id INTEGER, line INTEGER NOT NULL, PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID';

/**
 * Remembers from which line of which sheet a row came, so that findings and refusals can point at the sheet. It is
 * a convenience in a file beside the workspace: without it, rows have no line and nothing else changes. The imports
 * write it (`worker/entry.ts`).
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
    /** Answers with the line of a row, or null for rows that came from no sheet. */
    read: async (): Promise<(kind: Kind, id: number) => number | null> => {
      try {
        const line = opened()?.prepare('SELECT line FROM sheet_line WHERE kind = ? AND id = ?');
        return (kind, id) => {
          const found = line?.get(kindCode(kind), id)?.['line'];
          return typeof found === 'number' ? found : null;
        };
      } catch (error) {
        // A file that is damaged or not one of ours: the lines are forgotten, the rows are not.
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
