import type { SafeStorage } from 'electron';
import { err, ok } from '../../../shared/result.ts';
import type { Keychain } from '../../accounts/credential-store.ts';

/**
 * The keychain of the system through Electron. It encrypts our one key with a key of the system; the result is stored
 * on disk. Without a keychain that protects there is none (see `hasKeychain`), never a weaker one of the same name.
 */
export type Encryption = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
>;

/** Marks text that Chromium encrypted with a publicly known key, on Linux only. */
const FIXED_KEY_MARK = 'v10';
const WEAK_BACKENDS = new Set(['basic_text', 'unknown']);
const KEY = /^[a-f0-9]{64}$/;

/** True when the key store really protects: on Linux the backend is named and the cipher text proves it. */
export function hasKeychain(encryption: Encryption, platform: NodeJS.Platform): boolean {
  if (!encryption.isEncryptionAvailable()) return false;
  if (platform !== 'linux') return true;
  if (WEAK_BACKENDS.has(encryption.getSelectedStorageBackend())) return false;
  return !encryption.encryptString('probe').subarray(0, FIXED_KEY_MARK.length).equals(Buffer.from(FIXED_KEY_MARK));
}

/** @returns null when this machine has no key store that protects */
export function createElectronKeychain(encryption: Encryption, platform: NodeJS.Platform): Keychain | null {
  if (!hasKeychain(encryption, platform)) return null;
  return {
    // The same user in another desktop environment gets another backend, which can't decrypt this one's text.
    name: platform === 'linux' ? encryption.getSelectedStorageBackend() : platform,
    keep: async (key) => ok(encryption.encryptString(key.toString('hex')).toString('base64')),
    find: async (slot) => {
      const text = decrypted(encryption, slot);
      if (text === null || !KEY.test(text)) return err({ kind: 'store-closed', detail: 'It does not open our key.' });
      return ok(Buffer.from(text, 'hex'));
    },
    drop: async () => {}, // The slot is the cipher text itself and is deleted with its file.
  };
}

function decrypted(encryption: Encryption, slot: string): string | null {
  try {
    return encryption.decryptString(Buffer.from(slot, 'base64'));
  } catch {
    return null; // No failure needs a different reaction, and its text could contain a part of the key.
  }
}
