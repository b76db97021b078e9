import { createConnection } from 'node:net';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { type Chance, createChance } from './ground.ts';
import { createWireClient } from './wire-client.ts';

/** Requests that no client should send, made up by seed and sent signed, unsigned or as bare bytes. */
export interface Hostility {
  readonly seed: number;
  readonly seconds: number;
  /** How often each HTTP status came; 0 is a connection that was cut. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests answered with 5xx. The document knows them only from faults, and none is ordered here. */
  readonly failures: readonly string[];
  /** Memory of the heap and of buffers in MB: after a first tenth, and at the end. */
  readonly megabytes: readonly [early: number, late: number];
  /** An ordinary call still answers as before, with the same rows. */
  readonly isWell: boolean;
}

const paths = [
  'campaigns',
  'adGroups',
  'itemSearch',
  'adItems',
  'keywords',
  'media/upload',
  'media/complete',
  'adGroup/media',
  'sba_profile',
  'multipliers/placement',
  'multipliers/platform',
  'review',
  'snapshot/report',
] as const;
const fields = [
  'campaignId',
  'adGroupId',
  'adgroupId',
  'itemId',
  'keywords',
  'keywordText',
  'matchType',
  'bid',
  'status',
  'state',
  'name',
  'budget',
  'startDate',
  'sbaProfileId',
  'clickUrl',
  'mediaId',
  'advertiserId',
  'reportType',
  'multiplier',
  '__proto__',
  'constructor',
] as const;

function odd(chance: Chance, depth = 0): unknown {
  const leaf = chance.oneOf<unknown>([
    null,
    true,
    '',
    'x',
    '\u0000',
    '\ud800',
    'towel',
    '../../etc/passwd',
    "'; DROP TABLE campaign; --",
    '%s%n',
    'a'.repeat(5000),
    -1,
    0,
    1.5,
    1e308,
    2 ** 53,
    904_100_200_301,
    7_700_001,
    '9'.repeat(30),
    '2026-02-30',
    'enabled',
  ]);
  const kind = depth > 3 ? 9 : chance.whole(0, 9);
  if (kind === 0) return Array.from({ length: chance.whole(0, 60) }, () => leaf);
  if (kind <= 3) {
    const entries = Array.from({ length: chance.whole(1, 6) }, () => [chance.oneOf(fields), odd(chance, depth + 1)]);
    return Object.fromEntries(entries);
  }
  return leaf;
}

/** What the operations want to hear, of the scenario's own rows; one or two fields of it are odd. */
function nearlySound(chance: Chance): string {
  const at = chance.whole(0, 8);
  const sound = {
    advertiserId: 900_001,
    campaignId: 904_100_200_301 + at,
    adGroupId: 7_700_001 + at,
    name: `Odd ${chance.whole(1, 1000)}`,
    campaignType: 'sba',
    targetingType: 'manual',
    budget: 100,
    startDate: '2099-01-01',
    endDate: '9999-12-30',
    status: 'enabled',
    itemId: '0012345678',
    bid: 1.65,
    keywordText: 'towel',
    matchType: 'exact',
    state: 'enabled',
    searchAmpName: 'Northwind',
    headlineText: 'Line',
    clickUrl: 'https://shop.example/a',
    sbaProfileId: 10_001,
    keywordId: 8_100_001,
    mediaId: 6_600_001,
    mediaName: 'Film',
    placementType: 'Search Ingrid',
    platformType: 'App',
    multiplier: 10,
    reportType: 'campaign',
  };
  const names = Object.keys(sound);
  const oddOne = () => [names[chance.whole(0, names.length - 1)] ?? 'bid', odd(chance)] as const;
  const element = { ...sound, ...Object.fromEntries([oddOne(), ...(chance.next() < 0.5 ? [oddOne()] : [])]) };
  return JSON.stringify(chance.next() < 0.9 ? [element] : element);
}

/** Most bodies are JSON with odd contents, since those get furthest; the rest is not even that. */
function oddBody(chance: Chance): string | Uint8Array {
  if (chance.next() < 0.5) return nearlySound(chance);
  const json = JSON.stringify(chance.next() < 0.8 ? [odd(chance), odd(chance)] : odd(chance)) ?? '';
  const kind = chance.whole(0, 19);
  if (kind === 0) return json.slice(0, chance.whole(0, json.length));
  if (kind === 1) return Buffer.from(json, 'utf16le');
  if (kind === 2) return new Uint8Array(chance.whole(0, 300)).map(() => chance.whole(0, 255));
  if (kind === 3) return '['.repeat(chance.whole(1, 50_000));
  if (kind === 4) return `\ufeff${json}`;
  if (kind === 5 && chance.next() < 0.1) return `["${'a'.repeat(chance.whole(4, 6) * 1024 * 1024)}"]`;
  return json;
}

const boundary = 'part';
function oddForm(chance: Chance): string {
  const parts = Array.from({ length: chance.whole(0, 4) }, () => {
    const name = chance.oneOf(['SBABaseProfileRequest', 'file', 'FILE', '', '__proto__', 'x"y']);
    const fileName = chance.oneOf(['', '; filename="logo.png"', '; filename="../../x.png"', '; filename=""']);
    const type = chance.oneOf(['image/png', 'text/plain', 'application/json', 'nonsense']);
    const body = chance.oneOf(['{}', '{"campaignId":1,"adGroupId":1,"sbaProfileId":10001}', '\u0089PNG', '[', '']);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  });
  return parts.join('') + chance.oneOf([`--${boundary}--\r\n`, '', `--${boundary}`]);
}

