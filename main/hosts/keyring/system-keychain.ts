import { randomBytes } from 'node:crypto';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Keychain, KeychainError } from '../../accounts/credential-store.ts';

/**
 * The system's keychain for hosts on plain Node: Secret Service on Linux, Keychain on macOS, Credential Manager on
 * Windows. On Linux the store is set explicitly: by default the library falls back to the kernel's keyring, which is
 * empty after a restart of the computer.
 */
const SERVICE = 'Adslate';
const PINNED = { linux: { store: 'secret-service' } } as const;
const NAMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'secret-service',
  darwin: 'keychain',
  win32: 'credential-manager',
};

/** @returns null if the library has no build for this computer, or no keychain responds */
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
  // Reading an entry that does not exist tests the keychain without opening a dialog.
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
      // An entry that can't be removed is harmless: what it protected is deleted or encrypted with another key.
      await attempt(() => entry(slot).deleteCredential());
    },
  };
}

/** Loaded on first use: a start without real accounts does not need a native library. */
async function loadLibrary(): Promise<typeof import('@napi-rs/keyring') | null> {
  try {
    return await import('@napi-rs/keyring');
  } catch (error) {
    // A package without it, or no build for this computer: then no keychain is offered.
    if (error instanceof Error) return null;
    throw error;
  }
}
