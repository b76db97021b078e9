import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSecretFiles } from '../../main/accounts/connection-test.ts';

/** What the files with a key and a token may hold, before anything is made of them. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-secret-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const aFile = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const keyFile = aFile('key.pem', pem);

test.each([
  ['as it is', 'a-token.x_y~z='],
  ['with a line break at its end', 'a-token.x_y~z=\r\n'],
  ['behind the mark of its encoding', '\uFEFFa-token.x_y~z='],
])('a token %s is taken', async (_how, text) => {
  const read = await readSecretFiles(keyFile, aFile('token', text), null);
  expect(read).toMatchObject({ ok: true, value: { secret: { token: 'a-token.x_y~z=', privateKeyPem: pem } } });
});

test.each([
  ['of two lines, the second of which would be a header', 'a-token\r\nx-admin: 1'],
  ['of two words', 'Bearer a-token'],
  ['with a letter that no header can hold', 'tökén'],
  ['with a control', 'a\u0000b'],
  ['that is empty', ' \n'],
  ['of more than 64 KiB', 'a'.repeat(64 * 1024 + 1)],
])('a token %s is refused, without a word of it', async (_what, text) => {
  const read = await readSecretFiles(keyFile, aFile('token', text), null);
  expect(read).toMatchObject({ ok: false, error: { step: 'token' } });
  expect(read.ok ? '' : read.error.detail).not.toMatch(/x-admin|Bearer|kén|aaaa/);
});

test.each([
  ['that is missing', join(folder, 'none')],
  ['that is a folder', folder],
  ['of more than 64 KiB', aFile('large.pem', `${pem}${' '.repeat(64 * 1024)}`)],
  ['that holds something else', aFile('letter.txt', 'Dear reader')],
])('a key file %s is refused', async (_what, path) => {
  const read = await readSecretFiles(path, aFile('token', 'a-token'), null);
  expect(read).toMatchObject({ ok: false, error: { kind: 'bad-credentials', step: 'key' } });
});
