import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { WindowMenu } from '../../../shared/api/app.ts';
import type { Client, Connection, FileGateway, FilesOut, WindowPlace } from './connection.ts';
import { connectWeb } from './web.ts';

/** Connects the window to main through whichever host opened it. */
export function connect(page: Window): Promise<Connection> {
  const files = electronFiles(page);
  return files === null ? connectWeb(page) : connectElectron(page, files);
}

const READY = 'adslate:ready';
const PORT = 'adslate:port';
const COMMAND = 'adslate:command';

interface ElectronFiles extends FileGateway {
  /** Makes main prepare a file for a drag, by its preview handle. */
  lift(handle: string): void;
  drag(handle: string): void;
  readonly chooseFolder: () => Promise<{ readonly grant: string } | null>;
}

/** The API of the preload; null outside Electron. */
function electronFiles(page: Window): ElectronFiles | null {
  const offered: unknown = Reflect.get(page, 'adslateFiles');
  return isElectronFiles(offered) ? offered : null;
}

function isElectronFiles(value: unknown): value is ElectronFiles {
  if (typeof value !== 'object' || value === null) return false;
  return ['grant', 'chooseFolder', 'lift', 'drag'].every((name) => typeof Reflect.get(value, name) === 'function');
}

/**
 * Asks the preload for this window's one port and uses oRPC over it.
 *
 *   page --'adslate:ready'--> preload --'adslate:port' + port--> page
 *
 * Only messages from this window itself count: the preload posts to its own page, and no other frame may supply a port.
 */
async function connectElectron(page: Window, files: ElectronFiles): Promise<Connection> {
  const port = await new Promise<MessagePort>((resolve) => {
    const receive = (event: MessageEvent<unknown>): void => {
      const offered = event.ports[0];
      if (event.source !== page || event.data !== PORT || offered === undefined) return;
      page.removeEventListener('message', receive);
      resolve(offered);
    };
    page.addEventListener('message', receive);
    page.postMessage(READY, page.location.origin);
  });
  const client: Client = createORPCClient(new RPCLink({ port }));
  port.start();
  return {
    client,
    files,
    filesOut: draggedByMain(files),
    place: placeOf(page),
    state: () => 'open',
    onState: () => () => {},
  };
}

interface MenuDoor {
  show(menu: WindowMenu): void;
}

const isMenuDoor = (value: unknown): value is MenuDoor =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'show') === 'function';

function zoomOf(page: Window): WindowPlace['zoom'] {
  const door: unknown = Reflect.get(page, 'adslateZoom');
  return isZoomDoor(door) ? door : null;
}

const isZoomDoor = (value: unknown): value is NonNullable<WindowPlace['zoom']> =>
  typeof value === 'object' &&
  value !== null &&
  ['percent', 'set'].every((name) => typeof Reflect.get(value, name) === 'function');

function commandIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || Reflect.get(data, 'type') !== COMMAND) return null;
  const command: unknown = Reflect.get(data, 'command');
  return typeof command === 'string' ? command : null;
}

/** The page's own drag is canceled: main starts a drag of the system with a real file. */
const draggedByMain = (files: ElectronFiles): FilesOut => ({
  prepare: ({ url }) => files.lift(handleIn(url)),
  begin: ({ url }, drag) => {
    drag.preventDefault();
    files.drag(handleIn(url));
  },
});

const handleIn = (url: string): string => url.split('/').at(-1) ?? '';

/** The host reads the account of a window from its address; the page writes it there when it opens one. */
const placeOf = (page: Window): WindowPlace => ({
  account: page.location.hash.slice(1) || null,
  isPlain: new URLSearchParams(page.location.search).has('plain'),
  showing: (workspaceId) => {
    const { pathname, search } = page.location;
    page.history.replaceState(null, '', `${pathname}${search}${workspaceId === null ? '' : `#${workspaceId}`}`);
  },
  showMenu: (menu) => {
    const door: unknown = Reflect.get(page, 'adslateMenu');
    if (isMenuDoor(door)) door.show(menu);
  },
  onCommand: (listener) => {
    const receive = ({ source, data }: MessageEvent<unknown>): void => {
      const id = commandIn(data);
      if (source === page && id !== null) listener(id);
    };
    page.addEventListener('message', receive);
    return () => page.removeEventListener('message', receive);
  },
  zoom: zoomOf(page),
});
