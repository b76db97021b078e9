import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CredentialStatus, CredentialStorage } from '../../shared/api/accounts.ts';
import { PASSPHRASE_MIN } from '../../shared/api/limits.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { fsyncDirectory, makeFolders, nullIfNotFound, writeFileAtomic } from '../app/atomic-write.ts';
import type { Clock } from '../app/clock.ts';
import type { AccountSecret, CredentialStore, SecretsRefused } from '../app/host-ports.ts';
import { decrypt, decryptKey, Encrypted, encrypt, encryptKey, KEY_BYTES, PassphraseKey } from './encryption.ts';

/**
 * Stores secrets in the way the user selected:
 *
 *   keyring ---- the system's keychain holds the key; the secrets are stored encrypted on the disk
 *   passphrase - the key is derived from a passphrase; locked at each start until it is typed
 *   memory ----- nothing on the disk; entered at each start
 *   refused ---- the keychain changed or is locked, or our file is damaged: nothing is read or stored until
 *                the old keychain is available or the user has selected again (old files are moved, not deleted)
 *
 * Default: the keychain where there is a secure one, else memory. Secrets are never stored unencrypted.
 */
export interface CredentialStoreOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Null when this computer has no secure keychain. Called once, when secrets are first needed. */
  readonly keychain: () => Promise<Keychain | null>;
}

type State =
  | { readonly at: 'memory' }
  | { readonly at: 'open'; readonly storage: 'keyring' | 'passphrase'; readonly key: Buffer }
  | { readonly at: 'locked' }
  | {
      readonly at: 'refused';
      readonly storage: CredentialStorage;
      readonly problem: NonNullable<CredentialStatus['problem']>;
    };

const Secret = z.strictObject({ token: z.string(), privateKeyPem: z.string() });

