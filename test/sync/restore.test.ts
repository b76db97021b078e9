import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';
import { answerTruly, countThings, onTheService } from './on-the-service.ts';

let sandbox: RunningSandbox;
let control: Control;
let folder: string;
let account: TestAccount;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  folder = await mkdtemp(join(tmpdir(), 'adslate-restore-'));
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const database = () => join(folder, 'workspace.db');
const backup = () => join(folder, 'backup.db');

async function restore(): Promise<void> {
  await account.close();
  for (const suffix of ['', '-wal', '-shm']) await rm(database() + suffix, { force: true });
  await copyFile(backup(), database());
  account = await openAccount({ sandbox, folder });
}

test('a backup from before a sync sends nothing a second time', async () => {
  account = await openAccount({ sandbox, folder });
  await account.create(sbaDraft(await addLogo(account)));
  await account.create(videoDraft(await addVideo(account)));
  await account.create(autoDraft());
  await account.close();
  await copyFile(database(), backup());
  account = await openAccount({ sandbox, folder });
  expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
  await restore();

  const again = await account.run();
  expect(again).toMatchObject({ state: 'finished', refused: [], questions: 0, inDoubt: 0 });
  await control.advance('PT31M');
  await account.run();
  const counts = countThings(await onTheService(sandbox));
  expect(Object.entries(counts).filter(([, count]) => count !== 1)).toEqual([]);
  expect(Object.keys(counts)).toHaveLength(17);
});

test('a backup from before a lost answer asks instead of sending again', async () => {
  account = await openAccount({ sandbox, folder });
  await account.create(autoDraft());
  await account.close();
  await copyFile(database(), backup());
  account = await openAccount({ sandbox, folder });
  await control.fault({ match: { method: 'POST', path: '/api/v1/campaigns' }, times: 1, kind: 'drop-after' });
  expect(await account.run()).toMatchObject({ questions: 1 });
  await restore();

  expect(await account.run()).toMatchObject({ questions: 1, done: 0 });
  expect(await answerTruly(account, sandbox)).toBe(1);
  expect(await account.run()).toMatchObject({ questions: 0, refused: [] });
  expect(Object.values(countThings(await onTheService(sandbox))).every((count) => count === 1)).toBe(true);
});
