import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { textKey } from '../../../shared/model/text.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { createSerialQueue } from '../../../shared/serial-queue.ts';
import { nullIfNotFound, writeFileAtomic } from '../../app/atomic-write.ts';
import { createPlaces, NO_OBSERVER } from '../../app/long-task.ts';
import { codeOrThrow, nullIfRefused } from '../../app/system.ts';
import {
  type CheckedAddress,
  checkUploadUrl,
  guardedRequest,
  type Resolve,
  type UploadUrlRule,
} from '../upload/upload-url-check.ts';

/**
 * Pictures that the service names by URL: logos, items, thumbnails of videos. A window never loads such a URL; it gets a
 * file of this cache.
 *
 *   URL -> cached? -------------------------------------> file
 *        \-> host allowed? -> fetched, checked, stored by hash -> file
 *
 * The cache is not essential: it is stored beside the workspace, is in no archive and no backup, and may be removed at
 * any time.
 */
export type Pictures = ReturnType<typeof createPictures>;

type ShownPicture = {
  readonly path: string;
  readonly contentType: string;
};

type NoPicture = {
  /** `host`: the user has not allowed pictures from there. `unfit`: the response is no displayable picture. */
  readonly kind: 'host' | 'unfit' | 'unreachable';
  readonly host: string;
};

const KnownItem = z.object({
  itemId: z.string(),
  name: z.string(),
  imageUrl: z.string().nullable(),
  pageUrl: z.string().nullable(),
  suggestedBidCents: z.int().nullish(),
});
export type KnownItem = z.infer<typeof KnownItem>;

const Kept = z.object({
  /** By address; the order is that of use, the latest last. */
  pictures: z.array(
    z.object({ key: z.string(), sha256: z.string().regex(/^[a-f0-9]{64}$/), contentType: z.string(), bytes: z.int() }),
  ),
  items: z.array(KnownItem),
});

export interface PicturesDeps {
  /** Folder of the cache; created with the first picture. */
  readonly folder: string;
  /** The allowed hosts. Read only before a fetch, because it may start the practice service. */
  readonly rule: () => Promise<UploadUrlRule>;
  readonly monotonicMs: () => number;
  readonly limits?: PictureLimits;
  readonly resolve?: Resolve;
  /** Maximum size of the cache, in bytes. */
  readonly bytesMax?: number;
}

const CACHE_BYTES_MAX = 64 * 1024 * 1024;
const ITEMS_MAX = 5000;
const AT_ONCE = 4;
const WAITING_MAX = 1000;
/** Time until a URL that gave no picture is tried again. */
const AGAIN_AFTER_MS = 60_000;

