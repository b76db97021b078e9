import type { Client, ClientConfig, Connection, DatabaseError, Submittable } from 'pg';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { Clock } from '../app/clock.ts';
import { errorCode } from '../app/system.ts';

/** The part of a connection that the SQL modules use; tests pass a plain client. */
export type Queries = Pick<Client, 'query'>;

/**
 * The connection of one open account to its team's database. Queries run one after the other.
 *
 *   connect: tries each host, until one answers and is writable
 *   query:   a transaction that conflicts with another one is repeated; a cut connection is over, and its owner opens a new one
 */
export interface TeamConnection extends Queries {
  /**
   * Whether notices of new entries arrive. Without them, as behind a transaction pooler, the log is polled every few
   * seconds.
   */
  readonly hasNotices: boolean;
  /** Why the connection ended; null while it is open. */
  readonly over: () => TeamFailure | null;
  close(): Promise<void>;
}

/** Returns the one row of an answer. No row means that the user is not a member of the account. */
export async function oneRow<Row extends object>(client: Queries, sql: string, values: unknown[]): Promise<Row> {
  const [row] = (await client.query<Row>(sql, values)).rows;
  if (row === undefined) throw new TeamFailure('no-access', '42501', 'not a member of this account');
  return row;
}

/** All fields are required, so that the library reads no environment variable. */
export type ConnectionFields = Required<
  Pick<ClientConfig, 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl' | 'enableChannelBinding'>
>;

/**
 *   unreachable  no host answers, or the connection was cut
 *   busy         too many connections, a lock that is held for long, or the server is starting or ending
 *   read-only    only standbys answer, which cannot be written
 *   not-trusted  the certificate is not that of the host, or of no known authority
 *   locked       the credentials of this computer are locked, so that nothing can connect or sign
 *   forgotten    the password was in memory only, and is gone since a restart
 *   password     the password of the login is refused: it was changed in the database
 *   login        the login is refused otherwise
 *   no-access    the login is not a member of this account, or may not do this
 *   too-old      the server is older than PostgreSQL 15
 *   closed       an admin has closed the team, or moved it elsewhere
 *   disk-full    the server cannot write
 *   schema       the database has no such function: it is not set up, or of another version
 *   refused      anything else that the database refuses
 */
export type TeamProblem =
  | 'unreachable'
  | 'busy'
  | 'read-only'
  | 'not-trusted'
  | 'locked'
  | 'forgotten'
  | 'password'
  | 'login'
  | 'no-access'
  | 'too-old'
  | 'closed'
  | 'disk-full'
  | 'schema'
  | 'refused';

/** The one error that a connection throws. Its message holds no password and no value of a row. */
export class TeamFailure extends Error {
  readonly problem: TeamProblem;
  /** SQLSTATE, or the code of the system; empty without one. */
  readonly code: string;
  /** The host that failed; empty if the problem concerns no host. */
  host = '';
  constructor(problem: TeamProblem, code: string, message: string) {
    super(message);
    this.name = 'TeamFailure';
    this.problem = problem;
    this.code = code;
  }
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly random: () => number;
  /** The log of this account has, or may have, entries of a colleague. */
  readonly noticed: (account: string) => void;
  /** The connection was cut. */
  readonly ended: () => void;
}

/** In the format of `server_version_num`. */
const OLDEST_SERVER = 150_000;
const CONNECT_MS = 10_000;
/** Longer than the statement timeout of the server. */
const QUERY_MS = 60_000;
const NOTICE_MS = 1000;
const CLOSE_MS = 1000;
/** How often a conflicting transaction is repeated. */
const REPEATS = 6;
const CHANNEL = 'adslate';

/**
 * @param hosts in the order in which they are tried
 * @throws TeamFailure of the last host that answered, or else of the last host
 */
export async function connectTeam(hosts: readonly ConnectionFields[], deps: ConnectionDeps): Promise<TeamConnection> {
  let failure = new TeamFailure('unreachable', '', 'no host is named');
  for (const fields of hosts) {
    try {
      return await connectHost(fields, deps);
    } catch (error) {
      if (!(error instanceof TeamFailure)) throw error;
      error.host = nameOf(fields);
      if (failure.problem === 'unreachable' || error.problem !== 'unreachable') failure = error;
    }
  }
  throw failure;
}

