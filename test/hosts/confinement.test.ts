import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPreferences } from '../../main/accounts/file-preferences.ts';
import { askToStopSync, confirmFileAccess, confirmLargeSync } from '../../main/hosts/electron/native-dialogs.ts';
import { PAGE_URL, PRIVILEGED } from '../../main/hosts/electron/page-url.ts';
import { restrictPage } from '../../main/hosts/electron/restrict-page.ts';
import { webPreferences } from '../../main/hosts/electron/window-settings.ts';

/** What a page is refused, asked as the runtime would ask it. Electron itself is a stand-in here. */
const electron = await vi.hoisted(async () => {
  const { fakeDesktop } = await import('./fake-desktop.ts');
  return fakeDesktop();
});
vi.mock('electron', () => electron.module);

const { asked, opened, session } = electron;
const refusals: object[] = [];
beforeAll(() => restrictPage((event, fields) => void refusals.push({ event, ...fields })));
beforeEach(() => {
  for (const list of [asked, opened, refusals]) list.length = 0;
  electron.answer = 'safe';
  electron.browser = 'opens';
});

const ASKED_OF_THE_SYSTEM = [
  ...['bluetooth', 'clipboard-read', 'display-capture', 'fileSystem', 'geolocation', 'hid', 'idle-detection', 'media'],
  ...['midi', 'midiSysex', 'notifications', 'openExternal', 'serial', 'storage-access', 'usb', 'no-such-permission'],
];
const CLIPBOARD = 'clipboard-sanitized-write';

describe('a permission', () => {
  const request = (permission: string, address: string, isMainFrame = true): boolean | undefined => {
    let granted: boolean | undefined;
    session.permissionRequest?.({}, permission, (is) => (granted = is), { isMainFrame, requestingUrl: address });
    return granted;
  };
  const check = (permission: string, origin: string, page: string | null): boolean | undefined =>
    session.permissionCheck?.(page === null ? null : { getURL: () => page }, permission, origin);

  test.each(ASKED_OF_THE_SYSTEM)('%s is refused when it is asked for, and when it is looked at', (permission) => {
    expect(request(permission, PAGE_URL)).toBe(false);
    expect(check(permission, PAGE_URL, PAGE_URL)).toBe(false);
  });

  test('to put text on the clipboard is the only one, for our own page in its main frame', () => {
    expect(request(CLIPBOARD, PAGE_URL)).toBe(true);
    expect(request(CLIPBOARD, PAGE_URL, false), 'a frame inside the page').toBe(false);
    expect(request(CLIPBOARD, 'https://evil.test/')).toBe(false);
    expect(check(CLIPBOARD, PAGE_URL, PAGE_URL)).toBe(true);
    expect(check(CLIPBOARD, PAGE_URL, null), 'a worker has no page').toBe(true);
    expect(check(CLIPBOARD, 'https://evil.test/', PAGE_URL)).toBe(false);
    expect(check(CLIPBOARD, PAGE_URL, 'https://evil.test/'), 'an origin that was told wrongly').toBe(false);
  });

  test('for a device is never given', () => {
    expect(session.device?.({ deviceType: 'usb', origin: PAGE_URL, device: {} })).toBe(false);
  });
});

describe('what a page loads', () => {
  const load = (url: string): boolean | undefined => {
    let cancelled: boolean | undefined;
    session.beforeRequest?.({ url }, ({ cancel }) => (cancelled = cancel));
    return cancelled;
  };

  test.each(['https://example.org/', 'http://127.0.0.1:1/', 'wss://example.org/', 'file:///etc/passwd', 'data:,x', ''])(
    'from "%s" is cancelled, with a line in the log that names no address',
    (address) => {
      expect(load(address)).toBe(true);
      expect(refusals).toEqual([{ event: 'request refused', reason: 'address' }]);
    },
  );

  test('from itself comes', () => {
    expect(load(`${PAGE_URL}assets/desk.js`)).toBe(false);
    expect(refusals).toEqual([]);
  });
});

describe('a link', () => {
  let offer: (details: { readonly url: string }) => unknown;
  beforeEach(async () => {
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: typeof offer) => {
        offer = handler;
      },
    });
    electron.module.app.emit('web-contents-created', {}, contents);
  });
  const follow = async (...addresses: readonly string[]): Promise<void> => {
    for (const url of addresses) expect(offer({ url })).toEqual({ action: 'deny' });
    for (let step = 0; step < 5; step += 1) await turn();
  };

  test('is opened as it was shown, and only by a yes', async () => {
    await follow('https://example.org');
    expect(opened).toEqual([]);
    electron.answer = 'other';
    await follow('https://EXAMPLE.org:443/a b');
    expect(asked.at(-1)).toMatchObject({
      message: 'Open example.org in your browser?',
      detail: 'https://example.org/a%20b',
    });
    expect(opened).toEqual(['https://example.org/a%20b']);
  });

  test('is asked about one at a time, so that a page cannot bury the desk', async () => {
    await follow(...Array.from({ length: 50 }, (_, at) => `https://example.org/${at}`));
    expect(asked).toHaveLength(1);
    await follow('https://example.org/later');
    expect(asked).toHaveLength(2);
  });

  test('that no browser opens is told to the user and ends nothing', async () => {
    electron.answer = 'other';
    electron.browser = 'is not there';
    await follow('https://example.org/');
    expect(asked.at(-1)).toMatchObject({ message: "Can't open a browser.", detail: 'https://example.org/' });
    expect(refusals).toEqual([{ event: 'link not opened', reason: 'browser' }]);
    await follow('https://example.org/again');
    expect(asked).toHaveLength(4);
  });
});

describe('a question of main', () => {
  const preferences = { get: () => ({ ...readPreferences({}), locale: 'en-US' }) };
  test.each([
    ['taking a file', () => confirmFileAccess('/home/me/.ssh/id_rsa')],
    ['stopping a sync', askToStopSync],
    ['sending much', () => confirmLargeSync(preferences)('Shop', { creates: 501, budgetCents: 100 })],
  ] as const)('about %s means no by Enter, by Escape and by the first button', async (_what, ask) => {
    expect(await ask()).toBe(false);
    expect(asked).toMatchObject([{ defaultId: 0, cancelId: 0, buttons: [expect.any(String), expect.any(String)] }]);
    electron.answer = 'other';
    expect(await ask()).toBe(true);
  });
});

test('a window has exactly the settings that confine its page', () => {
  expect(webPreferences('/preload.cjs')).toEqual({
    preload: '/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
    disableBlinkFeatures: 'Auxclick',
  });
});

test('the scheme of the page has these privileges alone: no way around the policy, no worker that stays', () => {
  expect(PRIVILEGED).toEqual([
    {
      scheme: 'adslate-app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
});
