import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { connectPages } from '../../main/hosts/electron/page-connection.ts';
import { PAGE_URL } from '../../main/hosts/electron/page-url.ts';
import { onPageMessage, onPageSignal } from '../../main/hosts/electron/trusted-sender.ts';
import { createDragOut } from '../../main/hosts/electron/window-files.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import { testFolder } from '../folder.ts';
import { aHostOfShop, type WebHost } from './a-web-host.ts';
import type { Facts } from './calls.ts';
import { aSender, type FakeSender } from './fake-electron.ts';
import type { Client } from './lines.ts';
import { prepare } from './prepared.ts';

/** Who is heard in the desktop app, and what a page gets. Electron itself is a stand-in here. */
const electron = await vi.hoisted(async () => {
  const { fakeIpc, FakeChannel } = await import('./fake-electron.ts');
  return { ...fakeIpc(), MessageChannelMain: FakeChannel };
});
vi.mock('electron', () => electron);

const OURS = 7;
const folder = testFolder('lines');
let host: WebHost;
const dragged: string[] = [];
let chosen: string | null = null;
const refusals: object[] = [];

beforeAll(async () => {
  host = await aHostOfShop();
  connectPages({
    windows: { has: (id) => id === OURS },
    dispatch: createDispatch(host.core.router, () => {}),
    grants: host.core.grants,
    folders: { mayTake: async (path) => !path.includes('hidden') },
    chooseFolder: async () => chosen,
    dragOut: createDragOut(join(folder, 'dragged'), host.core.offered),
    startDrag: async (_page, path) => void dragged.push(path),
    log: (event, fields) => void refusals.push({ event, ...fields }),
  });
  return () => host.close();
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
  ['a main frame that says it is elsewhere', () => divided('https://evil.test/', PAGE_URL)],
  ['a page that says it is elsewhere', () => divided(PAGE_URL, 'https://evil.test/')],
];

/** Our window in the moment in which its frame and its page tell two addresses. */
function divided(frame: string, page: string) {
  return fromMainFrame({ ...aSender(OURS, frame), getURL: () => page });
}

describe('an ear for a message', () => {
  const heard: unknown[] = [];
  const windows = { has: (id: number) => id === OURS };
  beforeAll(() => {
    onPageMessage('planted:take', z.string().max(5), windows, (input) => void heard.push(input));
    onPageSignal('planted:hear', windows, () => void heard.push('heard'));
  });
  beforeEach(() => void heard.splice(0));
  const say = (event: unknown): void => {
    electron.send('planted:take', event, 'words');
    electron.send('planted:hear', event);
  };

  test('hears our page, when the message has the shape', () => {
    const page = fromMainFrame(aSender(OURS, PAGE_URL));
    say(page);
    expect(heard).toEqual(['words', 'heard']);
    for (const words of [[], [7], ['too long'], ['words', 'more']]) electron.send('planted:take', page, ...words);
    expect(heard).toHaveLength(2);
  });

  test.each(STRANGERS)('is deaf to %s', (_who, event) => {
    say(event());
    expect(heard).toEqual([]);
  });
});

describe('the port', () => {
  test('of the page carries the contract', async () => {
    const page = aSender(OURS, PAGE_URL);
    electron.send('adslate:connect', fromMainFrame(page));
    expect(page.posted.map(({ channel }) => channel)).toEqual(['adslate:port']);
    const port = page.posted[0]?.ports[0];
    if (port === undefined) throw new Error('No port came.');
    const client: Client = createORPCClient(new RPCLink({ port }));
    port.start();
    expect(await client.accounts.list()).toMatchObject([{ name: 'Shop' }]);
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
    expect(await electron.invoke('adslate:grant', page, folder)).toEqual(
      fileError(basename(folder), fileRefusal('not-a-file')).error,
    );
    expect(await electron.invoke('adslate:grant', page, join(folder, 'none'))).toEqual(
      fileError('none', fileRefusal('cannot-read', { code: 'ENOENT' })).error,
    );
  });

  test('for a folder is there only for the one that the user chose in the dialog of the system', async () => {
    expect(await electron.invoke('adslate:folder', page, null)).toBeNull();
    chosen = folder;
    const granted = await electron.invoke('adslate:folder', page, null);
    expect(granted).toEqual({ grant: expect.stringMatching(/^[a-f0-9]{32}$/) });
    await expect(electron.invoke('adslate:folder', page, folder)).rejects.toThrow('refused');
  });

  test('is not given for a file of a folder that the user has not let be used', async () => {
    const path = join(folder, 'hidden.csv');
    writeFileSync(path, 'Type\n');
    expect(await electron.invoke('adslate:grant', page, path)).toEqual(
      fileError('hidden.csv', fileRefusal('not-allowed')).error,
    );
    expect(refusals).toContainEqual({ event: 'file refused', reason: 'folder' });
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

describe('a file that is dragged out', () => {
  const pageOf = (workspaceId: string) => fromMainFrame(aSender(OURS, `${PAGE_URL}#${workspaceId}`));
  let facts: Facts;
  let handle: string;
  beforeAll(async () => {
    facts = await prepare(host.core, 'drag-out');
    const { client } = createDispatch(host.core.router, () => {});
    const { workspaceId, logo } = facts;
    const file = await client.media.preview({ workspaceId, mediaId: logo });
    handle = file.url.split('/').at(-1) ?? '';
  });

  test('is a copy under its own name, whole, of the account that the window shows', async () => {
    const page = pageOf(facts.workspaceId);
    expect(await electron.invoke('adslate:lift', page, handle)).toBe(true);
    expect(dragged).toEqual([]);
    expect(await electron.invoke('adslate:drag', page, handle)).toBe(true);
    const [path = ''] = dragged;
    expect(path).toMatch(/[\\/]dragged[\\/][a-f0-9]{32}[\\/][^\\/]+\.png$/);
    const before = host.core.offered(handle)?.path ?? '';
    expect(readFileSync(path).equals(readFileSync(before))).toBe(true);
    writeFileSync(path, 'written into by whoever got it');
    expect(readFileSync(before).subarray(1, 4).toString(), 'the library keeps its own').toBe('PNG');
    // A receiver that moves the file, as a file manager does.
    renameSync(path, `${path}.moved`);
    expect(await electron.invoke('adslate:drag', page, handle)).toBe(true);
    expect(readFileSync(dragged[1] ?? '').equals(readFileSync(before))).toBe(true);
  });

  test('stays where it is for a window of another account, and for a handle nobody was given', async () => {
    dragged.length = 0;
    refusals.length = 0;
    expect(await electron.invoke('adslate:drag', pageOf('another'), handle)).toBe(false);
    expect(await electron.invoke('adslate:drag', fromMainFrame(aSender(OURS, PAGE_URL)), handle)).toBe(false);
    expect(await electron.invoke('adslate:drag', pageOf(facts.workspaceId), 'f'.repeat(32))).toBe(false);
    expect(dragged).toEqual([]);
    expect(refusals).toEqual([
      { event: 'drag refused', reason: 'other-account' },
      { event: 'drag refused', reason: 'other-account' },
      { event: 'drag refused', reason: 'unknown' },
    ]);
  });

  test.each(STRANGERS)('is refused to %s', async (_who, event) => {
    await expect(electron.invoke('adslate:drag', event(), handle)).rejects.toThrow('refused');
    await expect(electron.invoke('adslate:lift', event(), handle)).rejects.toThrow('refused');
  });

  test.each([[], [null], ['/etc/passwd'], ['../preferences.json'], [{ handle: 'f'.repeat(32) }], ['F'.repeat(32)]])(
    'is refused for the words %j',
    async (...words) => {
      await expect(electron.invoke('adslate:drag', pageOf(facts.workspaceId), ...words)).rejects.toThrow('refused');
    },
  );
});
