import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { CoreApi, PreviewFile } from '../../app/host-ports.ts';
import { shownName } from '../../files/media/file-grants.ts';
import { commonHeaders, refuse, sendJson } from './headers.ts';

const SPOOL_FILE_MAX = 8 * 1024 ** 3;

/**
 * `PUT /spool?name=...`: stores a file's bytes from the page and responds with a grant for them. With `purpose=secret`
 * they stay in memory.
 */
export async function takeFile(
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  core: CoreApi,
) {
  const name = query.get('name') ?? '';
  if (name === '' || name.length > 1000) return refuse(response, 400, 'name');
  const declared = Number(request.headers['content-length'] ?? '0');
  const purpose = query.get('purpose');
  if (purpose !== null && purpose !== 'secret') return refuse(response, 400, 'purpose');
  const granted =
    declared > SPOOL_FILE_MAX
      ? fileError(shownName(name), fileRefusal('above-limit', { limit: SPOOL_FILE_MAX }))
      : await (purpose === 'secret'
          ? core.grants.hold(name, request)
          : core.grants.spool(name, request, SPOOL_FILE_MAX));
  if (!granted.ok) {
    const { reason } = granted.error.data;
    const status = reason === 'above-limit' ? 413 : reason === 'no-space' ? 507 : 400;
    return sendJson(response, status, granted.error, { connection: 'close' });
  }
  const { grant, fileName, bytes } = granted.value;
  return sendJson(response, 200, { grant, fileName, bytes });
}

/** `GET /preview/<handle>`: the bytes of a library file for this window, all or one range. */
export async function showFile(request: IncomingMessage, response: ServerResponse, handle: string, core: CoreApi) {
  const file = await core.preview(handle);
  if (file === null) return refuse(response, 404, 'unknown');
  const { status, headers, start, end } = previewHead(file, request.headers.range);
  response.writeHead(status, headers);
  if (request.method === 'HEAD' || status === 416) {
    response.end();
    return undefined;
  }
  return pipeline(file.open(start, end), response);
}

interface PreviewHead {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** First and last byte of the body. */
  readonly start: number;
  readonly end: number;
}

/** Status and headers of a response with a library file, in both hosts: all, one range, or 416 for one outside the file. */
export function previewHead({ bytes, contentType }: PreviewFile, rangeHeader: string | undefined): PreviewHead {
  const range = readRange(rangeHeader, bytes);
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...commonHeaders, 'content-range': `bytes */${bytes}` }, start: 0, end: 0 };
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const headers = {
    ...commonHeaders,
    'content-type': contentType,
    'content-length': String(end - start + 1),
    'accept-ranges': 'bytes',
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${bytes}` }),
  };
  return { status: range === null ? 200 : 206, headers, start, end };
}

/** Parses a header of one byte range; any other means the whole file. */
function readRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return null;
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start >= size || start > end ? 'unsatisfiable' : { start, end };
}

/** One file of the window, ready to be sent. */
export interface WindowFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  json: 'application/json',
};

/**
 * The window's files by URL path, read once at the start. A request is looked up and never joined to a folder, so no
 * path in a request can leave it.
 */
export function readWindowFiles(folder: string): ReadonlyMap<string, WindowFile> {
  const files = new Map<string, WindowFile>();
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const contentType = TYPES[entry.name.slice(entry.name.lastIndexOf('.') + 1)];
    if (contentType === undefined) continue;
    files.set(`/${relative(folder, path).split(sep).join('/')}`, { contentType, bytes: readFileSync(path) });
  }
  const page = files.get('/index.html');
  // An empty window without a message would be worse.
  if (page === undefined) throw new Error(`there is no built window in ${folder}. "npm start" builds it.`);
  return files.set('/', page);
}
