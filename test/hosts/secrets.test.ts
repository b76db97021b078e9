import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Keychain } from '../../main/accounts/credential-store.ts';
import { createCredentialStore } from '../../main/accounts/credential-store.ts';
import { decrypt, encrypt, KEY_BYTES } from '../../main/accounts/encryption.ts';
import { systemClock } from '../../main/app/clock.ts';
import { systemKeychain } from '../../main/hosts/keyring/system-keychain.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { aKeychain } from './a-keychain.ts';
import { wholeFolder } from './canaries.ts';

/** The ways to keep secrets, each across starts of the program on one folder. */
let dataDir: string;
beforeEach(() => {
  dataDir = aFolder();
});

const start = (store: Keychain | null = null) =>
  createCredentialStore({ dataDir, clock: systemClock, keychain: async () => store });
const SECRET = { token: 'canary-token', privateKeyPem: '-----BEGIN PRIVATE KEY-----\ncanary-key\n' };

describe('in memory', () => {
  test('it is what happens where there is no key store; nothing is written', async () => {
    const box = start();
    await box.put('acme', SECRET);
    expect(await box.status()).toMatchObject({ storage: 'memory', state: 'open', offered: ['passphrase', 'memory'] });
    expect(await box.get('acme')).toEqual(SECRET);
    expect(wholeFolder(dataDir)).toBe('');
    expect(await start().get('acme')).toBeNull();
  });
});

/** Each time a passphrase is tried costs half a second of CPU. */
describe('with a passphrase', () => {
  test('secrets come back at the next start once it is typed, and the disk shows nothing', async () => {
    const lock = () => JSON.parse(readFileSync(join(dataDir, 'secrets', 'choice.json'), 'utf8')).lock;
    const box = start();
    await box.put('acme', SECRET);
    expect(await box.choose('passphrase', 'canary caf\u00e9 au lait')).toMatchObject({ ok: true });
    expect(await box.get('acme'), 'what was in memory moved along').toEqual(SECRET);
    const first = lock();
    expect(first).toMatchObject({ kdf: { name: 'scrypt', N: 131_072, r: 8, p: 1 } });
    await box.lock();
    expect(await box.get('acme')).toBeNull();

    const store = aKeychain();
    const next = start(store);
    expect(await next.status()).toMatchObject({ storage: 'passphrase', state: 'locked' });
    expect(await next.get('acme')).toBeNull();
    const locked = { ok: false, error: { data: { reason: 'locked' } } };
    expect(await next.put('acme', SECRET)).toMatchObject(locked);
    expect(await next.choose('memory', null), 'choosing is no way around the lock').toMatchObject(locked);
    expect(await next.unlock('canary wrong horse')).toMatchObject({
      ok: false,
      error: { data: { reason: 'wrong-passphrase' } },
    });
    expect(await next.unlock('canary cafe\u0301 au lait'), 'letters may be composed').toMatchObject({ ok: true });
    expect(await next.get('acme')).toEqual(SECRET);
    expect(wholeFolder(dataDir)).not.toMatch(/canary|BEGIN/);
    expect(statSync(join(dataDir, 'secrets')).mode & 0o077).toBe(0);
    for (const name of readdirSync(join(dataDir, 'secrets'))) {
      expect(statSync(join(dataDir, 'secrets', name)).mode & 0o077, name).toBe(0);
    }
    await next.choose('passphrase', 'canary caf\u00e9 au lait');
    expect(lock().kdf.salt, 'fresh each time').not.toBe(first.kdf.salt);
    await next.put('other', SECRET);
    await next.forget('acme');
    expect(readdirSync(join(dataDir, 'secrets')).sort()).toEqual(['choice.json', 'other.json']);

    expect(await next.choose('keyring', null), "what it kept moves into the system's key store").toMatchObject({
      ok: true,
    });
    expect(await start(store).get('other')).toEqual(SECRET);
    await next.choose('memory', null);
    expect(store.keys.size, 'the key leaves the store when another way is chosen').toBe(0);
    expect(await next.get('other')).toEqual(SECRET);
    expect(readdirSync(join(dataDir, 'secrets'))).toEqual(['choice.json']);
  });

  test('a short one is refused before anything changes', async () => {
    const box = start();
    expect(await box.choose('passphrase', 'only eleven')).toMatchObject({
      error: { data: { reason: 'passphrase-too-short' } },
    });
    expect(await box.status()).toMatchObject({ storage: 'memory' });
  });
});

describe('a sealed box', () => {
  const [key, text] = [Buffer.alloc(KEY_BYTES, 7), Buffer.from(JSON.stringify(SECRET))];

  test('a box moved under another account, or changed by one bit, does not open', async () => {
    const box = start(aKeychain());
    await box.put('acme', SECRET);
    const sealed = readFileSync(join(dataDir, 'secrets', 'acme.json'), 'utf8');
    writeFileSync(join(dataDir, 'secrets', 'other.json'), sealed);
    expect(await box.get('other')).toBeNull();
    const changed = JSON.parse(sealed);
    const bytes = Buffer.from(changed.sealed.box, 'base64');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    changed.sealed.box = bytes.toString('base64');
    writeFileSync(join(dataDir, 'secrets', 'acme.json'), JSON.stringify(changed));
    expect(await box.get('acme')).toBeNull();
  });

  test('has a nonce of its own, so that the same secret twice looks like two', () => {
    const boxes = Array.from({ length: 100 }, () => encrypt(key, 'acme', text));
    expect(new Set(boxes.map(({ nonce }) => nonce)).size).toBe(100);
    expect(new Set(boxes.map(({ box }) => box)).size).toBe(100);
    expect(boxes.every(({ nonce }) => Buffer.from(nonce, 'base64').length === 12)).toBe(true);
  });

  test('whose proof was cut, which makes it easier to guess, does not open', () => {
    const sealed = encrypt(key, 'acme', text);
    expect(decrypt(key, 'acme', sealed)).toEqual(text);
    for (const length of [0, 4, 8, 12, 15]) {
      const tag = Buffer.from(sealed.tag, 'base64').subarray(0, length).toString('base64');
      expect(decrypt(key, 'acme', { ...sealed, tag }), `${length} bytes`).toBeNull();
    }
  });
});