export function createPictures(deps: PicturesDeps) {
  const { folder, limits = PICTURE_LIMITS, bytesMax = CACHE_BYTES_MAX } = deps;
  const indexFile = join(folder, 'index.json');
  const closing = new AbortController();
  const inTurn = createSerialQueue();
  const waiting = new Map<string, Promise<Result<ShownPicture, NoPicture>>>();
  const failed = new Map<string, { readonly problem: NoPicture; readonly at: number }>();
  const inPlace = createPlaces(AT_ONCE);
  let index: Promise<PictureIndex> | null = null;
  const opened = (): Promise<PictureIndex> => (index ??= readIndex(indexFile));
  const pathOf = (sha256: string): string => join(folder, sha256);

  const fromCache = async (key: string): Promise<ShownPicture | null> => {
    const { pictures } = await opened();
    const known = pictures.get(key);
    if (known === undefined) return null;
    const file = await stat(pathOf(known.sha256)).catch(nullIfNotFound);
    if (file?.size !== known.bytes) return null;
    pictures.delete(key);
    pictures.set(key, known);
    return { path: pathOf(known.sha256), contentType: known.contentType };
  };

  const keep = (key: string, bytes: Buffer, contentType: string): Promise<ShownPicture> =>
    inTurn(async () => {
      const known = await opened();
      const sha256 = hash('sha256', bytes);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(pathOf(sha256), bytes, { mode: 0o600 });
      known.pictures.delete(key);
      known.pictures.set(key, { key, sha256, contentType, bytes: bytes.length });
      await evict(known, folder, bytesMax);
      await writeFileAtomic(indexFile, textOf(known));
      return { path: pathOf(sha256), contentType };
    });

  const fetchNow = async (address: string): Promise<Result<ShownPicture, NoPicture>> => {
    const rule = await deps.rule();
    const target = checkUploadUrl(atPracticeService(address, rule), rule);
    if (!target.ok) {
      const host = 'host' in target.error ? target.error.host : '';
      return err({ kind: target.error.kind === 'unknown-host' ? 'host' : 'unfit', host });
    }
    const host = target.value.url.hostname;
    const got = await fetchPicture(target.value, limits, closing.signal, deps.resolve);
    if (!got.ok) return err({ kind: got.error, host });
    try {
      return ok(await keep(keyOf(address), got.value.bytes, got.value.header.contentType));
    } catch (failure) {
      // A full or read-only disk only loses the picture; the next call tries again.
      codeOrThrow(failure);
      return err({ kind: 'unreachable', host });
    }
  };

  const ask = async (address: string): Promise<Result<ShownPicture, NoPicture>> => {
    const key = keyOf(address);
    const here = await fromCache(key);
    if (here !== null) return ok(here);
    const before = failed.get(key);
    if (before !== undefined && deps.monotonicMs() - before.at < AGAIN_AFTER_MS) return err(before.problem);
    if (waiting.size > WAITING_MAX || closing.signal.aborted) return err({ kind: 'unreachable', host: '' });
    const answer = await inPlace(NO_OBSERVER.signal, () => fetchNow(address));
    if (answer.ok) failed.delete(key);
    else failed.set(key, { problem: answer.error, at: deps.monotonicMs() });
    if (failed.size > WAITING_MAX) failed.delete(failed.keys().next().value ?? '');
    return answer;
  };

  return {
    /** The stored frame of a video, by the hash of its file. */
    poster: (sha256: string): Promise<ShownPicture | null> => fromCache(`poster:${sha256}`),
    keepPoster: async (sha256: string, bytes: Buffer): Promise<ShownPicture | null> => {
      const judged = judge(bytes, limits);
      if (!judged.ok) return null;
      try {
        return await keep(`poster:${sha256}`, bytes, judged.value.header.contentType);
      } catch (failure) {
        // A full or read-only disk only loses the picture.
        return nullIfRefused(failure);
      }
    },
    /** The picture of a URL. */
    show: (address: string): Promise<Result<ShownPicture, NoPicture>> => {
      const known = waiting.get(address);
      if (known !== undefined) return known;
      const answer = ask(address).finally(() => waiting.delete(address));
      waiting.set(address, answer);
      return answer;
    },
    /** Stores details of items from a search: names, links and pictures. */
    noteItems: (items: readonly KnownItem[]) =>
      inTurn(async () => {
        const known = await opened();
        const news = items.filter((item) => !isSame(known.items.get(item.itemId), item));
        if (news.length === 0) return;
        for (const item of news) {
          known.items.delete(item.itemId);
          known.items.set(item.itemId, item);
        }
        for (const itemId of known.items.keys()) {
          if (known.items.size <= ITEMS_MAX) break;
          known.items.delete(itemId);
        }
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await writeFileAtomic(indexFile, textOf(known));
        } catch (failure) {
          // The details stay in memory, and are written with the next change.
          codeOrThrow(failure);
        }
      }),
    /** Items of earlier searches with each of the words in name or id, the latest first. */
    itemsWith: async (words: readonly string[], count: number): Promise<readonly KnownItem[]> =>
      [...(await opened()).items.values()]
        .toReversed()
        .filter(({ itemId, name }) => words.every((word) => `${itemId}\n${textKey(name)}`.includes(word)))
        .slice(0, count),
    /** The last details of an item, or null. */
    item: async (itemId: string): Promise<KnownItem | null> => (await opened()).items.get(itemId) ?? null,
    close: async () => {
      closing.abort();
      await Promise.allSettled(waiting.values());
      await inTurn(async () => undefined);
    },
  };
}

type PictureIndex = Awaited<ReturnType<typeof readIndex>>;

/** An unreadable index is replaced: everything in it can be fetched again. */
async function readIndex(file: string) {
  const text = await readFile(file, 'utf8').catch(nullIfNotFound);
  const kept = Kept.safeParse(text === null ? null : jsonOrNull(text)).data ?? { pictures: [], items: [] };
  return {
    pictures: new Map(kept.pictures.map((picture) => [picture.key, picture])),
    items: new Map(kept.items.map((item) => [item.itemId, item])),
  };
}

const textOf = ({ pictures, items }: PictureIndex): string =>
  JSON.stringify({ pictures: [...pictures.values()], items: [...items.values()] });

/** Removes the least recently used pictures, and files without a URL in the index. */
async function evict({ pictures }: PictureIndex, folder: string, bytesMax: number): Promise<void> {
  const sizes = new Map([...pictures.values()].map(({ sha256, bytes }) => [sha256, bytes]));
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const [key, { sha256 }] of pictures) {
    if (bytes <= bytesMax || pictures.size === 1) break;
    pictures.delete(key);
    if ([...pictures.values()].some((other) => other.sha256 === sha256)) continue;
    bytes -= sizes.get(sha256) ?? 0;
    sizes.delete(sha256);
  }
  for (const name of await readdir(folder)) {
    if (/^[a-f0-9]{64}$/.test(name) && !sizes.has(name)) await rm(join(folder, name), { force: true });
  }
}

