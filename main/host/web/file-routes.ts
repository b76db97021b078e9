import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { CoreDoors, PreviewFile } from '../../core-types.ts';
import { commonHeaders } from './headers.ts';
import { refuse, sendJson } from './respond.ts';

const SPOOL_FILE_MAX = 8 * 1024 ** 3;

/**
 * `PUT /spool?name=...`: takes a file's bytes from the page and answers with a grant for them. With `purpose=secret`
 * they stay in memory.
 */
export async function takeFile(
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  core: CoreDoors,
) {
  const name = query.get('name') ?? '';
  if (name === '' || name.length > 1000) return refuse(response, 400, 'name');
  const declared = Number(request.headers['content-length'] ?? '0');
  if (declared > SPOOL_FILE_MAX) return refuse(response, 413, 'too-large');
  const purpose = query.get('purpose');
  if (purpose !== null && purpose !== 'secret') return refuse(response, 400, 'purpose');
  const granted = await (purpose === 'secret'
    ? core.grants.hold(name, request)
    : core.grants.spool(name, request, SPOOL_FILE_MAX));
  if (!granted.ok) {
    const reason = granted.error.kind === 'unreadable' ? granted.error.code : granted.error.kind;
    return refuse(response, reason === 'EFBIG' ? 413 : reason === 'ENOSPC' ? 507 : 400, reason);
  }
  const { grant, fileName, bytes } = granted.value;
  return sendJson(response, 200, { grant, fileName, bytes });
}

/** `GET /preview/<handle>`: the bytes of a library file for this window, whole or one range. */
export async function showFile(request: IncomingMessage, response: ServerResponse, handle: string, core: CoreDoors) {
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

export interface PreviewHead {
  readonly status: 200 | 206 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** First and last byte of the body. */
  readonly start: number;
  readonly end: number;
}

/** How an answer with a library file begins, in both hosts: whole, one range, or (416) none that is in the file. */
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

/** Reads a header of one byte range; anything else means the whole file. */
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
