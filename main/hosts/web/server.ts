import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Clock } from '../../app/clock.ts';
import type { CoreApi } from '../../app/host-ports.ts';
import type { Log } from '../../app/log.ts';
import { errorCode } from '../../app/system.ts';
import { createRateLimiter, type Dispatch, MESSAGE_MAX } from '../dispatch/dispatch.ts';
import { showFile, takeFile, type WindowFile } from './file-routes.ts';
import { pageHeaders, refuse, rejectMalformedRequest, rejectSocket, sendJson } from './headers.ts';

// An import would evaluate all exports of the module, which loads the client of `fetch` before it is needed.
const { createServer } = process.getBuiltinModule('node:http');

export type WebServer = Awaited<ReturnType<typeof startWebServer>>;

export interface WebServerOptions {
  readonly port: number;
  readonly core: CoreApi;
  readonly dispatch: Dispatch;
  readonly files: ReadonlyMap<string, WindowFile>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when ten wrong secrets in a minute have locked sign-in; `startUrl` unlocks it. */
  readonly onLock: () => void;
  /** Called when a page has signed out all pages; `startUrl` allows signing in again. */
  readonly onSignedOut: () => void;
}

const HEADERS_MS = 10_000;
/** How often slow headers are checked; Node's default is half a minute, so a connection could stay open that long. */
const LOOK_MS = 2_000;
const HEADER_BYTES = 16 * 1024;

/** Serves one window over loopback; every request is checked first (`checkRequest`). Resolves when it listens. */
export async function startWebServer(options: WebServerOptions) {
  const sessions = createSessions(options.clock, () => {
    options.log('sign-in locked');
    options.onLock();
  });
  let door: ReturnType<typeof startSocketServer> | null = null;
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
  // Uploads may take long, so only headers have a time limit; a stalled body ends with its socket timeout.
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
    /** An address that signs one window in, once. The code sits in the fragment: browsers do not send it, nothing logs it. */
    startUrl: (validMs: number): string => `http://127.0.0.1:${port}/#code=${sessions.newCode(validMs)}`,
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
    return method === 'POST' ? handleLogin(request, response, port, sessions, core) : refuse(response, 405, 'method');
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

/** Video players close the connection during a response and request another range: not a failure. */
const hasLeft = (error: unknown): boolean => errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';

/** Method and path; the query has names of the user's files and is omitted. */
const nameOf = ({ method, url }: IncomingMessage): string => `${method ?? ''} ${(url ?? '').split('?')[0]}`;

/** Splits by text: a URL parser would first tidy up paths that should simply be unknown. */
function split(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const at = url.indexOf('?');
  return at < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * The WebSocket endpoint. An upgrade needs an exact Origin and the cookie; the first message must be the page's token
 * within two seconds. Only then the dispatch listens.
 */
const AUTH_MS = 2_000;
const PING_MS = 30_000;
const SOCKET_LOOK_MS = 1_000;
const SOCKETS_MAX = 8;
/** Limit for responses that a page has not read yet, in bytes: two of the longest. */
const BUFFERED_MAX = 32 * 1024 ** 2;

const AuthMessage = z.strictObject({ auth: z.string().max(200) });

function startSocketServer(server: Server, portOf: () => number, sessions: Sessions, dispatch: Dispatch, log: Log) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX, perMessageDeflate: false });
  server.on('upgrade', (request, stream, head) => {
    const port = portOf();
    const refused = checkUpgrade(request, port);
    if (refused !== null) return hangUp(stream, refused.status, refused.reason, log);
    if (!sessions.acceptsCookie(cookieOf(request, port))) return hangUp(stream, 403, 'session', log);
    if (sockets.clients.size >= SOCKETS_MAX) return hangUp(stream, 503, 'too many sockets', log);
    return sockets.handleUpgrade(request, stream, head, (socket) => welcome(socket, request));
  });

  function welcome(socket: WebSocket, request: IncomingMessage): void {
    const port = portOf();
    const impatience = setTimeout(() => socket.close(1008, 'sign in'), AUTH_MS);
    socket.on('error', (error) => log('socket failed', { error: error.message }));
    socket.once('message', (message: RawData, isBinary) => {
      clearTimeout(impatience);
      const auth = isBinary ? null : readAuth(message);
      if (auth === null || !sessions.accepts(cookieOf(request, port), auth)) {
        log('socket refused', { reason: 'token' });
        socket.close(1008, 'sign in');
        return;
      }
      keepAlive(socket, log);
      keepPace(socket);
      // The session lasts as long as its page is open; the idle time counts from when it closes.
      for (const sign of ['message', 'pong']) socket.on(sign, () => sessions.touch(cookieOf(request, port)));
      dispatch.serveSocket(socket);
    });
    socket.once('close', () => clearTimeout(impatience));
  }
  return {
    /** Closes every socket; pages can sign in again. */
    hangUp: (): void => {
      for (const socket of sockets.clients) socket.close(1008, 'signed out');
    },
    close: (): void => {
      for (const socket of sockets.clients) {
        socket.close(1001, 'closing');
        // A paused page is not read from, so its close frame would never be seen.
        setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
      }
      sockets.close();
    },
  };
}

