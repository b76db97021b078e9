import { app, Menu } from 'electron';
import type { Core } from '../../core.ts';
import type { Log } from '../../log.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import { type Arrival, type ArrivalPorts, receive } from './arrivals.ts';
import { LINK_SCHEME } from './deep-link.ts';
import { createMenu } from './menu.ts';
import { tellUnreadable } from './questions.ts';
import { createRecentFiles } from './recent-files.ts';
import { showTasks } from './tasks.ts';
import type { WindowFactory } from './window.ts';

export interface FromOutsideDeps {
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
export function fromOutside({ core, accounts: listed, windows, dataDir, log }: FromOutsideDeps) {
  const accounts = async (): Promise<readonly string[]> => (await listed.list()).map(({ workspaceId }) => workspaceId);
  const recent = createRecentFiles(dataDir, log);
  const menu = createMenu({
    windows,
    recent: recent.list,
    newWindow: () => void accounts().then(windows.another),
    openRecent: (path) => void receive({ kind: 'file', path }, ports),
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
    unreadable: tellUnreadable,
    log,
  };
  showTasks(
    {
      platform: process.platform,
      setUserTasks: (tasks) => app.setUserTasks([...tasks]),
      setDockMenu: (entries) => app.dock?.setMenu(Menu.buildFromTemplate([...entries])),
      run: (task) => void receive({ kind: 'task', task }, ports),
    },
    process.execPath,
  );
  // The two dashes keep Chromium from reading switches out of a link.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  return (arrival: Arrival): Promise<void> => receive(arrival, ports);
}
