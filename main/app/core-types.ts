import type { Readable } from 'node:stream';
import type { CredentialStatus, CredentialStorage } from '../../shared/api/accounts.ts';
import type { Preferences, UpdateRefusal, UpdateState } from '../../shared/api/app.ts';
import type { Result } from '../../shared/result.ts';
import type { HostName } from './app-info.ts';
import type { Clock, SleepState } from './clock.ts';
import type { ConfirmSync } from './confirm-large-sync.ts';
import type { FreeBytes } from './system.ts';
import type { Threads } from './threads.ts';

/** What a host has to bring before the core can run. Electron and plain Node differ in these and nothing else. */
export interface CoreOptions {
  /** Everything lives below this folder; two folders know nothing of each other. */
  readonly dataDir: string;
  readonly host: HostName;
  readonly clock: Clock;
  readonly preferences: PreferencesPort;
  readonly secrets: CredentialStore;
  /** The `fetch` of the client: Electron hands in one that goes by the system's proxy. */
  readonly fetch?: typeof fetch;
  /** Whether the machine sleeps, where the host can tell. */
  readonly sleepState?: SleepState;
  /** Replaces the program by a newer one; absent where the host cannot, or no feed is configured. */
  readonly updates?: (changed: () => void) => Updates;
  /** How much of a disk is free; the system is asked when it is not said. */
  readonly freeBytes?: FreeBytes;
  readonly threads: Threads;
  /** Asks outside every window before a run that does much (`CONFIRM_ABOVE`); hosts with no such place leave it out. */
  readonly confirmLargeSync?: ConfirmSync;
}

/** Updates of the program, where the host has them. */
export interface Updates {
  state(): UpdateState;
  /** Begins a check, unless one is under way or its result is ready. */
  check(): void;
  /** Closes everything and replaces the program; tells why not when something is in the way. */
  restart(): Promise<UpdateRefusal | null>;
}

/** Where preferences are kept: electron-store in Electron, a validated JSON file elsewhere. No secrets. */
export interface PreferencesPort {
  get(): Preferences;
  set(changes: Partial<Preferences>): Preferences;
  /** What is wrong with where they are kept, as a sentence; null when nothing is, or when it was told already. */
  takeProblem(): string | null;
}

/**
 * Keeps the secrets of accounts. There is no call that shows one: the client asks for them inside main, and
 * nothing of this interface is reachable through the contract.
 */
export interface CredentialStore {
  status(): Promise<CredentialStatus>;
  put(workspaceId: string, secret: AccountSecret): Promise<Result<null, SecretsRefused>>;
  /** Null when there is none, or while the box is locked or refuses. */
  get(workspaceId: string): Promise<AccountSecret | null>;
  forget(workspaceId: string): Promise<void>;
  /** Keeps secrets in another way from now on. Those that are open move along; others are set aside. */
  choose(storage: CredentialStorage, passphrase: string | null): Promise<Result<null, SecretsRefused>>;
  unlock(passphrase: string): Promise<Result<null, SecretsRefused>>;
  /** Takes the key out of memory; without a passphrase to open it again, nothing happens. */
  lock(): Promise<void>;
}

export interface SecretsRefused {
  readonly kind: 'secrets-refused';
  readonly reason: 'no-keyring' | 'passphrase-too-short' | 'wrong-passphrase' | 'locked' | 'not-locked' | 'refused';
}

export interface AccountSecret {
  readonly token: string;
  /** PKCS#8 PEM of the RSA key. */
  readonly privateKeyPem: string;
}

/** A file the user gave us: a regular file, resolved once, whose identity is checked again before it is read. */
export interface GrantedFile {
  readonly grant: string;
  readonly path: string;
  readonly fileName: string;
  readonly bytes: number;
  /** True for bytes that arrived without a path: they lie in a folder of ours, with nothing of the user's beside. */
  readonly spooled: boolean;
  /** Bytes that are in memory and nowhere else, as those of a key or a token; such a file has no path. */
  readonly held: Buffer | null;
}

export type GrantProblem =
  | { readonly kind: 'not-a-file'; readonly fileName: string }
  | { readonly kind: 'unreadable'; readonly fileName: string; readonly code: string }
  | { readonly kind: 'changed'; readonly fileName: string };

/** Turns paths into grants and back. Hosts call `grantPath`; only main calls `resolve`. */
export interface FileGrants {
  grantPath(path: string): Promise<Result<GrantedFile, GrantProblem>>;
  /** A place for bytes that arrive without a path (the web host's uploads); removed when the host stops. */
  spool(fileName: string, bytes: Readable, limitBytes: number): Promise<Result<GrantedFile, GrantProblem>>;
  /** The same for a secret: its bytes stay in memory and never touch the disk. */
  hold(fileName: string, bytes: Readable): Promise<Result<GrantedFile, GrantProblem>>;
  resolve(grant: string): Promise<Result<GrantedFile, GrantProblem>> | null;
  /** A handle for a folder; null when it is none that can be read. */
  grantFolder(path: string): Promise<{ readonly grant: string; readonly name: string } | null>;
  /** The path of a folder that was granted. */
  resolveFolder(grant: string): string | null;
  /** Takes a grant back; bytes that were held are overwritten. */
  forget(grant: string): void;
}

/** A library file opened for a window's preview. */
export interface PreviewFile {
  readonly contentType: string;
  readonly bytes: number;
  /** Opens the bytes from `start` to `end` (both inclusive). */
  open(start: number, end: number): Readable;
}

/** A file of ours that a window was given a handle for. */
export interface OfferedFile {
  readonly path: string;
  readonly contentType: string;
  /** The name it leaves under. */
  readonly fileName: string;
  /** The account it belongs to: windows of others may not take it out. */
  readonly workspaceId: string;
}

/** What hosts use of the core beside the contract: files of windows, opening ahead, closing. */
export interface CoreApi {
  readonly grants: FileGrants;
  /** What a preview handle stands for, for a host that takes the file itself out of a window. */
  offered(handle: string): OfferedFile | null;
  /** The file behind a preview handle, or null when the handle is unknown or over. */
  preview(handle: string): Promise<PreviewFile | null>;
  /** Opens the account of last time while its window loads. What fails here fails again when the window asks, and is told there. */
  openAhead(): Promise<void>;
  close(): Promise<void>;
}
