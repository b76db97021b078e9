import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { CheckedAddress } from './address-guard.ts';
import { checkedLookup, PRIVATE_ADDRESS } from './checked-lookup.ts';

export interface FileToPut {
  readonly path: string;
  readonly contentType: string;
  /** What the file was when it entered the library; anything else must not be sent. */
  readonly bytes: number;
  readonly sha256: string;
}

export type PutProblem =
  | { readonly kind: 'file-changed' }
  | { readonly kind: 'file-unreadable'; readonly code: string }
  /** The address is over or not accepted: a new pair of addresses is needed. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'private-address'; readonly address: string }
  | { readonly kind: 'connection'; readonly cause: string }
  | { readonly kind: 'cancelled' };

const IDLE_MS = 60_000;
/** How long an answer may trail the end of the connection it came on. */
const GRACE_MS = 200;
const CHUNK_BYTES = 256 * 1024;

/**
 * Streams a file from disk to an upload address. Memory stays flat whatever the size: one chunk is read when the
 * socket took the last. The last chunk is held back until size and hash are known to be right, so a file that
 * changed meanwhile never arrives whole.
 *
 * Only Content-Type and Content-Length are sent beside Host: the address itself is the permission, and the
 * credentials of the account must not reach the storage host (wire shapes, section 4, "media").
 *
 * @param onSent called with the bytes that left so far
 */
export async function putFile(
  target: CheckedAddress,
  file: FileToPut,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Result<null, PutProblem>> {
  const source = createReadStream(file.path, { highWaterMark: CHUNK_BYTES });
  const request = open(target, file, signal);
  const answer = statusOf(request);
  const check: { problem: PutProblem | null } = { problem: null };
  try {
    await pipeline(source, (chunks: Readable) => checkedChunks(chunks, file, check, onSent), request);
  } catch (thrown) {
    if (check.problem !== null) return err(check.problem);
    // The storage may answer and close before it has read everything; then its answer is the reason.
    const early = await Promise.race([answer, delay(GRACE_MS, null)]);
    if (early?.ok === true) return judge(early.value);
    return err(signal.aborted ? { kind: 'cancelled' } : problemOf(thrown));
  }
  const status = await answer;
  return status.ok ? judge(status.value) : err(signal.aborted ? { kind: 'cancelled' } : status.error);
}

function open({ url, isOwnMachine }: CheckedAddress, file: FileToPut, signal: AbortSignal): ClientRequest {
  const options = {
    method: 'PUT',
    headers: { 'content-type': file.contentType, 'content-length': file.bytes },
    agent: false,
    signal,
    ...(isOwnMachine ? {} : { lookup: checkedLookup() }),
  } as const;
  const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('no progress within a minute')));
  return request;
}

/** The status of the answer, whose body is thrown away. Redirects are not followed by node's own client. */
function statusOf(request: ClientRequest): Promise<Result<number, PutProblem>> {
  return new Promise((resolve) => {
    request.once('response', (response: IncomingMessage) => {
      response.on('error', () => resolve(err({ kind: 'connection', cause: 'the answer was cut off' })));
      response.resume();
      resolve(ok(response.statusCode ?? 0));
    });
    request.on('error', (thrown) => resolve(err(problemOf(thrown))));
  });
}

const judge = (status: number): Result<null, PutProblem> =>
  status === 200 || status === 201 || status === 204 ? ok(null) : err({ kind: 'refused', status });

async function* checkedChunks(
  chunks: AsyncIterable<Buffer>,
  file: FileToPut,
  check: { problem: PutProblem | null },
  onSent: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let read = 0;
  let sent = 0;
  let held: Buffer | null = null;
  for await (const chunk of chunks) {
    hash.update(chunk);
    read += chunk.byteLength;
    if (read > file.bytes) break;
    if (held !== null) {
      yield held;
      sent += held.byteLength;
      onSent(sent);
    }
    held = chunk;
  }
  if (read !== file.bytes || hash.digest('hex') !== file.sha256.toLowerCase()) {
    check.problem = { kind: 'file-changed' };
    throw new Error('the file changed');
  }
  if (held !== null) yield held;
  onSent(read);
}

function problemOf(thrown: unknown): PutProblem {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const message = thrown instanceof Error ? thrown.message : 'unknown';
  if (code === PRIVATE_ADDRESS) return { kind: 'private-address', address: message };
  const isFile =
    thrown instanceof Error && 'syscall' in thrown && /^(open|read|fstat|close)$/.test(String(thrown.syscall));
  return isFile ? { kind: 'file-unreadable', code } : { kind: 'connection', cause: code === '' ? message : code };
}
