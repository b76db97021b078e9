import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToQueue } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { AnswerText, ResponseLogInfo, ResponseSummary } from '../../shared/api/requests.ts';
import type { ResponseRecord } from '../api/response-record.ts';
import { errorCode } from '../app/system.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { Workspace } from '../store/workspace.ts';

export interface ResponseLogFigures extends Omit<ResponseLogInfo, 'boundMb'> {
  readonly boundBytes: number;
}

/**
 * The responses of the service to one account, as received. During a sync or a refresh they are compressed and
 * written in batches. Nothing waits for these writes, and a failed one stops nothing.
 *
 *   hear -> queued -- 300 ms without one, or 5 s, or 1,000 of them --> compressed -> written -> oldest dropped above the limit
 */
export type ResponseLog = ReturnType<typeof createResponseLog>;

/** Default limit: about a million rows read once, or months of a small account. */
const DEFAULT_LIMIT_BYTES = 64 * 1024 * 1024;
const BOUND_KEY = 'answers-kept-bytes';
/** Responses are written when none came for QUIET_MS, so that they don't slow a sync; a crash loses at most 5 s of them. */
const QUIET_MS = 300;
const WAITS_AT_MOST_MS = 5000;
const WAITING_AT_MOST = 1000;
/** Written in small batches, so that other work does not wait long. */
const WRITTEN_AT_ONCE = 64;

export function createResponseLog(path: string, workspace: Pick<Workspace, 'getMeta' | 'setMeta'>) {
  let opened: ResponseFile | null = null;
  let waiting: (() => ResponseRecord)[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** When the first pending response came. */
  let since = 0;
  let bound: number | null = null;
  let lost = 0;
  let isClosed = false;

  const file = (): ResponseFile => {
    opened ??= openResponseFile(path);
    return opened;
  };
  const boundNow = async (): Promise<number> => {
    bound ??= Number((await workspace.getMeta(BOUND_KEY)) ?? DEFAULT_LIMIT_BYTES);
    return bound;
  };
  const dropOld = async (): Promise<void> => {
    const most = await boundNow();
    while (!file().dropDownTo(most)) await yieldToQueue();
  };
  const write = async (responses: readonly (() => ResponseRecord)[]): Promise<void> => {
    for (let from = 0; from < responses.length; from += WRITTEN_AT_ONCE) {
      const some = responses.slice(from, from + WRITTEN_AT_ONCE);
      try {
        if ((await boundNow()) === 0) return;
        file().add(await Promise.all(some.map((record) => packedOf(record()))));
        await dropOld();
      } catch (error) {
        // A full disk, one that can't be read, or a workspace whose thread has failed: losing responses must not stop the
        // sync.
        if (errorCode(error) === null && !(error instanceof WorkspaceClosed)) throw error;
        lost += some.length;
      }
    }
  };
  const writeAll = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const responses = waiting;
    waiting = [];
    if (responses.length > 0) writing = writing.then(() => write(responses));
    return writing;
  };
  const figures = async (): Promise<ResponseLogFigures> => {
    await writeAll();
    return { ...file().figures(), boundBytes: await boundNow(), lost };
  };

  return {
    hear: (response: () => ResponseRecord) => {
      // The call was running when the account closed: the file may belong to another workspace now.
      if (isClosed) return;
      waiting.push(response);
      if (waiting.length === 1) since = performance.now();
      if (waiting.length >= WAITING_AT_MOST || performance.now() - since > WAITS_AT_MOST_MS) return void writeAll();
      timer = timer?.refresh() ?? setTimeout(() => void writeAll(), QUIET_MS);
    },
    /**
     * Newest first. A search of one word that is a full correlation ID finds its responses; other words are searched in
     * path, status and correlation ID of the newest `SEARCHED` responses, and each must occur.
     */
    list: async (
      from: number,
      count: number,
      words: string,
    ): Promise<{ readonly total: number; readonly answers: ResponseSummary[] }> => {
      await writeAll();
      return file().list(from, count, words.split(/\s+/u).filter(Boolean));
    },
    /** All responses under a correlation ID, in the order received. */
    of: async (correlationId: string): Promise<AnswerText[]> => {
      await writeAll();
      return Promise.all(file().of(correlationId).map(textOf));
    },
    /** The newest response to a read that named this campaign. */
    lastRead: async (campaignId: string): Promise<ResponseSummary | null> => {
      await writeAll();
      return file().lastRead(campaignId);
    },
    figures,
    /** Sets the limit from now on; 0 stores no responses. */
    setBound: async (bytes: number): Promise<ResponseLogFigures> => {
      await writeAll();
      await workspace.setMeta(BOUND_KEY, String(bytes));
      bound = bytes;
      await dropOld();
      return figures();
    },
    close: async () => {
      isClosed = true;
      await writeAll();
      opened?.close();
      opened = null;
    },
  };
}

