import { createHash } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FileToUpload, uploadFile } from '../../main/files/upload/upload-file.ts';
import {
  addressRule,
  checkUploadUrl,
  createUploadHosts,
  createUploadUrlExpiry,
  guardedLookup,
  isPublicAddress,
  type UploadHosts,
  type UploadUrlRule,
  uploadUrlErrorText,
} from '../../main/files/upload/upload-url-check.ts';
import { type HostileService, startHostileService } from '../faults/a-hostile-service.ts';
import { runs } from '../share.ts';
import { addVideo, videoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { controlOf } from './control.ts';

describe('upload', () => {
  let folder: string;
  let server: Server;
  let port: number;
  let seen: { headers: IncomingHttpHeaders; body: Buffer }[];
  let status: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adslate-upload-'));
    seen = [];
    status = 201;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function aFile(bytes: number): Promise<FileToUpload> {
    const content = Buffer.alloc(bytes, 'video ');
    const path = join(folder, 'file.mp4');
    await writeFile(path, content);
    return { path, contentType: 'video/mp4', bytes, sha256: createHash('sha256').update(content).digest('hex') };
  }

  function put(file: FileToUpload, onSent: (bytes: number) => void = () => undefined) {
    const target = checkUploadUrl(`http://127.0.0.1:${port}/u?sig=1`, addressRule(`http://127.0.0.1:${port}`, []));
    if (!target.ok) throw new Error('refused');
    return uploadFile(target.value, file, onSent, new AbortController().signal);
  }

  test('a file that changed since it entered the library never arrives whole', async () => {
    const file = await aFile(900_000);
    await writeFile(file.path, Buffer.alloc(900_000, 'other '));
    expect(await put(file)).toEqual({ ok: false, error: { kind: 'file-changed' } });
    await writeFile(file.path, Buffer.alloc(800_000, 'video '));
    expect(await put(file)).toEqual({ ok: false, error: { kind: 'file-changed' } });
    await writeFile(file.path, Buffer.alloc(1_900_000, 'video '));
    expect(await put(file)).toEqual({ ok: false, error: { kind: 'file-changed' } });
    expect(seen).toEqual([]);
  });

  test('a file that is gone, a refused address and a redirect are told apart', async () => {
    const file = await aFile(1000);
    expect(await put({ ...file, path: join(folder, 'gone.mp4') })).toMatchObject({
      error: { kind: 'file-unreadable' },
    });
    status = 403;
    expect(await put(file)).toEqual({ ok: false, error: { kind: 'refused', status: 403 } });
    status = 307;
    expect(await put(file)).toEqual({ ok: false, error: { kind: 'redirect', status: 307, to: '127.0.0.1' } });
  });

  test('a connection that is cut is no fault of the file', async () => {
    server.removeAllListeners('request').on('request', (request) => request.socket.resetAndDestroy());
    for (const bytes of [1000, 9_000_000]) {
      expect(await put(await aFile(bytes))).toMatchObject({ error: { kind: 'connection' } });
    }
  });

  test('an address is over by either clock, and when the wall clock goes back', () => {
    const at = { wall: 1_000_000, monotonic: 0 };
    const clock = { nowMs: () => at.wall, monotonicMs: () => at.monotonic, sleep: async () => undefined };
    const window = createUploadUrlExpiry(clock, 15);
    at.wall += 13 * 60_000;
    expect(window.isOpen()).toBe(true);
    at.wall += 2 * 60_000;
    expect(window.isOpen()).toBe(false);
    at.wall = 999_999;
    expect(window.isOpen()).toBe(false);
    at.wall = 1_000_001;
    at.monotonic = 14 * 60_000;
    expect(window.isOpen()).toBe(false);
  });
});

const RULE: UploadUrlRule = { hosts: ['storage.example'], loopbackPort: null };
const verdict = (address: string, rule = RULE): string => {
  const checked = checkUploadUrl(address, rule);
  return checked.ok ? 'allowed' : checked.error.kind;
};

test.each([
  ['https://storage.example/put?sig=1', 'allowed'],
  ['https://eu.storage.example/put', 'allowed'],
  ['https://STORAGE.EXAMPLE./put', 'allowed'],
  ['http://storage.example/put', 'not-https'],
  ['file:///etc/passwd', 'not-https'],
  ['data:text/plain,x', 'not-https'],
  ['https://user:secret@storage.example/', 'has-credentials'],
  ['https://storage.example:22/', 'port'],
  ['https://evil-storage.example/', 'unknown-host'],
  ['https://storage.example.evil.example/', 'unknown-host'],
  ['https://127.0.0.1/', 'private-address'],
  ['https://2130706433/', 'private-address'],
  ['https://0x7f000001/', 'private-address'],
  ['https://127.1/', 'private-address'],
  ['https://0177.0.0.1/', 'private-address'],
  ['https://169.254.169.254/latest/meta-data', 'private-address'],
  ['https://10.0.0.8/', 'private-address'],
  ['https://100.64.0.1/', 'private-address'],
  ['https://[::1]/', 'private-address'],
  ['https://[::ffff:127.0.0.1]/', 'private-address'],
  ['https://[fe80::1]/', 'private-address'],
  ['https://[fd00::1]/', 'private-address'],
  ['https://[64:ff9b::7f00:1]/', 'private-address'],
  ['https://8.8.8.8/', 'unknown-host'],
  ['not an address', 'not-an-address'],
])('the upload address %s is %s', (address, expected) => {
  expect(verdict(address)).toBe(expected);
});

test('this machine is open only for the very port of a connection to a sandbox on it', () => {
  const practice = addressRule('http://127.0.0.1:4600', []);
  expect(verdict('http://127.0.0.1:4600/upload/video/1', practice)).toBe('allowed');
  expect(verdict('http://127.0.0.1:4601/upload/video/1', practice)).toBe('not-https');
  expect(verdict('http://localhost:4600/upload/video/1', practice)).toBe('allowed');
  expect(verdict('http://192.168.0.9:4600/upload/video/1', practice)).toBe('not-https');
  expect(verdict('http://127.0.0.1:4600/upload', addressRule('https://service.example', []))).toBe('not-https');
  expect(verdict('https://127.0.0.1/upload', practice)).toBe('private-address');
});

test('the text for the user names the host and the next step', () => {
  const text = uploadUrlErrorText({ kind: 'unknown-host', host: 'evil.example' });
  expect(text).toContain('evil.example');
  expect(text).toContain('upload hosts');
});

test('no IPv4 address of a closed range counts as public, however it is reached', () => {
  // An oracle of its own: arithmetic on the address, not a list of networks.
  const closed = (a: number, b: number): boolean =>
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19));
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const address = `${a}.${b}.${c}.${d}`;
      if (closed(a, b)) expect(isPublicAddress(address)).toBe(false);
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
    }),
    { numRuns: runs(5000, 500) },
  );
});

