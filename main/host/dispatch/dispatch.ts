import { createRouterClient, ORPCError, onError } from '@orpc/server';
import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { RPCHandler as SocketHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { CoreRouter } from '../../core.ts';
import type { Log } from '../../log.ts';

/**
 * The one dispatch behind every host: the same router over a WebSocket, a MessagePort or a direct call. What
 * crosses is a result or a declared error (code and data). Anything unexpected is written to the log and reaches
 * the caller as INTERNAL_SERVER_ERROR, without message or stack.
 */
export interface Dispatch {
  serveSocket(socket: WebSocket): void;
  servePort(port: Parameters<PortHandler<Record<never, never>>['upgrade']>[0]): void;
  readonly client: ReturnType<typeof directClient>;
}

const directClient = (router: CoreRouter) => createRouterClient(router);

export function createDispatch(router: CoreRouter, log: Log): Dispatch {
  const sockets = new SocketHandler(router, { clientInterceptors: [onError((error) => report(error, log))] });
  const ports = new PortHandler(router, { clientInterceptors: [onError((error) => report(error, log))] });
  return {
    serveSocket: (socket) => void sockets.upgrade(socket),
    servePort: (port) => ports.upgrade(port),
    client: directClient(router),
  };
}

/** Declared errors are answers; only what nobody declared is worth a line in the log. */
function report(error: unknown, log: Log): void {
  if (error instanceof ORPCError && error.defined) return;
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    log('request refused', { code: error.code });
    return;
  }
  if (error instanceof Error && error.name === 'AbortError') return;
  log('unexpected failure', { error: error instanceof Error ? `${error.name}: ${error.message}` : 'not an error' });
}
