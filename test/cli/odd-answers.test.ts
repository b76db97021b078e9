import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostileService, startHostileService } from '../faults/a-hostile-service.ts';
import { testFolder } from '../folder.ts';
import { cli, cliJson, connecting, Problem } from './cli.ts';

/** Answers that are no use, as a script meets them: exit codes, error codes and keys that the documentation names. */
const folder = testFolder('odd-answers');
const data = join(folder, 'data');
let service: HostileService;

const HTML = '<!doctype html><title>Sign in</title>';

beforeAll(async () => {
  service = await startHostileService();
  expect(await cli(data, ...connecting(service.front, folder, { extensions: 'on' }))).toMatchObject({ code: 0 });
  return () => service.close();
});
beforeEach(() => service.meet(null));

const Sync = z.object({
  failedUploads: z.array(z.object({ file: z.string(), reason: z.string() })),
  refusedMore: z.int(),
  unreadableMore: z.literal(0),
  stoppedBy: z.object({ cause: z.string(), status: z.int(), call: z.string(), retryAt: z.number() }).nullable(),
});
const Refresh = z.object({
  gone: z.array(z.object({ type: z.string(), label: z.string(), asked: z.boolean() })),
  unreadable: z.array(
    z.object({ type: z.string(), label: z.string(), field: z.string().nullable(), value: z.string() }),
  ),
  notRead: z.array(z.object({ call: z.string(), status: z.int() })),
});

test('a year of waiting ends a sync with 1; status and waiting of the next program say until when', async () => {
  expect((await cli(data, 'import', resolve('examples/campaigns.csv'))).code).toBe(0);
  service.meet(async ({ method, path }) =>
    method === 'POST' && path === '/api/v1/campaigns'
      ? { status: 429, headers: { 'retry-after': String(365 * 86_400) }, body: '{"error":"Slow down"}' }
      : null,
  );
  const { code, json } = await cliJson(Sync, data, 'sync');
  expect(code).toBe(1);
  expect(json.stoppedBy).toMatchObject({ cause: 'rate-limited', status: 429, call: 'POST /api/v1/campaigns' });
  expect(json.stoppedBy?.retryAt).toBeGreaterThan(Date.now() + 364 * 86_400_000);
  const status = await cliJson(z.object({ rateLimitedUntil: z.string() }), data, 'status');
  expect(Date.parse(status.json.rateLimitedUntil)).toBe(json.stoppedBy?.retryAt);
  const Waits = z.object({ waiting: z.array(z.object({ reason: z.string(), nextAt: z.string().nullable() })) });
  const { waiting } = (await cliJson(Waits, data, 'pending')).json;
  expect(waiting).toContainEqual(
    expect.objectContaining({ reason: 'rate-limited', nextAt: status.json.rateLimitedUntil }),
  );
  expect(waiting.map(({ reason }) => reason)).not.toContain('changed');
});

test('storage that redirects ends a sync with 1, and its whole reason is in the report and in the media list', async () => {
  service.meet(async (meeting) => {
    if (meeting.path === '/api/v1/media/upload') {
      const { status, text } = await meeting.forward();
      return { status, body: text.replaceAll(service.sandbox.ready.baseUrl, service.front.ready.baseUrl) };
    }
    return meeting.path.startsWith('/upload/') ? { status: 302, headers: { location: service.elsewhere } } : null;
  });
  const { code, json } = await cliJson(Sync, data, 'sync');
  expect(code).not.toBe(0);
  expect(json.failedUploads.length).toBeGreaterThan(0);
  const [first] = json.failedUploads;
  expect(first?.reason).toMatch(
    /^The storage at 127\.0\.0\.1 responded with status 302, a redirect to .* sync again\./,
  );
  const Media = z.object({ media: z.array(z.object({ reason: z.string().nullable() })) });
  const { media } = (await cliJson(Media, data, 'media', 'list')).json;
  expect(media.map(({ reason }) => reason)).toContain(first?.reason);
  expect(service.strangers).toEqual([]);
});

test.each([
  ['a web page', { status: 200, body: HTML }, /status 200: a web page instead of data\./],
  [
    '503 with a wait',
    { status: 503, headers: { 'retry-after': '7200' } },
    /status 503: an empty answer\. It requests to wait until \d{4}-/,
  ],
])('a refresh that is answered with %s ends with 1 and names the call; 4 is for no answer', async (_, reply, words) => {
  service.meet(async ({ path }) => (path === '/api/v1/campaigns' ? reply : null));
  const { code, json } = await cliJson(Problem, data, 'refresh');
  expect(json.error).toMatchObject({ code: 'SERVICE_ANSWERED', message: expect.stringMatching(words) });
  expect(json.error.message).toContain('GET /api/v1/campaigns');
  expect(json.error.message).not.toContain('cannot be reached');
  expect(code).toBe(1);
  service.meet(async () => 'cut');
  const away = await cliJson(Problem, data, 'refresh');
  expect(away).toMatchObject({ code: 4, json: { error: { code: 'UNREACHABLE' } } });
});

test('a refresh lists what is gone and what cannot be read, and ends with 1', async () => {
  service.meetJson<object[]>('GET campaigns', ([, ...rest]) =>
    rest.map((one) => ({ ...one, dailyBudget: { amount: 2 } })),
  );
  const { code, json } = await cliJson(Refresh, data, 'refresh');
  expect(code).toBe(1);
  expect(json.gone).toEqual([{ type: 'campaign', label: expect.any(String), asked: false }]);
  expect(json.unreadable[0]).toMatchObject({ type: 'campaign', field: 'dailyBudget', value: '{"amount":2}' });
});

test('a sync names the first 100 rows that failed, and says how many more there are', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `keyword,Many,Many group,,,,1.50,pot ${at},exact`);
  const sheet = join(folder, 'many.csv');
  writeFileSync(
    sheet,
    `Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Bid,Keyword,Match type
campaign,Many,,sponsoredProducts,manual,50.00,,,
ad group,Many,Many group,,,,,,
${lines.join('\n')}
`,
  );
  expect((await cli(data, 'import', sheet)).code).toBe(0);
  service.meet(async ({ method, path }) =>
    method === 'POST' && path === '/api/v1/keywords' ? { status: 400, body: '{"error":"Not allowed"}' } : null,
  );
  const { code, out } = await cli(data, 'sync', '--campaign', 'Many');
  expect(code).toBe(1);
  expect(out.match(/^failed: keyword/gm)).toHaveLength(100);
  expect(out).toMatch(/^failed: 20 more\.$/m);
  expect(out).toContain(' 120 failed,');
});

test('a long list of campaigns to add that stops in its first part also names the campaigns of the later parts', async () => {
  const count = 1002;
  const file = join(folder, 'ids.csv');
  writeFileSync(file, Array.from({ length: count }, (_, at) => `${904_100_200_000 + at}\r\n`).join(''));
  service.meet(async () => ({ status: 403, headers: { 'content-type': 'text/html' }, body: HTML }));
  const Added = z.object({
    outcomes: z.array(z.object({ id: z.string(), outcome: z.string() })),
    stoppedBy: z.string(),
  });
  const { code, json } = await cliJson(Added, data, 'campaign', 'add', '--file', file);
  expect(code).toBe(4);
  expect(json.outcomes).toHaveLength(count);
  expect(json.outcomes.at(-1)).toEqual({ id: '904100201001', outcome: 'not-asked' });
});
