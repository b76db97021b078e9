import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { uploadFile } from '../../main/files/upload/upload-file.ts';
import { addressRule, checkUploadUrl } from '../../main/files/upload/upload-url-check.ts';
import { said } from './figure.ts';

/**
 * What takes the bytes: a process of its own, so that its work is not counted as ours. Like every storage it hashes
 * what it gets; it says the hash of each upload on a line of its own.
 */
const STORAGE = `
const { createHash } = require('node:crypto');
require('node:http').createServer((request, response) => {
  const hash = createHash('sha256');
  request.on('data', (chunk) => hash.update(chunk));
  request.on('end', () => { console.log(hash.digest('hex')); response.writeHead(201).end(); });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const TURNS = 3;

/**
 * Uploads a file of zeros in turns with `curl -T`, to the same server; the best of each counts. An upload of which
 * other bytes arrived counts for nothing.
 */
export async function uploadBesideCurl(megabytes: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'adslate-bench-'));
  const path = join(folder, 'film.mp4');
  const bytes = megabytes * 2 ** 20;
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
  const sha256 = await hashOf(path);
  const storage = spawn(process.execPath, ['-e', STORAGE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: storage.stdout })[Symbol.asyncIterator]();
  try {
    const base = `http://127.0.0.1:${(await lines.next()).value}`;
    const target = checkUploadUrl(`${base}/upload`, addressRule(base, []));
    if (!target.ok) throw new Error('the address was refused');
    const order = { path, contentType: 'video/mp4', bytes, sha256 };
    const arrives = async (work: Promise<unknown>): Promise<number> => {
      const began = performance.now();
      await work;
      const seconds = (performance.now() - began) / 1000;
      if ((await lines.next()).value !== sha256) throw new Error('other bytes arrived');
      return seconds;
    };
    const seconds: { readonly ours: number[]; readonly curl: number[] } = { ours: [], curl: [] };
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    for (let turn = 0; turn < TURNS; turn++) {
      seconds.ours.push(await arrives(uploadFile(target.value, order, () => undefined, new AbortController().signal)));
      const curl = spawn('curl', ['-s', '-T', path, `${base}/upload`], { stdio: 'ignore' });
      seconds.curl.push(await arrives(once(curl, 'exit')));
    }
    clearInterval(watch);
    const all = [
      said(`upload of ${megabytes} MB, hashed on the way`, Math.min(...seconds.ours), 's', {
        peer: 'curl -T to the same server',
        peerValue: Math.min(...seconds.curl),
        ratioBar: 1 / 0.8,
      }),
      said('memory while uploading', (peak - before) / 2 ** 20, 'MB', { bar: 64 }),
    ];
    return all.every(Boolean);
  } finally {
    storage.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
