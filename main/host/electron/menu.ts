import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * The menu holds what the operating system's own menus hold. Commands of the desk, undo among them, live in the
 * page: one table of commands for both hosts.
 */
export function setMenu(): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(template(process.platform === 'darwin', app.isPackaged)));
}

export function template(isMac: boolean, isPackaged: boolean): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: [isMac ? { role: 'close' } : { role: 'quit' }] },
    { label: 'Edit', submenu: [{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }] },
    { label: 'View', submenu: isPackaged ? view : [...view, { type: 'separator' }, { role: 'toggleDevTools' }] },
    { role: 'windowMenu' },
    { role: 'help', submenu: isMac ? [] : [{ role: 'about' }] },
  ];
}
