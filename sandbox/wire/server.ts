import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import findMyWay from 'find-my-way';
import { controlRoutes } from '../control/control-routes.ts';
import { diskFault, diskFaultText, faultText } from '../disk-fault.ts';
import { ownMessages, Refusal } from '../messages.ts';
import { answerStatusPage } from '../page/status-page.ts';
import { drawItem, drawThumbnail } from '../pictures.ts';
import type { FileFormat } from '../quirks.ts';
import { adGroupRoutes } from '../resources/ad-groups.ts';
import { adItemRoutes } from '../resources/ad-items.ts';
import { brandProfileRoutes } from '../resources/brand-profiles.ts';
import { campaignRoutes } from '../resources/campaigns.ts';
import { itemSearchRoutes } from '../resources/item-search.ts';
import { keywordRoutes } from '../resources/keywords.ts';
import { adGroupMediaRoutes, isCaptionFile, judgeVideo, mediaRoutes, sampleFilm } from '../resources/media.ts';
import { multiplierRoutes } from '../resources/multipliers.ts';
import { reportFile } from '../resources/report-file.ts';
import { reportRows } from '../resources/report-rows.ts';
import { isJobOfReport, reportRoutes, type SnapshotRequest } from '../resources/reports.ts';
import { reviewRoutes } from '../resources/reviews.ts';
import type { Service } from '../service.ts';
import type { ItemRow, MediaRow } from '../tables.ts';
import { createAuthentication, serverTime } from './authentication.ts';
import { answerThroughFault, handleCall, parseJson, readBody } from './handle-call.ts';
import { type Answer, respond } from './respond.ts';
import type { ControlRoute, Route } from './route.ts';

// Importing the module reads all its exports, which loads the client behind `fetch`: an eighth of the CPU time of a
// start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * The HTTP server, with four kinds of address:
 *
 *   /api/...      the partner API, signed            /upload/...   bytes of a video or caption file
 *   /sandbox...   control, only from this computer   /assets/...   files that addresses in records refer to
 */
type Params = Readonly<Record<string, string | undefined>>;
type Answerer = (request: IncomingMessage, response: ServerResponse, params: Params) => Promise<void> | void;

/** All calls of the partner API, documented ones and extensions. */
const apiRoutes: readonly Route[] = [
  ...campaignRoutes,
  ...adGroupRoutes,
  ...itemSearchRoutes,
  ...adItemRoutes,
  ...keywordRoutes,
  ...mediaRoutes,
  ...adGroupMediaRoutes,
  ...brandProfileRoutes,
  ...multiplierRoutes,
  ...reviewRoutes,
  ...reportRoutes,
];

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
/** A connection without data for this long is closed. */
const IDLE_MS = 60_000;

