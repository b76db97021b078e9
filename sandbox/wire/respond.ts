import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../control/fault-list.ts';
import { messages, Refusal } from '../messages.ts';
import type { Quirks } from '../quirks.ts';
import type { OtherWords } from './other-words.ts';

/** An answer before it is written. A body other than text is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Rewrites the JSON text, for the test modes. */
  readonly rewrite?: (json: string) => string;
}

export function respond(response: ServerResponse, answer: Answer): void {
  const isText = typeof answer.body === 'string';
  const bytes = Buffer.from(isText ? String(answer.body) : jsonOf(answer));
  response.writeHead(answer.status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  });
  response.end(bytes);
}

function jsonOf(answer: Answer): string {
  const json = JSON.stringify(answer.body ?? null);
  return answer.rewrite === undefined ? json : answer.rewrite(json);
}

/** Applies a fault before the call runs. @returns true if the call ends here */
export async function meetFaultBefore(
  fault: Fault | null,
  path: string,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<boolean> {
  if (fault === null) return false;
  const isTooLate = fault.delayMs !== undefined && !(await waits(fault.delayMs, closing));
  if (isTooLate || fault.kind === 'drop-before') {
    response.socket?.destroy();
    return true;
  }
  if (fault.kind !== 'status') return false;
  const status = fault.status ?? 500;
  respond(response, {
    status,
    body: fault.body ?? documentedFailure(path, status),
    ...(fault.headers === undefined ? {} : { headers: fault.headers }),
  });
  return true;
}

/** @returns false if the sandbox closes during the delay */
async function waits(delayMs: number, closing: AbortSignal): Promise<boolean> {
  try {
    await wait(delayMs, undefined, { signal: closing });
  } catch (problem) {
    if (!closing.aborted) throw problem;
  }
  return !closing.aborted;
}

/** Sends the answer of a completed call, changed by the fault if there is one. */
export function respondThroughFault(response: ServerResponse, answer: Answer, fault: Fault | null): void {
  const kind = fault?.kind ?? 'delay';
  if (kind === 'drop-after') response.socket?.destroy();
  else if (kind === 'truncate') respondHalf(response, answer);
  else if (kind === 'garbage' && fault !== null) respond(response, garbageOf(fault));
  else if (kind === 'shorten-results') respond(response, { ...answer, body: withoutLastResult(answer.body) });
  else respond(response, answer);
}

function respondHalf(response: ServerResponse, answer: Answer): void {
  const bytes = Buffer.from(jsonOf(answer));
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
}

function garbageOf(fault: Fault): Answer {
  const body = fault.body ?? '<!doctype html><title>Sign in</title><p>Please sign in';
  const type = typeof body === 'string' ? 'text/html; charset=utf-8' : 'application/json';
  return { status: fault.status ?? 200, body, headers: { 'content-type': type, ...fault.headers } };
}

function withoutLastResult(body: unknown): unknown {
  if (Array.isArray(body)) return body.slice(0, -1);
  if (typeof body === 'object' && body !== null && 'results' in body && Array.isArray(body.results)) {
    const shorter = { ...body, results: body.results.slice(0, -1) };
    return 'keywordIds' in shorter && Array.isArray(shorter.keywordIds)
      ? { ...shorter, keywordIds: shorter.keywordIds.slice(0, -1) }
      : shorter;
  }
  return body;
}

/**
 * A test mode for clients: lists in pages. The document has no pagination, but similar services do, so a client is
 * expected to follow a token if there is one. The token is sent back as a query parameter of its name.
 */
export interface Paging {
  /** Elements per page. */
  readonly size: number;
  readonly listName: 'items' | 'data' | 'results';
  readonly tokenName: 'nextToken' | 'nextPageToken' | 'paginationToken';
}

export function pageOf(list: readonly unknown[], paging: Paging, query: URLSearchParams): unknown {
  const from = readToken(query.get(paging.tokenName));
  const to = from + paging.size;
  const page = { [paging.listName]: list.slice(from, to) };
  if (to >= list.length) return page;
  return { ...page, [paging.tokenName]: Buffer.from(`from:${to}`).toString('base64url') };
}

function readToken(token: string | null): number {
  if (token === null) return 0;
  const from = /^from:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (from === undefined) throw new Refusal(400, messages.invalidParameters);
  return Number(from);
}

/**
 * The body of an ordered failure without one: the text in the document for the call ("Errors", the 200 with a message
 * and the 500 lines), since a working sandbox never sends these answers.
 */
function documentedFailure(path: string, status: number): { readonly error: string } {
  if (path === '/api/v2/sba_profile' && status === 200) return { error: messages.sbaCreateException };
  if (path !== '/api/v2/sba_profile_image_upload') return { error: messages.unexpected };
  // The upload calls another service, whose own answer is quoted.
  return { error: status === 500 ? messages.uploadError : messages.uploadServiceAnswer(status) };
}

/**
 * The format of answers beyond the document, for tests of clients: as set by the quirks until `POST /sandbox/wire`
 * changes it.
 */
interface WireModes {
  readonly paging: Paging | null;
  readonly largeIds: boolean;
  readonly words: OtherWords;
}

export type TestModes = ReturnType<typeof createTestModes>;

export function createTestModes({ pageSize, ids, words }: Pick<Quirks, 'pageSize' | 'ids' | 'words'>) {
  const begun: WireModes = {
    paging: pageSize === null ? null : { size: pageSize, listName: 'items', tokenName: 'nextToken' },
    largeIds: ids === 'large' || ids === 'large-text',
    words,
  };
  let modes = begun;
  return {
    current: (): WireModes => modes,
    set: (next: WireModes): void => {
      modes = next;
    },
    /** Restores the modes of the quirks. */
    reset: (): void => {
      modes = begun;
    },
  };
}
