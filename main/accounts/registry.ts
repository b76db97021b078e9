import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '../../shared/api/operation.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { createSerialQueue, type SerialQueue } from '../../shared/serial-queue.ts';
import { nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import { diskWords } from '../app/system.ts';
import { keepToUser } from '../store/lock.ts';
import { isBusy } from '../store/not-writable.ts';
import { type AccountRecord, AccountsFile } from './account-record.ts';

/** A limit on adding only: a longer list is still read. */
export const ACCOUNTS_MAX = 1000;

type NotAdded = Failure<'NAME_TAKEN' | 'ALREADY_CONNECTED' | 'TOO_MANY_ACCOUNTS'>;

/**
 * The accounts of a data folder, in `accounts.json`. The file is read again for every call, so the command line and a
 * window on the same folder see each other's accounts; one process at a time writes it, as a whole.
 *
 * No two accounts are the same advertiser of one service: each would create what the other has created already.
 */
export type AccountRegistry = ReturnType<typeof createAccountRegistry>;

/** Thrown when `accounts.json` can't be parsed: the file is not changed, and the user must repair it. */
export class DamagedAccounts extends Error {
  readonly path: string;
  /** Without the path, for windows. */
  readonly detail: string;
  constructor(path: string, problem: string) {
    super(`The list of accounts ${path} is damaged: ${problem}. Repair the file or move it away, then start again.`);
    this.name = 'DamagedAccounts';
    this.path = path;
    this.detail = `accounts.json: ${problem}`;
  }
}

export function createAccountRegistry(dataDir: string) {
  const path = join(dataDir, 'accounts.json');
  // Changes run one at a time: each reads the result of the one before.
  const inTurn = createFileTurns(path);
  const save = async (accounts: readonly AccountRecord[]): Promise<void> => {
    await writeFileAtomic(path, `${JSON.stringify({ version: 1, accounts }, null, 2)}\n`);
  };

  return {
    list: () => read(path),
    find: async (workspaceId: WorkspaceId): Promise<AccountRecord | null> =>
      (await read(path)).find((account) => account.workspaceId === workspaceId) ?? null,
    /** @param isNewAdvertiser whether the advertiser was chosen here, and must be one that no other account has */
    add: (record: AccountRecord, isNewAdvertiser = false): Promise<Result<AccountRecord, NotAdded>> =>
      inTurn(async () => {
        const accounts = await read(path);
        if (accounts.length >= ACCOUNTS_MAX) return fail('TOO_MANY_ACCOUNTS', { max: ACCOUNTS_MAX });
        const same = isNewAdvertiser
          ? (accounts.find(({ advertiserId }) => advertiserId === record.advertiserId) ?? null)
          : sameAdvertiser(accounts, record);
        if (same !== null) return fail('ALREADY_CONNECTED', { name: same.name });
        if (isTaken(accounts, record.name, null)) return fail('NAME_TAKEN', { name: record.name });
        await save([...accounts, record]);
        return ok(record);
      }),
    /** Changes an account, except its service and advertiser. */
    change: (
      workspaceId: WorkspaceId,
      changes: Partial<Omit<AccountRecord, 'workspaceId' | 'practice' | 'baseUrl' | 'advertiserId'>>,
    ): Promise<Result<AccountRecord, Failure<'NAME_TAKEN' | 'NO_WORKSPACE'>>> =>
      inTurn(async () => {
        const accounts = await read(path);
        const before = accounts.find((account) => account.workspaceId === workspaceId);
        if (before === undefined) return fail('NO_WORKSPACE', { workspaceId });
        if (changes.name !== undefined && isTaken(accounts, changes.name, workspaceId)) {
          return fail('NAME_TAKEN', { name: changes.name });
        }
        const after = { ...before, ...changes };
        await save(accounts.map((account) => (account === before ? after : account)));
        return ok(after);
      }),
    remove: (workspaceId: WorkspaceId): Promise<AccountRecord | null> =>
      inTurn(async () => {
        const accounts = await read(path);
        const gone = accounts.find((account) => account.workspaceId === workspaceId) ?? null;
        if (gone !== null) await save(accounts.filter((account) => account !== gone));
        return gone;
      }),
  };
}

async function read(path: string): Promise<readonly AccountRecord[]> {
  const text = await textOf(path);
  if (text === null) return [];
  const parsed = AccountsFile.safeParse(parseJson(path, text));
  if (!parsed.success) throw new DamagedAccounts(path, parsed.error.issues[0]?.message ?? 'unknown shape');
  return parsed.data.accounts;
}

/** A thousand accounts with their settings take up less; a file of this size can't be ours. */
const BYTES_MAX = 32 * 2 ** 20;

async function textOf(path: string): Promise<string | null> {
  try {
    const found = await stat(path).catch(nullIfNotFound);
    if (found === null) return null;
    if (found.size > BYTES_MAX)
      throw new DamagedAccounts(path, `it holds ${found.size} bytes, far too much for a list`);
    return await readFile(path, 'utf8').catch(nullIfNotFound);
  } catch (error) {
    const why = diskWords(error);
    if (why === null) throw error;
    throw new DamagedAccounts(path, why);
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedAccounts(path, error instanceof Error ? error.message : 'not JSON');
  }
}

/** Compares names without case and spaces, as people read them. */
function isTaken(accounts: readonly AccountRecord[], name: string, but: WorkspaceId | null): boolean {
  return accounts.some((account) => account.workspaceId !== but && isSameName(account.name, name));
}

export const isSameName = (one: string, other: string): boolean => fold(one) === fold(other);

const fold = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The advertiser of an account on the service. Consumer ID, key and header names do not identify it. */
type Advertiser = Pick<AccountRecord, 'practice' | 'baseUrl' | 'advertiserId'>;

/** The first account that is this advertiser on this service, however its address was typed; null when there is none. */
export const sameAdvertiser = <A extends Advertiser>(accounts: readonly A[], wanted: Advertiser): A | null =>
  // Each practice account has a separate service.
  (wanted.practice ? null : accounts.find((account) => !account.practice && keyOf(account) === keyOf(wanted))) ?? null;

const keyOf = ({ baseUrl, advertiserId }: Advertiser): string =>
  `${serviceOf(baseUrl)} ${advertiserId.replace(/^0+(?=\d)/u, '')}`;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Normalizes a URL: case, a slash or point at the end, the default port. Case of the path is ignored too: two services
 * of one host that differ only by case are less likely than a typing error.
 */
function serviceOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl.trim().toLowerCase();
  const { protocol, hostname, port, pathname } = new URL(baseUrl.trim());
  const name = hostname.toLowerCase().replace(/\.$/u, '');
  const host = LOOPBACK.has(name) ? 'localhost' : name;
  const path = decoded(pathname)
    .toLowerCase()
    .replace(/\/{2,}/gu, '/')
    .replace(/\/$/u, '');
  return `${host}:${port === '' ? DEFAULT_PORTS[protocol] : port}${path}`;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A literal "%": the path was not encoded.
    return path;
  }
}

/** A change takes milliseconds; after this wait, the other process counts as hung. */
const LOOK_EVERY_MS = 15;
const LOOKS = 400;

/**
 * Serializes changes of a file that several processes read and write as a whole: in this process by a queue, between
 * processes by an exclusive transaction on `<file>.lock`, which ends with its process even after a crash.
 */
export function createFileTurns(file: string): SerialQueue {
  const inTurn = createSerialQueue();
  return (work) =>
    inTurn(async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const release = await take(`${file}.lock`);
      try {
        return await work();
      } finally {
        release();
      }
    });
}

async function take(path: string): Promise<() => void> {
  keepToUser(path);
  for (let look = 1; ; look += 1) {
    // No SQLite timeout: it would block the thread, and with it the holder of the lock in this process.
    const connection = new DatabaseSync(path, { timeout: 0 });
    try {
      connection.exec('BEGIN EXCLUSIVE');
      return () => {
        connection.exec('ROLLBACK');
        connection.close();
      };
    } catch (error) {
      connection.close();
      if (!isBusy(error) || look === LOOKS) throw error;
    }
    await wait(LOOK_EVERY_MS);
  }
}
