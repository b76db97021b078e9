import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** The default of PostgreSQL. */
const ROUNDS = 4096;
const SALT_BYTES = 16;
const PASSWORD_BYTES = 24;

/** Only letters, digits, `-` and `_`, so that SASLprep changes nothing. */
export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');

/**
 * The verifier that PostgreSQL stores for a password (RFC 5803), computed here so that the password itself is never
 * sent.
 *
 * @param password of ASCII characters
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest();
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored.toString('base64')}:${keyOf('Server Key').toString('base64')}`;
}
