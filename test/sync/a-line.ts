import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { RunningSandbox } from '../../sandbox/start.ts';

/** The network between an account and its practice service, which can be cut and mended. */
export async function openLine(sandbox: RunningSandbox) {
  const target = new URL(sandbox.ready.baseUrl);
  const sockets = new Set<Socket>();
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((near) => {
      const far = dial(Number(target.port), target.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.pipe(other);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;
  /** From now on connections are refused; those that are open end. */
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  const baseUrl = sandbox.ready.baseUrl.replace(target.host, `127.0.0.1:${port}`);
  return {
    /** The service as it is reached over this line. */
    sandbox: {
      ...sandbox,
      ready: { ...sandbox.ready, baseUrl },
      close: async () => {
        await cut();
        await sandbox.close();
      },
    },
    cut,
    mend: async () => {
      server = await listen(port);
    },
  };
}
