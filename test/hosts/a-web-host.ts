import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { LogFields } from '../../main/app/log.ts';
import type { Threads } from '../../main/core/core-options.ts';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { startWebServer } from '../../main/hosts/web/server.ts';
import { startCore } from '../core/a-core.ts';
import { copyAccount } from '../prepared-account.ts';
import { HERE } from '../store/without-threads.ts';

export type WebHost = Awaited<ReturnType<typeof aWebHost>>;

const CODE_MS = 60_000;
export const PAGE = '<!doctype html><title>desk</title>';

/** Of one that has the practice account "Shop" already: adding one starts its service a time more. */
export const aHostOfShop = (threads?: WebHostStart['threads']): Promise<WebHost> =>
  aWebHost({ fill: copyAccount, threads });

interface WebHostStart {
  readonly clock?: Clock;
  /** Puts into the data folder what the host is to find there. */
  readonly fill?: (dataDir: string) => void;
  /** `THREADS` for suites about what several threads do at once. */
  readonly threads?: Threads | undefined;
}

/** The loopback host on a data folder of its own, with a page of one line. */
export async function aWebHost({ clock = systemClock, fill, threads = HERE }: WebHostStart = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'adslate-web-'));
  fill?.(dataDir);
  const logged: { event: string; fields: LogFields }[] = [];
  let locks = 0;
  const log = (event: string, fields: LogFields = {}) => void logged.push({ event, fields });
  const core = await startCore(dataDir, { clock, threads });
  const dispatch = createDispatch(core.router, log);
  const served: WebSocket[] = [];
  const page = { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(PAGE) };
  const server = await startWebServer({
    port: 0,
    core,
    dispatch: {
      ...dispatch,
      serveSocket: (socket) => {
        served.push(socket);
        dispatch.serveSocket(socket);
      },
    },
    files: new Map([
      ['/', page],
      ['/index.html', page],
    ]),
    clock,
    log,
    onLock: () => {
      locks += 1;
    },
    onSignedOut: () => {},
  });
  return {
    dataDir,
    server,
    core,
    /** What was logged, in order. */
    logged,
    /** The host's end of every socket that has signed in. */
    served,
    /** How often signing in was locked. */
    locks: () => locks,
    /** A fresh one-time code. */
    code: () => new URL(server.startUrl(CODE_MS)).hash.slice('#code='.length),
    close: async () => {
      await server.close();
      await core.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** As much of a host as a page sees of it. */
export interface Door {
  readonly server: { readonly port: number };
  code(): string;
}

/** Signs in as a page would. */
export async function signedIn(host: Door): Promise<{ readonly cookie: string; readonly token: string }> {
  const { port } = host.server;
  const answer = await fetch(`http://127.0.0.1:${port}/session`, {
    method: 'POST',
    headers: { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code: host.code() }),
  });
  const body: unknown = await answer.json();
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (typeof body !== 'object' || body === null || !('token' in body) || cookie === undefined) {
    throw new Error(`not signed in: ${answer.status}`);
  }
  return { cookie, token: String(body.token) };
}
