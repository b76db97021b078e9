import { once } from 'node:events';
import { createServer as createProxy, type Server } from 'node:http';
import { createServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeFailure } from '../../main/api/http.ts';
import { createProxiedFetch, proxyFor } from '../../main/api/proxy-fetch.ts';
import { aCertificate } from '../sync/a-certificate.ts';

const HOST = 'service.example';
const certificate = aCertificate(HOST);
let service: TlsServer;
let proxy: Server;
/** What the proxy was told, and what the service was. */
let asked: string[];
let arrived: { readonly path: string; readonly token: string | undefined; readonly body: string }[];
let refuses = false;
/** Whether what is behind the proxy speaks TLS at all, and whether its records break once a request has arrived. */
let speaksTls = true;
let breaks = false;

/** The line from the proxy to who asked it. */
let tunnel: Duplex | null = null;

const portOf = (server: Server | TlsServer): number => (server.address() as AddressInfo).port;

beforeEach(async () => {
  asked = [];
  arrived = [];
  refuses = false;
  speaksTls = true;
  breaks = false;
  service = createServer(certificate, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => {
      body += String(part);
    });
    request.on('end', () => {
      arrived.push({ path: request.url ?? '', token: request.headers.authorization, body });
      if (breaks) tunnel?.write('HTTP/1.1 400 Bad Request\r\n\r\n');
      else if (request.url === '/moved') response.writeHead(302, { location: `https://${HOST}/elsewhere` }).end();
      else if (request.url === '/odd') response.writeHead(999).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
  });
  proxy = createProxy();
  proxy.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers.authorization ?? 'no token'}`);
    if (refuses) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    tunnel = socket;
    if (!speaksTls) {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      return;
    }
    const through = connect(portOf(service), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => socket.destroy());
    socket.on('error', () => through.destroy());
  });
  for (const server of [service, proxy]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
});
afterEach(() => {
  for (const server of [service, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});

const aFetch = (trusted = true) =>
  createProxiedFetch({
    resolveProxy: async () => `PROXY 127.0.0.1:${portOf(proxy)}; DIRECT`,
    direct: async () => Promise.reject(new Error('went past the proxy')),
    ...(trusted ? { ca: certificate.cert } : {}),
  });

const failureOf = async (sent: Promise<Response>) => {
  try {
    await sent;
  } catch (thrown) {
    return observeFailure(thrown);
  }
  throw new Error('it was answered');
};

test('a request goes through the tunnel whole; the proxy learns a host and a port', async () => {
  const response = await aFetch()(`https://${HOST}/api?x=1`, {
    method: 'POST',
    body: '[{"name":"Käse"}]',
    headers: { authorization: 'Bearer secret' },
  });
  expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
  expect(asked).toEqual([`${HOST}:443 no token`]);
  expect(arrived).toEqual([{ path: '/api?x=1', token: 'Bearer secret', body: '[{"name":"Käse"}]' }]);
});

test('an answer with a status that is none may have been executed, and ends nothing but its request', async () => {
  const failed = await failureOf(aFetch()(`https://${HOST}/odd`, { method: 'POST', body: '[]' }));
  expect(failed).toEqual({ kind: 'broken', cause: 'ERR_HTTP_STATUS_999' });
});

test('a form travels with its boundary, as without a proxy', async () => {
  const form = new FormData();
  form.set('file', new Blob(['PNG']), 'logo.png');
  await aFetch()(`https://${HOST}/logo`, { method: 'POST', body: form });
  expect(arrived[0]?.body).toContain('filename="logo.png"');
});

test('a redirect is an answer and is not followed', async () => {
  const response = await aFetch()(`https://${HOST}/moved`, { redirect: 'manual' });
  expect(response.status).toBe(302);
  expect(arrived.map(({ path }) => path)).toEqual(['/moved']);
});

test('who cannot prove to be the service gets not one byte, whatever the proxy says', async () => {
  expect(await failureOf(aFetch(false)(`https://${HOST}/api`))).toMatchObject({ kind: 'not-sent', security: true });
  expect(arrived).toEqual([]);
});

test('a proxy that opens no tunnel, is not there or is of another kind has sent nothing', async () => {
  refuses = true;
  expect(await failureOf(aFetch()(`https://${HOST}/api`))).toMatchObject({ kind: 'not-sent', security: false });
  const gone = createProxiedFetch({ resolveProxy: async () => 'PROXY 127.0.0.1:9', direct: fetch });
  expect(await failureOf(gone(`https://${HOST}/api`))).toMatchObject({ kind: 'not-sent', security: false });
  const socks = createProxiedFetch({ resolveProxy: async () => 'SOCKS5 127.0.0.1:1080', direct: fetch });
  expect(await failureOf(socks(`https://${HOST}/api`))).toMatchObject({ kind: 'not-sent', security: false });
  expect(arrived).toEqual([]);
});

test('fault V10: a tunnel that breaks before TLS is ready has carried nothing, one that breaks after it may have', async () => {
  speaksTls = false;
  expect(await failureOf(aFetch()(`https://${HOST}/api`))).toMatchObject({ kind: 'not-sent', security: true });
  expect(arrived).toEqual([]);
  speaksTls = true;
  breaks = true;
  const written = { method: 'POST', body: '[]' };
  expect(await failureOf(aFetch()(`https://${HOST}/api`, written))).toMatchObject({ kind: 'broken' });
  expect(arrived).toHaveLength(1);
});

test('an exchange that is given up ends', async () => {
  const given = AbortSignal.abort();
  await expect(aFetch()(`https://${HOST}/api`, { signal: given })).rejects.toThrow();
});

test('the first way of the list that can be gone is gone', () => {
  expect(proxyFor('DIRECT')).toBe('direct');
  expect(proxyFor('PROXY proxy.example:8080; DIRECT')).toBe('http://proxy.example:8080');
  expect(proxyFor('SOCKS5 s.example:1080; HTTPS p.example:443')).toBe('https://p.example:443');
  expect(proxyFor('SOCKS s.example:1; DIRECT')).toBe('direct');
  expect(() => proxyFor('SOCKS s.example:1')).toThrow();
});

test('the loopback service goes past every proxy', async () => {
  const went: string[] = [];
  const past = createProxiedFetch({
    resolveProxy: async () => 'PROXY 127.0.0.1:9',
    direct: async (input) => {
      went.push(new Request(input).url);
      return new Response('{}');
    },
  });
  await past('http://127.0.0.1:5188/api');
  expect(went).toEqual(['http://127.0.0.1:5188/api']);
});
