import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to PostgreSQL that can be cut for one login, as the network of one computer is. */
export interface TeamLine {
  readonly port: number;
  /** Cuts it for logins that begin so. */
  cut(login: string): void;
  mend(): void;
  close(): void;
}

export async function aTeamLine(port: number): Promise<TeamLine> {
  const open = new Map<Socket, string>();
  let cut: string | null = null;
  const isCut = (login: string): boolean => cut !== null && login.startsWith(cut);
  const server = createServer((from) => {
    from.on('error', () => {});
    // The first message of the protocol names the login in plain text.
    from.once('data', (first: Buffer) => {
      const login = /\0user\0([^\0]+)\0/.exec(first.toString('latin1'))?.[1] ?? '';
      if (isCut(login)) return from.destroy();
      open.set(from, login);
      const to = connect(port, '127.0.0.1');
      to.on('error', () => from.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      to.on('close', () => from.destroy());
      to.write(first);
      from.pipe(to).pipe(from);
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: (login) => {
      cut = login;
      for (const [socket, of] of open) if (isCut(of)) socket.destroy();
    },
    mend: () => {
      cut = null;
    },
    close: () => {
      for (const socket of open.keys()) socket.destroy();
      server.close();
    },
  };
}
