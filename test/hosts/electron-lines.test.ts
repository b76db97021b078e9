import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDispatch } from '../../main/host/dispatch/dispatch.ts';
import { PAGE_URL } from '../../main/host/electron/address.ts';
import { openLines } from '../../main/host/electron/page-line.ts';
import { aWebHost, type WebHost } from './a-web-host.ts';
import { aSender, type FakeSender } from './fake-electron.ts';
import type { Client } from './lines.ts';

/** Who is heard in the desktop app, and what a page gets. Electron itself is a stand-in here. */
const electron = await vi.hoisted(async () => {
  const { fakeIpc, FakeChannel } = await import('./fake-electron.ts');
  return { ...fakeIpc(), MessageChannelMain: FakeChannel };
});
vi.mock('electron', () => electron);

const OURS = 7;
const folder = mkdtempSync(join(tmpdir(), 'adslate-lines-'));
let host: WebHost;

beforeAll(async () => {
  host = await aWebHost();
  openLines(
    { has: (id) => id === OURS },
    createDispatch(host.core.router, () => {}),
    host.core.grants,
  );
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const fromMainFrame = (sender: FakeSender) => ({ sender, senderFrame: sender.mainFrame });

/** Everybody who is not the page of our window. */
const STRANGERS: readonly (readonly [string, () => unknown])[] = [
  ['another window', () => fromMainFrame(aSender(8, PAGE_URL))],
  ['a page of another address', () => fromMainFrame(aSender(OURS, 'https://evil.test/'))],
  ['an empty page', () => fromMainFrame(aSender(OURS, ''))],
  ['about:blank', () => fromMainFrame(aSender(OURS, 'about:blank'))],
  ['a frame that is gone', () => ({ sender: aSender(OURS, PAGE_URL), senderFrame: null })],
  ['a frame inside the page', () => ({ sender: aSender(OURS, PAGE_URL), senderFrame: { url: PAGE_URL } })],
];

describe('the port', () => {
  test('of the page carries the contract', async () => {
    const page = aSender(OURS, PAGE_URL);
    electron.send('adslate:connect', fromMainFrame(page));
    expect(page.posted.map(({ channel }) => channel)).toEqual(['adslate:port']);
    const port = page.posted[0]?.ports[0];
    if (port === undefined) throw new Error('No port came.');
    const client: Client = createORPCClient(new RPCLink({ port }));
    port.start();
    expect(await client.accounts.list()).toEqual([]);
    expect(await client.app.info()).toMatchObject({ node: process.versions.node });
    port.close();
  });

  test.each(STRANGERS)('is not given to %s', (_who, event) => {
    const stranger = event();
    electron.send('adslate:connect', stranger);
    expect(stranger).toMatchObject({ sender: { posted: [] } });
  });

  test('is not given to a message that brings something along', () => {
    const page = aSender(OURS, PAGE_URL);
    electron.send('adslate:connect', fromMainFrame(page), 'more');
    expect(page.posted).toEqual([]);
  });
});

describe('a grant', () => {
  const page = fromMainFrame(aSender(OURS, PAGE_URL));

  test('for a file is a handle, a name and a size', async () => {
    const path = join(folder, 'plan.csv');
    writeFileSync(path, 'Type\n');
    const granted = await electron.invoke('adslate:grant', page, path);
    expect(granted).toEqual({ grant: expect.stringMatching(/^[a-f0-9]{32}$/), fileName: 'plan.csv', bytes: 5 });
  });

  test('is not there for a folder or a file that is missing', async () => {
    expect(await electron.invoke('adslate:grant', page, folder)).toEqual({ error: 'not-a-file' });
    expect(await electron.invoke('adslate:grant', page, join(folder, 'none'))).toEqual({ error: 'unreadable' });
  });

  test.each(STRANGERS)('is refused to %s', async (_who, event) => {
    await expect(electron.invoke('adslate:grant', event(), join(folder, 'plan.csv'))).rejects.toThrow('refused');
  });

  test.each([[], [null], [7], [''], [{ path: '/etc/passwd' }], ['a', 'b'], ['x'.repeat(40_000)]])(
    'is refused for the words %j',
    async (...words) => {
      await expect(electron.invoke('adslate:grant', page, ...words)).rejects.toThrow('refused');
    },
  );
});
