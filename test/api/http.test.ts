import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer, connect as dial, type Server as NetServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { baseUrlProblem } from '../../main/api/connection.ts';
import { observeFailure, signedText, signValues, timestampText } from '../../main/api/http.ts';
import type { PartnerApi } from '../../main/api/partner-api.ts';
import { keyProblemText, readPrivateKey } from '../../main/api/private-key.ts';
import { type Clock, systemClock } from '../../main/app/clock.ts';
import type { RemoteId } from '../../shared/model/scalars.ts';
import { aCertificate } from '../sync/a-certificate.ts';
import { anApi, PRIVATE_KEY } from './an-api.ts';

describe('http', () => {
  let server: Server;
  let base: string;
  let api: PartnerApi;
  let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    seen = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/prefix//`;
    api = anApi(base);
  });
  afterEach(() => {
    vi.useRealTimers();
    api.close();
    server.closeAllConnections();
    server.close();
  });

  const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    answer = (_, response) => response.writeHead(status, headers).end(JSON.stringify(body));
  };
  const send = (client = api) =>
    client.send({
      method: 'POST',
      path: '/api/v1/adItems',
      body: '[{"campaignId":9007199254740993}]',
      correlationId: 'corr-1',
      shape: { elements: 1, idNames: ['adItemId'], needsId: true, isTaken: () => false },
    });

  test('a write carries the exact body, the five headers and a path below the prefix of the base', async () => {
    json(200, [{ code: 'success', adItemId: 5 }]);
    expect(await send()).toEqual({ class: 'ELEMENTS', elements: [{ is: 'done', remoteId: '5' }] });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/prefix/api/v1/adItems',
      body: '[{"campaignId":9007199254740993}]',
    });
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'svc_sec.key_version': '2',
      'svc_consumer.id': 'consumer',
      'svc_qos.correlation_id': 'corr-1',
    });
    expect(seen[0]?.headers['svc_sec.auth_signature']).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(seen[0]?.headers.cookie).toBeUndefined();
  });

  test.each([
    ['a token', async () => ({ token: 'secret-token\r\nX-Evil: 1', privateKeyPem: PRIVATE_KEY }), 'corr-1'],
    ['a correlation id', async () => ({ token: 'secret-token', privateKeyPem: PRIVATE_KEY }), 'corr-1\r\nX-Evil: 1'],
  ])('%s that would begin another header is not sent', async (_, secrets, correlationId) => {
    json(200, []);
    const client = anApi(base, { secrets });
    const sent = client.send({
      method: 'POST',
      path: '/api/v1/adItems',
      body: '[]',
      correlationId,
      shape: { elements: 0, idNames: [], needsId: false, isTaken: () => false },
    });
    expect(JSON.stringify(await sent)).not.toMatch(/secret-token|Evil/);
    client.close();
    expect(seen).toEqual([]);
  });

  test('a redirect is not followed: the other place sees nothing', async () => {
    const other: string[] = [];
    const target = createServer((request, response) => {
      other.push(request.url ?? '');
      response.end('[]');
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const address = target.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const status of [301, 302, 307, 308]) {
      answer = (_, response) => response.writeHead(status, { location: `http://127.0.0.1:${port}/steal` }).end();
      expect(await send()).toMatchObject({ class: 'IN_DOUBT', security: true });
      expect(await api.media(null)).toMatchObject({ ok: false, error: { kind: 'security' } });
    }
    expect(other).toEqual([]);
    target.close();
  });

  test('a clock that is hours off is corrected by the Date of the answer, once', async () => {
    const threeHours = 3 * 3_600_000;
    const stamps: number[] = [];
    answer = (request, response) => {
      const stamp = Number(request.headers['svc_consumer.intimestamp']);
      stamps.push(stamp);
      const serverNow = Date.now() + threeHours;
      const isGood = Math.abs(stamp - serverNow) < 300_000;
      response.writeHead(isGood ? 200 : 403, { date: new Date(serverNow).toUTCString() });
      response.end(JSON.stringify(isGood ? [{ code: 'success', adItemId: 5 }] : { error: 'User not Authenticated' }));
    };
    expect(await send()).toMatchObject({ class: 'ELEMENTS' });
    expect(stamps).toHaveLength(2);
    expect(Math.abs(api.clockOffsetMs() - threeHours)).toBeLessThan(60_000);
  });

  test('a request that a sleeping machine sent late is signed again, with the time it is by then', async () => {
    let sleptMs = 0;
    const clock: Clock = { ...systemClock, nowMs: () => Date.now() + sleptMs };
    const sleepy = anApi(base, { clock });
    answer = (request, response) => {
      if (seen.length === 1) sleptMs = 600_000;
      const now = clock.nowMs();
      const isGood = Math.abs(Number(request.headers['svc_consumer.intimestamp']) - now) < 300_000;
      response.writeHead(isGood ? 200 : 401, { date: new Date(now).toUTCString() }).end('[]');
    };
    await send(sleepy);
    expect(seen).toHaveLength(2);
    expect(Math.abs(sleepy.clockOffsetMs())).toBeLessThan(60_000);
    sleepy.close();
  });

  test('wrong credentials are tried once and no more', async () => {
    json(403, { error: 'User not Authenticated' });
    expect(await send()).toMatchObject({ class: 'AUTH' });
    expect(seen).toHaveLength(1);
  });

  test('without secrets nothing is sent', async () => {
    const bare = anApi(base, { secrets: async () => null as never });
    expect(await send(bare)).toMatchObject({ class: 'AUTH' });
    expect(seen).toEqual([]);
  });

  test('nothing listening means not sent; a reset after the body means in doubt', async () => {
    expect(await send(anApi('http://127.0.0.1:1'))).toMatchObject({ class: 'NOT_SENT' });
    answer = (request) => request.socket.destroy();
    expect(await send()).toMatchObject({ class: 'IN_DOUBT' });
  });

  test.each([
    ['a connection that was never made', 'connect', 'NOT_SENT'],
    ['a name that was never resolved', 'getaddrinfo', 'NOT_SENT'],
    ['a connection that was there', 'read', 'IN_DOUBT'],
    ['a connection that was there, while it was written to', 'write', 'IN_DOUBT'],
  ])('fault V10: EHOSTUNREACH of %s', async (_, syscall, outcome) => {
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']) {
      const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
      const away = anApi(base, { fetch: async () => Promise.reject(new TypeError('fetch failed', { cause })) });
      expect(await send(away)).toMatchObject({ class: outcome, cause: code });
    }
  });

  test('no request is ever repeated by the client itself', async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      seen = [];
      json(status, { error: 'x' });
      await send();
      await api.media(null);
      expect(seen).toHaveLength(2);
    }
  });

  /** A connection that stays open: the headers never come, or no byte of the body after them. */
  const silent =
    (status: number | null): typeof fetch =>
    async (input) => {
      if (status !== null) return new Response(new ReadableStream(), { status });
      const { signal } = new Request(input);
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };

  test.each([
    ['headers that do not come', null, 30_000, { class: 'IN_DOUBT', cause: 'no response within the time limit' }],
    ['a body that does not end', 200, 60_000, { class: 'IN_DOUBT', cause: 'the answer was cut off or too long' }],
    ['a refusal without its words', 429, 60_000, { class: 'LATER', message: '' }],
  ])('%s are waited for so long and no longer', async (_, status, limitMs, outcome) => {
    vi.useFakeTimers();
    const waiting = anApi(base, { fetch: silent(status) });
    let seenOutcome: unknown = null;
    const sent = send(waiting).then((value) => {
      seenOutcome = value;
    });
    await vi.advanceTimersByTimeAsync(limitMs - 1000);
    expect(seenOutcome).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect(seenOutcome).toMatchObject(outcome);
    await sent;
  });

  test('a request across a jump of the clock is in doubt, and so is one that closing the account ends', async () => {
    vi.useFakeTimers();
    let jumpedMs = 0;
    const clock: Clock = { ...systemClock, nowMs: () => Date.now() + jumpedMs };
    const waiting = anApi(base, { clock, fetch: silent(null) });
    const slept = send(waiting);
    await vi.advanceTimersByTimeAsync(6000);
    jumpedMs = 600_000;
    await vi.advanceTimersByTimeAsync(6000);
    expect(await slept).toMatchObject({ class: 'IN_DOUBT', cause: expect.stringContaining('the clock jumped') });
    const closed = send(waiting);
    await vi.advanceTimersByTimeAsync(1000);
    waiting.close();
    expect(await closed).toMatchObject({ class: 'IN_DOUBT' });
    expect(await send(waiting)).toMatchObject({ class: 'IN_DOUBT' });
  });

  test('an endless answer and a well-packed one stop at the limit', async () => {
    answer = (_, response) => {
      response.writeHead(200);
      const chunk = 'x'.repeat(1 << 20);
      const more = () => {
        if (!response.destroyed) response.write(chunk, () => setImmediate(more));
      };
      more();
    };
    expect(await send()).toMatchObject({ class: 'IN_DOUBT' });
    const packed = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '));
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    expect(await send()).toMatchObject({ class: 'IN_DOUBT' });
  });

  test('lists are followed page by page, in each of their forms', async () => {
    answer = (request, response) => {
      const page = new URL(request.url ?? '', 'http://x').searchParams.get('nextToken');
      const body =
        page === null
          ? { items: [{ mediaId: 1, status: 'AVAILABLE' }], nextToken: 'two' }
          : { data: [{ MEDIAID: '2', status: 'inProgress' }, { noId: true }] };
      response.end(JSON.stringify(body));
    };
    const media = await api.media(null);
    expect(media.ok && media.value.map(({ remoteId, state }) => [remoteId, state])).toEqual([
      ['1', 'available'],
      ['2', 'inProgress'],
    ]);
  });

  test('profiles and reviews are read in both dialects', async () => {
    json(200, [
      {
        sbaProfileId: 1,
        brandName: 'N',
        headline: 'H',
        reviewStatus: 'complete',
        reviewReason: 'Blurred',
        status: 'ENABLED',
      },
      { sbaProfileId: 2, searchAmpName: 'N', headlineText: 'H', reviewStatus: 'complete', reviewReason: null },
    ]);
    const profiles = await api.sbaProfiles('7' as RemoteId);
    expect(
      profiles.ok && profiles.value.map(({ values }) => [values['brand'], values['reviewStatus'], values['status']]),
    ).toEqual([
      ['N', 'rejected', 'enabled'],
      ['N', 'approved', undefined],
    ]);
    json(200, [
      { reviewId: 9, reviewStatus: 'inProgress', components: [] },
      {
        reviewId: 10,
        reviewStatus: 'complete',
        components: [{ type: 'AD_ITEM', id: 4, status: 'rejected', reason: 'x' }],
      },
    ]);
    const reviews = await api.reviews('7' as RemoteId);
    expect(reviews.ok && reviews.value.map(({ state }) => state)).toEqual(['in-progress', 'rejected']);
  });

  test('fault 47: what the service says is kept as the text it is, markup and all', async () => {
    json(400, { code: '400', details: [{ code: 'X', description: '"><script>alert(1)</script>' }] });
    expect(JSON.stringify(await send())).toContain(JSON.stringify('"><script>alert(1)</script>').slice(1, -1));
  });

  test.each([200, 400, 403, 422, 429, 500, 502])(
    'fault V14: status %i that repeats the request is told without the token and the signature',
    async (status) => {
      const told: string[] = [];
      const client = anApi(base, { onResponse: (record) => void told.push(JSON.stringify(record())) });
      answer = ({ headers }, response) => {
        const said = `Rejected: ${JSON.stringify(headers)} https://api.example/x?sig=signed-address`;
        response.writeHead(status).end(JSON.stringify({ error: said, headers }));
      };
      told.push(JSON.stringify([await send(client), await client.media(null)]));
      client.close();
      const secrets = seen.flatMap(({ headers }) => [headers['svc_sec.auth_signature'], 'secret-token']);
      expect(secrets).toHaveLength(4);
      for (const secret of secrets) expect(told.join('\n')).not.toContain(secret);
      if (status >= 400) expect(told.join('\n')).not.toContain('signed-address');
      expect(told.join('\n')).toContain('Rejected');
    },
  );

  test('fault 54: a logo is sent under a name of ours, so that no name of a file stands in the header of a part', async () => {
    json(200, { code: 'success' });
    const ids = { campaignId: '1' as RemoteId, adGroupId: '2' as RemoteId, sbaProfileId: '3' as RemoteId };
    const named = { ...ids, png: new Uint8Array([1]), correlationId: 'corr-1', fileName: 'a"\r\nX-Evil: 1.png' };
    await api.uploadLogo(named, 'SBABaseProfileRequest');
    const headers = seen[0]?.body.match(/^Content-Disposition: .*$/gm);
    expect(headers?.map((header) => header.trim())).toEqual([
      'Content-Disposition: form-data; name="SBABaseProfileRequest"',
      'Content-Disposition: form-data; name="file"; filename="logo.png"',
    ]);
    expect(seen[0]?.body).not.toContain('Evil');
  });

  test('a base address that would carry the credentials in the open is refused', () => {
    expect(baseUrlProblem('https://api.example/partner')).toBeNull();
    expect(baseUrlProblem('http://127.0.0.1:4600')).toBeNull();
    expect(baseUrlProblem('http://api.example')).toBe('not-https');
    expect(baseUrlProblem('https://user@api.example')).toBe('has-credentials');
    expect(baseUrlProblem('https://api.example?x=1')).toBe('has-query');
    expect(baseUrlProblem('nonsense')).toBe('not-an-address');
  });
});

