import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTurns } from '../../shared/in-turn.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { writeWhole } from '../write-whole.ts';
import { type AccountRecord, AccountsFile } from './account-record.ts';

/**
 * The accounts of a data folder, in `accounts.json`. The file is read anew before every answer, so the command
 * line and a window on the same folder see each other's accounts; it is written whole.
 */
export interface AccountRegistry {
  list(): Promise<readonly AccountRecord[]>;
  find(workspaceId: WorkspaceId): Promise<AccountRecord | null>;
  add(record: AccountRecord): Promise<Result<AccountRecord, NameTaken>>;
  change(
    workspaceId: WorkspaceId,
    changes: Partial<Omit<AccountRecord, 'workspaceId'>>,
  ): Promise<Result<AccountRecord, NameTaken | { readonly kind: 'no-account' }>>;
  remove(workspaceId: WorkspaceId): Promise<AccountRecord | null>;
}

export interface NameTaken {
  readonly kind: 'name-taken';
  readonly name: string;
}

/** Thrown when `accounts.json` is no list of accounts: the file is left alone, and a person has to look. */
export class DamagedAccounts extends Error {
  readonly path: string;
  constructor(path: string, problem: string) {
    super(`accounts file is damaged: ${problem}`);
    this.name = 'DamagedAccounts';
    this.path = path;
  }
}

export function createAccountRegistry(dataDir: string): AccountRegistry {
  const path = join(dataDir, 'accounts.json');
  // One change after the other: each reads what the one before has written.
  const inTurn = createTurns();
  const save = async (accounts: readonly AccountRecord[]): Promise<void> => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeWhole(path, `${JSON.stringify({ version: 1, accounts }, null, 2)}\n`);
  };

  return {
    list: () => read(path),
    find: async (workspaceId) => (await read(path)).find((account) => account.workspaceId === workspaceId) ?? null,
    add: (record) =>
      inTurn(async () => {
        const accounts = await read(path);
        if (isTaken(accounts, record.name, null)) return err({ kind: 'name-taken', name: record.name });
        await save([...accounts, record]);
        return ok(record);
      }),
    change: (workspaceId, changes) =>
      inTurn(async () => {
        const accounts = await read(path);
        const before = accounts.find((account) => account.workspaceId === workspaceId);
        if (before === undefined) return err({ kind: 'no-account' });
        if (changes.name !== undefined && isTaken(accounts, changes.name, workspaceId)) {
          return err({ kind: 'name-taken', name: changes.name });
        }
        const after = { ...before, ...changes };
        await save(accounts.map((account) => (account === before ? after : account)));
        return ok(after);
      }),
    remove: (workspaceId) =>
      inTurn(async () => {
        const accounts = await read(path);
        const gone = accounts.find((account) => account.workspaceId === workspaceId) ?? null;
        if (gone !== null) await save(accounts.filter((account) => account !== gone));
        return gone;
      }),
  };
}

async function read(path: string): Promise<readonly AccountRecord[]> {
  const text = await readFile(path, 'utf8').catch(nullIfMissing);
  if (text === null) return [];
  const parsed = AccountsFile.safeParse(parseJson(path, text));
  if (!parsed.success) throw new DamagedAccounts(path, parsed.error.issues[0]?.message ?? 'unknown shape');
  return parsed.data.accounts;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedAccounts(path, error instanceof Error ? error.message : 'not JSON');
  }
}

/** Names differ for people, so case and blanks do not count. */
function isTaken(accounts: readonly AccountRecord[], name: string, but: WorkspaceId | null): boolean {
  return accounts.some((account) => account.workspaceId !== but && isSameName(account.name, name));
}

export const isSameName = (one: string, other: string): boolean => fold(one) === fold(other);

const fold = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
