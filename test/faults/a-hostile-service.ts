import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { startSandbox } from '../../sandbox/start.ts';

/** What a caller gets in place of the true answer; `cut` ends the connection. */
export type Reply =
  | 'cut'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
      /** Ends the connection behind the body, however long it was said to be. */
      readonly cutShort?: boolean;
    };

export interface Meeting {
  readonly method: string;
  readonly path: string;
  /** Hands the request to the real service, perhaps with another body, and tells its answer. */
  forward(change?: (body: string) => string): Promise<{ readonly status: number; readonly text: string }>;
}

/** Whether a request is this one, such as `GET adItems`; what is not of the first version is named by its whole path. */
export const isCall = ({ method, path }: Meeting, wanted: string): boolean =>
  `${method} ${path.replace('/api/v1/', '')}` === wanted;

/** @returns null to let the request pass */
type Hostility = (meeting: Meeting) => Promise<Reply | null>;

export type HostileService = Awaited<ReturnType<typeof startHostileService>>;

/** The practice service behind something that may answer in its stead, and a place that nobody should come to. */
export async function startHostileService() {
  const sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  const strangers: IncomingMessage['headers'][] = [];
  let hostility: Hostility | null = null;
  const away = createServer((request, response) => {
    strangers.push(request.headers);
    response.writeHead(200).end('[]');
  });
  const front = createServer((request, response) => {
    void readAll(request).then((body) => answer(request, response, body));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> => {
    const url = request.url ?? '/';
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
    ) as Record<string, string>;
    const method = request.method ?? 'GET';
    const forward: Meeting['forward'] = async (change) => {
      const real = await fetch(sandbox.ready.baseUrl + url, {
        method,
        headers,
        ...(body.byteLength === 0 ? {} : { body: change?.(body.toString('utf8')) ?? new Uint8Array(body) }),
      });
      return { status: real.status, text: await real.text() };
    };
    const path = url.split('?')[0] ?? '';
    const reply = hostility === null ? null : await hostility({ method, path, forward });
    if (reply === 'cut') response.destroy();
    else if (reply === null) {
      const { status, text } = await forward();
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    } else {
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      if (reply.cutShort !== true) response.end(reply.body ?? '');
      else response.write(reply.body ?? '', () => response.destroy());
    }
  };
  const meet = (next: Hostility | null): void => {
    hostility = next;
  };
  const meetText = (call: string, change: (text: string) => string): void =>
    meet(async (meeting) => {
      if (!isCall(meeting, call)) return null;
      const { status, text } = await meeting.forward();
      return { status, body: change(text) };
    });
  const [frontPort, awayPort] = [await listen(front), await listen(away)];
  const baseUrl = `http://127.0.0.1:${frontPort}`;
  return {
    sandbox,
    /** The same with the address of what stands in front. */
    front: { ...sandbox, ready: { ...sandbox.ready, baseUrl } },
    /** Address of the place that should stay empty. */
    elsewhere: `http://127.0.0.1:${awayPort}/elsewhere`,
    /** Who came there, with their headers. */
    strangers,
    meet,
    /** Answers this call with what is made of the true answer. */
    meetText,
    /** The same with what its JSON says. */
    meetJson: <T>(call: string, change: (value: T) => unknown): void =>
      meetText(call, (text) => JSON.stringify(change(JSON.parse(text)))),
    close: async () => {
      for (const server of [front, away]) {
        server.closeAllConnections();
        server.close();
      }
      await sandbox.close();
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const listen = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
