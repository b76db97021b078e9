import { createHash } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, createServer, type RequestOptions, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUploadHosts } from '../../main/files/upload/upload-url-check.ts';
import { type HostileService, startHostileService } from '../faults/a-hostile-service.ts';
import { aCertificate, type SelfSigned } from './a-certificate.ts';
import { addVideo, videoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { controlOf } from './control.ts';

/**
 * A storage over TLS that writes down who comes and with what. Its host is on no list, so it has to be allowed first. The name server
 * gives it a public address, as the guard demands; the last hop alone is bent to this machine, as a router would.
 */
const HOST = 'uploads.example';
const PUBLIC = '93.184.215.14';

interface Came {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly sha256: string;
}

let service: HostileService;
let account: TestAccount;
let storage: Server;
let connections: number;
let came: Came[];
let reply: { readonly status: number; readonly location?: string };
let addresses: readonly string[];
let asked: string[];
/** Pairs of addresses the service gave out. */
let pairs: number;
const good = aCertificate(HOST);
const OTHER = aCertificate('storage.example');
const OVER = aCertificate(HOST, 0);
/** The one certificate that this side trusts. */
let trusted: SelfSigned;

beforeAll(async () => {
  service = await startHostileService();
  return () => service.close();
});
afterEach(async () => {
  storage.closeAllConnections();
  await new Promise((resolve) => storage.close(resolve));
  await account.close();
});

beforeEach(async () => {
  [came, asked, connections, pairs] = [[], [], 0, 0];
  reply = { status: 201 };
  addresses = [PUBLIC];
  trusted = good;
  await openStorage(good);
  await controlOf(service.sandbox).reset();
  service.meet(async ({ method, path }) => {
    if (method !== 'POST' || path !== '/api/v1/media/upload') return null;
    pairs += 1;
    const at = (file: string): string => `https://${HOST}/${file}?se=1&sig=2`;
    const pair = { code: 'success', mediaUploadRequestId: 1, uploadUrl: at('video'), captionUrl: at('caption') };
    return { status: 200, body: JSON.stringify(pair) };
  });
  account = await openAccount({
    sandbox: service.front,
    uploadNetwork: {
      resolve: (host, done) => {
        asked.push(host);
        done(
          null,
          addresses.map((address): LookupAddress => ({ address, family: 4 })),
        );
      },
      agent: bentHere(),
    },
  });
  await account.create(videoDraft(await addVideo(account)));
});

async function openStorage({ key, cert }: SelfSigned): Promise<void> {
  storage = createServer({ key, cert }, (request, response) => {
    const hash = createHash('sha256');
    request.on('data', (chunk: Buffer) => hash.update(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      came.push({ method, url, headers, sha256: hash.digest('hex') });
      const { status, location } = reply;
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
  });
  storage.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
}

/** Trusts one certificate and opens what was looked up and found fit; only then is the connection led to the storage here. */
function bentHere(): Agent {
  class Bent extends Agent {
    override createConnection(
      { lookup, host, port }: RequestOptions,
      done: (problem: Error | null, stream: Duplex) => void = () => undefined,
    ): undefined {
      const name = host ?? '';
      // The answer to a failure has no stream, which the type of this hook does not foresee.
      const fail = done as (problem: Error) => void;
      expect(port).toBe(443);
      lookup?.(name, {}, (problem, address) => {
        if (problem !== null) return fail(problem);
        expect(address).toBe(PUBLIC);
        const { port: here } = storage.address() as AddressInfo;
        const socket = connect({ ca: trusted.cert, servername: name, host: '127.0.0.1', port: here });
        socket.once('error', fail);
        socket.once('secureConnect', () => done(null, socket));
      });
    }
  }
  return new Bent();
}

const hosts = () => createUploadHosts(account.workspace, () => 1_000);
async function mediaState(): Promise<readonly unknown[]> {
  const video = (await account.workspace.readMedia()).find(({ values }) => values.mediaType === 'video');
  return [video?.values.mediaState, video?.values.stateReason ?? ''];
}
/** A first sync asks about the host, the user allows it. */
async function allow(): Promise<void> {
  await account.run();
  expect(await hosts().answer(HOST, true)).toMatchObject([{ host: HOST, state: 'allowed' }]);
  pairs = 0;
}

test('while nobody has allowed the host, not even a connection is opened', async () => {
  await account.run();
  expect(await mediaState()).toEqual(['local', expect.stringContaining(HOST)]);
  expect(await hosts().list()).toMatchObject([{ host: HOST, state: 'asked' }]);
  expect({ connections, asked, came }).toEqual({ connections: 0, asked: [], came: [] });
});

test('once allowed, both files arrive whole, each by itself and without any credential', async () => {
  await allow();
  expect(await account.run()).toMatchObject({ uploads: 1 });
  const media = await account.workspace.readMedia();
  const hashOf = (type: string) => media.find(({ values }) => values.mediaType === type)?.values.sha256;
  expect(came.map(({ method, url, sha256 }) => [method, url, sha256])).toEqual([
    ['PUT', '/video?se=1&sig=2', hashOf('video')],
    ['PUT', '/caption?se=1&sig=2', hashOf('caption')],
  ]);
  for (const { headers } of came) {
    expect(Object.keys(headers).toSorted()).toEqual(['connection', 'content-length', 'content-type', 'host']);
    expect(headers.host).toBe(HOST);
  }
  expect(asked).toEqual([HOST, HOST]);
});

test('a redirect is not followed, wherever it leads', async () => {
  await allow();
  reply = { status: 307, location: service.elsewhere };
  await account.run();
  expect(service.strangers).toEqual([]);
  expect(new Set(came.map(({ url }) => url))).toEqual(new Set(['/video?se=1&sig=2']));
  expect(await mediaState()).toEqual(['failed', expect.stringContaining('status 307')]);
});

test.each([
  ['that nobody vouches for', aCertificate(HOST), good, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['for another host', OTHER, OTHER, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['that is over', OVER, OVER, 'CERT_HAS_EXPIRED'],
])('a certificate %s is refused at the handshake, told, and not tried again', async (_, shown, vouchedFor, code) => {
  await allow();
  storage.close();
  await openStorage(shown);
  trusted = vouchedFor;
  await account.run();
  expect(came).toEqual([]);
  expect({ connections, pairs }).toEqual({ connections: 1, pairs: 1 });
  expect(await mediaState()).toEqual(['failed', expect.stringContaining(`is not valid (${code})`)]);
});

test('a name that leads into the private network is refused although the user allowed it', async () => {
  await allow();
  // One closed address among open ones is enough: nobody knows which would be taken.
  addresses = [PUBLIC, '192.168.0.7'];
  await account.run();
  expect(connections).toBe(0);
  expect(await mediaState()).toEqual(['failed', expect.stringContaining('192.168.0.7')]);
});
