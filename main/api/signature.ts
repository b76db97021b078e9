import { constants, type KeyObject, sign } from 'node:crypto';

/** The three header values that are signed. Method, address and body are not (wire shapes, section 1). */
export interface SignedValues {
  readonly consumerId: string;
  readonly timestamp: string;
  readonly keyVersion: string;
}

/** The text that is signed: each value trimmed and followed by a newline, also the last. */
export const signedText = (values: SignedValues): string =>
  `${values.consumerId.trim()}\n${values.timestamp.trim()}\n${values.keyVersion.trim()}\n`;

/** RS256 is what services of this family use; the document leaves the computation open, so a deployment may differ. */
const ALGORITHMS = {
  RS256: { hash: 'RSA-SHA256' },
  RS512: { hash: 'RSA-SHA512' },
  PS256: { hash: 'RSA-SHA256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
} as const;
export type SignatureAlgorithm = keyof typeof ALGORITHMS;

/** The signature as one line of standard Base64. */
export function signValues(values: SignedValues, key: KeyObject, algorithm: SignatureAlgorithm = 'RS256'): string {
  const { hash, ...padding } = ALGORITHMS[algorithm];
  return sign(hash, Buffer.from(signedText(values), 'utf8'), { key, ...padding }).toString('base64');
}

/** The timestamp header's text: the very text that is signed. */
export const timestampText = (nowMs: number, unit: 'ms' | 's'): string =>
  String(unit === 'ms' ? Math.round(nowMs) : Math.floor(nowMs / 1000));
