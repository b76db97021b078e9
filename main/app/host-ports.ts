import type { Readable } from 'node:stream';
import type { CredentialStatus, CredentialStorage } from '../../shared/api/accounts.ts';
import type { Preferences, UpdateRefusal, UpdateState } from '../../shared/api/app.ts';
import type { Failure } from '../../shared/api/operation.ts';
import type { BadFile } from '../../shared/media/file-refusal.ts';
import type { Result } from '../../shared/result.ts';

/** Updates of the program, where the host has them. */
export interface Updates {
  state(): UpdateState;
  /** Begins a check, unless one is running or its result is ready. */
  check(): void;
  /** Closes everything and replaces the program; returns the reason when something prevents it. */
  restart(): Promise<UpdateRefusal | null>;
}

/** Stores preferences: electron-store in Electron, a validated JSON file elsewhere. No secrets. */
export interface PreferencesPort {
  get(): Preferences;
  set(changes: Partial<Preferences>): Preferences;
  /** The problem with the stored preferences, as a sentence; null without one, or when it was reported already. */
  takeProblem(): string | null;
}

/**
 * Stores the secrets of accounts. No call returns one through the contract: the client reads them inside main.
 */
export interface CredentialStore {
  status(): Promise<CredentialStatus>;
  put(workspaceId: string, secret: AccountSecret): Promise<Result<null, SecretsRefused>>;
  /** Null when there is none, or while the box is locked or refuses. */
  get(workspaceId: string): Promise<AccountSecret | null>;
  forget(workspaceId: string): Promise<void>;
  /** Changes where secrets are stored. Secrets that can be read move along; others are quarantined. */
  choose(storage: CredentialStorage, passphrase: string | null): Promise<Result<null, SecretsRefused>>;
  unlock(passphrase: string): Promise<Result<null, SecretsRefused>>;
  /** Removes the key from memory; no effect without a passphrase to unlock it again. */
  lock(): Promise<void>;
  /** Calls a listener after each unlock and each change of the storage. @returns a function that ends the listening */
  onOpened(listener: () => void): () => void;
}

export type SecretsRefused = Failure<'SECRETS_REFUSED'>;

export interface AccountSecret {
  readonly token: string;
  /** PKCS#8 PEM of the RSA key. */
  readonly privateKeyPem: string;
}

/** A file that the user selected: a regular file, resolved once, whose identity is checked again before it is read. */
export interface GrantedFile {
  readonly grant: string;
  readonly path: string;
  readonly fileName: string;
  readonly bytes: number;
  /** True for bytes that arrived without a path: they are in a folder of ours, with no other file of the user. */
  readonly spooled: boolean;
  /** Bytes that exist only in memory, such as a key or a token; the file has no path. */
  readonly held: Buffer | null;
}

/** Issues grants for paths and resolves them. Hosts call `grantPath`; only main calls `resolve`. */
export interface FileGrants {
  grantPath(path: string): Promise<Result<GrantedFile, BadFile>>;
  /** Stores bytes that arrive without a path (the web host's uploads) until the host stops. */
  spool(fileName: string, bytes: Readable, limitBytes: number): Promise<Result<GrantedFile, BadFile>>;
  /** Like `spool`, for a secret: its bytes stay in memory and are never written to the disk. */
  hold(fileName: string, bytes: Readable): Promise<Result<GrantedFile, BadFile>>;
  resolve(grant: string): Promise<Result<GrantedFile, BadFile>> | null;
  /** A handle for a folder; null if it can't be read. */
  grantFolder(path: string): Promise<{ readonly grant: string; readonly name: string } | null>;
  /** The path of a folder that was granted. */
  resolveFolder(grant: string): string | null;
  /** Revokes a grant; bytes in memory are overwritten. */
  forget(grant: string): void;
}

/** A library file opened for a window's preview. */
export interface PreviewFile {
  readonly contentType: string;
  readonly bytes: number;
  /** Opens the bytes from `start` to `end` (both inclusive). */
  open(start: number, end: number): Readable;
}

/** A file of ours with a handle for a window. */
export interface OfferedFile {
  readonly path: string;
  readonly contentType: string;
  /** The file name for the user's copy. */
  readonly fileName: string;
  /** The account of the file: windows of other accounts may not export it. */
  readonly workspaceId: string;
}

/** What hosts use of the core besides the contract: files of windows, opening ahead, closing. */
export interface CoreApi {
  readonly grants: FileGrants;
  /** The file of a preview handle, for a host that copies it out of a window. */
  offered(handle: string): OfferedFile | null;
  /** The file of a preview handle; null when the handle is unknown or has expired. */
  preview(handle: string): Promise<PreviewFile | null>;
  /** Opens the last account while its window loads. A failure here is reported when the window opens the account. */
  openAhead(): Promise<void>;
  close(): Promise<void>;
}
