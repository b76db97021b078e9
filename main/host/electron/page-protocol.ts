import { Readable } from 'node:stream';
import type { Protocol } from 'electron';
import type { CoreDoors } from '../../core-types.ts';
import { previewHead } from '../web/file-routes.ts';
import { commonHeaders, pagePolicy } from '../web/headers.ts';
import type { WindowFile } from '../web/window-files.ts';
import { PAGE_URL, SCHEME } from './address.ts';

/** Handed to Electron before it is ready: the scheme is a proper origin, but neither CSP nor CORS make way for it. */
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
  preview: CoreDoors['preview'],
): void {
  protocol.handle(SCHEME, (request) => answerPage(request, files, preview));
  protocol.handle('file', () => refused(403));
}

/** The answer to one request of the page. Nothing of the address is ever joined to a folder. */
export async function answerPage(
  request: Request,
  files: ReadonlyMap<string, WindowFile>,
  preview: CoreDoors['preview'],
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

async function answerPreview(request: Request, handle: string, preview: CoreDoors['preview']): Promise<Response> {
  const file = await preview(handle);
  if (file === null) return refused(404);
  const { status, headers, start, end } = previewHead(file, request.headers.get('range') ?? undefined);
  const body = request.method === 'HEAD' || status === 416 ? null : Readable.toWeb(file.open(start, end));
  return new Response(body, { status, headers });
}

const refused = (status: number): Response => new Response(null, { status, headers: commonHeaders });
