import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createPictures,
  PICTURE_LIMITS,
  type Pictures,
  type PicturesDeps,
  pictureHeader,
} from '../../main/files/pictures/pictures.ts';
import { addressRule } from '../../main/files/upload/upload-url-check.ts';
import { aPng } from '../media/builders.ts';

/** Pictures from a service that may answer anything. */
let folder: string;
let server: Server;
let base: string;
let asked: string[];
let nowMs: number;
let pictures: Pictures;

type Answer = (response: ServerResponse) => void;
const send =
  (body: Buffer | string, headers: Record<string, string> = { 'content-type': 'image/png' }, status = 200): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };
let answers: Record<string, Answer>;

const open = (more: Partial<PicturesDeps> = {}): Pictures =>
  createPictures({
    folder: join(folder, 'pictures'),
    rule: async () => addressRule(base, ['cdn.example']),
    monotonicMs: () => nowMs,
    ...more,
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adslate-pictures-'));
  asked = [];
  nowMs = 0;
  answers = { '/good.png': send(aPng(100, 100)) };
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  pictures = open();
});
afterEach(async () => {
  await pictures.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A JPEG header of this size behind an application segment. */
const aJpeg = (width: number, height: number): Buffer => {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2]), frame, Buffer.alloc(20)]);
};
const aGif = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(20);
  head.write('GIF89a', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
};
const aWebp = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(40);
  head.write('RIFF    WEBPVP8X', 'latin1');
  head.writeUIntLE(width - 1, 24, 3);
  head.writeUIntLE(height - 1, 27, 3);
  return head;
};

test('a picture is fetched once, kept by its hash, and shown without a network afterwards', async () => {
  const first = await pictures.show(`${base}/good.png`);
  expect(first).toMatchObject({ ok: true, value: { contentType: 'image/png' } });
  if (!first.ok) throw new Error('no picture');
  expect(await readFile(first.value.path)).toEqual(aPng(100, 100));
  await pictures.close();
  // The next start meets no server at all, as when offline.
  const offline = open({ rule: () => Promise.reject(new Error('nobody is to be asked')) });
  expect(await offline.show(`${base}/good.png`)).toEqual(first);
  expect(asked).toEqual(['/good.png']);
});

test('a practice service that started on another port shows the same pictures', async () => {
  const first = await pictures.show('http://127.0.0.1:1/good.png');
  expect(first.ok).toBe(true);
  expect(await pictures.show(`${base}/good.png`)).toEqual(first);
  expect(asked).toHaveLength(1);
});

