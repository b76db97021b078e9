import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeImpact } from '../../shared/lifecycle/change-impact.ts';
import { eligibility, flightCost, type StepFix, submitBy } from '../../shared/lifecycle/eligibility.ts';
import { offeredMoves, partReview, reviewState } from '../../shared/lifecycle/states.ts';
import { beginSwap, offeredSwap, type Swap, swapState } from '../../shared/lifecycle/swap.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { OPEN_END } from '../../shared/model/plain-date.ts';
import { DELETED, isDeleted } from '../../shared/model/row.ts';
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
  env,
  profile,
} from './builders.ts';

describe('lifecycle', () => {
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
    expect(flightCost(day('2026-12-04'), day('2026-12-31'), 2500, 150_000)).toEqual({
      days: 28,
      cents: 70_000,
      isCapped: false,
    });
    expect(flightCost(day('2026-12-04'), day('2026-12-31'), 2500, 50_000)).toEqual({
      days: 28,
      cents: 50_000,
      isCapped: true,
    });
    for (const [start, end, daily] of [
      [day('2026-12-04'), OPEN_END, 2500],
      [day('2026-12-04'), day('2026-12-03'), 2500],
      [null, day('2026-12-31'), 2500],
      [day('2026-12-04'), day('2026-12-31'), null],
    ] as const) {
      expect(flightCost(start, end, daily, 50_000)).toBeNull();
    }
  });
});

describe('eligibility', () => {
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
});

type Status = 'enabled' | 'disabled';
interface Said {
  readonly headline: string;
  readonly status: Status;
  readonly review: 'pending' | 'approved' | 'rejected';
}

/** A live campaign with two profiles: what the service has of them, and what was typed here. */
class World {
  readonly singleEnabled: boolean;
  from: Said = { headline: 'Old', status: 'enabled', review: 'approved' };
  to: Said = { headline: 'Spare', status: 'disabled', review: 'approved' };
  typed = { fromStatus: 'enabled' as Status, toStatus: 'disabled' as Status, headline: 'Spare' };
  reviewing = false;
  /** What the service showed, one entry whenever it changed. */
  readonly shown: Said[] = [this.from];

  constructor(singleEnabled: boolean) {
    this.singleEnabled = singleEnabled;
  }

  tree(): CampaignTree {
    const { from, to, typed } = this;
    return aTree({
      campaign: aCampaign({ campaignType: 'sba', serviceStatus: 'live' }, { remote: '1' }),
      adGroups: [anAdGroup({ reviewStatus: this.reviewing ? 'pending' : 'approved' }, { remote: '2' })],
      sbaProfiles: [
        anSbaProfile(
          { headline: from.headline, status: typed.fromStatus, reviewStatus: from.review },
          { id: 50, remote: '5', was: { status: from.status } },
        ),
        anSbaProfile(
          { headline: typed.headline, status: typed.toStatus, reviewStatus: to.review },
          { id: 51, remote: '6', was: { status: to.status, headline: to.headline } },
        ),
      ],
    });
  }

  /** Carries the changes out as the service allows: nothing while it reviews, no enabling of what is not approved. */
  sync(): void {
    if (this.reviewing) return;
    const { typed } = this;
    if (this.to.status === 'disabled' && typed.headline !== this.to.headline) {
      this.to = { ...this.to, headline: typed.headline, review: 'pending' };
    } else if (this.to.status === 'disabled' && typed.toStatus === 'enabled' && this.to.review === 'approved') {
      this.to = { ...this.to, status: 'enabled' };
      this.shown.push(this.to);
      if (this.singleEnabled) this.from = { ...this.from, status: 'disabled' };
    }
    // Another kind of deployment: the enabled one may be switched off.
    if (!this.singleEnabled && typed.fromStatus === 'disabled') this.from = { ...this.from, status: 'disabled' };
  }

  /** What is read back replaces what was not edited here. */
  refresh(): void {
    if (this.singleEnabled) this.typed.fromStatus = this.from.status;
  }

  decide(verdict: 'approved' | 'rejected'): void {
    if (!this.reviewing) return;
    this.reviewing = false;
    if (this.to.review === 'pending') this.to = { ...this.to, review: verdict };
  }
}

