import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Failures of connections that were never ready for a request, the TLS handshake included. Their codes alone do not prove
 * it: the same errors of TLS end connections on which a request was written.
 */
const failures = new WeakSet<object>();

export const noteConnectFailure = (error: object): void => void failures.add(error);
export const isConnectFailure = (error: object): boolean => failures.has(error);

const CHANNEL = 'undici:client:connectError';
const note = (message: unknown): void => noteConnectFailure((message as { readonly error: object }).error);

/** Has the client behind `fetch` note its failures: it hands the same error to the caller. A second time does nothing. */
export function watchConnects(): void {
  unsubscribe(CHANNEL, note);
  subscribe(CHANNEL, note);
}
