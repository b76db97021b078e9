import { createPrivateKey, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { ReadyLine } from '../../sandbox/start.ts';

/**
 * A client for very many calls: it keeps its connections and signs anew only once a minute, which the window of the
 * document allows. Bodies may be any bytes, and paths any text.
 */
export interface WireAnswer {
  /** 0 when the connection was cut without an answer. */
  readonly status: number;
  readonly body: string;
}

export interface WireClient {
  readonly call: (
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<WireAnswer>;
  readonly close: () => void;
}

type Account = ReadyLine['accounts'][number];

const SIGN_EVERY_MS = 60_000;

/** @param account null for calls without credentials: control and uploads */
export function createWireClient(baseUrl: string, account: Account | null, connections = 4): WireClient {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let signedAt = 0;
  let signature: Readonly<Record<string, string>> = {};
  const signed = (): Readonly<Record<string, string>> => {
    if (account !== null && Date.now() - signedAt > SIGN_EVERY_MS) {
      signedAt = Date.now();
      signature = signatureHeaders(account, signedAt);
    }
    return signature;
  };
  return {
    call: (method, path, body, headers) =>
      new Promise((resolve) => {
        const bytes = Buffer.from(body ?? '');
        const sent = request({
          agent,
          host: hostname,
          port,
          method,
          path,
          headers: { 'content-length': bytes.length, 'content-type': 'application/json', ...signed(), ...headers },
        });
        const cut = () => resolve({ status: 0, body: '' });
        sent.on('error', cut);
        sent.on('response', (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', cut);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
          );
        });
        sent.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}

/** "Authentication": RSA-SHA256 over consumer id, time stamp and key version, each followed by a line feed. */
export function signatureHeaders(account: Account, atMs: number): Readonly<Record<string, string>> {
  const text = `${account.consumerId}\n${atMs}\n${account.keyVersion}\n`;
  return {
    authorization: `Bearer ${account.token}`,
    'SVC_SEC.AUTH_SIGNATURE': sign('RSA-SHA256', Buffer.from(text), createPrivateKey(account.privateKeyPem)).toString(
      'base64',
    ),
    'SVC_SEC.KEY_VERSION': account.keyVersion,
    'SVC_CONSUMER.ID': account.consumerId,
    'SVC_CONSUMER.intimestamp': String(atMs),
    'SVC_QOS.correlation_id': 'walk',
  };
}
