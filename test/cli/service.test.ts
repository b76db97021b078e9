import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccountRegistry } from '../../main/accounts/registry.ts';
import { systemClock } from '../../main/app/clock.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { cli, cliJson, connecting, Problem, written } from './cli.ts';

/** The command line against a service that is a program of its own: real credentials in files, real outages. */
const folder = testFolder('service');
const data = join(folder, 'data');
const serviceData = join(folder, 'service');
let sandbox: RunningSandbox;
let port = 0;

const start = async (): Promise<void> => {
  sandbox = await startSandbox({
    credentials: 'owners',
    dataDir: serviceData,
    scenario: 'empty',
    extensions: true,
    port,
  });
  port = Number(new URL(sandbox.ready.baseUrl).port);
};
const secretFile = (name: string, text: string): string => written(folder, name, text);
const connect = (name: string, changes: Readonly<Record<string, string>> = {}) =>
  connecting(sandbox, folder, { name, extensions: 'on', ...changes });

beforeAll(start);
afterAll(async () => {
  await sandbox.close();
});

const Sync = z.object({
  done: z.int(),
  refused: z.array(z.object({ row: z.int().nullable(), message: z.string() })),
  inDoubt: z.int(),
  questions: z.int(),
  untouched: z.int(),
  uploads: z.int(),
  reviews: z.int(),
});
const Requests = z.object({
  requests: z.array(z.object({ method: z.string(), path: z.string(), elementCodes: z.array(z.string()) })),
});

test('a wrong key, a wrong token and an http address are refused before anything is stored', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = secretFile('other.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ 'key-file': other }, /User not Authenticated/],
    [{ 'key-file': secretFile('no.pem', 'not a key') }, /private key can't be used/],
    [{ 'token-file': secretFile('wrong.txt', 'some-other-token') }, /User not Authenticated/],
    [{ 'token-file': secretFile('two.txt', 'one two') }, /access token can't be used/],
    [{ 'base-url': 'http://api.example.com' }, /https/],
    [{ 'retail-host': 'shop.example/path' }, /retail host/],
  ];
  for (const [changes, message] of cases) {
    const { code, json } = await cliJson(Problem, data, ...connect('Shop', changes));
    expect(json.error.message).toMatch(message);
    expect(code).toBe(1);
  }
  const away = await cliJson(Problem, data, ...connect('Shop', { 'base-url': 'http://127.0.0.1:9' }));
  expect(away).toMatchObject({ code: 4, json: { error: { message: expect.stringMatching(/no response to GET/) } } });
  expect((await cli(data, 'account', 'list', '--json')).out).toBe('{"accounts":[]}\n');
});

test('an encrypted key is opened by the passphrase of a file, at every call anew, and nothing of it is kept', async () => {
  const [account] = sandbox.ready.accounts;
  const passphrase = 'correct horse battery';
  const encrypted = createPrivateKey(account?.privateKeyPem ?? '').export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase,
  });
  const key = { 'key-file': secretFile('locked.pem', encrypted.toString()) };
  const wrong = secretFile('wrong-passphrase.txt', 'something else');
  const refused: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [key, /locked.*is encrypted.*--key-passphrase-file/],
    [{ ...key, 'key-passphrase-file': wrong }, /passphrase does not match this private key/],
    [{ ...key, 'key-passphrase-file': join(folder, 'none.txt') }, /^none.txt \(--key-passphrase-file\) can't be read/],
  ];
  for (const [changes, message] of refused) {
    const { code, json } = await cliJson(Problem, data, ...connect('Locked', changes));
    expect(json.error.message).toMatch(message);
    expect(code).toBe(1);
  }
  const file = secretFile('passphrase.txt', `${passphrase}\n`);
  expect((await cli(data, ...connect('Locked', { ...key, 'key-passphrase-file': file }))).code).toBe(0);
  expect((await cli(data, 'refresh', '--account', 'Locked')).code).toBe(0);
  const kept = readFileSync(join(data, 'accounts.json'), 'utf8');
  expect(kept).toContain('passphrase.txt');
  expect(kept).not.toContain(passphrase);
  expect((await cli(data, 'account', 'remove', '--account', 'Locked', '--yes')).code).toBe(0);
});

