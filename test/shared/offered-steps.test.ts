import { expect, test } from 'vitest';
import { eligibility, type Step } from '../../shared/lifecycle/eligibility.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { AnyValues } from '../../shared/model/fields.ts';
import { offeredSteps, sends, withValues } from '../../shared/plan/offered-steps.ts';
import { planChanges } from '../../shared/plan/plan.ts';
import type { PlanInput } from '../../shared/plan/plan-types.ts';
import { DOCUMENTED_ONLY, type Plan, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  anSbaProfile,
  aTree,
  aVideo,
  aVideoProfile,
  day,
  env,
  planInput,
} from './builders.ts';

const onService = { remote: '1' };
const at = (id: number) => ({ ...onService, id });
const approved = { reviewStatus: 'approved' } as const;
const paused = { serviceStatus: 'paused', status: 'paused', campaignType: 'sba' } as const;
const whole = (parts: Partial<CampaignTree> = {}): CampaignTree =>
  aTree({
    campaign: aCampaign(paused, onService),
    adGroups: [anAdGroup({ reviewStatus: 'approved', reviewId: '7' }, onService)],
    adItems: [anAdItem(approved, at(31))],
    keywords: [aKeyword(approved, at(41))],
    sbaProfiles: [anSbaProfile(approved, at(51))],
    ...parts,
  });
const extensions: Partial<PlanInput> = { capabilities: WITH_EXTENSIONS };
const steps = (tree: CampaignTree, changes: Partial<PlanInput> = {}): readonly Step[] =>
  offeredSteps(tree, planInput([tree], changes)).missing;

test('an approved campaign that is paused is enabled again as a step of its own, and by nothing else', () => {
  expect(steps(whole(), extensions)).toMatchObject([
    { step: 'enable', fix: { way: 'write', id: 1, values: { status: 'enabled' } } },
  ]);
  // Where campaigns cannot be updated, somebody has to do it in the console.
  expect(steps(whole())).toMatchObject([{ step: 'enable', fix: { way: 'outside' } }]);
});

test('what a review has not approved is submitted first; a review that is open is waited for', () => {
  const unapproved = whole({ sbaProfiles: [anSbaProfile({ reviewStatus: 'pending' }, at(51))] });
  expect(steps(unapproved, extensions).map(({ step }) => step)).toEqual(['submit']);
  const open = { ...unapproved, adGroups: [anAdGroup({ reviewStatus: 'pending', reviewId: '8' }, onService)] };
  expect(steps(open, extensions).map(({ step }) => step)).toEqual(['review']);
  const refused = whole({ sbaProfiles: [anSbaProfile({ reviewStatus: 'rejected' }, at(51))] });
  expect(steps(refused, extensions)[0]).toMatchObject({ step: 'approval', fix: { kind: 'sbaProfile' } });
});

test('once enabling is wanted it waits for the sync', () => {
  const wanted = withValues(whole(), 'campaign', 1, { status: 'enabled' });
  expect(steps(wanted, extensions).map(({ step }) => step)).toEqual(['sync']);
});

test('a campaign that the service has completed is extended by as long as it ran, and an open end stays open', () => {
  const over = { serviceStatus: 'completed', status: 'completed', campaignType: 'sba' } as const;
  const dates = { startDate: day('2026-04-01'), endDate: day('2026-04-21') };
  const ended = whole({ campaign: aCampaign({ ...over, ...dates }, onService) });
  expect(env.today).toBe('2026-05-01');
  expect(steps(ended, extensions)).toMatchObject([
    { step: 'extend', fix: { way: 'write', values: { status: 'enabled', endDate: '2026-05-21' } } },
  ]);
  const open = whole({ campaign: aCampaign({ ...over, startDate: dates.startDate, endDate: null }, onService) });
  expect(steps(open, extensions)[0]).toMatchObject({ fix: { way: 'write', values: { status: 'enabled' } } });
  expect(steps(ended)).toMatchObject([{ step: 'extend', fix: { way: 'outside' } }]);
  const wanted = withValues(ended, 'campaign', 1, { status: 'enabled', endDate: '2026-05-21' });
  expect(steps(wanted, extensions).map(({ step }) => step)).toEqual(['sync']);
});

test('a sync that would send nothing is not offered; the error in its way is', () => {
  const changed = whole({
    campaign: aCampaign({ serviceStatus: 'proposal', campaignType: 'sba' }, onService),
    adItems: [anAdItem(approved, { ...at(31), was: { bid: null } })],
  });
  expect(steps(changed, extensions).map(({ step }) => step)).toContain('sync');
  const faulty = steps(changed, { ...extensions, hasErrors: (kind) => kind === 'adItem' });
  expect(faulty).toMatchObject([{ step: 'errors', fix: { way: 'go', kind: 'adItem', id: 31 } }]);
});

test('a keyword that no call switches on is replaced by another; while a review is open neither is offered', () => {
  const off = whole({
    campaign: aCampaign({ serviceStatus: 'proposal', campaignType: 'sba' }, onService),
    keywords: [aKeyword({ state: 'paused' }, at(41))],
  });
  const keywordStep = (tree: CampaignTree, changes: Partial<PlanInput>) =>
    steps(tree, changes).find(({ step }) => step === 'keyword')?.fix;
  expect(keywordStep(off, extensions)).toMatchObject({ way: 'go', id: 41, field: 'state' });
  expect(keywordStep(off, {})).toEqual({ way: 'add', kind: 'keyword' });
  const open = { ...off, adGroups: [anAdGroup({ reviewStatus: 'pending', reviewId: '8' }, onService)] };
  expect(keywordStep(open, extensions)).toBeUndefined();
  // It lacks one all the same, and the review is still ahead.
  expect([...offeredSteps(off, planInput([off])).lacks]).toEqual(expect.arrayContaining(['keyword', 'submit']));
});

