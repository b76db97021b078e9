import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { beforeEach, describe, expect, test } from 'vitest';
import { workspaceFolder } from '../../main/accounts/account-record.ts';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import { aWebHost, signedIn, type WebHost } from './a-web-host.ts';
import { callAt, openLine } from './lines.ts';

/** How long a page stays signed in: as long as it is open, and twelve hours beyond. */
const HOUR_MS = 3_600_000;

let passedMs: number;
let host: WebHost;
beforeEach(async () => {
  passedMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => passedMs };
  host = await aWebHost({ clock });
  return () => host.close();
});

/** The status of handing over a file, which needs both proofs. */
async function handOver({ cookie, token }: { readonly cookie: string; readonly token: string }): Promise<number> {
  const origin = `http://127.0.0.1:${host.server.port}`;
  const answer = await fetch(`${origin}/spool?name=a.csv`, {
    method: 'PUT',
    headers: { origin, cookie, 'x-adslate-token': token },
    body: 'Type\n',
  });
  return answer.status;
}

const signIn = async (code: string): Promise<number> => {
  const origin = `http://127.0.0.1:${host.server.port}`;
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return answer.status;
};

test('a page that was away for twelve hours has to be opened by a new link', async () => {
  const page = await signedIn(host);
  passedMs += 11 * HOUR_MS;
  expect(await handOver(page)).toBe(200);
  passedMs += 13 * HOUR_MS;
  expect(await handOver(page)).toBe(403);
});

test('the account of last time is opened with its metrics while its page loads, which has asked for nothing yet', async () => {
  const client = createRouterClient(host.core.router);
  const { workspaceId } = await client.accounts.addPractice({ name: 'Practice' });
  await client.app.preferences.set({ lastWorkspaceId: workspaceId });
  const metrics = join(workspaceFolder(host.dataDir, workspaceId), 'cube.db');
  expect(existsSync(metrics)).toBe(false);
  await signedIn(host);
  await expect.poll(() => existsSync(metrics)).toBe(true);
});

test('signing out everywhere ends every page, every socket and every link that waits', async () => {
  const [one, other] = [await signedIn(host), await signedIn(host)];
  const line = await openLine.WebSocket(host, other);
  expect(await callAt(line.client, 'app.info', undefined)).toHaveProperty('answer');
  const waiting = host.code();
  const origin = `http://127.0.0.1:${host.server.port}`;
  const signOut = async (token: string): Promise<number> => {
    const headers = { origin, cookie: one.cookie, 'x-adslate-token': token };
    return (await fetch(`${origin}/sign-out`, { method: 'POST', headers })).status;
  };
  expect(await signOut('wrong'), 'not with a cookie alone').toBe(403);
  expect(await handOver(other)).toBe(200);
  expect(await signOut(one.token)).toBe(200);
  expect([await handOver(one), await handOver(other)]).toEqual([403, 403]);
  expect(await signIn(waiting)).toBe(403);
  await expect(line.client.app.info()).rejects.toThrow();
  expect(await handOver(await signedIn(host)), 'a new link lets in again').toBe(200);
});

test('a page that stays open stays signed in for days', async () => {
  const page = await signedIn(host);
  const line = await openLine.WebSocket(host, page);
  for (let turn = 0; turn < 5; turn += 1) {
    passedMs += 11 * HOUR_MS;
    expect(await callAt(line.client, 'app.info', undefined)).toHaveProperty('answer');
  }
  expect(await handOver(page)).toBe(200);
  await line.close();
});

describe('a link that signs in', () => {
  const MINUTE_MS = 60_000;
  const guess = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await signIn('wrong');
  };

  test('is good until its time is over', async () => {
    const [early, late] = [host.code(), host.code()];
    passedMs += MINUTE_MS - 1;
    expect(await signIn(early)).toBe(200);
    passedMs += 1;
    expect(await signIn(late)).toBe(403);
  });

  test('waits behind a lock for ten wrong guesses within a minute, and for no fewer', async () => {
    await guess(9);
    passedMs += MINUTE_MS;
    await guess(9);
    expect(host.locks()).toBe(0);
    await guess(1);
    expect(host.locks()).toBe(1);
    expect(await signIn('wrong')).toBe(429);
  });

  test('waits behind the same lock when tokens are guessed', async () => {
    const page = await signedIn(host);
    for (let time = 0; time < 10; time += 1) await handOver({ ...page, token: 'wrong' });
    expect(host.locks()).toBe(1);
    expect(await handOver(page), 'whoever is in stays in').toBe(200);
  });
});
