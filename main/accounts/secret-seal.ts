import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Bytes of a key and of what protects it: AES-256-GCM with a nonce of its own for every box. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';

/** What lies on the disk; without the key it tells the length of what is inside and no more. */
export const Sealed = z.strictObject({ nonce: z.base64(), box: z.base64(), tag: z.base64() });
export type Sealed = z.infer<typeof Sealed>;

/** @param label what the box belongs to; a box put under another label does not open */
export function seal(key: Buffer, label: string, text: Buffer): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(label));
  const box = Buffer.concat([cipher.update(text), cipher.final()]);
  return {
    nonce: nonce.toString('base64'),
    box: box.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  };
}

/** @returns null when the key, the label or a single bit is another than it was */
export function unseal(key: Buffer, label: string, sealed: Sealed): Buffer | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(sealed.nonce, 'base64'), { authTagLength: 16 })
      .setAAD(Buffer.from(label))
      .setAuthTag(Buffer.from(sealed.tag, 'base64'));
    return Buffer.concat([decipher.update(Buffer.from(sealed.box, 'base64')), decipher.final()]);
  } catch {
    return null; // OpenSSL tells no reasons apart here, and there is none that the user could act on.
  }
}
