import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { externalLink, isOwnPage, mayLoad, PAGE_URL } from '../../main/host/electron/address.ts';
import { createKeyringBox, type Encryption, hasKeyring } from '../../main/host/electron/keyring-box.ts';
import { answerPage } from '../../main/host/electron/page-protocol.ts';
import { mayHave } from '../../main/host/electron/permissions.ts';
import { webPreferences } from '../../main/host/electron/window-settings.ts';

/** The parts of the desktop host that decide something, without its runtime. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-electron-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    expect(mayLoad(address, true)).toBe(false);
  });

  test('a page may load what it made itself', () => {
    expect(mayLoad('blob:adslate-app://ui/6f1c', true)).toBe(true);
    expect(mayLoad('blob:https://evil.test/6f1c', true)).toBe(false);
  });

  test('the inspector is there for developers only', () => {
    expect(mayLoad('devtools://devtools/x.html', false)).toBe(true);
    expect(mayLoad('devtools://devtools/x.html', true)).toBe(false);
  });

  test.each([
    'http://example.org/',
    'https://user:secret@example.org/',
    'file:///etc/passwd',
    'ms-msdt:/id',
    'javascript:alert(1)',
    `https://example.org/${'a'.repeat(5000)}`,
    'not an address',
  ])('"%s" never leaves for the browser', (address) => {
    expect(externalLink(address)).toBeNull();
  });

  test('a link is shown as it is opened', () => {
    expect(externalLink('https://EXAMPLE.org:443/a b')).toEqual({
      url: 'https://example.org/a%20b',
      host: 'example.org',
    });
  });
});

describe('what a page may have', () => {
  test.each([
    'media',
    'geolocation',
    'notifications',
    'midi',
    'usb',
    'hid',
    'serial',
    'clipboard-read',
    'openExternal',
  ])('%s is refused', (permission) => expect(mayHave(permission, PAGE_URL)).toBe(false));

  test('our page may put text on the clipboard, another may not', () => {
    expect(mayHave('clipboard-sanitized-write', PAGE_URL)).toBe(true);
    expect(mayHave('clipboard-sanitized-write', 'https://evil.test/')).toBe(false);
  });

  test('the window has the settings of the security checklist', () => {
    expect(webPreferences('/preload.cjs')).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
    });
  });
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
  const secret = { token: 'token-canary', privateKeyPem: 'key-canary' };

  test('one that encrypts with the key everybody knows counts as none', () => {
    expect(hasKeyring(keyring, 'linux')).toBe(true);
    expect(hasKeyring(flipping('v11', 'basic_text'), 'linux')).toBe(false);
    expect(hasKeyring(flipping('v11', 'unknown'), 'linux')).toBe(false);
    expect(hasKeyring(flipping('v10', 'gnome_libsecret'), 'linux')).toBe(false);
    expect(hasKeyring(flipping('v10', 'unknown'), 'darwin')).toBe(true);
  });

  test('secrets come back, lie encrypted on the disk and are gone when forgotten', async () => {
    const box = createKeyringBox(folder, keyring, 'linux');
    await box.put('acme-1', secret);
    expect(await box.get('acme-1')).toEqual(secret);
    const files = readdirSync(join(folder, 'secrets')).map((name) =>
      readFileSync(join(folder, 'secrets', name), 'utf8'),
    );
    expect(files.join()).not.toMatch(/canary/);
    await box.forget('acme-1');
    expect(await box.get('acme-1')).toBeNull();
    expect(readdirSync(join(folder, 'secrets'))).toEqual([]);
  });

  test('a box of another key store is asked for again and not thrown away', async () => {
    const box = createKeyringBox(folder, keyring, 'linux');
    await box.put('acme-2', secret);
    expect(await createKeyringBox(folder, flipping('v12', 'kwallet6'), 'linux').get('acme-2')).toBeNull();
    expect(await box.get('acme-2')).toEqual(secret);
    writeFileSync(join(folder, 'secrets', 'acme-3.json'), '{"version":1');
    expect(await box.get('acme-3')).toBeNull();
  });
});