const lookUp = (addresses: readonly LookupAddress[]) =>
  new Promise<string>((resolve) => {
    guardedLookup((_, done) => done(null, addresses))('storage.example', {}, (problem, address) => {
      const found = typeof address === 'string' ? address : 'several addresses';
      resolve(problem === null ? found : String(problem.code));
    });
  });

test('a host is connected to at the address that was checked, and not at all when one of its addresses is private', async () => {
  expect(await lookUp([{ address: '93.184.216.34', family: 4 }])).toBe('93.184.216.34');
  expect(
    await lookUp([
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]),
  ).toBe('ERR_PRIVATE_ADDRESS');
  expect(await lookUp([])).toBe('ENOTFOUND');
});

describe('upload hosts', () => {
  /** An upload address on a host nobody knows is asked about once; the answer is remembered, and can be taken back. */
  let service: HostileService;
  let account: TestAccount;
  let hosts: UploadHosts;

  beforeAll(async () => {
    service = await startHostileService();
    return () => service.close();
  });
  beforeEach(async () => {
    service.meet(null);
    await controlOf(service.sandbox).reset();
    account = await openAccount({ sandbox: service.front });
    hosts = createUploadHosts(account.workspace, () => 1_000);
    return () => account.close();
  });

  /** No name under `.invalid` can ever be resolved, so nothing can arrive there. */
  const HOST = 'uploads.invalid';

  function wantUploadsAt(host: string): () => number {
    let pairs = 0;
    service.meet(async ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/v1/media/upload') return null;
      pairs++;
      const at = (file: string): string => `https://${host}/${file}?se=1&sig=2`;
      const pair = {
        code: 'success',
        mediaUploadRequestId: 5_500_001,
        uploadUrl: at('video'),
        captionUrl: at('caption'),
      };
      return { status: 200, body: JSON.stringify(pair) };
    });
    return () => pairs;
  }
  async function mediaState(): Promise<readonly unknown[]> {
    const video = (await account.workspace.readMedia()).find(({ values }) => values.mediaType === 'video');
    return [video?.values.mediaState, video?.values.stateReason ?? ''];
  }

  test('the file waits here for the answer, which names the host and what would be sent', async () => {
    await account.create(videoDraft(await addVideo(account)));
    const pairs = wantUploadsAt('Uploads.INVALID.');
    expect(await account.run()).toMatchObject({ state: 'finished', uploads: 0, inDoubt: 0 });
    // An address that nobody allowed gives no reason to ask for others.
    expect(pairs()).toBe(1);
    expect(await mediaState()).toEqual(['local', expect.stringContaining(HOST)]);
    const [asked] = await hosts.list();
    expect(asked).toMatchObject({ host: HOST, state: 'asked', files: [{ name: 'kitchen-roll-spot.mp4' }] });
    expect(asked?.files[0]?.bytes).toBeGreaterThan(1000);
    expect(account.events.some((event) => event.type === 'notice' && event.message.includes(HOST))).toBe(true);
    // Another sync asks nothing new.
    await account.run();
    expect(await hosts.list()).toHaveLength(1);
  });

  test('allowed, the next sync goes there and nowhere else; the answer taken back, it asks again', async () => {
    await account.create(videoDraft(await addVideo(account)));
    wantUploadsAt(HOST);
    await account.run();
    expect(await hosts.answer(HOST, true)).toMatchObject([{ host: HOST, state: 'allowed', answeredAt: 1_000 }]);
    await account.run();
    // The name cannot be resolved, which is only found out by going there.
    expect(await mediaState()).toEqual(['failed', expect.stringContaining('ENOTFOUND')]);
    wantUploadsAt(`eu.${HOST}`);
    await account.run();
    expect((await hosts.list()).map(({ host, state }) => `${host} ${state}`)).toEqual([
      `${HOST} allowed`,
      `eu.${HOST} asked`,
    ]);
    await hosts.forget(HOST);
    wantUploadsAt(HOST);
    await account.run();
    expect((await hosts.list()).find(({ host }) => host === HOST)).toMatchObject({ state: 'asked' });
  });

  test('refused, nothing is sent and nothing is asked; a private address is refused without a question', async () => {
    await account.create(videoDraft(await addVideo(account)));
    wantUploadsAt(HOST);
    await account.run();
    await hosts.answer(HOST, false);
    await account.run();
    expect(await mediaState()).toEqual(['failed', expect.stringContaining('which you blocked')]);
    wantUploadsAt('10.0.0.7');
    await account.run();
    expect(await mediaState()).toEqual(['failed', expect.stringContaining('10.0.0.7')]);
    expect(await hosts.list()).toMatchObject([{ host: HOST, state: 'refused' }]);
  });

  test('a look-alike in other letters is shown in both forms', async () => {
    await hosts.ask('xn--80ak6aa92e.example', { name: 'film.mp4', bytes: 5 });
    expect(await hosts.list()).toMatchObject([{ host: 'xn--80ak6aa92e.example', shown: 'аррӏе.example' }]);
  });

  test('a service that names a new host every time gets no more than twenty questions', async () => {
    for (let n = 0; n < 30; n++) await hosts.ask(`h${n}.example`, { name: 'film.mp4', bytes: 5 });
    expect(await hosts.list()).toHaveLength(20);
    expect(await hosts.answer('h29.example', true)).toBeNull();
  });
});