const nameOf = ({ host = '', port }: ConnectionFields): string => (port === 5432 ? host : `${host}:${port}`);

async function connectHost(fields: ConnectionFields, deps: ConnectionDeps): Promise<TeamConnection> {
  const { Client } = (await import('pg')).default;
  const client = new Client({
    ...fields,
    application_name: 'adslate',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    sslnegotiation: 'postgres',
  });
  // The library reads these two from the environment when they are empty, so they are cleared.
  Object.assign(Reflect.get(client, 'connectionParameters'), { options: undefined, replication: undefined });
  const life: { over: TeamFailure | null; isOpen: boolean } = { over: null, isOpen: false };
  const end = (error: Error): void => {
    if (life.over !== null) return;
    life.over = failureOf(error);
    client.connection.stream.destroy();
    if (life.isOpen) deps.ended();
  };
  const inTurn = createSerialQueue();
  const ask = async (...asked: readonly unknown[]): Promise<unknown> => {
    if (life.over !== null) throw life.over;
    try {
      const answer: unknown = await Reflect.apply(client.query, client, asked);
      return answer instanceof BytesOut ? await answer.done : answer;
    } catch (error) {
      const failure = failureOf(error);
      failure.host = nameOf(fields);
      // If the server has become a standby, this connection ends so that the next host is tried.
      if (failure.problem === 'unreachable' || failure.problem === 'read-only') end(failure);
      throw failure;
    }
  };
  const query = (...asked: readonly unknown[]): Promise<unknown> =>
    inTurn(async () => {
      for (let repeat = 1; ; repeat++) {
        try {
          return await ask(...asked);
        } catch (error) {
          if (!(error instanceof TeamFailure) || !MET_ANOTHER.has(error.code) || repeat > REPEATS) throw error;
          await deps.clock.sleep(2 ** repeat * 10 * (0.5 + deps.random()));
        }
      }
    });
  const connection = { query: query as Queries['query'], over: () => life.over };

  // Added before connecting: a server may close the connection right after it reports that it is ready.
  client.on('error', end);
  client.on('end', () => end(new Error('the connection was closed')));
  try {
    await client.connect();
  } catch (error) {
    throw failureOf(error);
  }
  const close = async (): Promise<void> => {
    life.isOpen = false;
    life.over ??= new TeamFailure('unreachable', '', 'the account was closed');
    const closed = new AbortController();
    const ending = client.end().finally(() => closed.abort());
    await Promise.race([ending, deps.clock.sleep(CLOSE_MS, closed.signal)]);
    client.connection.stream.destroy();
  };
  try {
    const { rows } = await connection.query<{ locked: string; version: number }>(
      "SELECT current_setting('transaction_read_only') AS locked, current_setting('server_version_num')::int AS version",
    );
    if ((rows[0]?.version ?? 0) < OLDEST_SERVER)
      throw new TeamFailure('too-old', '', 'the server is older than PostgreSQL 15');
    if (rows[0]?.locked === 'on') throw new TeamFailure('read-only', '25006', 'the server can only be read');
    const hasNotices = await listen(client, connection, deps);
    if (life.over !== null) throw life.over;
    life.isOpen = true;
    return { ...connection, hasNotices, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Reads values of bytes, one a row, and joins them. An ordinary answer has them as hexadecimal text, twice as long, and
 * the library damages binary answers. Null where the query finds no row. Parameters can't be bound: values are quoted
 * in the text. Split a large value into pieces, one a row: the library's row buffer doubles until a row fits.
 *
 * @param into buffer for the result, which a caller that reads many values can reuse
 */
export async function readBytes(client: Queries, select: string, into?: Buffer): Promise<Buffer | null> {
  const out = new BytesOut(select, into);
  // A plain client returns the query itself; a team connection returns a promise that resolves when the query ends.
  await Promise.resolve(client.query(out));
  return out.done;
}

/** Length of the header of a binary copy before its first row: signature, flags and extension length. */
const COPY_HEAD_BYTES = 19;
/** Length of the header before a value: the field count and the value's length. */
const ROW_HEAD_BYTES = 6;
const NO_MORE_ROWS = -1;

/**
 * A query as the library runs it (`Submittable`) that handles the messages of a copy: one a row, and one at the end.
 */
class BytesOut implements Submittable {
  readonly #sql: string;
  readonly #into: Buffer | undefined;
  readonly #pieces: Buffer[] = [];
  readonly #ends = Promise.withResolvers<Buffer | null>();
  #problem: Error | null = null;
  #length = 0;
  #rows = 0;
  #isFirst = true;

  constructor(select: string, into?: Buffer) {
    this.#sql = `COPY (${select}) TO STDOUT (FORMAT binary)`;
    this.#into = into;
  }

  get done(): Promise<Buffer | null> {
    return this.#ends.promise;
  }

  submit(connection: Connection): void {
    connection.query(this.#sql);
  }

  /** The library reuses a chunk's buffer for the next chunk, so bytes are copied. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    let at = this.#isFirst ? COPY_HEAD_BYTES : 0;
    this.#isFirst = false;
    // Servers send the header alone or with the first row.
    while (at < chunk.length && chunk.readInt16BE(at) !== NO_MORE_ROWS) {
      const from = at + ROW_HEAD_BYTES;
      at = from + chunk.readInt32BE(at + 2);
      this.#keep(chunk.subarray(from, at));
    }
  }

  #keep(value: Buffer): void {
    this.#rows++;
    if (this.#into === undefined) this.#pieces.push(Buffer.from(value));
    else value.copy(this.#into, this.#length);
    this.#length += value.length;
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#problem = error;
    this.#ends.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#problem !== null) return;
    const whole = this.#into?.subarray(0, this.#length) ?? Buffer.concat(this.#pieces, this.#length);
    this.#ends.resolve(this.#rows === 0 ? null : whole);
  }
}

/** Listens and sends itself a test notice, because some poolers drop notices without an error. */
async function listen(client: Client, { query }: Queries, { clock, random, noticed }: ConnectionDeps) {
  const test = `test ${random()}`;
  const heard = new AbortController();
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel !== CHANNEL) return;
    if (payload === test) heard.abort();
    else noticed(payload);
  });
  await query(`LISTEN ${CHANNEL}`);
  const { rows } = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid, pg_notify($1, $2)', [CHANNEL, test]);
  await clock.sleep(NOTICE_MS, heard.signal);
  // A pooler answers the login itself and assigns a server per query, so the test notice may have come with that
  // server's answer.
  return heard.signal.aborted && rows[0]?.pid === Reflect.get(client, 'processID');
}

/** Serialization failure, deadlock, lock not available: the transaction changed nothing and can be repeated. */
const MET_ANOTHER: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);

/** Keys are SQLSTATEs or their classes of two characters. */
const PROBLEMS: Readonly<Record<string, TeamProblem>> = {
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'busy',
  '53300': 'busy',
  '57014': 'busy',
  '55P03': 'busy',
  '40': 'busy',
  AD001: 'closed',
  '53100': 'disk-full',
  '25006': 'read-only',
  '28P01': 'password',
  '28': 'login',
  '42501': 'no-access',
  '42883': 'schema',
  '42P01': 'schema',
  '3F000': 'schema',
  '3D000': 'schema',
};

function failureOf(error: unknown): TeamFailure {
  if (error instanceof TeamFailure) return error;
  if (!(error instanceof Error)) throw error;
  const code = errorCode(error) ?? '';
  // Detail lines of a database error may quote values, so only its first line and code are used.
  if (isFromDatabase(error))
    return new TeamFailure(PROBLEMS[code] ?? PROBLEMS[code.slice(0, 2)] ?? 'refused', code, error.message);
  const isTls = /CERT|TLS|SSL|SIGNATURE|SELF_SIGNED/u.test(code) || /SSL/u.test(error.message);
  if (isTls) return new TeamFailure('not-trusted', code, error.message);
  // These errors are defects of our code, not network failures.
  if (error instanceof TypeError || error instanceof RangeError) throw error;
  return new TeamFailure('unreachable', code, error.message === '' ? code : error.message);
}

const isFromDatabase = (error: Error): error is DatabaseError => 'severity' in error && 'code' in error;