/** A practice service has another port at each start, but the same pictures. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=\/)/;
const keyOf = (address: string): string => address.replace(LOOPBACK, 'practice:').slice(0, 8192);
const atPracticeService = (address: string, { loopbackPort }: UploadUrlRule): string =>
  loopbackPort === null ? address : address.replace(LOOPBACK, `http://127.0.0.1:${loopbackPort}`);

const isSame = (a: KnownItem | undefined, b: KnownItem): boolean =>
  a !== undefined &&
  a.name === b.name &&
  a.imageUrl === b.imageUrl &&
  a.pageUrl === b.pageUrl &&
  (a.suggestedBidCents ?? null) === (b.suggestedBidCents ?? null);

/** Hosts of pictures besides the service itself: the deployment's, those of uploads, and the retail site. */
export const pictureHosts = ({ picture, upload, retail }: DeploymentSettings): readonly string[] => [
  ...picture.hosts,
  ...upload.hosts,
  ...(retail.host === '' ? [] : [retail.host]),
];

/**
 * Type and size of a picture, from its first bytes only: nothing is decoded here, so a header of 33 bytes that claims
 * 60,000 x 60,000 pixels costs nothing. Anything but PNG, JPEG, GIF or WebP is refused.
 */
interface PictureHeader {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

export function pictureHeader(bytes: Buffer): PictureHeader | null {
  const starts = bytes.toString('latin1', 0, 16);
  if (starts.startsWith('\x89PNG\r\n\x1a\n')) {
    if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
    return sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  }
  if (starts.startsWith('GIF87a') || starts.startsWith('GIF89a')) {
    return bytes.length < 13 ? null : sized('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  }
  if (starts.startsWith('RIFF') && starts.slice(8, 12) === 'WEBP') return webp(bytes);
  return starts.startsWith('\xff\xd8\xff') ? jpeg(bytes) : null;
}

const sized = (contentType: PictureHeader['contentType'], width: number, height: number): PictureHeader | null =>
  width > 0 && height > 0 ? { contentType, width, height } : null;

/** The size is in the first frame header; the segments before it are skipped by their lengths. */
function jpeg(bytes: Buffer): PictureHeader | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // A fill byte, or a marker without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return null;
      at += 2 + length;
    }
  }
  return null;
}

/** The three forms of WebP: extended, lossless and lossy. */
function webp(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return sized('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return bytes[20] === 0x2f ? sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1) : null;
    }
    case 'VP8 ':
      return sized('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    default:
      return null;
  }
}

/** Why there is no picture: no response, or content that a window must not display. */
type PictureProblem = 'unreachable' | 'unfit';

interface FetchedPicture {
  readonly bytes: Buffer;
  readonly header: PictureHeader;
}

interface PictureLimits {
  readonly bytesMax: number;
  readonly sideMax: number;
  /** From the first byte of the request to the last of the response. */
  readonly timeoutMs: number;
}

export const PICTURE_LIMITS: PictureLimits = { bytesMax: 2 * 1024 * 1024, sideMax: 4096, timeoutMs: 15_000 };

/**
 * Fetches a picture from a checked URL. No credentials are sent, no redirect is followed, nothing is decompressed, and
 * a response that is too long or too slow is cut off.
 */
async function fetchPicture(
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
  // Does not wait for the rest of a refused response.
  if (!bytes.ok) got.value.destroy();
  return bytes.ok ? judge(bytes.value, limits) : bytes;
}

function answerTo(
  target: CheckedAddress,
  signal: AbortSignal,
  resolve: Resolve | undefined,
): Promise<Result<IncomingMessage, PictureProblem>> {
  const options = {
    method: 'GET',
    headers: { accept: 'image/png, image/jpeg, image/webp, image/gif', 'accept-encoding': 'identity' },
    signal,
  } as const;
  return new Promise((done) => {
    const request = guardedRequest(target, options, resolve);
    request.once('response', (response) => done(ok(response)));
    request.on('error', (failure) => done(err(unreachable(failure))));
    request.end();
  });
}

function unfitHead({ statusCode = 0, headers }: IncomingMessage, { bytesMax }: PictureLimits): PictureProblem | null {
  if (statusCode >= 500 || statusCode === 429) return 'unreachable';
  const packed = headers['content-encoding'] ?? 'identity';
  const type = headers['content-type']?.trim().toLowerCase() ?? '';
  const isFit =
    statusCode === 200 &&
    (packed === 'identity' || packed === '') &&
    (type === '' || /^(image\/|application\/octet-stream)/.test(type)) &&
    Number(headers['content-length'] ?? 0) <= bytesMax;
  return isFit ? null : 'unfit';
}

async function bodyOf(response: IncomingMessage, bytesMax: number): Promise<Result<Buffer, PictureProblem>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) return err('unfit');
      chunks.push(chunk);
    }
  } catch (failure) {
    return err(unreachable(failure));
  }
  return ok(Buffer.concat(chunks));
}

function judge(bytes: Buffer, { sideMax }: PictureLimits): Result<FetchedPicture, PictureProblem> {
  const header = pictureHeader(bytes);
  if (header === null || header.width > sideMax || header.height > sideMax) return err('unfit');
  return ok({ bytes, header });
}

function unreachable(failure: unknown): PictureProblem {
  if (!(failure instanceof Error)) throw failure;
  return 'unreachable';
}