export function createSandboxServer(service: Service) {
  const router = findMyWay({ maxParamLength: 200 });
  // The router only finds the route; its answerer is called here with the right types.
  const add = (method: (typeof methods)[number], path: string, answerer: Answerer) =>
    router.on(method, path, () => undefined, answerer);

  const authenticate = createAuthentication();
  const answerApi = (route: Route | number, request: IncomingMessage, response: ServerResponse) =>
    handleCall(service, authenticate, route, request, response);
  for (const route of apiRoutes) {
    if (route.extension && !isServed(service, route)) continue;
    add(route.method, route.path, (request, response) => answerApi(route, request, response));
  }
  for (const route of controlRoutes) {
    add(route.method, route.path, (request, response, params) =>
      answerControl(service, route, params, request, response),
    );
  }
  for (const part of ['video', 'caption'] as const) {
    add('PUT', `/upload/${part}/:id`, (request, response, params) =>
      answerUpload(service, part, idOf(params['id']), request, response),
    );
  }
  add('GET', '/assets/:kind/:name', (_request, response, params) =>
    answerAsset(service, params['kind'] ?? '', params['name'] ?? '', response),
  );

  add('GET', '/sandbox', (_request, response) => answerStatusPage(response));
  add('GET', '/files/reports/:id', (request, response, params) =>
    answerReport(service, params['id'] ?? '', request, response),
  );

  const find = (method: string, path: string) => {
    const known = methods.find((candidate) => candidate === method);
    const found = known === undefined ? null : router.find(known, path);
    return found === null ? null : { answerer: found.store as Answerer, params: found.params };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { basePath, clockAheadSeconds, ownClock } = service.settings.quirks;
    if (clockAheadSeconds !== 0 || ownClock) {
      response.setHeader('date', new Date(serverTime(service)).toUTCString());
    }
    const asked = request.url ?? '/';
    if (basePath !== '' && asked.startsWith('/api/')) return answerAsGateway(request, response);
    // The rest of the sandbox does not use the base path.
    if (asked.startsWith(`${basePath}/api/`)) request.url = asked.slice(basePath.length);
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const found = find(request.method ?? 'GET', path);
    if (found !== null) return found.answerer(request, response, found.params);
    const status = methods.some((method) => find(method, path) !== null) ? 405 : 404;
    if (path.startsWith('/api/')) return answerApi(status, request, response);
    request.resume();
    respond(response, {
      status,
      body: { error: status === 405 ? ownMessages.methodNotAllowed : ownMessages.pathNotFound },
    });
  };

  /** Running calls: a call with a complete body is run even if its connection is closed. */
  const underWay = new Set<Promise<void>>();
  const server = createServer(
    { headersTimeout: 30_000, requestTimeout: 0, keepAliveTimeout: IDLE_MS },
    (request, response) => {
      const answered = answer(request, response)
        .catch((problem: unknown) => {
          process.stderr.write(`sandbox: ${problem instanceof Error ? problem.stack : String(problem)}\n`);
          response.destroy();
        })
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    },
  );
  server.setTimeout(IDLE_MS);
  server.on('clientError', (_problem, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  return {
    http: server,
    /** Closes all connections and resolves when no call is running. */
    close: async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await Promise.all(underWay);
    },
  };
}

/** The gateway in front of a service with a base path: it has no other addresses, and its pages are not JSON. */
function answerAsGateway(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>');
}

function idOf(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
}

/** Extensions are served if they are turned on and no quirk removes them. */
function isServed(service: Service, route: Route): boolean {
  const { extensions, quirks } = service.settings;
  return (extensions && !quirks.lacks.includes(`${route.method} ${route.path}`)) || isJobOfReport(service, route);
}

/**
 * One call of the control interface. It has no credentials, so pages of other sites must not be able to call it: the
 * host must be this computer, and a changing call must not have a foreign origin.
 */
async function answerControl(
  service: Service,
  route: ControlRoute,
  params: Readonly<Record<string, string | undefined>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    requireLocalCaller(request);
    const bytes = route.method === 'POST' ? await readBody(request) : Buffer.alloc(0);
    const [, query = ''] = (request.url ?? '').split('?', 2);
    const body = bytes.length === 0 ? {} : parseJson(bytes);
    const answer = await route.handle(service, { params, query: new URLSearchParams(query), body });
    respond(response, { status: 200, body: answer });
  } catch (problem) {
    if (problem instanceof Refusal) {
      respond(response, { status: problem.status, body: { error: problem.message }, headers: problem.headers });
      return;
    }
    process.stderr.write(`sandbox: ${faultText(problem)}\n`);
    const disk = diskFault(problem);
    if (disk !== null) {
      respond(response, { status: 507, body: { error: diskFaultText(disk), disk } });
      return;
    }
    respond(response, { status: 500, body: { error: 'The sandbox failed; its standard error says why' } });
  }
}

