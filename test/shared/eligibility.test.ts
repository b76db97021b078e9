import { expect, test } from 'vitest';
import { eligibility, type StepFix } from '../../shared/lifecycle/eligibility.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { DELETED, isDeleted } from '../../shared/model/row.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aTree,
  aVideo,
  aVideoProfile,
  aVideoTree,
  env,
  profile,
} from './builders.ts';

const onService = { remote: '1' };
const brand = aCampaign({ campaignType: 'sba', targetingType: 'manual', serviceStatus: 'proposal' }, onService);
const group = anAdGroup({}, onService);

const fixOf = (tree: CampaignTree, step: string): StepFix | undefined =>
  eligibility(tree, { profile, today: env.today, campaignUpdate: true }).missing.find((each) => each.step === step)
    ?.fix;

test('what is missing is added, and what is switched off is led to', () => {
  const bare = aTree({ campaign: brand, adGroups: [] });
  expect(fixOf(bare, 'ad-group')).toEqual({ way: 'create', kind: 'adGroup' });
  expect(fixOf(bare, 'item')).toEqual({ way: 'add', kind: 'adItem' });
  expect(fixOf(bare, 'keyword')).toEqual({ way: 'add', kind: 'keyword' });
  expect(fixOf(bare, 'profile')).toEqual({ way: 'add', kind: 'sbaProfile' });
  const off = aTree({
    campaign: brand,
    adGroups: [group],
    adItems: [anAdItem({ status: 'disabled' }, { ...onService, id: 11 })],
    keywords: [aKeyword({ state: 'paused' }, { ...onService, id: 12 })],
    sbaProfiles: [anSbaProfile({ status: 'disabled' }, { ...onService, id: 13 })],
  });
  expect(fixOf(off, 'item')).toEqual({ way: 'go', kind: 'adItem', id: 11, field: 'status' });
  expect(fixOf(off, 'keyword')).toEqual({ way: 'go', kind: 'keyword', id: 12, field: 'state' });
  expect(fixOf(off, 'profile')).toEqual({ way: 'go', kind: 'sbaProfile', id: 13, field: 'status' });
});

test('an item that is deleted for good cannot be switched on, so another is added', () => {
  const tree = aTree({ campaign: brand, adGroups: [group], adItems: [anAdItem({ status: 'deleted' }, onService)] });
  expect(fixOf(tree, 'item')).toEqual({ way: 'add', kind: 'adItem' });
});

test('a rejected part leads to what can be changed of it', () => {
  const rejected = { reviewStatus: 'rejected' } as const;
  const tree = aTree({
    campaign: brand,
    adGroups: [group],
    adItems: [anAdItem({}, onService)],
    keywords: [aKeyword({}, onService)],
    sbaProfiles: [anSbaProfile(rejected, { ...onService, id: 13 })],
  });
  expect(fixOf(tree, 'approval')).toEqual({ way: 'go', kind: 'sbaProfile', id: 13, field: 'headline' });
  const items = { ...tree, sbaProfiles: [], adItems: [anAdItem(rejected, { ...onService, id: 14 })] };
  expect(fixOf(items, 'approval')).toEqual({ way: 'go', kind: 'adItem', id: 14, field: 'reviewStatus' });
});

test('a video is sent, looked at, or replaced, as its state asks', () => {
  const withVideo = (mediaState: 'local' | 'processing' | 'failed'): CampaignTree => {
    const video = aVideo({ mediaState }, onService);
    return aVideoTree({ videoProfiles: [aVideoProfile({ video: video.id }, onService)], media: [video] });
  };
  expect(fixOf(withVideo('local'), 'video')).toEqual({ way: 'sync' });
  expect(fixOf(withVideo('processing'), 'video')).toEqual({ way: 'look', at: 'videos' });
  expect(fixOf(withVideo('failed'), 'video')).toMatchObject({ way: 'go', kind: 'media', field: 'mediaState' });
});

test('whatever is missing, each step can be told from the others and leads to a row that is there', () => {
  const marks = [null, 'on', 'off', 'rejected', 'deleted'] as const;
  type Mark = (typeof marks)[number];
  const reviewStatus = (mark: Mark) => (mark === 'rejected' ? 'rejected' : 'approved');
  const at = (id: number, mark: Mark) => ({ ...onService, id, marks: mark === 'deleted' ? DELETED : 0 });
  const status = (mark: Mark) => (mark === 'off' ? 'disabled' : 'enabled');
  const state = (mark: Mark) => (mark === 'off' ? 'paused' : 'enabled');
  const item = (m: Mark) => anAdItem({ status: status(m), reviewStatus: reviewStatus(m) }, at(21, m));
  const keyword = (m: Mark) => aKeyword({ state: state(m), reviewStatus: reviewStatus(m) }, at(22, m));
  const creative = (m: Mark) => anSbaProfile({ status: status(m), reviewStatus: reviewStatus(m) }, at(23, m));
  const trees = marks.flatMap((a) =>
    marks.flatMap((b) =>
      marks.map((c) =>
        aTree({
          campaign: brand,
          adGroups: [group],
          adItems: a === null ? [] : [item(a)],
          keywords: b === null ? [] : [keyword(b)],
          sbaProfiles: c === null ? [] : [creative(c)],
        }),
      ),
    ),
  );
  let led = 0;
  for (const tree of trees) {
    const { missing } = eligibility(tree, { profile, today: env.today, campaignUpdate: true });
    expect(new Set(missing.map(({ step, fix }) => `${step} ${'kind' in fix ? fix.kind : ''}`)).size).toBe(
      missing.length,
    );
    const rows = [...tree.adItems, ...tree.keywords, ...tree.sbaProfiles].filter((row) => !isDeleted(row));
    const there = rows.map(({ kind, id }) => `${kind} ${id}`);
    for (const { fix } of missing) {
      if (fix.way !== 'go') continue;
      expect(there).toContain(`${fix.kind} ${fix.id}`);
      led += 1;
    }
  }
  // Off and rejected lead somewhere, in each of three places, whatever the other two are.
  expect(led).toBe(2 * 3 * 25);
});
