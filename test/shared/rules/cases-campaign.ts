import type { Values } from '../../../shared/model/fields.ts';
import type { ItemCheckStatus } from '../../../shared/model/item-check.ts';
import { DELETED } from '../../../shared/model/row.ts';
import { checkAccount, checkCampaign } from '../../../shared/rules/check.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import {
  aCampaign,
  aKeyword,
  anAdGroup,
  anAdItem,
  aTree,
  aVideoTree,
  cents,
  day,
  env,
  id,
  unknown,
} from '../builders.ts';

/** For every rule the smallest draft that breaks it. */
export type Cases = Readonly<Record<string, () => readonly Issue[]>>;

type Campaign = Partial<Values<'campaign'>>;
const fresh = (values: Campaign) => () => checkCampaign(aVideoTree({ campaign: aCampaign(values) }), env);
const known = (values: Campaign, was: Campaign) => () =>
  checkCampaign(aVideoTree({ campaign: aCampaign(values, { remote: '1', was }) }), env);
const names =
  (...all: string[]) =>
  () =>
    checkAccount(
      all.map((name, at) => ({ id: id(at + 1), name, deleted: false })),
      [],
      env,
    );
const live = { serviceStatus: 'live' } as const;

export const campaignCases: Cases = {
  'campaign.unknown-word': fresh({ serviceStatus: unknown('suspended') }),
  'campaign.name-required': fresh({ name: null }),
  'campaign.name-characters': fresh({ name: 'a\u0007b' }),
  'campaign.name-length': fresh({ name: 'x'.repeat(256) }),
  'campaign.type-required': fresh({ campaignType: null }),
  'campaign.targeting-required': fresh({ campaignType: 'sponsoredProducts', targetingType: null }),
  'campaign.targeting-manual': fresh({ targetingType: 'auto' }),
  'campaign.start-missing': fresh({ startDate: null }),
  'campaign.start-before-today': fresh({ startDate: day('2026-04-30') }),
  'campaign.end-before-start': fresh({ endDate: day('2026-05-10') }),
  'campaign.end-passed': fresh({ startDate: day('2026-04-01'), endDate: day('2026-04-20') }),
  'campaign.start-far': fresh({ startDate: day('2027-06-01'), endDate: null }),
  'campaign.flight-long': fresh({ endDate: day('2029-05-30') }),
  'campaign.name-blanks': fresh({ name: 'Spring  video' }),
  'campaign.name-unseen': fresh({ name: 'Spring\u200b' }),
  'budget.required': fresh({ campaignType: 'sponsoredProducts', dailyBudget: null, totalBudget: null }),
  'budget.daily-required': fresh({ dailyBudget: null }),
  'budget.total-required': fresh({ totalBudget: null }),
  'budget.daily-positive': fresh({ dailyBudget: cents(0) }),
  'budget.total-positive': fresh({ totalBudget: cents(0) }),
  'budget.daily-over-total': fresh({ dailyBudget: cents(150_001) }),
  'budget.runs-out': fresh({ dailyBudget: cents(20_000) }),
  'budget.starves-flight': fresh({ dailyBudget: cents(1_000) }),
  'budget.few-clicks': fresh({ dailyBudget: cents(800) }),
  'campaign-state.born-enabled': fresh({ status: 'paused' }),
  'campaign-state.pause-from-live': known({ status: 'paused', serviceStatus: 'scheduled' }, { status: 'enabled' }),
  'campaign-state.end-from-live': known({ status: 'completed', serviceStatus: 'proposal' }, { status: 'enabled' }),
  'campaign-state.extend-needs-end': known(
    { status: 'enabled', endDate: day('2026-04-30'), startDate: day('2026-04-01') },
    { status: 'completed' },
  ),
  'campaign-state.completed-shows-nothing': known({ status: 'completed', name: 'New' }, { name: 'Old' }),
  'campaign-state.reenable-needs-review': known({ status: 'enabled', serviceStatus: 'paused' }, { status: 'paused' }),
  'campaign-state.delete-impossible': () =>
    checkCampaign(aTree({ campaign: aCampaign(live, { remote: '1', marks: DELETED }) }), env),
  'campaign-state.start-after-live': known(
    { ...live, startDate: day('2026-06-01'), endDate: null },
    { startDate: day('2026-04-01') },
  ),
  'campaign-state.pause-estimated': known(
    { status: 'paused', campaignState: 'scheduled', stateSource: 'estimated' },
    { status: 'enabled' },
  ),
  'campaign-state.end-estimated': known(
    { status: 'completed', campaignState: 'in-review', stateSource: 'estimated' },
    { status: 'enabled' },
  ),
  'ready.no-ad-group': () => checkCampaign(aTree({ adGroups: [] }), env),
  'ready.no-item': () => checkCampaign(aVideoTree({ adItems: [] }), env),
  'ready.no-keyword': () => checkCampaign(aVideoTree({ keywords: [] }), env),
  'ready.no-brand-profile': fresh({ campaignType: 'sba' }),
  'ready.no-video-profile': () => checkCampaign(aVideoTree({ videoProfiles: [] }), env),
  'ready.start-too-soon': fresh({ startDate: day('2026-05-03') }),
  'ready.all-items-rejected': () =>
    checkCampaign(aVideoTree({ adItems: [anAdItem({ reviewStatus: 'rejected' }, { remote: '1' })] }), env),
  'ready.all-keywords-rejected': () =>
    checkCampaign(aVideoTree({ keywords: [aKeyword({ reviewStatus: 'rejected' }, { remote: '1' })] }), env),
  'account.campaign-name-unique': names('Spring', 'Spring'),
  'account.campaign-name-twin': names('caf\u00e9', 'cafe\u0301'),
  'account.campaign-name-alike': names('Spring', 'spring '),
};

