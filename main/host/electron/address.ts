/** Where the window's page lives: a scheme of our own, so that no file and no server is ever a page of Adslate. */
export const SCHEME = 'adslate-app';
export const PAGE_URL = `${SCHEME}://ui/`;

/** Longest address that is looked at, in characters. */
const ADDRESS_MAX = 4096;

/** In the query of a page that starts without what was remembered of its views. */
const PLAIN = '?plain';
const ACCOUNT = /^#([a-z0-9][a-z0-9-]{0,63})$/;

/**
 * The address of a window's page. The fragment names the account it shows; the page keeps it true when the user
 * goes to another account, so that links reach the window that shows theirs.
 */
export const pageAddress = (workspaceId: string | null, isPlain = false): string =>
  `${PAGE_URL}${isPlain ? PLAIN : ''}${workspaceId === null ? '' : `#${workspaceId}`}`;

/** The account that a page of ours says it shows; null while it has none. */
export function accountIn(address: string): string | null {
  return isOwnPage(address) ? (ACCOUNT.exec(parsed(address)?.hash ?? '')?.[1] ?? null) : null;
}

/** True for our page and everything below it. An empty address and `about:blank` are nobody's. */
export function isOwnPage(address: string): boolean {
  const url = parsed(address);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === 'ui' && url.username === '' && url.port === '';
}

/** What the window may load: its own page and what that page made itself. */
export function mayLoad(address: string, isPackaged: boolean): boolean {
  const url = parsed(address);
  if (url === null) return false;
  if (isOwnPage(address)) return true;
  if (url.protocol === 'blob:') return isOwnPage(address.slice('blob:'.length));
  return url.protocol === 'devtools:' && !isPackaged;
}

/**
 * A link that may be offered to the system's browser: https only, without credentials, written anew by the parser
 * so that what is shown is what is opened.
 */
export function externalLink(address: string): { readonly url: string; readonly host: string } | null {
  const url = parsed(address);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return { url: url.href, host: url.host };
}

function parsed(address: string): URL | null {
  return address.length <= ADDRESS_MAX ? URL.parse(address) : null;
}
