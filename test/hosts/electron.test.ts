import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createFilePreferences, readPreferences } from '../../main/accounts/file-preferences.ts';
import { createElectronKeychain, type Encryption, hasKeychain } from '../../main/hosts/electron/electron-keychain.ts';
import { answerPage, externalLink, isAllowedUrl, isOwnPage, PAGE_URL } from '../../main/hosts/electron/page-url.ts';
import { createStorePreferences } from '../../main/hosts/electron/store-preferences.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';

/** The parts of the desktop host that decide something, without its runtime. */
describe('addresses', () => {
  test.each([PAGE_URL, `${PAGE_URL}index.html`, `${PAGE_URL}assets/a.js?x#y`])('%s is our page', (address) => {
    expect(isOwnPage(address)).toBe(true);
  });

  test.each([
    '',
    'about:blank',
    'adslate-app://evil/',
    'adslate-app://ui.evil/',
    'adslate-app://user@ui/',
    'adslate-app://ui:1/',
    'https://ui/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `data:text/html,${PAGE_URL}`,
  ])('"%s" is not our page and is not loaded', (address) => {
    expect(isOwnPage(address)).toBe(false);
    expect(isAllowedUrl(address, true)).toBe(false);
  });

  test('a page may load what it made itself', () => {
    expect(isAllowedUrl('blob:adslate-app://ui/6f1c', true)).toBe(true);
    expect(isAllowedUrl('blob:https://evil.test/6f1c', true)).toBe(false);
  });

  test('the inspector is there for developers only', () => {
    expect(isAllowedUrl('devtools://devtools/x.html', false)).toBe(true);
    expect(isAllowedUrl('devtools://devtools/x.html', true)).toBe(false);
  });
});

test('preferences that were edited by hand cost the parts that do not fit, and no more', () => {
  const stored: Record<string, unknown> = { colorScheme: 5, locale: 'de-DE', quietHours: { from: 'x' }, layout: [] };
  const preferences = createStorePreferences(
    {
      store: stored as never,
      set: (changes: object) => void Object.assign(stored, changes),
    },
    createFilePreferences('/nowhere'),
  );
  expect(preferences.get()).toEqual({ ...readPreferences({}), locale: 'de-DE' });
  expect(preferences.set({ colorScheme: 'dark' })).toMatchObject({ colorScheme: 'dark', locale: 'de-DE' });
  expect(stored).toMatchObject({ colorScheme: 'dark', quietHours: null });
});