const HOSTILE: readonly (readonly [what: string, answer: Answer])[] = [
  ['a web page called a picture', send('<!doctype html><script>alert(1)</script>')],
  [
    'a drawing with a script',
    send('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', { 'content-type': 'image/svg+xml' }),
  ],
  ['a PNG that is sent as a web page', send(aPng(10, 10), { 'content-type': 'text/html' })],
  ['a PNG of 60,000 x 60,000 pixels', send(aPng(60_000, 60_000))],
  ['a JPEG of 60,000 pixels a side', send(aJpeg(60_000, 10))],
  ['a GIF of 65,535 pixels a side', send(aGif(10, 65_535))],
  ['a WebP of 16 million pixels a side', send(aWebp(16_000_000, 10))],
  ['half a PNG header', send(aPng(10, 10).subarray(0, 20))],
  ['nothing', send('')],
  [
    'a gzip bomb',
    send(gzipSync(Buffer.alloc(50_000_000)), { 'content-type': 'image/png', 'content-encoding': 'gzip' }),
  ],
  ['a length of 3 GB', send('', { 'content-type': 'image/png', 'content-length': '3000000000' })],
  [
    'a picture without end',
    (response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = (): void => {
        while (response.write(randomBytes(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      response.write(aPng(10, 10));
      more();
    },
  ],
  ['a redirect into a private network', send('', { location: 'http://169.254.169.254/latest/meta-data' }, 302)],
  ['a redirect to a picture', send('', { location: '/good.png' }, 301)],
];
test.each(HOSTILE)('what is no picture to draw never reaches a window: %s', async (_what, answer) => {
  answers['/bad'] = answer;
  expect(await pictures.show(`${base}/bad`)).toEqual({ ok: false, error: { kind: 'unfit', host: '127.0.0.1' } });
  expect(asked).toEqual(['/bad']);
  // The neighbors are not held up, and nothing was kept.
  expect((await pictures.show(`${base}/good.png`)).ok).toBe(true);
  expect((await readdir(join(folder, 'pictures'))).filter((name) => name !== 'index.json')).toHaveLength(1);
});

test('an answer that does not come, or stops in the middle, is given up after its time', async () => {
  pictures = open({ limits: { ...PICTURE_LIMITS, timeoutMs: 150 } });
  answers['/never'] = () => undefined;
  answers['/stops'] = (response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(aPng(10, 10).subarray(0, 20));
  };
  answers['/drips'] = (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const drip = setInterval(() => response.write('.'), 20);
    response.once('close', () => clearInterval(drip));
  };
  for (const path of ['/never', '/stops', '/drips']) {
    expect(await pictures.show(base + path)).toEqual({ ok: false, error: { kind: 'unreachable', host: '127.0.0.1' } });
  }
  expect((await pictures.show(`${base}/good.png`)).ok).toBe(true);
});

test('only hosts that are allowed are asked, and none in a private network', async () => {
  const addresses = [
    ['https://elsewhere.example/a.png', 'host'],
    ['https://evil-cdn.example/a.png', 'host'],
    ['http://cdn.example/a.png', 'unfit'],
    ['https://cdn.example:8443/a.png', 'unfit'],
    ['https://user:secret@cdn.example/a.png', 'unfit'],
    ['https://10.0.0.7/a.png', 'unfit'],
    ['https://0x7f000001/a.png', 'unfit'],
    ['file:///etc/passwd', 'unfit'],
    ['data:image/png;base64,AAAA', 'unfit'],
    ['no address', 'unfit'],
  ] as const;
  const resolved: string[] = [];
  pictures = open({
    resolve: (host, done) => {
      resolved.push(host);
      done(null, [{ address: '192.168.1.1', family: 4 }]);
    },
  });
  for (const [address, kind] of addresses) {
    expect([address, await pictures.show(address)]).toMatchObject([address, { ok: false, error: { kind } }]);
  }
  expect(resolved).toEqual([]);
  // An allowed name that leads into a private network is not connected to.
  expect(await pictures.show('https://cdn.example/a.png')).toMatchObject({ ok: false });
  expect(resolved).toEqual(['cdn.example']);
  expect(asked).toEqual([]);
});

test('an address that gave no picture is asked again after a minute', async () => {
  expect((await pictures.show(`${base}/late.png`)).ok).toBe(false);
  answers['/late.png'] = send(aPng(10, 10));
  expect((await pictures.show(`${base}/late.png`)).ok).toBe(false);
  expect(asked).toHaveLength(1);
  nowMs += 60_000;
  expect((await pictures.show(`${base}/late.png`)).ok).toBe(true);
});

test('four addresses are asked at once, and each once however often it is wanted', async () => {
  let most = 0;
  const open: (() => void)[] = [];
  const answerAll = (): void => {
    for (const answer of open.splice(0)) answer();
  };
  for (let at = 0; at < 20; at++) {
    answers[`/${at}.png`] = (response) => {
      most = Math.max(
        most,
        open.push(() => send(aPng(10 + at, 10))(response)),
      );
      // None is answered before four have come, and a fifth would come meanwhile.
      if (open.length === 4) setTimeout(answerAll, 20);
    };
  }
  const wanted = Array.from({ length: 40 }, (_, at) => pictures.show(`${base}/${at % 20}.png`));
  expect((await Promise.all(wanted)).every(({ ok }) => ok)).toBe(true);
  expect([most, asked.length]).toEqual([4, 20]);
});

test('the cache holds so many bytes and lets go of what was not looked at for longest', async () => {
  const png = (at: number) => Buffer.concat([aPng(10 + at, 10), Buffer.alloc(1000)]);
  pictures = open({ bytesMax: 3 * png(0).length + 200 });
  for (let at = 0; at < 3; at++) {
    answers[`/${at}.png`] = send(png(at));
    await pictures.show(`${base}/${at}.png`);
  }
  await pictures.show(`${base}/0.png`);
  answers['/3.png'] = send(png(3));
  await pictures.show(`${base}/3.png`);
  asked = [];
  for (const at of [0, 2, 3]) expect((await pictures.show(`${base}/${at}.png`)).ok).toBe(true);
  expect(asked).toEqual([]);
  await pictures.show(`${base}/1.png`);
  expect(asked).toEqual(['/1.png']);
  const files = (await readdir(join(folder, 'pictures'))).filter((name) => name !== 'index.json');
  expect(files).toHaveLength(3);
});

test('a cache whose book is damaged or whose files are gone is filled again', async () => {
  await pictures.show(`${base}/good.png`);
  const [file = ''] = (await readdir(join(folder, 'pictures'))).filter((name) => name !== 'index.json');
  await rm(join(folder, 'pictures', file));
  expect((await pictures.show(`${base}/good.png`)).ok).toBe(true);
  expect(asked).toHaveLength(2);
});

test('what a search said of items is there after a start', async () => {
  const item = {
    itemId: '0012345678',
    name: 'Roll',
    imageUrl: `${base}/good.png`,
    pageUrl: 'https://shop.example/ip/1',
  };
  await pictures.noteItems([item]);
  await pictures.close();
  expect(await open().item('0012345678')).toEqual(item);
  expect(await open().item('0000000000')).toBeNull();
  expect(await open().itemsWith(['rol'], 5)).toEqual([item]);
  expect(await open().itemsWith(['rol', '99'], 5)).toEqual([]);
});

test('a frame of a video is kept by the hash of its file, and what is no picture is not', async () => {
  const sha256 = 'a'.repeat(64);
  expect(await pictures.poster(sha256)).toBeNull();
  expect(await pictures.keepPoster(sha256, Buffer.from('no picture'))).toBeNull();
  const kept = await pictures.keepPoster(sha256, aJpeg(432, 243));
  expect(kept).toMatchObject({ contentType: 'image/jpeg' });
  expect(await open().poster(sha256)).toEqual(kept);
});

test('the size of a picture is read from its header in each form', () => {
  expect(pictureHeader(aPng(30, 20))).toEqual({ contentType: 'image/png', width: 30, height: 20 });
  expect(pictureHeader(aJpeg(30, 20))).toEqual({ contentType: 'image/jpeg', width: 30, height: 20 });
  expect(pictureHeader(aGif(30, 20))).toEqual({ contentType: 'image/gif', width: 30, height: 20 });
  expect(pictureHeader(aWebp(30, 20))).toEqual({ contentType: 'image/webp', width: 30, height: 20 });
  for (let length = 0; length < 64; length++) {
    for (const start of [aPng(3, 3), aJpeg(3, 3), aGif(3, 3), aWebp(3, 3)]) {
      expect(() => pictureHeader(Buffer.concat([start.subarray(0, length), randomBytes(8)]))).not.toThrow();
    }
  }
});
