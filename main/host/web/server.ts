import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { CoreDoors } from '../../core-types.ts';
import type { Log } from '../../log.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { showFile, takeFile, type WindowFile } from './file-routes.ts';
import { checkRequest } from './guard.ts';
import { pageHeaders, refuse, rejectMalformedRequest, sendJson } from './headers.ts';
import { cookieOf, createSessions, type Sessions, handleLogin } from './sessions.ts';
import { startSocketServer, type SocketServer } from './socket.ts';

export interface WebServer {
  readonly port: number;
  /** An address that signs one window in, once. The code sits in the fragment: browsers do not send it, nothing logs it. */
  startUrl(validMs: number): string;
  close(): Promise<void>;
}

export interface WebServerOptions {
  readonly port: number;
  readonly core: CoreDoors;
  readonly dispatch: Dispatch;
  readonly files: ReadonlyMap<string, WindowFile>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when ten wrong secrets in a minute have locked the door; `startUrl` opens it again. */
  readonly onLock: () => void;
  /** Called when a page has signed everybody out; `startUrl` lets somebody in again. */
  readonly onSignedOut: () => void;
}

const HEADERS_MS = 10_000;
/** How often slow headers are looked for; Node's own half a minute would let them hold a connection that long. */
const LOOK_MS = 2_000;
const HEADER_BYTES = 16 * 1024;

/** Serves one window over loopback; the checks of every request are in `guard.ts`. Resolves when it listens. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const sessions = createSessions(options.clock, () => {
    options.log('sign-in locked');
    options.onLock();
  });
  let door: SocketServer | null = null;
  const signOut = (): void => {
    sessions.endAll();
    door?.hangUp();
    options.log('signed out everywhere');
    options.onSignedOut();
  };
  const server = createServer({
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: 0,
    requireHostHeader: false, // one that is missing is refused like one that is wrong, by the guard
    connectionsCheckingInterval: LOOK_MS,
  });
  // Uploads may take long, so the time limit is on the headers; a stalled body ends with its socket.
  server.setTimeout(120_000);
  let port = 0;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      const { statusCode: status } = response;
      if (status >= 400) options.log('request refused', { status, operation: nameOf(request) });
    });
    answer(request, response, { ...options, port, sessions, signOut }).catch((error: unknown) => {
      if (request.method === 'GET' && hasLeft(error)) return void response.destroy();
      options.log('request failed', { error: error instanceof Error ? error.message : 'not an error' });
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'failed');
    });
  });
  rejectMalformedRequest(server, options.log);
  door = startSocketServer(server, () => port, sessions, options.dispatch, options.log);
  port = await listen(server, options.port);
  return {
    port,
    startUrl: (validMs) => `http://127.0.0.1:${port}/#code=${sessions.newCode(validMs)}`,
    close: async () => {
      sessions.endAll();
      door?.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Answering extends WebServerOptions {
  readonly sessions: Sessions;
  readonly signOut: () => void;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { core, files, port, sessions, signOut }: Answering,
): Promise<void> {
  const refused = checkRequest(request, port);
  if (refused !== null) return refuse(response, refused.status, refused.reason);
  const { path, query } = split(request.url ?? '/');
  const { method } = request;
  if (path === '/session') {
    return method === 'POST' ? handleLogin(request, response, port, sessions) : refuse(response, 405, 'method');
  }
  const isSignedIn = (): boolean => {
    const token = request.headers['x-adslate-token'];
    return sessions.accepts(cookieOf(request, port), typeof token === 'string' ? token : undefined);
  };
  if (path === '/spool') {
    if (method !== 'PUT') return refuse(response, 405, 'method');
    return isSignedIn() ? takeFile(request, response, query, core) : refuse(response, 403, 'session');
  }
  if (path === '/sign-out') {
    if (method !== 'POST') return refuse(response, 405, 'method');
    if (!isSignedIn()) return refuse(response, 403, 'session');
    signOut();
    return sendJson(response, 200, { signedOut: true }, { connection: 'close' });
  }
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'method');
  if (path.startsWith('/preview/')) {
    if (!sessions.acceptsCookie(cookieOf(request, port))) return refuse(response, 403, 'session');
    return showFile(request, response, path.slice('/preview/'.length), core);
  }
  const file = files.get(path);
  if (file === undefined) return refuse(response, 404, 'not found');
  response.writeHead(200, {
    ...pageHeaders(port),
    'content-type': file.contentType,
    'content-length': String(file.bytes.length),
  });
  response.end(method === 'HEAD' ? undefined : file.bytes);
  return undefined;
}

/** Players of video hang up in the middle of an answer and ask for another part: nothing failed. */
const hasLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Method and path; what follows a question mark names files of the user. */
const nameOf = ({ method, url }: IncomingMessage): string => `${method ?? ''} ${(url ?? '').split('?')[0]}`;

/** Splits by text: a URL parser would first tidy up paths that should simply be unknown. */
function split(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const at = url.indexOf('?');
  return at < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
