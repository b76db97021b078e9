import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, onTestFinished } from 'vitest';
import { type ReadyLine, startSandbox } from '../../sandbox/start.ts';
import { SCHEMA_VERSION, schema } from '../../sandbox/tables.ts';
import { share } from '../share.ts';
import { conform } from './case.ts';
import { createClient, fieldOf, idOf } from './client.ts';
import { aVideo, putBytes, requestUpload, uploadVideo } from './files.ts';
import { aCampaign, START } from './world.ts';

const section = 'Start and stop';
const root = join(import.meta.dirname, '../..');
const children: ChildProcess[] = [];
const folders: string[] = [];

afterAll(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function run(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'sandbox/cli.ts'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

type Program = Awaited<ReturnType<typeof start>>;
async function start(...args: readonly string[]) {
  const child = run(...args);
  let output = '';
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      output += bytes;
      if (output.includes('\n')) resolve(JSON.parse(output));
    });
    child.on('exit', (code) => reject(new Error(`exit ${code}`)));
  });
  return { child, ready, output: () => output };
}

const exitOf = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));

function anAccount({ ready }: Pick<Program, 'ready'>) {
  const [account] = ready.accounts;
  if (account === undefined) throw new Error('no account');
  return account;
}

/** An owner of a new service in this process, with its files in this folder. */
async function ownerOn(folder: string) {
  const sandbox = await startSandbox({ dataDir: folder, scenario: 'empty' });
  onTestFinished(() => sandbox.close());
  return createClient(sandbox.ready.baseUrl, anAccount(sandbox));
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  folders.push(folder);
  return folder;
}

/** Started once, for the cases that only look at it. */
let empty: Promise<Program> | undefined;
const emptyProgram = () => {
  empty ??= start('--scenario', 'empty');
  return empty;
};

conform(section, 'one line of JSON on standard output, and nothing else', async () => {
  const { ready, output } = await emptyProgram();
  expect(ready).toMatchObject({
    ready: true,
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    controlUrl: `${ready.baseUrl}/sandbox`,
    retailHost: 'https://shop.example',
    headerPrefix: 'SVC',
  });
  expect(ready.accounts[0]).toEqual({
    advertiserId: 900001,
    name: expect.any(String),
    migrated: true,
    role: 'owner',
    token: expect.any(String),
    consumerId: expect.any(String),
    keyVersion: '2',
    privateKeyPem: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----/),
  });
  expect(output().trimEnd().split('\n')).toHaveLength(1);
});

const WRONG = [
  ['--port', 'x'],
  ['--scenario', 'other'],
  ['--now', 'soon'],
  ['--clock', 'slow'],
  ['--extensions', 'maybe'],
  ['--unknown'],
];
conform(section, 'a wrong command line exits with 2', async () => {
  for (const args of share('wrong command lines of the sandbox', WRONG, 3)) {
    expect([args, await exitOf(run(...args))]).toEqual([args, 2]);
  }
});

conform(section, '--help names every option and starts nothing', async () => {
  const child = run('--help');
  const exit = exitOf(child);
  const said = child.stdout === null ? '' : await text(child.stdout);
  expect(await exit).toBe(0);
  const options = ['port', 'data', 'scenario', 'now', 'clock', 'extensions', 'seed', 'rate', 'quirks'];
  expect(said.match(/--\w+/g)).toEqual(options.map((option) => `--${option}`));
});

