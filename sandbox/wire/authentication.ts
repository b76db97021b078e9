import { constants, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../access.ts';
import { limits } from '../limits.ts';
import { messages, Refusal } from '../messages.ts';
import type { Quirks } from '../quirks.ts';
import type { Service } from '../service.ts';

/**
 * "Authentication": bearer token, consumer ID, timestamp, key version, and an RSA-SHA256 signature (PKCS#1 v1.5) over
 * the three trimmed header values, each followed by a line feed. Every problem gives the same 403.
 */
export type Authenticate = (service: Service, headers: IncomingHttpHeaders) => Principal;

/** Each sandbox caches its parsed keys; parsing one takes longer than a verification. */
export function createAuthentication(): Authenticate {
  const keys = new Map<string, KeyObject>();
  const keyOf = (pem: string): KeyObject => {
    const known = keys.get(pem);
    if (known !== undefined) return known;
    const key = createPublicKey(pem);
    keys.set(pem, key);
    return key;
  };

  return (service, headers) => {
    const { quirks } = service.settings;
    const header = (name: string): string => {
      const value = headers[`${quirks.headerPrefix}_${name}`.toLowerCase()];
      return typeof value === 'string' ? value.trim() : '';
    };
    const consumerId = header('CONSUMER.ID');
    const timestamp = header('CONSUMER.intimestamp');
    const keyVersion = header('SEC.KEY_VERSION') || header('CONSUMER.key_version');
    const row = service.store.find('principal', consumerId);
    const genuine =
      row !== undefined &&
      keyVersion === row.key_version &&
      isRecent(timestamp, serverTime(service), quirks.timestamps) &&
      isSameSecret(headers.authorization ?? '', `Bearer ${row.token}`) &&
      verifySignature(
        keyOf(row.public_key),
        consumerId,
        timestamp,
        keyVersion,
        header('SEC.AUTH_SIGNATURE'),
        quirks.signature,
      );
    if (!genuine) throw new Refusal(403, messages.notAuthenticated);
    return { consumerId: row.consumer_id, advertiserId: row.advertiser_id, role: row.role };
  };
}

/** The text that is signed. */
function signedText(consumerId: string, timestamp: string, keyVersion: string): string {
  return `${consumerId.trim()}\n${timestamp.trim()}\n${keyVersion.trim()}\n`;
}

export function verifySignature(
  publicKey: KeyObject,
  consumerId: string,
  timestamp: string,
  keyVersion: string,
  signature: string,
  algorithm: Quirks['signature'] = 'RS256',
): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  const text = Buffer.from(signedText(consumerId, timestamp, keyVersion));
  const { hash, ...key } = ALGORITHMS[algorithm];
  return verify(hash, text, { key: publicKey, ...key }, Buffer.from(signature, 'base64'));
}

const ALGORITHMS = {
  RS256: { hash: 'RSA-SHA256' },
  RS512: { hash: 'RSA-SHA512' },
  PS256: { hash: 'RSA-SHA256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
} as const;

/** The server's time for clients, in milliseconds since 1970: the computer's, unless a quirk changes it. */
export const serverTime = ({ clock, settings: { quirks } }: Service): number =>
  (quirks.ownClock ? clock.now() : Date.now()) + quirks.clockAheadSeconds * 1000;

/** The document's samples use seconds or milliseconds; the number of digits distinguishes them. */
function isRecent(timestamp: string, nowMs: number, unit: Quirks['timestamps']): boolean {
  if (!/^\d{1,16}$/.test(timestamp)) return false;
  const isSeconds = unit === 's' || (unit === 'both' && timestamp.length <= 11);
  const sentMs = isSeconds ? Number(timestamp) * 1000 : Number(timestamp);
  return Math.abs(nowMs - sentMs) <= limits.signatureWindowSeconds * 1000;
}

function isSameSecret(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
