import type { MessagePort } from 'node:worker_threads';
import { ValidationError } from '@orpc/contract';
import { createRouterClient, ORPCError, onError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { Log } from '../../app/log.ts';
import type { CoreRouter } from '../../service/router.ts';

/**
 * The one dispatch of every host: the same router over a WebSocket, a MessagePort or a direct call. Callers get a
 * result or a declared error (code and data). Any other error is logged and reaches the caller as
 * INTERNAL_SERVER_ERROR, without message or stack.
 */
export type Dispatch = ReturnType<typeof createDispatch>;

export function createDispatch(router: CoreRouter, log: Log) {
  const handler = new RPCHandler(router, {
    clientInterceptors: [onError((error, { path }) => report(error, path.join('.'), log))],
  });
  return {
    /** Serves a socket whose client was authenticated already. */
    serveSocket: (socket: WebSocket) => void handler.upgrade(socket),
    /** Serves a port, which the caller starts. `page` is the number of the page, for events that are for one page. */
    servePort: (port: PagePort, page?: number) => {
      const socket = socketOf(port, (reason) => log('page cut off', { reason }));
      void handler.upgrade(socket, { context: page === undefined ? {} : { page } });
    },
    client: createRouterClient(router),
  };
}

/** Declared errors are normal results; only undeclared ones are logged. */
function report(error: unknown, operation: string, log: Log): void {
  if (error instanceof ORPCError && error.defined) return;
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    log('call refused', { operation, code: error.code });
    return;
  }
  if (error instanceof Error && error.name === 'AbortError') return;
  // oRPC wraps a failed output check; its cause has the useful details.
  const reason = error instanceof ORPCError && error.cause !== undefined ? error.cause : error;
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : 'not an error';
  log('unexpected failure', { operation, error: text, ...brokenPlaces(reason) });
}

/** The parts of an output that break its schema: their paths and the rule, without values. */
function brokenPlaces(reason: unknown): { readonly reason: string } | null {
  if (!(reason instanceof ValidationError)) return null;
  const places = reason.issues.map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return `${keys.join('.')}: ${message}`;
  });
  return { reason: places.slice(0, 5).join('; ') };
}

/** A message port of Node or, with a different way to listen, of Electron's main process. */
type PagePort = Pick<MessagePort, 'addEventListener' | 'postMessage' | 'close'> | ElectronPort;

interface ElectronPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  close(): void;
}

type Socket = Pick<WebSocket, 'addEventListener' | 'send'>;

/** Longest delay of a message by the rate limit. A client that exceeds the rate for longer is disconnected. */
const WAIT_MAX_MS = 60_000;

/**
 * Adapts a port to the interface of a socket, so that both transports use one handler. In oRPC's handler for ports, a
 * malformed message ends in an unhandled rejection and with it the program; in its handler for sockets it does not.
 *
 * A port can't be paused as a socket can, so messages above the rate are queued here, in order.
 *
 *   message --within the rate--> handler
 *     |--above it--> queued --> handler
 *     +--too long, or too many queued--> the port is closed
 *
 * @param refused called with the reason when the port was closed
 */
export function socketOf(port: PagePort, refused: (reason: 'too-large' | 'too-many') => void): Socket {
  const pace = createRateLimiter();
  const waiting = new Set<NodeJS.Timeout>();
  let isOpen = true;
  const forget = (): void => {
    isOpen = false;
    for (const timer of waiting) clearTimeout(timer);
  };
  const later = (waitMs: number, act: () => void): void => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      act();
    }, waitMs);
    waiting.add(timer);
  };
  const end = (reason: 'too-large' | 'too-many'): void => {
    forget();
    port.close();
    refused(reason);
  };
  const inTurn = (data: unknown, hear: (data: unknown) => void): void => {
    if (!isOpen || !isText(data)) return;
    const waitMs = pace();
    if (data.length > MESSAGE_MAX) end('too-large');
    else if (waitMs > WAIT_MAX_MS) end('too-many');
    else if (waitMs === 0) hear(data);
    else later(waitMs, () => hear(data));
  };
  onClose(port, forget);
  return {
    send: (message: unknown) => port.postMessage(message),
    addEventListener: (type: string, listener: unknown) => {
      if (typeof listener !== 'function') return;
      if (type === 'message') onMessage(port, (data) => inTurn(data, (text) => listener({ data: text })));
      if (type === 'close') onClose(port, () => listener({}));
    },
  };
}

/** Pages send the same texts and bytes over both transports; objects of other types are not calls. */
const isText = (data: unknown): data is string | Uint8Array => typeof data === 'string' || data instanceof Uint8Array;

function onMessage(port: PagePort, receive: (data: unknown) => void): void {
  if ('addEventListener' in port) port.addEventListener('message', (event) => receive(Reflect.get(event, 'data')));
  else port.on('message', (event) => receive(event.data));
}

function onClose(port: PagePort, act: () => void): void {
  if ('addEventListener' in port) port.addEventListener('close', act);
  else port.on('close', act);
}

/**
 * Limits for messages of a page over either transport: burst, rate, and size, which is that of the longest call. A
 * page in full use sends a tenth of it.
 */
export const MESSAGES_PER_SECOND = 200;
export const BURST = 400;

/** Bytes of a socket's message, characters of a port's: one paste may set 200,000 cells. */
export const MESSAGE_MAX = 16 * 1024 ** 2;

/**
 * A leaky bucket: full at first, refilled every second, emptied by one with every message.
 *
 * @returns a function to call with each message; it returns the delay of the message in milliseconds, which grows in
 *   the order of calls; 0 for no delay
 */
export function createRateLimiter(nowMs: () => number = () => performance.now()): () => number {
  let level = BURST;
  let at = nowMs();
  return () => {
    const now = nowMs();
    level = Math.min(BURST, level + ((now - at) * MESSAGES_PER_SECOND) / 1000) - 1;
    at = now;
    return level >= 0 ? 0 : Math.ceil((-level * 1000) / MESSAGES_PER_SECOND);
  };
}
