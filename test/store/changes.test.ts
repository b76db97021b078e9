import { expect, test } from 'vitest';
import { createIssuesReader } from '../../main/store/reader/issues.ts';
import { readRejections } from '../../main/store/reviews/review-history.ts';
import { createCallPriority } from '../../main/store/worker/call-priority.ts';
import { createCheckDelay, createReaderActivity, recordRead } from '../../main/store/worker/reader-activity.ts';
import { readTreesInChunks } from '../../main/store/workspace.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { acceptAll, aSmallCampaign, aStore, at, aWorkspace, create, createAll, done, edit } from './a-workspace.ts';

/** Questions that are answered when the test says so, and the order in which they were put. */
function aThread() {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const ask = (name: string) => () =>
    new Promise<string>((resolve) => {
      asked.push(name);
      answers.set(name, () => resolve(name));
    });
  return { asked, ask, answer: (name: string) => answers.get(name)?.() };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await turn();
};

test('rows that are asked for right after counts are read before them', async () => {
  const { asked, ask } = aThread();
  const lanes = createCallPriority();
  void lanes.count(ask('errors'));
  void lanes.count(ask('totals'));
  void lanes.rows(ask('window'));
  await turns();
  expect(asked).toEqual(['window']);
});

test('counts follow one another, each once the one before is answered, whatever became of it', async () => {
  const { asked, ask, answer } = aThread();
  const lanes = createCallPriority();
  const failing = lanes.count(() => Promise.reject(new Error('gone')));
  const first = lanes.count(ask('first'));
  const second = lanes.count(ask('second'));
  await expect(failing).rejects.toThrow('gone');
  await turns();
  expect(asked).toEqual(['first']);
  answer('first');
  await turns();
  expect(asked).toEqual(['first', 'second']);
  answer('second');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  await lanes.over();
});

test('a count waits for the rows that are being read, and not for those that are asked for later', async () => {
  const { asked, ask, answer } = aThread();
  const lanes = createCallPriority();
  void lanes.rows(ask('window'));
  void lanes.count(ask('errors'));
  await turns();
  void lanes.rows(ask('next window'));
  answer('window');
  await turns();
  expect(asked).toEqual(['window', 'next window', 'errors']);
});

test('a slice of checks waits after a glance at rows, and is never put off for good', () => {
  const glances = createReaderActivity();
  const waits = createCheckDelay(glances);
  expect(waits()).toBe(0);
  recordRead(glances);
  expect(waits()).toBeGreaterThan(0);
  expect(waits()).toBe(0);
  const whileScrolling = Array.from({ length: 12 }, () => {
    recordRead(glances);
    return waits();
  });
  expect(whileScrolling.filter((ms) => ms === 0)).toHaveLength(2);
});

const NOON = Date.UTC(2026, 4, 4, 12);
const DAY_MS = 86_400_000;
const WORDS = { brand: 'Softly', headline: 'Soft towels', clickUrl: 'https://shop.example/browse/softly' };
type Cells = Readonly<Record<string, Cell>>;

/** Brand campaigns of one account, and what a review says of their profiles day by day. */
function anAccount() {
  const store = aStore();
  const { db, profile } = store;
  const issues = createIssuesReader(db, profile, true);
  let now = NOON;
  const aCampaign = (name: string, cells: Cells = {}): readonly RowRef[] =>
    createAll(store, [
      create('campaign', null, { name, campaignType: 'sba', targetingType: 'manual', dailyBudget: 5000 }),
      create('adGroup', { at: 0 }, { name: `${name} group` }),
      create('sbaProfile', { at: 1 }, { ...WORDS, status: 'enabled', ...cells }),
    ]);
  const profileOf = (refs: readonly RowRef[]): RowRef => {
    return at(refs, 2);
  };
  return {
    store,
    aCampaign,
    anOnline: (name: string, cells: Cells = {}) => {
      const refs = aCampaign(name, cells);
      acceptAll(store, refs);
      return profileOf(refs);
    },
    profileOf,
    nextDay: () => {
      now += DAY_MS;
      store.setNow(now);
    },
    says: ({ kind, id }: RowRef, reviewStatus: string, reviewReason: string | null = null) =>
      store.setServiceFields([
        { kind, id, field: 'reviewStatus', value: reviewStatus },
        { kind, id, field: 'reviewReason', value: reviewReason },
      ]),
    set: ({ kind, id }: RowRef, cells: Cells) =>
      done(
        store.apply({
          label: 'Edit',
          source: 'user',
          updates: Object.entries(cells).map(([field, value]) => ({ kind, id, field, value })),
        }),
      ),
    warned: async () => {
      const wish = { from: 0, count: 100, campaignId: null, rule: 'sba.rejected-before' };
      const { issues: said } = await issues.page(now, wish);
      return said.map(({ id, params }) => [id, params['date'], params['reason']]);
    },
    kept: (words = '') => readRejections(db, profile.business.zone, 0, 100, words),
  };
}

