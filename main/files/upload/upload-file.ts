import { createHash, hash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../../../shared/model/row.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { rowLabel } from '../../../shared/rules/rule.ts';
import { errorCode, isCertificateError } from '../../app/system.ts';
import { contentTypeOf } from '../media/library.ts';
import {
  type AddressProblem,
  type CheckedAddress,
  checkUploadUrl,
  guardedRequest,
  PRIVATE_ADDRESS,
  type Resolve,
  type UploadHosts,
  type UploadUrlRule,
} from './upload-url-check.ts';

export interface FileToUpload {
  readonly path: string;
  readonly contentType: string;
  /** The file as it was added to the library; any other content must not be sent. */
  readonly bytes: number;
  readonly sha256: string;
}

export type UploadError =
  | { readonly kind: 'file-changed' }
  | { readonly kind: 'file-unreadable'; readonly code: string }
  /** Any status that does not mean that the file was stored. */
  | { readonly kind: 'refused'; readonly status: number }
  /** A redirect to an unchecked URL: never followed. `to` is its host, if named. */
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string | null }
  /** A success status with a response that no storage gives: a web page, or one that was cut off. */
  | { readonly kind: 'unusable'; readonly status: number; readonly what: 'page' | 'cut-off' }
  | { readonly kind: 'private-address'; readonly address: string }
  | { readonly kind: 'connection'; readonly cause: string }
  | { readonly kind: 'cancelled' };

/** The server can't prove to be the host: the handshake failed, so no byte of the request was sent. */
export interface CertificateProblem {
  readonly kind: 'certificate';
  readonly code: string;
}

/** Network access to the storage; defaults to the system's. */
export interface UploadNetwork {
  readonly resolve?: Resolve;
  /** Opens the TLS connections, for instance through a proxy. It still verifies the server. */
  readonly agent?: Agent;
}

export type UploadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'put'; readonly problem: UploadError; readonly host: string };

/** Progress is reported in steps of this fraction, and at the end. */
const PROGRESS_STEP = 50;

/** Conditions that stop an upload in progress. */
interface UploadEnds {
  readonly cut: AbortSignal;
  /** Called with every chunk: whether the URL has expired. */
  readonly isLate: () => boolean;
}

/** Uploads the bytes of library rows to URLs from the service. */
export function createFileUploader(
  rule: UploadUrlRule,
  hosts: UploadHosts,
  mediaFile: (row: Row<'media'>) => string | Promise<string>,
  ends: UploadEnds,
  network: UploadNetwork = {},
) {
  return {
    /** The bytes of a small file, or the system's error code. */
    bytes: async (row: Row<'media'>): Promise<Result<Uint8Array<ArrayBuffer>, string>> => {
      try {
        const bytes = new Uint8Array(await readFile(await mediaFile(row)));
        const isSame = hash('sha256', bytes) === row.values.sha256?.toLowerCase();
        return isSame ? ok(bytes) : err('changed since it was added');
      } catch (thrown) {
        return err(errorCode(thrown) ?? 'unreadable');
      }
    },
    put: async (
      address: string,
      row: Row<'media'>,
      onSent: (bytes: number) => void,
    ): Promise<Result<null, UploadProblem>> => {
      const bytes = row.values.bytes ?? 0;
      const known = await hosts.list();
      const inState = (state: string) => known.filter((one) => one.state === state).map(({ host }) => host);
      const target = checkUploadUrl(address, { ...rule, allowed: inState('allowed'), refused: inState('refused') });
      if (!target.ok) {
        const { kind, host } = { host: '', ...target.error };
        if (kind === 'unknown-host') await hosts.ask(host, { name: rowLabel(row), bytes });
        return err({ kind: 'address', problem: target.error });
      }
      const file = {
        path: await mediaFile(row),
        contentType: contentTypeOf(row),
        bytes,
        sha256: row.values.sha256 ?? '',
      };
      const late = new AbortController();
      const step = inSteps(bytes, onSent);
      const noteSent = (sent: number): void => (ends.isLate() ? late.abort() : step(sent));
      const put = await uploadFile(target.value, file, noteSent, AbortSignal.any([ends.cut, late.signal]), network);
      if (put.ok) return ok(null);
      const { error } = put;
      // A new pair of URLs would have the same host, so the host is the problem.
      const host = target.value.url.hostname;
      if (error.kind !== 'certificate') return err({ kind: 'put', problem: error, host });
      return err({ kind: 'address', problem: { ...error, host } });
    },
  };
}

