import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { startSandbox } from '../../sandbox/start.ts';
import { type MovesSeen, watchMoves } from '../conformance/evidence.ts';
import { createWireClient, type WireAnswer } from './wire-client.ts';

/** Where a walk takes place: a sandbox with its data in a folder, and a second, reading connection to them. */
export interface Ground {
  readonly database: DatabaseSync;
  /** Every change of a state, of whatever row, noted by the file itself. */
  readonly moves: MovesSeen;
  /** A signed call. @param role whose credentials; the owner of advertiser 900001 by default */
  readonly api: (method: string, path: string, body?: unknown, role?: string) => Promise<WireAnswer>;
  readonly control: (path: string, body: unknown) => Promise<WireAnswer>;
  readonly upload: (address: string, bytes: Uint8Array) => Promise<WireAnswer>;
  /** A row by chance; an empty one when there is none, so that the call goes out with ids that do not exist. */
  readonly anyRow: (chance: Chance, sql: string, ...values: readonly SQLInputValue[]) => RowOfWalk;
  readonly close: () => Promise<void>;
}

/** Ids, amounts and words of a row; columns that hold bytes (a logo) are left out. */
export type RowOfWalk = Readonly<Record<string, string | number | null>>;

/** Ten weeks before the cutover, so that long walks cross it. */
const START = '2026-05-05T12:00:00-07:00';

export async function openGround(): Promise<Ground> {
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
  const open = createWireClient(baseUrl, null);
  const clients = accounts
    .filter((account) => account.advertiserId === 900_001)
    .map((account) => [account.role as string, createWireClient(baseUrl, account)] as const);
  const byRole = new Map(clients);
  return {
    database,
    moves,
    api: (method, path, body, role = 'owner') => {
      const client = byRole.get(role);
      if (client === undefined) throw new Error(`no account ${role}`);
      return client.call(method, path, body === undefined ? '' : JSON.stringify(body));
    },
    control: (path, body) => open.call('POST', `/sandbox${path}`, JSON.stringify(body)),
    upload: (address, bytes) => {
      const { pathname, search } = new URL(address);
      return open.call('PUT', pathname + search, bytes, { 'content-type': 'video/mp4' });
    },
    anyRow: (chance, sql, ...values) => {
      const rows = database.prepare(sql).all(...values);
      return plainRow(rows[chance.whole(0, rows.length - 1)] ?? {});
    },
    close: async () => {
      database.close();
      watching.close();
      open.close();
      for (const [, client] of clients) client.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
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

/** The generator is mulberry32: 32 bits of state are plenty for choices. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return { next, whole, oneOf: (values) => values[whole(0, values.length - 1)] ?? values[0] };
}
