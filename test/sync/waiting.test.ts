import { afterEach, beforeEach, expect, test } from 'vitest';
import { listPending } from '../../main/sync/pending.ts';
import { createUploadHosts } from '../../main/sync/uploader.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addVideo, autoDraft, videoDraft } from './a-draft.ts';
import { hastyClock, openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

/** After a sync everything that is not where it is meant to be says what it waits for, and until when. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
const profile = {
  ...defaultDeploymentSettings('shop.example'),
  rate: { ...defaultDeploymentSettings('shop.example').rate, opsPerHour: 60 },
};
let aheadMs = 0;

beforeEach(async () => {
  aheadMs = 0;
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  const clock = hastyClock();
  const nowMs = (): number => clock.nowMs() + aheadMs;
  account = await openAccount({ sandbox, capabilities: WITH_EXTENSIONS, profile, clock: { ...clock, nowMs } });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
});

async function waits() {
  const { workspace, sync, clock } = account;
  const hosts = createUploadHosts(workspace, () => clock.nowMs());
  const found = await listPending({ workspace, sync, hosts, profile, nowMs: () => clock.nowMs() });
  return found.map(({ reason, until, elements, first, nextAt }) => {
    const minutes = nextAt === null ? null : Math.round((nextAt - clock.nowMs()) / 60_000);
    return { reason, until, elements, first: first.map(({ label }) => label), minutes };
  });
}

test('a video that is worked on, then a review, then the first day of the campaign', async () => {
  await account.create(videoDraft(await addVideo(account)));
  await account.run({ submit: true });
  const [video, profileRow, ...others] = await waits();
  expect(video).toMatchObject({ reason: 'video-processing', until: 'time', elements: 1 });
  expect(video?.minutes).toBeGreaterThan(20);
  expect(video?.minutes).toBeLessThan(34);
  expect(profileRow).toMatchObject({ reason: 'waits-for-media', until: 'time', elements: 1, first: ['Rolls video'] });
  expect(others).toEqual([]);

  await control.advance('PT31M');
  await account.run({ submit: true });
  expect(await waits()).toMatchObject([{ reason: 'review-going-on', elements: 1, first: ['Rolls video'] }]);

  await control.advance('P3D');
  await account.sync.reviews.poll();
  await account.sync.refresh();
  const [scheduled] = await waits();
  expect(scheduled).toMatchObject({ reason: 'scheduled', until: 'time', elements: 1, first: ['Rolls video'] });
  const at = account.clock.nowMs() + (scheduled?.minutes ?? 0) * 60_000;
  expect(dateInZone(at + 60_000, profile.business.zone)).toBe('2030-03-04');
});

test('a video that is worked on for more than two hours is told apart', async () => {
  await account.create(videoDraft(await addVideo(account)));
  await account.run();
  aheadMs = 125 * 60_000;
  expect((await waits())[0]).toMatchObject({ reason: 'video-overdue', until: 'time', elements: 1 });
});

test('edits that were made since, what the hour does not allow, and what only the user can clear', async () => {
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']) await account.create(autoDraft(name));
  await account.run({ campaignIds: [] });
  const ids = await account.create(autoDraft('J').slice(0, 1));
  await account.workspace.hold([{ kind: 'campaign', id: ids[0] as never }], true);
  expect(await waits()).toMatchObject([
    { reason: 'changed', until: 'sync', elements: 54 },
    { reason: 'held', until: 'user', elements: 1 },
  ]);
  await account.create(autoDraft('K'));
  await account.create(autoDraft('L'));
  expect(await waits()).toMatchObject([
    { reason: 'changed', elements: 60, minutes: null },
    { reason: 'budget', until: 'sync', elements: 6, minutes: 6 },
    { reason: 'held', elements: 1 },
  ]);
});
