import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FEED_VARIABLE, readUpdateFeed, signList } from '../../main/hosts/electron/update-feed.ts';
import { createUpdates, installsHere, type UpdatePorts } from '../../main/hosts/electron/updates.ts';
import type { UpdateState } from '../../shared/api/app.ts';
import { testFolder } from '../folder.ts';

/** The updater as it is shipped, with its library, against a real server on loopback; only the runtime is not there. */
const scratch = testFolder('updates');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const LIST = process.arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${process.arch}.yml`;

/** What the server has, by path; a function answers by itself. */
const files = new Map<string, string | ((response: ServerResponse) => void)>();
const asked: { readonly path: string; readonly headers: object }[] = [];
let origin = '';
beforeAll(async () => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    asked.push({ path, headers: request.headers });
    const file = files.get(path);
    if (typeof file === 'function') file(response);
    else response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
  return () => server.close();
});
afterEach(() => {
  files.clear();
  asked.length = 0;
  vi.unstubAllEnvs();
});

const settingsFile = join(scratch, 'app-update.yml');
writeFileSync(settingsFile, 'updaterCacheDirName: adslate-updater\n');
let made = 0;

/** An installation of 1.0.0 that follows the feed. */
function installation(more: Partial<UpdatePorts> = {}) {
  made += 1;
  const folder = join(scratch, String(made));
  mkdirSync(folder);
  const appImage = join(folder, 'Adslate-1.0.0.AppImage');
  writeFileSync(appImage, 'the old one', { mode: 0o755 });
  vi.stubEnv('APPIMAGE', appImage);
  const told: string[] = [];
  const states: UpdateState[] = [];
  const updates = createUpdates({
    feed: { url: `${origin}/`, key: publicKey },
    version: '1.0.0',
    installs: 'appimage',
    settingsFile,
    cacheDir: join(folder, 'cache'),
    send: fetch,
    patienceMs: 5000,
    changed: () => void states.push(updates.state()),
    log: (_event, { reason }) => void told.push(reason),
    busyWith: () => null,
    leave: (replace) => replace(),
    quit: () => void told.push('quit'),
    ...more,
  });
  const settled = async (): Promise<UpdateState> => {
    updates.check();
    await vi.waitUntil(() => !['checking', 'downloading'].includes(updates.state().state), { timeout: 120_000 });
    return updates.state();
  };
  const pending = join(folder, 'cache', 'adslate-updater', 'pending');
  const cached = (): readonly string[] =>
    existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith('.AppImage')) : [];
  return { updates, settled, states, told, folder, appImage, pending, cached };
}

interface Release {
  readonly version?: string;
  readonly content?: string;
  /** What the server has in its place. */
  readonly served?: string;
  readonly key?: KeyObject;
  readonly name?: string;
  readonly signedAs?: string;
}

/** Puts a release on the server, signed as the script signs it. */
function publish({ version = '1.1.0', content = 'the new one', ...more }: Release = {}): string {
  const { served = content, key = privateKey, name = `Adslate-${version}.AppImage`, signedAs = LIST } = more;
  const sha512 = createHash('sha512').update(content).digest('base64');
  const size = Buffer.byteLength(content);
  const list = `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${size}\npath: ${name}\nsha512: ${sha512}\n`;
  files.set(`/${LIST}`, list);
  files.set(`/${LIST}.sig`, signList(key, signedAs, list));
  files.set(`/${name}`, served);
  return list;
}

test('a signed update is downloaded, verified, and put in the place of the old one by the press alone', async () => {
  const started = join(scratch, 'started');
  publish({ content: `#!/bin/sh\necho "$APPIMAGE_SILENT_INSTALL" > "${started}"\n` });
  const { updates, settled, states, told, folder, appImage, cached } = installation();
  expect(updates.state()).toEqual({ state: 'idle' });
  expect(await settled()).toEqual({ state: 'ready', version: '1.1.0' });
  expect(states.map(({ state }) => state)).toEqual(expect.arrayContaining(['checking', 'downloading', 'ready']));
  expect(cached()).toEqual(['Adslate-1.1.0.AppImage']);
  expect(readFileSync(appImage, 'utf8'), 'nothing is replaced by itself').toBe('the old one');
  expect(await updates.restart()).toBeNull();
  expect(told).toEqual(['quit']);
  expect(existsSync(appImage)).toBe(false);
  expect(readFileSync(join(folder, 'Adslate-1.1.0.AppImage'), 'utf8')).toContain('#!/bin/sh');
  await vi.waitUntil(() => existsSync(started) && readFileSync(started, 'utf8') === 'true\n', { timeout: 120_000 });
  const said = JSON.stringify(asked.map(({ headers }) => headers));
  expect(said, 'no ID of this computer').not.toMatch(/staging/i);
});