function requireLocalCaller(request: IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) throw new Refusal(403, 'Control is for this machine only');
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${request.headers.host}`) {
    throw new Refusal(403, 'Control is not for pages of other sites');
  }
}

/** Report files: the signature in the address is the permission, for 24 hours. */
const contentTypes: Readonly<Record<FileFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gzip: 'application/gzip',
  zip: 'application/zip',
  'zip-parts': 'application/zip',
  'zip-mixed': 'application/zip',
};

async function answerReport(
  service: Service,
  snapshotId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const snapshot = service.store.find('snapshot', snapshotId);
  const isGenuine = snapshot !== undefined && new URLSearchParams(query).get('sig') === snapshot.secret;
  if (!isGenuine || snapshot.job_status !== 'done') {
    respond(response, { status: 403, body: { error: ownMessages.uploadExpired } });
    return;
  }
  // Written by `storeSnapshot`, so its type is known.
  const wanted = JSON.parse(snapshot.request) as SnapshotRequest;
  const bytes = await reportFile(reportRows(service, wanted), wanted.format);
  sendBytes(bytes, contentTypes[wanted.format], response);
}

/** The files that addresses in API records refer to: logos, item pictures, thumbnails, videos and captions. */
async function answerAsset(service: Service, kind: string, name: string, response: ServerResponse): Promise<void> {
  const id = /^((?:prod)?\d{1,15})(?:\.png)?$/.exec(name)?.[1];
  if (id === undefined) return notFound(response);
  if (kind === 'items') return sendItem(service, id, response);
  if (kind === 'logos') return sendLogo(service, Number(id), response);
  const media = service.store.find('media', Number(id));
  if (media === undefined) return notFound(response);
  if (kind === 'thumbnails')
    return sendBytes(drawThumbnail(media.media_id, media.length_ms ?? 0), 'image/png', response);
  if (kind === 'videos') return sendFile(service, 'video', media, 'video/mp4', response);
  if (kind === 'captions') return sendFile(service, 'caption', media, 'text/plain; charset=utf-8', response);
  return notFound(response);
}

function sendLogo(service: Service, profileId: number, response: ServerResponse): void {
  const logo = service.store.find('sba_profile', profileId)?.logo ?? null;
  if (logo === null) notFound(response);
  else sendBytes(logo, 'image/png', response);
}

/** @param itemId in either format: a picture's address stays valid after the migration */
function sendItem(service: Service, itemId: string, response: ServerResponse): void {
  const item = service.store.one<ItemRow>('SELECT * FROM item WHERE us_id = ? OR legacy_id = ?', itemId, itemId);
  if (item === undefined) notFound(response);
  else sendBytes(drawItem(item.name), 'image/png', response);
}

async function sendFile(
  service: Service,
  part: UploadPart,
  media: MediaRow,
  contentType: string,
  response: ServerResponse,
): Promise<void> {
  const upload = service.store.find('media_upload', media.upload_id);
  // A scenario's video was never uploaded, so it has no secret.
  if (part === 'video' && upload?.secret === '') {
    sendBytes(sampleFilm(), contentType, response);
    return;
  }
  const path = uploadedFile(service, part, media.upload_id);
  const size = await sizeOf(path);
  if (size === null) return notFound(response);
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': size,
    'x-content-type-options': 'nosniff',
  });
  try {
    await pipeline(createReadStream(path), response);
  } catch (problem) {
    // A reader that disconnects is no error; an unreadable file is reported to the operator.
    if (!readerLeft.some((code) => hasCode(problem, code))) throw problem;
  }
}

const readerLeft = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'] as const;

/** Size of a file in bytes, or null if it does not exist; other errors are thrown. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (problem) {
    if (hasCode(problem, 'ENOENT')) return null;
    throw problem;
  }
}

function hasCode(problem: unknown, code: string): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === code;
}

function sendBytes(bytes: Uint8Array, contentType: string, response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}

function notFound(response: ServerResponse): void {
  respond(response, { status: 404, body: { error: ownMessages.pathNotFound } });
}

/**
 * The upload addresses of `POST /api/v1/media/upload`. They are outside the API: no credentials; the signature in the
 * address is the permission for 15 minutes. The body is written directly to a file.
 */
type UploadPart = 'video' | 'caption';

const uploadTypes: Readonly<Record<UploadPart, readonly string[]>> = {
  video: ['video/mp4', 'video/quicktime'],
  caption: ['application/x-subrip', 'text/vtt'],
};

async function answerUpload(
  service: Service,
  part: UploadPart,
  uploadId: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const seen = { correlationId: null, principal: null, elementCount: 0 };
  await answerThroughFault(service, request, response, seen, (query) =>
    takeUpload(service, part, uploadId, request, query),
  );
}

/** @returns null if the caller disconnected before the end */
async function takeUpload(
  service: Service,
  part: UploadPart,
  uploadId: number,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Answer | null> {
  const refuse = (status: number, error: string): Answer => ({ status, body: { error } });
  const upload = service.store.find('media_upload', uploadId);
  const isGenuine = upload !== undefined && upload.secret !== '' && query.get('sig') === upload.secret;
  if (!isGenuine || upload.expires_ms < service.clock.now()) return refuse(403, ownMessages.uploadExpired);
  if (upload.completed === 1) return refuse(409, ownMessages.uploadRequestUsed);
  const prefix = `${service.settings.quirks.headerPrefix.toLowerCase()}_`;
  if (Object.keys(request.headers).some((name) => name === 'authorization' || name.startsWith(prefix))) {
    return refuse(400, ownMessages.uploadHeaders);
  }
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!uploadTypes[part].includes(type)) return refuse(415, ownMessages.uploadType);

  const path = uploadedFile(service, part, uploadId);
  const unfinished = `${path}.${process.hrtime.bigint()}.part`;
  try {
    await mkdir(service.settings.filesDir, { recursive: true });
    await pipeline(request, createWriteStream(unfinished));
  } catch (problem) {
    // The caller gets the answer about the upload itself.
    await rm(unfinished, { force: true }).catch((other: unknown) => {
      process.stderr.write(`sandbox: ${String(other)}\n`);
    });
    if (request.destroyed && !request.complete) return null;
    request.resume();
    process.stderr.write(`sandbox: upload not saved: ${String(problem)}\n`);
    return refuse(507, ownMessages.uploadNotSaved);
  }
  await rename(unfinished, path);
  await noteUpload(service, part, uploadId, path);
  return { status: 201, body: '' };
}

async function noteUpload(service: Service, part: UploadPart, uploadId: number, path: string): Promise<void> {
  if (part === 'caption') {
    const verdict = (await isCaptionFile(path)) ? '' : ownMessages.captionUnreadable;
    service.store.update('media_upload', uploadId, { has_caption: 1, caption_verdict: verdict });
    return;
  }
  const { verdict, lengthMs } = await judgeVideo(path);
  service.store.update('media_upload', uploadId, { has_video: 1, video_verdict: verdict, length_ms: lengthMs });
}

function uploadedFile(service: Service, part: UploadPart, uploadId: number): string {
  return join(service.settings.filesDir, `${part}-${uploadId}`);
}