describe('broken TLS', () => {
  const HOST = 'localhost';
  const certificate = aCertificate(HOST);
  const listening = async (server: NetServer): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const plain = (line: Socket): void => void line.write('HTTP/1.1 400 Bad Request\r\n\r\n');
  let open: NetServer[];

  beforeEach(() => {
    open = [];
    anApi('http://127.0.0.1:1').close();
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, certificate.cert]);
    return () => {
      setDefaultCACertificates(usual);
      for (const server of open) server.close();
    };
  });

  /** What `fetch` throws when it posts to a place that treats its lines so. */
  async function failureOf(treat: (line: Socket) => void): Promise<ReturnType<typeof observeFailure>> {
    const server = createNetServer((line) => {
      line.on('error', () => line.destroy());
      treat(line);
    });
    open.push(server);
    try {
      await fetch(`https://${HOST}:${await listening(server)}`, { method: 'POST', body: '[]' });
    } catch (thrown) {
      return observeFailure(thrown);
    }
    throw new Error('it was answered');
  }

  test('fault V10: TLS that never began has sent nothing', async () => {
    const cause = expect.stringContaining('does not use https');
    const seen = await failureOf((line) => line.once('data', () => plain(line)));
    expect(seen).toMatchObject({ kind: 'not-sent', security: true, cause });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'fault V10: %s that breaks behind a request leaves it in doubt',
    async (version) => {
      let near: Socket | null = null;
      let posts = 0;
      const options = { ...certificate, minVersion: version, maxVersion: version };
      const service = createTlsServer(options, () => {
        posts++;
        if (near !== null) plain(near);
      });
      open.push(service);
      const port = await listening(service);
      const seen = await failureOf((line) => {
        near = line;
        const far = dial(port, '127.0.0.1');
        far.on('error', () => line.destroy());
        line.on('close', () => far.destroy());
        line.pipe(far).pipe(line);
      });
      expect(posts).toBe(1);
      expect(seen.kind).toBe('broken');
    },
  );
});