conform('Persistence', 'with --data nothing is lost by SIGTERM, SIGINT or SIGKILL', async () => {
  const args = ['--data', dataFolder(), '--scenario', 'conformance', '--clock', 'virtual', '--now', START];
  let program = await start(...args);
  const { accounts } = program.ready;
  const owner = createClient(program.ready.baseUrl, anAccount(program));
  const campaignId = idOf(await owner.post('/api/v1/campaigns', [aCampaign()]), 'campaignId');
  const mediaId = await uploadVideo(owner, aVideo(20));
  const advance = (duration: string) =>
    fetch(`${program.ready.controlUrl}/clock`, { method: 'POST', body: JSON.stringify({ advance: duration }) });
  await advance('PT10M');
  for (const [signal, code] of [
    ['SIGTERM', 0],
    ['SIGINT', 0],
    ['SIGKILL', null],
  ] as const) {
    const exit = exitOf(program.child);
    program.child.kill(signal);
    expect([signal, await exit]).toEqual([signal, code]);
    expect(program.output().trimEnd().split('\n')).toHaveLength(1);

    program = await start(...args);
    expect(program.ready.accounts).toEqual(accounts);
    const state = await (await fetch(`${program.ready.controlUrl}/state`)).json();
    expect(state).toMatchObject({ now: '2026-05-05T19:10:00.000Z' });
    expect(state.campaigns.find((one: { campaignId: number }) => one.campaignId === campaignId)).toMatchObject({
      status: 'proposal',
    });
  }
  await advance('PT20M');
  const again = createClient(program.ready.baseUrl, anAccount(program));
  const media = await again.get(`/api/v1/media?mediaId=${mediaId}`);
  expect(fieldOf(media, 'status')).toBe('available');
  const video = await fetch(String(fieldOf(media, 'videoUrl')));
  expect(video.headers.get('content-length')).toBe(String(aVideo(20).length));
});

conform('Persistence', 'data of another version are refused with a way out, not read', async () => {
  const folder = dataFolder();
  const file = new DatabaseSync(join(folder, 'sandbox.db'));
  file.exec('PRAGMA user_version = 99');
  file.close();
  const child = run('--data', folder);
  let told = '';
  child.stderr?.on('data', (bytes) => {
    told += bytes;
  });
  expect(await exitOf(child)).toBe(1);
  expect(told).toMatch(/another version of the sandbox \(99; this one reads 2\)/);
});

conform('Persistence', 'the stored form changes only on purpose', async () => {
  // When this fails: raise SCHEMA_VERSION unless a table was only added, then write the new hash here.
  const hash = createHash('sha256').update(schema).digest('hex').slice(0, 16);
  expect([SCHEMA_VERSION, hash]).toEqual([2, '79a94bd4bd776b0b']);
});

conform(section, 'it runs in a worker thread and closes on a message', async () => {
  const worker = new Worker(new URL('../../sandbox/worker.ts', import.meta.url), { workerData: { scenario: 'empty' } });
  const next = () => new Promise<unknown>((resolve) => worker.once('message', resolve));
  expect(await next()).toMatchObject({ ready: { ready: true } });
  worker.postMessage('close');
  expect(await next()).toEqual({ closed: true });
});

conform('Uploads', 'a file that cannot be saved is told, and the request can be used again', async () => {
  const folder = dataFolder();
  const upload = await requestUpload(await ownerOn(folder));
  const send = async () => (await putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20), 'video/mp4')).status;
  writeFileSync(join(folder, 'files'), 'in the way of the folder');
  expect(await send()).toBe(507);
  rmSync(join(folder, 'files'));
  expect(await send()).toBe(201);
}).proves('own.uploadNotSaved');

conform('Uploads', 'an interrupted upload leaves nothing behind', async () => {
  const folder = dataFolder();
  const upload = await (await ownerOn(folder)).post('/api/v1/media/upload', { advertiserId: 900001 });
  const abort = new AbortController();
  const body = new ReadableStream({
    pull: async (controller) => {
      controller.enqueue(new Uint8Array(65_536));
      if (existsSync(join(folder, 'files'))) abort.abort();
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  });
  const headers = { 'content-type': 'video/mp4' };
  const sent = fetch(String(fieldOf(upload, 'uploadUrl')), {
    method: 'PUT',
    body,
    headers,
    signal: abort.signal,
    duplex: 'half',
  } as RequestInit);
  await expect(sent).rejects.toThrow();
  await expect.poll(() => readdirSync(join(folder, 'files'))).toEqual([]);
});

conform('README', 'the example of the first call works as it stands', async () => {
  const readme = readFileSync(join(root, 'sandbox/README.md'), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const folder = dataFolder();
  writeFileSync(join(folder, 'ready.json'), (await emptyProgram()).output());
  writeFileSync(join(folder, 'first-call.mjs'), example);
  const child = spawn(process.execPath, ['first-call.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let printed = '';
  child.stdout.on('data', (bytes) => {
    printed += bytes;
  });
  expect(await exitOf(child)).toBe(0);
  expect(printed).toMatch(/^200 \d{10} .*Coffee Maker.* [\d.]+\n$/);
});
