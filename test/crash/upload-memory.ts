import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadFile } from '../../main/files/upload/upload-file.ts';
import { addressRule, checkUploadUrl } from '../../main/files/upload/upload-url-check.ts';

/**
 * Uploads a file of 500 MB (sparse: it takes no room on the disk) and prints by how much the memory of the process
 * grew at its peak. Ends with 1 when that is more than 64 MB.
 */
const MEGABYTE = 1024 * 1024;
const BYTES = 500 * MEGABYTE;
const LIMIT = 64 * MEGABYTE;

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'adslate-memory-'));
  const path = join(folder, 'large.mp4');
  const file = await open(path, 'w');
  await file.truncate(BYTES);
  await file.close();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const received = { bytes: 0 };
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      received.bytes += chunk.byteLength;
    });
    request.on('end', () => response.writeHead(201).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const target = checkUploadUrl(`http://127.0.0.1:${port}/upload`, addressRule(`http://127.0.0.1:${port}`, []));
  if (!target.ok) throw new Error('the address was refused');

  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const started = performance.now();
  const order = { path, contentType: 'video/mp4', bytes: BYTES, sha256: hash.digest('hex') };
  const put = await uploadFile(target.value, order, () => undefined, new AbortController().signal);
  const tookMs = performance.now() - started;
  clearInterval(watch);
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });

  const grownMb = (peak - before) / MEGABYTE;
  const ok = put.ok && received.bytes === BYTES && peak - before <= LIMIT;
  console.log(
    JSON.stringify({
      name: 'upload.memory',
      value: Number(grownMb.toFixed(1)),
      unit: 'MB',
      bar: 64,
      ok,
      tookMs: Math.round(tookMs),
    }),
  );
  return ok ? 0 : 1;
}

process.exitCode = await main();
