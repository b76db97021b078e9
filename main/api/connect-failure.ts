import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Errors of connections that failed before they were ready for a request, including the TLS handshake. Error codes
 * alone do not prove it: the same TLS errors also end connections on which a request was written.
 */
const failures = new WeakSet<object>();

export const noteConnectFailure = (error: object): void => void failures.add(error);
export const isConnectFailure = (error: object): boolean => failures.has(error);

const CHANNEL = 'undici:client:connectError';
const note = (message: unknown): void => noteConnectFailure((message as { readonly error: object }).error);

/**
 * Records connection errors of the HTTP client behind `fetch`, which passes the same error object to the caller.
 * Repeated calls have no effect.
 */
export function watchConnects(): void {
  unsubscribe(CHANNEL, note);
  subscribe(CHANNEL, note);
}
