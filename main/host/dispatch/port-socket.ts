import type { MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';

/** A message port of Node or, with a different way to listen, of Electron's main process. */
export type PagePort = Pick<MessagePort, 'addEventListener' | 'postMessage'> | ElectronPort;

interface ElectronPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
}

type Socket = Pick<WebSocket, 'addEventListener' | 'send'>;

/**
 * Makes a port look like a socket, so that both transports run through one handler. oRPC's handler for ports lets a
 * malformed message end in an unhandled rejection, and with it the program; its handler for sockets does not.
 */
export function socketOf(port: PagePort): Socket {
  return {
    send: (message: unknown) => port.postMessage(message),
    addEventListener: (type: string, listener: unknown) => {
      if (typeof listener !== 'function') return;
      if (type === 'message') onMessage(port, (data) => isText(data) && listener({ data }));
      if (type === 'close') onClose(port, () => listener({}));
    },
  };
}

/** A page speaks in the same texts and bytes over both transports; objects of other kinds are no calls. */
const isText = (data: unknown): boolean => typeof data === 'string' || data instanceof Uint8Array;

function onMessage(port: PagePort, receive: (data: unknown) => void): void {
  if ('addEventListener' in port) port.addEventListener('message', (event) => receive(Reflect.get(event, 'data')));
  else port.on('message', (event) => receive(event.data));
}

function onClose(port: PagePort, act: () => void): void {
  if ('addEventListener' in port) port.addEventListener('close', act);
  else port.on('close', act);
}
