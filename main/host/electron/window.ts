import { app, BrowserWindow, dialog, nativeTheme, screen, session, shell, type WebContents } from 'electron';
import type { Log } from '../../log.ts';
import { externalLink, mayLoad, PAGE_URL } from './address.ts';
import { denyPermissions } from './permissions.ts';
import type { Windows } from './sender.ts';
import type { windowPlaces } from './window-place.ts';
import { windowOptions } from './window-settings.ts';

/** The only maker of windows. */
export interface WindowFactory extends Windows {
  /** The open window, for signs on the program's symbol. */
  current(): BrowserWindow | null;
  /** Opens the window, or brings the one that is open to the front. Resolves when the page is there. */
  show(): Promise<void>;
}

export function createWindows(preload: string, log: Log, places: ReturnType<typeof windowPlaces>): WindowFactory {
  const open = new Map<number, BrowserWindow>();
  return {
    has: (webContentsId) => open.has(webContentsId),
    current: () => [...open.values()][0] ?? null,
    show: async () => {
      const known = [...open.values()][0];
      if (known !== undefined) {
        if (known.isMinimized()) known.restore();
        known.focus();
        return;
      }
      const place = places.read(screen.getAllDisplays().map(({ workArea }) => workArea));
      const window = new BrowserWindow(windowOptions(preload, nativeTheme.shouldUseDarkColors, place));
      if (place?.maximized === true) window.maximize();
      const { id } = window.webContents;
      open.set(id, window);
      window.once('closed', () => open.delete(id));
      window.on('close', () => places.write({ ...window.getNormalBounds(), maximized: window.isMaximized() }));
      window.once('ready-to-show', () => window.show());
      window.webContents.on('render-process-gone', (_event, { reason }) => {
        log('window failed', { reason });
        if (reason !== 'clean-exit' && !window.isDestroyed()) window.webContents.reload();
      });
      await window.loadURL(PAGE_URL);
    },
  };
}

/** Refuses whatever a page could do beyond being our page. Called once, before the first window. */
export function refuseTheRest(log: Log): void {
  const ours = session.defaultSession;
  denyPermissions(ours);
  ours.webRequest.onBeforeRequest((request, decide) => {
    const cancel = !mayLoad(request.url, app.isPackaged);
    if (cancel) log('request refused', { reason: 'address' });
    decide({ cancel });
  });
  app.on('web-contents-created', (_event, contents) => confine(contents));
}

function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void offerLink(url);
    return { action: 'deny' };
  });
}

/** A link leaves for the system's browser only after the user has read where it goes. */
async function offerLink(address: string): Promise<void> {
  const link = externalLink(address);
  if (link === null) return;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: `Open ${link.host} in your browser?`,
    detail: link.url.slice(0, 500),
    buttons: ['Cancel', 'Open'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) await shell.openExternal(link.url);
}
