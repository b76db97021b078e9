import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNotificationLog, type NotificationLog } from '../../main/core/notification-log.ts';
import { changesAfterReview } from '../../main/sync/reviews.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { type AppEvent, NOTIFICATIONS_MAX, type NotificationEntry } from '../../shared/api/app.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { asRowId, asWorkspaceId, type RemoteId, type RowId } from '../../shared/model/scalars.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addLogo, addVideo, sbaDraft, videoDraft } from '../sync/a-draft.ts';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { type Control, controlOf } from '../sync/control.ts';

/** What happens in an account while nobody looks: written down by main, and told to every window. */
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let log: NotificationLog | null;
let told: string[];
const profile = defaultDeploymentSettings('shop.example');

beforeEach(async () => {
  sandbox = await startSandbox({ credentials: 'owners', scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  told = [];
  log = null;
  account = await openAccount({
    sandbox,
    capabilities: WITH_EXTENSIONS,
    profile,
    onEvent: (event) => log?.hear(event),
  });
});
afterEach(async () => {
  await log?.close();
  await account.close();
  await sandbox.close();
});

const open = (isWatching = true): NotificationLog => {
  log = createNotificationLog({
    workspace: account.workspace,
    workspaceId: asWorkspaceId('w1'),
    profile,
    clock: account.clock,
    locale: () => 'en-US',
    emit: (event: AppEvent) => void (event.type === 'notification.added' && told.push(event.entry.text)),
    isWatching,
  });
  return log;
};
const texts = async () => (await log?.list())?.map(({ text }) => text);
const entry = (at: number, text: string): NotificationEntry => ({ at, tone: 'good', text, place: 'reviews' });

/** A campaign in review, with an edit that is kept for after it. */
async function inReview(): Promise<void> {
  const [, , profileId] = (await account.create(sbaDraft(await addLogo(account)))) as [RowId, RowId, RowId];
  await account.run();
  // A new campaign becomes a proposal a moment later, and only then takes a review.
  await control.advance('PT31M');
  await account.run({ submit: true });
  await account.edit('sbaProfile', profileId, { headline: 'Rolls for every kitchen' });
}
async function decide(word: 'approved' | 'rejected'): Promise<void> {
  await control.decideAll((await account.sync.reviews.list())[0]?.reviewId ?? '', word);
  await account.sync.reviews.poll();
}

test('a review that is decided is told of, with the edits that were kept for after it; what stood before is not', async () => {
  await inReview();
  const first = open();
  await decide('approved');
  // The approved campaign is scheduled, and a rule forbids the edit of its enabled profile.
  const kept = 'Rolls brand: review finished, 1 changed row with an error to fix first';
  const expected = ['Rolls brand: review approved', kept];
  await expect.poll(() => told).toEqual(expected);
  expect((await texts())?.toSorted()).toEqual(expected.toSorted());
  await first.close();
  // Its logo went along with it, which is no news.
  expect((await account.workspace.readMedia()).map(({ values }) => values.mediaState)).toEqual(['available']);

  open();
  await account.create(sbaDraft(await addLogo(account), 'Another one'));
  await log?.close();
  expect(told).toEqual(expected);
});

test('a review that was rejected says how many parts have a reason, though the account closes at once', async () => {
  await inReview();
  open();
  await decide('rejected');
  await log?.close();
  expect(told[0]).toMatch(/^Rolls brand: review rejected, \d components? with a reason$/);
});

test('a sync that ended and a video that is ready are told of, with the profile that can be sent now', async () => {
  open();
  await account.create(videoDraft(await addVideo(account)));
  await account.run();
  await expect.poll(() => told).toEqual([expect.stringMatching(/^Sync finished: \d+ sent$/)]);
  await control.advance('PT31M');
  await account.sync.reviews.poll();
  await expect.poll(() => told.at(-1)).toMatch(/ is ready\. Sync to send its profile$/);
});

test('a video that is ready during an open review does not call for a sync, which would not send its profile', async () => {
  const { workspace } = account;
  const ids = await account.create(videoDraft(await addVideo(account)));
  await account.run();
  await control.advance('PT31M');
  await account.run({ submit: true });
  const { epoch } = await workspace.outbox.takeOwnership();
  const values = { mediaType: 'video', mediaName: 'Second', mediaState: 'processing' };
  const remoteId = '902' as RemoteId;
  await workspace.outbox.merge({
    epoch,
    rows: [{ kind: 'media', remoteId, campaignId: null, adGroupId: null, values }],
  });
  const id = (await workspace.readMedia()).find((row) => row.remoteId === remoteId)?.id ?? asRowId(0);
  await account.edit('videoProfile', ids[2] ?? asRowId(0), { video: id });
  expect(await changesAfterReview({ workspace, profile })).toMatchObject([{ state: 'locked', rows: 1 }]);
  // Written after the present state was read.
  await open().add(entry(1, 'Before'));
  await workspace.setServiceFields([{ kind: 'media', id, field: 'mediaState', value: 'available' }]);
  await log?.close();
  await expect.poll(() => told.length, { timeout: 10_000 }).toBe(2);
  expect(told).toEqual(['Before', 'Second is ready']);
});

test('a quick upload of this account is told of; a video from elsewhere only if it became ready meanwhile', async () => {
  const own = open();
  const { workspace } = account;
  const { epoch } = await workspace.outbox.takeOwnership();
  const readFromService = (mediaState: string) => {
    const values = { mediaType: 'video', mediaName: `Was ${mediaState}`, mediaState };
    const remoteId = (mediaState === 'available' ? '901' : '902') as RemoteId;
    const row = { kind: 'media' as const, remoteId, campaignId: null, adGroupId: null, values };
    return workspace.outbox.merge({ epoch, rows: [row] });
  };
  const becomes = async (name: string) => {
    const row = (await workspace.readMedia()).find(({ values }) => values.mediaName === name);
    const id = row?.id ?? asRowId(0);
    await workspace.setServiceFields([{ kind: 'media', id, field: 'mediaState', value: 'available' }]);
  };
  await readFromService('available');
  await readFromService('processing');
  // Ready before the account is compared for the first time since the video was added.
  await addVideo(account);
  await becomes('kitchen-roll-spot.mp4');
  await expect.poll(() => told).toEqual(['kitchen-roll-spot.mp4 is ready']);
  await becomes('Was processing');
  await own.close();
  expect(told).toEqual(['kitchen-roll-spot.mp4 is ready', 'Was processing is ready']);
});

test('events of an account are put into words, each with its tone and its place', async () => {
  const own = open();
  const sync = {
    type: 'sync.progress',
    workspaceId: asWorkspaceId('w1'),
    runId: 'r1',
    phase: 'done',
    batchesDone: 1,
    batchesTotal: 1,
    // Creates, updates and submitted reviews; a new row may take several.
    elementsDone: 1240,
    changes: { total: 1237, sent: 1234, failed: 2, unresolved: 1 },
    elementsRefused: 2,
    elementsInDoubt: 1,
    retryAt: null,
  } as const;
  const notice = { type: 'notice', workspaceId: sync.workspaceId, message: 'Two copies', severity: 'warning' } as const;
  own.hear({ ...sync, phase: 'sending' });
  own.hear(sync);
  own.hear({ ...sync, elementsRefused: 0, elementsInDoubt: 0, ended: 'deadline' });
  own.hear({ ...sync, elementsRefused: 0, elementsInDoubt: 0, ended: 'away' });
  own.hear({ ...notice, params: { what: 'two-copies' } });
  own.hear({ ...notice, message: 'x'.repeat(5000), severity: 'error', params: {} });
  own.hear({ type: 'access.refused', workspaceId: sync.workspaceId });
  await own.close();
  const kept = (await own.list()).toReversed().map(({ at: _, ...each }) => each);
  expect(kept.toSorted((a, b) => a.text.localeCompare(b.text))).toEqual([
    { tone: 'bad', text: 'Sync finished: 1,234 sent, 2 failed, 1 unconfirmed', place: 'sync' },
    { tone: 'bad', text: 'Sync stopped at its deadline: 1,234 changes sent, the rest is kept', place: 'sync' },
    {
      tone: 'bad',
      text: 'The service is not responding: 1,234 changes sent, the rest is kept. The sync resumes automatically',
      place: 'sync',
    },
    { tone: 'bad', text: 'The service no longer accepts the token or the key of this account', place: 'access' },
    { tone: 'plain', text: 'Two copies', place: 'backups' },
    { tone: 'bad', text: 'x'.repeat(1000), place: 'sync' },
  ]);
});

test('entries survive a restart, newest first, until they are cleared; the oldest go when there are too many', async () => {
  const own = open();
  await own.add(entry(2_000_000, 'Autumn: review rejected'));
  await own.add(entry(1_000_000, 'Spring: review approved'));
  open();
  expect(await texts()).toEqual(['Autumn: review rejected', 'Spring: review approved']);
  for (let i = 0; i <= NOTIFICATIONS_MAX; i++) await log?.add(entry(3_000_000 + i, `News ${i}`));
  const kept = (await texts()) ?? [];
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([NOTIFICATIONS_MAX, `News ${NOTIFICATIONS_MAX}`, 'News 1']);
  await log?.clear();
  expect(await texts()).toEqual([]);
});

test('the same thing within a minute is told of once; later, or of another place, again', async () => {
  const own = open();
  await Promise.all([1_000_000, 1_000_040, 1_030_000].map((at) => own.add(entry(at, 'Two copies'))));
  await own.add(entry(90_000_000, 'Two copies'));
  await own.add({ ...entry(90_000_000, 'Two copies'), place: 'sync' });
  expect(told).toHaveLength(3);
  expect(await texts()).toHaveLength(3);
});

test('windows are told of what cannot be kept; a host whose user sees what happens writes down nothing by itself', async () => {
  const own = open(false);
  own.hear({ type: 'access.refused', workspaceId: asWorkspaceId('w1') });
  await own.close();
  expect(await texts()).toEqual([]);
  await account.workspace.close();
  await own.add(entry(1, 'nowhere to keep it'));
  expect(told).toEqual(['nowhere to keep it']);
});
