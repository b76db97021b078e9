import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createTurns } from '../../shared/in-turn.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { type AddressRule, checkUploadAddress } from '../media/upload/address-guard.ts';
import type { Resolve } from '../media/upload/checked-lookup.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { writeWhole } from '../write-whole.ts';
import { fetchPicture, PICTURE_LIMITS, type PictureLimits } from './fetch-picture.ts';

/**
 * Pictures that the service names by an address: logos, items, thumbnails of videos. A window never loads such an
 * address; it gets a file of this cache.
 *
 *   address -> known here? -------------------------------> file
 *        \-> host allowed? -> fetched, judged, kept by hash -> file
 *
 * The cache is a convenience: it lies beside the workspace, is in no archive and no backup, and may be removed at any time.
 */
export interface Pictures {
  /** The picture behind an address. */
  show(address: string): Promise<Result<ShownPicture, NoPicture>>;
  /** Remembers what a search said of items, for their names, links and pictures. */
  noteItems(items: readonly KnownItem[]): Promise<void>;
  /** What was last said of an item, or null. */
  item(itemId: string): Promise<KnownItem | null>;
  close(): Promise<void>;
}

export interface ShownPicture {
  readonly path: string;
  readonly contentType: string;
}

export interface NoPicture {
  /** `host`: nobody has allowed pictures from there. `unfit`: what came is no picture to draw. */
  readonly kind: 'host' | 'unfit' | 'unreachable';
  readonly host: string;
}

const KnownItem = z.object({
  itemId: z.string(),
  name: z.string(),
  imageUrl: z.string().nullable(),
  pageUrl: z.string().nullable(),
});
export type KnownItem = z.infer<typeof KnownItem>;

const Kept = z.object({
  /** By address; the order is that of use, the latest last. */
  pictures: z.array(
    z.object({ key: z.string(), sha256: z.string().regex(/^[a-f0-9]{64}$/), contentType: z.string(), bytes: z.int() }),
  ),
  items: z.array(KnownItem),
});
type KeptPicture = z.infer<typeof Kept>['pictures'][number];

export interface PicturesDeps {
  /** Folder of the cache; made with the first picture. */
  readonly folder: string;
  /** Hosts that may be asked. It may have to start the practice service, so it is asked when something is to be fetched. */
  readonly rule: () => Promise<AddressRule>;
  readonly monotonicMs: () => number;
  readonly limits?: PictureLimits;
  readonly resolve?: Resolve;
  /** The most that the cache may hold, in bytes. */
  readonly bytesMax?: number;
}

const CACHE_BYTES_MAX = 64 * 1024 * 1024;
const ITEMS_MAX = 5000;
const AT_ONCE = 4;
const WAITING_MAX = 1000;
/** For so long an address that gave no picture is not asked again. */
const AGAIN_AFTER_MS = 60_000;

