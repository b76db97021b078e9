import { z } from 'zod';
import { appOperation, operation } from './operation.ts';

/**
 * How the keys and tokens of accounts are kept. There are operations to choose, to open and to forget; there is
 * none that shows a secret, and there will be none.
 */
export const CredentialStorage = z.enum(['keyring', 'passphrase', 'memory']);
export type CredentialStorage = z.infer<typeof CredentialStorage>;

export const CredentialStatus = z.strictObject({
  grade: CredentialStorage,
  /** `locked` waits for the passphrase; `refused` takes and gives nothing until the user has chosen anew. */
  state: z.enum(['open', 'locked', 'refused']),
  /**
   * Why it is refused: the key store is another one than it was, it is closed or lost our key, or our own file
   * cannot be read. Null unless refused.
   */
  problem: z.enum(['store-changed', 'store-closed', 'damaged']).nullable(),
  /** The key store's name while one is in use. */
  store: z.string().nullable(),
  /** What can be chosen on this machine. */
  offered: z.array(CredentialStorage),
});
export type CredentialStatus = z.infer<typeof CredentialStatus>;

/** Long enough that the slow derivation makes guessing hopeless; the longest is a bound for the work of one call. */
export const PASSPHRASE_MIN = 12;
const passphrase = z.string().min(1).max(1000);

export const secretsContract = {
  status: appOperation({ output: CredentialStatus, errors: ['NOT_WRITABLE'] }),
  /** Keeps secrets in another way from now on; what is open moves along, what cannot be opened is set aside. */
  choose: appOperation({
    input: z.strictObject({ grade: CredentialStorage, passphrase: passphrase.optional() }),
    output: CredentialStatus,
    errors: ['NOT_WRITABLE', 'SECRETS_REFUSED'],
  }),
  unlock: appOperation({
    input: z.strictObject({ passphrase }),
    output: CredentialStatus,
    errors: ['NOT_WRITABLE', 'SECRETS_REFUSED'],
  }),
  lock: appOperation({ output: CredentialStatus, errors: ['NOT_WRITABLE'] }),
  /** Drops the key and the token of one account; the account stays and asks for them again. */
  forget: operation({ runs: 'app', output: CredentialStatus }),
};
