import type { Result } from '../../shared/result.ts';

/**
 * The operating system's key store as a host brings it: Electron's, or the Secret Service, Keychain or Credential
 * Manager. It keeps one key of 32 bytes; the secrets themselves are larger than some of these stores take.
 */
export interface KeyStore {
  /** Named beside what it guards, so that another store under the same desk is noticed. */
  readonly name: string;
  /** Puts the key in. What comes back is written to the disk and says where the key lies; it is no secret. */
  keep(key: Buffer): Promise<Result<string, StoreClosed>>;
  find(slot: string): Promise<Result<Buffer, StoreClosed>>;
  drop(slot: string): Promise<void>;
}

/** The store cannot be asked, or says that it has no such key. `detail` never holds a part of the key. */
export interface StoreClosed {
  readonly kind: 'store-closed';
  readonly detail: string;
}
