import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { aWebHost, signedIn, type WebHost } from './a-web-host.ts';
import { closingCode } from './closing-code.ts';
import { type HeldHost, onHeldHost } from './held-host.ts';
import { lines, rawRequest, statusOf } from './raw-request.ts';

/** Who gets a WebSocket, and what it has to say first. */
let host: WebHost;
let own: string;
let secrets: HeldHost['secrets'];

onHeldHost((held) => {
  ({ host, own, secrets } = held);
});

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

const upgrade = (headers: Readonly<Record<string, string>>, path = '/rpc'): Promise<string> =>
  rawRequest(
    host.server.port,
    [
      `GET ${path} HTTP/1.1`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...UPGRADE,
      KEY,
      '',
      '',
    ].join('\r\n'),
    1000,
  );
const good = () => ({ Host: own, Origin: `http://${own}`, Cookie: secrets.cookie });

const open = (): WebSocket => new WebSocket(`ws://${own}/rpc`, { headers: good() });

describe('the upgrade', () => {
  test('is granted to the page that is signed in', async () => {
    expect(statusOf(await upgrade(good()))).toBe(101);
  });

  test.each([
    ['another name', 421, { Host: 'evil.test' }],
    ['another origin', 403, { Origin: 'http://evil.test' }],
    ['an origin without a port', 403, { Origin: 'http://127.0.0.1' }],
    ['an opaque origin', 403, { Origin: 'null' }],
    ['a cross-site page', 403, { 'Sec-Fetch-Site': 'cross-site' }],
    ['a wrong cookie', 403, { Cookie: 'adslate-1=a' }],
  ])('is refused to %s', async (_who, status, changed) => {
    expect(statusOf(await upgrade({ ...good(), ...changed }))).toBe(status);
  });

  test('is refused without an origin and without a cookie', async () => {
    const { Origin: _origin, ...noOrigin } = good();
    const { Cookie: _cookie, ...noCookie } = good();
    expect(statusOf(await upgrade(noOrigin))).toBe(403);
    expect(statusOf(await upgrade(noCookie))).toBe(403);
  });

  test('is granted without compression, which lets a few bytes become many', async () => {
    const answer = await upgrade({ ...good(), 'Sec-WebSocket-Extensions': 'permessage-deflate' });
    expect(statusOf(answer)).toBe(101);
    expect(answer).not.toMatch(/sec-websocket-extensions/i);
  });

  test('is refused everywhere but at its address', async () => {
    expect(statusOf(await upgrade(good(), '/'))).toBe(400);
    expect(statusOf(await upgrade(good(), '/rpc?x=1'))).toBe(400);
  });

  test('is refused in a wrong form', async () => {
    expect(
      statusOf(
        await rawRequest(
          host.server.port,
          lines(
            'GET /rpc HTTP/1.1',
            `Host: ${own}`,
            `Origin: http://${own}`,
            `Cookie: ${secrets.cookie}`,
            'Upgrade: websocket',
          ),
        ),
      ),
    ).toBe(404);
  });
});

describe('the first message', () => {
  test.each(['', 'null', '{}', '{"auth":1}', '{"auth":"wrong"}', '[', '{"auth":"x","more":1}'])(
    '%s ends the socket',
    async (message) => {
      const socket = open();
      await once(socket, 'open');
      socket.send(message);
      expect(await closingCode(socket)).toBe(1008);
    },
  );

  test('of bytes ends the socket, even with the right token', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send(Buffer.from(JSON.stringify({ auth: secrets.token })), { binary: true });
    expect(await closingCode(socket)).toBe(1008);
  });

  test('that says more than the token ends the socket, even with the right one', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send(JSON.stringify({ auth: secrets.token, more: 1 }));
    expect(await closingCode(socket)).toBe(1008);
  });

  test('that never comes ends the socket', async () => {
    const socket = open();
    await once(socket, 'open');
    expect(await closingCode(socket)).toBe(1008);
  });

  test('of a page whose cookie is of another sign-in ends the socket', async () => {
    const other = await signedIn(host);
    const socket = open();
    await once(socket, 'open');
    socket.send(JSON.stringify({ auth: other.token }));
    expect(await closingCode(socket)).toBe(1008);
  });
});

test.each([
  ['an upgrade', () => `GET /rpc HTTP/1.1\r\nHost: ${own}\r\n${UPGRADE.join('\r\n')}\r\n\r\n`],
  ['a tunnel', () => 'CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n'],
])('whoever asks for %s and resets the connection does not end the host', async (_what, text) => {
  for (let count = 0; count < 5; count++) {
    const socket = connect(host.server.port, '127.0.0.1');
    socket.write(text(), () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  expect(statusOf(await upgrade(good()))).toBe(101);
});

test('a page gets at most eight sockets at a time', async () => {
  const before = await Promise.all(Array.from({ length: 12 }, async () => statusOf(await upgrade(good()))));
  expect(before.filter((status) => status === 101).length).toBeLessThanOrEqual(8);
  expect(before).toContain(503);
});

test('a stopped host takes its sockets with it', async () => {
  const short = await aWebHost();
  const { cookie } = await signedIn(short);
  const address = `127.0.0.1:${short.server.port}`;
  const socket = new WebSocket(`ws://${address}/rpc`, { headers: { cookie, origin: `http://${address}` } });
  await once(socket, 'open');
  const closed = closingCode(socket);
  await short.close();
  expect([1001, 1006]).toContain(await closed);
});
