import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../main/clock.ts';
import { addressRule, checkUploadAddress } from '../../main/media/upload/address-guard.ts';
import { putFile } from '../../main/media/upload/put-file.ts';
import type { CreateRow } from '../../main/workspace/port.ts';
import type { ReadyLine } from '../../sandbox/start.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { defaultProfile } from '../../shared/profile/profile.ts';
import { openAccount } from '../sync/an-account.ts';
import { seeded } from '../sync/simulator/seeded.ts';
import { said, share } from './figure.ts';

/**
 * A sync of 10,000 changed elements over HTTP with 20 ms latency and 2 % faults that need no settling, edits meanwhile,
 * and an upload beside `curl -T`: `node test/bench/sync.bench.ts [IGNORED [MEGABYTES]]`.
 */
const LATENCY_MS = 20;
const FAULTS = 0.02;
const LANES = 4;
const CAMPAIGNS = 50;
const KEYWORDS = 198;
const MEGABYTES = Number(process.argv[3] ?? 4096);

async function startSandbox(): Promise<{ readonly ready: ReadyLine; readonly stop: () => void }> {
  const cli = join(import.meta.dirname, '../../sandbox/cli.ts');
  const args = [cli, '--rate', 'off', '--scenario', 'empty', '--clock', 'virtual', '--extensions', 'on'];
  const program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: program.stdout }), 'line');
  return { ready: JSON.parse(String(line)) as ReadyLine, stop: () => program.kill() };
}

const draft = (n: number): readonly CreateRow[] => [
  {
    kind: 'campaign',
    parent: null,
    values: {
      name: `Bench ${n}`,
      campaignType: 'sba',
      targetingType: 'manual',
      totalBudget: 450_000,
      dailyBudget: 3750,
      startDate: '2030-03-04',
      status: 'enabled',
    },
  },
  { kind: 'adGroup', parent: { at: 0 }, values: { name: `Bench group ${n}`, status: 'enabled' } },
  ...Array.from({ length: KEYWORDS }, (_, k): CreateRow => {
    const values = { text: `kitchen roll ${n} ${k}`, matchType: 'exact', bid: 185, state: 'enabled' };
    return { kind: 'keyword', parent: { at: 1 }, values };
  }),
];

async function syncManyElements(): Promise<boolean> {
  const sandbox = await startSandbox();
  const random = seeded(42);
  let requests = 0;
  const usual = defaultProfile('shop.example');
  const account = await openAccount({
    sandbox: { ready: sandbox.ready, close: async () => undefined },
    capabilities: WITH_EXTENSIONS,
    profile: { ...usual, rate: { ...usual.rate, opsPerHour: 10_000_000 } },
    clock: systemClock,
    fetch: async (input, init) => {
      requests++;
      await systemClock.sleep(LATENCY_MS);
      if (random.chance(FAULTS)) {
        const sort = random.int(3);
        if (sort === 0)
          return new Response('{"error":"Rate limit exceeded"}', { status: 429, headers: { 'retry-after': '1' } });
        if (sort === 1) throw Object.assign(new TypeError('fetch failed'), { cause: refused() });
        await systemClock.sleep(500);
      }
      return fetch(input, init);
    },
  });
  try {
    let item = 0;
    for (let n = 0; n < CAMPAIGNS; n++) [, item = 0] = await account.create(draft(n));
    const started = performance.now();
    const begun = await account.sync.run({ submit: false, campaignIds: null });
    if (!begun.ok) throw new Error('the run did not begin');
    let isOver = false;
    const ended = account.sync.idle().then((report) => {
      isOver = true;
      return report;
    });
    const edits: number[] = [];
    for (let n = 0; !isOver; n++) {
      const began = performance.now();
      await account.edit('adGroup', item as never, { name: `Bench group ${n}` });
      edits.push(performance.now() - began);
      await systemClock.sleep(25);
    }
    const report = await ended;
    const ms = performance.now() - started;
    const elements = CAMPAIGNS * (KEYWORDS + 2);
    if (report === null || report.done < elements) throw new Error(`only ${report?.done} of ${elements} were done`);
    const boundMs = (requests * LATENCY_MS) / LANES;
    const all = [
      said(`sync of ${elements} elements, 20 ms latency, 2 % faults`, ms / 1000, 's', {
        bar: 60,
        peer: 'requests x latency / lanes',
        peerValue: boundMs / 1000,
        ratioBar: 1 / 0.85,
      }),
      said(
        'edit during that sync, p99',
        share(
          edits.sort((a, b) => a - b),
          0.99,
        ),
        'ms',
        { bar: 20 },
      ),
    ];
    return all.every(Boolean);
  } finally {
    await account.close();
    sandbox.stop();
  }
}

const refused = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

async function uploadBesideCurl(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'adslate-bench-'));
  const path = join(folder, 'film.mp4');
  const file = await open(path, 'w');
  await file.truncate(MEGABYTES * 1024 * 1024);
  await file.close();
  // What takes the bytes is a process of its own, so that its work is not counted as ours.
  const script = `require('http').createServer((q,s)=>{q.on('data',()=>{});q.on('end',()=>s.writeHead(201).end())}).listen(0,'127.0.0.1',function(){console.log(this.address().port)})`;
  const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(createInterface({ input: server.stdout }), 'line');
  try {
    const url = `http://127.0.0.1:${port}/upload`;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    const sha256 = hash.digest('hex');
    const target = checkUploadAddress(url, addressRule(`http://127.0.0.1:${port}`, []));
    if (!target.ok) throw new Error('the address was refused');
    const order = { path, contentType: 'video/mp4', bytes: MEGABYTES * 1024 * 1024, sha256 };
    const seconds: { readonly ours: number[]; readonly curl: number[] } = { ours: [], curl: [] };
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 10);
    for (let turn = 0; turn < 2; turn++) {
      let began = performance.now();
      const put = await putFile(target.value, order, () => undefined, new AbortController().signal);
      if (!put.ok) throw new Error(JSON.stringify(put.error));
      seconds.ours.push((performance.now() - began) / 1000);
      began = performance.now();
      const curl = spawn('curl', ['-s', '-T', path, url], { stdio: 'ignore' });
      await once(curl, 'exit');
      seconds.curl.push((performance.now() - began) / 1000);
    }
    clearInterval(watch);
    const all = [
      said(`upload of ${MEGABYTES} MB, hashed on the way`, Math.min(...seconds.ours), 's', {
        peer: 'curl -T',
        peerValue: Math.min(...seconds.curl),
        ratioBar: 1 / 0.8,
      }),
      said('memory while uploading', (peak - before) / 2 ** 20, 'MB', { bar: 64 }),
    ];
    return all.every(Boolean);
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const kept = [await syncManyElements(), await uploadBesideCurl()];
process.exitCode = kept.every(Boolean) ? 0 : 1;
