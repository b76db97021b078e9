import { expect } from 'vitest';
import { conform } from './case.ts';
import { expectRefusal, fieldOf } from './client.ts';
import { aVideo, putBytes, requestUpload } from './files.ts';
import { aCampaign, createWorld } from './world.ts';

const world = createWorld();
const section = 'Faults';
const owner = () => world.as('owner');
const path = '/api/v1/campaigns';
const order = (fault: object) => world.control('POST', '/faults', { match: { method: 'POST', path }, ...fault });
const create = (...names: readonly string[]) =>
  owner().post(
    path,
    names.map((name) => aCampaign({ name })),
  );
const exists = async (name: string) => (await world.state()).campaigns.some((campaign) => campaign.name === name);

conform(section, 'status answers so many times without making the change', async () => {
  await order({
    kind: 'status',
    times: 2,
    status: 500,
    body: { error: 'There was an error processing the request' },
    headers: { 'Retry-After': '7' },
  });
  for (let call = 0; call < 2; call += 1) {
    const answer = await create('A');
    expectRefusal(answer, 500, 'There was an error processing the request');
    expect(answer.headers.get('retry-after')).toBe('7');
  }
  expect(await exists('A')).toBe(false);
  expect((await create('A')).status).toBe(200);
}).proves('message.unexpected');

conform(section, 'a text body is sent as text, and other calls go through', async () => {
  await order({ kind: 'status', status: 503, body: 'Service Unavailable' });
  expect((await owner().get('/api/v1/media')).status).toBe(200);
  const answer = await create('A');
  expect([answer.status, answer.body]).toEqual([503, 'Service Unavailable']);
});

for (const [kind, made] of [
  ['drop-before', false],
  ['drop-after', true],
  ['truncate', true],
] as const) {
  conform(section, `${kind} cuts the connection; the change is ${made ? '' : 'not '}made`, async () => {
    await order({ kind });
    await expect(create('A')).rejects.toThrow();
    expect(await exists('A')).toBe(made);
    expect((await world.control('GET', '/requests')).body).toMatchObject({ requests: [{ fault: kind }] });
  });
}

conform(section, 'garbage is a 200 that is no JSON; the change is made', async () => {
  await order({ kind: 'garbage' });
  const answer = await create('A');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatch(/^<!doctype html>/);
  expect(await exists('A')).toBe(true);
});

conform(section, 'shorten-results leaves out the last result', async () => {
  await order({ kind: 'shorten-results' });
  expect((await create('A', 'B')).body).toHaveLength(1);
  expect(await exists('B')).toBe(true);
});

conform(section, 'delay answers properly, late', async () => {
  await order({ kind: 'delay', delayMs: 30 });
  expect((await create('A')).status).toBe(200);
});

conform(section, 'faults can be ended, and stand for any path with a star', async () => {
  await world.control('POST', '/faults', { match: { path: '/api/*' }, times: 9, kind: 'status', status: 429 });
  expect((await owner().get('/api/v1/media')).status).toBe(429);
  await world.control('DELETE', '/faults');
  expect((await owner().get('/api/v1/media')).status).toBe(200);
});

conform(section, 'an upload address fails as ordered', async () => {
  const upload = await requestUpload(owner());
  await world.control('POST', '/faults', { match: { method: 'PUT', path: '/upload/*' }, kind: 'drop-before' });
  const send = () => putBytes(fieldOf(upload, 'uploadUrl'), aVideo(20), 'video/mp4');
  await expect(send()).rejects.toThrow();
  expect((await send()).status).toBe(201);
});

conform(section, 'an order that makes no sense is refused', async () => {
  for (const fault of [
    { kind: 'earthquake' },
    {},
    { kind: 'status', status: 99 },
    { kind: 'delay', delayMs: -1 },
    { kind: 'status', times: 0 },
    { kind: 'status', match: 5 },
  ]) {
    expect((await world.control('POST', '/faults', fault)).status).toBe(400);
  }
});

const [PROFILES, LOGOS] = ['/api/v2/sba_profile', '/api/v2/sba_profile_image_upload'];
const UNEXPECTED = 'There was an error processing the request';

// Answers of the document that a healthy service never gives: ordered without a body, they have its text.
const rare: readonly (readonly [section: string, key: string, status: number, path: string, text: string])[] = [
  ['SBA create (V2), 200', 'message.sbaCreateException', 200, PROFILES, 'Exception in creating SBA Profile'],
  ['SBA create (V2), 500', 'message.unexpected', 500, PROFILES, UNEXPECTED],
  ['SBA logo upload (V2), 500', 'message.uploadError', 500, LOGOS, 'Error in uploading the file'],
  ['SBA logo upload (V2), 500', 'message.uploadServiceAnswer', 503, LOGOS, 'WSResponse is not 200 or 409, it was: 503'],
  ['Item endpoints HTTP errors', 'message.unexpected', 500, '/api/v1/adItems', UNEXPECTED],
];
for (const [section, key, status, target, text] of rare) {
  conform(section, `${status} "${text}" can be ordered`, async () => {
    await world.control('POST', '/faults', { match: { path: target }, kind: 'status', status });
    expectRefusal(await owner().post(target, []), status, text);
  }).proves(key);
}
