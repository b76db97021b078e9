import { expect, test } from 'vitest';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { share } from '../share.ts';
import { at } from '../store/a-workspace.ts';
import { addLogo, addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import { hastyClock, type TestAccount } from './an-account.ts';
import { answerTruly, countThings, onTheService } from './control.ts';
import { practiceService } from './practice-service.ts';

const sandbox = practiceService();
const { control } = sandbox;
let account: TestAccount;

const WRITES = [
  ['POST', '/api/v1/campaigns'],
  ['POST', '/api/v1/adGroups'],
  ['POST', '/api/v1/adItems'],
  ['POST', '/api/v1/keywords'],
  ['POST', '/api/v2/sba_profile'],
  ['POST', '/api/v2/sba_profile_image_upload'],
  ['POST', '/api/v1/multipliers/placement'],
  ['POST', '/api/v1/multipliers/platform'],
  ['PUT', '/api/v1/media/complete'],
  ['POST', '/api/v1/adGroup/media'],
  ['POST', '/api/v1/review'],
] as const;

const FAULTS = [
  { kind: 'drop-after' },
  { kind: 'drop-before' },
  { kind: 'status', status: 500, body: { error: 'There was an error processing the request' } },
  { kind: 'truncate' },
  { kind: 'garbage' },
  { kind: 'shorten-results' },
  { kind: 'status', status: 429, body: { error: 'Rate limit exceeded' }, headers: { 'retry-after': '2' } },
] as const;

const NO_READ: ReadonlySet<string> = new Set(['/api/v1/campaigns', '/api/v1/adGroups', '/api/v1/keywords']);

/** Syncs, answers what is asked, lets the video become available, and syncs until nothing is left. */
async function syncToTheEnd(): Promise<number> {
  let asked = 0;
  for (let rounds = 0; rounds < 6; rounds++) {
    const report = await account.run({ submit: true });
    expect(report.refused).toEqual([]);
    expect(report.stoppedBy).toBeNull();
    asked += await answerTruly(account, sandbox);
    await control.advance('PT31M');
    const { changed } = await account.workspace.summary();
    if (changed === 0 && report.inReview === 2 && report.questions === 0) return asked;
  }
  throw new Error('the draft did not come to rest');
}

/** A cut connection meets every write; the other faults meet one write of each way of being proven. */
const WITH_ALL_FAULTS: ReadonlySet<string> = new Set([
  '/api/v1/adItems',
  '/api/v1/keywords',
  '/api/v2/sba_profile',
  '/api/v1/media/complete',
]);
const cases = WRITES.flatMap(([method, path]) =>
  FAULTS.filter(({ kind }) => kind.startsWith('drop') || WITH_ALL_FAULTS.has(path)).map(
    (fault) => [method, path, fault] as const,
  ),
);

test.each(share('writes that meet faults', cases))(
  '%s %s meets %j: everything is on the service once',
  async (method, path, fault) => {
    account = await sandbox.open({ capabilities: DOCUMENTED_ONLY });
    await account.create(sbaDraft(await addLogo(account)));
    await account.create(videoDraft(await addVideo(account)));
    await account.create(autoDraft());
    await control.fault({ match: { method, path }, times: 1, ...fault });
    const asked = await syncToTheEnd();
    const counts = countThings(await onTheService(sandbox));
    expect(Object.entries(counts).filter(([, count]) => count !== 1)).toEqual([]);
    expect(Object.keys(counts)).toHaveLength(17);
    if (!NO_READ.has(path)) expect(asked).toBe(0);
    expect(await account.sync.questions()).toEqual([]);
  },
);

test('with the extensions nothing has to be asked, not even for a campaign', async () => {
  account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  for (const path of NO_READ) {
    await control.fault({ match: { method: 'POST', path }, times: 1, kind: 'drop-after' });
    await control.fault({ match: { method: 'POST', path }, times: 1, kind: 'drop-before' });
  }
  await account.create(sbaDraft(await addLogo(account)));
  await account.create(autoDraft());
  const report = await account.run();
  expect(report).toMatchObject({ state: 'finished', refused: [], inDoubt: 0, questions: 0 });
  const counts = countThings(await onTheService(sandbox));
  expect(Object.values(counts).every((count) => count === 1)).toBe(true);
  expect(Object.keys(counts)).toHaveLength(12);
});

test('a campaign of the same name that was there before is never taken for the one that was sent', async () => {
  account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  await account.create(autoDraft());
  await account.run();
  await account.close();
  account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  await account.create(autoDraft());
  await control.fault({ match: { method: 'POST', path: '/api/v1/campaigns' }, times: 1, kind: 'drop-before' });
  const report = await account.run();
  expect(report).toMatchObject({ done: 0, inDoubt: 0, questions: 0 });
  expect(report.refused.map(({ kind }) => kind)).toEqual(['campaign']);
});

test('while a question is open its group gets no further creates of that kind, and no review is asked for', async () => {
  account = await sandbox.open();
  await control.fault({ match: { method: 'POST', path: '/api/v1/keywords' }, times: 1, kind: 'drop-after' });
  const ids = await account.create(sbaDraft(await addLogo(account)));
  const first = await account.run({ submit: true });
  expect(first).toMatchObject({ questions: 2, reviews: 0 });
  await account.create([
    { kind: 'keyword', parent: { id: at(ids, 1) }, values: { text: 'new', matchType: 'exact', bid: 185 } },
  ]);
  await control.advance('PT1M');
  const second = await account.run({ submit: true });
  expect(second).toMatchObject({ done: 0, questions: 2, reviews: 0 });
  const asked = await account.sync.questions();
  expect(asked.map(({ what }) => what)).toEqual([
    'Keyword "kitchen roll, exact" of campaign "Rolls brand"',
    'Keyword "paper towel, exact" of campaign "Rolls brand"',
  ]);
  const tooEarly = await openQuestionAnswer(asked[0]?.id ?? 0, 'absent');
  expect(tooEarly).toMatchObject({ ok: false, error: { code: 'BAD_ANSWER' } });
});

test('a campaign that the last part of a run submits is not listed as not submitted, as it was in its first plan', async () => {
  let isFirst = true;
  const clock = hastyClock();
  const opened: TestAccount = await sandbox.open({
    capabilities: WITH_EXTENSIONS,
    // The first run is canceled while it waits, so the next one has to wait for the same request.
    clock: { ...clock, sleep: async (delayMs) => (isFirst ? undefined : clock.sleep(delayMs)) },
    onEvent: (event) => {
      if (isFirst && event.type === 'sync.progress' && event.phase === 'waiting') opened.sync.cancel();
    },
  });
  account = opened;
  await control.fault({ match: { method: 'POST', path: '/api/v1/keywords' }, times: 1, kind: 'drop-before' });
  const ids = await account.create(sbaDraft(await addLogo(account)));
  expect(await account.run({ submit: true })).toMatchObject({ state: 'cancelled', inDoubt: 2, reviews: 0 });
  isFirst = false;
  await control.advance('PT1M');
  await account.edit('sbaProfile', at(ids, 2), { headline: 'Rolls for any day' });
  const report = await account.run({ submit: true });
  expect(report).toMatchObject({ state: 'finished', refused: [], reviews: 1 });
  expect(report.unsubmitted).toEqual({ campaigns: 0, first: [] });
});

test('an ad group that two lists left out is taken over by its name, since a campaign takes one only', async () => {
  account = await sandbox.open({ capabilities: WITH_EXTENSIONS });
  await control.fault({ match: { method: 'POST', path: '/api/v1/adGroups' }, times: 1, kind: 'drop-after' });
  await control.fault({ match: { method: 'GET', path: '/api/v1/adGroups' }, times: 2, kind: 'shorten-results' });
  await account.create(autoDraft());
  const [refused] = (await account.run()).refused;
  expect(refused).toMatchObject({ kind: 'adGroup', message: 'Only one ad group is permitted per campaign' });
  expect(await account.run()).toMatchObject({ refused: [], inDoubt: 0, untouched: 0 });
  const counts = countThings(await onTheService(sandbox));
  expect(Object.keys(counts)).toHaveLength(6);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0, questions: 0 });
});

test('an id is asked after on the service before it is adopted', async () => {
  account = await sandbox.open();
  await control.fault({ match: { method: 'POST', path: '/api/v1/campaigns' }, times: 1, kind: 'drop-after' });
  await account.create(autoDraft());
  await account.run();
  const [asked] = await account.sync.questions();
  expect(await openQuestionAnswer(asked?.id ?? 0, { exists: '12345' })).toMatchObject({
    ok: false,
    error: { code: 'BAD_ANSWER', data: { reason: 'not-found' } },
  });
  const [campaign] = (await control.state()).campaigns;
  expect(await openQuestionAnswer(asked?.id ?? 0, { exists: String(campaign?.campaignId) })).toEqual({
    ok: true,
    value: { open: 0 },
  });
  expect(await account.run()).toMatchObject({ done: 5, refused: [], questions: 0 });
});

const openQuestionAnswer = (id: number, answer: Parameters<TestAccount['sync']['answer']>[1]) =>
  account.sync.answer(id, answer);
