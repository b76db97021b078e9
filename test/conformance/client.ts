import { randomUUID, sign } from 'node:crypto';
import { expect } from 'vitest';
import type { ReadyLine } from '../../sandbox/start.ts';
import { hear } from './evidence.ts';

/** A client as a stranger would write it from the document alone: it signs, sends JSON and reads JSON. */
export type Account = ReadyLine['accounts'][number];

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Client {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly put: (path: string, body: unknown) => Promise<Answer>;
  /** A body sent as it is, with its own content type. */
  readonly send: (method: string, path: string, body: BodyInit, headers?: Record<string, string>) => Promise<Answer>;
}

export interface SigningChoices {
  /** Milliseconds by default; seconds are the other form the document shows. */
  readonly unit?: 'ms' | 's';
  readonly offsetMs?: number;
  /** Gives bodies as text, for cases about numbers that JSON.parse would damage. */
  readonly asText?: boolean;
  /** Headers to change or, with undefined, to leave out after signing. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A signature holds for minutes and is most of what a call costs, so the calls of a moment share one. */
const MOMENT_MS = 500;
const signed = new Map<string, { readonly atMs: number; readonly timestamp: string; readonly signature: string }>();

function signatureNow({ consumerId, keyVersion, privateKeyPem }: Account, { unit, offsetMs = 0 }: SigningChoices) {
  const signer = [consumerId, keyVersion, unit, offsetMs, privateKeyPem].join(' ');
  const atMs = Date.now();
  const last = signed.get(signer);
  if (last !== undefined && atMs - last.atMs < MOMENT_MS) return last;
  const nowMs = atMs + offsetMs;
  const timestamp = String(unit === 's' ? Math.floor(nowMs / 1000) : nowMs);
  const text = Buffer.from(`${consumerId}\n${timestamp}\n${keyVersion}\n`);
  const fresh = { atMs, timestamp, signature: sign('RSA-SHA256', text, privateKeyPem).toString('base64') };
  signed.set(signer, fresh);
  return fresh;
}

export function createClient(baseUrl: string, account: Account, choices: SigningChoices = {}): Client {
  const signedHeaders = (): Record<string, string> => {
    const { timestamp, signature } = signatureNow(account, choices);
    const headers: Record<string, string | undefined> = {
      authorization: `Bearer ${account.token}`,
      'SVC_SEC.AUTH_SIGNATURE': signature,
      'SVC_SEC.KEY_VERSION': account.keyVersion,
      'SVC_CONSUMER.ID': account.consumerId,
      'SVC_CONSUMER.intimestamp': timestamp,
      'SVC_QOS.correlation_id': randomUUID(),
      accept: 'application/json',
      ...choices.headers,
    };
    return Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  };
  const read = async (response: Response): Promise<Answer> =>
    choices.asText === true
      ? { status: response.status, body: await response.text(), headers: response.headers }
      : readAnswer(response);
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const init: RequestInit = { body, headers: { ...signedHeaders(), ...headers } };
    init.method = method;
    return read(await fetch(baseUrl + path, init));
  };
  const json = { 'content-type': 'application/json' };
  return {
    get: async (path) => read(await fetch(baseUrl + path, { headers: signedHeaders() })),
    post: (path, body) => send('POST', path, JSON.stringify(body), json),
    put: (path, body) => send('PUT', path, JSON.stringify(body), json),
    send,
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  hear(text);
  return { status: response.status, body: text === '' ? null : parse(text), headers: response.headers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the text itself is what a case wants to look at.
    return text;
  }
}

/** A field of the answer, or of its n-th element. */
export function fieldOf(answer: Answer, name: string, index = 0): unknown {
  const element: unknown = Array.isArray(answer.body) ? answer.body[index] : answer.body;
  return typeof element === 'object' && element !== null
    ? Object.entries(element).find(([key]) => key === name)?.[1]
    : undefined;
}

export function idOf(answer: Answer, name: string, index = 0): number {
  const value = fieldOf(answer, name, index);
  if (typeof value !== 'number' || value === 0) {
    throw new Error(`no ${name} in ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return value;
}

/** "HTTP-level errors use a body with a single field error holding a message string." */
export function expectRefusal(answer: Answer, status: number, message: string): void {
  expect([answer.status, answer.body]).toEqual([status, { error: message }]);
}

/** Elements of a batch answer, each as `success` or as the details of its failure. */
export function outcomes(answer: Answer): readonly unknown[] {
  const elements: unknown = answer.body;
  if (answer.status !== 200 || !Array.isArray(elements)) return [answer.status, answer.body];
  return elements.map((element: { code?: unknown; details?: unknown }) =>
    element.code === 'success' && element.details === '' ? 'success' : element.details,
  );
}

/** A case of ours, without a documented text: only the code counts. */
export function codes(answer: Answer): readonly unknown[] {
  const elements: unknown = answer.body;
  return Array.isArray(elements)
    ? elements.map((element: { code?: unknown }) => element.code)
    : [answer.status, elements];
}
