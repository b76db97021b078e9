import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addressRule,
  checkUploadUrl,
  guardedLookup,
  isPublicAddress,
  type UploadUrlRule,
  uploadUrlErrorText,
} from '../../main/files/upload/upload-url-check.ts';

const RULE: UploadUrlRule = { hosts: ['storage.example'], loopbackPort: null };
const verdict = (address: string, rule = RULE): string => {
  const checked = checkUploadUrl(address, rule);
  return checked.ok ? 'allowed' : checked.error.kind;
};

test.each([
  ['https://storage.example/put?sig=1', 'allowed'],
  ['https://eu.storage.example/put', 'allowed'],
  ['https://STORAGE.EXAMPLE./put', 'allowed'],
  ['http://storage.example/put', 'not-https'],
  ['file:///etc/passwd', 'not-https'],
  ['data:text/plain,x', 'not-https'],
  ['https://user:secret@storage.example/', 'has-credentials'],
  ['https://storage.example:22/', 'port'],
  ['https://evil-storage.example/', 'unknown-host'],
  ['https://storage.example.evil.example/', 'unknown-host'],
  ['https://127.0.0.1/', 'private-address'],
  ['https://2130706433/', 'private-address'],
  ['https://0x7f000001/', 'private-address'],
  ['https://127.1/', 'private-address'],
  ['https://0177.0.0.1/', 'private-address'],
  ['https://169.254.169.254/latest/meta-data', 'private-address'],
  ['https://10.0.0.8/', 'private-address'],
  ['https://100.64.0.1/', 'private-address'],
  ['https://[::1]/', 'private-address'],
  ['https://[::ffff:127.0.0.1]/', 'private-address'],
  ['https://[fe80::1]/', 'private-address'],
  ['https://[fd00::1]/', 'private-address'],
  ['https://[64:ff9b::7f00:1]/', 'private-address'],
  ['https://8.8.8.8/', 'unknown-host'],
  ['not an address', 'not-an-address'],
])('the upload address %s is %s', (address, expected) => {
  expect(verdict(address)).toBe(expected);
});

test('this machine is open only for the very port of a connection to a sandbox on it', () => {
  const practice = addressRule('http://127.0.0.1:4600', []);
  expect(verdict('http://127.0.0.1:4600/upload/video/1', practice)).toBe('allowed');
  expect(verdict('http://127.0.0.1:4601/upload/video/1', practice)).toBe('not-https');
  expect(verdict('http://localhost:4600/upload/video/1', practice)).toBe('allowed');
  expect(verdict('http://192.168.0.9:4600/upload/video/1', practice)).toBe('not-https');
  expect(verdict('http://127.0.0.1:4600/upload', addressRule('https://service.example', []))).toBe('not-https');
  expect(verdict('https://127.0.0.1/upload', practice)).toBe('private-address');
});

test('the text for the user names the host and the next step', () => {
  const text = uploadUrlErrorText({ kind: 'unknown-host', host: 'evil.example' });
  expect(text).toContain('evil.example');
  expect(text).toContain('upload hosts');
});

test('no IPv4 address of a closed range counts as public, however it is reached', () => {
  // An oracle of its own: arithmetic on the address, not a list of networks.
  const closed = (a: number, b: number): boolean =>
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19));
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const address = `${a}.${b}.${c}.${d}`;
      if (closed(a, b)) expect(isPublicAddress(address)).toBe(false);
      expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
    }),
    { numRuns: 5000 },
  );
});

const lookUp = (addresses: readonly LookupAddress[]) =>
  new Promise<string>((resolve) => {
    guardedLookup((_, done) => done(null, addresses))('storage.example', {}, (problem, address) => {
      const found = typeof address === 'string' ? address : 'several addresses';
      resolve(problem === null ? found : String(problem.code));
    });
  });

test('a host is connected to at the address that was checked, and not at all when one of its addresses is private', async () => {
  expect(await lookUp([{ address: '93.184.216.34', family: 4 }])).toBe('93.184.216.34');
  expect(
    await lookUp([
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]),
  ).toBe('ERR_PRIVATE_ADDRESS');
  expect(await lookUp([])).toBe('ENOTFOUND');
});
