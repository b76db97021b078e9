import { app, type Session, session, shell, type WebContents } from 'electron';
import type { Log } from '../../app/log.ts';
import { askToOpenLink, tellLinkNotOpened } from './native-dialogs.ts';
import { externalLink, isAllowedUrl, isOwnPage } from './page-url.ts';

/** Denies a page everything that ours does not need. Called once, before the first window. */
export function restrictPage(log: Log): void {
  const ours = session.defaultSession;
  denyPermissions(ours);
  ours.webRequest.onBeforeRequest((request, decide) => {
    const cancel = !isAllowedUrl(request.url, app.isPackaged);
    if (cancel) log('request refused', { reason: 'address' });
    decide({ cancel });
  });
  const offer = linkOffers(log);
  app.on('web-contents-created', (_event, contents) => confine(contents, offer));
}

function confine(contents: WebContents, offer: (address: string) => Promise<void>): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void offer(url);
    return { action: 'deny' };
  });
}

/**
 * Opens a link in the system's browser after the user has confirmed its URL. One dialog at a time: a page that opens
 * many would cover the screen until a click hits the wrong one.
 */
function linkOffers(log: Log): (address: string) => Promise<void> {
  let isAsking = false;
  return async (address) => {
    const link = externalLink(address);
    if (link === null || isAsking) return;
    isAsking = true;
    try {
      if (await askToOpenLink(link)) await open(link.url, log);
    } finally {
      isAsking = false;
    }
  };
}

/** A system without a browser, or whose browser does not start, is not a failure of the program. */
async function open(url: string, log: Log): Promise<void> {
  try {
    await shell.openExternal(url);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    log('link not opened', { reason: 'browser' });
    await tellLinkNotOpened(url);
  }
}

/** The only permission of a page: to write text to the clipboard. */
const ALLOWED = 'clipboard-sanitized-write';

const mayHave = (permission: string, address: string): boolean => permission === ALLOWED && isOwnPage(address);

/** Electron grants permissions without a handler, so all three handlers are set. */
function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(details.isMainFrame && mayHave(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((contents, permission, origin) => {
    // Inside a frame the given origin has been wrong before; the URL of the page must match too.
    return mayHave(permission, origin) && (contents === null || isOwnPage(contents.getURL()));
  });
  session.setDevicePermissionHandler(() => false);
}
