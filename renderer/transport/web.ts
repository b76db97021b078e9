import { type ClientContext, type ClientLink, type ClientOptions, createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { Client, Connection, ConnectionState } from './connection.ts';
import { draggedByBrowser } from './drag-by-browser.ts';
import { forgetToken, signIn, signOutEverywhere } from './session.ts';
import { uploadToHost } from './spool.ts';

/** Pauses between attempts to reach the host again, in milliseconds; the last one repeats. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000];
/** The host's close code for a token it does not take (RFC 6455: policy violation). */
const REFUSED = 1008;

/**
 * The page's line to the loopback host, which heals itself:
 *
 *   connecting --open--> open --close--> lost --pause--> connecting
 *        \--the host knows no session of this page--> signed-out
 *
 * A call made while the line is down waits for the next socket; a call cut off on its way fails and is never
 * sent again from here, because only the caller knows whether that would be safe.
 */
export async function connectWeb(page: Window): Promise<Connection> {
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
      // The host reads nothing before this message and hangs up without it (within two seconds).
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
 * Browsers do not tell a page why its socket was refused. A preview that cannot exist does: without a session
 * the host answers 403, with one 404.
 */
async function isSessionOver(page: Window): Promise<boolean> {
  try {
    return (await page.fetch('/preview/none')).status === 403;
  } catch {
    return false; // The host is away, which says nothing about the session.
  }
}
