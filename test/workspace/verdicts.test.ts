import { expect, test } from 'vitest';
import { createFindings } from '../../main/store/reader/findings.ts';
import { readRejections } from '../../main/store/verdicts/review-history.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { acceptAll, aStore, createAll } from './a-store.ts';
import { create, done } from './a-workspace.ts';

const NOON = Date.UTC(2026, 4, 4, 12);
const DAY_MS = 86_400_000;
const WORDS = { brand: 'Softly', headline: 'Soft towels', clickUrl: 'https://shop.example/browse/softly' };
type Cells = Readonly<Record<string, Cell>>;

/** Brand campaigns of one account, and what a review says of their profiles day by day. */
function anAccount() {
  const store = aStore();
  const { db, profile } = store;
  const findings = createFindings(db, profile, true);
  let now = NOON;
  const aCampaign = (name: string, cells: Cells = {}): readonly RowRef[] =>
    createAll(store, [
      create('campaign', null, { name, campaignType: 'sba', targetingType: 'manual', dailyBudget: 5000 }),
      create('adGroup', { at: 0 }, { name: `${name} group` }),
      create('sbaProfile', { at: 1 }, { ...WORDS, status: 'enabled', ...cells }),
    ]);
  const profileOf = (refs: readonly RowRef[]): RowRef => {
    const [, , ref] = refs;
    if (ref === undefined) throw new Error('the campaign has no profile');
    return ref;
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
      const { findings: said } = await findings.page(now, wish);
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
  account.store.acceptPushed(judged, { remoteId: null, sent: { ...WORDS, headline: 'Best towels' } });
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