test('the script signs what the program takes', async () => {
  const key = join(scratch, 'release.pem');
  const script = (...words: readonly string[]): string =>
    execFileSync(process.execPath, ['scripts/sign-update.ts', ...words], { encoding: 'utf8' });
  const [, text = ''] = /: (\S+)$/m.exec(script('--new-key', key)) ?? [];
  const list = publish({ key: generateKeyPairSync('ed25519').privateKey });
  writeFileSync(join(scratch, LIST), list);
  script(key, join(scratch, LIST));
  files.set(`/${LIST}.sig`, readFileSync(join(scratch, `${LIST}.sig`), 'utf8'));
  const folder = join(scratch, 'packed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ updates: { feed: origin, key: text } }));
  const feed = await readUpdateFeed(folder, undefined);
  if (feed === null) throw new Error('no feed');
  expect(await installation({ feed }).settled()).toMatchObject({ state: 'ready' });
});

describe('is not taken', () => {
  const refused = async (problem: string, more?: Partial<UpdatePorts>): Promise<void> => {
    const { updates, settled, told, appImage, cached } = installation(more);
    expect(await settled()).toEqual({ state: 'failed', problem });
    expect(await updates.restart()).toBe('not-ready');
    expect(told).toEqual([problem]);
    expect(cached()).toEqual([]);
    expect(readFileSync(appImage, 'utf8')).toBe('the old one');
  };

  test('a list without a signature, or with one of another key, another list or another system', async () => {
    const list = publish();
    files.delete(`/${LIST}.sig`);
    await refused('unsigned');
    publish({ key: generateKeyPairSync('ed25519').privateKey });
    await refused('wrong-signature');
    publish();
    files.set(`/${LIST}`, list.replaceAll('1.1.0', '1.1.1'));
    await refused('wrong-signature');
    publish({ signedAs: 'latest.yml' });
    await refused('wrong-signature');
    files.set(`/${LIST}.sig`, 'no signature at all');
    await refused('wrong-signature');
    expect(asked.map(({ path }) => path).filter((path) => path.endsWith('.AppImage'))).toEqual([]);
  });

  test('a package that is not the one of the list', async () => {
    publish({ served: 'something else' });
    await refused('wrong-checksum');
    publish({ served: 'the new o' });
    await refused('wrong-checksum');
  });

  test('a package of another place, and a list that leads elsewhere', async () => {
    publish({ name: 'https://other.invalid/Adslate-1.1.0.AppImage' });
    await refused('unreadable');
    publish();
    files.set(`/${LIST}`, (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    await refused('unreachable');
    publish();
    files.set('/Adslate-1.1.0.AppImage', (response) => response.writeHead(302, { location: '/other' }).end());
    await refused('unreachable');
  });

  test('a list that is none, or has no end', async () => {
    const list = 'version: [';
    files.set(`/${LIST}`, list);
    files.set(`/${LIST}.sig`, signList(privateKey, LIST, list));
    await refused('unreadable');
    files.set(`/${LIST}`, 'a'.repeat(100_000));
    await refused('unreadable');
    files.clear();
    await refused('no-release');
  });

  test('anything of a feed that hangs, at its list or in the middle of a package', async () => {
    publish();
    files.set(`/${LIST}`, () => {});
    await refused('timed-out', { patienceMs: 200 });
    publish();
    files.set('/Adslate-1.1.0.AppImage', (response) => response.writeHead(200, { 'content-length': 11 }).write('the'));
    await refused('timed-out', { patienceMs: 200 });
  });
});

test.each(['1.0.0', '0.9.9', '1.0.0-beta.1'])(
  '%s is no update of 1.0.0, though its signature is right',
  async (version) => {
    publish({ version });
    const { settled, cached } = installation();
    expect(await settled()).toEqual({ state: 'newest' });
    expect(cached()).toEqual([]);
  },
);

test('a package that was changed after its download is not installed, and is fetched again', async () => {
  publish();
  const { updates, settled, pending, appImage } = installation();
  await settled();
  appendFileSync(join(pending, 'Adslate-1.1.0.AppImage'), '!');
  expect(await updates.restart()).toBe('not-ready');
  expect(updates.state()).toEqual({ state: 'failed', problem: 'wrong-checksum' });
  expect(readFileSync(appImage, 'utf8')).toBe('the old one');
  expect(await settled()).toMatchObject({ state: 'ready' });
});

test.each(['sync', 'task', 'windows'] as const)(
  'nothing is closed or replaced in the middle of: %s',
  async (reason) => {
    publish();
    const { updates, settled, told, appImage } = installation({ busyWith: () => reason });
    await settled();
    expect(await updates.restart()).toBe(reason);
    expect(told).toEqual([]);
    expect(readFileSync(appImage, 'utf8')).toBe('the old one');
    expect(updates.state()).toMatchObject({ state: 'ready' });
  },
);

test('an installation of a package manager is told of a newer version and fetches nothing', async () => {
  publish();
  const { settled, cached } = installation({ installs: null });
  expect(await settled()).toEqual({ state: 'newer', version: '1.1.0' });
  expect(cached()).toEqual([]);
  expect(installsHere('linux', {})).toBeNull();
  expect(installsHere('linux', { APPIMAGE: '/a' })).toBe('appimage');
  expect(installsHere('win32', {})).toBe('nsis');
  expect(installsHere('win32', { PORTABLE_EXECUTABLE_DIR: 'C:/a' })).toBeNull();
});

describe('the feed', () => {
  const folder = join(scratch, 'package');
  mkdirSync(folder);
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const read = (updates: object | undefined, named?: string) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'adslate', updates }));
    return readUpdateFeed(folder, named);
  };
  const feed = 'https://updates.example/adslate';

  test('is that of the package, or a copy that the administrator names, or none', async () => {
    expect(await read(undefined)).toBeNull();
    expect(await read(undefined, 'https://updates.example/'), 'no key, no feed').toBeNull();
    expect((await read({ feed, key }))?.url).toBe('https://updates.example/adslate/');
    expect((await read({ feed, key }, 'https://copy.example/a/'))?.url).toBe('https://copy.example/a/');
    expect(await read({ feed, key }, 'off')).toBeNull();
    expect((await read({ feed: 'http://127.0.0.1:8080', key }))?.url).toBe('http://127.0.0.1:8080/');
  });

  test.each([
    'http://updates.example/',
    'http://127.0.0.1.example/',
    'ftp://updates.example/',
    'file:///updates',
    'https://me:secret@updates.example/',
    'updates',
    '',
  ])('%s is not followed', async (address) => {
    await expect(read({ feed: address, key })).rejects.toThrow('The update feed must be an https address');
    await expect(read({ feed, key }, address)).rejects.toThrow('The update feed must be an https address');
  });

  test('with another kind of key is not followed', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const other = rsa.export({ type: 'spki', format: 'der' }).toString('base64');
    await expect(read({ feed, key: other })).rejects.toThrow('must be an Ed25519 key');
    await expect(read({ feed })).rejects.toThrow('needs "feed" and "key"');
  });
});

test('the variable is the one that the guide names', () => {
  expect(readFileSync('docs/updates.md', 'utf8')).toContain(FEED_VARIABLE);
});
