import { isBadCertificate } from '../bad-certificate.ts';
import type { Observation } from './outcome.ts';
import { UNKNOWN_PROXY } from './proxied-fetch.ts';

/**
 * Codes that prove that not one byte of the request reached the service: no address, no connection, or a TLS
 * handshake that never ended. Everything else may have happened after the request was written.
 */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'ERR_CONNECTION_REFUSED',
  'ERR_NAME_NOT_RESOLVED',
  'ERR_INTERNET_DISCONNECTED',
  'ERR_ADDRESS_UNREACHABLE',
  'ERR_PROXY_CONNECTION_FAILED',
  'ERR_CONNECTION_TIMED_OUT',
  // The proxy opened no tunnel, or there is no way to speak to it.
  'ERR_PROXY_TUNNEL',
  UNKNOWN_PROXY,
]);

/** Reads what `fetch` threw: Node's error codes in the cause chain, or Chromium's `net::ERR_...` texts. */
export function observeFailure(thrown: unknown): Observation {
  const codes = codesIn(thrown, 0);
  const cause = codes[0] ?? (thrown instanceof Error ? thrown.name : 'the connection ended');
  if (codes.length > 0 && codes.every(isBadCertificate)) {
    return { kind: 'not-sent', cause: `The service's certificate is not trusted (${cause}).`, security: true };
  }
  if (codes.length > 0 && codes.every((code) => NO_CONNECTION.has(code))) {
    return { kind: 'not-sent', cause, security: false };
  }
  return { kind: 'broken', cause };
}

/** What `fetch` itself refuses to open, such as a port on its list of bad ones. It gives no code, only this text. */
const NEVER_OPENED = /^(bad port|unknown scheme|URL scheme must be|Failed to parse URL|Invalid URL)/i;

/** Every code in the chain of causes; several addresses tried in turn give one code each. */
function codesIn(thrown: unknown, depth: number): readonly string[] {
  if (!(thrown instanceof Error) || depth > 5) return [];
  const inner = thrown instanceof AggregateError ? thrown.errors : [thrown.cause];
  const below = inner.flatMap((cause) => codesIn(cause, depth + 1));
  if (below.length > 0) return below;
  if ('code' in thrown && typeof thrown.code === 'string') return [thrown.code];
  if (NEVER_OPENED.test(thrown.message)) return ['ERR_INVALID_URL'];
  const chromium = /net::(ERR_[A-Z0-9_]+)/.exec(thrown.message)?.[1];
  return chromium === undefined ? [] : [chromium];
}