/** Time for pages to close their sockets when the host ends, in milliseconds. */
const GOODBYE_MS = 1000;

/** Ends sockets whose client is gone, or that read responses so slowly that they pile up here. */
function keepAlive(socket: WebSocket, log: Log): void {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  // Checked often: until the next ping, a client that requests and reads nothing could fill the memory.
  const look = setInterval(() => {
    if (socket.bufferedAmount <= BUFFERED_MAX || socket.readyState !== socket.OPEN) return;
    log('page cut off', { reason: 'too-slow' });
    socket.close(1013, 'too slow');
  }, SOCKET_LOOK_MS);
  const beat = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    return socket.ping();
  }, PING_MS);
  socket.once('close', () => {
    clearInterval(beat);
    clearInterval(look);
  });
}

function readAuth(message: RawData): string | null {
  const text = Array.isArray(message) ? Buffer.concat(message).toString() : Buffer.from(message as Buffer).toString();
  const parsed = AuthMessage.safeParse(jsonOrNull(text));
  return parsed.success ? parsed.data.auth : null;
}

function hangUp(stream: Duplex, status: number, reason: string, log: Log): void {
  log('upgrade refused', { status, reason });
  rejectSocket(stream, status);
}

/** Slows down a page that calls too often: messages above the rate stay in the socket, so none is lost. */
function keepPace(socket: WebSocket): void {
  const take = createRateLimiter();
  let timer: NodeJS.Timeout | null = null;
  socket.on('message', () => {
    const waitMs = take();
    if (waitMs === 0 || timer !== null) return;
    socket.pause();
    timer = setTimeout(() => {
      timer = null;
      if (socket.readyState === socket.OPEN) socket.resume();
    }, waitMs);
  });
  socket.once('close', () => {
    if (timer !== null) clearTimeout(timer);
  });
}

/**
 * Checks who may use the loopback host. A page of another origin, a name rebound to this computer and a proxy are
 * refused before anything is routed. Forwarded headers are never read.
 */
interface Refused {
  readonly status: 400 | 403 | 405 | 411 | 413 | 415 | 421 | 431;
  readonly reason: string;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT']);
const SITES = new Set(['same-origin', 'none']);

/** The exact values of `Host` that mean this server. */
const allowedHosts = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`];
const allowedOrigins = (port: number): readonly string[] => allowedHosts(port).map((host) => `http://${host}`);

/** @returns null when the request may go on */
function checkRequest(request: IncomingMessage, port: number): Refused | null {
  const { method = '', headers, url = '' } = request;
  if (countOf(request, 'host') !== 1 || !allowedHosts(port).includes(headers.host ?? '')) {
    return { status: 421, reason: 'host' };
  }
  if (!METHODS.has(method)) return { status: 405, reason: 'method' };
  if (!url.startsWith('/') || url.startsWith('//')) return { status: 400, reason: 'request form' };
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !SITES.has(String(site)) && !isArrival(request)) {
    return { status: 403, reason: 'cross-site' };
  }
  const origin = headers.origin;
  const changes = method === 'POST' || method === 'PUT';
  if (origin === undefined ? changes : !allowedOrigins(port).includes(origin)) return { status: 403, reason: 'origin' };
  return null;
}

/**
 * A browser that opens the page from elsewhere, such as the start file. The page is the same for everyone and has no
 * data; its further requests come from its own origin.
 */
function isArrival({ method, url, headers }: IncomingMessage): boolean {
  const isDocument = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return method === 'GET' && url === '/' && isDocument;
}

/** An upgrade always needs an exact Origin: a missing one passes in other servers and is no proof of anything. */
function checkUpgrade(request: IncomingMessage, port: number): Refused | null {
  const refused = checkRequest(request, port);
  if (refused !== null) return refused;
  if (request.headers.origin === undefined) return { status: 403, reason: 'origin' };
  return request.url === '/rpc' ? null : { status: 400, reason: 'path' };
}

function countOf(request: IncomingMessage, name: string): number {
  return request.rawHeaders.filter((word, at) => at % 2 === 0 && word.toLowerCase() === name).length;
}

