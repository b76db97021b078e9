import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { HeardAnswer } from '../api/heard.ts';

/**
 * The file in which answers of the service are kept, oldest dropped first. A body that came before is kept once, so
 * that reading an account again which has not changed costs a line an answer.
 *
 *   answer  one line an answer: when, to what, under which correlation id
 *   body    the text of one or more of them, packed, by the hash of the text
 *   total   what both take up, in bytes
 */
const DDL = `
  CREATE TABLE IF NOT EXISTS body(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, length INTEGER NOT NULL,
    packed BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS answer(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, status INTEGER NOT NULL, correlation_id TEXT NOT NULL, campaign TEXT,
    body INTEGER REFERENCES body(id)) STRICT;
  CREATE INDEX IF NOT EXISTS answer_correlation ON answer(correlation_id);
  CREATE INDEX IF NOT EXISTS answer_campaign ON answer(campaign, id) WHERE campaign IS NOT NULL;
  CREATE INDEX IF NOT EXISTS answer_body ON answer(body) WHERE body IS NOT NULL;
  CREATE TABLE IF NOT EXISTS total(one INTEGER PRIMARY KEY CHECK (one = 1), bytes INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO total VALUES (1, 0);`;

/** What a line takes up beside its texts, with its places in the indexes; measured, rounded up. */
const LINE_BYTES = 160;
/** Lines that are dropped at once, so that a bound that was lowered does not stop everything else. */
const DROPPED_AT_ONCE = 500;

/** An answer with its body packed; both null where no body was read. */
export interface PackedAnswer extends Omit<HeardAnswer, 'body'> {
  readonly body: { readonly text: string; readonly packed: Uint8Array } | null;
}

export interface AnswerLine extends Omit<HeardAnswer, 'body'> {
  readonly id: number;
  /** Characters of the body; null where none was read. */
  readonly length: number | null;
}

export interface AnswerStore {
  add(answers: readonly PackedAnswer[]): void;
  /**
   * Newest first. One word that is a whole correlation id finds what came under it; other words are looked for in path,
   * status and correlation id of the newest `SEARCHED` answers, and each has to be there.
   */
  list(
    from: number,
    count: number,
    words: readonly string[],
  ): { readonly total: number; readonly answers: readonly AnswerLine[] };
  /** All answers under a correlation id, in the order in which they came. */
  of(correlationId: string): readonly (AnswerLine & { readonly packed: Uint8Array | null })[];
  /** The newest answer to a read that named this campaign. */
  lastRead(campaignId: string): AnswerLine | null;
  figures(): { readonly answers: number; readonly bytes: number; readonly oldestAt: number | null };
  /** Drops the oldest until the rest takes up no more. @returns false while there is still more to drop */
  dropDownTo(bytes: number): boolean;
  close(): void;
}

/** Opens the file, or makes it. One that is damaged or not ours is moved aside: what was in it is no part of the account. */
export function openAnswerStore(path: string): AnswerStore {
  try {
    return storeOn(opened(path));
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
    renameSync(path, `${path}.damaged`);
    return storeOn(opened(path));
  }
}

/** SQLite says what it cannot do by a number; anything else is a fault of ours. */
export const isSqliteError = (error: unknown): boolean => error instanceof Error && 'errcode' in error;

/** SQLITE_CORRUPT and SQLITE_NOTADB, whatever their extended code. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);

function opened(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 1000, allowExtension: false, defensive: true });
  try {
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec(DDL);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

type Column = string | number | Uint8Array | null;
type Line = Readonly<Record<string, Column>>;

const COLUMNS = 'a.id, a.at, a.method, a.path, a.status, a.correlation_id, a.campaign, b.length';
const FROM = 'FROM answer a LEFT JOIN body b ON b.id = a.body';

/** Words are looked for in the newest answers only: the thread that answers windows does it, 1 ms for 800 of them. */
const SEARCHED = 20_000;
const BY_ID = 'WHERE a.correlation_id = ?';
/** Ids have no gaps, since only the oldest are dropped. */
const byWords = (count: number): string =>
  [
    `WHERE a.id > (SELECT max(id) FROM answer) - ${SEARCHED}`,
    ...Array.from({ length: count }, () => `instr(lower(a.path || ' ' || a.status || ' ' || a.correlation_id), ?) > 0`),
  ].join(' AND ');

