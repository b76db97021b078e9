import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createDispatch } from '../../main/hosts/dispatch/dispatch.ts';
import { share } from '../share.ts';
import { aWebHost, signedIn, type WebHost } from './a-web-host.ts';
import { closingCode } from './closing-code.ts';
import { type HeldHost, onHeldHost } from './held-host.ts';

/** What a page that is signed in may send, and what becomes of it when it goes too far. */
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

/** A socket that has said who it is. */
async function signedSocket(address: string, { cookie, token }: HeldHost['secrets']): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${address}/rpc`, { headers: { cookie, origin: `http://${address}` } });
  await once(socket, 'open');
  socket.send(JSON.stringify({ auth: token }));
  return socket;
}

/** The host still answers this very socket. */
const answers = async (socket: WebSocket): Promise<unknown> => {
  socket.send(JSON.stringify({ i: '7', p: { u: '/app/info', b: {} } }));
  const [data] = await once(socket, 'message');
  return JSON.parse(String(data));
};

describe('a page that is in', () => {
  test('may send what is no call without harm', async () => {
    const socket = await signedSocket(own, secrets);
    const messages = ['', '[', 'null', '7', '{}', '{"i":1}', '{"i":"1","p":{}}', '{"i":"1","p":{"u":"evil"}}'];
    for (const message of [...messages, '{"i":"1","t":9}']) {
      socket.send(message);
      expect(await answers(socket), message).toMatchObject({ i: '7', p: { b: { json: { host: 'web' } } } });
    }
    socket.terminate();
  });

  test('may send what is nested two hundred thousand deep without harm', async () => {
    const socket = await signedSocket(own, secrets);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const operations = ['app/preferences/set', 'workspace/edit', 'rules/save', 'no/such'];
    for (const operation of share('operations that are sent what is nested', operations, 4)) {
      for (const json of [deep, `{"workspaceId":"a","rules":${deep},"changes":${deep},"layout":${deep}}`]) {
        socket.send(`{"i":"1","p":{"u":"/${operation}","b":{"json":${json}}}}`);
        const [refused] = await once(socket, 'message');
        expect(JSON.parse(String(refused)), operation).toMatchObject({ i: '1', p: { s: expect.any(Number) } });
      }
    }
    expect(await answers(socket)).toMatchObject({ i: '7' });
    socket.terminate();
  });

  test('is cut off when it sends more than any call can hold', async () => {
    const socket = await signedSocket(own, secrets);
    socket.on('error', () => {});
    socket.send('x'.repeat(17 * 1024 * 1024), () => {});
    expect([1006, 1009]).toContain(await closingCode(socket));
  });

  test('is cut off when its text is no text', async () => {
    const socket = await signedSocket(own, secrets);
    socket.on('error', () => {});
    socket.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false });
    expect([1006, 1007]).toContain(await closingCode(socket));
  });

  test('that sends on and on waits for its turn, and once it is gone does not keep the host from ending', async () => {
    const ending = await aWebHost();
    const socket = await signedSocket(`127.0.0.1:${ending.server.port}`, await signedIn(ending));
    const call = JSON.stringify({ i: '1', p: { u: '/app/preferences/get', b: {} } });
    for (let at = 0; at < 2000; at += 1) socket.send(call);
    await vi.waitFor(() => expect(ending.served.at(-1)?.isPaused).toBe(true), 120_000);
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      socket.terminate();
      const closed = ending.server.close();
      await vi.advanceTimersByTimeAsync(1000);
      await closed;
      expect(ending.served.at(-1)?.readyState).toBe(WebSocket.CLOSED);
    } finally {
      vi.useRealTimers();
      await ending.close();
    }
  });

  test('that does not answer for two beats is taken for gone', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      const headers = { cookie: secrets.cookie, origin: `http://${own}` };
      const socket = new WebSocket(`ws://${own}/rpc`, { headers, autoPong: false });
      await once(socket, 'open');
      socket.send(JSON.stringify({ auth: secrets.token }));
      await answers(socket);
      const closed = closingCode(socket);
      vi.advanceTimersByTime(30_000);
      await once(socket, 'ping');
      vi.advanceTimersByTime(30_000);
      expect(await closed).toBe(1006);
    } finally {
      vi.useRealTimers();
    }
  });

  test('that calls a thousand times at once gets a thousand answers', async () => {
    const socket = await signedSocket(own, secrets);
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
});

test('a message port may carry what is no call without harm', async () => {
  for (const message of [null, 7, {}, { i: '1' }, '[', '{"i":"1","p":{}}', new Uint8Array([255, 0])]) {
    const { port1, port2 } = new MessageChannel();
    createDispatch(host.core.router, () => {}).servePort(port2);
    port1.postMessage(message);
    port1.postMessage(JSON.stringify({ i: '7', p: { u: '/app/info', b: {} } }));
    const [answer] = await once(port1, 'message');
    expect(JSON.parse(String(answer)), JSON.stringify(message)).toMatchObject({ i: '7' });
    port1.close();
  }
});

test('a page that asks and takes no answers is cut off before they fill the memory', async () => {
  const socket = await signedSocket(own, secrets);
  expect(await answers(socket)).toMatchObject({ i: '7' });
  socket.pause();
  // As many answers as there would be in the end.
  host.served.at(-1)?.send(Buffer.alloc(40 * 1024 * 1024));
  // What waits on its side is not looked at before it has been cut off.
  await vi.waitFor(
    () => expect(host.logged).toContainEqual({ event: 'page cut off', fields: { reason: 'too-slow' } }),
    30_000,
  );
  const closed = closingCode(socket);
  socket.resume();
  expect(await closed).toBe(1013);
});