/** The RSA key printed in RFC 7515, appendix A.2: public, and for nothing but these vectors. */
const RFC_KEY = {
  kty: 'RSA',
  n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
  e: 'AQAB',
  d: 'Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ',
  p: '4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc',
  q: 'uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc',
  dp: 'BwKfV3Akq5_MFZDFZCnW-wzl-CCo83WoZvnLQwCTeDv8uzluRSnm71I3QCLdhrqE2e9YkxvuxdBfpT_PI7Yz-FOKnu1R6HsJeDCjn12Sk3vmAktV2zb34MCdy7cpdTh_YVr7tss2u6vneTwrA86rZtu5Mbr1C1XsmvkxHQAdYo0',
  dq: 'h_96-mK1R_7glhsum81dZxjTnYynPbZpHziZjeeHcXYsXaaMwkOlODsWa7I9xXDoRwbKgB719rrmI2oKr6N3Do9U0ajaHF-NKJnwgjMd2w9cjz3_-kyNlxAr2v4IKhGNpmM5iIgOS1VZnOZ68m6_pbLBSp3nssTdlqvd0tIiTHU',
  qi: 'IYd7DHOhrWvxkwPQsRM2tOgrjbcrfvtQJipd-DlcxyVuuMKnCd5LU4XEDIGEpXfoqEBN_Cvpks2vc8j3Y6I7w8u5ysQH5_oHv9Awx5tNcYC5jbLnGhHCtWj5TdLpzVoKHZW0XTzBl7dwLJwIHv6E7oY3BQwZXKmwHhX3CHUUKQ4',
};