function storeOn(db: DatabaseSync): AnswerStore {
  // The declarations of node:sqlite know no columns; these are those of the statements above.
  const all = (sql: string, ...bind: readonly (string | number)[]): readonly Line[] =>
    db.prepare(sql).all(...bind) as unknown as readonly Line[];
  const number = (sql: string, ...bind: readonly (string | number)[]): number =>
    Number(Object.values(all(sql, ...bind)[0] ?? {})[0] ?? 0);
  const tx = (work: () => void): void => {
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  };
  const weigh = db.prepare('UPDATE total SET bytes = bytes + ?');
  const addLine = db.prepare(
    'INSERT INTO answer(at, method, path, status, correlation_id, campaign, body) VALUES (?,?,?,?,?,?,?)',
  );
  const findBody = db.prepare('SELECT id FROM body WHERE sha256 = ?');
  const addBody = db.prepare('INSERT INTO body(sha256, length, packed) VALUES (?,?,?)');

  const bodyId = ({ text, packed }: NonNullable<PackedAnswer['body']>): number => {
    const hash = createHash('sha256').update(text, 'utf8').digest();
    const known = findBody.get(hash)?.['id'];
    if (typeof known === 'number') return known;
    weigh.run(packed.byteLength);
    return Number(addBody.run(hash, text.length, packed).lastInsertRowid);
  };
  const dropSome = (): void => {
    const bodies = all(`DELETE FROM answer WHERE id IN (SELECT id FROM answer ORDER BY id LIMIT ${DROPPED_AT_ONCE})
      RETURNING body, length(path) AS chars`);
    // With nothing left to drop the sum would be a fault of the past, and dropping would have no end.
    if (bodies.length === 0) db.exec('UPDATE total SET bytes = 0');
    weigh.run(-bodies.reduce((sum, { chars }) => sum + LINE_BYTES + Number(chars), 0));
    const ids = JSON.stringify(bodies.map(({ body }) => body).filter((body) => body !== null));
    const gone = all(
      `DELETE FROM body WHERE id IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.body = body.id) RETURNING length(packed) AS bytes`,
      ids,
    );
    weigh.run(-gone.reduce((sum, { bytes }) => sum + Number(bytes), 0));
  };
  const bytes = (): number => number('SELECT bytes FROM total');
  const idKnown = (word: string): boolean =>
    number('SELECT EXISTS (SELECT 1 FROM answer WHERE correlation_id = ?)', word) === 1;

  return {
    add: (answers) =>
      tx(() => {
        for (const { at, method, path, status, correlationId, campaignId, body } of answers) {
          const of = body === null ? null : bodyId(body);
          addLine.run(at, method, path, status, correlationId, campaignId, of);
          weigh.run(LINE_BYTES + path.length);
        }
      }),
    list: (from, count, words) => {
      const isId = words.length === 1 && idKnown(words[0] ?? '');
      const matching = isId ? BY_ID : words.length === 0 ? '' : byWords(words.length);
      const bind = isId ? words : words.map((word) => word.toLowerCase());
      const page = `SELECT ${COLUMNS} ${FROM} ${matching} ORDER BY a.id DESC LIMIT ? OFFSET ?`;
      return {
        total: number(`SELECT count(*) FROM answer a ${matching}`, ...bind),
        answers: all(page, ...bind, count, from).map(lineOf),
      };
    },
    of: (correlationId) =>
      all(`SELECT ${COLUMNS}, b.packed ${FROM} WHERE a.correlation_id = ? ORDER BY a.id`, correlationId).map(
        (line) => ({
          ...lineOf(line),
          packed: line['packed'] instanceof Uint8Array ? line['packed'] : null,
        }),
      ),
    lastRead: (campaignId) => {
      const newest = `WHERE a.campaign = ? AND a.method = 'GET' ORDER BY a.id DESC LIMIT 1`;
      const [line] = all(`SELECT ${COLUMNS} ${FROM} ${newest}`, campaignId);
      return line === undefined ? null : lineOf(line);
    },
    figures: () => {
      const oldest = all('SELECT at FROM answer ORDER BY id LIMIT 1')[0]?.['at'];
      return {
        answers: number('SELECT count(*) FROM answer'),
        bytes: bytes(),
        oldestAt: typeof oldest === 'number' ? oldest : null,
      };
    },
    dropDownTo: (bound) => {
      if (bytes() <= bound) return true;
      tx(dropSome);
      const isDone = bytes() <= bound;
      if (isDone) db.exec('PRAGMA incremental_vacuum');
      return isDone;
    },
    close: () => db.close(),
  };
}

const lineOf = (line: Line): AnswerLine => ({
  id: Number(line['id']),
  at: Number(line['at']),
  method: line['method'] as AnswerLine['method'],
  path: String(line['path']),
  status: Number(line['status']),
  correlationId: String(line['correlation_id']),
  campaignId: line['campaign'] as AnswerLine['campaignId'],
  length: typeof line['length'] === 'number' ? line['length'] : null,
});
