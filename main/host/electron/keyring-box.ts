import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SafeStorage } from 'electron';
import { z } from 'zod';
import type { AccountSecret, SecretBox } from '../../core-types.ts';
import { nullIfMissing } from '../../null-if-missing.ts';
import { writeWhole } from '../../write-whole.ts';

/**
 * Secrets encrypted with a key of the operating system's key store, one file an account. Without a real key store
 * there is no such box (see `hasKeyring`), never a weaker one under the same name.
 */
export type Encryption = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'
>;

/** Marks text that Chromium encrypted with a key everybody knows, on Linux only. */
const FIXED_KEY_MARK = 'v10';
const WEAK_BACKENDS = new Set(['basic_text', 'unknown']);

const Secret = z.strictObject({ token: z.string(), privateKeyPem: z.string() });
const Stored = z.strictObject({ version: z.literal(1), backend: z.string(), box: z.base64() });

/** True when the key store really protects: on Linux the backend is named and the cipher text proves it. */
export function hasKeyring(encryption: Encryption, platform: NodeJS.Platform): boolean {
  if (!encryption.isEncryptionAvailable()) return false;
  if (platform !== 'linux') return true;
  if (WEAK_BACKENDS.has(encryption.getSelectedStorageBackend())) return false;
  return !encryption.encryptString('probe').subarray(0, FIXED_KEY_MARK.length).equals(Buffer.from(FIXED_KEY_MARK));
}

export function createKeyringBox(dataDir: string, encryption: Encryption, platform: NodeJS.Platform): SecretBox {
  const folder = join(dataDir, 'secrets');
  const fileOf = (workspaceId: string) => join(folder, `${workspaceId}.json`);
  const backend = (): string => (platform === 'linux' ? encryption.getSelectedStorageBackend() : platform);
  return {
    grade: 'keyring',
    put: async (workspaceId, secret) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const box = encryption.encryptString(JSON.stringify(secret)).toString('base64');
      await writeWhole(fileOf(workspaceId), JSON.stringify({ version: 1, backend: backend(), box }));
    },
    get: async (workspaceId) => {
      const text = await readFile(fileOf(workspaceId), 'utf8').catch(nullIfMissing);
      return text === null ? null : opened(text, encryption);
    },
    forget: (workspaceId) => rm(fileOf(workspaceId), { force: true }),
  };
}

/**
 * Null when the key store cannot open the box: the desktop's key store was changed, or the folder came from
 * another machine. The file stays, because the old key store may come back; the window asks for the secrets again.
 */
function opened(text: string, encryption: Encryption): AccountSecret | null {
  try {
    const { box } = Stored.parse(JSON.parse(text));
    return Secret.parse(JSON.parse(encryption.decryptString(Buffer.from(box, 'base64'))));
  } catch {
    return null; // Every failure here means the same to the user, and its text could hold a part of the secret.
  }
}
