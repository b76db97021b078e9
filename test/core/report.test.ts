import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAboutJob, askForReport, type ReportSource } from '../../main/reports/fetch-report.ts';
import { createSnapshotStore } from '../../main/reports/report-store.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { plainDate } from '../../shared/model/plain-date.ts';
import { anApi } from '../api/an-api.ts';
import { isFull } from '../share.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { apiOf } from '../sync/an-account.ts';
import { ROWS, TABLE } from './reports-of-an-account.ts';

const WISH = { reportType: 'keyword', startDate: '2026-05-01', endDate: '2026-05-03', byDate: false } as const;

/** A deployment that answers with addresses and jobs, which the practice service does only when asked for files. */
let files: Server;
let origin = '';
let answer: (path: string) => unknown = () => ({});
let body: Buffer = Buffer.from(TABLE);
/** What the service was asked for. */
const asked: unknown[] = [];
let sandbox: RunningSandbox;

beforeAll(async () => {
  files = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/api/')) {
      const said = answer(path);
      request.setEncoding('utf8').on('data', (text: string) => asked.push(JSON.parse(text)));
      request.once('end', () => response.end(typeof said === 'string' ? said : JSON.stringify(said))).resume();
    } else if (path.startsWith('/moved')) response.writeHead(302, { location: '/file' }).end();
    else if (path.startsWith('/file')) response.end(body);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address() as AddressInfo;
  origin = `http://127.0.0.1:${address.port}`;
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'demo' });
});
afterAll(async () => {
  files.close();
  await sandbox.close();
});

const source = (): ReportSource => ({ api: anApi(origin), hosts: [] });
const fromFiles = () => askForReport(source(), WISH);
/** The rows of an answer that is a report. */
async function rowsFrom(answer: ReturnType<typeof askForReport>) {
  const asked = done(await answer);
  if (asked.is === 'job') throw new Error('a job');
  return asked.report.content.rows;
}
const sent = (file: Buffer) => {
  body = file;
  answer = () => ({ code: 'success', downloadUrl: `${origin}/file` });
  return fromFiles();
};

test('rows that come inline become a table with every column', async () => {
  const api = apiOf(sandbox);
  const yesterday = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const wish = { ...WISH, startDate: yesterday, endDate: yesterday };
  const [columns, ...rows] = await rowsFrom(askForReport({ api, hosts: [] }, wish));
  expect(columns?.length).toBeGreaterThan(3);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toHaveLength(columns?.length ?? 0);
});
test.each(['url', 'downloadUrl', 'details'])('a report at an address in "%s" is fetched', async (name) => {
  body = Buffer.from(TABLE);
  answer = () => ({ code: 'success', [name]: `${origin}/file` });
  expect(await rowsFrom(fromFiles())).toEqual(ROWS);
});
test('fault L1: no row of a report is lost, however its rows end, and it is kept as it came', async () => {
  const store = createSnapshotStore(aFolder());
  const fetchedOn = plainDate('2026-05-04');
  if (fetchedOn === null) throw new Error('no date');
  const rows = [['keyword', 'impressions'], ...Array.from({ length: 40 }, (_, at) => [`k, "${at}"\r\nnext`, `${at}`])];
  const lines = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  for (const ends of [['\r'], ['\n'], ['\r\n'], ['\n', '\r\n', '\r'], ['\r', '\n'], ['\r\n', '\n']]) {
    const asked = await sent(gzipSync(lines.map((line, at) => `${line}${ends[at % ends.length]}`).join('')));
    if (!asked.ok || asked.value.is === 'job') throw new Error('no report');
    const { report } = asked.value;
    expect({ ends, rows: report.content.rows }).toEqual({ ends, rows });
    const { id } = await store.keep(WISH, report, { fetchedAt: Date.now(), fetchedOn });
    expect(await store.read(id)).toEqual({ ok: true, value: rows });
    expect(await store.raw(id)).toMatchObject({ value: { bytes: body, mediaType: 'application/gzip' } });
  }
});
test('rows that come as CSV instead of JSON are read as they are', async () => {
  answer = () => TABLE;
  expect(await rowsFrom(fromFiles())).toEqual(ROWS);
  answer = () => 'Figures will follow.';
  expect(await fromFiles()).toMatchObject({ error: { kind: 'read', failure: { kind: 'service' } } });
});
test('a job is named with the word of the service, and asked about until its packed file is there', async () => {
  body = gzipSync(TABLE);
  let details = '';
  let jobStatus = 'Queued by night shift';
  answer = (path) =>
    path.startsWith('/api/v1/snapshot?') ? { jobStatus, details } : { code: 'success', snapshotId: 'S1', jobStatus };
  expect(await fromFiles()).toEqual({ ok: true, value: { is: 'job', snapshotId: 'S1', status: jobStatus } });
  const asked = () => askAboutJob(source(), { snapshotId: 'S1' });
  expect(await asked()).toEqual({ ok: true, value: { is: 'working', status: 'Queued by night shift' } });
  jobStatus = 'COMPLETED';
  details = `${origin}/file`;
  expect(await asked()).toMatchObject({
    value: { is: 'report', status: 'COMPLETED', report: { content: { rows: ROWS } } },
  });
  for (const state of ['failed', 'expired'] as const) {
    jobStatus = state.toUpperCase();
    details = 'too many days';
    expect(await asked()).toEqual({
      ok: true,
      value: { is: 'over', state, status: jobStatus, detail: 'too many days' },
    });
  }
});
test('attribution window and format are sent when they are asked for, and left out otherwise', async () => {
  answer = () => [];
  await fromFiles();
  expect(asked.at(-1)).toEqual({
    advertiserId: 900001,
    reportType: 'keyword',
    startDate: '2026-05-01',
    endDate: '2026-05-03',
  });
  await askForReport(source(), { ...WISH, byDate: true, attributionWindow: 'days14', format: 'zip' });
  expect(asked.at(-1)).toMatchObject({ attributionWindow: 'days14', format: 'zip', extraFields: ['date'] });
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
// What is done at the limit is shown with a smaller one in `reports.test.ts`: to unpack so much takes 2 s of CPU.
if (isFull) {
  test('a file that unpacks to more than the cap is refused', async () => {
    const problem = { kind: 'not-readable', found: expect.stringContaining('256 MB') };
    // Packed in pieces, which are one file behind each other.
    const piece = gzipSync(Buffer.alloc(1024 * 1024));
    const packed = Buffer.concat(Array.from({ length: 257 }, () => piece));
    expect(await sent(packed)).toMatchObject({ error: { kind: 'download', problem } });
  });
}
