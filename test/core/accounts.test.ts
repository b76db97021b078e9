import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type AccountRecord, newWorkspaceId } from '../../main/accounts/account-record.ts';
import { createFilePreferences } from '../../main/accounts/file-preferences.ts';
import { createAccountRegistry } from '../../main/accounts/registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'adslate-accounts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fresh = () => mkdtempSync(join(folder, 'data-'));
const anAccount = (name: string): AccountRecord => ({
  workspaceId: newWorkspaceId(name),
  name,
  advertiserId: '900001',
  practice: true,
  baseUrl: '',
  consumerId: 'c',
  keyVersion: '2',
  headerPrefix: 'SVC',
  retailHost: 'https://shop.example',
  extensions: true,
  migrated: true,
  color: '#1c7ed6',
  mode: 'normal',
  keyFingerprint: null,
  secrets: { kept: 'practice' },
});

test('accounts are there after a restart', async () => {
  const dataDir = fresh();
  await createAccountRegistry(dataDir).add(anAccount('Northwind'));
  expect((await createAccountRegistry(dataDir).list()).map(({ name }) => name)).toEqual(['Northwind']);
});
test('a name is taken without regard to case and blanks', async () => {
  const registry = createAccountRegistry(fresh());
  await registry.add(anAccount('North  Wind'));
  expect(await registry.add(anAccount(' north wind'))).toMatchObject({ error: { kind: 'name-taken' } });
});
test('accounts added at the same moment are all kept', async () => {
  const registry = createAccountRegistry(fresh());
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => registry.add(anAccount(name))));
  expect(await registry.list()).toHaveLength(4);
});
test('a damaged list is left alone and named', async () => {
  const dataDir = fresh();
  const registry = createAccountRegistry(dataDir);
  await registry.add(anAccount('x'));
  writeFileSync(join(dataDir, 'accounts.json'), '{"version": 1, "acc');
  await expect(registry.list()).rejects.toThrow('damaged');
  await expect(registry.add(anAccount('y'))).rejects.toThrow('damaged');
  expect(readFileSync(join(dataDir, 'accounts.json'), 'utf8')).toBe('{"version": 1, "acc');
});
test('a folder name tells the account and is fit for every file system', () => {
  expect(newWorkspaceId('Café Straße / 東京')).toMatch(/^cafe-stra-e-[a-f0-9]{8}$/);
  expect(newWorkspaceId('東京')).toMatch(/^account-[a-f0-9]{8}$/);
  expect(newWorkspaceId('x'.repeat(200)).length).toBeLessThanOrEqual(64);
});
test('preferences survive a restart, and a damaged file means the defaults', () => {
  const dataDir = fresh();
  createFilePreferences(dataDir).set({ colorScheme: 'dark', layout: { left: 240 } });
  expect(createFilePreferences(dataDir).get()).toEqual({
    colorScheme: 'dark',
    lastWorkspaceId: null,
    locale: null,
    quietHours: null,
    layout: { left: 240 },
  });
  writeFileSync(join(dataDir, 'preferences.json'), '{"colorScheme": "pink", "layout": {"a": 1}}');
  expect(createFilePreferences(dataDir).get()).toEqual({
    colorScheme: 'system',
    lastWorkspaceId: null,
    locale: null,
    quietHours: null,
    layout: { a: 1 },
  });
});
