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
  /** What the file was when it entered the library; anything else must not be sent. */
  readonly bytes: number;
  readonly sha256: string;
}

export type UploadError =
  | { readonly kind: 'file-changed' }
  | { readonly kind: 'file-unreadable'; readonly code: string }
  /** Any status that does not say that the file was stored. */
  | { readonly kind: 'refused'; readonly status: number }
  /** To another address, which nobody has checked: never followed. `to` is its host, where it names one. */
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string | null }
  /** A good status with an answer that no storage gives: a web page, or one that was cut off. */
  | { readonly kind: 'unusable'; readonly status: number; readonly what: 'page' | 'cut-off' }
  | { readonly kind: 'private-address'; readonly address: string }
  | { readonly kind: 'connection'; readonly cause: string }
  | { readonly kind: 'cancelled' };

/** Who answers cannot prove to be the host: the handshake failed, so not one byte of the request has left. */
export interface CertificateProblem {
  readonly kind: 'certificate';
  readonly code: string;
}

/** The network between here and the storage; the system's own where nothing is said. */
export interface UploadNetwork {
  readonly resolve?: Resolve;
  /** Opens the TLS connections, for instance through a proxy. It still verifies who answers. */
  readonly agent?: Agent;
}

export type UploadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'put'; readonly problem: UploadError; readonly host: string };

/** Progress is told when this much more has left, or at the end. */
const PROGRESS_STEP = 50;

/** When an upload in progress is broken off. */
interface UploadEnds {
  readonly cut: AbortSignal;
  /** Asked with every chunk: whether nothing may be sent any more. */
  readonly isLate: () => boolean;
}

/** Carries the bytes of library rows to addresses the service named. */
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
      // Another pair of addresses would lead to the same host, so it is the address that is wrong.
      const host = target.value.url.hostname;
      if (error.kind !== 'certificate') return err({ kind: 'put', problem: error, host });
      return err({ kind: 'address', problem: { ...error, host } });
    },
  };
}

/** Tells progress some fifty times a file instead of once a chunk. */
function inSteps(total: number, onSent: (bytes: number) => void): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if (bytes - told < total / PROGRESS_STEP && bytes !== total) return;
    told = bytes;
    onSent(bytes);
  };
}

const IDLE_MS = 60_000;
/** How long an answer may trail the end of the connection it came on. */
const GRACE_MS = 200;
const CHUNK_BYTES = 512 * 1024;
/** One that is being read, one that is held back, and the others on their way: the socket must never run dry. */
const BUFFERS = 12;

/**
 * Streams a file from disk to an upload URL. Memory use does not depend on the size of the file: a few buffers are
 * reused. The last chunk waits until size and hash are verified, so a file that changed during the upload never
 * arrives complete.
 *
 * Only Content-Type and Content-Length are sent beside Host: the address itself is the permission, and the
 * credentials of the account must not reach the storage host (wire shapes, section 4, "media").
 *
 * @param onSent called with the bytes that left so far
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
    // The storage may answer and close before it has read everything; then its answer is the reason.
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
 * The answer, whose body is thrown away. A good one counts once it has ended: cut off in the middle it may be that of a
 * proxy that lost the storage. Redirects are not followed by node's own client.
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
      // Of any other status the body changes nothing.
      if (!isStored(status)) resolve(answer);
    });
    request.on('error', (thrown) => resolve(err(problemOf(thrown))));
  });
}

/** Statuses that say the file is stored (wire shapes, section 4, "media"). */
const isStored = (status: number): boolean => status === 200 || status === 201 || status === 204;

/** A storage says little; what goes on and on is none. */
const ANSWER_MAX = 1024 * 1024;

function judge({ status, location, isPage }: StorageAnswer): Result<null, UploadError> {
  if (status >= 300 && status < 400) return err({ kind: 'redirect', status, to: hostIn(location) });
  if (!isStored(status)) return err({ kind: 'refused', status });
  return isPage && status !== 204 ? err({ kind: 'unusable', status, what: 'page' }) : ok(null);
}

const hostIn = (location: string | null): string | null =>
  location !== null && URL.canParse(location) ? new URL(location).hostname.slice(0, 253) : null;

/**
 * Reads the file into a few buffers in turn; one is used again when the socket has taken what was in it. So no
 * garbage is left behind, and memory does not depend on when it is collected.
 *
 * @returns false when the file is not what it was, in which case its last chunk was held back
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
    /** Fills a buffer once the socket has taken what was in it; only the end of the file leaves it short. */
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
      // The disk reads the next chunk while this one is hashed and sent. A failure is met when its turn comes.
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

/** Resolves when the socket has taken the bytes. What goes wrong with it is told by `brokenOff`. */
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
  // It is only asked while bytes are sent; afterwards the answer tells.
  broken.catch(() => undefined);
  return broken;
}

/** What the disk refused. The error of a connection that is cut can't be told from it: both name the system call "read". */
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
