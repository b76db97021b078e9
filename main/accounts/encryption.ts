import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Length of a key in bytes. Values are encrypted with AES-256-GCM and a new nonce each. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';

/** An encrypted value as stored. Without the key it reveals only the length of its content. */
export const Encrypted = z.strictObject({ nonce: z.base64(), box: z.base64(), tag: z.base64() });
export type Encrypted = z.infer<typeof Encrypted>;

/** @param label what the secret belongs to; under another label it can't be decrypted */
export function encrypt(key: Buffer, label: string, text: Buffer): Encrypted {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(label));
  const box = Buffer.concat([cipher.update(text), cipher.final()]);
  return {
    nonce: nonce.toString('base64'),
    box: box.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  };
}

/** @returns null when the key, the label or a single bit differs */
export function decrypt(key: Buffer, label: string, sealed: Encrypted): Buffer | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(sealed.nonce, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(label))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return Buffer.concat([decipher.update(Buffer.from(sealed.box, 'base64')), decipher.final()]);
  } catch {
    return null; // OpenSSL does not distinguish reasons, and the user could not act on any.
  }
}

/**
 * A key protected by a passphrase. The passphrase derives a key by scrypt, and that key encrypts the random one
 * that encrypts the accounts, so a new passphrase re-encrypts only one key.
 */
const COST = { N: 2 ** 17, r: 8, p: 1 };
/** scrypt needs 128 * N * r bytes, which is above Node's default limit. */
const MEMORY_BYTES = 256 * 1024 ** 2;
const SALT_BYTES = 16;
const LABEL = 'adslate passphrase 1';

export const PassphraseKey = z.strictObject({
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.literal(COST.N),
    r: z.literal(COST.r),
    p: z.literal(COST.p),
    salt: z.base64(),
  }),
  key: Encrypted,
});
export type PassphraseKey = z.infer<typeof PassphraseKey>;

export async function encryptKey(key: Buffer, passphrase: string): Promise<PassphraseKey> {
  const salt = randomBytes(SALT_BYTES);
  const outer = await derive(passphrase, salt);
  const lock: PassphraseKey = {
    kdf: { name: 'scrypt', N: COST.N, r: COST.r, p: COST.p, salt: salt.toString('base64') },
    key: encrypt(outer, LABEL, key),
  };
  outer.fill(0);
  return lock;
}

/** @returns null for a wrong passphrase */
export async function decryptKey(lock: PassphraseKey, passphrase: string): Promise<Buffer | null> {
  const outer = await derive(passphrase, Buffer.from(lock.kdf.salt, 'base64'));
  const key = decrypt(outer, LABEL, lock.key);
  outer.fill(0);
  return key;
}

/** Composed and decomposed letters look the same to the user, so they count as equal. */
const derive = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  scryptInThread(passphrase.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: MEMORY_BYTES });

const scryptInThread = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