/** Reports progress about fifty times per file instead of once per chunk. */
function inSteps(total: number, onSent: (bytes: number) => void): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if (bytes - told < total / PROGRESS_STEP && bytes !== total) return;
    told = bytes;
    onSent(bytes);
  };
}

const IDLE_MS = 60_000;
/** How long a response may arrive after the end of its connection. */
const GRACE_MS = 200;
const CHUNK_BYTES = 512 * 1024;
/** One is being read, one waits for verification, and the others are being sent, so that the socket never waits. */
const BUFFERS = 12;

/**
 * Streams a file from disk to an upload URL. Memory use does not depend on the size of the file: a few buffers are
 * reused. The last chunk waits until size and hash are verified, so a file that changed during the upload never
 * arrives complete.
 *
 * Only Content-Type and Content-Length are sent besides Host: the URL itself is the permission, and the
 * credentials of the account must not reach the storage host (wire shapes, section 4, "media").
 *
 * @param onSent called with the number of bytes sent so far
 */
export async function uploadFile(
  target: CheckedAddress,
  file: FileToUpload,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
  network: UploadNetwork = {},
): Promise<Result<null, UploadError | CertificateProblem>> {
  const request = openRequest(target, file, signal, network);
  const answer = answerOf(request);
  try {
    if (!(await sendBytes(request, file, onSent))) {
      request.destroy();
      return err({ kind: 'file-changed' });
    }
  } catch (thrown) {
    // The storage may respond and close before it has read everything; then its response is the reason.
    const early = await Promise.race([answer, delay(GRACE_MS, null)]);
    request.destroy();
    if (early?.ok === true) return judge(early.value);
    if (early?.ok === false && early.error.kind === 'unusable') return early;
    return err(signal.aborted ? { kind: 'cancelled' } : problemOf(thrown));
  }
  const said = await answer;
  return said.ok ? judge(said.value) : err(signal.aborted ? { kind: 'cancelled' } : said.error);
}

function openRequest(
  target: CheckedAddress,
  file: FileToUpload,
  signal: AbortSignal,
  network: UploadNetwork,
): ClientRequest {
  const options = {
    method: 'PUT',
    headers: { 'content-type': file.contentType, 'content-length': file.bytes },
    agent: (target.url.protocol === 'https:' && network.agent) || false,
    signal,
  } as const;
  const request = guardedRequest(target, options, network.resolve);
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('no progress within a minute')));
  return request;
}

interface StorageAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly isPage: boolean;
}

/**
 * The response, whose body is discarded. A success counts once the response has ended: one that is cut off may come
 * from a proxy that lost the storage. Node's client does not follow redirects.
 */
function answerOf(request: ClientRequest): Promise<Result<StorageAnswer, UploadError | CertificateProblem>> {
  return new Promise((resolve) => {
    request.once('response', (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      const isPage = /^\s*text\/html\b/i.test(response.headers['content-type'] ?? '');
      const answer = ok({ status, location: response.headers.location ?? null, isPage });
      const isCut = (): void => resolve(err({ kind: 'unusable', status, what: 'cut-off' }));
      response.on('error', isCut);
      response.on('aborted', isCut);
      response.on('end', () => resolve(answer));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
        if (bytes > ANSWER_MAX) request.destroy();
      });
      // For any other status the body does not matter.
      if (!isStored(status)) resolve(answer);
    });
    request.on('error', (thrown) => resolve(err(problemOf(thrown))));
  });
}

/** Statuses that mean that the file is stored (wire shapes, section 4, "media"). */
const isStored = (status: number): boolean => status === 200 || status === 201 || status === 204;

/** A storage sends short responses; a longer one is not from a storage. */
const ANSWER_MAX = 1024 * 1024;

