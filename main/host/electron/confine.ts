import { app, session, shell, type WebContents } from 'electron';
import type { Log } from '../../log.ts';
import { externalLink, mayLoad } from './address.ts';
import { denyPermissions } from './permissions.ts';
import { askToOpenLink } from './questions.ts';

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
  if (link !== null && (await askToOpenLink(link))) await shell.openExternal(link.url);
}
