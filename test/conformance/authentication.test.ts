import { createPublicKey } from 'node:crypto';
import { expect } from 'vitest';
import { verifySignature } from '../../sandbox/wire/authentication.ts';
import { conform } from './case.ts';
import { createClient, expectRefusal, readAnswer, type SigningChoices } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();
const section = 'Authentication';
const path = '/api/v1/media?advertiserId=900001';
const call = (choices: SigningChoices) =>
  createClient(world.sandbox().ready.baseUrl, world.account('owner'), choices).get(path);

conform(section, 'a signed call is answered', async () => {
  expect((await call({})).status).toBe(200);
});

conform(section, 'a time stamp in seconds is understood', async () => {
  expect((await call({ unit: 's' })).status).toBe(200);
});

conform(section, 'a call without any header is not authenticated', async () => {
  const answer = await readAnswer(await fetch(`${world.sandbox().ready.baseUrl}${path}`));
  expectRefusal(answer, 403, 'User not Authenticated');
}).proves('message.notAuthenticated');

for (const name of [
  'authorization',
  'SVC_SEC.AUTH_SIGNATURE',
  'SVC_SEC.KEY_VERSION',
  'SVC_CONSUMER.ID',
  'SVC_CONSUMER.intimestamp',
]) {
  conform(section, `a call without ${name} is not authenticated`, async () => {
    expectRefusal(await call({ headers: { [name]: undefined } }), 403, 'User not Authenticated');
  });
}

const wrong: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the token of nobody': { authorization: 'Bearer nobody' },
  'a token without Bearer': { authorization: 'nobody' },
  'a key version that is not the key’s': { 'SVC_SEC.KEY_VERSION': '9' },
  'a consumer that does not exist': { 'SVC_CONSUMER.ID': '00000000-0000-4000-8000-000000000000' },
  'a time stamp that was not signed': { 'SVC_CONSUMER.intimestamp': String(Date.now() + 1) },
  'a time stamp that is no number': { 'SVC_CONSUMER.intimestamp': 'now' },
  'a signature that is no Base64': { 'SVC_SEC.AUTH_SIGNATURE': '***' },
  'an empty signature': { 'SVC_SEC.AUTH_SIGNATURE': '' },
};
for (const [what, headers] of Object.entries(wrong)) {
  conform(section, `${what.replace('’', "'")} is refused`, async () => {
    expectRefusal(await call({ headers }), 403, 'User not Authenticated');
  });
}

conform(section, 'a clock that is 299 s off is accepted, more than 300 s is not', async () => {
  for (const offset of [-299_000, 295_000]) expect((await call({ offsetMs: offset })).status).toBe(200);
  for (const offset of [-300_500, 305_000]) expect((await call({ offsetMs: offset })).status).toBe(403);
}).proves('limit.signatureWindowSeconds');

conform(section, 'the key version is also read from SVC_CONSUMER.key_version', async () => {
  const headers = { 'SVC_SEC.KEY_VERSION': undefined, 'SVC_CONSUMER.key_version': '2' };
  expect((await call({ headers })).status).toBe(200);
});

conform(section, 'blanks around the consumer id do not change the signature', async () => {
  const { consumerId } = world.account('owner');
  expect((await call({ headers: { 'SVC_CONSUMER.ID': `  ${consumerId} ` } })).status).toBe(200);
});

conform(section, 'signatures follow real time, even when the sandbox is weeks ahead', async () => {
  await world.advance('P21D');
  const answer = await call({});
  expect(answer.status).toBe(200);
  expect(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000);
});

// The RSA key of RFC 7515, appendix A.2, which is public.
const vectorKey = createPublicKey({
  format: 'jwk',
  key: {
    kty: 'RSA',
    e: 'AQAB',
    n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
  },
});
const consumer = '0a1b2c3d-0000-4000-8000-00000000abcd';
const vectors = [
  [
    '1707205605000',
    '2',
    'Ul2tXs42l8KfPO6KmD1FEqv7LxdxfgmerQ0bpm6L19xHPPDrYNYpjm+Izd4/dxbJ4d6q6SPmIBLg77o4P6iK/Xg0vRkF+lP5xw23sIh6uJUpjyZtKaOWFvb+E0575fLgX4z89jSTl4YMLC+OBi+nW4jUv2h6+XkDRo/ydPYwcgB7XppFtcP0VVSYN3JUAnsk8dlipX35tqJsb7UAz6Rk4SkBpZwZ00QaWKF1RF7MLib3eTbRWFddrXtEYYvpUEjQ3Di3wPdSrEH+DF+J1jeYqcfP8n7MDghUyGwS8RxefAvGkgxsbiZTqvIH+tuC4fvcHN93yicXFOPBy4m+K6FhQg==',
  ],
  [
    '1565309779',
    '1',
    'OAnVU5porNt5UULAH3BIX3fDrExm/qsP2Y5SYiA8fy6ErnulUXmQETi1lOg4kA82lu5d/iG0vzvwmKrVthQ/ktGdhfOwT7b1zUjmrHRLQLIh/h8+eK80Op6ffYJNQVst1RyWebpnM5TfL0BEivir2jRJf3k7MO6ASsIIbso7RvbwHEgRrRVFcoYUvPiLnom2C7Ag+WH7lSvptnnNCpf+HrHOQx8h2nIv9qHRnG/K1asIp/7FCTatwsQEz3QP2pMevQyq8sZldQJFafcmGYd+/JU1HpfTj/lcdKfROlSNV8t/5ORGkbtUuZAZb0sJWtr6CoQ7hTyF8d5DnHqpAXzj9g==',
  ],
] as const;

for (const [timestamp, keyVersion, signature] of vectors) {
  conform(section, `the known signature for time stamp ${timestamp} verifies`, async () => {
    expect(verifySignature(vectorKey, consumer, timestamp, keyVersion, signature)).toBe(true);
    expect(verifySignature(vectorKey, `  ${consumer} `, timestamp, keyVersion, signature)).toBe(true);
    const changed = timestamp.replace('7', '8').replace('1', '2');
    expect(verifySignature(vectorKey, consumer, changed, keyVersion, signature)).toBe(false);
  });
}