test('a box that cannot be read is set aside with the others when another way is chosen, not deleted', async () => {
  const box = start(aKeychain());
  await box.put('acme', SECRET);
  await box.put('other', SECRET);
  writeFileSync(join(dataDir, 'secrets', 'other.json'), 'half a b');
  expect(await box.choose('memory', null)).toMatchObject({ ok: true });
  expect([await box.get('acme'), await box.get('other')]).toEqual([SECRET, null]);
  const aside = readdirSync(dataDir).find((name) => name.startsWith('secrets-set-aside-')) ?? '';
  expect(readFileSync(join(dataDir, aside, 'other.json'), 'utf8')).toBe('half a b');
});

describe("with the system's key store", () => {
  test('it is the choice where there is one, and secrets come back without a question', async () => {
    const store = aKeychain();
    const box = start(store);
    await box.put('acme', SECRET);
    expect(await box.status()).toMatchObject({ storage: 'keyring', state: 'open', store: 'secret-service' });
    expect(await start(store).get('acme')).toEqual(SECRET);
    expect(wholeFolder(dataDir)).not.toMatch(/canary|BEGIN/);
    for (const key of store.keys.values()) expect(wholeFolder(dataDir)).not.toContain(key.toString('hex'));
  });

  test.each([
    ['another one', (): Keychain | null => aKeychain('kwallet6'), 'store-changed'],
    ['gone', (): Keychain | null => null, 'store-closed'],
    ['empty', (): Keychain | null => aKeychain(), 'store-closed'],
  ] as const)('when it is %s, nothing goes in or out and nothing is deleted', async (_what, other, problem) => {
    const store = aKeychain();
    await start(store).put('acme', SECRET);
    const box = start(other());
    expect(await box.status()).toMatchObject({ storage: 'keyring', state: 'refused', problem });
    expect(await box.get('acme')).toBeNull();
    expect(await box.put('acme', SECRET)).toMatchObject({ ok: false, error: { data: { reason: 'refused' } } });
    expect(await start(store).get('acme'), 'the old store opens it as before').toEqual(SECRET);

    expect(await box.choose('memory', null)).toMatchObject({ ok: true });
    expect(await box.put('acme', SECRET)).toMatchObject({ ok: true });
    const aside = readdirSync(dataDir).find((name) => name.startsWith('secrets-set-aside-'));
    expect(existsSync(join(dataDir, aside ?? '', 'acme.json')), 'set aside, not deleted').toBe(true);
  });

  test('on this machine it either protects or is not offered', async () => {
    const store = await systemKeychain();
    if (store === null) {
      expect(await start(store).choose('keyring', null)).toMatchObject({ error: { data: { reason: 'no-keyring' } } });
      return;
    }
    const key = Buffer.alloc(32, 5);
    const kept = done(await store.keep(key));
    expect(await store.find(kept)).toEqual({ ok: true, value: key });
    await store.drop(kept);
    expect(await store.find(kept)).toMatchObject({ ok: false });
  });
});

describe('when keeping them another way breaks off', () => {
  test('by a disk that takes no more, everything stays as it was', async () => {
    const box = start(aKeychain());
    await box.choose('memory', null);
    await box.put('acme', SECRET);
    await box.put('no/place', SECRET);
    await expect(box.choose('keyring', null)).rejects.toThrow('ENOENT');
    expect(await box.status()).toMatchObject({ storage: 'memory', state: 'open' });
    expect([await box.get('acme'), await box.get('no/place')]).toEqual([SECRET, SECRET]);
    await box.forget('no/place');
    expect(await box.choose('keyring', null)).toMatchObject({ ok: true });
    expect(await box.get('acme')).toEqual(SECRET);
    expect(readdirSync(dataDir)).toEqual(['secrets']);
  });

  test('by a crash between the two folders, the next start has the old one, and by one right after it the new one', async () => {
    const [store, folder] = [aKeychain(), join(dataDir, 'secrets')];
    await start(store).put('acme', SECRET);
    renameSync(folder, `${folder}.before`);
    cpSync(`${folder}.before`, `${folder}.next`, { recursive: true });
    const next = start(store);
    expect(await next.get('acme')).toEqual(SECRET);
    cpSync(folder, `${folder}.before`, { recursive: true });
    rmSync(join(folder, 'acme.json'));
    expect(await start(store).get('acme')).toBeNull();
    expect(existsSync(`${folder}.before`)).toBe(false);
    await start(store).put('acme', SECRET);
    renameSync(folder, `${folder}.before`);
    await start(store).forget('acme');
    expect(existsSync(join(folder, 'acme.json')), 'what was forgotten does not come back').toBe(false);
    expect(await next.choose('memory', null)).toMatchObject({ ok: true });
    expect(readdirSync(dataDir), 'what was half made goes with the next choice').toEqual(['secrets']);
  });
});

test('a damaged choice is never taken for none', async () => {
  await start(aKeychain()).put('acme', SECRET);
  writeFileSync(join(dataDir, 'secrets', 'choice.json'), '{"version":1,"grade":"keyring"');
  const box = start(aKeychain());
  expect(await box.status()).toMatchObject({ state: 'refused', problem: 'damaged' });
  expect(await box.put('acme', SECRET)).toMatchObject({ ok: false });
});
