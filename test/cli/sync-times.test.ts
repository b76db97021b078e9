import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { controlOf } from '../sync/control.ts';
import { cli, cliJson, temporaryFolder } from './cli.ts';

/** When a sync goes and until when, against a service that is away or busy. */
const folder = temporaryFolder('sync-times');
const data = join(folder.path, 'data');
let sandbox: RunningSandbox;

const write = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const importCampaign = (name: string) => {
  const rows = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,End,Item id,Bid',
    `campaign,${name},,sponsoredProducts,auto,enabled,1200.00,37.50,2030-03-04,2030-06-30,,`,
    `ad group,${name},${name} group,,,enabled,,,,,,`,
    `ad item,${name},${name} group,,,enabled,,,,,0553680321,2.80`,
  ];
  return cli(data, 'import', write('sheet.csv', `${rows.join('\n')}\n`));
};
const Report = z.object({
  done: z.int(),
  untouched: z.int(),
  state: z.string(),
  stoppedBy: z.object({ cause: z.string(), detail: z.string() }).nullable(),
});
/** The next reads of uploads fail: those are the probes. */
const failProbes = (times: number) =>
  controlOf(sandbox).fault({ match: { path: '/api/v1/media' }, times, kind: 'status', status: 503 });
const writes = async () =>
  (await controlOf(sandbox).requests()).filter(({ method, path }) => method === 'POST' && path.includes('campaigns'))
    .length;

beforeAll(async () => {
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty' });
  const [account] = sandbox.ready.accounts;
  if (account === undefined) throw new Error('the sandbox has no account');
  const options: Record<string, string> = {
    name: 'Shop',
    'base-url': sandbox.ready.baseUrl,
    advertiser: String(account.advertiserId),
    'consumer-id': account.consumerId,
    'key-version': account.keyVersion,
    'key-file': write('key.pem', account.privateKeyPem),
    'token-file': write('token.txt', `${account.token}\n`),
    'retail-host': sandbox.ready.retailHost,
  };
  const added = await cli(
    data,
    'account',
    'add',
    ...Object.entries(options).flatMap(([key, value]) => [`--${key}`, value]),
  );
  expect(added).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

test.each([
  [
    ['--deadline', 'tomorrow'],
    '--deadline takes a time such as 2026-11-30T18:00 (in America/Los_Angeles) or 2h, not "tomorrow"',
  ],
  [['--deadline', '2020-01-01T10:00'], 'has passed'],
  [['--after', '2h'], '--after needs --when-healthy'],
  [['--healthy-for', '5'], '--healthy-for needs --when-healthy'],
  [['--when-healthy', '--healthy-for', '0'], '--healthy-for takes minutes from 1 to 1440'],
  [['--when-healthy', '--after', '3h', '--deadline', '2h'], '--after is not before --deadline'],
])('%s is refused', async (options, message) => {
  expect(await cli(data, 'sync', ...options)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});

test('a sync with --when-healthy sends once the probes succeed, and with --wait goes on when the service is back', async () => {
  await importCampaign('Rolls');
  await failProbes(3);
  expect(await cliJson(Report, data, 'sync', '--when-healthy', '--healthy-for', '2')).toMatchObject({
    code: 0,
    json: { done: 3, state: 'finished' },
  });
  await importCampaign('Towels');
  await controlOf(sandbox).fault({
    match: { method: 'POST', path: '/api/v1/campaigns' },
    times: 1,
    kind: 'status',
    status: 429,
    headers: { 'retry-after': '7200' },
  });
  const stopped = await cliJson(Report, data, 'sync');
  expect(stopped).toMatchObject({ code: 1, json: { state: 'stopped', stoppedBy: { cause: 'rate-limited' } } });
  await controlOf(sandbox).fault({
    match: { method: 'POST', path: '/api/v1/campaigns' },
    times: 1,
    kind: 'status',
    status: 429,
    headers: { 'retry-after': '7200' },
  });
  expect(await cliJson(Report, data, 'sync', '--wait')).toMatchObject({
    code: 0,
    json: { done: 3, state: 'finished' },
  });
});

test('at the deadline nothing is sent, what is left is said, and nothing is pending', async () => {
  await importCampaign('Napkins');
  const before = await writes();
  await failProbes(1000);
  expect(await cliJson(Report, data, 'sync', '--when-healthy', '--deadline', '30m')).toMatchObject({
    code: 1,
    json: { done: 0, untouched: 3, stoppedBy: { cause: 'deadline', detail: expect.stringContaining('not healthy') } },
  });
  await controlOf(sandbox).clearFaults();
  expect(await writes()).toBe(before);
  expect(await cli(data, 'sync', '--cancel')).toMatchObject({
    code: 0,
    out: expect.stringContaining('No sync is paused, waiting or scheduled.'),
  });
  expect(await cli(data, 'sync', '--deadline', '1d')).toMatchObject({
    code: 0,
    out: expect.stringContaining('3 done'),
  });
});
