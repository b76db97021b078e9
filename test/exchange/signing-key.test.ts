import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCredentialStore } from '../../main/accounts/credential-store.ts';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { systemClock } from '../../main/app/clock.ts';
import { createCore } from '../../main/app/core.ts';
import { createSigningKey } from '../../main/files/archive/signature.ts';
import { type Canary, found, wholeFolder } from '../hosts/canaries.ts';

/** The key that signs files for others: made once, sealed like the keys of accounts, and nowhere in clear. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adslate-installation-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const aBox = () => createCredentialStore({ dataDir: folder, clock: systemClock, keychain: async () => null });
const PASSPHRASE = 'a passphrase of some length';

test('behind a passphrase the key is the same at every start, and there is none while it is locked', async () => {
  const box = aBox();
  await box.choose('passphrase', PASSPHRASE);
  const first = await createSigningKey(box).read();
  const later = aBox();
  expect(await createSigningKey(later).read()).toBeNull();
  await later.unlock(PASSPHRASE);
  const again = await createSigningKey(later).read();
  if (first === null || again === null) throw new Error('no key');
  expect(createPublicKey(again).equals(createPublicKey(first))).toBe(true);
});

test('two who ask at once get one key', async () => {
  const key = createSigningKey(aBox());
  const [one, other] = await Promise.all([key.read(), key.read()]);
  expect(one !== null && other !== null && one.equals(other)).toBe(true);
});

test('a signed file of changes tells no part of the private key, and neither does the data folder', async () => {
  const secrets = aBox();
  await secrets.choose('passphrase', PASSPHRASE);
  const options = {
    dataDir: folder,
    host: 'web',
    clock: systemClock,
    preferences: createFilePreferences(folder),
  } as const;
  const core = await createCore({ ...options, secrets });
  const client = createRouterClient(core.router);
  const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
  const rows = [{ kind: 'campaign' as const, parent: null, values: { name: 'Autumn' } }];
  await client.workspace.create({ workspaceId, label: 'New', rows });
  const answer = await client.exchange.export({ workspaceId, format: 'changes' });
  expect(answer.isUnsigned).toBeUndefined();
  const account = await core.open.get(workspaceId);
  if (!account.ok) throw new Error('the account is not open');
  const file = join(folder, 'mine.adslate-changes');
  const order = { source: 'changes', target: file, account: { name: 'Shop', advertiserId: '1' }, nowMs: 0 } as const;
  expect(await core.exchange.archive(account.value, order)).toMatchObject({ ok: true, value: { isSigned: true } });

  const key = await createSigningKey(secrets).read();
  if (key === null) throw new Error('no key');
  const secret = String(key.export({ format: 'jwk' }).d);
  const canaries: readonly Canary[] = [
    {
      name: 'the private key as text',
      text: key.export({ type: 'pkcs8', format: 'pem' }).toString().split('\n')[1] ?? '',
    },
    { name: 'its 32 bytes in Base64', text: secret },
    { name: 'its 32 bytes', text: Buffer.from(secret, 'base64url').toString('latin1') },
  ];
  expect(found(canaries, wholeFolder(folder) + JSON.stringify(answer))).toEqual([]);
  writeFileSync(join(folder, 'seen.txt'), canaries.map(({ text }) => text).join('\n'), 'latin1');
  expect(found(canaries, wholeFolder(folder)), 'the search itself finds').toHaveLength(3);

  await client.secrets.lock();
  const locked = await client.exchange.export({ workspaceId, format: 'changes' });
  expect(locked.isUnsigned).toBe(true);
  await core.close();
});
