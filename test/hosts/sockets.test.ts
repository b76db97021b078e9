import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createDispatch } from '../../main/host/dispatch/dispatch.ts';
import { aWebHost, signedIn, type WebHost } from './a-web-host.ts';
import { type HeldHost, onHeldHost } from './held-host.ts';
import { prepare } from './prepared.ts';
import { lines, rawRequest, statusOf } from './raw-request.ts';

/** The WebSocket as a hostile page or program would use it. */
let host: WebHost;
let own: string;
let secrets: HeldHost['secrets'];

beforeAll(() => {
  // oRPC writes every malformed message to the console.
  vi.spyOn(console, 'error').mockReturnValue();
});
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

/** The code a socket is closed with. */
async function closingCode(socket: WebSocket): Promise<number> {
  const [code] = await once(socket, 'close');
  return Number(code);
}

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

describe('a page that is in', () => {
  const signedSocket = async (): Promise<WebSocket> => {
    const socket = open();
    await once(socket, 'open');
    socket.send(JSON.stringify({ auth: secrets.token }));
    return socket;
  };
  /** The host still answers this very socket. */
  const answers = async (socket: WebSocket): Promise<unknown> => {
    socket.send(JSON.stringify({ i: '7', p: { u: '/app/info', b: {} } }));
    const [data] = await once(socket, 'message');
    return JSON.parse(String(data));
  };

  test.each([
    '',
    '[',
    'null',
    '7',
    '{}',
    '{"i":1}',
    '{"i":"1","p":{}}',
    '{"i":"1","p":{"u":"evil"}}',
    '{"i":"1","t":9}',
  ])('may send "%s" without harm', async (message) => {
    const socket = await signedSocket();
    socket.send(message);
    expect(await answers(socket)).toMatchObject({ i: '7', p: { b: { json: { host: 'web' } } } });
    socket.terminate();
  });

  test.each(['app/preferences/set', 'workspace/edit', 'rules/save', 'no/such'])(
    'may send what is nested two hundred thousand deep to %s without harm',
    async (operation) => {
      const socket = await signedSocket();
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      for (const json of [deep, `{"workspaceId":"a","rules":${deep},"changes":${deep},"layout":${deep}}`]) {
        socket.send(`{"i":"1","p":{"u":"/${operation}","b":{"json":${json}}}}`);
        const [refused] = await once(socket, 'message');
        expect(JSON.parse(String(refused))).toMatchObject({ i: '1', p: { s: expect.any(Number) } });
      }
      expect(await answers(socket)).toMatchObject({ i: '7' });
      socket.terminate();
    },
  );

  test('is cut off when it sends more than any call can hold', async () => {
    const socket = await signedSocket();
    socket.on('error', () => {});
    socket.send('x'.repeat(17 * 1024 * 1024), () => {});
    expect([1006, 1009]).toContain(await closingCode(socket));
  });

  test('is cut off when its text is no text', async () => {
    const socket = await signedSocket();
    socket.on('error', () => {});
    socket.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false });
    expect([1006, 1007]).toContain(await closingCode(socket));
  });

  test('that calls a thousand times at once gets a thousand answers', async () => {
    const socket = await signedSocket();
    const answered = new Set<string>();
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        answered.add(JSON.parse(data.toString()).i);
        if (answered.size === 1000) resolve();
      });
    });
    for (let call = 0; call < 1000; call += 1) {
      socket.send(JSON.stringify({ i: String(call), p: { u: '/app/preferences/get', b: {} } }));
    }
    await all;
    expect(answered.size).toBe(1000);
    socket.terminate();
  });

  test('gets at most eight sockets at a time', async () => {
    const before = await Promise.all(Array.from({ length: 12 }, async () => statusOf(await upgrade(good()))));
    expect(before.filter((status) => status === 101).length).toBeLessThanOrEqual(8);
    expect(before).toContain(503);
  });
});

describe('a message port', () => {
  test.each([null, 7, {}, { i: '1' }, '[', '{"i":"1","p":{}}', new Uint8Array([255, 0])])(
    'may carry %s without harm',
    async (message) => {
      const { port1, port2 } = new MessageChannel();
      createDispatch(host.core.router, () => {}).servePort(port2);
      port1.postMessage(message);
      port1.postMessage(JSON.stringify({ i: '7', p: { u: '/app/info', b: {} } }));
      const [answer] = await once(port1, 'message');
      expect(JSON.parse(String(answer))).toMatchObject({ i: '7' });
      port1.close();
    },
  );
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

test('a page that asks and takes no answers is cut off before they fill the memory', async () => {
  const short = await aWebHost();
  const facts = await prepare(short.core, 'short');
  const { workspaceId } = facts;
  const { client } = createDispatch(short.core.router, () => {});
  const rows = Array.from({ length: 400 }, (_, at) => ({
    kind: 'campaign' as const,
    parent: null,
    values: { name: `Campaign ${at} ${'x'.repeat(200)}` },
  }));
  await client.workspace.create({ workspaceId, label: 'Many', rows });
  const { viewId } = await client.workspace.openView({ workspaceId, view: { kind: 'campaign' } });
  const { cookie, token } = await signedIn(short);
  const address = `127.0.0.1:${short.server.port}`;
  const socket = new WebSocket(`ws://${address}/rpc`, { headers: { cookie, origin: `http://${address}` } });
  await once(socket, 'open');
  socket.send(JSON.stringify({ auth: token }));
  const ask = (at: number): void =>
    socket.send(
      JSON.stringify({
        i: String(at),
        p: { u: '/workspace/readWindow', b: { json: { workspaceId, viewId, from: 0, count: 400 } } },
      }),
    );
  ask(0);
  const [answer] = await once(socket, 'message');
  expect(String(answer).length).toBeGreaterThan(200_000);
  socket.pause();
  for (let at = 1; at < 220; at += 1) ask(at);
  // What waits on its side is not looked at before it has been cut off.
  await vi.waitFor(
    () => expect(short.logged).toContainEqual({ event: 'page cut off', fields: { reason: 'too-slow' } }),
    20_000,
  );
  const closed = closingCode(socket);
  socket.resume();
  expect(await closed).toBe(1013);
  await short.close();
});