test('a service that stops in the middle of a sync loses nothing and gets nothing twice', async () => {
  expect((await cli(data, ...connect('Shop'))).code).toBe(0);
  expect((await cli(data, 'import', resolve('examples/campaigns.csv'))).code).toBe(0);
  // Answers late enough for the stop to fall into the middle of the run.
  await fetch(`${sandbox.ready.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      match: { method: 'POST', path: '/api/v1/keywords' },
      times: 50,
      kind: 'delay',
      delayMs: 400,
    }),
  });
  const running = cliJson(Sync, data, 'sync', '--submit');
  await arrived('/api/v1/keywords');
  await sandbox.close();
  const stopped = await running;
  expect([3, 4]).toContain(stopped.code);
  expect(stopped.json.done).toBeGreaterThan(0);

  await start();
  let last = await cliJson(Sync, data, 'sync', '--submit');
  for (let tries = 0; tries < 60 && last.json.inDoubt > 0; tries += 1) {
    await systemClock.sleep(500);
    last = await cliJson(Sync, data, 'sync', '--submit');
  }
  expect(last.json).toMatchObject({ refused: [], inDoubt: 0, questions: 0 });
  const counts = await serviceCounts();
  expect(counts).toMatchObject({ campaign: 6, adGroup: 6, adItem: 18, keyword: 15, sbaProfile: 3 });
});

test('a token that was changed on disk is used at the next call', async () => {
  const token = sandbox.ready.accounts[0]?.token ?? '';
  secretFile('token.txt', 'revoked-token');
  const refused = await cliJson(Problem, data, 'refresh');
  expect(refused).toMatchObject({ code: 1, json: { error: { message: expect.stringMatching(/credentials/) } } });
  secretFile('token.txt', token);
  expect((await cli(data, 'refresh')).code).toBe(0);
});

test('connecting the same account once more renews its credentials and keeps its workspace', async () => {
  const before = await firstWorkspace();
  expect((await cli(data, ...connect('shop'))).code).toBe(0);
  expect(await createAccountRegistry(data).list()).toHaveLength(1);
  expect(await firstWorkspace()).toBe(before);
  const other = await cli(data, ...connect('Shop', { advertiser: '900002' }));
  expect(other.code).toBe(1);
});

test('a second program on the same workspace is told who has it, and changes nothing', async () => {
  const core = await startCore(data);
  const opened = await core.open.get(await firstWorkspace());
  expect(opened.ok).toBe(true);
  const refused = await cliJson(Problem, data, 'check');
  expect(refused.code).toBe(5);
  expect(refused.json.error.message).toMatch(/open in .*process \d+.*Close it there/);
  await core.close();
  expect((await cli(data, 'check')).code).toBe(0);
});

test('a backup brings back what was there, and what was replaced is set aside', async () => {
  const backup = join(folder, 'shop.adslate-backup');
  expect((await cli(data, 'backup', backup)).code).toBe(0);
  const sheet = secretFile(
    'more.csv',
    'Type,Campaign,Campaign type,Targeting\ncampaign,Extra,sponsoredProducts,auto\n',
  );
  expect((await cli(data, 'import', sheet)).code).toBe(0);
  expect((await cli(data, 'export', '--out', join(folder, 'with.csv'))).out).toMatch(/57 rows/);
  expect((await cli(data, 'restore', backup)).code).toBe(2);
  expect((await cli(data, 'restore', backup, '--yes')).code).toBe(0);
  expect((await cli(data, 'export', '--out', join(folder, 'without.csv'))).out).toMatch(/56 rows/);
  expect(await cli(data, 'restore', sheet, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is not a backup/),
  });
});

async function arrived(path: string): Promise<void> {
  for (let tries = 0; tries < 1500; tries += 1) {
    const answer = await fetch(`${sandbox.ready.controlUrl}/requests?since=0`);
    const { requests } = Requests.parse(await answer.json());
    // Reads of the same path only find out what the service offers.
    if (requests.some(({ method, path: seen }) => method === 'POST' && seen.startsWith(path))) return;
    await systemClock.sleep(20);
  }
  throw new Error(`no request to ${path} arrived`);
}

async function serviceCounts(): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`${sandbox.ready.controlUrl}/state`);
  return z.object({ counts: z.record(z.string(), z.int()) }).parse(await answer.json()).counts;
}

async function firstWorkspace(): Promise<WorkspaceId> {
  const [first] = await createAccountRegistry(data).list();
  if (first === undefined) throw new Error('there is no account');
  return first.workspaceId;
}
