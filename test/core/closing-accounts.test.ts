import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import { workspaceFile } from '../../main/accounts/account-record.ts';
import { systemClock } from '../../main/app/clock.ts';
import { takeLock } from '../../main/store/lock.ts';
import { startCore } from './start-core.ts';

async function anAccount() {
  const dataDir = mkdtempSync(join(tmpdir(), 'adslate-closing-'));
  const core = await startCore(dataDir);
  onTestFinished(async () => {
    await core.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { workspaceId } = await createRouterClient(core.router).accounts.addPractice({ name: 'Shop' });
  return { ...core, workspaceId, isFree: () => isFree(workspaceFile(dataDir, workspaceId)) };
}

/** Whether nobody holds the workspace, this program included. */
function isFree(file: string): boolean {
  const lock = takeLock(file, systemClock.nowMs());
  if (lock.ok) lock.value.release();
  return lock.ok;
}

test('who asks for an account while its files are changed gets it afterwards, also when the change fails', async () => {
  const { open, workspaceId, isFree } = await anAccount();
  await open.get(workspaceId);
  const order: string[] = [];
  const change = open.whileClosed(workspaceId, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(isFree() ? 'changed' : 'changed under somebody');
    throw new Error('no such file');
  });
  const asked = open.get(workspaceId).then(({ ok }) => order.push(ok ? 'opened' : 'refused'));
  await expect(change).rejects.toThrow('no such file');
  await asked;
  expect(order).toEqual(['changed', 'opened']);
});

test('once the program has closed its accounts, none is opened', async () => {
  const { close, open, workspaceId, isFree } = await anAccount();
  await open.get(workspaceId);
  const late = close().then(() => open.get(workspaceId));
  expect(await late).toMatchObject({ ok: false, error: { kind: 'not-writable', why: 'failed' } });
  expect(isFree()).toBe(true);
});
