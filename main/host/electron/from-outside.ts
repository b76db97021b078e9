import { app, type BrowserWindow, Menu } from 'electron';
import { WindowMenu as Shape, type WindowMenu } from '../../../shared/contract/window-menu.ts';
import type { Core } from '../../core.ts';
import type { Log } from '../../log.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { type OpenRequest, type ArrivalPorts, LINK_SCHEME, handleOpenRequest, setJumpList } from './arrivals.ts';
import { createRecentFiles, type MenuPorts, menuTemplate } from './menu-template.ts';
import { showFileError } from './questions.ts';
import { onPageMessage } from './sender.ts';
import type { WindowFactory } from './window.ts';

interface FromOutsideDeps {
  readonly core: Core;
  readonly accounts: Dispatch['client']['accounts'];
  readonly windows: WindowFactory;
  readonly dataDir: string;
  readonly log: Log;
}

/**
 * Whatever reaches the windows from outside them: the system's menu, the tasks of the program's symbol, files that were
 * opened lately, and links of our scheme.
 *
 * @returns shows what arrives by another way, such as the words of a start
 */
export function connectExternalEvents({ core, accounts: listed, windows, dataDir, log }: FromOutsideDeps) {
  const accounts = async (): Promise<readonly string[]> => (await listed.list()).map(({ workspaceId }) => workspaceId);
  const recent = createRecentFiles(dataDir, log);
  const menu = createMenu({
    windows,
    recent: recent.list,
    newWindow: () => void accounts().then(windows.another),
    openRecent: (path) => void handleOpenRequest({ kind: 'file', path }, ports),
    clearRecent: () => {
      recent.clear();
      menu.refresh();
    },
  });
  const ports: ArrivalPorts = {
    windows,
    knows: async (workspaceId) => (await accounts()).includes(workspaceId),
    grants: core.grants,
    tell: core.events.publish,
    begin: (task, page) => menu.run(page, task),
    remember: (path) => {
      app.addRecentDocument(path);
      recent.add(path);
      menu.refresh();
    },
    unreadable: showFileError,
    log,
  };
  setJumpList(
    {
      platform: process.platform,
      setUserTasks: (tasks) => app.setUserTasks([...tasks]),
      setDockMenu: (entries) => app.dock?.setMenu(Menu.buildFromTemplate([...entries])),
      run: (task) => void handleOpenRequest({ kind: 'task', task }, ports),
    },
    process.execPath,
  );
  // The two dashes keep Chromium from reading switches out of a link.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  return (arrival: OpenRequest): Promise<void> => handleOpenRequest(arrival, ports);
}

/**
 * The system's menu. Commands and their names are the page's own: one table for both hosts, for palette, toolbar and menu.
 * The menu shows those of the window in front, and what is chosen there is told to that window.
 *
 *   page --its menu--> here --window comes to the front--> the system's menu --chosen--> page runs it, if it may
 */
interface AppMenu {
  /** Has a page run one of its commands; when the page is still loading, once it has said which it has. */
  run(page: number, command: string): void;
  /** Draws the menu anew, as when the list of recent files has changed. */
  refresh(): void;
}

const MENU = 'adslate:menu';
const COMMAND = 'adslate:command';

interface AppMenuPorts extends Pick<MenuPorts, 'newWindow' | 'openRecent' | 'clearRecent'> {
  readonly windows: WindowFactory;
  readonly recent: () => MenuPorts['recent'];
}

function createMenu(ports: AppMenuPorts): AppMenu {
  const { windows } = ports;
  const menus = new Map<number, WindowMenu>();
  const waiting = new Map<number, string>();
  const inFront = (): BrowserWindow | undefined => windows.all().find((window) => window.isFocused());
  const send = (page: number, command: string): void =>
    windows
      .all()
      .find(({ webContents }) => webContents.id === page)
      ?.webContents.send(COMMAND, command);

  const refresh = (): void => {
    const front = inFront() ?? windows.all().at(-1);
    const page = front?.webContents.id;
    const template = menuTemplate({
      ...ports,
      isMac: process.platform === 'darwin',
      isPackaged: app.isPackaged,
      menu: page === undefined ? null : (menus.get(page) ?? null),
      recent: ports.recent(),
      run: (command) => {
        if (page !== undefined) send(page, command);
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };

  onPageMessage(MENU, Shape, windows, (menu, { sender }) => {
    const isNew = !menus.has(sender.id);
    menus.set(sender.id, menu);
    if (isNew) sender.once('destroyed', () => menus.delete(sender.id));
    refresh();
    const command = waiting.get(sender.id);
    waiting.delete(sender.id);
    if (command !== undefined) send(sender.id, command);
  });
  app.on('browser-window-focus', refresh);
  refresh();
  return {
    refresh,
    run: (page, command) => {
      if (menus.has(page)) send(page, command);
      else waiting.set(page, command);
    },
  };
}