describe('the page from memory', () => {
  const files = new Map([['/', { contentType: 'text/html; charset=utf-8', bytes: Buffer.from('<p>desk</p>') }]]);
  const handle = 'a'.repeat(32);
  const ask = (path: string, init?: RequestInit) =>
    answerPage(new Request(`${PAGE_URL}${path}`, init), files, async (asked) =>
      asked === handle
        ? {
            contentType: 'image/png',
            bytes: 10,
            open: (start, end) => Readable.from([Buffer.from('0123456789').subarray(start, end + 1)]),
          }
        : null,
    );

  test('it comes with its policy', async () => {
    const answer = await ask('');
    expect(await answer.text()).toBe('<p>desk</p>');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each(['..%2f..%2fetc/passwd', '%2e%2e/main.js', 'index.html%00', '//etc/passwd', 'preview/../main.js'])(
    '%s is not there',
    async (path) => expect((await ask(path)).status).toBe(404),
  );

  test('only reading is possible', async () => {
    expect((await ask('', { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('a preview is served by handle, in ranges, without scripts', async () => {
    const answer = await ask(`preview/${handle}`, { headers: { range: 'bytes=2-4' } });
    expect([answer.status, await answer.text()]).toEqual([206, '234']);
    expect(answer.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect((await ask(`preview/${handle}`, { headers: { range: 'bytes=10-' } })).status).toBe(416);
    expect((await ask(`preview/${'b'.repeat(32)}`)).status).toBe(404);
  });
});

describe('the key store', () => {
  /** Electron's own part, which needs its runtime: turns every byte over and marks the result. */
  const flipping = (mark: string, backend: ReturnType<Encryption['getSelectedStorageBackend']>): Encryption => ({
    isEncryptionAvailable: () => true,
    getSelectedStorageBackend: () => backend,
    encryptString: (text) => Buffer.concat([Buffer.from(mark), flipped(Buffer.from(text))]),
    decryptString: (box) => {
      if (box.subarray(0, mark.length).toString() !== mark) throw new Error('other key');
      return flipped(box.subarray(mark.length)).toString();
    },
  });
  const flipped = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));
  const keyring = flipping('v11', 'gnome_libsecret');

  test('one that encrypts with the key everybody knows counts as none', () => {
    expect(hasKeychain(keyring, 'linux')).toBe(true);
    expect(hasKeychain(flipping('v11', 'basic_text'), 'linux')).toBe(false);
    expect(hasKeychain(flipping('v11', 'unknown'), 'linux')).toBe(false);
    expect(hasKeychain(flipping('v10', 'gnome_libsecret'), 'linux')).toBe(false);
    expect(hasKeychain(flipping('v10', 'unknown'), 'darwin')).toBe(true);
  });

  test('it keeps our key and gives it back; what lies on the disk is not the key', async () => {
    const store = createElectronKeychain(keyring, 'linux');
    const key = Buffer.alloc(32, 7);
    const kept = await store?.keep(key);
    expect(store?.name).toBe('gnome_libsecret');
    if (kept?.ok !== true) throw new Error('Nothing was kept.');
    expect(Buffer.from(kept.value, 'base64').toString()).not.toContain(key.toString('hex'));
    expect(await store?.find(kept.value)).toEqual({ ok: true, value: key });
    const other = createElectronKeychain(flipping('v12', 'kwallet6'), 'linux');
    expect(await other?.find(kept.value)).toMatchObject({ ok: false, error: { kind: 'store-closed' } });
  });

  test('a store that does not protect is not offered at all', () => {
    expect(createElectronKeychain(flipping('v11', 'basic_text'), 'linux')).toBeNull();
  });
});

/** Sixty addresses that a page could be made to open: which may be offered to the system's browser, and how they are shown. */
const REFUSED: readonly string[] = [
  // Schemes that start a program, read a file or run a text.
  'http://example.org/',
  'ftp://example.org/',
  'ws://example.org/',
  'wss://example.org/',
  'file:///etc/passwd',
  'file://server/share/run.exe',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>1</script>',
  'blob:https://example.org/6f1c',
  'about:blank',
  'view-source:https://example.org/',
  'chrome://settings/',
  'devtools://devtools/x.html',
  'adslate://open/acme/campaign/1',
  'adslate-app://ui/',
  'ms-msdt:/id PCWDiagnostic',
  'search-ms:query=x&crumb=location:\\\\evil.test',
  'ms-appinstaller:?source=https://evil.test/a.msix',
  'ms-officecmd:{}',
  'ms-word:ofe|u|https://evil.test/a.docx',
  'ms-settings:privacy',
  'shell:startup',
  'smb://server/share',
  'ssh://example.org',
  'ldap://example.org/',
  'mailto:a@example.org',
  'tel:+15550100',
  'intent://scan/#Intent;end',
  'itms-services://?action=download',
  'vscode://file/etc/passwd',
  'jar:https://example.org/a.jar!/x',
  // Somebody else's name in front of the host.
  'https://user@example.org/',
  'https://user:secret@example.org/',
  'https://example.org@evil.test/',
  'https://:secret@example.org/',
  // No address at all.
  '',
  ' ',
  'example.org',
  '//example.org/',
  '/path',
  'https://',
  'https://exa mple.org/',
  'https://example.org:99999/',
  'https://[::1/',
  'https://%00/',
  'https://exa%3Cmple.org/',
  `https://example.org/${'a'.repeat(5000)}`,
];

/** What was asked for, and the host and address that are shown and opened. */
const OFFERED: readonly (readonly [asked: string, host: string, url: string])[] = [
  ['https://example.org', 'example.org', 'https://example.org/'],
  ['https://EXAMPLE.org:443/a b', 'example.org', 'https://example.org/a%20b'],
  ['HTTPS:example.org', 'example.org', 'https://example.org/'],
  ['https:\\\\example.org\\a', 'example.org', 'https://example.org/a'],
  ['https://example.org\\@evil.test/', 'example.org', 'https://example.org/@evil.test/'],
  ['https://exa\nmple\t.org/', 'example.org', 'https://example.org/'],
  ['https://example.org:8443/', 'example.org:8443', 'https://example.org:8443/'],
  ['https://аррӏе.com/', 'xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.com/'],
  ['https://2130706433/', '127.0.0.1', 'https://127.0.0.1/'],
  ['https://example.org/?next=https://evil.test', 'example.org', 'https://example.org/?next=https://evil.test'],
];

test.each(REFUSED)('%j never leaves for the browser', (address) => {
  expect(externalLink(address)).toBeNull();
});

describe('what may be offered is shown as it is opened', () => {
  test.each(OFFERED)('%j leads to %s', (asked, host, url) => {
    expect(externalLink(asked)).toEqual({ url, host });
  });
});

/** The built preload, run as the sandboxed renderer runs it: one file, one module to ask for, a page beside it. */
const BUILT = readFileSync(join(import.meta.dirname, '..', '..', 'out', 'preload', 'preload.cjs'), 'utf8');
const ORIGIN = 'adslate-app://ui';

type Doors = Record<string, Record<string, (word: unknown) => unknown>>;

function aPreload() {
  const asked: string[] = [];
  const sent: (readonly unknown[])[] = [];
  const posted: (readonly unknown[])[] = [];
  const zoomed: number[] = [];
  const doors: Doors = {};
  const page = new EventEmitter();
  const window = {
    addEventListener: (event: string, listener: (event: object) => void) => page.on(event, listener),
    postMessage: (...words: readonly unknown[]) => posted.push(words),
    location: { origin: ORIGIN },
  };
  const ipcRenderer = Object.assign(new EventEmitter(), {
    send: (...words: readonly unknown[]) => void sent.push(words),
    invoke: async (...words: readonly unknown[]) => {
      sent.push(words);
      if (words[1] === '/refused.csv') throw new Error('Error invoking remote method: /home/me/refused.csv');
      return { grant: 'a'.repeat(32), fileName: 'plan.csv', bytes: 5 };
    },
  });
  const electron = {
    ipcRenderer,
    contextBridge: { exposeInMainWorld: (name: string, door: Doors[string]) => Object.assign(doors, { [name]: door }) },
    webFrame: {
      getZoomFactor: () => zoomed.at(-1) ?? 1,
      setZoomFactor: (factor: number) => void zoomed.push(factor),
    },
    webUtils: { getPathForFile: ({ path }: { readonly path: string }) => path },
  };
  const require = (name: string): object => {
    asked.push(name);
    return electron;
  };
  runInContext(BUILT, createContext({ require, window, exports: {}, module: { exports: {} } }));
  return { asked, sent, posted, zoomed, doors, window, page, ipcRenderer };
}

test('it asks for nothing but Electron, and hands the page functions alone', () => {
  const { asked, doors } = aPreload();
  expect(new Set(asked)).toEqual(new Set(['electron']));
  const shapes = Object.entries(doors).map(([name, door]) => [name, Object.keys(door).sort()]);
  expect(shapes).toEqual([
    ['adslateFiles', ['chooseFolder', 'drag', 'grant', 'lift']],
    ['adslateMenu', ['show']],
    ['adslateZoom', ['percent', 'set']],
  ]);
  expect(Object.values(doors).flatMap((door) => Object.values(door).map((each) => typeof each))).toEqual(
    Array.from({ length: 7 }, () => 'function'),
  );
});

test('a file that a script has made asks main for nothing', async () => {
  const { doors, sent } = aPreload();
  expect(await doors['adslateFiles']?.['grant']?.({ path: '', name: 'made.png' })).toEqual(
    fileError('made.png', fileRefusal('no-path')).error,
  );
  expect(sent).toEqual([]);
});

test('a file that was dropped becomes a handle; why one does not is not for the page', async () => {
  const { doors, sent } = aPreload();
  const grant = doors['adslateFiles']?.['grant'];
  expect(await grant?.({ path: '/plan.csv' })).toEqual({ grant: 'a'.repeat(32), fileName: 'plan.csv', bytes: 5 });
  expect(sent).toEqual([['adslate:grant', '/plan.csv']]);
  expect(await grant?.({ path: '/refused.csv', name: 'refused.csv' })).toEqual(
    fileError('refused.csv', fileRefusal('not-received', { what: 'refused' })).error,
  );
});

test('the page is drawn as large as it says, within what Chromium has keys for', () => {
  const { doors, zoomed } = aPreload();
  const zoom = doors['adslateZoom'];
  expect(zoom?.['percent']?.(null)).toBe(100);
  for (const percent of [110, 0, 9000, Number.NaN, '125', null]) zoom?.['set']?.(percent);
  expect(zoomed).toEqual([1.1]);
  expect(zoom?.['percent']?.(null)).toBe(110);
});

test('the port is asked for by the page itself, and by no frame or opener beside it', () => {
  const { page, window, sent } = aPreload();
  page.emit('message', { source: {}, data: 'adslate:ready' });
  page.emit('message', { source: null, data: 'adslate:ready' });
  page.emit('message', { source: window, data: 'adslate:connect' });
  page.emit('message', { source: window, data: { type: 'adslate:ready' } });
  expect(sent).toEqual([]);
  page.emit('message', { source: window, data: 'adslate:ready' });
  expect(sent).toEqual([['adslate:connect']]);
});

test('what main says reaches our own page alone, without the event it came in', () => {
  const { ipcRenderer, posted } = aPreload();
  const [port, event] = [{ name: 'port' }, { sender: ipcRenderer }];
  ipcRenderer.emit('adslate:command', event, 'sync.plan');
  ipcRenderer.emit('adslate:port', { ...event, ports: [port] });
  expect(posted).toEqual([
    [{ type: 'adslate:command', command: 'sync.plan' }, ORIGIN],
    ['adslate:port', ORIGIN, [port]],
  ]);
});
