import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A secret that is looked for afterwards, in the forms it could hide in. */
export interface Canary {
  readonly name: string;
  readonly text: string;
}

export const aWord = (name: string): Canary => ({ name, text: `canary-${name}-${randomBytes(12).toString('hex')}` });

interface CanaryKey {
  readonly pem: string;
  readonly canaries: readonly Canary[];
}

/** A key whose parts are looked for: lines from the middle of its text, and its private exponent. */
export function keyCanaries(name: string, pem: string): CanaryKey {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString();
  const jwk = createPrivateKey(pem).export({ format: 'jwk' });
  return {
    pem,
    canaries: [
      { name: `${name}, a line of its text`, text: pkcs8.split('\n')[12] ?? '' },
      { name: `${name}, its private exponent`, text: String(jwk.d).slice(20, 60) },
    ],
  };
}

export const aKey = (name: string): CanaryKey =>
  keyCanaries(
    name,
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );

/** Which of the canaries a text holds: as they are, in Base64 and hexadecimal, or encoded for an address. */
export function found(canaries: readonly Canary[], text: string): readonly string[] {
  return canaries
    .filter(({ text: secret }) => formsOf(secret).some((form) => text.includes(form)))
    .map(({ name }) => name);
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  // Base64 of a text depends on where in its group of three it begins, so the ends are left out.
  const shifted = [0, 1, 2].map((before) => {
    const base64 = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return base64.slice(4, base64.length - 4);
  });
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...shifted];
}

/** Everything below a folder, names and bytes, as one text. */
export function wholeFolder(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}\n${readFileSync(path, 'latin1')}` : path;
    })
    .join('\n');
}
