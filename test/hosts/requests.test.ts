import { describe, expect, test } from 'vitest';
import { PAGE, signedIn, type WebHost } from './a-web-host.ts';
import { wholeFolder } from './canaries.ts';
import { type HeldHost, onHeldHost } from './held-host.ts';
import { lines, rawRequest, statusOf } from './raw-request.ts';

/**
 * Requests as a hostile page, a rebound name or a program of another user would send them, byte by byte. Each has
 * one status, and none of them changes anything.
 */
let host: WebHost;
let own: string;
let secrets: HeldHost['secrets'];

onHeldHost((held) => {
  ({ host, own, secrets } = held);
});

/** Every request of this file goes out here, so that refusals can be held against the log. */
let asked = 0;
let refusals = 0;
async function raw(text: string): Promise<string> {
  const answer = await rawRequest(host.server.port, text);
  asked += 1;
  if (statusOf(answer) >= 400) refusals += 1;
  return answer;
}

/** Text with OWN and PORT for this host. */
const ask = async (...parts: readonly string[]): Promise<string> => raw(lines(...parts.map(filled)));
const filled = (text: string): string => text.replaceAll('OWN', own).replaceAll('PORT', String(host.server.port));

describe('the name it is called by', () => {
  test.each(['OWN', 'localhost:PORT'])('%s is its own', async (name) => {
    const answer = await ask('GET / HTTP/1.1', `Host: ${name}`);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain(PAGE);
  });

  test.each([
    'evil.test',
    'evil.test:PORT',
    '127.0.0.1.evil.test:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.0.0.1:0',
    'localhost.:PORT',
    'LOCALHOST.evil:PORT',
    '[::1]:PORT',
    '2130706433:PORT',
    '0x7f000001:PORT',
    '127.1:PORT',
    '0.0.0.0:PORT',
    'user@OWN',
    'OWN/',
    '',
  ])('"%s" is another, which is how rebinding is told', async (name) => {
    expect(statusOf(await ask('GET / HTTP/1.1', `Host: ${name}`))).toBe(421);
  });

  test('a missing and a doubled name are refused', async () => {
    expect(statusOf(await ask('GET / HTTP/1.0'))).toBe(421);
    expect(statusOf(await ask('GET / HTTP/1.1'))).toBe(421);
    expect(statusOf(await ask('GET / HTTP/1.1', 'Host: OWN', 'Host: OWN'))).toBe(421);
    expect(statusOf(await ask('GET / HTTP/1.1', 'Host: evil.test', 'Host: OWN'))).toBe(421);
  });

  test('a forwarded name counts for nothing', async () => {
    expect(
      statusOf(await ask('GET / HTTP/1.1', 'Host: evil.test', 'X-Forwarded-Host: OWN', 'Forwarded: host=OWN')),
    ).toBe(421);
  });
});

/** Lines of the answer with the page, whole: a source more in the policy, or a header less, is noticed. */
const PAGE_TELLS = [
  "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
    "img-src 'self' blob:; media-src 'self' blob:; connect-src 'self' ws://127.0.0.1:PORT ws://localhost:PORT; " +
    "base-uri 'none'; form-action 'none'; frame-src 'none'; frame-ancestors 'none'; object-src 'none'; " +
    "worker-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options: nosniff',
  'referrer-policy: no-referrer',
  'cross-origin-opener-policy: same-origin',
  'cross-origin-resource-policy: same-origin',
  'cache-control: no-store',
];

describe('what is asked for', () => {
  test.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/%252e%252e/package.json',
    '/..\\package.json',
    '/index.html%00',
    '/assets/',
    '/./index.html',
    '/INDEX.HTML',
    '/preview',
    '/rpc',
    '/log/adslate.log',
    '/accounts.json',
  ])('%s is not there', async (path) => {
    expect(statusOf(await ask(`GET ${path} HTTP/1.1`, 'Host: OWN'))).toBe(404);
  });

  test.each(['OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])('%s is no method here', async (method) => {
    expect(statusOf(await ask(`${method} / HTTP/1.1`, 'Host: OWN', 'Origin: http://OWN'))).toBe(405);
  });

  test('it is no proxy', async () => {
    expect(statusOf(await ask('GET http://OWN/ HTTP/1.1', 'Host: OWN'))).toBe(400);
    expect(statusOf(await ask('GET //evil.test/ HTTP/1.1', 'Host: OWN'))).toBe(400);
    expect(statusOf(await ask('CONNECT evil.test:443 HTTP/1.1', 'Host: OWN'))).toBe(405);
  });

  test('a request of two lengths is refused, a request of endless headers too', async () => {
    const twoLengths = ['POST /session HTTP/1.1', 'Host: OWN', 'Transfer-Encoding: chunked', 'Content-Length: 5'];
    expect(statusOf(await ask(...twoLengths))).toBe(400);
    expect(statusOf(await ask('GET / HTTP/1.1', 'Host: OWN', `X-Long: ${'a'.repeat(64 * 1024)}`))).toBe(431);
    expect(statusOf(await raw('no HTTP at all\r\n\r\n'))).toBe(400);
  });

  test('the page says what it may do, and no page of another origin may read it', async () => {
    const answer = await ask('GET / HTTP/1.1', 'Host: OWN', 'Origin: http://OWN');
    const told = answer.split('\r\n');
    for (const line of PAGE_TELLS.map(filled)) expect(told).toContain(line);
    for (const feature of ['camera', 'microphone', 'geolocation', 'usb', 'serial', 'hid', 'midi', 'display-capture']) {
      expect(answer).toMatch(new RegExp(`permissions-policy: .*\\b${feature}=\\(\\)`));
    }
    expect(answer).not.toMatch(/access-control-/i);
    expect(statusOf(await ask('HEAD / HTTP/1.1', 'Host: OWN'))).toBe(200);
  });
});