function judge({ status, location, isPage }: StorageAnswer): Result<null, UploadError> {
  if (status >= 300 && status < 400) return err({ kind: 'redirect', status, to: hostIn(location) });
  if (!isStored(status)) return err({ kind: 'refused', status });
  return isPage && status !== 204 ? err({ kind: 'unusable', status, what: 'page' }) : ok(null);
}

const hostIn = (location: string | null): string | null =>
  location !== null && URL.canParse(location) ? new URL(location).hostname.slice(0, 253) : null;

/**
 * Reads the file into a few buffers that are reused when the socket has taken their content. So no garbage is created,
 * and memory does not depend on when it is collected.
 *
 * @returns false when the file has changed, in which case its last chunk was not sent
 */
async function sendBytes(
  request: ClientRequest,
  file: FileToUpload,
  onSent: (bytes: number) => void,
): Promise<boolean> {
  const source = await fromDisk(open(file.path, 'r'));
  const broken = brokenOff(request);
  try {
    const slots = Array.from({ length: BUFFERS }, () => ({ bytes: Buffer.allocUnsafe(CHUNK_BYTES), taken: DONE }));
    const slotAt = (turn: number) => {
      const slot = slots[turn % BUFFERS];
      if (slot === undefined) throw new Error('there is no buffer');
      return slot;
    };
    /** Fills a buffer once the socket has taken its content; only the end of the file leaves it short. */
    const readChunk = async (turn: number): Promise<Buffer> => {
      const { bytes, taken } = slotAt(turn);
      await Promise.race([taken, broken]);
      for (let filled = 0; ; ) {
        const at = turn * CHUNK_BYTES + filled;
        const { bytesRead } = await fromDisk(source.read(bytes, filled, CHUNK_BYTES - filled, at));
        filled += bytesRead;
        if (bytesRead === 0 || filled === CHUNK_BYTES) return bytes.subarray(0, filled);
      }
    };
    const seen = createHash('sha256');
    let read = 0;
    let held: (() => void) | null = null;
    let coming = readChunk(0);
    for (let turn = 0; ; turn++) {
      const chunk = await coming;
      if (chunk.length === 0) break;
      // The disk reads the next chunk while this one is hashed and sent. A read error is handled with that chunk.
      coming = readChunk(turn + 1);
      coming.catch(() => undefined);
      seen.update(chunk);
      read += chunk.length;
      if (read > file.bytes) return false;
      held?.();
      const until = read;
      held = () => {
        slotAt(turn).taken = write(request, chunk);
        onSent(until);
      };
    }
    if (read !== file.bytes || seen.digest('hex') !== file.sha256.toLowerCase()) return false;
    held?.();
    request.end();
    return true;
  } finally {
    await source.close();
  }
}

const DONE: Promise<void> = Promise.resolve();

/** Resolves when the socket has taken the bytes. Errors are reported by `brokenOff`. */
const write = (request: ClientRequest, chunk: Buffer): Promise<void> =>
  new Promise((resolve) => {
    request.write(chunk, (problem) => {
      if (problem === null || problem === undefined) resolve();
    });
  });

/** Rejects when the request ends in the middle. */
function brokenOff(request: ClientRequest): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    request.once('error', reject);
    request.once('close', () => reject(new Error('the connection was closed')));
  });
  // Only awaited while bytes are sent; afterwards the response decides.
  broken.catch(() => undefined);
  return broken;
}

/** An error of the disk. The error of a closed connection can't be distinguished from it: both name the system call "read". */
class UnreadableFile extends Error {}

const fromDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw new UnreadableFile('the file cannot be read', { cause });
  });

function problemOf(thrown: unknown): UploadError | CertificateProblem {
  if (thrown instanceof UnreadableFile) return { kind: 'file-unreadable', code: errorCode(thrown.cause) ?? '' };
  const code = errorCode(thrown) ?? '';
  const message = thrown instanceof Error ? thrown.message : 'unknown';
  if (code === PRIVATE_ADDRESS) return { kind: 'private-address', address: message };
  if (isCertificateError(code)) return { kind: 'certificate', code };
  return { kind: 'connection', cause: code === '' ? message : code };
}
