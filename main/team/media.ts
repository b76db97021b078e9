import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Row } from '../../shared/model/row.ts';
import { ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { nullIfNotFound } from '../app/atomic-write.ts';
import { diskWords } from '../app/system.ts';
import { oneRow, type Queries, readBytes, TeamFailure } from './connection.ts';

/** Same part size as in the database. */
const PART_BYTES = 1_048_576;
/** A part is read in so many pieces of 64 KB. */
const PIECES = 16;
const FILE_MAX_BYTES = 4 * 1024 ** 3;

export type MediaDatabase = ReturnType<typeof openMediaDatabase>;

/** Reads and writes files of the media library for one computer of the team, one query per part. */
export function openMediaDatabase(client: Queries, account: string, desk: number) {
  const hashOf = (sha256: string): Buffer => Buffer.from(sha256, 'hex');
  return {
    /** Which of these files the database has completely. */
    have: async (hashes: readonly string[]): Promise<ReadonlySet<string>> => {
      const { rows } = await client.query<{ sha256: string }>(
        "SELECT encode(sha256, 'hex') AS sha256 FROM adslate.blob WHERE workspace = $1 AND is_whole AND sha256 = ANY ($2)",
        [account, hashes.map(hashOf)],
      );
      return new Set(rows.map(({ sha256 }) => sha256));
    },
    find: async (sha256: string): Promise<{ readonly bytes: number } | null> => {
      const { rows } = await client.query<{ bytes: string }>(
        'SELECT bytes FROM adslate.blob WHERE workspace = $1 AND sha256 = $2 AND is_whole',
        [account, hashOf(sha256)],
      );
      return rows[0] === undefined ? null : { bytes: Number(rows[0].bytes) };
    },
    /** Reads one part into a buffer that is large enough for a part. */
    part: async (sha256: string, no: number, into: Buffer): Promise<Buffer | null> => {
      const { escapeLiteral } = (await import('pg')).default;
      const hash = `decode(${escapeLiteral(sha256)}, 'hex')`;
      const size = PART_BYTES / PIECES;
      return readBytes(
        client,
        `SELECT substr(bytes, ${size} * piece + 1, ${size}) FROM adslate.blob_part, generate_series(0, ${PIECES - 1}) AS piece
         WHERE workspace = ${escapeLiteral(account)} AND sha256 = ${hash} AND no = ${no} AND ${size} * piece < octet_length(bytes)
         ORDER BY piece`,
        into,
      );
    },
    begin: (sha256: string, bytes: number, name: string) =>
      oneRow<{ answer: 'whole' | 'go' | 'quota'; there: readonly number[] }>(
        client,
        'SELECT answer, there FROM adslate.blob_begin_v1($1, $2, $3, $4, $5)',
        [account, desk, hashOf(sha256), bytes, name.slice(0, 255)],
      ),
    put: async (sha256: string, no: number, part: Buffer): Promise<void> => {
      await client.query('SELECT adslate.blob_part_v1($1, $2, $3, $4, $5)', [account, desk, hashOf(sha256), no, part]);
    },
    end: async (sha256: string): Promise<boolean> => {
      const sql = 'SELECT adslate.blob_end_v1($1, $2, $3) AS is_whole';
      return (await oneRow<{ is_whole: boolean }>(client, sql, [account, desk, hashOf(sha256)])).is_whole;
    },
    drop: async (sha256: string): Promise<void> => {
      await client.query('SELECT adslate.blob_drop_v1($1, $2, $3)', [account, desk, hashOf(sha256)]);
    },
  };
}

export interface TeamMediaDeps<Failure> {
  /** The path of the file with this hash on this computer; the file may not exist yet. */
  readonly pathOf: (sha256: string) => string;
  readonly ask: <T>(work: (db: MediaDatabase) => Promise<T>) => Promise<Result<T, Failure>>;
  /** Members who can only view neither send nor drop files. */
  readonly mayEdit: () => boolean;
}

/** The result of sending the files that the team lacks. */
export interface SharedFiles {
  readonly sent: number;
  /** Names of files that exceed the team's space or 4 GiB. */
  readonly tooMuch: readonly string[];
  /** Files that the disk of this computer did not give, and why. */
  readonly unreadable: readonly { readonly name: string; readonly why: string }[];
}

/** Files of a team: sends those of this computer, and fetches one of a colleague when it is opened or sent. */
export function createTeamMedia<Failure>({ pathOf, ask, mayEdit }: TeamMediaDeps<Failure>) {
  const inTurn = createSerialQueue();
  const fetching = new Map<string, Promise<Result<'here' | 'nowhere' | 'damaged', Failure>>>();

  const send = async (db: MediaDatabase, row: Row<'media'>): Promise<'sent' | 'too-much' | 'nothing'> => {
    const { sha256, fileName } = row.values;
    const size = sha256 === null ? null : await sizeOf(pathOf(sha256));
    if (sha256 === null || size === null || size === 0) return 'nothing';
    if (size > FILE_MAX_BYTES) return 'too-much';
    const { answer, there } = await db.begin(sha256, size, fileName ?? '');
    if (answer !== 'go') return answer === 'quota' ? 'too-much' : 'nothing';
    const known = new Set(there);
    const file = await open(pathOf(sha256));
    // One buffer for all parts: thousands of buffers would wait for garbage collection.
    const buffer = Buffer.allocUnsafe(PART_BYTES);
    try {
      for (let no = 0; no * PART_BYTES < size; no++)
        if (!known.has(no)) await db.put(sha256, no, await partOf(file, no, size, buffer));
    } finally {
      await file.close();
    }
    return (await db.end(sha256)) ? 'sent' : 'nothing';
  };

  const fetchBlob = async (db: MediaDatabase, sha256: string) => {
    const found = await db.find(sha256);
    if (found === null) return 'nowhere';
    const path = pathOf(sha256);
    const arriving = join(dirname(path), `fetching-${sha256}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(arriving, 'a+', 0o600);
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(PART_BYTES);
    try {
      // Complete parts from an earlier connection are kept; an incomplete part is fetched again.
      const kept = Math.floor(Math.min((await file.stat()).size, found.bytes) / PART_BYTES);
      await file.truncate(kept * PART_BYTES);
      for (let no = 0; no < kept; no++) hash.update(await partOf(file, no, found.bytes, buffer));
      for (let no = kept; no * PART_BYTES < found.bytes; no++) {
        const part = await db.part(sha256, no, buffer);
        if (part === null) return 'nowhere';
        hash.update(part);
        await file.appendFile(part);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (hash.digest('hex') !== sha256) {
      await rm(arriving, { force: true });
      return 'damaged';
    }
    await rename(arriving, path);
    return 'here';
  };

  return {
    /** Sends the files of these rows that the team lacks; an interrupted file resumes at its last part. */
    share: (rows: readonly Row<'media'>[]): Promise<Result<SharedFiles, Failure>> =>
      inTurn(() =>
        ask(async (db) => {
          const files = mayEdit() ? rows.filter(({ values }) => values.sha256 !== null) : [];
          const there = await db.have(files.flatMap(({ values }) => values.sha256 ?? []));
          let sent = 0;
          const tooMuch: string[] = [];
          const unreadable: { name: string; why: string }[] = [];
          for (const row of files.filter(({ values }) => !there.has(values.sha256 ?? ''))) {
            const name = row.values.fileName ?? row.values.mediaName ?? '';
            try {
              const is = await send(db, row);
              if (is === 'sent') sent++;
              if (is === 'too-much') tooMuch.push(name);
            } catch (error) {
              const why = error instanceof TeamFailure ? null : diskWords(error);
              if (why === null) throw error;
              unreadable.push({ name, why });
            }
          }
          return { sent, tooMuch, unreadable };
        }),
      ),
    /**
     * Fetches a missing file; parallel calls share one download. A damaged file is dropped, and a computer that has it
     * sends it again.
     */
    fetch: async (sha256: string): Promise<Result<'here' | 'nowhere' | 'damaged', Failure>> => {
      if ((await sizeOf(pathOf(sha256))) !== null) return ok('here');
      const known = fetching.get(sha256);
      if (known !== undefined) return known;
      const asked = ask(async (db) => {
        const is = await fetchBlob(db, sha256);
        if (is === 'damaged' && mayEdit()) await db.drop(sha256);
        return is;
      }).finally(() => fetching.delete(sha256));
      fetching.set(sha256, asked);
      return asked;
    },
  };
}

const sizeOf = async (path: string): Promise<number | null> => (await stat(path).catch(nullIfNotFound))?.size ?? null;

async function partOf(file: FileHandle, no: number, size: number, buffer: Buffer): Promise<Buffer> {
  const part = buffer.subarray(0, Math.min(PART_BYTES, size - no * PART_BYTES));
  let at = 0;
  while (at < part.length) {
    const { bytesRead } = await file.read(part, at, part.length - at, no * PART_BYTES + at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    at += bytesRead;
  }
  return part;
}
