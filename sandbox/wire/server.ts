import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import findMyWay from 'find-my-way';
import { apiRoutes } from '../api-routes.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { ownMessages } from '../messages.ts';
import { answerStatusPage } from '../page/status-page.ts';
import { isJobOfReport } from '../resources/reports.ts';
import type { Service } from '../service.ts';
import { answerCall } from './answer-call.ts';
import { answerControl } from './answer-control.ts';
import { answerAsset } from './assets.ts';
import { createAuthentication, serverTime } from './authentication.ts';
import { answerReport } from './report-download.ts';
import { respond } from './respond.ts';
import type { Route } from './route.ts';
import { answerUpload } from './uploads.ts';

/**
 * The HTTP server: four kinds of address, told apart by the router.
 *
 *   /api/...      the partner API, signed            /upload/...   bytes of a video or caption file
 *   /sandbox...   control, for this machine only     /assets/...   what the records' addresses point at
 */
type Params = Readonly<Record<string, string | undefined>>;
type Answerer = (request: IncomingMessage, response: ServerResponse, params: Params) => Promise<void> | void;

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
/** A caller that sends nothing for this long is gone. */
const IDLE_MS = 60_000;

export interface SandboxServer {
  readonly http: Server;
  /** Cuts every connection and resolves when nothing is at work on a call any more. */
  readonly close: () => Promise<void>;
}

export function createSandboxServer(service: Service): SandboxServer {
  const router = findMyWay({ maxParamLength: 200 });
  const answerers = new Map<string, Answerer>();
  const add = (method: (typeof methods)[number], path: string, answerer: Answerer) => {
    const key = `${method} ${path}`;
    answerers.set(key, answerer);
    // The router finds; the call is made here, where the types are known.
    router.on(method, path, () => undefined, key);
  };

  const authenticate = createAuthentication();
  const answerApi = (route: Route | number, request: IncomingMessage, response: ServerResponse) =>
    answerCall(service, authenticate, route, request, response);
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
    const key: unknown = found?.store;
    const answerer = typeof key === 'string' ? answerers.get(key) : undefined;
    return answerer === undefined ? null : { answerer, params: found?.params ?? {} };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { basePath, clockAheadSeconds, ownClock } = service.settings.quirks;
    if (clockAheadSeconds !== 0 || ownClock) {
      response.setHeader('date', new Date(serverTime(service)).toUTCString());
    }
    const asked = request.url ?? '/';
    if (basePath !== '' && asked.startsWith('/api/')) return answerAsGateway(request, response);
    // The rest of the sandbox knows nothing of the path in front of the API.
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

  /** Calls that are being answered: one that has its body is carried out although its connection is gone. */
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
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await Promise.all(underWay);
    },
  };
}

/** What stands in front of a service that lies below a path: it knows no other address, and its pages are not JSON. */
function answerAsGateway(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>');
}

function idOf(text: string | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
}

/** Calls beyond the document are there when they are switched on, and not taken away again by a quirk. */
function isServed(service: Service, route: Route): boolean {
  const { extensions, quirks } = service.settings;
  return (extensions && !quirks.lacks.includes(`${route.method} ${route.path}`)) || isJobOfReport(service, route);
}