test('carrying out any step that is offered changes the plan as it promises', () => {
  let tried = 0;
  const withdrawn = new Set<string>();
  for (const tree of manyCampaigns()) {
    for (const capabilities of [DOCUMENTED_ONLY, WITH_EXTENSIONS]) {
      for (const hasErrors of [
        () => false,
        (kind: string) => kind === 'adItem',
        (kind: string) => kind === 'campaign',
      ]) {
        const input = planInput([tree], { capabilities, hasErrors });
        const offered = offeredSteps(tree, input).missing;
        for (const step of offered) {
          expect(keepsItsPromise(step, tree, input), JSON.stringify({ step, campaign: tree.campaign.values })).toBe(
            true,
          );
          tried++;
        }
        const campaignUpdate = capabilities.campaignUpdate;
        const all = eligibility(tree, { profile: input.profile, today: input.today, campaignUpdate }).missing;
        for (const { step } of all) if (!offered.some((each) => each.step === step)) withdrawn.add(step);
      }
    }
  }
  expect(tried).toBeGreaterThan(2000);
  // Some of what a campaign lacks by itself would have been left out.
  expect([...withdrawn].toSorted()).toEqual(expect.arrayContaining(['enable', 'keyword', 'submit']));
});

function keepsItsPromise({ fix }: Step, tree: CampaignTree, input: PlanInput): boolean {
  const before = plan(tree, input);
  switch (fix.way) {
    case 'sync':
      return before.uploads.length > 0 || before.batches.some(({ kind }) => kind !== 'review');
    case 'submit':
      return before.batches.some(({ kind, verb }) => kind === 'review' && verb === 'submit');
    case 'write': {
      const after = plan(withValues(tree, 'campaign', fix.id, fix.values), input);
      return !sends(before, 'campaign', fix.id) && carries(after, fix.id, { status: 'enabled' });
    }
    case 'add': {
      const added = withNew(tree, fix.kind);
      return sends(plan(added, { ...input, hasErrors: () => false }), fix.kind, 99);
    }
    case 'go': {
      if (fix.field !== 'status' && fix.field !== 'state') return true;
      const after = plan(withValues(tree, fix.kind, fix.id, { [fix.field]: 'enabled' }), input);
      return carries(after, fix.id, { [fix.field]: 'enabled' });
    }
    default:
      return true;
  }
}

const plan = (tree: CampaignTree, input: PlanInput): Plan => planChanges({ ...input, trees: [tree] });

const carries = ({ batches }: Plan, id: number, sent: AnyValues): boolean =>
  batches
    .flatMap(({ elements }) => elements)
    .some(
      (element) => element.id === id && Object.entries(sent).every(([field, value]) => element.sent[field] === value),
    );

function withNew(tree: CampaignTree, kind: string): CampaignTree {
  const id = { id: 99, ...(tree.adGroups[0] === undefined ? {} : { adGroupId: tree.adGroups[0].id }) };
  const adGroups = tree.adGroups.length === 0 ? [anAdGroup()] : tree.adGroups;
  if (kind === 'adItem') return { ...tree, adGroups, adItems: [...tree.adItems, anAdItem({ itemId: '9' }, id)] };
  if (kind === 'keyword') return { ...tree, adGroups, keywords: [...tree.keywords, aKeyword({ text: 'new' }, id)] };
  if (kind === 'sbaProfile') return { ...tree, adGroups, sbaProfiles: [...tree.sbaProfiles, anSbaProfile({}, id)] };
  const media = [aVideo({ mediaState: 'available' }, { remote: '9' })];
  return { ...tree, adGroups, videoProfiles: [...tree.videoProfiles, aVideoProfile({}, id)], media };
}

/** Brand and video campaigns in every state, with and without their parts, which are on or off and judged in every way. */
function* manyCampaigns(): Generator<CampaignTree> {
  const states = [
    { serviceStatus: 'proposal', status: 'enabled' },
    { serviceStatus: 'live', status: 'enabled' },
    { serviceStatus: 'paused', status: 'paused' },
    { serviceStatus: 'completed', status: 'completed' },
    { campaignState: 'paused', stateSource: 'estimated', status: 'enabled' },
  ] as const;
  const outcomes = ['pending', 'approved', 'rejected'] as const;
  for (const campaignType of ['sba', 'video'] as const) {
    for (const state of states) {
      for (const review of [null, 'pending', 'approved'] as const) {
        for (const profile of [null, ...outcomes]) {
          for (const isOn of [true, false]) {
            const status = isOn ? 'enabled' : 'disabled';
            const reviewStatus = profile ?? 'approved';
            const hasProfile = profile !== null;
            yield aTree({
              campaign: aCampaign({ campaignType, ...state }, onService),
              adGroups: [anAdGroup({ reviewStatus: review, reviewId: review === null ? null : '7' }, onService)],
              adItems: [anAdItem({ reviewStatus, status }, at(31))],
              keywords: [aKeyword({ reviewStatus, state: isOn ? 'enabled' : 'paused' }, at(41))],
              sbaProfiles: hasProfile && campaignType === 'sba' ? [anSbaProfile({ reviewStatus, status }, at(51))] : [],
              videoProfiles:
                hasProfile && campaignType === 'video' ? [aVideoProfile({ reviewStatus, status }, at(61))] : [],
              media: campaignType === 'video' ? [aVideo({ mediaState: 'available' }, { remote: '9' })] : [],
            });
          }
        }
      }
    }
  }
}
