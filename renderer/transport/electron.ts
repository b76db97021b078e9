import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { Client, Connection, WindowPlace } from './connection.ts';
import type { FileGateway } from './files.ts';

const READY = 'adslate:ready';
const PORT = 'adslate:port';

/** The file grants that the preload puts on the page; null outside Electron. */
export function electronFiles(page: Window): FileGateway | null {
  const offered: unknown = Reflect.get(page, 'adslateFiles');
  return isFileGateway(offered) ? offered : null;
}

function isFileGateway(value: unknown): value is FileGateway {
  return typeof value === 'object' && value !== null && 'grant' in value && typeof value.grant === 'function';
}

/**
 * Asks the preload for this window's one port and speaks oRPC over it.
 *
 *   page --'adslate:ready'--> preload --'adslate:port' + port--> page
 *
 * Only messages of this very window count: the preload posts to its own page, nobody else may hand in a port.
 */
export async function connectElectron(page: Window, files: FileGateway): Promise<Connection> {
  const port = await new Promise<MessagePort>((resolve) => {
    const receive = (event: MessageEvent<unknown>): void => {
      const offered = event.ports[0];
      if (event.source !== page || event.data !== PORT || offered === undefined) return;
      page.removeEventListener('message', receive);
      resolve(offered);
    };
    page.addEventListener('message', receive);
    page.postMessage(READY, '*');
  });
  const client: Client = createORPCClient(new RPCLink({ port }));
  port.start();
  return { client, files, place: placeOf(page), state: () => 'open', onState: () => () => {} };
}

/** The host reads the account of a window in its address, and writes it there when it opens one. */
const placeOf = (page: Window): WindowPlace => ({
  account: page.location.hash.slice(1) || null,
  isPlain: new URLSearchParams(page.location.search).has('plain'),
  showing: (workspaceId) => {
    const { pathname, search } = page.location;
    page.history.replaceState(null, '', `${pathname}${search}${workspaceId === null ? '' : `#${workspaceId}`}`);
  },
});
