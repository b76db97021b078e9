import { randomBytes } from 'node:crypto';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Keychain, KeychainError } from '../../accounts/credential-store.ts';

/**
 * The system's key store for hosts on plain Node: Secret Service on Linux, Keychain on macOS, Credential Manager on
 * Windows. On Linux the store is pinned: left to itself the library falls back to the kernel's keyring, which
 * is empty after the next start of the machine.
 */
const SERVICE = 'Adslate';
const PINNED = { linux: { store: 'secret-service' } } as const;
const NAMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'secret-service',
  darwin: 'keychain',
  win32: 'credential-manager',
};

/** @returns null where the library has no build for this machine, or no store answers */
export async function systemKeychain(): Promise<Keychain | null> {
  const name = NAMES[process.platform];
  const library = await loadLibrary();
  if (name === undefined || library === null) return null;
  const entry = (slot: string) => new library.AsyncEntry(SERVICE, slot, PINNED);
  const attempt = async <T>(work: () => Promise<T>): Promise<Result<T, KeychainError>> => {
    try {
      return ok(await work());
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return err({ kind: 'store-closed', detail: error.message });
    }
  };
  // Asking for something that was never kept tells whether anybody answers, and opens no dialog.
  const answers = await attempt(() => entry('probe').getSecret());
  if (!answers.ok) return null;
  return {
    name,
    keep: async (key) => {
      const slot = randomBytes(16).toString('hex');
      const kept = await attempt(() => entry(slot).setSecret(key));
      return kept.ok ? ok(slot) : kept;
    },
    find: async (slot) => {
      const found = await attempt(() => entry(slot).getSecret());
      if (!found.ok) return found;
      if (found.value === null) return err({ kind: 'store-closed', detail: 'It has no such entry.' });
      return ok(Buffer.from(found.value));
    },
    drop: async (slot) => {
      // An entry that cannot be removed guards nothing any more: what it opened is gone or opens otherwise.
      await attempt(() => entry(slot).deleteCredential());
    },
  };
}

/** Loaded when secrets are first wanted: a start without real accounts does not pay for a native library. */
async function loadLibrary(): Promise<typeof import('@napi-rs/keyring') | null> {
  try {
    return await import('@napi-rs/keyring');
  } catch (error) {
    // A package without it, or a machine it has no build for: there is no store then, and the user is told so.
    if (error instanceof Error) return null;
    throw error;
  }
}
