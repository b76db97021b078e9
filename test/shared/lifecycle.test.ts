import { expect, test } from 'vitest';
import { changeImpact } from '../../shared/lifecycle/change-impact.ts';
import { eligibility, submitBy } from '../../shared/lifecycle/eligibility.ts';
import { offeredMoves, partReview, reviewState } from '../../shared/lifecycle/states.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aPlacement,
  aTree,
  aVideo,
  aVideoProfile,
  aVideoTree,
  day,
  profile,
} from './builders.ts';

const onService = { remote: '1' };
const lacks = { profile, today: day('2026-05-01'), campaignUpdate: true };
const live = aCampaign({ serviceStatus: 'live', campaignType: 'sba' }, onService);
const group = anAdGroup({}, onService);
const reviewed = anAdGroup({ reviewStatus: 'in-progress' }, onService);

test('a live campaign can be paused or ended; a scheduled one waits', () => {
  expect(offeredMoves('live').map((move) => move.by)).toEqual(['paused', 'completed']);
  expect(offeredMoves('scheduled')).toEqual([]);
});

test('the words of both dialects mean the same states', () => {
  expect(['inProgress', 'in progress', 'in-progress', 'IN_PROGRESS'].map(reviewState)).toEqual(
    Array(4).fill('in-progress'),
  );
  expect(reviewState('constructor')).toBe(null);
  expect([
    partReview('complete', null),
    partReview('Complete', 'Blurry'),
    partReview('in progress', null),
    partReview('cancelled', null),
  ]).toEqual(['approved', 'rejected', 'pending', null]);
});

test('a row that is not on the service takes its values along when it is created', () => {
  expect(changeImpact('keyword', 'bid', aVideoTree())).toEqual({ cost: 'with-create', message: null });
});

test('bids, budgets and multipliers act at once, also while live and under review', () => {
  const tree = aTree({
    campaign: live,
    adGroups: [reviewed],
    adItems: [anAdItem({}, onService)],
    keywords: [aKeyword({}, onService)],
    placementMultipliers: [aPlacement({}, onService)],
  });
  expect(changeImpact('adItem', 'bid', tree).cost).toBe('immediate');
  expect(changeImpact('keyword', 'bid', tree).cost).toBe('immediate');
  expect(changeImpact('campaign', 'dailyBudget', tree).cost).toBe('immediate');
  expect(changeImpact('placementMultiplier', 'multiplier', tree).cost).toBe('immediate');
});

test('switching off is free, switching on again costs a review and cannot join one under way', () => {
  const at = (status: 'enabled' | 'disabled', adGroup = group) =>
    changeImpact(
      'adItem',
      'status',
      aTree({ campaign: live, adGroups: [adGroup], adItems: [anAdItem({ status }, onService)] }),
    );
  expect(at('enabled', reviewed).cost).toBe('immediate');
  expect(at('disabled').cost).toBe('needs-review');
  expect(at('disabled', reviewed)).toEqual({
    cost: 'refused',
    message: 'Campaign is Under review, adding is not allowed',
  });
});

test('an enabled profile of a live campaign needs a pause; a disabled one is edited, reviewed, then enabled', () => {
  const at = (values: Parameters<typeof anSbaProfile>[0], field: string, campaign = live) =>
    changeImpact(
      'sbaProfile',
      field,
      aTree({ campaign, adGroups: [group], sbaProfiles: [anSbaProfile(values, onService)] }),
    );
  expect(at({ status: 'enabled' }, 'headline')).toEqual({
    cost: 'needs-pause',
    message: 'You cannot update the enabled one for campaigns which are scheduled or currently live',
  });
  expect(at({ status: 'disabled' }, 'headline').cost).toBe('needs-review');
  expect(at({ status: 'disabled', reviewStatus: 'pending' }, 'status').message).toMatch(
    /cannot be enabled without approval/,
  );
  expect(at({ status: 'disabled', reviewStatus: 'approved' }, 'status').cost).toBe('immediate');
  const proposal = aCampaign({ serviceStatus: 'proposal', campaignType: 'sba' }, onService);
  expect(at({ status: 'enabled' }, 'headline', proposal).cost).toBe('needs-review');
});

