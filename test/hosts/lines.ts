import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { type ContractRouterClient, isContractProcedure } from '@orpc/contract';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { type Contract, contract } from '../../shared/api/contract.ts';
import { type Door, signedIn, type WebHost } from './a-web-host.ts';

export type Client = ContractRouterClient<Contract>;
export type LineName = 'WebSocket' | 'MessagePort' | 'direct call';
export const LINE_NAMES: readonly LineName[] = ['WebSocket', 'MessagePort', 'direct call'];

/** One way from a caller to the dispatch, as a page or the command line uses it. */
export interface Line {
  readonly client: Client;
  close(): Promise<void>;
}

/** The two proofs of a page that has signed in; a line without them signs in by itself. */
type Page = Awaited<ReturnType<typeof signedIn>>;

/** The three ways in: the web host's socket, Electron's port (Node's own ports here), a direct call. */
export const openLine: Readonly<Record<LineName, (host: WebHost, page?: Page) => Promise<Line>>> = {
  WebSocket: async (host, page) => {
    return openSocketLine(host, page ?? (await signedIn(host)));
  },
  MessagePort: async (host) => {
    const { port1, port2 } = new MessageChannel();
    createDispatch(host.core.router, () => {}).servePort(port2);
    port2.start();
    const client: Client = createORPCClient(new PortLink({ port: port1 }));
    port1.start();
    return {
      client,
      close: async () => {
        port1.close();
        await once(port2, 'close');
      },
    };
  },
  'direct call': async (host) => ({
    client: createDispatch(host.core.router, () => {}).client,
    close: async () => {},
  }),
};

/** The line of a page that has signed in, to a host in this process or in one of its own. */
export async function openSocketLine(host: Door, page: Page): Promise<Line> {
  const socket = await openSocket(host, page);
  const client: Client = createORPCClient(new SocketLink({ websocket: socket }));
  return { client, close: () => closed(socket) };
}

/** A socket of a page that has signed in. */
async function openSocket(host: Door, { cookie, token }: Page): Promise<WebSocket> {
  const { port } = host.server;
  // Node's socket takes headers where a browser's takes protocols; the types know the browser's only.
  const headers = { cookie, origin: `http://127.0.0.1:${port}` };
  const socket: WebSocket = Reflect.construct(WebSocket, [`ws://127.0.0.1:${port}/rpc`, { headers }]);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', () => reject(new Error('The host refused the socket.')));
  });
  socket.send(JSON.stringify({ auth: token }));
  return socket;
}

function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.addEventListener('close', () => resolve());
    socket.close();
  });
}

/** What came back over a line: an answer, or an error as it crossed. */
export type Outcome =
  | { readonly answer: unknown }
  | { readonly code: string; readonly data: unknown; readonly declared: boolean; readonly text: string };

/** Calls the operation at a dotted path of the contract, as code without types would. */
export async function callAt(client: Client, path: string, input: unknown): Promise<Outcome> {
  let operation: unknown = client;
  for (const name of path.split('.')) operation = Reflect.get(Object(operation), name);
  if (typeof operation !== 'function') throw new Error(`${path} is no operation.`);
  try {
    return { answer: await operation(input) };
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    return { code: error.code, data: error.data, declared: error.defined, text: JSON.stringify(error.toJSON()) };
  }
}

/** A result, or an error that the operation declares or that every one has; never a defect. */
export const isFair = (outcome: Outcome): boolean =>
  'answer' in outcome || outcome.declared || outcome.code === 'BAD_REQUEST';

/** The dotted paths of every operation of the contract. */
export function operations(node: unknown = contract, path: readonly string[] = []): readonly string[] {
  if (isContractProcedure(node)) return [path.join('.')];
  return Object.entries(Object(node)).flatMap(([name, inner]) => operations(inner, [...path, name]));
}

/** The form of a value: names and types without the values, so that ids and times may differ. */
export function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [formOf(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(inner)]));
}