export function createCredentialStore(options: CredentialStoreOptions): CredentialStore {
  const files = credentialFiles(options.dataDir);
  const memory = new Map<string, AccountSecret>();
  let store: Promise<Keychain | null> | null = null;
  let state: State | null = null;
  const inTurn = createSerialQueue();
  const listeners = new Set<() => void>();
  const told = (done: Result<null, SecretsRefused>): Result<null, SecretsRefused> => {
    if (done.ok) for (const listener of listeners) listener();
    return done;
  };
  const keychain = (): Promise<Keychain | null> => {
    store ??= options.keychain();
    return store;
  };
  const current = async (): Promise<State> => {
    state ??= await stateAtStart(files, keychain);
    return state;
  };
  const shut = (): void => {
    if (state?.at === 'open') state.key.fill(0);
    state = null;
    memory.clear();
  };

  const status = async (): Promise<CredentialStatus> => {
    const now = await current();
    const offered: CredentialStorage[] = [
      ...((await keychain()) === null ? [] : (['keyring'] as const)),
      'passphrase',
      'memory',
    ];
    const storage = now.at === 'memory' ? 'memory' : now.at === 'locked' ? 'passphrase' : now.storage;
    return {
      storage,
      state: now.at === 'locked' || now.at === 'refused' ? now.at : 'open',
      problem: now.at === 'refused' ? now.problem : null,
      store: storage === 'keyring' ? ((await keychain())?.name ?? null) : null,
      offered,
    };
  };

  const get = async (workspaceId: string): Promise<AccountSecret | null> => {
    const now = await current();
    if (now.at === 'memory') return memory.get(workspaceId) ?? null;
    if (now.at !== 'open') return null;
    const box = await files.box(workspaceId);
    return box === null || box === 'damaged' ? null : opened(decrypt(now.key, workspaceId, box));
  };

  const put = async (workspaceId: string, secret: AccountSecret): Promise<Result<null, SecretsRefused>> => {
    const now = await current();
    if (now.at === 'locked' || now.at === 'refused') return refuse(now.at);
    if (now.at === 'memory') memory.set(workspaceId, secret);
    else await files.keep(workspaceId, sealed(now.key, workspaceId, secret));
    return ok(null);
  };

  const choose = async (
    storage: CredentialStorage,
    passphrase: string | null,
  ): Promise<Result<null, SecretsRefused>> => {
    if (storage === 'passphrase' && [...(passphrase ?? '')].length < PASSPHRASE_MIN)
      return refuse('passphrase-too-short');
    const before = await current();
    // Changing the storage must not bypass a lock: anyone at the computer could set the stored secrets aside.
    if (before.at === 'locked') return refuse('locked');
    const made = await newChoice(storage, passphrase, keychain);
    if (!made.ok) return made;
    const kept = await everything(before, files, memory, get);
    const old = await files.choice();
    if (before.at === 'refused' || kept.unreadable > 0) await files.setAside(new Date(options.clock.nowMs()));
    const next = made.value.state;
    // A failure up to here, such as a full disk, changes nothing.
    await files.replace(made.value.choice, next.at === 'open' ? encryptedAll(next.key, kept.secrets) : new Map());
    shut();
    state = next;
    if (next.at === 'memory') for (const [id, secret] of kept.secrets) memory.set(id, secret);
    if (before.at !== 'refused' && old !== null && old !== 'damaged' && old.grade === 'keyring') {
      await (await keychain())?.drop(old.slot);
    }
    return ok(null);
  };

  const unlock = async (passphrase: string): Promise<Result<null, SecretsRefused>> => {
    if ((await current()).at !== 'locked') return refuse('not-locked');
    const choice = await files.choice();
    if (choice === null || choice === 'damaged' || choice.grade !== 'passphrase') return refuse('refused');
    const key = await decryptKey(choice.lock, passphrase);
    if (key === null) return refuse('wrong-passphrase');
    state = { at: 'open', storage: 'passphrase', key };
    return ok(null);
  };

  return {
    status: () => inTurn(status),
    get: (workspaceId) => inTurn(() => get(workspaceId)),
    put: (workspaceId, secret) => inTurn(() => put(workspaceId, secret)),
    forget: (workspaceId) =>
      inTurn(async () => {
        memory.delete(workspaceId);
        await files.forget(workspaceId);
      }),
    choose: async (storage, passphrase) => told(await inTurn(() => choose(storage, passphrase))),
    unlock: async (passphrase) => told(await inTurn(() => unlock(passphrase))),
    lock: () =>
      inTurn(async () => {
        if (state?.at === 'open' && state.storage === 'passphrase') shut();
      }),
    onOpened: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function stateAtStart(files: CredentialFiles, keychain: () => Promise<Keychain | null>): Promise<State> {
  const choice = await files.choice();
  if (choice === 'damaged') return { at: 'refused', storage: 'memory', problem: 'damaged' };
  if (choice?.grade === 'memory') return { at: 'memory' };
  if (choice?.grade === 'passphrase') return { at: 'locked' };
  const store = await keychain();
  if (choice === null) {
    if (store === null) return { at: 'memory' };
    const made = await newChoice('keyring', null, keychain);
    if (!made.ok) return { at: 'memory' };
    await files.choose(made.value.choice);
    return made.value.state;
  }
  if (store === null) return { at: 'refused', storage: 'keyring', problem: 'store-closed' };
  if (store.name !== choice.store) return { at: 'refused', storage: 'keyring', problem: 'store-changed' };
  const found = await store.find(choice.slot);
  return found.ok
    ? { at: 'open', storage: 'keyring', key: found.value }
    : { at: 'refused', storage: 'keyring', problem: 'store-closed' };
}

async function newChoice(
  storage: CredentialStorage,
  passphrase: string | null,
  keychain: () => Promise<Keychain | null>,
): Promise<Result<{ readonly choice: StorageChoice; readonly state: State }, SecretsRefused>> {
  if (storage === 'memory') return ok({ choice: { version: 1, grade: storage }, state: { at: 'memory' } });
  const key = randomBytes(KEY_BYTES);
  if (storage === 'passphrase') {
    const lock = await encryptKey(key, passphrase ?? '');
    return ok({ choice: { version: 1, grade: storage, lock }, state: { at: 'open', storage, key } });
  }
  const store = await keychain();
  const kept = await store?.keep(key);
  if (store === null || kept?.ok !== true) return refuse('no-keyring');
  return ok({
    choice: { version: 1, grade: storage, store: store.name, slot: kept.value },
    state: { at: 'open', storage, key },
  });
}

/** Every secret that can be read now, and the number of those that can't. */
async function everything(
  state: State,
  files: CredentialFiles,
  memory: ReadonlyMap<string, AccountSecret>,
  get: (workspaceId: string) => Promise<AccountSecret | null>,
): Promise<{ readonly secrets: ReadonlyMap<string, AccountSecret>; readonly unreadable: number }> {
  if (state.at === 'memory') return { secrets: new Map(memory), unreadable: 0 };
  const secrets = new Map<string, AccountSecret>();
  let unreadable = 0;
  for (const id of await files.accounts()) {
    const secret = await get(id);
    if (secret === null) unreadable += 1;
    else secrets.set(id, secret);
  }
  return { secrets, unreadable };
}

const sealed = (key: Buffer, workspaceId: string, secret: AccountSecret): Encrypted =>
  encrypt(key, workspaceId, Buffer.from(JSON.stringify(secret)));

const encryptedAll = (key: Buffer, secrets: ReadonlyMap<string, AccountSecret>): ReadonlyMap<string, Encrypted> =>
  new Map([...secrets].map(([workspaceId, secret]) => [workspaceId, sealed(key, workspaceId, secret)]));

function opened(text: Buffer | null): AccountSecret | null {
  return text === null ? null : Secret.parse(JSON.parse(text.toString('utf8')));
}

const refuse = (reason: SecretsRefused['data']['reason']) => fail('SECRETS_REFUSED', { reason });

/**
 * The operating system's keychain, provided by the host: Electron's, or the Secret Service, Keychain or Credential
 * Manager. It stores one key of 32 bytes; the secrets themselves are too large for some keychains.
 */
export interface Keychain {
  /** Stored beside the encrypted secrets, so that a different keychain is noticed. */
  readonly name: string;
  /** Stores the key. The result is written to the disk and identifies the key in the keychain; it is no secret. */
  keep(key: Buffer): Promise<Result<string, KeychainError>>;
  find(slot: string): Promise<Result<Buffer, KeychainError>>;
  drop(slot: string): Promise<void>;
}

/** The keychain is unavailable or does not have the key. `detail` never holds a part of the key. */
export interface KeychainError {
  readonly kind: 'store-closed';
  readonly detail: string;
}

/**
 * `secrets/` of the data folder: `choice.json` has the storage of secrets, `<account>.json` the encrypted secret of one
 * account. Nothing in it is readable without the passphrase or the system's keychain.
 *
 * In `choice.json` the storage has the key `grade`.
 *
 * A new storage replaces the folder as a whole, so that a crash or a full disk leaves one of the two:
 *
 *   secrets --new folder complete in `.next`--> old one to `.before` --> new one in its place --> old one removed
 *                                           \--crash here: the next start restores it
 */
const StorageChoice = z.discriminatedUnion('grade', [
  z.strictObject({ version: z.literal(1), grade: z.literal('memory') }),
  z.strictObject({ version: z.literal(1), grade: z.literal('passphrase'), lock: PassphraseKey }),
  /** `store` is the keychain's name, `slot` identifies our key in it. */
  z.strictObject({ version: z.literal(1), grade: z.literal('keyring'), store: z.string(), slot: z.string() }),
]);
type StorageChoice = z.infer<typeof StorageChoice>;

const Box = z.strictObject({ version: z.literal(1), sealed: Encrypted });

type CredentialFiles = ReturnType<typeof credentialFiles>;

const CHOICE = 'choice.json';

function credentialFiles(dataDir: string) {
  const folder = join(dataDir, 'secrets');
  const [next, before] = [`${folder}.next`, `${folder}.before`];
  const nameOf = (workspaceId: string): string => `${workspaceId}.json`;
  const fileOf = (workspaceId: string): string => join(folder, nameOf(workspaceId));
  const write = async (place: string, name: string, value: unknown): Promise<void> => {
    await makeFolders(place);
    await writeFileAtomic(join(place, name), JSON.stringify(value));
  };
  /** Ends a replacement that a crash has broken off. */
  const settle = async (): Promise<void> => {
    if (!existsSync(before)) return;
    if (existsSync(folder)) await rm(before, { recursive: true, force: true });
    else await rename(before, folder);
  };
  return {
    /** Null when nothing was selected yet; `damaged` when the file can't be parsed. */
    choice: async (): Promise<StorageChoice | 'damaged' | null> => {
      await settle();
      return read(join(folder, CHOICE), StorageChoice);
    },
    /** Creates the data folder, which may be missing when secrets are first needed, as for a command that joins a team. */
    choose: async (choice: StorageChoice) => {
      await makeFolders(dataDir);
      await write(folder, CHOICE, choice);
    },
    /** Replaces the folder by a storage with all its encrypted secrets. */
    replace: async (choice: StorageChoice, boxes: ReadonlyMap<string, Encrypted>) => {
      await rm(next, { recursive: true, force: true });
      await write(next, CHOICE, choice);
      for (const [workspaceId, sealed] of boxes) await write(next, nameOf(workspaceId), { version: 1, sealed });
      if (existsSync(folder)) await rename(folder, before);
      await rename(next, folder);
      await fsyncDirectory(dataDir);
      await rm(before, { recursive: true, force: true });
    },
    box: async (workspaceId: string): Promise<Encrypted | 'damaged' | null> => {
      const found = await read(fileOf(workspaceId), Box);
      return found === null || found === 'damaged' ? found : found.sealed;
    },
    keep: (workspaceId: string, sealed: Encrypted) => write(folder, nameOf(workspaceId), { version: 1, sealed }),
    forget: async (workspaceId: string) => {
      await settle();
      await rm(fileOf(workspaceId), { force: true });
    },
    accounts: async (): Promise<readonly string[]> => {
      const names = (await readdir(folder).catch(nullIfNotFound)) ?? [];
      return names
        .filter((name) => name.endsWith('.json') && name !== CHOICE)
        .map((name) => name.slice(0, -'.json'.length));
    },
    /** Moves the folder to another name; secrets that may still be readable are never deleted. */
    setAside: async (at: Date) => {
      if (!existsSync(folder)) return;
      await rename(folder, join(dataDir, `secrets-set-aside-${at.toISOString().replaceAll(':', '-')}`));
    },
  };
}

async function read<T extends z.ZodType>(file: string, shape: T): Promise<z.infer<T> | 'damaged' | null> {
  const text = await readFile(file, 'utf8').catch(nullIfNotFound);
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return 'damaged';
    throw error;
  }
}