test('the video of a live campaign needs a pause', () => {
  const campaign = aCampaign({ serviceStatus: 'scheduled' }, onService);
  const tree = aTree({ campaign, adGroups: [group], videoProfiles: [aVideoProfile({}, onService)] });
  expect(changeImpact('videoProfile', 'video', tree).cost).toBe('needs-pause');
});

test('what is fixed after creation or owned by the service is refused', () => {
  const tree = aTree({ campaign: live, adGroups: [group], keywords: [aKeyword({}, onService)] });
  expect(changeImpact('keyword', 'text', tree).cost).toBe('refused');
  expect(changeImpact('keyword', 'reviewStatus', tree).cost).toBe('refused');
  expect(changeImpact('media', 'mediaName', tree).cost).toBe('local');
});

test('pausing is possible from live only', () => {
  const scheduled = aTree({ campaign: aCampaign({ serviceStatus: 'scheduled' }, onService) });
  expect(changeImpact('campaign', 'status', scheduled).cost).toBe('refused');
  expect(changeImpact('campaign', 'status', aTree({ campaign: live })).cost).toBe('immediate');
});

test('what is deleted or archived on the service takes no edit any more', () => {
  const tree = aTree({
    campaign: live,
    adGroups: [group],
    adItems: [anAdItem({ status: 'deleted' }, onService)],
    keywords: [aKeyword({}, { ...onService, was: { state: 'archived' } })],
  });
  expect(changeImpact('adItem', 'bid', tree)).toEqual({ cost: 'refused', message: 'AdGroupItem not found.' });
  expect(changeImpact('keyword', 'state', tree).cost).toBe('refused');
});

test('a completed campaign refuses no edit; what it shows is reviewed as anywhere else', () => {
  const completed = { serviceStatus: 'completed', status: 'completed', campaignType: 'sba' } as const;
  const over = aTree({
    campaign: aCampaign(completed, onService),
    adGroups: [group],
    adItems: [anAdItem({}, onService)],
    sbaProfiles: [anSbaProfile({ reviewStatus: 'approved' }, onService)],
  });
  for (const field of ['name', 'dailyBudget', 'endDate', 'status']) {
    expect(changeImpact('campaign', field, over).cost, field).toBe('immediate');
  }
  expect(changeImpact('adItem', 'bid', over).cost).toBe('immediate');
  expect(changeImpact('sbaProfile', 'headline', over).cost).toBe('needs-review');
});

test('the checklist names the cheapest missing step first and is empty for a live campaign', () => {
  const bare = eligibility(aTree({ adGroups: [] }), lacks).missing.map((step) => step.step);
  expect(bare).toEqual(['ad-group', 'item', 'keyword', 'profile', 'sync', 'submit']);
  const fresh = eligibility(aVideoTree(), lacks).missing.map((step) => step.step);
  expect(fresh).toEqual(['sync', 'video', 'submit']);
  const done = aTree({
    campaign: aCampaign({ serviceStatus: 'live' }, onService),
    adGroups: [group],
    adItems: [anAdItem({ reviewStatus: 'approved' }, onService)],
    keywords: [aKeyword({ reviewStatus: 'approved' }, onService)],
    videoProfiles: [aVideoProfile({ reviewStatus: 'approved' }, onService)],
    media: [aVideo({ mediaState: 'available' }, onService)],
  });
  expect(eligibility(done, lacks)).toEqual({ isEligible: true, missing: [] });
});

test('a start leaves three days for the review and one for a new video', () => {
  expect(submitBy(day('2026-05-10'), profile, false)).toBe('2026-05-07');
  expect(submitBy(day('2026-05-10'), profile, true)).toBe('2026-05-06');
});
