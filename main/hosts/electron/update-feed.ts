import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';

/**
 * The source of signed updates, and the signature of a release list.
 *
 *   latest-linux.yml      version, and each package with its SHA-512, as electron-builder writes it
 *   latest-linux.yml.sig  Base64 of Ed25519 over "adslate update 1\nlatest-linux.yml\n" and the bytes of the list
 *
 * The name is signed too, so that the list of one system can't be served as that of another.
 */
export interface UpdateFeed {
  /** URL of the folder with the lists; ends with a slash. */
  readonly url: string;
  readonly key: KeyObject;
}

/** Written into `package.json` inside the packaged archive by a release (`extraMetadata` of electron-builder). */
const Packaged = z.object({ updates: z.object({ feed: z.string(), key: z.base64() }).optional() });

/** Lets administrators set a copy of the feed or switch updates off. A copy needs the same signature. */
export const FEED_VARIABLE = 'ADSLATE_UPDATE_FEED';

/**
 * @param folder of the packaged app
 * @param named the value of `FEED_VARIABLE`
 * @returns null when the package has no feed, or updates are switched off
 * @throws in words when there is one that cannot be used
 */
export async function readUpdateFeed(folder: string, named: string | undefined): Promise<UpdateFeed | null> {
  const packaged = Packaged.safeParse(jsonOrNull(await readFile(join(folder, 'package.json'), 'utf8')));
  if (!packaged.success) throw new Error('"updates" in package.json needs "feed" and "key".');
  const { updates } = packaged.data;
  if (updates === undefined || named === 'off') return null;
  const key = createPublicKey({ key: Buffer.from(updates.key, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key of the updates must be an Ed25519 key.');
  const feed = named ?? updates.feed;
  const url = URL.canParse(feed) ? new URL(feed) : null;
  if (url === null || !isSafe(url)) throw new Error(`The update feed must be an https address: ${feed}`);
  return { url: url.href.replace(/\/*$/, '/'), key };
}

/** Plain http is allowed to this computer only. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isSafe = ({ protocol, hostname, username, search, hash }: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) &&
  username === '' &&
  search === '' &&
  hash === '';

const signedBytes = (name: string, list: string): Buffer => Buffer.from(`adslate update 1\n${name}\n${list}`);

/** @param name of the file of the list */
export const signList = (key: KeyObject, name: string, list: string): string =>
  sign(null, signedBytes(name, list), key).toString('base64');

export const isSignedList = (key: KeyObject, name: string, list: string, signature: string): boolean =>
  verify(null, signedBytes(name, list), key, Buffer.from(signature.trim(), 'base64'));