const pack = promisify<Buffer, Buffer>(deflateRaw);
const unpack = promisify<Uint8Array, Buffer>(inflateRaw);

/** A response with its body compressed; null without a body. */
type PackedResponse = Omit<ResponseRecord, 'body'> & { readonly body: { text: string; packed: Uint8Array } | null };
type PackedLine = ResponseSummary & { readonly packed: Uint8Array | null };

async function packedOf({ body, ...line }: ResponseRecord): Promise<PackedResponse> {
  return { ...line, body: body === null ? null : { text: body, packed: await pack(Buffer.from(body, 'utf8')) } };
}

async function textOf({ packed, ...line }: PackedLine): Promise<AnswerText> {
  return { ...line, body: packed === null ? null : (await unpack(packed)).toString('utf8') };
}

/**
 * The file of the log. Each distinct body is stored once, so reading an unchanged account again adds only one line
 * per response.
 *
 *   answer  one line per response: time, request, correlation ID
 *   body    the compressed text of one or more of them, by the hash of the text
 *   total   the size of both, in bytes
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

/** Size of a line without its texts, with its index entries; measured, rounded up. */
const LINE_BYTES = 160;
/** Lines dropped per step, so that a lowered limit does not block other work. */
const DROPPED_AT_ONCE = 500;
/** Words are searched in the newest responses only: it runs in the thread that answers windows, 1 ms for 800 of them. */
const SEARCHED = 20_000;
/** Ids have no gaps, since only the oldest are dropped. */
const AMONG_NEWEST = `a.id > (SELECT max(id) FROM answer) - ${SEARCHED}`;
const HAS_WORD = `instr(lower(a.path || ' ' || a.status || ' ' || a.correlation_id), lower(?)) > 0`;
const LINE = `a.id, a.at, a.method, a.path, a.status, a.correlation_id AS correlationId, a.campaign AS campaignId, b.length`;
const FROM = 'FROM answer a LEFT JOIN body b ON b.id = a.body';

type ResponseFile = ReturnType<typeof openResponseFile>;

