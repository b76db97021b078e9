import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * The menu holds what the operating system's own menus hold. Commands of the desk, undo among them, live in the
 * page: one table of commands for both hosts.
 */
export function setMenu(newWindow: () => Promise<void>): void {
  const isMac = process.platform === 'darwin';
  Menu.setApplicationMenu(Menu.buildFromTemplate(template(isMac, app.isPackaged, newWindow)));
}

function template(isMac: boolean, isPackaged: boolean, newWindow: () => Promise<void>): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const recent: MenuItemConstructorOptions = { role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }] };
  const file: MenuItemConstructorOptions[] = [
    { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => void newWindow() },
    ...(isMac ? [recent] : []),
    { type: 'separator' },
    isMac ? { role: 'close' } : { role: 'quit' },
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: file },
    { label: 'Edit', submenu: [{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }] },
    { label: 'View', submenu: isPackaged ? view : [...view, { type: 'separator' }, { role: 'toggleDevTools' }] },
    { role: 'windowMenu' },
    { role: 'help', submenu: isMac ? [] : [{ role: 'about' }] },
  ];
}
