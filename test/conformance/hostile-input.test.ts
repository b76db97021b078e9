import { connect } from 'node:net';
import { expect } from 'vitest';
import { share } from '../share.ts';
import { conform } from './case.ts';
import { expectRefusal } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Hostile input';
const owner = () => world.as('owner');
const alive = async () => expect((await owner().get('/api/v1/media')).status).toBe(200);

/** Bytes straight to the socket, past everything a client library would put right. @returns the first line answered */
function raw(text: string): Promise<string> {
  const { port, hostname } = new URL(world.sandbox().ready.baseUrl);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      if (answer.includes('\r\n')) socket.end();
    });
    socket.on('error', () => resolve('cut'));
    socket.on('close', () => resolve(answer.split('\r\n')[0] || 'cut'));
  });
}

const PATHS = [
  '/',
  '/api',
  '/api/v1/unknown',
  '/api/v1/campaigns/',
  '//api/v1/media',
  '/api/v1/../v1/media',
  '/api/v1/%2e%2e/media',
  '/api/v1/media%00',
  '/%',
  '/assets/logos/..%2f..%2fsandbox.db',
  '/assets/videos/../../../etc/passwd',
  '/upload/video/1',
  '/files/reports/..%2f',
];
conform(section, 'a path that leads out or nowhere is a plain refusal', async () => {
  for (const path of PATHS) {
    const line = await raw(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    expect([path, line]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 40[0345] /)]);
    await alive();
  }
});

const NO_REQUESTS = [
  ['no HTTP', 'hello\r\n\r\n'],
  ['two lengths', 'POST /api/v1/adItems HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST /api/v1/adItems HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a header without end', `GET / HTTP/1.1\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`],
  ['a method nobody knows', 'BREW /api/v1/media HTTP/1.1\r\nhost: a\r\n\r\n'],
] as const;
conform(section, 'bytes that are no request do not stop the service', async () => {
  for (const [what, text] of NO_REQUESTS) {
    expect([what, await raw(text)]).toEqual([what, expect.stringMatching(/^(?:HTTP\/1\.1 4|cut)/)]);
    await alive();
  }
});

conform(section, 'an unknown path is a 404', async () => {
  expectRefusal(await owner().get('/api/v1/unknown'), 404, 'No such path');
}).proves('own.pathNotFound');

conform(section, 'a wrong method on a known path is a 405', async () => {
  expect((await owner().send('DELETE', '/api/v1/campaigns', '')).status).toBe(405);
  expect((await owner().send('PUT', '/api/v1/itemSearch', '')).status).toBe(405);
}).proves('own.methodNotAllowed');

const bodies: Readonly<Record<string, string>> = {
  'nested 100,000 deep': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'nested 100,000 deep with a long number': `${'['.repeat(100_000)}12345678901234567${']'.repeat(100_000)}`,
  'a prototype': '[{"__proto__":{"adGroupId":1},"constructor":{"prototype":{}}}]',
  'a bare number': '17',
  'bytes that are no UTF-8': '\ud800',
  'a byte order mark only': '\ufeff',
  'an element that is null': '[null]',
};
for (const [what, body] of Object.entries(bodies)) {
  const key = what === 'a prototype' ? 'message.fieldMissing' : 'message.invalidParameters';
  conform(section, `a body with ${what} is a 400`, async () => {
    for (const path of [
      '/api/v1/adItems',
      '/api/v1/keywords',
      '/api/v1/review',
      '/api/v1/multipliers/platform',
      '/api/v1/media/upload',
    ]) {
      expect((await owner().send('POST', path, body)).status).toBe(400);
    }
    expect(Reflect.get({}, 'adGroupId')).toBeUndefined();
    await alive();
  }).proves(key);
}

conform(section, 'a body of 4 MiB is read, and one more byte is not', async () => {
  const send = (bytes: number) => owner().send('POST', '/api/v1/adItems', '[{}]'.padEnd(bytes));
  expectRefusal(await send(4 * 1024 * 1024), 400, 'Field [campaignId] not found in request');
  expectRefusal(await send(4 * 1024 * 1024 + 1), 400, 'Invalid request parameter(s)');
}).proves('limit.jsonBodyMaxBytes');

conform(section, 'a body far above 4 MiB is refused', async () => {
  const body = JSON.stringify(Array(50).fill({ text: 'a'.repeat(100_000) }));
  expectRefusal(await owner().send('POST', '/api/v1/adItems', body), 400, 'Invalid request parameter(s)');
  await alive();
}).proves('limit.jsonBodyMaxBytes');

