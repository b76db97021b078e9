import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { cli } from '../cli/cli.ts';
import { type HostProcess, startHostProcess } from '../e2e/host-process.ts';
import { type Door, signedIn } from './a-web-host.ts';
import { aKey, aWord, type Canary, found, keyCanaries, wholeFolder } from './canaries.ts';
import { callAt, type Line, openSocketLine } from './lines.ts';

/**
 * Secrets go through every path they have: connected, refused, sealed, unlocked, renewed, used for a sync, handed to
 * the command line. Afterwards none of them is found anywhere but where the user keeps them.
 */
const ENTRY = join(import.meta.dirname, '..', '..', 'out', 'main', 'web.js');
const own = mkdtempSync(join(tmpdir(), 'adslate-canary-own-'));
const dataDir = mkdtempSync(join(tmpdir(), 'adslate-canary-data-'));
const exported = mkdtempSync(join(tmpdir(), 'adslate-canary-out-'));
let sandbox: RunningSandbox;
let host: HostProcess;
let gateway: Gateway;
let line: Line | null = null;
let page: { readonly cookie: string; readonly token: string };

/** What was heard: answers and errors over the contract, answers of the web host, words of both programs. */
const heard: string[] = [];
/** Addresses that were asked for, and what other programs of the machine can read of ours. */
const addresses: string[] = [];
const processes: string[] = [];
const canaries: Canary[] = [];
const word = (name: string): string => {
  const canary = aWord(name);
  canaries.push(canary);
  return canary.text;
};

beforeAll(async () => {
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', extensions: true, clock: 'virtual' });
  gateway = await openGateway();
  host = await startHostProcess(ENTRY, ['--data', dataDir, '--no-open']);
});
afterAll(async () => {
  await line?.close();
  await host?.stop('SIGKILL');
  gateway?.close();
  await sandbox?.close();
  for (const folder of [own, dataDir, exported]) rmSync(folder, { recursive: true, force: true });
});

/** The door of the running host; its code is good once. */
const door = (): Door => {
  const url = new URL(host.url);
  const code = url.hash.slice('#code='.length);
  canaries.push({ name: 'a one-time code', text: code });
  addresses.push(url.href.replace(url.hash, ''));
  return { server: { port: Number(url.port) }, code: () => code };
};

async function enter(): Promise<void> {
  const at = door();
  page = await signedIn(at);
  canaries.push(
    { name: 'a cookie', text: page.cookie.split('=')[1] ?? '' },
    { name: 'a page token', text: page.token },
  );
  line = await openSocketLine(at, page);
}

const call = async (path: string, input?: unknown): Promise<unknown> => {
  if (line === null) throw new Error('Nobody has signed in.');
  const outcome = await callAt(line.client, path, input);
  heard.push(JSON.stringify(outcome));
  return 'answer' in outcome ? outcome.answer : outcome;
};

const Granted = z.object({ grant: z.string() });
async function hand(name: string, text: string): Promise<string> {
  const address = `${host.origin}/spool?name=${name}&purpose=secret`;
  addresses.push(address);
  const answer = await fetch(address, {
    method: 'PUT',
    headers: { origin: host.origin, cookie: page.cookie, 'x-adslate-token': page.token },
    body: text,
  });
  const body: unknown = await answer.json();
  heard.push(JSON.stringify(body));
  const granted = Granted.safeParse(body);
  return granted.success ? granted.data.grant : 'f'.repeat(32);
}

async function connect(
  name: string,
  at: number,
  pem: string,
  token: string,
  keyPassphrase?: string,
  baseUrl = sandbox.ready.baseUrl,
): Promise<unknown> {
  const account = sandbox.ready.accounts[at];
  if (account === undefined) throw new Error('The service has no such account.');
  return call('accounts.connect', {
    name,
    baseUrl,
    advertiserId: String(account.advertiserId),
    consumerId: account.consumerId,
    keyVersion: account.keyVersion,
    retailHost: sandbox.ready.retailHost,
    headerPrefix: sandbox.ready.headerPrefix,
    extensions: true,
    keyGrant: await hand('key.pem', pem),
    tokenGrant: await hand('token.txt', token),
    ...(keyPassphrase === undefined ? {} : { keyPassphrase }),
  });
}

