import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { createRouterClient } from '@orpc/server';
import type { Clock } from '../../main/app/clock.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import { startSandbox } from '../../sandbox/start.ts';
import type { ConnectedAccount } from '../../shared/api/accounts.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { startCore } from '../core/a-core.ts';
import { controlOf } from '../sync/control.ts';
import type { Deployment } from './deployments.ts';

const ZONE = 'America/Los_Angeles';
const HOUR_MS = 3_600_000;

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** The program and a service of one deployment, which share one time. */
export async function openGround({ extensions, options }: Deployment) {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-deployment-'));
  const dataDir = join(folder, 'service');
  let aheadMs = 0;
  const nowMs = (): number => Date.now() + aheadMs;
  const sandbox = await startSandbox({
    credentials: 'owners',
    scenario: 'empty',
    clock: 'virtual',
    now: new Date(nowMs()).toISOString(),
    extensions,
    dataDir,
    ...options,
    // One clock for both sides, as two machines have it.
    quirks: { ...options.quirks, ownClock: true },
  });
  const control = controlOf(sandbox);
  const time = createSharedTime(nowMs, async (ms) => {
    await control.advance(`PT${Math.ceil(ms / 1000)}S`);
    aheadMs += ms;
  });
  const clock: Clock = { nowMs, monotonicMs: () => performance.now() + aheadMs, sleep: time.sleep };
  mkdirSync(join(folder, 'desk'));
  const core = await startCore(join(folder, 'desk'), { clock, fetch: time.fetch });
  const client: Client = createRouterClient(core.router);
  const database = new DatabaseSync(join(dataDir, 'sandbox.db'), { readOnly: true });
  return {
    sandbox,
    control,
    core,
    client,
    database,
    clock,
    fetch: time.fetch,
    today: () => dateInZone(nowMs(), ZONE),
    pass: (hours: number) => time.move(hours * HOUR_MS),
    close: async () => {
      database.close();
      await core.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Connects the first account of the service, as its owner would enter it. */
export async function connect({ core, client, sandbox: { ready } }: Ground): Promise<ConnectedAccount> {
  const [account] = ready.accounts;
  if (account === undefined) throw new Error('the service has no account');
  const hold = async (text: string): Promise<string> => {
    const held = await core.grants.hold('secret', Readable.from([Buffer.from(text)]));
    if (!held.ok) throw new Error('a secret was refused');
    return held.value.grant;
  };
  return client.accounts.connect({
    name: 'Shop',
    baseUrl: ready.baseUrl,
    advertiserId: String(account.advertiserId),
    consumerId: account.consumerId,
    keyVersion: account.keyVersion,
    retailHost: ready.retailHost,
    headerPrefix: ready.headerPrefix,
    keyGrant: await hold(account.privateKeyPem),
    tokenGrant: await hold(account.token),
  });
}

/**
 * One time for a client and its service. It stands still while anything is asked, and moves to the end of the nearest wait
 * once nothing is: two machines never disagree about it, and a wait costs a test nothing.
 */
interface SharedTime {
  /** As `Clock.sleep`. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Requests that go out here hold the time. */
  readonly fetch: typeof fetch;
  /** Moves it by so much at once. */
  move(ms: number): Promise<void>;
}

/** How long nothing may have been asked before the time moves, in milliseconds of the machine. */
const QUIET_MS = 25;

interface Wait {
  readonly untilMs: number;
  readonly end: () => void;
}

/** @param moveBoth moves both clocks by so many milliseconds */
function createSharedTime(nowMs: () => number, moveBoth: (ms: number) => Promise<void>): SharedTime {
  const waits = new Set<Wait>();
  let underWay = 0;
  let quietSince = performance.now();
  let moving: Promise<void> = Promise.resolve();
  let isLooking = false;

  const move = (ms: number): Promise<void> => {
    moving = moving.then(() => moveBoth(ms)).then(endWaits);
    return moving;
  };
  const endWaits = (): void => {
    const now = nowMs();
    for (const wait of [...waits]) if (wait.untilMs <= now) wait.end();
  };
  const look = (): void => {
    if (isLooking || waits.size === 0) return;
    isLooking = true;
    setTimeout(() => {
      isLooking = false;
      if (underWay > 0 || performance.now() - quietSince < QUIET_MS) return look();
      // A wait may have ended meanwhile: by an abort, or because a test moved the time past it.
      if (waits.size === 0) return;
      const nearest = Math.min(...[...waits].map(({ untilMs }) => untilMs));
      quietSince = performance.now();
      void move(Math.max(0, nearest - nowMs())).then(look);
    }, QUIET_MS);
  };
  return {
    move,
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        const wait: Wait = {
          untilMs: nowMs() + delayMs,
          end: () => {
            waits.delete(wait);
            signal?.removeEventListener('abort', wait.end);
            resolve();
          },
        };
        waits.add(wait);
        if (signal?.aborted === true) wait.end();
        else signal?.addEventListener('abort', wait.end, { once: true });
        look();
      }),
    fetch: async (...asked) => {
      await moving;
      underWay += 1;
      try {
        return await fetch(...asked);
      } finally {
        underWay -= 1;
        quietSince = performance.now();
      }
    },
  };
}
