import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import type { Log } from '../../log.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { createRateLimiter, MESSAGE_MAX } from '../dispatch/pace.ts';
import { checkUpgrade } from './guard.ts';
import { rejectSocket } from './headers.ts';
import { cookieOf, type Sessions } from './sessions.ts';

/**
 * The WebSocket door. An upgrade needs an exact Origin and the cookie; the first message must bring the page's
 * token within two seconds, and only then does the dispatch listen.
 */
const AUTH_MS = 2_000;
const PING_MS = 30_000;
const LOOK_MS = 1_000;
const SOCKETS_MAX = 8;
/** Answers that wait for a page to take them, in bytes: two of the longest. */
const BUFFERED_MAX = 32 * 1024 ** 2;

const AuthMessage = z.strictObject({ auth: z.string().max(200) });

export interface SocketServer {
  /** Ends every socket and stays open for those who sign in anew. */
  hangUp(): void;
  close(): void;
}

export function startSocketServer(
  server: Server,
  portOf: () => number,
  sessions: Sessions,
  dispatch: Dispatch,
  log: Log,
): SocketServer {
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
      // The session lasts as long as its page is open; the hours of rest count from when it is gone.
      for (const sign of ['message', 'pong']) socket.on(sign, () => sessions.touch(cookieOf(request, port)));
      dispatch.serveSocket(socket);
    });
    socket.once('close', () => clearTimeout(impatience));
  }
  return {
    hangUp: () => {
      for (const socket of sockets.clients) socket.close(1008, 'signed out');
    },
    close: () => {
      for (const socket of sockets.clients) socket.close(1001, 'closing');
      sockets.close();
    },
  };
}

/** Ends sockets whose other side is gone, or that take answers so slowly that they pile up here. */
function keepAlive(socket: WebSocket, log: Log): void {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  // One who asks and takes nothing would have half a minute to fill the memory, if this were a matter of the beat.
  const look = setInterval(() => {
    if (socket.bufferedAmount <= BUFFERED_MAX || socket.readyState !== socket.OPEN) return;
    log('page cut off', { reason: 'too-slow' });
    socket.close(1013, 'too slow');
  }, LOOK_MS);
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

/**
 * Slows a page down that calls without end: what is too much stays in the socket until its turn, so nothing is lost
 * and the page feels its own haste.
 */
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