/** A gateway before the service. Once it has a status to answer with, it repeats the request that it got, headers and all. */
async function openGateway() {
  let echoed = 0;
  let echoes: { readonly status: number; readonly to: 'everything' | 'writes' } | null = null;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = request;
    const isWrite = method !== 'GET' && !url.includes('itemSearch');
    if (echoes !== null && (echoes.to === 'everything' || isWrite)) {
      echoed++;
      const repeated = { error: `Bad gateway: ${JSON.stringify(headers)}`, headers };
      response.writeHead(echoes.status, { 'content-type': 'application/json' }).end(JSON.stringify(repeated));
      return;
    }
    const passed = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
    const real = await fetch(sandbox.ready.baseUrl + url, {
      method,
      headers: Object.fromEntries(passed) as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    response.writeHead(real.status, { 'content-type': 'application/json' }).end(await real.text());
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often it has repeated a request. */
    echoed: () => echoed,
    echo: (next: typeof echoes) => {
      echoes = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** Sends and reads while the gateway repeats requests, and asks for everything that tells of it. */
async function goThroughEchoes(workspaceId: string, gateway: Gateway): Promise<void> {
  const Ended = z.object({ state: z.enum(['finished', 'stopped', 'cancelled']) });
  const wait = { timeout: 30_000, interval: 200 };
  for (const [at, status] of [422, 403, 500].entries()) {
    gateway.echo({ status, to: 'writes' });
    const values = { ...ECHOED, name: `Answered with ${status}` };
    await call('workspace.create', { workspaceId, label: 'New', rows: [{ kind: 'campaign', parent: null, values }] });
    expect(await call('sync.run', { workspaceId })).toMatchObject({ runId: expect.any(String) });
    await vi.waitFor(() => expect(gateway.echoed()).toBeGreaterThan(at), wait);
    // Behind a 500 the run would wait before it looks again.
    await call('sync.cancel', { workspaceId });
    await vi.waitFor(async () => Ended.parse(await call('sync.report', { workspaceId })), wait);
    for (const path of ['sync.questions', 'pending.list', 'workspace.summary']) await call(path, { workspaceId });
  }
  gateway.echo({ status: 422, to: 'everything' });
  await call('sync.refresh', { workspaceId });
  gateway.echo(null);
}

/** A campaign that nothing speaks against. */
const ECHOED = {
  campaignType: 'sponsoredProducts',
  targetingType: 'auto',
  totalBudget: 450_000,
  dailyBudget: 3750,
  startDate: '2030-03-04',
  status: 'enabled',
};

/** What everybody may read of a process of ours. */
function listed(): void {
  if (process.platform !== 'linux') return;
  for (const file of ['cmdline', 'environ']) processes.push(readFileSync(`/proc/${host.pid}/${file}`, 'latin1'));
}

test('24 secrets go through every path, and none is found on the disk, in a log, an answer, an address or the process list', async () => {
  const [first, second] = sandbox.ready.accounts;
  if (first === undefined || second === undefined) throw new Error('The service needs two accounts.');
  const good = keyCanaries('the key', first.privateKeyPem);
  const other = keyCanaries('the second key', second.privateKeyPem);
  const wrong = aKey('a key that the service does not know');
  const short = keyCanaries(
    'a key that is too short',
    generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const keys = [good, other, wrong, short];
  canaries.push(...keys.flatMap((key) => key.canaries));
  canaries.push({ name: 'the token', text: first.token }, { name: 'the second token', text: second.token });
  const keyPassphrase = word('key-passphrase');
  const sealedKey = createPrivateKey(good.pem)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: keyPassphrase })
    .toString();
  const boxPassphrase = word('box-passphrase');
  const wrongCode = word('wrong-code');
  const wrongToken = word('wrong-page-token');

  await enter();
  for (const at of ['/session', '/spool?name=a']) {
    addresses.push(host.origin + at);
    const refused = await fetch(host.origin + at, {
      method: at === '/session' ? 'POST' : 'PUT',
      headers: {
        origin: host.origin,
        cookie: page.cookie,
        'content-type': 'application/json',
        'x-adslate-token': wrongToken,
      },
      body: JSON.stringify({ code: wrongCode }),
    });
    expect(refused.status).toBe(403);
    heard.push(await refused.text());
  }

  expect(await call('credentials.setStorage', { storage: 'passphrase', passphrase: boxPassphrase })).toMatchObject({
    storage: 'passphrase',
    state: 'open',
  });
  const refusals = [
    await connect('Shop', 0, sealedKey, first.token, word('wrong-key-passphrase')),
    await connect('Shop', 0, wrong.pem, first.token),
    await connect('Shop', 0, short.pem, first.token),
    await connect('Shop', 0, word('not-a-key'), first.token),
    await connect('Shop', 0, good.pem, word('wrong-token')),
    await connect('Shop', 0, good.pem, `${word('token-with-blanks')} and more`),
    await connect('Shop', 0, word('endless').repeat(2000), first.token),
  ];
  for (const refusal of refusals) expect(refusal).toMatchObject({ declared: true });
  const Connected = z.object({ workspaceId: z.string(), secrets: z.literal('passphrase') });
  const { workspaceId } = Connected.parse(await connect('Shop', 0, sealedKey, `${first.token}\n`, keyPassphrase));
  const echoed = Connected.parse(await connect('Second shop', 1, other.pem, second.token, undefined, gateway.baseUrl));
  listed();

  const rows = [{ kind: 'campaign', parent: null, values: { name: 'Autumn' } }];
  await call('workspace.create', { workspaceId, label: 'New', rows });
  expect(await call('sync.refresh', { workspaceId }), 'the secrets work').toMatchObject({ gone: [], unreadable: [] });
  for (const path of ['sync.plan', 'sync.report', 'accounts.profile', 'backups.make', 'workspace.summary']) {
    await call(path, { workspaceId });
  }
  await goThroughEchoes(echoed.workspaceId, gateway);
  // Kept answers are packed on the disk, so they are looked through as they are handed out.
  const Kept = z.object({ answers: z.array(z.object({ correlationId: z.string() })).min(1) });
  const kept = Kept.parse(await call('responses.list', { workspaceId, from: 0, count: 100, words: '' }));
  for (const { correlationId } of kept.answers) await call('responses.ofRequest', { workspaceId, correlationId });
  await call('accounts.list');
  await call('app.info');
  await call('credentials.lock');
  await call('sync.refresh', { workspaceId });
  await call('credentials.unlock', { passphrase: word('wrong-box-passphrase') });
  expect(await call('credentials.unlock', { passphrase: boxPassphrase })).toMatchObject({ state: 'open' });
  expect(
    await call('credentials.setStorage', { storage: 'passphrase', passphrase: word('new-box-passphrase') }),
  ).toMatchObject({
    state: 'open',
  });
  listed();
  expect(found(canaries, wholeFolder(dataDir)), 'while the host runs').toEqual([]);

  await line?.close();
  line = null;
  await host.stop('SIGKILL');
  heard.push(host.said());
  expect(found(canaries, wholeFolder(dataDir)), 'after a kill').toEqual([]);

  const passphraseFile = join(own, 'passphrase.txt');
  const newest = canaries.find(({ name }) => name === 'new-box-passphrase')?.text ?? '';
  for (const [passphrase, isRefreshed] of [
    [word('cli-passphrase'), false],
    [newest, true],
  ] as const) {
    writeFileSync(passphraseFile, `${passphrase}\n`, { mode: 0o600 });
    // Each opens the box again; with the wrong words all of them are told the same.
    const more = isRefreshed
      ? [
          ['export', join(exported, 'plan.csv')],
          ['account', 'list'],
        ]
      : [];
    for (const words of [['credentials', 'status'], ['refresh'], ...more]) {
      const run = await cli(dataDir, ...words, '--json', '--passphrase-file', passphraseFile);
      heard.push(run.out, run.err);
      if (words[0] === 'refresh') expect(run.code === 0, run.out).toBe(isRefreshed);
    }
  }

  for (const call of sandboxPaths(await (await fetch(`${sandbox.ready.controlUrl}/requests`)).json()))
    addresses.push(call);
  expect(canaries.length).toBeGreaterThanOrEqual(24);
  expect(addresses.length).toBeGreaterThan(20);
  expect(found(canaries, wholeFolder(dataDir)), 'data folder and logs').toEqual([]);
  expect(found(canaries, wholeFolder(exported)), 'exports').toEqual([]);
  expect(found(canaries, heard.join('\n')), 'answers, errors and what the programs said').toEqual([]);
  expect(found(canaries, addresses.join('\n')), 'addresses').toEqual([]);
  expect(found(canaries, processes.join('\n')), 'process list').toEqual([]);
  expect(found(canaries, canaries.map(({ text }) => text).join('\n')), 'the search itself finds').toHaveLength(
    canaries.length,
  );
});

const Requests = z.object({ requests: z.array(z.object({ path: z.string() })) });
const sandboxPaths = (answer: unknown): readonly string[] => Requests.parse(answer).requests.map(({ path }) => path);
