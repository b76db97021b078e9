import { fieldNames } from './fields.ts';
import { KINDS, type Kind } from './kinds.ts';

/**
 * Links to a row: `adslate://open/<account>/<kind>/<row>/<field>?advertiser=1&id=2&find=words`. On the web host the same
 * path follows the URL of the page, as `http://127.0.0.1:4100/#open/...`. Anyone may have written a link, so it can only
 * show something: it edits, sends and imports nothing and names no file and no host.
 *
 * Account and row are numbers of one computer. The query finds the row on another one: the advertiser, the ID on the
 * service, and words to search for if there is no such ID.
 */
export interface DeepLink {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly id: number;
  readonly field?: string | undefined;
  readonly advertiserId?: string | undefined;
  readonly remoteId?: string | undefined;
  readonly find?: string | undefined;
}

export const LINK_SCHEME = 'adslate';
const LINK_BYTES_MAX = 512;
/** Bytes of encoded words; a name beyond them is cut. */
const FIND_BYTES_MAX = 240;
const NUMBER = '[1-9][0-9]{0,18}';
const FIND = '(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+';
const LINK = new RegExp(
  '^open/([a-z0-9][a-z0-9-]{0,63})/([a-z][A-Za-z]{0,31})/([1-9][0-9]{0,14})(?:/([a-z][A-Za-z]{0,31}))?' +
    `(?:[?]advertiser=(${NUMBER}))?(?:[?&]id=(${NUMBER}))?(?:[?&]find=(${FIND}))?$`,
);

/**
 * @param base the beginning of the link: the scheme, or the URL of the web host with `/#`
 * @returns null for anything that is not exactly such a link
 */
export function readDeepLink(text: string, base = `${LINK_SCHEME}://`): DeepLink | null {
  if (text.length > LINK_BYTES_MAX || !text.startsWith(base)) return null;
  const found = LINK.exec(text.slice(base.length));
  if (found === null) return null;
  // One question mark, before the first ampersand.
  const [path = '', ...queries] = text.split('?');
  if (queries.length > 1 || path.includes('&')) return null;
  const [, workspaceId = '', kindText, id, field, advertiserId, remoteId, encoded] = found;
  const kind = KINDS.find((known) => known === kindText);
  if (kind === undefined || (field !== undefined && !fieldNames(kind).includes(field))) return null;
  const find = encoded === undefined ? undefined : decoded(encoded);
  if (find === null) return null;
  return {
    workspaceId,
    kind,
    id: Number(id),
    ...(field === undefined ? {} : { field }),
    ...(advertiserId === undefined ? {} : { advertiserId }),
    ...(remoteId === undefined ? {} : { remoteId }),
    ...(find === undefined ? {} : { find }),
  };
}

/** Null for bytes that are not text, or that a name can't contain. */
function decoded(encoded: string): string | null {
  try {
    const text = decodeURIComponent(encoded);
    return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) ? null : text;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The link as text that `readDeepLink` parses. Words that are too long are cut. */
export function printDeepLink(link: DeepLink, base = `${LINK_SCHEME}://`): string {
  const { workspaceId, kind, id, field, advertiserId, remoteId, find = '' } = link;
  const parts = [
    ...(advertiserId === undefined ? [] : [`advertiser=${advertiserId}`]),
    ...(remoteId === undefined ? [] : [`id=${remoteId}`]),
  ];
  const words = encodedWords(find);
  if (words !== '') parts.push(`find=${words}`);
  const query = parts.length === 0 ? '' : `?${parts.join('&')}`;
  return `${base}open/${workspaceId}/${kind}/${id}${field === undefined ? '' : `/${field}`}${query}`;
}

function encodedWords(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ')
    .trim();
  let words = '';
  for (const character of plain) {
    const next = encodeURIComponent(character).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    if (words.length + next.length > FIND_BYTES_MAX) break;
    words += next;
  }
  return words;
}

/** The account of a link on this computer: the one with its ID, or the only one of its advertiser. */
export function accountOfLink(
  { workspaceId, advertiserId }: DeepLink,
  accounts: readonly { readonly workspaceId: string; readonly advertiserId: string }[],
): string | null {
  const known = accounts.find((account) => account.workspaceId === workspaceId);
  const same = accounts.filter((account) => account.advertiserId === advertiserId);
  if (known !== undefined && (advertiserId === undefined || known.advertiserId === advertiserId)) return workspaceId;
  return same.length === 1 ? (same[0]?.workspaceId ?? null) : null;
}