const V1 = { consumerId: '0a1b2c3d-0000-4000-8000-00000000abcd', timestamp: '1707205605000', keyVersion: '2' };
const V2 = { ...V1, timestamp: '1565309779', keyVersion: '1' };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('the signed text is the three values, trimmed, each with a newline', () => {
  expect(sha256(signedText(V1))).toBe('c2d5a384a070d6b83127456bdab0de8b45867d4db729d70f4309fd1787239398');
  expect(sha256(signedText(V2))).toBe('3ec4643dec4ec8d94ad2dfd5d21fb4cb2c15ae991b7365a4b4b6e1db9b3791bf');
});

test('blanks around the consumer id change nothing', () => {
  expect(signedText({ ...V1, consumerId: ` ${V1.consumerId} ` })).toBe(signedText(V1));
});

test('the signatures of the two vectors come out to the letter', () => {
  const key = createPrivateKey({ key: RFC_KEY, format: 'jwk' });
  expect(signValues(V1, key)).toBe(
    'Ul2tXs42l8KfPO6KmD1FEqv7LxdxfgmerQ0bpm6L19xHPPDrYNYpjm+Izd4/dxbJ4d6q6SPmIBLg77o4P6iK/Xg0vRkF+lP5xw23sIh6uJUpjyZtKaOWFvb+E0575fLgX4z89jSTl4YMLC+OBi+nW4jUv2h6+XkDRo/ydPYwcgB7XppFtcP0VVSYN3JUAnsk8dlipX35tqJsb7UAz6Rk4SkBpZwZ00QaWKF1RF7MLib3eTbRWFddrXtEYYvpUEjQ3Di3wPdSrEH+DF+J1jeYqcfP8n7MDghUyGwS8RxefAvGkgxsbiZTqvIH+tuC4fvcHN93yicXFOPBy4m+K6FhQg==',
  );
  expect(signValues(V2, key)).toBe(
    'OAnVU5porNt5UULAH3BIX3fDrExm/qsP2Y5SYiA8fy6ErnulUXmQETi1lOg4kA82lu5d/iG0vzvwmKrVthQ/ktGdhfOwT7b1zUjmrHRLQLIh/h8+eK80Op6ffYJNQVst1RyWebpnM5TfL0BEivir2jRJf3k7MO6ASsIIbso7RvbwHEgRrRVFcoYUvPiLnom2C7Ag+WH7lSvptnnNCpf+HrHOQx8h2nIv9qHRnG/K1asIp/7FCTatwsQEz3QP2pMevQyq8sZldQJFafcmGYd+/JU1HpfTj/lcdKfROlSNV8t/5ORGkbtUuZAZb0sJWtr6CoQ7hTyF8d5DnHqpAXzj9g==',
  );
});