/** Opens or creates the file. A damaged or foreign one is moved aside: its content is not part of the account. */
function openResponseFile(path: string) {
  const db = openOrReplace(path);
  // node:sqlite does not type the columns; `Row` has those of the statement.
  const all = <Row>(sql: string, ...bind: readonly (string | number)[]): Row[] =>
    db
      .prepare(sql)
      .all(...bind)
      .map((row) => ({ ...row }) as Row);
  const number = (sql: string, ...bind: readonly (string | number)[]): number =>
    Number(all<{ n: number }>(`SELECT (${sql}) AS n`, ...bind)[0]?.n);
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

  const bodyId = ({ text, packed }: NonNullable<PackedResponse['body']>): number => {
    const hash = createHash('sha256').update(text, 'utf8').digest();
    const known = findBody.get(hash)?.['id'];
    if (typeof known === 'number') return known;
    weigh.run(packed.byteLength);
    return Number(addBody.run(hash, text.length, packed).lastInsertRowid);
  };
  const dropSome = (): void => {
    const lines = all<{ body: number | null; chars: number }>(`DELETE FROM answer
      WHERE id IN (SELECT id FROM answer ORDER BY id LIMIT ${DROPPED_AT_ONCE}) RETURNING body, length(path) AS chars`);
    // With no lines left, a wrong sum would make the dropping endless, so it is reset.
    if (lines.length === 0) db.exec('UPDATE total SET bytes = 0');
    const bodies = all<{ bytes: number }>(
      `DELETE FROM body WHERE id IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.body = body.id) RETURNING length(packed) AS bytes`,
      JSON.stringify(lines.flatMap(({ body }) => body ?? [])),
    );
    weigh.run(-lines.reduce((sum, { chars }) => sum + LINE_BYTES + chars, 0));
    weigh.run(-bodies.reduce((sum, { bytes }) => sum + bytes, 0));
  };
  const bytes = (): number => number('SELECT bytes FROM total');
  const isCorrelationId = (words: readonly string[]): boolean =>
    words.length === 1 && number('EXISTS (SELECT 1 FROM answer WHERE correlation_id = ?)', ...words) === 1;

  return {
    add: (responses: readonly PackedResponse[]): void =>
      tx(() => {
        for (const { at, method, path, status, correlationId, campaignId, body } of responses) {
          addLine.run(at, method, path, status, correlationId, campaignId, body === null ? null : bodyId(body));
          weigh.run(LINE_BYTES + path.length);
        }
      }),
    list: (from: number, count: number, words: readonly string[]) => {
      const matches = isCorrelationId(words) ? ['a.correlation_id = ?'] : [AMONG_NEWEST, ...words.map(() => HAS_WORD)];
      const where = words.length === 0 ? '' : `WHERE ${matches.join(' AND ')}`;
      const page = `SELECT ${LINE} ${FROM} ${where} ORDER BY a.id DESC LIMIT ? OFFSET ?`;
      return {
        total: number(`SELECT count(*) FROM answer a ${where}`, ...words),
        answers: all<ResponseSummary>(page, ...words, count, from),
      };
    },
    of: (correlationId: string): PackedLine[] =>
      all(`SELECT ${LINE}, b.packed ${FROM} WHERE a.correlation_id = ? ORDER BY a.id`, correlationId),
    lastRead: (campaignId: string): ResponseSummary | null => {
      const newest = `WHERE a.campaign = ? AND a.method = 'GET' ORDER BY a.id DESC LIMIT 1`;
      return all<ResponseSummary>(`SELECT ${LINE} ${FROM} ${newest}`, campaignId)[0] ?? null;
    },
    figures: () => ({
      answers: number('SELECT count(*) FROM answer'),
      bytes: bytes(),
      oldestAt: all<{ at: number }>('SELECT at FROM answer ORDER BY id LIMIT 1')[0]?.at ?? null,
    }),
    /** Drops the oldest until the rest fits. @returns false while there is more to drop */
    dropDownTo: (bound: number): boolean => {
      if (bytes() <= bound) return true;
      tx(dropSome);
      const isDone = bytes() <= bound;
      if (isDone) db.exec('PRAGMA incremental_vacuum');
      return isDone;
    },
    close: (): void => db.close(),
  };
}

function openOrReplace(path: string): DatabaseSync {
  try {
    return openDatabase(path);
  } catch (error) {
    if (!DAMAGE.has((sqliteCode(error) ?? 0) & 0xff)) throw error;
    for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
    renameSync(path, `${path}.damaged`);
    return openDatabase(path);
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<number> = new Set([11, 26]);

/** The error number of SQLite; null for any other error. */
const sqliteCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;

function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 1000, allowExtension: false, defensive: true });
  try {
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec(DDL);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
