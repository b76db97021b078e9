import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPartnerApi, type PartnerApi } from '../../main/api/partner-api.ts';
import { systemClock } from '../../main/clock.ts';
import { fetchReport } from '../../main/reports/fetch-report.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { type RemoteId, remoteId } from '../../shared/model/scalars.ts';

const WISH = { reportType: 'keyword', startDate: '2026-05-01', endDate: '2026-05-03', byDate: false } as const;
const TABLE = 'keyword,impressions\r\n"paper, towel",12\r\n';
const ROWS = [
  ['keyword', 'impressions'],
  ['paper, towel', '12'],
];

/** A deployment that answers with addresses and jobs, which the practice service does only when asked for files. */
let files: Server;
let origin = '';
let answer: (path: string) => unknown = () => ({});
let body: Buffer = Buffer.from(TABLE);
let sandbox: RunningSandbox;

beforeAll(async () => {
  files = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/api/')) response.end(JSON.stringify(answer(path)));
    else if (path.startsWith('/moved')) response.writeHead(302, { location: '/file' }).end();
    else if (path.startsWith('/file')) response.end(body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address() as AddressInfo;
  origin = `http://127.0.0.1:${address.port}`;
  sandbox = await startSandbox({ scenario: 'demo' });
});
afterAll(async () => {
  files.close();
  await sandbox.close();
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const idOf = (text: string): RemoteId => {
  const id = remoteId(text);
  if (id === null) throw new Error('no id');
  return id;
};
const apiAt = (baseUrl: string, secret: { token: string; privateKeyPem: string; consumerId: string }): PartnerApi =>
  createPartnerApi(
    {
      baseUrl,
      advertiserId: idOf('900001'),
      consumerId: secret.consumerId,
      keyVersion: '2',
      headerPrefix: 'SVC',
      timestampUnit: 'ms',
    },
    { secrets: async () => secret, clock: systemClock },
  );
const fromFiles = () =>
  fetchReport(apiAt(origin, { token: 't', privateKeyPem: pem, consumerId: 'c' }), systemClock, WISH, []);

test('rows that come inline become a table with every column', async () => {
  const [account] = sandbox.ready.accounts;
  if (account === undefined) throw new Error('no account');
  const api = apiAt(sandbox.ready.baseUrl, account);
  const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const report = await fetchReport(api, systemClock, { ...WISH, startDate: yesterday, endDate: yesterday }, []);
  if (!report.ok) throw new Error(report.error.kind);
  const [columns, ...rows] = report.value;
  expect(columns?.length).toBeGreaterThan(3);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toHaveLength(columns?.length ?? 0);
});
test.each(['url', 'downloadUrl', 'details'])('a report at an address in "%s" is fetched', async (name) => {
  body = Buffer.from(TABLE);
  answer = () => ({ code: 'success', [name]: `${origin}/file` });
  expect(await fromFiles()).toEqual({ ok: true, value: ROWS });
});
test('a job is polled until its packed file is there', async () => {
  body = gzipSync(TABLE);
  let polls = 0;
  answer = (path) => {
    if (!path.startsWith('/api/v1/snapshot?')) return { code: 'success', snapshotId: 'S1', jobStatus: 'pending' };
    polls += 1;
    return { jobStatus: polls < 2 ? 'processing' : 'done', details: polls < 2 ? '' : `${origin}/file` };
  };
  expect(await fromFiles()).toEqual({ ok: true, value: ROWS });
});
test('what the service refuses is said in its own words', async () => {
  answer = () => ({ code: 'failure', details: 'Report type not known' });
  expect(await fromFiles()).toEqual({ ok: false, error: { kind: 'refused', message: 'Report type not known' } });
});
test.each([
  ['another machine of the network', 'http://192.168.0.1/file', 'not-https'],
  ['another port of this machine', 'http://127.0.0.1:1/file', 'not-https'],
  ['a host nobody named', 'https://example.com/file', 'unknown-host'],
])('a file on %s is not asked for', async (_name, address, kind) => {
  answer = () => ({ code: 'success', downloadUrl: address });
  expect(await fromFiles()).toMatchObject({
    error: { kind: 'download', problem: { kind: 'address', problem: { kind } } },
  });
});
test('a redirect is not followed', async () => {
  answer = () => ({ code: 'success', downloadUrl: `${origin}/moved` });
  expect(await fromFiles()).toMatchObject({ error: { problem: { kind: 'status', status: 302 } } });
});
test('a file that unpacks to more than the cap is refused', async () => {
  body = gzipSync(Buffer.alloc(300 * 1024 * 1024));
  answer = () => ({ code: 'success', downloadUrl: `${origin}/file` });
  expect(await fromFiles()).toMatchObject({ error: { problem: { kind: 'too-large' } } });
});
