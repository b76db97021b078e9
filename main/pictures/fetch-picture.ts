import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { err, ok, type Result } from '../../shared/result.ts';
import type { CheckedAddress } from '../media/upload/address-guard.ts';
import { checkedLookup, type Resolve } from '../media/upload/checked-lookup.ts';
import { type PictureHeader, pictureHeader } from './picture-header.ts';

/** Why there is no picture: nobody answered, or what came is nothing that a window should draw. */
export type PictureProblem = { readonly kind: 'unreachable' | 'unfit'; readonly detail: string };

export interface FetchedPicture {
  readonly bytes: Buffer;
  readonly header: PictureHeader;
}

export interface PictureLimits {
  readonly bytesMax: number;
  readonly sideMax: number;
  /** From the first byte of the request to the last of the answer. */
  readonly timeoutMs: number;
}

export const PICTURE_LIMITS: PictureLimits = { bytesMax: 2 * 1024 * 1024, sideMax: 4096, timeoutMs: 15_000 };

/**
 * Gets a picture from an address that was checked. Nothing of the account goes along, no redirect is followed, nothing
 * is unpacked, and an answer that is too long or too slow is cut off.
 */
export async function fetchPicture(
  target: CheckedAddress,
  limits: PictureLimits,
  closing: AbortSignal,
  resolve?: Resolve,
): Promise<Result<FetchedPicture, PictureProblem>> {
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), closing]);
  const got = await answerTo(target, signal, resolve);
  if (!got.ok) return got;
  const unfit = unfitHead(got.value, limits);
  const bytes = unfit === null ? await bodyOf(got.value, limits.bytesMax) : err(unfit);
  // The rest of an answer that is refused is not waited for.
  if (!bytes.ok) got.value.destroy();
  return bytes.ok ? judge(bytes.value, limits) : bytes;
}

function answerTo(
  { url, isOwnMachine }: CheckedAddress,
  signal: AbortSignal,
  resolve: Resolve | undefined,
): Promise<Result<IncomingMessage, PictureProblem>> {
  const options = {
    method: 'GET',
    headers: { accept: 'image/png, image/jpeg, image/webp, image/gif', 'accept-encoding': 'identity' },
    agent: false,
    signal,
    ...(isOwnMachine ? {} : { lookup: checkedLookup(resolve) }),
  } as const;
  return new Promise((done) => {
    const request = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
    request.once('response', (response) => done(ok(response)));
    request.on('error', (failure) => done(err(unreachable(failure))));
    request.end();
  });
}

function unfitHead({ statusCode = 0, headers }: IncomingMessage, { bytesMax }: PictureLimits): PictureProblem | null {
  const unfit = (detail: string): PictureProblem => ({ kind: 'unfit', detail });
  if (statusCode >= 500 || statusCode === 429) return { kind: 'unreachable', detail: `status ${statusCode}` };
  if (statusCode !== 200) return unfit(`status ${statusCode}`);
  const packed = headers['content-encoding'] ?? 'identity';
  if (packed !== 'identity' && packed !== '') return unfit('packed');
  const type = headers['content-type']?.trim().toLowerCase() ?? '';
  if (type !== '' && !/^(image\/|application\/octet-stream)/.test(type)) return unfit('not sent as a picture');
  return Number(headers['content-length'] ?? 0) > bytesMax ? unfit('too many bytes') : null;
}

async function bodyOf(response: IncomingMessage, bytesMax: number): Promise<Result<Buffer, PictureProblem>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) return err({ kind: 'unfit', detail: 'too many bytes' });
      chunks.push(chunk);
    }
  } catch (failure) {
    return err(unreachable(failure));
  }
  return ok(Buffer.concat(chunks));
}

function judge(bytes: Buffer, { sideMax }: PictureLimits): Result<FetchedPicture, PictureProblem> {
  const header = pictureHeader(bytes);
  if (header === null) return err({ kind: 'unfit', detail: 'no PNG, JPEG, GIF or WebP' });
  if (header.width > sideMax || header.height > sideMax) return err({ kind: 'unfit', detail: 'too many pixels' });
  return ok({ bytes, header });
}

function unreachable(failure: unknown): PictureProblem {
  if (!(failure instanceof Error)) throw failure;
  return { kind: 'unreachable', detail: 'code' in failure ? String(failure.code) : failure.name };
}
