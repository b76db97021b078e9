import type { RemoteId } from '../../shared/model/scalars.ts';

export type SignatureAlgorithm = 'RS256' | 'RS512' | 'PS256';

/** The addresses and names of a connection. Contains no secret. */
export interface Connection {
  /** May have a path prefix; paths are appended as text. */
  readonly baseUrl: string;
  readonly advertiserId: RemoteId;
  readonly consumerId: string;
  readonly keyVersion: string;
  /** First part of the header names, such as `SVC`. */
  readonly headerPrefix: string;
  readonly timestampUnit: 'ms' | 's';
  readonly signatureAlgorithm: SignatureAlgorithm;
}

/** Token and key, requested for each call and never stored by the client. */
export interface Secrets {
  readonly token: string;
  readonly privateKeyPem: string;
}
export type SecretProvider = () => Promise<Secrets | null>;

export type BaseUrlProblem = 'not-an-address' | 'not-https' | 'has-credentials' | 'has-query';

/** Rejects a base URL that would send the credentials unencrypted: http is allowed only for loopback. */
export function baseUrlProblem(text: string): BaseUrlProblem | null {
  if (!URL.canParse(text)) return 'not-an-address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'has-credentials';
  if (url.search !== '' || url.hash !== '') return 'has-query';
  if (url.protocol === 'https:') return null;
  return url.protocol === 'http:' && isLoopbackName(url.hostname) ? null : 'not-https';
}

export const isLoopbackName = (host: string): boolean =>
  host === '127.0.0.1' || host === 'localhost' || host === '[::1]';