/** Does what the present step asks for, and nothing else. */
function obey(world: World, swap: Swap, headline: string): string {
  const state = swapState(world.tree(), swap, world.singleEnabled);
  if (state === null) throw new Error('both profiles are there');
  const { move } = state;
  if (move?.way === 'edit') world.typed.headline = headline;
  if (move?.way === 'write') {
    if (move.id === swap.to) world.typed.toStatus = move.status;
    else world.typed.fromStatus = move.status;
  }
  if (move?.way === 'sync') world.sync();
  if (move?.way === 'submit') world.reviewing = true;
  if (move?.way === 'look' && move.at === 'rows') world.refresh();
  return state.step;
}

function begun(world: World): Swap {
  const offered = offeredSwap(world.tree());
  if (offered === null) throw new Error('there is a pair');
  return beginSwap(offered, world.tree().campaign.id);
}

const disturbance = fc.constantFrom('obey', 'obey', 'obey', 'sync', 'refresh', 'approve', 'reject', 'type');

test('whatever comes between, one approved profile is shown at any time', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(disturbance, { maxLength: 60 }), (singleEnabled, events) => {
      const world = new World(singleEnabled);
      const swap = begun(world);
      events.forEach((event, at) => {
        if (event === 'obey') obey(world, swap, `Edit ${at}`);
        if (event === 'sync') world.sync();
        if (event === 'refresh') world.refresh();
        if (event === 'approve') world.decide('approved');
        if (event === 'reject') world.decide('rejected');
        if (event === 'type' && world.to.status === 'disabled') world.typed.headline = `Typed ${at}`;
        expect([world.from.status, world.to.status]).toContain('enabled');
        if (world.from.status === 'disabled') expect(world.to).toMatchObject({ status: 'enabled', review: 'approved' });
      });
    }),
  );
});

test('who does what each step asks for ends with the profiles in each other’s place, also after rejections', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.boolean(), { maxLength: 5 }), (singleEnabled, verdicts) => {
      const world = new World(singleEnabled);
      const swap = begun(world);
      const left = [...verdicts];
      const seen: string[] = [];
      for (let turn = 0; turn < 80 && seen.at(-1) !== 'done'; turn++) {
        seen.push(obey(world, swap, `Edit ${turn}`));
        if (world.reviewing && turn % 2 === 0) world.decide(left.shift() === false ? 'rejected' : 'approved');
      }
      expect(seen.at(-1)).toBe('done');
      expect([world.from.status, world.to.status]).toEqual(['disabled', 'enabled']);
      expect(world.shown).toHaveLength(2);
    }),
  );
});

test('a spare that is approved already may go up as it is, without another review', () => {
  const world = new World(true);
  const swap = { ...begun(world), asItIs: true };
  expect(swapState(world.tree(), swap, true)).toMatchObject({
    step: 'enable',
    move: { way: 'write', status: 'enabled' },
  });
});

test('a rejected spare is edited anew, and its reason stands beside', () => {
  const world = new World(true);
  const swap = begun(world);
  world.typed.headline = 'Best of all';
  world.sync();
  world.reviewing = true;
  world.decide('rejected');
  expect(swapState(world.tree(), swap, true)).toMatchObject({
    step: 'edit',
    move: { way: 'edit', canStay: false },
    rejected: { reason: null },
  });
  world.typed.headline = 'Calm';
  expect(swapState(world.tree(), swap, true)).toMatchObject({ step: 'send', move: { way: 'sync' } });
});

test('without two profiles of which one is shown there is nothing to swap, and with one gone it is over', () => {
  const world = new World(true);
  const swap = begun(world);
  const tree = world.tree();
  const [from] = tree.sbaProfiles;
  const alone = { ...tree, sbaProfiles: from === undefined ? [] : [from] };
  expect(offeredSwap(alone)).toBeNull();
  expect(swapState(alone, swap, true)).toBeNull();
  world.to = { ...world.to, status: 'enabled' };
  expect(offeredSwap(world.tree())).toBeNull();
  world.to = { ...world.to, status: 'disabled' };
  world.from = { ...world.from, status: 'disabled' };
  expect(offeredSwap(world.tree())).toBeNull();
});
