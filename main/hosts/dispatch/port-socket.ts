import type { MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { createRateLimiter, MESSAGE_MAX } from './rate-limiter.ts';

/** A message port of Node or, with a different way to listen, of Electron's main process. */
export type PagePort = Pick<MessagePort, 'addEventListener' | 'postMessage' | 'close'> | ElectronPort;

interface ElectronPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  close(): void;
}

type Socket = Pick<WebSocket, 'addEventListener' | 'send'>;

/** Longest wait of a message for its turn: whoever sends on and on beyond it is no desk. */
const WAIT_MAX_MS = 60_000;

/**
 * Makes a port look like a socket, so that both transports run through one handler. oRPC's handler for ports lets a
 * malformed message end in an unhandled rejection, and with it the program; its handler for sockets does not.
 *
 * A port cannot be paused as a socket can, so a message that comes too soon waits here, in its order.
 *
 *   message --in pace--> handler
 *     |--too soon--> waits --> handler
 *     +--too long, or too many wait--> the port is closed
 *
 * @param refused told why the port was closed
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

/** A page speaks in the same texts and bytes over both transports; objects of other kinds are no calls. */
const isText = (data: unknown): data is string | Uint8Array => typeof data === 'string' || data instanceof Uint8Array;

function onMessage(port: PagePort, receive: (data: unknown) => void): void {
  if ('addEventListener' in port) port.addEventListener('message', (event) => receive(Reflect.get(event, 'data')));
  else port.on('message', (event) => receive(event.data));
}

function onClose(port: PagePort, act: () => void): void {
  if ('addEventListener' in port) port.addEventListener('close', act);
  else port.on('close', act);
}