const group = (values: Partial<Values<'adGroup'>>) => () =>
  checkCampaign(aVideoTree({ adGroups: [anAdGroup(values)] }), env);
const manyKeywords = (count: number, each: (at: number) => Partial<Values<'keyword'>>) => () =>
  checkCampaign(
    aVideoTree({
      keywords: Array.from({ length: count }, (_, at) => aKeyword({ text: `k${at}`, ...each(at) }, { id: 100 + at })),
    }),
    env,
  );

export const adGroupCases: Cases = {
  'ad-group.name-required': group({ name: null }),
  'ad-group.name-characters': group({ name: 'a\u0000' }),
  'ad-group.name-unseen': group({ name: 'Ma\u00adin' }),
  'ad-group.name-unique': () => checkCampaign(aTree({ adGroups: [anAdGroup(), anAdGroup({}, { id: 20 })] }), env),
  'ad-group.too-many': () =>
    checkCampaign(aTree({ adGroups: [anAdGroup(), anAdGroup({ name: 'B' }, { id: 20 })] }), env),
  'ad-group.too-few-items': () => {
    const strict = { ...env.profile, adItems: { ...env.profile.adItems, min: 4 } };
    return checkCampaign(aVideoTree(), { ...env, profile: strict });
  },
  'ad-group.few-items': () => checkCampaign(aVideoTree({ adItems: [anAdItem()] }), env),
  'ad-group.disabled': group({ status: 'disabled' }),
  'ad-group.one-match-type': manyKeywords(10, () => ({})),
  'ad-group.same-bids': manyKeywords(10, () => ({})),
  'ad-group.review-rejected': group({ reviewStatus: 'rejected' }),
  'ad-group.unknown-word': group({ reviewStatus: unknown('escalated') }),
  'ad-group.nearly-full': manyKeywords(181, (at) => ({ bid: cents(200 + at) })),
};

const item = (values: Partial<Values<'adItem'>>) => () =>
  checkCampaign(aVideoTree({ adItems: [anAdItem(values)] }), env);
const notMigrated = (itemId: string) => () =>
  checkCampaign(aVideoTree({ adItems: [anAdItem({ itemId })] }), { ...env, migrated: false });
const saidOf = (verdict: ItemCheckStatus) => () =>
  checkCampaign(aVideoTree({ adItems: [anAdItem()] }), { ...env, catalog: { verdict: () => verdict } });
const floor = { ...env.profile, bid: { ...env.profile.bid, floorItemCents: 30 } };

