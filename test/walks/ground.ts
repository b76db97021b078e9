import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { type ReadyLine, startSandbox } from '../../sandbox/start.ts';
import { watchMoves } from '../conformance/evidence.ts';
import { seeded } from '../sync/simulator/seeded.ts';

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** Ids, amounts and words of a row; columns that hold bytes (a logo) are left out. */
export type RowOfWalk = Readonly<Record<string, string | number | null>>;

/** Ten weeks before the cutover, so that long walks cross it. */
const START = '2026-05-05T12:00:00-07:00';

/** Where a walk takes place: a sandbox with its data in a folder, and a second, reading connection to them. */
export async function openGround() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-walk-'));
  const sandbox = await startSandbox({
    dataDir: folder,
    scenario: 'conformance',
    now: START,
    clock: 'virtual',
    extensions: true,
    operationsPerHour: null,
  });
  const { baseUrl, accounts } = sandbox.ready;
  const watching = new DatabaseSync(join(folder, 'sandbox.db'));
  const moves = watchMoves(watching);
  const database = new DatabaseSync(join(folder, 'sandbox.db'), { readOnly: true });
  const ours = accounts.filter(({ advertiserId }) => advertiserId === 900_001);
  const signedByRole = new Map(ours.map((account) => [account.role as string, signedBy(account)]));
  return {
    database,
    /** Every change of a state, of whatever row, noted by the file itself. */
    moves,
    /** A signed call. @param role whose credentials; the owner of advertiser 900001 by default */
    api: (method: string, path: string, body?: unknown, role = 'owner') => {
      const signed = signedByRole.get(role);
      if (signed === undefined) throw new Error(`no account ${role}`);
      return call(method, baseUrl + path, body === undefined ? null : JSON.stringify(body), signed());
    },
    control: (path: string, body: unknown) => call('POST', `${baseUrl}/sandbox${path}`, JSON.stringify(body)),
    upload: (address: string, bytes: Uint8Array) =>
      call('PUT', address, Buffer.from(bytes), { 'content-type': 'video/mp4' }),
    /** A row by chance; an empty one when there is none, so that the call goes out with ids that do not exist. */
    anyRow: (chance: Chance, sql: string, ...values: readonly SQLInputValue[]) => {
      const rows = database.prepare(sql).all(...values);
      return plainRow(rows[chance.whole(0, rows.length - 1)] ?? {});
    },
    close: async () => {
      database.close();
      watching.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface WireAnswer {
  /** 0 when the connection was cut without an answer. */
  readonly status: number;
  readonly body: string;
}

async function call(
  method: string,
  url: string,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<WireAnswer> {
  try {
    const sent = { method, body, headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(url, sent);
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 0, body: '' };
  }
}

const SIGN_EVERY_MS = 60_000;

/** Signs anew only once a minute, which the window of the document allows: a walk makes very many calls. */
function signedBy(account: ReadyLine['accounts'][number]): () => Readonly<Record<string, string>> {
  const key = createPrivateKey(account.privateKeyPem);
  let signedAt = 0;
  let headers: Readonly<Record<string, string>> = {};
  return () => {
    if (Date.now() - signedAt <= SIGN_EVERY_MS) return headers;
    signedAt = Date.now();
    const text = `${account.consumerId}\n${signedAt}\n${account.keyVersion}\n`;
    headers = {
      authorization: `Bearer ${account.token}`,
      'SVC_SEC.AUTH_SIGNATURE': sign('RSA-SHA256', Buffer.from(text), key).toString('base64'),
      'SVC_SEC.KEY_VERSION': account.keyVersion,
      'SVC_CONSUMER.ID': account.consumerId,
      'SVC_CONSUMER.intimestamp': String(signedAt),
      'SVC_QOS.correlation_id': 'walk',
    };
    return headers;
  };
}

function plainRow(row: Readonly<Record<string, SQLOutputValue>>): RowOfWalk {
  const cells = Object.entries(row).flatMap(([name, cell]) =>
    typeof cell === 'string' || typeof cell === 'number' || cell === null ? [[name, cell] as const] : [],
  );
  return Object.fromEntries(cells);
}

/** Choices from a seed: the same seed makes the same walk. */
export interface Chance {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number;
  /** A whole number from `min` to `max`, both included. */
  readonly whole: (min: number, max: number) => number;
  readonly oneOf: <T>(values: readonly [T, ...T[]]) => T;
}

export function createChance(seed: number): Chance {
  const { next, pick } = seeded(seed);
  return { next, whole: (min, max) => min + Math.floor(next() * (max - min + 1)), oneOf: pick };
}
