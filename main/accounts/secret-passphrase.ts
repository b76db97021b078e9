import { randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { KEY_BYTES, Sealed, seal, unseal } from './secret-seal.ts';

/**
 * A key that only a passphrase brings out. The passphrase derives a key by scrypt, and that key holds the random one
 * that seals the accounts, so another passphrase later means one box anew and not all of them.
 */
const COST = { N: 2 ** 17, r: 8, p: 1 };
/** scrypt needs 128 * N * r bytes; Node wants to be told that so much is meant. */
const MEMORY_BYTES = 256 * 1024 ** 2;
const SALT_BYTES = 16;
const LABEL = 'adslate passphrase 1';

export const PassphraseLock = z.strictObject({
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.literal(COST.N),
    r: z.literal(COST.r),
    p: z.literal(COST.p),
    salt: z.base64(),
  }),
  key: Sealed,
});
export type PassphraseLock = z.infer<typeof PassphraseLock>;

export async function lockKey(key: Buffer, passphrase: string): Promise<PassphraseLock> {
  const salt = randomBytes(SALT_BYTES);
  const outer = await derive(passphrase, salt);
  const lock: PassphraseLock = {
    kdf: { name: 'scrypt', N: COST.N, r: COST.r, p: COST.p, salt: salt.toString('base64') },
    key: seal(outer, LABEL, key),
  };
  outer.fill(0);
  return lock;
}

/** @returns null for a wrong passphrase */
export async function unlockKey(lock: PassphraseLock, passphrase: string): Promise<Buffer | null> {
  const outer = await derive(passphrase, Buffer.from(lock.kdf.salt, 'base64'));
  const key = unseal(outer, LABEL, lock.key);
  outer.fill(0);
  return key;
}

/** Composed and decomposed letters look alike on every keyboard, so they count as the same. */
function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, { ...COST, maxmem: MEMORY_BYTES }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