const values: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  '',
  ' ',
  'x',
  -1,
  0.5,
  1e300,
  '9'.repeat(400),
  '\u0000',
  '<script>',
  "'; DROP TABLE campaign; --",
  2 ** 60,
];
const calls: readonly (readonly [method: 'post' | 'put', path: string, fields: string])[] = [
  [
    'post',
    '/api/v1/campaigns',
    'advertiserId name campaignType targetingType budget dailyBudget startDate endDate status',
  ],
  ['put', '/api/v1/campaigns', 'campaignId name status budget endDate'],
  ['post', '/api/v1/adGroups', 'campaignId name status'],
  ['put', '/api/v1/adGroups', 'adGroupId name status'],
  ['post', '/api/v1/itemSearch', 'advertiserId searchText searchItemIds'],
  ['post', '/api/v1/adItems', 'campaignId adGroupId itemId bid status'],
  ['put', '/api/v1/adItems', 'campaignId adGroupId itemId bid status'],
  ['post', '/api/v1/keywords', 'campaignId adGroupId keywords keywordText matchType bid state'],
  ['put', '/api/v1/keywords', 'keywordId bid state'],
  ['post', '/api/v1/media/upload', 'advertiserId mediaType'],
  ['put', '/api/v1/media/complete', 'advertiserId mediaUploadRequestId mediaName'],
  ['post', '/api/v1/adGroup/media', 'campaignId adGroupId mediaId status'],
  ['put', '/api/v1/adGroup/media', 'campaignId adGroupId mediaId status'],
  ['post', '/api/v2/sba_profile', 'campaignId adGroupId searchAmpName headlineText clickUrl'],
  ['put', '/api/v2/sba_profile', 'campaignId adGroupId sbaProfileId searchAmpName headlineText clickUrl status'],
  ['post', '/api/v1/sba_profile', 'adGroupId headline brandName logoUrl clickUrl'],
  ['post', '/api/v1/multipliers/placement', 'campaignId placementType multiplier'],
  ['put', '/api/v1/multipliers/platform', 'campaignId platformType multiplier'],
  ['post', '/api/v1/review', 'campaignId adGroupId'],
  ['put', '/api/v1/review', 'campaignId adGroupId reviewId'],
  ['post', '/api/v1/snapshot/report', 'advertiserId reportType startDate endDate attributionWindow extraFields format'],
];
const sound: Readonly<Record<string, unknown>> = {
  advertiserId: 900001,
  campaignType: 'sba',
  targetingType: 'manual',
  budget: 100,
  bid: 1.6,
  matchType: 'exact',
  placementType: 'Search Ingrid',
  platformType: 'App',
  multiplier: 1,
  searchAmpName: 'Northwind',
  brandName: 'Northwind',
  headlineText: 'Line',
  headline: 'Line',
  clickUrl: 'https://shop.example/',
  status: 'enabled',
  mediaName: 'A',
  reportType: 'campaign',
};

const odd = share(
  'odd values in the fields of calls',
  calls.flatMap(([, path, fields]) =>
    fields.split(' ').flatMap((field) => values.map((value) => ({ path, fields, field, value }))),
  ),
  5,
);

for (const [method, path, fields] of calls) {
  conform(section, `${method.toUpperCase()} ${path}: no value in any field is an undocumented 5xx`, async () => {
    const { campaignId, adGroupId } = await world.campaign('C-sba');
    const body = {
      ...sound,
      campaignId,
      adGroupId,
      name: 'Odd',
      sbaProfileId: 10_001,
      keywordText: 'a',
      itemId: '0012345678',
    };
    for (const { field, value } of odd.filter((one) => one.path === path && one.fields === fields)) {
      const answer = await owner()[method](path, [{ ...body, [field]: value }]);
      expect([field, value, answer.status < 500]).toEqual([field, value, true]);
    }
    await alive();
  });
}

conform(section, 'odd query values are refused, not failed on', async () => {
  for (const path of [
    '/api/v1/adItems?campaignId=',
    '/api/v2/sba_profile?adGroupId=',
    '/api/v1/media?advertiserId=',
    '/api/v1/review?adGroupId=',
    '/api/v1/multipliers/placement?campaignId=',
    '/api/v1/keywords?adGroupId=',
    '/api/v1/campaigns?campaignId=',
  ]) {
    for (const value of ['x', '-1', '1.5', '%00', '9'.repeat(30), '1&campaignId=2', '%']) {
      expect((await owner().get(path + value)).status).toBeLessThan(500);
    }
  }
});

conform(section, 'odd control calls are refused, not failed on', async () => {
  for (const [path, body] of [
    ['/clock', { advance: 5 }],
    ['/clock', { advance: 'P99999999999D' }],
    ['/clock', { set: 'x' }],
    ['/reviews/x/decide', {}],
    ['/reviews/3300001/decide', { components: [5] }],
    ['/reviews/3300001/decide', { components: [{ type: 'adItem', id: 1, status: 'approved' }] }],
    ['/console/campaigns/1', { action: 'pause' }],
    ['/accounts', { role: 'king' }],
    ['/accounts/1/migrate', {}],
    ['/reset', { scenario: 'other' }],
    ['/unknown', {}],
  ] as const) {
    const answer = await world.control('POST', path, body);
    expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
  }
});
