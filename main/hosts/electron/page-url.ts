import { Readable } from 'node:stream';
import type { Protocol } from 'electron';
import type { CoreApi } from '../../app/host-ports.ts';
import { previewHead, type WindowFile } from '../web/file-routes.ts';
import { commonHeaders, pagePolicy } from '../web/headers.ts';

/** URL of the window's page. The private scheme ensures that no file and no server is ever a page of Adslate. */
const SCHEME = 'adslate-app';
export const PAGE_URL = `${SCHEME}://ui/`;

/** Longest URL that is parsed, in characters. */
const ADDRESS_MAX = 4096;

/** Query of a page that starts without saved views. */
const PLAIN = '?plain';
const ACCOUNT = /^#([a-z0-9][a-z0-9-]{0,63})$/;

/**
 * The URL of a window's page. The fragment is the account it shows; the page updates it when the user opens another
 * account, so that links reach the window of their account.
 */
export const pageUrl = (workspaceId: string | null, isPlain = false): string =>
  `${PAGE_URL}${isPlain ? PLAIN : ''}${workspaceId === null ? '' : `#${workspaceId}`}`;

/** The account in the URL of a page of ours; null without one. */
export function accountIn(address: string): string | null {
  return isOwnPage(address) ? (ACCOUNT.exec(parsed(address)?.hash ?? '')?.[1] ?? null) : null;
}

/** True for our page and URLs below it; false for an empty URL and `about:blank`. */
export function isOwnPage(address: string): boolean {
  const url = parsed(address);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === 'ui' && url.username === '' && url.port === '';
}

/**
 * Whether the window may load a URL: its own page, blobs that the page made, and developer tools if the app is not
 * packaged.
 */
export function isAllowedUrl(address: string, isPackaged: boolean): boolean {
  const url = parsed(address);
  if (url === null) return false;
  if (isOwnPage(address)) return true;
  if (url.protocol === 'blob:') return isOwnPage(address.slice('blob:'.length));
  return url.protocol === 'devtools:' && !isPackaged;
}

/**
 * A link that may be offered to the system's browser: https only, without credentials, written again by the parser
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

/** For Electron before it is ready: the scheme is a standard origin, and CSP and CORS apply to it. */
export const PRIVILEGED = [
  {
    scheme: SCHEME,
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
];

const PREVIEW = /^preview\/([a-f0-9]{32})$/;

/** Serves the packaged window from memory and the previews of its files; a name that is not listed is not there. */
export function servePage(
  protocol: Protocol,
  files: ReadonlyMap<string, WindowFile>,
  preview: CoreApi['preview'],
): void {
  protocol.handle(SCHEME, (request) => answerPage(request, files, preview));
  protocol.handle('file', () => refused(403));
}

/** Responds to one request of the page. No part of the URL is ever joined to a folder. */
export async function answerPage(
  request: Request,
  files: ReadonlyMap<string, WindowFile>,
  preview: CoreApi['preview'],
): Promise<Response> {
  const address = request.url.split(/[?#]/)[0] ?? '';
  if (!address.startsWith(PAGE_URL)) return refused(404);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refused(405);
  const path = address.slice(PAGE_URL.length);
  const handle = PREVIEW.exec(path)?.[1];
  if (handle !== undefined) return answerPreview(request, handle, preview);
  const file = files.get(`/${path}`);
  if (file === undefined) return refused(404);
  const headers = {
    ...commonHeaders,
    'content-security-policy': pagePolicy("'self'"),
    'content-type': file.contentType,
  };
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(file.bytes), { headers });
}

async function answerPreview(request: Request, handle: string, preview: CoreApi['preview']): Promise<Response> {
  const file = await preview(handle);
  if (file === null) return refused(404);
  const { status, headers, start, end } = previewHead(file, request.headers.get('range') ?? undefined);
  const body = request.method === 'HEAD' || status === 416 ? null : Readable.toWeb(file.open(start, end));
  return new Response(body, { status, headers });
}

const refused = (status: number): Response => new Response(null, { status, headers: commonHeaders });
