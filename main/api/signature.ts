import { type KeyObject, sign } from 'node:crypto';

/** The three header values that are signed. Method, address and body are not (wire shapes, section 1). */
export interface SignedValues {
  readonly consumerId: string;
  readonly timestamp: string;
  readonly keyVersion: string;
}

/** The text that is signed: each value trimmed and followed by a newline, also the last. */
export const signedText = (values: SignedValues): string =>
  `${values.consumerId.trim()}\n${values.timestamp.trim()}\n${values.keyVersion.trim()}\n`;

/** RSA with SHA-256 and PKCS#1 v1.5 padding, as one line of standard Base64. */
export const signValues = (values: SignedValues, privateKey: KeyObject): string =>
  sign('RSA-SHA256', Buffer.from(signedText(values), 'utf8'), privateKey).toString('base64');

/** The timestamp header's text: the very text that is signed. */
export const timestampText = (nowMs: number, unit: 'ms' | 's'): string =>
  String(unit === 'ms' ? Math.round(nowMs) : Math.floor(nowMs / 1000));
