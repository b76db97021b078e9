import { type ClientContext, type ClientLink, type ClientOptions, createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { type BadFile, fileError, fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { Client, Connection, ConnectionState, FileGateway, FilesOut, GrantedFile } from './connection.ts';

/** Delays between attempts to reconnect, in milliseconds; the last one repeats. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000];
/** The host's close code for a refused token (RFC 6455: policy violation). */
const REFUSED = 1008;

/**
 * The page's connection to the loopback host, which reconnects on its own:
 *
 *   connecting --open--> open --close--> lost --delay--> connecting
 *        \--the host has no session of this page--> signed-out
 *
 * A call made while the connection is lost waits for the next socket. A call that was cut off fails and is never sent
 * again from here, because only the caller knows whether that is safe.
 */
export async function connectWeb(page: Window): Promise<Connection> {
  // A new start link that is opened in this tab changes its fragment alone, and so loads nothing.
  page.addEventListener('hashchange', () => codeIn(page.location) !== null && page.location.reload());
  const token = await signIn(page);
  const listeners = new Set<() => void>();
  let state: ConnectionState = token === null ? 'signed-out' : 'connecting';
  let wakeWaiting: (link: ClientLink<ClientContext>) => void = () => {};
  let link = nextLink();
  let attempts = 0;

  function nextLink(): Promise<ClientLink<ClientContext>> {
    return new Promise((resolve) => {
      wakeWaiting = resolve;
    });
  }

  function enter(next: ConnectionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function open(auth: string): void {
    const socket = new WebSocket(`${page.location.protocol === 'https:' ? 'wss' : 'ws'}://${page.location.host}/rpc`);
    socket.addEventListener('open', () => {
      // The host reads nothing before this message and closes the socket without it within two seconds.
      socket.send(JSON.stringify({ auth }));
      attempts = 0;
      wakeWaiting(new RPCLink({ websocket: socket }));
      enter('open');
    });
    socket.addEventListener('close', (event) => {
      if (state === 'open') link = nextLink();
      enter('lost');
      void reopen(auth, event.code);
    });
  }

  async function reopen(auth: string, closeCode: number): Promise<void> {
    if (closeCode === REFUSED || (await isSessionOver(page))) {
      forgetToken(page);
      enter('signed-out');
      return;
    }
    page.setTimeout(() => open(auth), PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)]);
    attempts += 1;
  }

  const healing: ClientLink<ClientContext> = {
    call: async (path: readonly string[], input: unknown, options: ClientOptions<ClientContext>) =>
      (await link).call(path, input, options),
  };
  if (token !== null) open(token);
  const client: Client = createORPCClient(healing);
  return {
    client,
    files: uploadToHost(page, token ?? ''),
    filesOut: draggedByBrowser(page),
    signOut: () => signOutEverywhere(page, token ?? ''),
    state: () => state,
    onState: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Browsers do not report why a socket was refused. A preview that does not exist shows it: without a session the host
 * responds 403, with one 404.
 */
async function isSessionOver(page: Window): Promise<boolean> {
  try {
    return (await page.fetch('/preview/none')).status === 403;
  } catch {
    return false; // The host can't be reached, so the session may still be valid.
  }
}

/**
 * Sets the address from which the browser fetches a file when it is dropped (Chromium's `DownloadURL`). The address is
 * below the host's own origin: its handle was made for this window, and the host responds only with the cookie of its
 * session.
 */
const draggedByBrowser = (page: Window): FilesOut => ({
  prepare: () => {},
  begin: ({ fileName, url, contentType }, drag) => {
    const address = new URL(url, page.location.origin);
    if (drag.dataTransfer === null || address.origin !== page.location.origin) return;
    const type = contentType.split(';')[0] ?? '';
    // The first colon ends the type, the second the name.
    drag.dataTransfer.setData('DownloadURL', `${type}:${fileName.replaceAll(':', '_')}:${address.href}`);
    drag.dataTransfer.effectAllowed = 'copy';
  },
});

const TOKEN_KEY = 'adslate.token';

/**
 * Signs the page in at the loopback host. The start link has a one-time code in its fragment (older links: in the
 * query), which is exchanged for the page's token and removed from the address bar at once.
 *
 * @returns null when there is neither a valid code nor a token of an earlier load of this tab
 */
async function signIn(page: Window): Promise<string | null> {
  const code = takeCode(page);
  if (code === null) return page.sessionStorage.getItem(TOKEN_KEY);
  const answer = await page.fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) return page.sessionStorage.getItem(TOKEN_KEY);
  const body: unknown = await answer.json();
  const token = tokenOf(body);
  if (token !== null) page.sessionStorage.setItem(TOKEN_KEY, token);
  return token;
}

/** Ends every session of the host. The closed socket then sets this page to signed out. */
async function signOutEverywhere(page: Window, token: string): Promise<boolean> {
  try {
    const answer = await page.fetch('/sign-out', { method: 'POST', headers: { 'x-adslate-token': token } });
    return answer.ok;
  } catch {
    return false; // The host can't be reached: the caller reports it.
  }
}

/** Removes a token that the host refused, so that the next load does not try it again. */
function forgetToken(page: Window): void {
  page.sessionStorage.removeItem(TOKEN_KEY);
}

function takeCode(page: Window): string | null {
  const code = codeIn(page.location);
  if (code !== null) page.history.replaceState(null, '', page.location.pathname);
  return code;
}

const codeIn = ({ hash, search }: Location): string | null =>
  new URLSearchParams(hash.slice(1)).get('code') ?? new URLSearchParams(search).get('code');

function tokenOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('token' in body)) return null;
  return typeof body.token === 'string' ? body.token : null;
}

/** Uploads a file to the loopback host's spool, which returns a grant for it. */
function uploadToHost(page: Window, token: string): FileGateway {
  return {
    grant: async (file, purpose) => {
      try {
        const kept = purpose === undefined ? '' : `&purpose=${purpose}`;
        const answer = await page.fetch(`/spool?name=${encodeURIComponent(file.name)}${kept}`, {
          method: 'PUT',
          headers: { 'x-adslate-token': token, 'content-type': 'application/octet-stream' },
          body: file,
        });
        const body: unknown = await answer.json();
        return readAnswer(body) ?? notReceived(file, `status ${answer.status}`);
      } catch (cause) {
        // Reading a file fails if it was moved or is a folder; a host that can't be reached fails the same way.
        return notReceived(file, cause instanceof Error ? cause.name : 'unreadable');
      }
    },
  };
}

const notReceived = (file: File, what: string): BadFile =>
  fileError(file.name, fileRefusal('not-received', { what })).error;

const isBadFile = (body: object): body is BadFile => 'code' in body && body.code === 'BAD_FILE' && 'data' in body;

function readAnswer(body: unknown): GrantedFile | BadFile | null {
  if (typeof body !== 'object' || body === null) return null;
  if (isBadFile(body)) return body;
  if (!('grant' in body && 'fileName' in body && 'bytes' in body)) return null;
  const { grant, fileName, bytes } = body;
  if (typeof grant !== 'string' || typeof fileName !== 'string' || typeof bytes !== 'number') return null;
  return { grant, fileName, bytes };
}
