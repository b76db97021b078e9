import { once } from 'node:events';
import { createServer, type Socket, connect as tcpConnect } from 'node:net';

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>;

/** A line to a server that a test can cut at any byte, or close. */
export async function startCuttingProxy(target: number) {
  const lines = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let cuts = 0;
  let isShut = false;
  let isSwallowing = false;
  const server = createServer((client) => {
    if (isShut) {
      client.destroy();
      return;
    }
    const upstream = tcpConnect(target, '127.0.0.1');
    const cut = (): void => {
      cuts++;
      left = Number.POSITIVE_INFINITY;
      client.destroy();
      // What has arrived is carried out.
      upstream.end();
    };
    const carry = (from: Socket, to: Socket, isAnswer: boolean): void => {
      from.on('data', (bytes) => {
        if (isAnswer && isSwallowing) {
          isSwallowing = false;
          cut();
          return;
        }
        const carried = bytes.subarray(0, left);
        left -= bytes.length;
        to.write(carried);
        if (left <= 0) cut();
      });
      from.on('error', () => to.destroy());
      from.on('close', () => to.end());
      lines.add(from);
      from.on('close', () => lines.delete(from));
    };
    carry(client, upstream, false);
    carry(upstream, client, true);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Cuts the connection that carries the byte of this number from now on, in either direction; later ones are let through. */
    cutAfter: (bytes: number) => {
      left = bytes;
    },
    /** Carries what the client says to the server, and drops what the server says from now on; then cuts. */
    swallowAnswers: () => {
      isSwallowing = true;
    },
    /** Cuts what is open, and lets nobody in until it is opened again. */
    shut: () => {
      isShut = true;
      for (const line of lines) line.destroy();
    },
    open: () => {
      isShut = false;
    },
    cuts: () => cuts,
    close: async () => {
      for (const line of lines) line.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
