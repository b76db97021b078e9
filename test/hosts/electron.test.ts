import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { createElectronKeychain, type Encryption, hasKeychain } from '../../main/hosts/electron/electron-keychain.ts';
import { answerPage, isAllowedUrl, isOwnPage, PAGE_URL } from '../../main/hosts/electron/page-url.ts';
import { createStorePreferences, DEFAULT_PREFERENCES } from '../../main/hosts/electron/store-preferences.ts';

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
      get: (name: string): never => stored[name] as never,
      set: (changes: object) => void Object.assign(stored, changes),
    },
    createFilePreferences('/nowhere'),
  );
  expect(preferences.get()).toEqual({ ...DEFAULT_PREFERENCES, locale: 'de-DE' });
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