test('a lost last newline or one changed digit breaks the signature', () => {
  const key = createPrivateKey({ key: RFC_KEY, format: 'jwk' });
  const signature = Buffer.from(signValues(V1, key), 'base64');
  const isGood = (text: string) => verify('RSA-SHA256', Buffer.from(text), createPublicKey(key), signature);
  expect(isGood(signedText(V1))).toBe(true);
  expect(isGood(signedText(V1).slice(0, -1))).toBe(false);
  expect(isGood(signedText({ ...V1, timestamp: '1707205605001' }))).toBe(false);
});

test('timestamps are milliseconds or whole seconds', () => {
  expect(timestampText(1707205605123, 'ms')).toBe('1707205605123');
  expect(timestampText(1707205605999, 's')).toBe('1707205605');
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pkcs8 = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

test.each([
  ['PKCS#8', pkcs8],
  ['PKCS#1', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
  ['Base64 on one line', rsa.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')],
  ['a PEM whose line breaks were lost in pasting', pkcs8.replaceAll('\n', ' ')],
  ['a PEM with written-out line breaks', pkcs8.replaceAll('\n', '\\n')],
])('a private key as %s is taken and proven', (_, text) => {
  const key = readPrivateKey(text);
  expect(key).toMatchObject({ ok: true, value: { privateKeyPem: pkcs8 } });
  expect(key.ok && key.value.fingerprint).toMatch(/^([0-9a-f]{2}:){31}[0-9a-f]{2}$/);
});

test('an encrypted key asks for its passphrase and says when it is wrong', () => {
  const text = rsa.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' })
    .toString();
  expect(readPrivateKey(text)).toEqual({ ok: false, error: { kind: 'needs-passphrase' } });
  expect(readPrivateKey(text, 'wrong')).toEqual({ ok: false, error: { kind: 'wrong-passphrase' } });
  expect(readPrivateKey(text, 'open sesame')).toMatchObject({ ok: true, value: { privateKeyPem: pkcs8 } });
});

test('a key whose numbers were damaged is refused by the proof, whatever OpenSSL makes of them', () => {
  const whole = rsa.privateKey.export({ format: 'jwk' });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const even = Buffer.from(whole.n ?? '', 'base64url');
  even.writeUInt8(even.readUInt8(255) & 0xfe, 255);
  for (const damage of [{ n: other.n ?? '' }, { n: even.toString('base64url') }, { p: 'AA' }, { e: 'Aw' }]) {
    const damaged = createPrivateKey({ key: { ...whole, ...damage }, format: 'jwk' });
    const text = damaged.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(readPrivateKey(text), Object.keys(damage).join()).toEqual({ ok: false, error: { kind: 'proof-failed' } });
  }
});

test('what cannot sign is refused by name', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = (key: typeof short) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const problem = (text: string) => {
    const key = readPrivateKey(text);
    return key.ok ? null : key.error;
  };
  expect(problem(pem(short))).toEqual({ kind: 'too-short', bits: 1024 });
  expect(problem(pem(curve))).toEqual({ kind: 'not-rsa', type: 'ec' });
  expect(problem(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())).toEqual({ kind: 'public-key' });
  expect(problem('not a key at all')).toEqual({ kind: 'not-a-key' });
  expect(keyProblemText({ kind: 'too-short', bits: 1024 })).toContain('1024 bits');
});
