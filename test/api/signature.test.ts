import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { signedText, signValues, timestampText } from '../../main/api/http.ts';
import { keyProblemText, readPrivateKey } from '../../main/api/private-key.ts';

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
  expect(key).toMatchObject({ ok: true, value: { privateKeyPem: pkcs8, bits: 2048 } });
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
