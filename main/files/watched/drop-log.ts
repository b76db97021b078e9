import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Drop } from '../../../shared/api/watched-folder.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { DEFAULT_PATTERNS } from '../../../shared/media/watched-files.ts';
import type { RowId } from '../../../shared/model/scalars.ts';

/**
 * The setup of an account's watched folder, and every file that was taken from it. The same bytes under the same name
 * are taken once, also after a crash. It is stored beside the workspace, because a restored backup must not take
 * files again.
 */
export interface FolderSetup {
  readonly on: boolean;
  /** Null for the folder of the account. */
  readonly path: string | null;
  readonly patterns: string;
  readonly polling: boolean;
}

export interface SeenFile {
  /** Below the folder, with `/`. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

const OFF: FolderSetup = { on: false, path: null, patterns: DEFAULT_PATTERNS, polling: false };
const DDL = `
CREATE TABLE IF NOT EXISTS setup(id INTEGER PRIMARY KEY CHECK(id = 1), json TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS dropped(
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL, modified REAL NOT NULL, sha256 TEXT NOT NULL,
  at INTEGER NOT NULL, outcome TEXT NOT NULL, text TEXT NOT NULL, campaign_id INTEGER, campaign TEXT) STRICT;
CREATE INDEX IF NOT EXISTS dropped_name ON dropped(folder, name);`;

export type DropLog = ReturnType<typeof createDropLog>;

export function createDropLog(file: string) {
  let opened: DatabaseSync | null = null;
  const db = (): DatabaseSync => {
    if (opened === null) {
      opened = new DatabaseSync(file, { timeout: 1000 });
      // A lost entry would take a file a second time, so it is flushed before the next file is read.
      opened.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${DDL}`);
    }
    return opened;
  };
  /** No log is created for an account that never watches a folder. */
  const isThere = (): boolean => opened !== null || existsSync(file);
  return {
    setup: (): FolderSetup => {
      const row = isThere() ? db().prepare('SELECT json FROM setup').get() : undefined;
      return row === undefined ? OFF : { ...OFF, ...(JSON.parse(String(row['json'])) as Partial<FolderSetup>) };
    },
    change: (setup: FolderSetup): void => {
      db().prepare('INSERT OR REPLACE INTO setup VALUES (1, ?)').run(JSON.stringify(setup));
    },
    /** Files of a folder that were taken, with their size and time then. */
    taken: (folder: string): ReadonlyMap<string, SeenFile & { readonly sha256: string }> =>
      new Map(
        db()
          .prepare('SELECT name, bytes, modified, sha256 FROM dropped WHERE folder = ? ORDER BY id')
          .all(folder)
          .map((row) => {
            const name = String(row['name']);
            const [bytes, modifiedMs] = [Number(row['bytes']), Number(row['modified'])];
            return [name, { name, bytes, modifiedMs, sha256: String(row['sha256']) }];
          }),
      ),
    add: (folder: string, file: SeenFile & { readonly sha256: string }, drop: Omit<Drop, 'id' | 'fileName'>): void => {
      const { name, bytes, modifiedMs, sha256 } = file;
      const { at, outcome, message, campaignId, campaign } = drop;
      db()
        .prepare('INSERT INTO dropped VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(folder, name, bytes, modifiedMs, sha256, at, outcome, JSON.stringify(message), campaignId, campaign);
    },
    /** The same bytes were written again: only the time is updated. */
    touch: (folder: string, file: SeenFile): void => {
      db()
        .prepare('UPDATE dropped SET modified = ?, bytes = ? WHERE folder = ? AND name = ?')
        .run(file.modifiedMs, file.bytes, folder, file.name);
    },
    /** Removes files that were not attached from the log, so that they are tried once more. */
    forget: (outcomes: readonly Drop['outcome'][]): void => {
      if (!isThere()) return;
      for (const outcome of outcomes) db().prepare('DELETE FROM dropped WHERE outcome = ?').run(outcome);
    },
    /**
     * Newest first.
     *
     * @param count -1 for all
     * @param after lists only files with a higher ID
     */
    list: (count: number, after = 0): { readonly total: number; readonly drops: readonly Drop[] } => {
      if (!isThere()) return { total: 0, drops: [] };
      const total = Number(db().prepare('SELECT count(*) AS n FROM dropped').get()?.['n']);
      const rows = db().prepare('SELECT * FROM dropped WHERE id > ? ORDER BY id DESC LIMIT ?').all(after, count);
      const drops = rows.map((row) => ({
        id: Number(row['id']),
        at: Number(row['at']),
        fileName: String(row['name']),
        outcome: row['outcome'] as Drop['outcome'],
        message: messageOf(String(row['text'])),
        campaignId: row['campaign_id'] as RowId | null,
        campaign: row['campaign'] as string | null,
      }));
      return { total, drops };
    },
    close: (): void => {
      opened?.close();
      opened = null;
    },
  };
}

/** Earlier versions stored the sentence itself. */
function messageOf(text: string): Drop['message'] {
  const message = Drop.shape.message.safeParse(jsonOrNull(text));
  return message.success ? message.data : { code: 'earlier', facts: { text } };
}
