import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkInBackground } from '../../main/sync/poll-scheduler.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import type { AppEvent } from '../../shared/api/app.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { addVideo, videoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let isTokenOver = false;

beforeEach(async () => {
  isTokenOver = false;
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  account = await openAccount({
    sandbox,
    fetch: (input, init) => {
      const request = new Request(input, init);
      if (isTokenOver) request.headers.set('Authorization', 'Bearer over');
      return fetch(request);
    },
  });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

async function looked(): Promise<readonly AppEvent[]> {
  const told: AppEvent[] = [];
  const { workspace, sync } = account;
  const deps = { workspaceId: asWorkspaceId('w1'), workspace, reviews: sync.reviews.list };
  await checkInBackground({ ...deps, emit: (event) => void told.push(event) }, () => sync.reviews.poll());
  return told;
}

test('a video that got ready meanwhile is told of, once', async () => {
  await account.create(videoDraft(await addVideo(account)));
  await account.run();
  expect(await looked()).toEqual([]);
  await control.advance('PT31M');
  expect(await looked()).toEqual([{ type: 'media.finished', workspaceId: 'w1', ready: 1, failed: 0 }]);
  expect(await looked()).toEqual([]);
});

test('a token that is over is told of once, and again after it was good in between', async () => {
  await account.create(videoDraft(await addVideo(account)));
  await account.run();
  const told = () => account.events.filter(({ type }) => type === 'access.refused').length;
  expect(told()).toBe(0);
  isTokenOver = true;
  await account.sync.refresh();
  await account.sync.refresh();
  expect(told()).toBe(1);
  isTokenOver = false;
  await account.sync.refresh();
  isTokenOver = true;
  await account.run();
  expect(told()).toBe(2);
});