/**
 * Sign-in. A one-time code is exchanged for two secrets that only work together: a cookie, which every server of
 * this computer receives because cookies ignore ports, and a page token, which stays in the tab. Only hashes are
 * compared, in constant time.
 *
 *   start --code--> page --POST /session--> cookie + token
 *   ten wrong secrets within a minute --> locked until a new code is made (signed-in pages stay signed in)
 */
const FAILURES_MAX = 10;
const FAILURES_MS = 60_000;
const IDLE_MS = 12 * 3_600_000;

interface Session {
  readonly cookieHash: Buffer;
  readonly tokenHash: Buffer;
  usedAt: number;
}

type Sessions = ReturnType<typeof createSessions>;

/** @param onLock called when sign-in was just locked */
function createSessions(clock: Clock, onLock: () => void) {
  let codes: { hash: Buffer; until: number }[] = [];
  let sessions: Session[] = [];
  let failures: number[] = [];
  let locked = false;

  const now = () => clock.monotonicMs();
  const fail = (): void => {
    failures = [...failures.filter((at) => at > now() - FAILURES_MS), now()];
    if (locked || failures.length < FAILURES_MAX) return;
    locked = true;
    onLock();
  };
  const living = (): Session[] => {
    sessions = sessions.filter((session) => session.usedAt > now() - IDLE_MS);
    return sessions;
  };
  const sessionOf = (cookie: string | undefined): Session | undefined => {
    if (cookie === undefined) return undefined;
    const cookieHash = hashOf(cookie);
    return living().find((entry) => timingSafeEqual(entry.cookieHash, cookieHash));
  };
  return {
    /** A new code that works once, for so many milliseconds; also ends a lock. */
    newCode: (validMs: number): string => {
      const code = secret();
      codes = [...codes.filter(({ until }) => until > now()), { hash: hashOf(code), until: now() + validMs }];
      locked = false;
      failures = [];
      return code;
    },
    /** @returns the two secrets, or null for a wrong, used or old code */
    redeem: (code: string): { readonly cookie: string; readonly token: string } | null => {
      if (locked) return null;
      const hash = hashOf(code);
      const found = codes.find((entry) => entry.until > now() && timingSafeEqual(entry.hash, hash));
      if (found === undefined) {
        fail();
        return null;
      }
      codes = codes.filter((entry) => entry !== found);
      const made = { cookie: secret(), token: secret() };
      sessions.push({ cookieHash: hashOf(made.cookie), tokenHash: hashOf(made.token), usedAt: now() });
      return made;
    },
    /** True when cookie and token belong to the same active session. */
    accepts: (cookie: string | undefined, token: string | undefined): boolean => {
      if (cookie === undefined || token === undefined) return false;
      const session = sessionOf(cookie);
      if (session === undefined || !timingSafeEqual(session.tokenHash, hashOf(token))) {
        fail();
        return false;
      }
      session.usedAt = now();
      return true;
    },
    acceptsCookie: (cookie: string | undefined): boolean => sessionOf(cookie) !== undefined,
    /** Notes that a page that has signed in is still there, so that its session does not end under it. */
    touch: (cookie: string | undefined): void => {
      const session = sessionOf(cookie);
      if (session !== undefined) session.usedAt = now();
    },
    isLocked: (): boolean => locked,
    endAll: (): void => {
      sessions = [];
      codes = [];
    },
  };
}

const secret = (): string => randomBytes(32).toString('hex');
const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');

const CODE_BODY_MAX = 1024;
const CodeBody = z.strictObject({ code: z.string().max(200) });

/** `POST /session {code}`: exchanges a one-time code for the cookie and the page's token. */
async function handleLogin(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  sessions: Sessions,
  core: CoreApi,
) {
  if (request.headers['content-type'] !== 'application/json') return refuse(response, 415, 'content type');
  const text = await readText(request, CODE_BODY_MAX);
  if (text === null) return refuse(response, 413, 'too large');
  const body = CodeBody.safeParse(jsonOrNull(text));
  if (!body.success) return refuse(response, 400, 'body');
  const made = sessions.redeem(body.data.code);
  if (made === null) return refuse(response, sessions.isLocked() ? 429 : 403, 'code');
  void core.openAhead();
  // Cookies ignore ports, so the name includes ours, and other servers of this computer do not overwrite it.
  const cookie = `${cookieName(port)}=${made.cookie}; HttpOnly; SameSite=Strict; Path=/`;
  return sendJson(response, 200, { token: made.token }, { 'set-cookie': cookie });
}

const cookieName = (port: number): string => `adslate-${port}`;

/** The session cookie of a request, if it has exactly one. */
function cookieOf(request: IncomingMessage, port: number): string | undefined {
  const name = `${cookieName(port)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).filter((part) => part.startsWith(name));
  return found.length === 1 ? found[0]?.slice(name.length) : undefined;
}

async function readText(request: IncomingMessage, limitBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > limitBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