test('a draft with the very words that were rejected elsewhere is warned about, and stays so after resubmission', async () => {
  const account = anAccount();
  const judged = account.anOnline('Towels');
  const draft = account.profileOf(account.aCampaign('Bath'));
  expect(await account.warned()).toEqual([]);
  account.says(judged, 'rejected', 'Claim not proven');
  expect(await account.warned()).toEqual([[draft.id, '2026-05-04', 'Claim not proven']]);
  account.nextDay();
  account.says(judged, 'pending');
  expect(await account.warned()).toEqual([
    [judged.id, '2026-05-04', 'Claim not proven'],
    [draft.id, '2026-05-04', 'Claim not proven'],
  ]);
  account.set(draft, { headline: 'Calm towels' });
  expect(await account.warned()).toEqual([[judged.id, '2026-05-04', 'Claim not proven']]);
});

test('a draft typed later is warned about as it is typed, and any part that differs makes another creative', async () => {
  const account = anAccount();
  account.says(account.anOnline('Towels'), 'rejected', 'Claim not proven');
  for (const other of [{ brand: 'Calm' }, { clickUrl: 'https://shop.example/browse/calm' }, { headline: 'Calm' }]) {
    account.aCampaign(`With another ${Object.keys(other).join()}`, other);
  }
  expect(await account.warned()).toEqual([]);
  const same = account.profileOf(account.aCampaign('Bath', { clickUrl: 'https://shop.example/browse/softly' }));
  expect((await account.warned()).map(([id]) => id)).toEqual([same.id]);
});

test('what the service has is remembered, and not what the user has typed since', () => {
  const account = anAccount();
  const judged = account.anOnline('Towels');
  account.set(judged, { headline: 'Calm towels' });
  account.says(judged, 'rejected', 'Claim not proven');
  expect(account.kept().rejections).toMatchObject([{ creative: { headline: 'Soft towels' }, isThere: true }]);
});

test('an approval after a rejection ends the warning', async () => {
  const account = anAccount();
  const judged = account.anOnline('Towels');
  account.aCampaign('Bath');
  account.says(judged, 'rejected', 'Claim not proven');
  account.nextDay();
  account.says(judged, 'approved');
  expect(await account.warned()).toEqual([]);
  expect(account.kept().total).toBe(1);
});

test('beside a rejection stands what had changed since the approval before it', () => {
  const account = anAccount();
  const judged = account.anOnline('Towels');
  account.says(judged, 'approved');
  account.nextDay();
  account.set(judged, { headline: 'Best towels' });
  account.store.acceptSent(judged, { remoteId: null, sent: { ...WORDS, headline: 'Best towels' } });
  account.says(judged, 'rejected', 'Claim not proven');
  expect(account.kept().rejections).toMatchObject([
    { day: '2026-05-05', changes: [{ part: 'headline', before: 'Soft towels', after: 'Best towels' }] },
  ]);
  account.says(account.anOnline('Never approved', { headline: 'X' }), 'rejected', null);
  expect(account.kept().rejections[0]).toMatchObject({ reason: null, changes: null });
});

test('the same word on the same creative is kept once, whoever brings it', () => {
  const account = anAccount();
  const judged = account.anOnline('Towels');
  account.says(judged, 'rejected', 'Claim not proven');
  account.says(judged, 'rejected', 'Claim not proven');
  const row = account.store.readRow(judged);
  account.store.mergeRemoteRows([
    {
      kind: 'sbaProfile',
      remoteId: row?.remoteId ?? null,
      campaignId: row?.campaignId ?? null,
      adGroupId: row?.adGroupId ?? null,
      values: {
        ...WORDS,
        logoUrl: 'https://cdn.example/1.png',
        reviewStatus: 'rejected',
        reviewReason: 'Claim not proven',
      },
    },
  ]);
  expect(account.kept().total).toBe(1);
});

test('rejections of all campaigns are searched by campaign, reason and words', () => {
  const account = anAccount();
  const towels = account.anOnline('Towels');
  account.says(towels, 'rejected', 'Claim not proven');
  account.says(account.anOnline('Kettles', { headline: 'Quick tea' }), 'rejected', 'Blurred logo');
  const found = (words: string) => account.kept(words).rejections.map(({ campaign }) => campaign);
  expect(found('')).toEqual(['Kettles', 'Towels']);
  expect(found('CLAIM towels')).toEqual(['Towels']);
  expect(found('quick')).toEqual(['Kettles']);
  expect(found('claim quick')).toEqual([]);
});

test('many campaigns come in several messages, once each and by their ids, whatever the order they are asked for', async () => {
  const workspace = await aWorkspace();
  const creates = Array.from({ length: 60 }, (_, at) => aSmallCampaign(`Campaign ${at}`)[0]).filter(
    (row) => row !== undefined,
  );
  const { touched } = await edit(workspace, { creates });
  const ids = touched.map(({ id }) => id);
  const messages: number[] = [];
  const trees = await readTreesInChunks(
    (some) => {
      messages.push(some.length);
      return workspace.readTrees(some);
    },
    [...ids.toReversed(), ...ids.slice(0, 5)],
  );
  expect(trees.map(({ campaign }) => campaign.id)).toEqual(ids);
  expect(messages.length).toBeGreaterThan(1);
  expect(messages.reduce((sum, count) => sum + count, 0)).toBe(60);
  expect(await workspace.readTrees('all')).toEqual(trees);
});