describe('where it is asked from', () => {
  const SESSION = ['POST /session HTTP/1.1', 'Host: OWN', 'Content-Type: application/json', 'Content-Length: 0'];

  test.each([
    'null',
    'http://evil.test',
    'https://OWN',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://OWN.evil.test',
  ])('a page of %s may not write', async (origin) =>
    expect(statusOf(await ask(...SESSION, `Origin: ${origin}`))).toBe(403),
  );

  test('a request that does not say where it comes from may not write', async () => {
    expect(statusOf(await ask(...SESSION))).toBe(403);
  });

  test.each(['cross-site', 'same-site'])('what a %s page loads is refused', async (site) => {
    const asked = ['GET /index.html HTTP/1.1', 'Host: OWN', `Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors'];
    expect(statusOf(await ask(...asked))).toBe(403);
  });

  test('the start file may bring a browser to the page, and to nothing else', async () => {
    const arriving = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    expect(statusOf(await ask('GET / HTTP/1.1', 'Host: OWN', ...arriving))).toBe(200);
    for (const path of ['/index.html', `/preview/${'a'.repeat(32)}`]) {
      expect(statusOf(await ask(`GET ${path} HTTP/1.1`, 'Host: OWN', ...proofs(), ...arriving)), path).toBe(403);
    }
    const framed = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'];
    expect(statusOf(await ask('GET / HTTP/1.1', 'Host: OWN', ...framed))).toBe(403);
  });
});

describe('signing in', () => {
  const post = (body: string, ...headers: readonly string[]): Promise<string> =>
    raw(
      `${lines(...['POST /session HTTP/1.1', 'Host: OWN', 'Origin: http://OWN', ...headers, `Content-Length: ${body.length}`].map(filled))}${body}`,
    );
  const JSON_TYPE = 'Content-Type: application/json';

  test('a code works once', async () => {
    const body = JSON.stringify({ code: host.code() });
    const first = await post(body, JSON_TYPE);
    expect(statusOf(first)).toBe(200);
    expect(first).toMatch(/set-cookie: adslate-\d+=[a-f0-9]{64}; HttpOnly; SameSite=Strict; Path=\//i);
    expect(statusOf(await post(body, JSON_TYPE))).toBe(403);
  });

  test.each(['', 'null', '[]', '{}', '{"code":1}', '{"code":"x","more":1}', '{"code":', '{"__proto__":{"code":"x"}}'])(
    'the body %s is refused',
    async (body) => expect(statusOf(await post(body, JSON_TYPE))).toBe(400),
  );

  test.each(['Content-Type: text/plain', 'Content-Type: application/json; charset=utf-8', 'X-None: 1'])(
    'with "%s" a body is not read',
    async (type) => expect(statusOf(await post(JSON.stringify({ code: host.code() }), type))).toBe(415),
  );

  test('a body that is too long is not read', async () => {
    expect(statusOf(await post(JSON.stringify({ code: 'x'.repeat(5000) }), JSON_TYPE))).toBe(413);
  });

  test('ten wrong codes lock the door until a new link is made, for those outside', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) await post('{"code":"wrong"}', JSON_TYPE);
    expect(statusOf(await post('{"code":"wrong"}', JSON_TYPE))).toBe(429);
    const inside = await ask(
      'PUT /spool?name=a.csv HTTP/1.1',
      'Host: OWN',
      'Origin: http://OWN',
      ...proofs(),
      'Content-Length: 0',
    );
    expect(statusOf(inside)).toBe(200);
    expect(statusOf(await post(JSON.stringify({ code: host.code() }), JSON_TYPE))).toBe(200);
  });
});

const proofs = (): readonly string[] => [`Cookie: ${secrets.cookie}`, `X-Adslate-Token: ${secrets.token}`];

describe('handing over a file', () => {
  const put = (body: string, headers: readonly string[], path = '/spool?name=plan.csv'): Promise<string> =>
    raw(
      `${lines(...[`PUT ${path} HTTP/1.1`, 'Host: OWN', 'Origin: http://OWN', ...headers, `Content-Length: ${body.length}`].map(filled))}${body}`,
    );

  test('it becomes a grant that shows no path', async () => {
    const answer = await put('Type,Campaign\n', proofs());
    expect(statusOf(answer)).toBe(200);
    expect(answer).toMatch(/\{"grant":"[a-f0-9]{32}","fileName":"plan.csv","bytes":14\}/);
  });

  test('both proofs are needed: cookie and token', async () => {
    expect(statusOf(await put('x', []))).toBe(403);
    expect(statusOf(await put('x', [`Cookie: ${secrets.cookie}`]))).toBe(403);
    expect(statusOf(await put('x', [`X-Adslate-Token: ${secrets.token}`]))).toBe(403);
    const other = await signedIn(host);
    const token = (text: string) => put('x', [`Cookie: ${secrets.cookie}`, `X-Adslate-Token: ${text}`]);
    expect(statusOf(await token(other.token)), 'the token of another sign-in').toBe(403);
    expect(statusOf(await token(`${other.token.slice(1)}0`))).toBe(403);
    // Cookies know no ports: another server of this machine may have put one of our name beside ours.
    for (const cookies of [`${secrets.cookie}; ${other.cookie}`, `${other.cookie}; ${secrets.cookie}`]) {
      expect(statusOf(await put('x', [`Cookie: ${cookies}`, `X-Adslate-Token: ${secrets.token}`]))).toBe(403);
    }
  });

  test('whoever is refused is hung up on, so that nothing behind it is taken for a next request', async () => {
    const refused = [
      'PUT /spool?name=plan.csv HTTP/1.1',
      'Host: OWN',
      'Origin: http://OWN',
      'Content-Length: 0',
      '',
      '',
    ];
    const answer = await raw(`${filled(refused.join('\r\n'))}${lines('GET / HTTP/1.1', filled('Host: OWN'))}`);
    expect(answer.match(/^HTTP\/1\.1 \d{3}/gm)).toEqual(['HTTP/1.1 403']);
  });

  test('a secret becomes a grant too, and its bytes are in no file', async () => {
    const secret = 'Bearer-of-nothing-in-clear';
    const answer = await put(secret, proofs(), '/spool?name=token.txt&purpose=secret');
    expect(answer).toMatch(/"grant":"[a-f0-9]{32}","fileName":"token.txt","bytes":26/);
    expect(wholeFolder(host.dataDir)).not.toContain(secret);
    const large = await put('x'.repeat(70_000), proofs(), '/spool?name=a&purpose=secret');
    expect(statusOf(large)).toBe(413);
    expect(large).toContain('"reason":"above-limit","params":{"limit":65536}');
    expect(statusOf(await put('x', proofs(), '/spool?name=a&purpose=other'))).toBe(400);
  });

  test('a file without a name is refused, and a name is only ever a name', async () => {
    expect(statusOf(await put('x', proofs(), '/spool'))).toBe(400);
    expect(await put('x', proofs(), '/spool?name=..%2F..%2Fetc%2Fpasswd')).toContain('"fileName":"passwd"');
  });

  test('a file beyond the quota is refused before its bytes are read', async () => {
    const declared = [
      'PUT /spool?name=a.mp4 HTTP/1.1',
      'Host: OWN',
      'Origin: http://OWN',
      ...proofs(),
      'Content-Length: 99999999999999',
    ];
    const answer = await ask(...declared);
    expect(statusOf(answer)).toBe(413);
    expect(answer).toContain('{"code":"BAD_FILE","data":{"fileName":"a.mp4","reason":"above-limit"');
  });

  test('a preview needs the cookie and a handle that was given out', async () => {
    const path = `/preview/${'a'.repeat(32)}`;
    expect(statusOf(await ask(`GET ${path} HTTP/1.1`, 'Host: OWN'))).toBe(403);
    expect(statusOf(await ask(`GET ${path} HTTP/1.1`, 'Host: OWN', ...proofs()))).toBe(404);
  });
});

test('a connection that a browser opened ahead and never used is closed, and is no refusal', {
  timeout: 120_000,
}, async () => {
  const before = host.logged.length;
  expect(await rawRequest(host.server.port, '', 25_000)).toBe('');
  expect(host.logged).toHaveLength(before);
});

test('a hundred requests were sent, and every refusal is one line of the log that holds no secret', () => {
  expect(asked).toBeGreaterThanOrEqual(100);
  expect(refusals).toBeGreaterThan(70);
  expect(host.logged.filter(({ event }) => event === 'request refused')).toHaveLength(refusals);
  const text = JSON.stringify(host.logged);
  expect(text, 'the name of a file is the business of the user').not.toContain('plan.csv');
  expect(text).not.toContain(secrets.token);
  expect(text).not.toContain(secrets.cookie.split('=')[1]);
});
