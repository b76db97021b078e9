import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { err, ok, type Result } from '../../shared/result.ts';

/** A private key that was read from one of the supported formats and tested with a signature. */
export interface PrivateKey {
  /** PKCS#8 PEM, the only form in which keys are stored. */
  readonly privateKeyPem: string;
  /** SHA-256 of the public key (SubjectPublicKeyInfo), as pairs of hexadecimal digits with colons. */
  readonly fingerprint: string;
}

export type KeyProblem =
  | { readonly kind: 'not-a-key' }
  | { readonly kind: 'public-key' }
  | { readonly kind: 'needs-passphrase' }
  | { readonly kind: 'wrong-passphrase' }
  | { readonly kind: 'not-rsa'; readonly type: string }
  | { readonly kind: 'too-short'; readonly bits: number }
  | { readonly kind: 'proof-failed' };

const BITS_MIN = 2048;
const TEXT_MAX = 64 * 1024;
const SAMPLE = Buffer.from('adslate key check\n', 'utf8');

/**
 * @param text PKCS#8 or PKCS#1 PEM, encrypted PKCS#8 PEM, or Base64 of PKCS#8 on one or several lines
 * @see wire shapes, section 1: RSA of 2048 bits or more
 */
export function readPrivateKey(text: string, passphrase: string | null = null): Result<PrivateKey, KeyProblem> {
  const read = readKey(text.trim(), passphrase);
  if (!read.ok) return read;
  const key = read.value;
  if (key.asymmetricKeyType !== 'rsa') return err({ kind: 'not-rsa', type: key.asymmetricKeyType ?? 'unknown' });
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < BITS_MIN) return err({ kind: 'too-short', bits });
  const publicKey = createPublicKey(key);
  if (!provesItself(key, publicKey)) return err({ kind: 'proof-failed' });
  return ok({
    privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: fingerprintOf(publicKey),
  });
}

function provesItself(key: KeyObject, publicKey: KeyObject): boolean {
  try {
    return verify('RSA-SHA256', SAMPLE, publicKey, sign('RSA-SHA256', SAMPLE, key));
  } catch {
    return false; // Invalid key numbers: OpenSSL refuses to sign, with errors that differ by version.
  }
}

function fingerprintOf(publicKey: KeyObject): string {
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  return digest.match(/../g)?.join(':') ?? digest;
}

/** The message for a key that can't be used: problem, rule, next step. */
export function keyProblemText(problem: KeyProblem): string {
  switch (problem.kind) {
    case 'not-a-key':
      return 'The file contains no private key. Choose the PEM file (or the one-line Base64 text) from your onboarding.';
    case 'public-key':
      return 'The file contains a public key. Requests are signed with the private key. Choose the private key file.';
    case 'needs-passphrase':
      return 'The private key is encrypted. Enter its passphrase.';
    case 'wrong-passphrase':
      return 'The passphrase does not match this private key. Check it and try again.';
    case 'not-rsa':
      return `The key is of type ${problem.type}. The service needs an RSA key; ask for one or create one.`;
    case 'too-short':
      return `The RSA key has ${problem.bits} bits. At least ${BITS_MIN} are needed; create a longer key.`;
    case 'proof-failed':
      return 'The key file is damaged: a test signature failed. Choose a new copy.';
  }
}

function readKey(text: string, passphrase: string | null): Result<KeyObject, KeyProblem> {
  if (text === '' || text.length > TEXT_MAX) return err({ kind: 'not-a-key' });
  if (/-----BEGIN (RSA )?PUBLIC KEY-----/.test(text)) return err({ kind: 'public-key' });
  const isEncrypted = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(text);
  if (isEncrypted && (passphrase === null || passphrase === '')) return err({ kind: 'needs-passphrase' });
  try {
    if (isEncrypted) return ok(createPrivateKey({ key: text, format: 'pem', passphrase: passphrase ?? '' }));
    if (text.includes('-----BEGIN')) return ok(createPrivateKey(repairedPem(text)));
    return ok(createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }));
  } catch {
    // OpenSSL's errors differ by version and do not help the user; only these two causes are distinguished.
    return err({ kind: isEncrypted ? 'wrong-passphrase' : 'not-a-key' });
  }
}

/** Repairs a pasted PEM: line breaks that are missing or written as `\n`. */
function repairedPem(text: string): string {
  const match = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/.exec(text.replaceAll('\\n', '\n'));
  if (match === null) return text;
  const lines = (match[2] ?? '').replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${match[1]}-----\n${lines.join('\n')}\n-----END ${match[1]}-----\n`;
}
