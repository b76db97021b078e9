import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileToUpload, uploadFile } from '../../main/files/upload/upload-file.ts';
import { addressRule, checkUploadUrl, createUploadUrlExpiry } from '../../main/files/upload/upload-url-check.ts';

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

test('the file arrives whole, with its type and length and no credentials', async () => {
  const file = await aFile(900_000);
  const steps: number[] = [];
  expect(await put(file, (bytes) => steps.push(bytes))).toEqual({ ok: true, value: null });
  expect(seen[0]?.body.byteLength).toBe(900_000);
  expect(Object.keys(seen[0]?.headers ?? {}).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
  ]);
  expect(steps.at(-1)).toBe(900_000);
});

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
  expect(await put({ ...file, path: join(folder, 'gone.mp4') })).toMatchObject({ error: { kind: 'file-unreadable' } });
  status = 403;
  expect(await put(file)).toEqual({ ok: false, error: { kind: 'refused', status: 403 } });
  status = 307;
  expect(await put(file)).toEqual({ ok: false, error: { kind: 'redirect', status: 307, to: '127.0.0.1' } });
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
