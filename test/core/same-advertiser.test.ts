import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createRouterClient } from '@orpc/server';
import { afterAll, expect, test } from 'vitest';
import { type AccountRecord, newWorkspaceId } from '../../main/accounts/account-record.ts';
import { createAccountRegistry } from '../../main/accounts/registry.ts';
import { startCore } from './start-core.ts';

/** Two accounts that are the same advertiser would each create what the other has created. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-same-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fresh = () => join(folder, randomUUID());
const anAccount = (name: string, more: Partial<AccountRecord> = {}): AccountRecord => ({
  workspaceId: newWorkspaceId(name),
  name,
  advertiserId: '900001',
  practice: false,
  baseUrl: 'https://api.example.com/partner',
  consumerId: 'c',
  keyVersion: '2',
  headerPrefix: 'SVC',
  retailHost: 'https://shop.example',
  extensions: false,
  migrated: null,
  color: '#1c7ed6',
  mode: 'normal',
  keyFingerprint: null,
  secrets: { kept: 'box' },
  ...more,
});

const SAME: readonly (readonly [string, Partial<AccountRecord>])[] = [
  ['nothing', {}],
  ['capitals of the host', { baseUrl: 'HTTPS://API.Example.COM/partner' }],
  ['capitals of the path', { baseUrl: 'https://api.example.com/Partner' }],
  ['a slash at the end', { baseUrl: 'https://api.example.com/partner/' }],
  ['several slashes', { baseUrl: 'https://api.example.com//partner///' }],
  ['the port that is meant anyway', { baseUrl: 'https://api.example.com:443/partner' }],
  ['a point behind the host', { baseUrl: 'https://api.example.com./partner' }],
  ['a letter of the path in another form', { baseUrl: 'https://api.example.com/%70artner' }],
  ['zeros before the advertiser', { advertiserId: '0900001' }],
  ['the names of headers', { headerPrefix: 'WM' }],
  ['consumer and key', { consumerId: 'other', keyVersion: '3', retailHost: 'https://other.example' }],
];

test.each(SAME)('a second account that differs by %s is refused with the name of the first', async (_what, more) => {
  const registry = createAccountRegistry(fresh());
  await registry.add(anAccount('First'));
  expect(await registry.add(anAccount('Second', more))).toEqual({
    ok: false,
    error: { kind: 'already-connected', name: 'First' },
  });
  expect(await registry.list()).toHaveLength(1);
});

const OTHERS: readonly (readonly [string, Partial<AccountRecord>])[] = [
  ['advertiser', { advertiserId: '900002' }],
  ['host', { baseUrl: 'https://api2.example.com/partner' }],
  ['port', { baseUrl: 'https://api.example.com:8443/partner' }],
  ['path', { baseUrl: 'https://api.example.com/sandbox' }],
  ['service, that of a practice account', { practice: true, baseUrl: '', secrets: { kept: 'practice' } }],
];

test.each(OTHERS)('another %s is another account', async (_what, more) => {
  const registry = createAccountRegistry(fresh());
  await registry.add(anAccount('First'));
  expect(await registry.add(anAccount('Second', more))).toMatchObject({ ok: true });
});

test('of programs that add the same advertiser at once one does, and what each adds is kept', async () => {
  const dataDir = fresh();
  // Each registry has a line of its own, as each process has; between them there is the file alone.
  const added = await Promise.all(
    Array.from({ length: 12 }, (_, at) => {
      const account = at % 2 === 0 ? anAccount(`Same ${at}`) : anAccount(`Other ${at}`, { advertiserId: `${at}` });
      return createAccountRegistry(dataDir).add(account);
    }),
  );
  expect(added.filter(({ ok }) => ok)).toHaveLength(1 + 6);
  expect(await createAccountRegistry(dataDir).list()).toHaveLength(1 + 6);
});

test('connecting it a second time is refused before anything is sent, with the name to work under', async () => {
  const dataDir = fresh();
  await createAccountRegistry(dataDir).add(anAccount('First'));
  let asked = 0;
  const core = await startCore(dataDir, {
    fetch: async () => {
      asked += 1;
      return new Response('', { status: 401 });
    },
  });
  const client = createRouterClient(core.router);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const connect = async (name: string) => {
    const grants = await Promise.all(
      [pem, 'token'].map((text) => core.grants.hold('secret', Readable.from([Buffer.from(text)]))),
    );
    const [keyGrant = '', tokenGrant = ''] = grants.map((granted) => (granted.ok ? granted.value.grant : ''));
    return client.accounts.connect({
      name,
      baseUrl: 'https://API.example.com:443/partner/',
      advertiserId: '900001',
      consumerId: 'another',
      keyVersion: '1',
      retailHost: 'www.example.com',
      keyGrant,
      tokenGrant,
    });
  };
  await expect(connect('Second')).rejects.toMatchObject({ code: 'ALREADY_CONNECTED', data: { name: 'First' } });
  expect(asked).toBe(0);
  // Under its own name the new key and token are proven, as ever.
  await expect(connect(' first ')).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' });
  expect(asked).toBeGreaterThan(0);
  await core.close();
});
