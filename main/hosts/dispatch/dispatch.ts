import { createRouterClient, ORPCError, onError, type RouterClient } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { Log } from '../../app/log.ts';
import type { CoreRouter } from '../../service/router.ts';
import { type PagePort, socketOf } from './port-socket.ts';

/**
 * The one dispatch behind every host: the same router over a WebSocket, a MessagePort or a direct call. What
 * crosses is a result or a declared error (code and data). Anything unexpected is written to the log and reaches
 * the caller as INTERNAL_SERVER_ERROR, without message or stack.
 */
export interface Dispatch {
  /** Answers a socket whose other end has been proven already. */
  serveSocket(socket: WebSocket): void;
  /** The same over a port. The caller starts the port. `page` says which page calls, for events that are for one page. */
  servePort(port: PagePort, page?: number): void;
  readonly client: RouterClient<CoreRouter>;
}

export function createDispatch(router: CoreRouter, log: Log): Dispatch {
  const handler = new RPCHandler(router, {
    clientInterceptors: [onError((error, { path }) => report(error, path.join('.'), log))],
  });
  return {
    serveSocket: (socket) => void handler.upgrade(socket),
    servePort: (port, page) => {
      const socket = socketOf(port, (reason) => log('page cut off', { reason }));
      void handler.upgrade(socket, { context: page === undefined ? {} : { page } });
    },
    client: createRouterClient(router),
  };
}

/** Declared errors are answers; only what nobody declared is worth a line in the log. */
function report(error: unknown, operation: string, log: Log): void {
  if (error instanceof ORPCError && error.defined) return;
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    log('call refused', { operation, code: error.code });
    return;
  }
  if (error instanceof Error && error.name === 'AbortError') return;
  // The check of an answer wraps what was wrong with it, and the cause is what helps.
  const reason = error instanceof ORPCError && error.cause !== undefined ? error.cause : error;
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : 'not an error';
  log('unexpected failure', { operation, error: text });
}