export const adItemCases: Cases = {
  'item.id-required': item({ itemId: null }),
  'item.id-scientific': item({ itemId: '1.23457E+9' }),
  'item.id-lost-zeros': item({ itemId: '12345678' }),
  'item.id-too-long': item({ itemId: '00012345678' }),
  'item.id-format': item({ itemId: 'B00ABC' }),
  'item.id-legacy-after-migration': item({ itemId: 'prod4455' }),
  'item.id-new-before-migration': notMigrated('0012345678'),
  'item.id-legacy-soon': notMigrated('prod4455'),
  'item.id-unconfirmed': item({ itemIdSource: 'typed' }),
  'item.not-in-catalogue': saidOf('not-found'),
  'item.unreadable': saidOf('unreadable'),
  'item.unpublished': saidOf('unpublished'),
  'item.not-owned': saidOf('not-owned'),
  'item.duplicate': () => checkCampaign(aVideoTree({ adItems: [anAdItem(), anAdItem({}, { id: 31 })] }), env),
  'item.too-many': () =>
    checkCampaign(
      aVideoTree({
        adItems: Array.from({ length: 11 }, (_, at) => anAdItem({ itemId: `00123456${at + 10}` }, { id: 30 + at })),
      }),
      env,
    ),
  'item.bid-required': item({ bid: null }),
  'item.bid-positive': item({ bid: cents(0) }),
  'item.bid-floor': () =>
    checkCampaign(aVideoTree({ adItems: [anAdItem({ bid: cents(29) })] }), { ...env, profile: floor }),
  'item.bid-high': item({ bid: cents(10_001) }),
  'item.bid-over-daily': item({ bid: cents(7_501) }),
  'item.unknown-word': item({ status: unknown('retired') }),
  'item.rejected': item({ reviewStatus: 'rejected', reviewReason: 'Wrong picture' }),
  'item.under-review': () =>
    checkCampaign(aVideoTree({ adGroups: [anAdGroup({ reviewStatus: 'pending' }, { remote: '1' })] }), env),
  'item.deleted-for-good': () =>
    checkCampaign(aVideoTree({ adItems: [anAdItem({}, { remote: '1', was: { status: 'deleted' } })] }), env),
  'item.enable-costs-review': () =>
    checkCampaign(aVideoTree({ adItems: [anAdItem({}, { remote: '1', was: { status: 'disabled' } })] }), env),
};

const keyword = (values: Partial<Values<'keyword'>>) => () =>
  checkCampaign(aVideoTree({ keywords: [aKeyword(values)] }), env);

export const keywordCases: Cases = {
  'keyword.text-required': keyword({ text: null }),
  'keyword.text-characters': keyword({ text: 'a\u0001' }),
  'keyword.text-unseen': keyword({ text: 'te\u200da' }),
  'keyword.text-length': keyword({ text: 'x'.repeat(81) }),
  'keyword.text-blanks': keyword({ text: 'paper  towel' }),
  'keyword.text-signs': keyword({ text: 'paper towel!' }),
  'keyword.many-words': keyword({ text: 'a b c d e f g h i j k' }),
  'keyword.match-type-required': keyword({ matchType: null }),
  'keyword.bid-required': keyword({ bid: null }),
  'keyword.bid-positive': keyword({ bid: cents(0) }),
  'keyword.bid-floor-video': keyword({ bid: cents(149) }),
  'keyword.bid-high': keyword({ bid: cents(10_001) }),
  'keyword.bid-over-daily': keyword({ bid: cents(7_501) }),
  'keyword.duplicate': () =>
    checkCampaign(
      aVideoTree({ keywords: [aKeyword({ text: 'Paper   Towel' }, { id: 40 }), aKeyword({}, { id: 41 })] }),
      env,
    ),
  'keyword.too-many': manyKeywords(201, () => ({})),
  'keyword.auto-targeting': () =>
    checkCampaign(
      aVideoTree({ campaign: aCampaign({ campaignType: 'sponsoredProducts', targetingType: 'auto' }) }),
      env,
    ),
  'keyword.too-many-match-types': () =>
    checkCampaign(aVideoTree({ keywords: [aKeyword(), aKeyword({ matchType: 'broad' }, { id: 41 })] }), {
      ...env,
      profile: { ...env.profile, keywords: { ...env.profile.keywords, maxMatchTypes: 1 } },
    }),
  'keyword.unknown-word': keyword({ matchType: unknown('near') }),
  'keyword.rejected': keyword({ reviewStatus: 'rejected' }),
  'keyword.under-review': () =>
    checkCampaign(aVideoTree({ adGroups: [anAdGroup({ reviewStatus: 'in-progress' }, { remote: '1' })] }), env),
  'keyword.archived-for-good': () =>
    checkCampaign(aVideoTree({ keywords: [aKeyword({}, { remote: '1', was: { state: 'archived' } })] }), env),
  'keyword.enable-costs-review': () =>
    checkCampaign(aVideoTree({ keywords: [aKeyword({}, { remote: '1', was: { state: 'paused' } })] }), env),
  'keyword.born-enabled': keyword({ state: 'paused' }),
  'keyword.broad-above-exact': () =>
    checkCampaign(
      aVideoTree({
        keywords: [aKeyword({}, { id: 40 }), aKeyword({ matchType: 'broad', bid: cents(300) }, { id: 41 })],
      }),
      env,
    ),
};