export function createPictures(deps: PicturesDeps): Pictures {
  const { folder, limits = PICTURE_LIMITS, bytesMax = CACHE_BYTES_MAX } = deps;
  const indexFile = join(folder, 'index.json');
  const closing = new AbortController();
  const inTurn = createTurns();
  const waiting = new Map<string, Promise<Result<ShownPicture, NoPicture>>>();
  const failed = new Map<string, { readonly problem: NoPicture; readonly at: number }>();
  const slots = createSlots(AT_ONCE);
  let book: Promise<Book> | null = null;
  const opened = (): Promise<Book> => (book ??= readBook(indexFile));
  const pathOf = (sha256: string): string => join(folder, sha256);

  const fromCache = async (key: string): Promise<ShownPicture | null> => {
    const { pictures } = await opened();
    const known = pictures.get(key);
    if (known === undefined) return null;
    const file = await stat(pathOf(known.sha256)).catch(nullIfMissing);
    if (file?.size !== known.bytes) return null;
    pictures.delete(key);
    pictures.set(key, known);
    return { path: pathOf(known.sha256), contentType: known.contentType };
  };

  const keep = (key: string, bytes: Buffer, contentType: string): Promise<ShownPicture> =>
    inTurn(async () => {
      const known = await opened();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(pathOf(sha256), bytes, { mode: 0o600 });
      known.pictures.delete(key);
      known.pictures.set(key, { key, sha256, contentType, bytes: bytes.length });
      await evict(known, folder, bytesMax);
      await writeWhole(indexFile, textOf(known));
      return { path: pathOf(sha256), contentType };
    });

  const fetchNow = async (address: string): Promise<Result<ShownPicture, NoPicture>> => {
    const rule = await deps.rule();
    const target = checkUploadAddress(atPracticeService(address, rule), rule);
    if (!target.ok) {
      const host = 'host' in target.error ? target.error.host : '';
      return err({ kind: target.error.kind === 'unknown-host' ? 'host' : 'unfit', host });
    }
    const host = target.value.url.hostname;
    const got = await fetchPicture(target.value, limits, closing.signal, deps.resolve);
    if (!got.ok) return err({ kind: got.error.kind, host });
    try {
      return ok(await keep(keyOf(address), got.value.bytes, got.value.header.contentType));
    } catch (failure) {
      // A full or read-only disk costs a picture and nothing else; the next look tries again.
      if (!isDiskFailure(failure)) throw failure;
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
    const answer = await slots(() => fetchNow(address));
    if (answer.ok) failed.delete(key);
    else failed.set(key, { problem: answer.error, at: deps.monotonicMs() });
    if (failed.size > WAITING_MAX) failed.delete(failed.keys().next().value ?? '');
    return answer;
  };

  return {
    show: (address) => {
      const known = waiting.get(address);
      if (known !== undefined) return known;
      const answer = ask(address).finally(() => waiting.delete(address));
      waiting.set(address, answer);
      return answer;
    },
    noteItems: (items) =>
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
          await writeWhole(indexFile, textOf(known));
        } catch (failure) {
          // What was said stays in memory, and is written with the next change.
          if (!isDiskFailure(failure)) throw failure;
        }
      }),
    item: async (itemId) => (await opened()).items.get(itemId) ?? null,
    close: async () => {
      closing.abort();
      await Promise.allSettled(waiting.values());
      await inTurn(async () => undefined);
    },
  };
}

interface Book {
  readonly pictures: Map<string, KeptPicture>;
  readonly items: Map<string, KnownItem>;
}

/** A book that cannot be read is begun anew: everything in it can be fetched again. */
async function readBook(file: string): Promise<Book> {
  const text = await readFile(file, 'utf8').catch(nullIfMissing);
  const kept = Kept.safeParse(text === null ? null : jsonOrNull(text)).data ?? { pictures: [], items: [] };
  return {
    pictures: new Map(kept.pictures.map((picture) => [picture.key, picture])),
    items: new Map(kept.items.map((item) => [item.itemId, item])),
  };
}

const textOf = ({ pictures, items }: Book): string =>
  JSON.stringify({ pictures: [...pictures.values()], items: [...items.values()] });

/** Lets go of what was not looked at for longest, and of files that no address leads to. */
async function evict({ pictures }: Book, folder: string, bytesMax: number): Promise<void> {
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

/** A practice service has another port each time it starts, and the same pictures. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=\/)/;
const keyOf = (address: string): string => address.replace(LOOPBACK, 'practice:').slice(0, 8192);
const atPracticeService = (address: string, { loopbackPort }: AddressRule): string =>
  loopbackPort === null ? address : address.replace(LOOPBACK, `http://127.0.0.1:${loopbackPort}`);

const isSame = (a: KnownItem | undefined, b: KnownItem): boolean =>
  a !== undefined && a.name === b.name && a.imageUrl === b.imageUrl && a.pageUrl === b.pageUrl;

const isDiskFailure = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && typeof failure.code === 'string';

/** So many pieces of work at once; the others wait in the order in which they came. */
function createSlots(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

/** Hosts that pictures may come from beside the service itself: the deployment's, those of uploads, and the retail site. */
export const pictureHosts = ({ picture, upload, retail }: DeploymentProfile): readonly string[] => [
  ...picture.hosts,
  ...upload.hosts,
  ...(retail.host === '' ? [] : [retail.host]),
];