const oddPath = (chance: Chance): string =>
  chance.oneOf(['/api/v1/', '/assets/', '/upload/video/', '/files/reports/', '//', '/', '/api/v2/sba_profile/']) +
  Array.from({ length: chance.whole(0, 5) }, () =>
    chance.oneOf(['..', '%2e%2e', '%2f', '%00', '%', 'media', '%c0%af', 'logos', ';', 'a'.repeat(300), '/', '%5c']),
  ).join(chance.oneOf(['/', '']));

const oddQuery = (chance: Chance): string =>
  chance.next() < 0.7
    ? ''
    : `?${chance.oneOf(fields)}=${chance.oneOf(['', 'x', '-1', '%00', '%', '1.5', '7700001', '9'.repeat(40), '1&campaignId=2'])}`;

const oddHeaders = (chance: Chance): Readonly<Record<string, string>> =>
  chance.oneOf<Readonly<Record<string, string>>>([
    {},
    {},
    {},
    { 'content-type': 'text/plain; charset=utf-7' },
    { 'content-encoding': 'gzip' },
    { accept: 'image/*' },
    { 'SVC_CONSUMER.intimestamp': '1e99' },
    { 'SVC_SEC.AUTH_SIGNATURE': '!' },
    { 'SVC_CONSUMER.ID': 'nobody' },
    { authorization: 'Bearer' },
  ]);

/** Bytes past every client library. @returns the status answered, 0 for none */
function sendBytes(sandbox: RunningSandbox, text: string): Promise<number> {
  const { hostname, port } = new URL(sandbox.ready.baseUrl);
  return new Promise((resolve) => {
    let answer = '';
    const socket = createConnection(Number(port), hostname, () => socket.end(text));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    // A cut is an answer, too; what counts is that the service lives on.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)));
  });
}

const oddBytes = (chance: Chance): string =>
  chance.oneOf([
    'hello\r\n\r\n',
    'GET /api/v1/media HTTP/9.9\r\n\r\n',
    'BREW /api/v1/media HTTP/1.1\r\nhost: a\r\n\r\n',
    'POST /api/v1/adItems HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n[]',
    'POST /api/v1/adItems HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'POST /api/v1/adItems HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    `GET / HTTP/1.1\r\nx: ${'a'.repeat(chance.whole(10, 70_000))}\r\n\r\n`,
    `GET ${oddPath(chance)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  ]);

const memory = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

/** @param settle lets the memory come to rest before it is measured */
export async function beHostile(seed: number, count: number, settle: () => void): Promise<Hostility> {
  const chance = createChance(seed);
  const sandbox = await startSandbox({
    scenario: 'conformance',
    clock: 'virtual',
    extensions: true,
  });
  const { baseUrl, accounts } = sandbox.ready;
  const owner = accounts.find((account) => account.role === 'owner') ?? null;
  const signed = createWireClient(baseUrl, owner);
  const unsigned = createWireClient(baseUrl, null);
  const rows = async () => (await signed.call('GET', '/api/v1/media?advertiserId=900001')).status;
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const began = performance.now();
  const send = async (): Promise<number> => {
    const kind = chance.whole(0, 19);
    if (kind === 0) return sendBytes(sandbox, oddBytes(chance));
    if (kind <= 2) {
      const path = encodeURI(oddPath(chance)).replaceAll('%25', '%') + oddQuery(chance);
      return note(path, await signed.call(chance.oneOf(['GET', 'PUT', 'POST', 'DELETE']), path, 'x'));
    }
    if (kind === 3) {
      const type = {
        'content-type': chance.oneOf([`multipart/form-data; boundary=${boundary}`, 'multipart/form-data']),
      };
      const form = oddForm(chance);
      return note(form, await signed.call('POST', '/api/v2/sba_profile_image_upload', form, type));
    }
    if (kind === 4) {
      const path = `/sandbox${chance.oneOf(['/clock', '/faults', '/accounts', '/console/keywords/1', '/reviews/3300001/decide'])}`;
      // An order that makes sense by chance, a fault above all, would answer for others.
      return note(path, await unsigned.call('POST', path, JSON.stringify({ odd: odd(chance) })));
    }
    const path = `/api/${chance.oneOf(['v1', 'v1', 'v2'])}/${chance.oneOf(paths)}${oddQuery(chance)}`;
    const body = oddBody(chance);
    const client = chance.next() < 0.9 ? signed : unsigned;
    const method = chance.oneOf(['POST', 'PUT', 'GET']);
    return note(
      `${method} ${path} ${String(body).slice(0, 200)}`,
      await client.call(method, path, body, oddHeaders(chance)),
    );
  };
  const note = (what: string, answer: { readonly status: number; readonly body: string }): number => {
    if (answer.status >= 500) failures.push(`${answer.status} ${answer.body} to ${what}`);
    return answer.status;
  };
  try {
    const before = await rows();
    let early = 0;
    for (let at = 0; at < count; at += 1) {
      if (at === Math.floor(count / 10)) {
        settle();
        early = memory();
      }
      const status = await send();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    settle();
    const isWell = before === 200 && (await rows()) === before;
    return {
      seed,
      seconds: (performance.now() - began) / 1000,
      statuses,
      failures,
      megabytes: [early, memory()],
      isWell,
    };
  } finally {
    signed.close();
    unsigned.close();
    await sandbox.close();
  }
}
